"""The EEPROM: a byte takes 3.4 ms = 54 400 cycles, a read halts the processor for 4 cycles."""

from __future__ import annotations

import pytest

from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import Refused

WRITE = 54_400  # cycles


def test_a_write_takes_its_time_and_a_read_its_four_cycles(start: Start) -> None:
    emulator = start("eeprom", VALUE=0x3C, LATE=0)
    emulator.ask("eeprom_set 4 010203")
    emulator.run(60_000)
    marks = emulator.marks()
    assert [value for _, value in marks] == [0xAA, 1, 2, 3, 4, 4, 0x3C]
    # both marks come some cycles late: LDI, OUT; the loop's SBIC (1 to 3), RJMP (2), LDI, OUT
    assert marks[3][0] - marks[2][0] - WRITE in range(-6, 8)
    assert marks[5][0] - marks[4][0] == 2 + 4 + 1  # SBI, the halt, OUT
    assert emulator.ask("eeprom_get 4 3") == "013c03"
    assert emulator.checks() == []


def test_a_write_after_more_than_four_cycles_is_lost(start: Start) -> None:
    for late, names in ((3, []), (4, ["eeprom_lost"])):
        emulator = start("eeprom", VALUE=0x3C, LATE=late)
        emulator.run(60_000)
        assert emulator.check_names() == names
        assert emulator.ask("eeprom_get 5 1") == ("ff" if names else "3c")


def test_a_read_during_a_write_is_told(start: Start) -> None:
    emulator = start("eeprom", VALUE=0x3C, LATE=0, IMPATIENT=1)
    emulator.run(60_000)
    assert emulator.check_names() == ["eeprom_busy"]


def test_a_worn_byte_keeps_what_it_holds_until_it_is_mended(start: Start) -> None:
    emulator = start("eeprom", VALUE=0x3C, LATE=0)
    emulator.ask("eeprom_set 4 010203")
    emulator.ask("eeprom_worn 5")
    emulator.run(60_000)
    marks = emulator.marks()
    assert [value for _, value in marks] == [0xAA, 1, 2, 3, 4, 4, 2]
    assert marks[3][0] - marks[2][0] - WRITE in range(-6, 8)  # the write takes its time all the same
    emulator.ask("reset")
    emulator.run(10_000)
    emulator.ask("power")  # while it is written: no other byte would stay
    assert emulator.ask("eeprom_get 4 3") == "010203"
    emulator.ask("eeprom_set 5 77")
    assert emulator.ask("eeprom_get 4 3") == "017703"
    emulator.ask("eeprom_worn ok")
    emulator.run(60_000)
    assert emulator.ask("eeprom_get 4 3") == "013c03"


@pytest.mark.parametrize("line", ["eeprom_worn", "eeprom_worn -1", "eeprom_worn 1024", "eeprom_worn x"])
def test_other_words_about_worn_bytes_are_refused(start: Start, line: str) -> None:
    emulator = start("eeprom", VALUE=0x3C, LATE=0)
    with pytest.raises(Refused, match=r"error \S+"):
        emulator.ask(line)


def test_a_reset_does_not_shorten_a_write(start: Start) -> None:
    emulator = start("eeprom", VALUE=0x3C, LATE=0)
    emulator.run(10_000)
    begin = emulator.marks()[2][0]
    emulator.ask("reset")
    emulator.run(60_000)
    marks = emulator.marks()
    assert [value for _, value in marks[:2]] == [0xBB, 1]
    assert marks[1][0] - begin - WRITE in range(-6, 8)
    assert emulator.ask("eeprom_get 5 1") == "3c"
