"""Faults of the board: the chain of 74HC165, select lines, an open sensor, a program that hangs, the supply."""

from __future__ import annotations

from math import exp

import pytest

from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import SECOND, Emulator, Refused

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


@pytest.mark.parametrize(
    ("faults", "expected"),
    [
        (["missing 3", "cut 5"], [0x01, 0x02, 0x04, 0x08, 0x10, 0xFF, 0xFF, 0xFF]),
        (["swapped 0 1", "cut 5"], [0x01, 0x02, 0x04, 0x08, 0x10, 0xFF, 0xFF, 0xFF]),
        (["cut 5", "missing 3"], [0x01, 0x02, 0x04, 0x10, 0x20, 0x40, 0x80, 0xFF]),
        (["missing 0", "missing 3"], [0x01, 0x02, 0x04, 0x10, 0x20, 0x40, 0x80, 0xFF]),
        (["cut 0", "swapped 0 1"], [0x02, 0x01, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80]),
        (["missing 7", "swapped 0 1"], [0x02, 0x01, 0x04, 0x08, 0x10, 0x20, 0x40, 0x80]),
    ],
)
def test_a_fault_of_the_chain_takes_the_last_ones_place(
    start: Start, faults: list[str], expected: list[int]
) -> None:
    emulator = chain_with_light(start)
    for fault in faults:
        emulator.ask(f"chain {fault}")
    assert read_chain(emulator) == expected


def test_a_short_chain_reads_ones_in_the_dark_as_well(start: Start) -> None:
    emulator = start("rings", BANKS=1, LIGHT=160 * MICROSECOND, DARK=250 * MICROSECOND)
    emulator.ask("chain missing 4")
    assert read_chain(emulator) == [0] * 7 + [0xFF]


@pytest.mark.parametrize(
    "line",
    ["", "gone", "missing", "missing 8", "cut -1", "cut x", "cut 1 2", "swapped 1", "swapped 1 8", "ok 1"],
)
def test_other_words_about_the_chain_are_refused_and_do_no_harm(start: Start, line: str) -> None:
    emulator = chain_with_light(start)
    with pytest.raises(Refused, match=r"error \S+"):
        emulator.ask(f"chain {line}")
    assert read_chain(emulator) == WHOLE


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


def test_a_line_that_breaks_while_the_program_converts_is_no_fault_of_the_program(start: Start) -> None:
    emulator = start("analog", SPACING=0)
    emulator.ask("field 0 8 5000")
    for _ in range(50):  # 4.5 conversions on: any phase of one
        emulator.ask("select 3 high")
        emulator.run(2000)
        emulator.ask("select 3 ok")
        emulator.run(2011)
    read = [high << 8 | low for high, low in zip(*[iter(values(emulator))] * 2, strict=False)]
    assert set(read) == {0, 1023}
    assert emulator.checks() == []


@pytest.mark.parametrize(
    "line", ["select 4 high", "select -1 low", "select 1 up", "select 1", "select 1 low high"]
)
def test_other_words_about_select_lines_are_refused(start: Start, line: str) -> None:
    emulator = start("analog", SPACING=0)
    with pytest.raises(Refused, match=r"error \S+"):
        emulator.ask(line)


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


def test_opened_again_it_goes_on_losing_its_charge(start: Start) -> None:
    emulator = start("analog", SPACING=200)
    emulator.ask("field 0 0 4000")
    for _ in range(2):
        emulator.ask("field 0 0 open")
        emulator.run(MILLISECOND)
    most = 819.2 * exp(-2)
    assert most * exp(-0.0875) - 1 <= next_sample(emulator) <= most


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


def test_a_program_that_hangs_takes_no_interrupt(start: Start) -> None:
    emulator = start("uart_echo")
    emulator.run(5000)
    emulator.ask("hang")
    emulator.send(b"a")
    emulator.run(5000)
    assert emulator.sent() == []
    emulator.ask("reset")
    emulator.run(5000)
    emulator.send(b"b")
    emulator.run(5000)
    assert [byte for _, byte in emulator.sent()] == [ord("c")]


def test_the_watchdog_ends_a_hang_in_its_time(start: Start) -> None:
    emulator = start("clock", KIND=1)
    emulator.run(1000)
    (begin, _), _ = emulator.marks()
    emulator.ask("hang")
    emulator.run(300_000)
    marks = emulator.marks()
    assert [value for _, value in marks] == [WATCHDOG, 0x5A]  # and RAM stays
    assert marks[0][0] - begin == pytest.approx(256_000, abs=200)  # 16 ms


@pytest.mark.parametrize("ending", [0, 1])  # asleep; in the void beyond the program
def test_the_watchdog_ends_sleep_and_a_crash_in_its_time(start: Start, ending: int) -> None:
    emulator = start("watched", ENDING=ending)
    emulator.run(600_000)
    (_, first), (second_cycle, second), (third_cycle, third) = emulator.marks()
    assert (first, second, third) == (POWER_ON, WATCHDOG, WATCHDOG)
    assert third_cycle - second_cycle == pytest.approx(256_000, abs=200)


ON, BYTE, OFF = 1, 2, 3  # marks of programs/busy.c: interrupts on; a byte came; interrupts off


@pytest.mark.parametrize("begun_in", [ON, OFF])
def test_a_program_that_hangs_running_takes_interrupts(start: Start, begun_in: int) -> None:
    """Where it has them off just then it goes on until they are on again."""
    emulator = start("busy")
    while values(emulator)[-1:] != [begun_in]:
        emulator.run(1000)
    emulator.ask("hang running")
    emulator.run(10_000)  # longer than they are off
    assert set(values(emulator)) <= {OFF}
    for _ in range(3):
        emulator.send(b"ab")
        emulator.run(10_000)
        assert values(emulator) == [BYTE, BYTE]
    emulator.ask("reset")
    emulator.run(1000)
    assert set(values(emulator)) == {ON}


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


def test_the_watchdog_ends_a_hang_that_takes_interrupts(start: Start) -> None:
    emulator = start("busy", WATCHED=1)
    emulator.run(1000)
    emulator.ask("hang running")
    emulator.run(240_000)
    assert set(values(emulator)) <= {ON}
    emulator.run(20_000)  # the watchdog's 16 ms are over
    assert {ON, OFF} <= set(values(emulator))


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


def test_what_ram_holds_after_power_on_depends_on_the_seed_alone(start: Start) -> None:
    one, same, other = (start("survivor") for _ in range(3))
    found = []
    for emulator, seed in ((one, 5), (same, 5), (other, 6)):
        emulator.run(1000)
        emulator.ask(f"seed {seed}")
        emulator.ask("power")
        emulator.marks()
        emulator.run(1000)
        found.append(values(emulator))
    assert len(found[0]) == 8
    assert found[0] == found[1] != found[2]


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


def test_a_brown_out_does_not_shorten_a_write(start: Start) -> None:
    emulator = start("eeprom", VALUE=0x3C, LATE=0)
    emulator.run(10_000)
    emulator.marks()
    emulator.ask("brownout")
    emulator.run(10_000)
    assert values(emulator) == [0xBB]
    assert emulator.ask("eeprom_get 5 1") == "3c"


def test_power_off_and_on_starts_the_load_cells_anew(start: Start) -> None:
    period = 200_000  # 12.5 ms
    emulator = start("holders", HOLDER=0, HIGH=8, PULSES=25)
    emulator.ask("holder 0 1000")
    emulator.run(6 * period + period // 2)
    emulator.marks()
    emulator.ask("power")
    begin = emulator.time()
    emulator.run(4 * period + period // 2)
    marks = emulator.marks()
    assert [value for _, value in marks] == [0xAA, 0x00, 0x03, 0xE8]
    assert marks[0][0] - begin - 4 * period in range(0, 12)
    assert emulator.checks() == []


def test_after_power_on_the_banks_are_not_to_be_trusted(start: Start) -> None:
    emulator = start("enable")
    emulator.run(1000)
    assert emulator.checks() == []  # at first everything is 0 and dark
    emulator.ask("power")
    assert emulator.checks() == []  # and while the pin is pulled up
    emulator.run(1000)
    assert emulator.check_names() == ["banks_together"]


@pytest.mark.parametrize(
    "line", ["hang 1", "hang running now", "power off", "brownout 1", "seed", "seed -1", "seed x", "seed 1 2"]
)
def test_words_too_many_or_wrong_are_refused(start: Start, line: str) -> None:
    emulator = start("clock", KIND=0)
    with pytest.raises(Refused, match=r"error \S+"):
        emulator.ask(line)
