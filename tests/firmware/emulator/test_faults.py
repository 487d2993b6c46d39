"""Faults of the board: a program that hangs, the supply."""

import pytest

from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import SECOND, Emulator

MICROSECOND, MILLISECOND = SECOND // 1_000_000, SECOND // 1000
POWER_ON, EXTERNAL, BROWN_OUT, WATCHDOG = 0x01, 0x02, 0x04, 0x08  # MCUSR


def values(emulator: Emulator) -> list[int]:
    return [value for _, value in emulator.marks()]


# ---- a program that hangs ----


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


def test_power_that_goes_while_a_byte_is_written_leaves_it_erased(start: Start) -> None:
    emulator = start("eeprom", VALUE=0x3C, LATE=0)
    emulator.ask("eeprom_set 4 112233")
    emulator.run(10_000)
    assert values(emulator) == [0xAA, 1, 2]  # it is being written
    emulator.ask("power")
    assert emulator.ask("eeprom_get 4 3") == "11ff33"
    emulator.run(10_000)
    assert values(emulator) == [0xAA, 1, 2]  # nothing is being written any more: it begins anew at once
