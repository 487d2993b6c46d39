"""Faults in the middle of a game at the machine: what is done, and what must be so at once after it.

Each is a function of the table and of a stopwatch. `FAULTS` has them by name; `after` holds after every one.
"""

import time
from collections.abc import Callable, Mapping
from typing import Final

from tests.machine.record import notices
from tests.machine.table import GAME_SECONDS, Table
from tests.machine.virtual import until

#: Notes how many seconds have passed since an instant of the monotonic clock, with words for what they were.
Took = Callable[[str, float], None]

Fault = Callable[[Table, Took], None]


def begin_game(table: Table, seed: int) -> None:
    """A board comes, is plugged in, and two players begin a game at it; another seed is another game."""
    table.bring(seed=seed)
    table.start_record()
    table.plug()
    table.start_game()


def after(table: Table) -> None:
    """The same game goes on as the only one, nothing promised is lost, and the board is seen as it is."""
    table.play(turns=1)
    assert len(table.list_of_games()) == 1
    table.is_kept()
    table.is_true()


def to_the_end(table: Table) -> None:
    """The game is played to its end, and the journal has it so."""
    state = table.play_to_the_end()
    table.is_kept()
    table.is_true()
    over = table.saved().rulings[-1]
    assert over["ruling"] == "game_over"
    assert over["winner"] == state["over"]["winner"]


# What happens to the board's cable.


def the_plug_is_pulled_and_put_in_again(table: Table, took: Took) -> None:
    """The service goes on, and has the board again."""
    life, device = table.property("InvocationID"), table.device()
    table.pull()
    began = time.monotonic()
    table.plug()
    took(f"plugged in again, {device} → {table.device()}, to connected", began)
    assert table.property("InvocationID") == life


def the_board_comes_back_under_another_name(table: Table, took: Took) -> None:
    """Somebody who holds the old device keeps its number from the one that comes."""
    life, device = table.property("InvocationID"), table.device()
    table.machine.run(f"sleep 100000 <>/dev/{device} & echo $! >/run/holder")
    # Opened after the pull, the name would be that of a new file, and keep the board's device from having it.
    until(
        lambda: table.machine.attempt("readlink /proc/$(cat /run/holder)/fd/0")[1] == f"/dev/{device}",
        "the old device is held",
    )
    table.pull()
    began = time.monotonic()
    table.plug()
    took("plugged in again to connected", began)
    assert table.device() != device
    assert table.property("InvocationID") == life
    table.machine.run("kill $(cat /run/holder)")


def another_board_is_plugged_in_beside(table: Table, took: Took) -> None:
    """The service stays with its own board, while the other comes and goes."""
    life = table.property("InvocationID")
    with table.second_board():
        until(lambda: table.boards() == 2, "the kernel has both")
        table.play(turns=1)
        assert table.property("InvocationID") == life
    until(lambda: table.boards() == 1, "the other board is gone")
    assert table.property("InvocationID") == life


def modem_manager_looks_for_modems(table: Table, took: Took) -> None:
    """It is there when the board is plugged in, and does not send the board a modem's commands."""
    life = table.property("InvocationID")
    table.machine.run("systemctl start ModemManager && mmcli --set-logging=DEBUG")
    try:
        table.pull()
        began = time.monotonic()
        table.plug()
        took("plugged in again to connected", began)
        port = table.device()
        # Its word for what udev's rules take away from it; what it leaves by itself is "forbidden".
        until(
            lambda: f"(tty/{port}): port filtered: device is blocklisted" in table.said_by("ModemManager"),
            f"ModemManager leaves {port} alone because of our udev rule",
        )
        table.play(turns=1)
        assert table.machine.attempt("mmcli --list-modems --output-keyvalue")[1].endswith("0")
    finally:
        table.machine.run("systemctl stop ModemManager")
    assert table.property("InvocationID") == life


# What happens to the service.


def the_service_is_killed(table: Table, took: Took) -> None:
    """It is started again by systemd, and offers the game."""
    life, restarts = table.property("InvocationID"), int(table.property("NRestarts"))
    table.machine.run("systemctl kill --signal=KILL --kill-whom=main tamsk-hw")
    began = time.monotonic()
    table.is_started_anew(life)
    took("killed to ready", began)
    assert int(table.property("NRestarts")) == restarts + 1
    table.is_connected()
    table.resume()


def the_service_hangs_longer_than_the_watchdog_waits(table: Table, took: Took) -> None:
    """It is ended by systemd's watchdog, started again, and offers the game."""
    life = table.property("InvocationID")
    began = time.monotonic()
    table.machine.run("kill -STOP $(systemctl show -P MainPID tamsk-hw)")
    table.is_started_anew(life)
    took("stopped to ready", began)
    assert "Watchdog timeout" in table.machine.run(f"journalctl -o cat --no-pager INVOCATION_ID={life}")
    table.is_connected()
    table.resume()


# What happens to the computer.


def the_power_is_cut(table: Table, took: Took) -> None:
    """The file system is mended at the next start, and the game is offered."""
    table.machine.kill()
    began = time.monotonic()
    table.machine.start()
    took("power to console", began)
    table.is_ready()
    kernel = table.machine.run("journalctl -o cat --no-pager -k -b")
    assert "EXT4-fs (vda): recovery complete" in kernel, "the power was cut while the disk was in use"
    assert "root: clean" in table.said_by("systemd-fsck-root")
    table.plug()
    table.resume()


def the_computer_is_started_again(table: Table, took: Took) -> None:
    """`systemctl reboot` with the game open, which is offered afterwards."""
    boot = table.machine.run("cat /proc/sys/kernel/random/boot_id")
    began = time.monotonic()
    table.machine.run("systemctl --no-block reboot")
    table.machine.wait_for_another_boot(boot)
    took("reboot to console", began)
    table.is_ready()
    table.is_connected()
    table.resume()


def the_computer_is_shut_down(table: Table, took: Took) -> None:
    """`systemctl poweroff` with the game open, which is offered when the computer is switched on again."""
    began = time.monotonic()
    table.machine.run("systemctl --no-block poweroff")
    table.machine.wait_until_off()
    took("shutdown to power off", began)
    table.machine.start()
    table.is_ready()
    table.plug()
    table.resume()


def the_disk_is_full(table: Table, took: Took) -> None:
    """It is said that nothing is saved; with room again everything is."""
    life = table.property("InvocationID")
    began = time.monotonic()
    table.machine.run("fallocate -l $(df --output=avail -B1 /var | tail -n 1) /var/full")
    until(lambda: "not_saved" in notices(table.record.lines()), "the full disk is told", GAME_SECONDS)
    took("full to told", began)
    table.play(turns=2)
    table.machine.run("rm /var/full")
    until(lambda: "saved_again" in notices(table.record.lines()), "everything is on the disk again")
    assert table.property("InvocationID") == life


def the_clock_is_set_a_year_on(table: Table, took: Took) -> None:
    """The game's own clocks are not touched by it."""
    life = table.property("InvocationID")
    table.machine.run("date -s '+1 year'")
    table.play(turns=1)
    assert table.property("InvocationID") == life


#: All faults, by what is said of them.
FAULTS: Final[Mapping[str, Fault]] = {
    fault.__name__.replace("_", " "): fault
    for fault in (
        the_plug_is_pulled_and_put_in_again,
        the_board_comes_back_under_another_name,
        another_board_is_plugged_in_beside,
        modem_manager_looks_for_modems,
        the_service_is_killed,
        the_service_hangs_longer_than_the_watchdog_waits,
        the_power_is_cut,
        the_computer_is_started_again,
        the_computer_is_shut_down,
        the_disk_is_full,
        the_clock_is_set_a_year_on,
    )
}
