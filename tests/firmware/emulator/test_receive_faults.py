"""Faults of the line from the host: bytes with a bit turned over, and a line held low."""

from __future__ import annotations

import pytest

from tests.firmware.emulator.chance import Stream, stream
from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import Emulator

BIT = 32  # cycles at 500 000 baud
BYTE = 10 * BIT
FRAME_ERROR = 0x10  # FE of UCSR0A


def echoed(emulator: Emulator) -> list[int]:
    """Bytes that the program heard: it sends each byte back plus one, plus 128 when it came with an error."""
    return [byte - 1 & 0xFF for _, byte in emulator.sent()]


# ---- a bit turned over ----


def test_one_bit_of_each_of_the_next_bytes_is_turned_over(start: Start) -> None:
    emulator = start("uart_echo")
    emulator.run(5000)
    emulator.ask("seed 9")
    emulator.ask("receive_damage 16")
    emulator.send(bytes(range(20, 40)))
    emulator.run(25 * BYTE)
    chance = stream(9, Stream.LINE)
    damaged = [byte ^ 1 << (chance.bits() >> 61) for byte in range(20, 36)]
    heard = echoed(emulator)
    assert heard == [*damaged, *range(36, 40)]
    assert {(one ^ other).bit_count() for one, other in zip(heard[:16], range(20, 36), strict=True)} == {1}


# ---- the line held low ----


# A start bit is believed at its middle, 16 cycles; the stop bit is judged at its own, 304.
@pytest.mark.parametrize(
    ("cycles", "flags", "byte"),
    [
        (17, 0, 0xFF),
        (5 * BIT, 0, 0xF0),  # the start bit and the four lowest
        (9 * BIT, 0, 0x00),
        (304, 0, 0x00),
        (305, FRAME_ERROR, 0x00),
        (40 * BIT, FRAME_ERROR, 0x00),
    ],
)
def test_a_line_held_low_is_a_byte_of_zeros_as_far_as_it_lasts(
    start: Start, cycles: int, flags: int, byte: int
) -> None:
    emulator = start("uart_receive", DIVISOR=3, LATE=0)
    begin = emulator.run(1000)
    emulator.marks()
    emulator.ask(f"receive_break {cycles}")
    emulator.run(3000)
    (flags_cycle, found_flags), (_, found) = emulator.marks()
    assert (found_flags, found) == (flags, byte)
    assert flags_cycle - (begin + 9 * BIT + BIT // 2) in range(0, 14)
    assert emulator.checks() == []


# Bits 0 and 1 of the byte end 3 bits after its beginning; bits 2 and 3 are held low, or all up to the stop bit.
@pytest.mark.parametrize(("bits", "flags", "byte"), [(2, 0, 0xF3), (20, FRAME_ERROR, 0x03)])
def test_a_byte_on_its_way_has_zeros_from_there_on(start: Start, bits: int, flags: int, byte: int) -> None:
    emulator = start("uart_receive", DIVISOR=3, LATE=0)
    begin = emulator.run(1000)
    emulator.marks()
    emulator.send(b"\xff")
    emulator.run_to(begin + 3 * BIT)
    emulator.ask(f"receive_break {bits * BIT}")
    emulator.run(1000)
    assert [value for _, value in emulator.marks()] == [flags, byte]
