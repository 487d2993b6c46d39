"""Faults of the board: the chain of 74HC165, select lines, an open sensor, a program that hangs, the supply."""

from __future__ import annotations

from math import exp

import pytest

from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import SECOND, Emulator

MICROSECOND, MILLISECOND = SECOND // 1_000_000, SECOND // 1000
POWER_ON, EXTERNAL, BROWN_OUT, WATCHDOG = 0x01, 0x02, 0x04, 0x08  # MCUSR


def values(emulator: Emulator) -> list[int]:
    return [value for _, value in emulator.marks()]


# ---- the chain ----


def chain_with_light(start: Start) -> Emulator:
    """Light on input A of chip 0, B of chip 1, … H of chip 7: each chip gives another byte."""
    emulator = start("rings", BANKS=1, LIGHT=160 * MICROSECOND, DARK=250 * MICROSECOND)
    for chip in range(8):
        emulator.ask(f"ambient {9 * chip} 400")
    return emulator


def read_chain(emulator: Emulator) -> list[int]:
    """Let the program begin anew; the eight bytes of its dark read, the nearest chip's first."""
    emulator.ask("reset")
    emulator.marks()
    emulator.run(60_000)
    lit_and_dark = values(emulator)
    assert lit_and_dark[:8] == lit_and_dark[8:]
    return lit_and_dark[8:]


WHOLE = [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80]


@pytest.mark.parametrize(
    ("fault", "expected"),
    [
        ("ok", WHOLE),
        ("missing 0", [0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80, 0xFF]),
        ("missing 3", [0x01, 0x02, 0x04, 0x10, 0x20, 0x40, 0x80, 0xFF]),
        ("missing 7", [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0xFF]),
        ("cut 0", [0xFF] * 8),
        ("cut 3", [0x01, 0x02, 0x04, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF]),
        ("cut 7", [0x01, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0xFF]),
        ("swapped 2 5", [0x01, 0x02, 0x20, 0x08, 0x10, 0x04, 0x40, 0x80]),
        ("swapped 7 0", [0x80, 0x02, 0x04, 0x08, 0x10, 0x20, 0x40, 0x01]),
        ("swapped 4 4", WHOLE),
    ],
)
def test_what_a_broken_chain_reads_and_that_it_can_be_mended(
    start: Start, fault: str, expected: list[int]
) -> None:
    emulator = chain_with_light(start)
    emulator.ask(f"chain {fault}")
    assert read_chain(emulator) == expected
    emulator.ask("chain ok")
    assert read_chain(emulator) == WHOLE
    assert emulator.checks() == []


# ---- select lines ----


# Address a carries (16 a + 8.5) / 256 of 5 V: the 8 bits read 16 a + 8.
@pytest.mark.parametrize(
    ("fault", "address", "read"),
    [
        ("0 high", 0b0000, 0b0001),
        ("0 low", 0b0101, 0b0100),
        ("1 high", 0b0101, 0b0111),
        ("1 low", 0b1111, 0b1101),
        ("2 high", 0b1010, 0b1110),
        ("2 low", 0b0101, 0b0001),
        ("3 high", 0b0101, 0b1101),
        ("3 low", 0b1010, 0b0010),
        ("2 high", 0b0101, 0b0101),  # it is high anyway
        ("2 low", 0b1010, 0b1010),
        ("2 ok", 0b1010, 0b1010),
    ],
)
def test_a_stuck_select_line_chooses_another_input(start: Start, fault: str, address: int, read: int) -> None:
    emulator = start("settling", MUX=1, ADDRESS=address, WAIT=400)
    for place in range(16):
        emulator.ask(f"field 1 {place} {round((16 * place + 8.5) * 5000 / 256)}")
    emulator.ask(f"select {fault}")
    emulator.run(20_000)
    assert values(emulator) == [16 * read + 8]
    emulator.ask(f"select {fault[0]} ok")
    emulator.ask("reset")
    emulator.run(20_000)
    assert values(emulator) == [16 * address + 8]
    assert emulator.checks() == []


# ---- an open sensor ----


def next_sample(emulator: Emulator) -> int:
    """The 10 bits of a conversion that begins from now on; it takes some 450 cycles, and 200 pass between two."""
    emulator.marks()
    emulator.run(1400)
    high, low = values(emulator)[-2:]
    return high << 8 | low


# 4 V is step 4 * 1024 / 5 = 819, and falls with 1 ms; the sample is taken within 1400 cycles (87.5 us).
@pytest.mark.parametrize("milliseconds", [0, 1, 2, 5, 10])
def test_an_open_sensor_keeps_its_charge_and_loses_it(start: Start, milliseconds: int) -> None:
    emulator = start("analog", SPACING=200)
    emulator.ask("field 0 0 4000")
    emulator.ask("field 0 1 4000")
    assert next_sample(emulator) == 819
    emulator.ask("field 0 0 open")
    emulator.run(milliseconds * MILLISECOND)
    most = 819.2 * exp(-milliseconds)
    assert most * exp(-0.0875) - 1 <= next_sample(emulator) <= most
    emulator.ask("field 0 0 2500")
    assert next_sample(emulator) == 512
    assert emulator.checks() == []


# ---- a program that hangs ----


def test_a_program_that_hangs_stands_still_until_a_reset(start: Start) -> None:
    emulator = start("clock", KIND=0)
    emulator.run(1000)
    emulator.marks()
    emulator.ask("hang")
    assert emulator.run_to(200_001) == 200_001
    assert emulator.marks() == []
    emulator.ask("reset")
    emulator.run(1000)
    assert len(emulator.marks()) >= 8  # a mark in a hundred cycles, and the way to the first


def test_the_watchdog_ends_a_hang_in_its_time(start: Start) -> None:
    emulator = start("clock", KIND=1)
    emulator.run(1000)
    (begin, _), _ = emulator.marks()
    emulator.ask("hang")
    emulator.run(300_000)
    marks = emulator.marks()
    assert [value for _, value in marks] == [WATCHDOG, 0x5A]  # and RAM stays
    assert marks[0][0] - begin == pytest.approx(256_000, abs=200)  # 16 ms


ON, BYTE, OFF = 1, 2, 3  # marks of programs/busy.c: interrupts on; a byte came; interrupts off


@pytest.mark.parametrize("kind", ["hang", "hang running"])
def test_a_program_that_hung_goes_on_where_it_stood(start: Start, kind: str) -> None:
    emulator, whole = start("busy"), start("busy")
    found = []
    for moment in range(40):
        emulator.run(1500 + moment)
        found += emulator.marks()
        for _ in range(2):  # again is the same
            emulator.ask(kind)
            emulator.run(10_000)
        found += emulator.marks()
        emulator.ask("hang over")
    whole.run(120_000)
    assert len(found) > 300
    assert [value for _, value in found] == values(whole)[: len(found)]


# ---- the supply ----


def reasons_and_memory(emulator: Emulator) -> list[int]:
    emulator.run(60_000)
    return values(emulator)


def test_power_off_and_on_loses_ram_and_says_power_on_alone(start: Start) -> None:
    emulator = start("memory")
    emulator.ask("eeprom_set 7 0123456789")
    assert reasons_and_memory(emulator) == [POWER_ON, 0]
    emulator.ask("reset")
    assert reasons_and_memory(emulator) == [POWER_ON | EXTERNAL, 64]  # all 1024 bytes
    before = emulator.time()
    assert emulator.ask("power") == str(before)  # time goes on
    assert reasons_and_memory(emulator) == [POWER_ON, 0]  # fewer than 16, by chance four
    assert emulator.ask("eeprom_get 7 5") == "0123456789"


def test_a_brown_out_keeps_ram_and_adds_its_reason(start: Start) -> None:
    emulator = start("memory")
    reasons_and_memory(emulator)
    emulator.ask("brownout")
    assert reasons_and_memory(emulator) == [POWER_ON | BROWN_OUT, 64]


def test_power_that_goes_while_a_byte_is_written_leaves_it_erased(start: Start) -> None:
    emulator = start("eeprom", VALUE=0x3C, LATE=0)
    emulator.ask("eeprom_set 4 112233")
    emulator.run(10_000)
    assert values(emulator) == [0xAA, 1, 2]  # it is being written
    emulator.ask("power")
    assert emulator.ask("eeprom_get 4 3") == "11ff33"
    emulator.run(10_000)
    assert values(emulator) == [0xAA, 1, 2]  # nothing is being written any more: it begins anew at once
