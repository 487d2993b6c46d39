"""The guest's real drivers with converters that do as their data sheets say: times, and a game behind a CH340."""

import statistics
import time
from pathlib import Path
from typing import Final

from tests.machine.faults import after
from tests.machine.table import Table
from tests.machine.usb import trips
from tests.machine.usb.ch340 import Ch340
from tests.machine.usb.ft232r import Ft232r, LineStatus
from tests.machine.usb.plugging import board_behind, echo, plugged, pseudo_terminal
from tests.machine.virtual import until

#: Bytes that the chip keeps for the host: an emulated processor is too slow for the real chip's 256.
DEEP: Final = 65536

#: The bytes of a short answer of the board.
SHORT: Final = 6


def milliseconds(seconds: list[float]) -> str:
    """Median, 95 % and most of some times."""
    ordered = sorted(1000 * each for each in seconds)
    most_but_few = ordered[len(ordered) * 95 // 100]
    return f"median {statistics.median(ordered):.1f}, 95 % {most_but_few:.1f}, most {ordered[-1]:.1f} ms"


def trips_of(table: Table, latency: int) -> list[float]:
    """Seconds of 200 trips of `SHORT` bytes to an echo behind the driver and back, by the guest's clock."""
    table.machine.write("/run/trips.py", Path(trips.__file__).read_text(encoding="utf-8"))
    table.machine.run(f"echo {latency} >/sys/bus/usb-serial/devices/ttyUSB0/latency_timer")
    said = table.machine.read(f"python3 /run/trips.py /dev/ttyUSB0 200 {SHORT}")
    return [float(line) / 1000 for line in said.splitlines()]


def test_the_latency_timer_is_what_the_udev_rule_saves(table: Table) -> None:
    table.machine.run("systemctl stop tamsk-hw")
    chip = Ft232r(DEEP)
    with pseudo_terminal(echo) as port, plugged(table, chip, port):
        until(lambda: table.machine.attempt("test -e /dev/tamsk-board")[0] == 0, "the converter has its name")
        assert table.machine.run("cat /sys/bus/usb-serial/devices/ttyUSB0/latency_timer") == "1", "the udev rule"
        taken = {latency: trips_of(table, latency) for latency in (1, 16)}
    for latency, seconds in taken.items():
        print(f"latency_timer {latency}, there and back: {milliseconds(seconds)}")
    assert chip.baud == 500_000
    assert len(taken[1]) == len(taken[16]) == 200
    assert statistics.median(taken[16]) > statistics.median(taken[1]) + 0.004


def test_a_game_is_played_behind_a_ch340(table: Table) -> None:
    table.bring(seed=3)
    table.start_record()
    chip = Ch340(DEEP)
    with board_behind(table, chip):
        assert table.machine.run("readlink -f /sys/bus/usb-serial/devices/ttyUSB0/driver").endswith("/ch341-uart")
        assert "ID_MM_DEVICE_IGNORE=1" in table.machine.run("udevadm info /dev/tamsk-board")
        table.start_game()
        table.play(turns=2)
    life = table.property("InvocationID")
    with board_behind(table, chip):
        after(table)
        assert table.property("InvocationID") == life
    assert chip.lost == 0


def test_a_game_outlives_what_happens_to_its_converter(table: Table) -> None:
    table.bring(seed=3)
    table.start_record()
    chip = Ft232r(DEEP)
    with board_behind(table, chip) as outside:
        table.start_game()
        table.play(turns=1)
        life = table.property("InvocationID")

        for _ in range(40):  # noise on the line: bytes that nobody sent, marked as framing errors
            with outside.held():
                chip.line_error(LineStatus.FRAMING, bytes((0xFF, 0x00)), time.monotonic())
            time.sleep(0.05)
        after(table)

        with outside.held() as redirection:  # a hub that has no time for it
            redirection.muted_until = time.monotonic() + 3.0
        until(lambda: not table.state()["connected"], "the silent board is noticed")
        table.is_connected()
        after(table)

        with outside.held() as redirection:  # a supply that sags: the chip starts again by itself
            redirection.detach()
        until(lambda: not table.state()["connected"], "the lost board is noticed")
        with outside.held() as redirection:
            redirection.attach(time.monotonic())
        table.is_connected()
        after(table)

        with outside.held() as redirection:  # a transfer that ends with STALL
            redirection.stalls = 1
        until(lambda: not outside.redirection.stalls, "the transfer has ended so")
        table.is_connected()
        after(table)
    assert table.property("InvocationID") == life
    assert chip.lost == 0
