"""The ring sensors: which bit is which, and how long a photo-transistor takes.

Expected times are from the formula, by hand: a sensor on 33 kohm with 132 us of rise reaches 3.5 V after
132 us * ln(goal / (goal - 3.5 V)), its goal being 33 kohm times its current; it falls to 1 V after
100 us * ln(voltage / 1 V).
"""

from __future__ import annotations

import pytest

from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import Emulator, Refused

MICROSECOND = 16  # cycles


def lit_and_dark(emulator: Emulator) -> tuple[bytes, bytes]:
    emulator.run(60_000)
    values = bytes(value for _, value in emulator.marks())
    assert len(values) == 16
    return values[:8], values[8:]


@pytest.mark.parametrize("bit", [0, 7, 8, 21, 42, 56, 63])
def test_each_bit_comes_in_its_place_when_its_bank_is_lit(start: Start, bit: int) -> None:
    own_bank = start("rings", BANKS=1 << bit % 8, LIGHT=160 * MICROSECOND, DARK=250 * MICROSECOND)
    own_bank.ask(f"reflect {bit} 300")
    lit, dark = lit_and_dark(own_bank)
    assert int.from_bytes(lit, "little") == 1 << bit
    assert dark == bytes(8)
    assert own_bank.checks() == []
    other_bank = start("rings", BANKS=1 << (bit + 1) % 8, LIGHT=160 * MICROSECOND, DARK=250 * MICROSECOND)
    other_bank.ask(f"reflect {bit} 300")
    assert lit_and_dark(other_bank) == (bytes(8), bytes(8))


# 300 uA: goal 9.9 V, 132 us * ln(9.9 / 6.4) = 57.58 us; 150 uA: goal 4.95 V, 132 us * ln(4.95 / 1.45) = 162.06 us;
# 106 uA: goal 3.498 V, never
@pytest.mark.parametrize(
    ("microampere", "light", "seen"),
    [(300, 57.0, False), (300, 58.0, True), (150, 161.5, False), (150, 162.5, True), (106, 480.0, False)],
)
def test_rise_time(start: Start, microampere: int, light: float, seen: bool) -> None:
    emulator = start("rings", BANKS=1, LIGHT=int(light * MICROSECOND), DARK=400 * MICROSECOND)
    emulator.ask(f"reflect 0 {microampere}")
    lit, _ = lit_and_dark(emulator)
    assert lit[0] == int(seen)


# From full, 4.8 V, to 1 V: 100 us * ln 4.8 = 156.86 us after the light has gone.
@pytest.mark.parametrize(("dark", "seen"), [(156.0, True), (158.0, False)])
def test_fall_time(start: Start, dark: float, seen: bool) -> None:
    emulator = start("rings", BANKS=1, LIGHT=250 * MICROSECOND, DARK=int(dark * MICROSECOND))
    emulator.ask("reflect 0 500")
    lit, tail = lit_and_dark(emulator)
    assert (lit[0], tail[0]) == (1, int(seen))


def test_ambient_light_is_seen_in_the_dark(start: Start) -> None:
    emulator = start("rings", BANKS=1, LIGHT=160 * MICROSECOND, DARK=250 * MICROSECOND)
    emulator.ask(
        "ambient all 400"
    )  # goal 13.2 V: over 3.5 V after 41 us; the program takes longer to its first read
    lit, dark = lit_and_dark(emulator)
    assert (lit, dark) == (bytes([0xFF] * 8), bytes([0xFF] * 8))
    weak = start("rings", BANKS=1, LIGHT=160 * MICROSECOND, DARK=250 * MICROSECOND)
    weak.ask("ambient all 100")  # 3.3 V at most
    assert lit_and_dark(weak) == (bytes(8), bytes(8))


def test_a_bank_left_lit_is_told_once(start: Start) -> None:
    emulator = start("rings", BANKS=4, LIGHT=160 * MICROSECOND, DARK=0, LEAVE_LIT=1)
    emulator.run(7_000)
    assert emulator.checks() == []
    emulator.run(50_000)
    (check,) = emulator.checks()
    assert check.name == "bank_left_lit"
    assert 8_000 < check.cycle < 8_200  # 500 us, and what the program does before


def test_a_reset_puts_the_light_out(start: Start) -> None:
    emulator = start("rings", BANKS=4, LIGHT=160 * MICROSECOND, DARK=0, LEAVE_LIT=1)
    emulator.run(7_000)
    emulator.ask("reset")
    emulator.run(7_000)  # it begins anew; without the reset the light would be on for 14 000 cycles
    assert emulator.checks() == []


def test_two_banks_together_are_told(start: Start) -> None:
    emulator = start("rings", BANKS=0x11, LIGHT=160 * MICROSECOND, DARK=250 * MICROSECOND)
    emulator.run(60_000)
    assert emulator.check_names() == ["banks_together"]


@pytest.mark.parametrize(
    "line", ["reflect 64 1", "reflect -1 1", "reflect 1 10001", "ambient all x", "reflect some 1"]
)
def test_values_out_of_range_are_refused(start: Start, line: str) -> None:
    emulator = start("rings", BANKS=1, LIGHT=160, DARK=160)
    with pytest.raises(Refused):
        emulator.ask(line)
