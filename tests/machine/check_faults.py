"""Faults in mid-game: each is judged by what lies on the board outside and by what the service says."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from tests.machine.record import notices
from tests.machine.table import GAME_SECONDS, Table
from tests.machine.virtual import until

#: Notes how many seconds something took, in words and for the table of `make vm-soak`.
Took = Callable[[str, float], None]


@pytest.fixture
def took(record_property: Callable[[str, object], None]) -> Took:
    """Give a function that prints the seconds since an instant of the monotonic clock, and keeps them."""

    def note(what: str, began: float) -> None:
        seconds = time.monotonic() - began
        print(f"{what}: {seconds:.1f} s")
        record_property("seconds", seconds)

    return note


@pytest.fixture
def game(table: Table, seed: int) -> Table:
    """A game of which some turns are played; another seed is another game, which is hit at another moment."""
    table.bring(seed=seed)
    assert table.record
    table.plug()
    table.start_game()
    table.play(turns=1 + seed % 4)
    time.sleep(seed * 0.37 % 3)
    return table


def goes_on(table: Table, turns: int = 2) -> None:
    """The same game is played on, and the service sees the board as it is."""
    table.play(turns)
    if table.finishes:
        table.play_to_the_end()
    assert len(table.list_of_games()) == 1
    table.is_true()


def test_the_plug_is_pulled_and_put_in_again(game: Table, took: Took) -> None:
    life, device = game.property("InvocationID"), game.device()
    game.pull()
    began = time.monotonic()
    game.plug()
    took(f"plugged in again, {device} → {game.device()}, to connected", began)
    goes_on(game)
    assert game.property("InvocationID") == life


def test_the_board_comes_back_under_another_name(game: Table) -> None:
    life, device = game.property("InvocationID"), game.device()
    # Somebody who holds the old device keeps its number from the one that comes.
    game.machine.run(f"sleep 100000 <>/dev/{device} & echo $! >/run/holder")
    game.pull()
    game.plug()
    assert game.device() != device
    goes_on(game)
    assert game.property("InvocationID") == life
    game.machine.run("kill $(cat /run/holder)")


def test_the_service_is_killed(game: Table, took: Took) -> None:
    life = game.property("InvocationID")
    game.machine.run("systemctl kill --signal=KILL --kill-whom=main tamsk-hw")
    began = time.monotonic()
    game.is_started_anew(life)
    took("killed to ready", began)
    assert game.property("NRestarts") == "1"
    game.is_connected()
    game.resume()
    goes_on(game)


def test_the_power_is_cut(game: Table, took: Took) -> None:
    game.machine.kill()
    began = time.monotonic()
    game.machine.start()
    took("power to console", began)
    game.is_ready()
    game.plug()
    game.resume()
    goes_on(game)


def test_the_service_hangs_longer_than_the_watchdog_waits(game: Table, took: Took) -> None:
    life = game.property("InvocationID")
    began = time.monotonic()
    game.machine.run("kill -STOP $(systemctl show -P MainPID tamsk-hw)")
    game.is_started_anew(life)
    took("stopped to ready", began)
    said = game.machine.run("journalctl -b -u tamsk-hw -o cat --no-pager _PID=1")
    assert "Watchdog timeout" in said
    game.is_connected()
    game.resume()
    goes_on(game)


def test_the_computer_is_started_again(game: Table, took: Took) -> None:
    boot = game.machine.run("cat /proc/sys/kernel/random/boot_id")
    began = time.monotonic()
    game.machine.run("systemctl --no-block reboot")
    game.machine.wait_for_another_boot(boot)
    took("reboot to console", began)
    game.is_ready()
    game.is_connected()
    game.resume()
    goes_on(game)


def test_the_computer_is_shut_down(game: Table, took: Took) -> None:
    began = time.monotonic()
    game.machine.run("systemctl --no-block poweroff")
    game.machine.wait_until_off()
    took("shutdown to power off", began)
    game.machine.start()
    game.is_ready()
    game.plug()
    game.resume()
    goes_on(game)


def test_the_disk_is_full(game: Table) -> None:
    life = game.property("InvocationID")
    game.machine.run("fallocate -l $(df --output=avail -B1 /var | tail -n 1) /var/full")
    until(lambda: "not_saved" in notices(game.record.lines()), "the full disk is told", GAME_SECONDS)
    game.play(turns=2)
    game.machine.run("rm /var/full")
    until(lambda: "saved_again" in notices(game.record.lines()), "everything is on the disk again")
    promised = game.record.promised()
    assert len(promised.rulings) > 0
    game.is_kept(promised)
    goes_on(game)
    assert game.property("InvocationID") == life


def test_the_clock_is_set_a_year_on(game: Table) -> None:
    life = game.property("InvocationID")
    game.machine.run("date -s '+1 year'")
    goes_on(game)
    game.is_kept(game.record.promised())
    assert game.property("InvocationID") == life


def test_another_board_is_plugged_in_beside(game: Table) -> None:
    life = game.property("InvocationID")
    with game.second_board():
        until(lambda: game.boards() == 2, "the kernel has both")
        game.play(turns=1)
        assert game.property("InvocationID") == life
    until(lambda: game.boards() == 1, "the other board is gone")
    goes_on(game)
    assert game.property("InvocationID") == life
