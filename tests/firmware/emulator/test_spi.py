"""The SPI: a byte takes eight clocks of the programmed divider. Light on the sensors makes what comes in."""

from __future__ import annotations

import pytest

from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import Emulator

MASTER = 0x50  # SPE, MSTR
END, COLLISION = 0x80, 0x40  # SPIF, WCOL


def light_up(emulator: Emulator, first: int, second: int) -> None:
    """Let the two nearest chips of the chain see these bytes."""
    for bit in range(16):
        if (first | second << 8) >> bit & 1:
            emulator.ask(f"ambient {bit} 400")


@pytest.mark.parametrize(
    ("select", "double", "divider"),
    [(0, 0, 4), (1, 0, 16), (2, 0, 64), (3, 0, 128), (0, 1, 2), (1, 1, 8), (2, 1, 32), (3, 1, 64)],
)
def test_a_byte_takes_eight_clocks(start: Start, select: int, double: int, divider: int) -> None:
    cycles = 8 * divider
    for wait, flag in ((cycles - 1, 0), (cycles, END)):
        emulator = start("spi", CONTROL=MASTER | select, DOUBLE=double, WAIT=wait)
        emulator.run(10_000)
        status = emulator.marks()[0][1]
        assert status & END == flag
        assert emulator.check_names() == []


def test_the_flag_is_cleared_by_reading_status_and_data(start: Start) -> None:
    emulator = start("spi", CONTROL=MASTER, DOUBLE=0, WAIT=32)
    light_up(emulator, 0x96, 0x69)
    emulator.run(10_000)
    assert [value for _, value in emulator.marks()] == [0x80, 0x80, 0x96, 0x00]


@pytest.mark.parametrize(("wait", "collides"), [(15, True), (16, False)])
def test_a_byte_written_too_soon_collides(start: Start, wait: int, collides: bool) -> None:
    # at half the controller's clock 16 NOPs stand between two OUTs: 17 cycles a byte are the fastest that goes
    emulator = start("spi", CONTROL=MASTER, DOUBLE=1, WAIT=wait, SECOND=1)
    light_up(emulator, 0x96, 0x69)
    emulator.run(10_000)
    values = [value for _, value in emulator.marks()]
    assert bool(values[0] & COLLISION) == collides
    assert values[2] == (0x96 if collides else 0x69)
    assert emulator.check_names() == (["spi_collision"] if collides else [])


@pytest.mark.parametrize(("order", "byte"), [(0, 0b10010111), (0x20, 0b11101001)])
def test_order_of_the_bits(start: Start, order: int, byte: int) -> None:
    emulator = start("spi", CONTROL=MASTER | order, DOUBLE=0, WAIT=32)
    light_up(emulator, 0b10010111, 0)
    emulator.run(10_000)
    assert emulator.marks()[2][1] == byte


def test_slave_select_as_an_input_makes_it_no_master(start: Start) -> None:
    emulator = start("spi", CONTROL=MASTER, DOUBLE=0, WAIT=32, NO_SS=1)
    emulator.run(10_000)
    assert emulator.marks()[0][1] & END == 0
    assert emulator.check_names() == ["spi_no_master"]


@pytest.mark.parametrize(("mode", "names"), [(0x00, []), (0x04, ["spi_mode"]), (0x08, ["spi_mode"]), (0x0C, [])])
def test_modes_that_the_chain_understands(start: Start, mode: int, names: list[str]) -> None:
    emulator = start("spi", CONTROL=MASTER | mode, DOUBLE=0, WAIT=32)
    emulator.run(10_000)
    assert emulator.check_names() == names
