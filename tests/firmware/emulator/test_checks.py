"""Checks of what the parts cannot stand and of what their models do not know."""

from __future__ import annotations

import pytest

from tests.firmware.emulator.conftest import Start

TRIGGERED, EVERY_INTERRUPT = 0x20, 0x08  # ADATE of ADCSRA, EERIE of EECR
FASTER_CLOCK, ERASE_ONLY = 0x05, 0x10  # ADPS2 and ADPS0, EEPM0: the same registers, no harm


# A byte takes 8 clocks of 4 cycles; switched off in the cycle of its end, it has gone out.
@pytest.mark.parametrize(("wait", "names"), [(1, ["spi_cut"]), (31, ["spi_cut"]), (33, [])])
def test_an_spi_switched_off_before_its_byte_has_gone_is_told(start: Start, wait: int, names: list[str]) -> None:
    emulator = start("misuse", KIND=0, WAIT=wait)
    emulator.run(1000)
    assert [value for _, value in emulator.marks()] == [1]
    assert emulator.check_names() == names


@pytest.mark.parametrize(("control", "names"), [(TRIGGERED, ["adc_trigger"]), (FASTER_CLOCK, [])])
def test_an_adc_that_is_triggered_by_itself_is_told(start: Start, control: int, names: list[str]) -> None:
    emulator = start("misuse", KIND=1, CONTROL=control)
    emulator.run(1000)
    assert [value for _, value in emulator.marks()] == [1]
    assert emulator.check_names() == names


@pytest.mark.parametrize(("control", "names"), [(EVERY_INTERRUPT, ["eeprom_interrupt"]), (ERASE_ONLY, [])])
def test_an_eeprom_that_asks_for_its_interrupt_is_told(start: Start, control: int, names: list[str]) -> None:
    emulator = start("misuse", KIND=2, CONTROL=control)
    emulator.run(1000)
    assert [value for _, value in emulator.marks()] == [1]
    assert emulator.check_names() == names
