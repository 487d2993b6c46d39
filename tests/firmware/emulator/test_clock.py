"""The clock: time moves on command only, to the cycle; resets; interrupts cost what the datasheet says."""

from __future__ import annotations

from itertools import pairwise

import pytest

from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import Refused


def test_a_loop_of_a_hundred_cycles_is_a_hundred_cycles_long(start: Start) -> None:
    emulator = start("clock", KIND=0)
    emulator.run(10_000)
    cycles = [cycle for cycle, _ in emulator.marks()]
    assert len(cycles) >= 98
    assert {later - earlier for earlier, later in pairwise(cycles)} == {100}


def test_time_stands_still_between_commands_and_stops_within_an_instruction(start: Start) -> None:
    emulator = start("clock", KIND=0)
    assert emulator.time() == 0
    overshoots = set()
    for stop in range(1000, 1500):  # every phase of the loop five times
        reached = emulator.run_to(stop)
        assert emulator.time() == reached
        overshoots.add(reached - stop)
    assert overshoots == {0, 1}  # its longest instruction, RJMP, takes two cycles


def test_stopping_often_changes_nothing(start: Start) -> None:
    whole, pieces = start("clock", KIND=0), start("clock", KIND=0)
    whole.run_to(5000)
    for stop in range(1, 5001, 7):
        pieces.run_to(stop)
    pieces.run_to(5000)
    assert whole.marks() == pieces.marks()


def test_watchdog_resets_and_ram_survives(start: Start) -> None:
    emulator = start("clock", KIND=1)
    emulator.run(600_000)
    marks = emulator.marks()
    # power on, what it put into RAM; twice the watchdog: 2048 periods of 128 kHz are 16 ms, 256 000 cycles
    assert [value for _, value in marks] == [0x01, 0x5A, 0x08, 0x5A, 0x08, 0x5A]
    assert marks[4][0] - marks[2][0] == pytest.approx(256_000, abs=200)  # and the way from reset to wdt_enable


def test_reset_pin(start: Start) -> None:
    emulator = start("clock", KIND=1)
    emulator.run(1000)
    emulator.marks()
    emulator.ask("reset")
    assert emulator.time() in range(1000, 1004)
    emulator.run(1000)
    assert [value for _, value in emulator.marks()] == [0x02, 0x5A]


def test_an_interrupt_takes_four_cycles_to_enter_and_four_to_leave(start: Start) -> None:
    emulator = start("clock", KIND=2)
    emulator.run(10_000)
    (begin, one), (_, handler), (end, two) = emulator.marks()
    assert (one, handler, two) == (1, 0x77, 2)
    # between the marks: STS (2), 64 NOPs, the second mark's OUT (1); the interrupt's entry (4), the vector's
    # JMP (3), OUT (1), STS (2) and RETI (4)
    assert end - begin == 2 + 64 + 1 + 4 + 3 + 1 + 2 + 4


def test_a_crash_is_told_and_time_goes_on(start: Start) -> None:
    emulator = start("clock", KIND=3)
    assert emulator.run_to(100_000) == 100_000
    assert emulator.check_names() == ["crash"]


@pytest.mark.parametrize(
    "line", ["", "jump", "run", "run x", "run -1", "run 1 2", "send 0", "send 0g", "a b c d e f g"]
)
def test_nonsense_is_refused_and_does_no_harm(start: Start, line: str) -> None:
    emulator = start("clock", KIND=0)
    with pytest.raises(Refused, match=r": error \S+"):
        emulator.ask(line)
    assert emulator.run_to(100) in (100, 101)
