"""The emulator's models of the parts: times and values of data sheets, and what each part cannot stand is told."""

import pytest

from tests.firmware.emulator.conftest import Start

MICROSECOND = 16  # cycles
RINGS = {"BANKS": 1, "LIGHT": 160 * MICROSECOND, "DARK": 250 * MICROSECOND}
#: Cycles from the beginning of a converter's reading to its sample (programs/rings.c).
SAMPLED = 112
CELL = {"HOLDER": 0, "HIGH": 8, "PULSES": 25}
SPI = {"CONTROL": 0x50, "DOUBLE": 1, "WAIT": 16, "SECOND": 1}
EEPROM = {"VALUE": 0x3C, "LATE": 0}
ADC = {"INPUT": 0, "FIRST": 1, "WAIT": 800}
SETTLING = {"MUX": 0, "ADDRESS": 15}

#: A program, its values, a command, the cycles that it runs, and the names of what is told.
MISUSED: list[tuple[str, dict[str, int], str, int, set[str]]] = [
    ("adc", ADC | {"INPUT": 5}, "", 20_000, {"adc_input"}),
    ("adc", ADC | {"INPUT": 0x80}, "", 20_000, {"adc_reference"}),
    # A full swing is within half a step of 8 bits after 3.7 us = 59.2 cycles.
    ("settling", SETTLING | {"WAIT": 58}, "field 0 15 5000", 20_000, {"adc_unsettled"}),
    ("settling", SETTLING | {"WAIT": 61}, "field 0 15 5000", 20_000, set()),
    ("misuse", {"KIND": 1, "CONTROL": 0x20}, "", 1000, {"adc_trigger"}),
    # At half the controller's clock 17 cycles a byte are the fastest that goes.
    ("spi", SPI, "", 10_000, set()),
    ("spi", SPI | {"WAIT": 15}, "", 10_000, {"spi_collision"}),
    ("spi", {"CONTROL": 0x50, "DOUBLE": 0, "WAIT": 32, "NO_SS": 1}, "", 10_000, {"spi_no_master"}),
    ("spi", {"CONTROL": 0x54, "DOUBLE": 0, "WAIT": 32}, "", 10_000, {"spi_mode"}),
    ("misuse", {"KIND": 0, "WAIT": 31}, "", 1000, {"spi_cut"}),
    ("misuse", {"KIND": 0, "WAIT": 33}, "", 1000, set()),
    ("uart_send", {"DIVISOR": 3, "OVERWRITE": 1}, "", 10_000, {"uart_lost"}),
    ("uart_receive", {"DIVISOR": 4, "LATE": 0}, "send 5a", 3000, {"uart_baud"}),
    ("uart_receive", {"DIVISOR": 3, "LATE": 1}, "send 0102030405", 30_000, {"uart_overrun"}),
    # 0.2 us are 3.2 cycles, 50 us 800, 60 us 960; asleep it is found not ready.
    ("holders", CELL | {"HIGH": 3}, "", 840_000, {"hx711_short"}),
    ("holders", CELL | {"HIGH": 800}, "", 840_000, set()),
    ("holders", CELL | {"HIGH": 801}, "", 840_000, {"hx711_long"}),
    ("holders", CELL | {"HIGH": 960}, "", 840_000, {"hx711_asleep", "hx711_not_ready"}),
    ("holders", CELL | {"PULSES": 24}, "holder 0 -1", 1_001_000, {"hx711_pulses"}),
    ("holders", CELL | {"DELAY": 199_800}, "", 1_001_000, {"hx711_straddled"}),
    ("eeprom", EEPROM | {"LATE": 3}, "", 60_000, set()),
    ("eeprom", EEPROM | {"LATE": 4}, "", 60_000, {"eeprom_lost"}),
    ("eeprom", EEPROM | {"IMPATIENT": 1}, "", 60_000, {"eeprom_busy"}),
    ("misuse", {"KIND": 2, "CONTROL": 0x08}, "", 1000, {"eeprom_interrupt"}),
    ("rings", {"BANKS": 4, "LIGHT": 160 * MICROSECOND, "DARK": 0, "LEAVE_LIT": 1}, "", 57_000, {"bank_left_lit"}),
    ("rings", RINGS | {"BANKS": 0x11}, "", 60_000, {"banks_together"}),
    ("rings", RINGS | {"DISTURB": 1}, "", 60_000, {"spi_disturbed"}),
    # 4 MHz: 3.6 are the most. Two converters one after the other without a moment of none.
    ("rings", RINGS | {"CONTROL": 0x50}, "", 60_000, {"mcp3008_clock"}),
    ("rings", RINGS | {"SWITCH": 1}, "", 60_000, {"ring_select"}),
    # A sample 3 us after the light at the earliest: at 8 MHz one can be sooner.
    ("rings", RINGS | {"LIGHT": 0, "CONTROL": 0x50}, "", 60_000, {"mcp3008_clock", "ring_unsettled"}),
    ("clock", {"KIND": 3}, "", 100_000, {"crash"}),
]


@pytest.mark.parametrize(("program", "values", "command", "cycles", "told"), MISUSED)
def test_what_a_part_cannot_stand_is_told(
    start: Start, program: str, values: dict[str, int], command: str, cycles: int, told: set[str]
) -> None:
    emulator = start(program, **values)
    if command.startswith("send"):
        emulator.run(200)
    if command:
        emulator.ask(command)
    emulator.run(cycles)
    assert set(emulator.check_names()) == told


@pytest.mark.parametrize(
    ("program", "values", "command", "marks"),
    [
        # 8 bits of 5 V: 256 * volt / 5 V, the first conversion after 25 clocks of 32 cycles.
        ("adc", {"INPUT": 1, "FIRST": 0, "AFTER": 0, "WAIT": 500}, "field 1 0 1250", {1: 64}),
        ("adc", {"INPUT": 7, "FIRST": 0, "AFTER": 0, "WAIT": 500}, "supply 4400", {1: 145}),
        ("settling", {"MUX": 2, "ADDRESS": 10, "WAIT": 400}, "field 2 10 2510", {0: 128}),
        # Nothing but ones until the zero that comes before the ten bits; 2 mV of the ground's lift are no count.
        ("rings", RINGS, "reflect all 0", {0: 0xFF, 1: 0xF8, 2: 0, 3: 0xFF, 4: 0xF8, 5: 0}),
        ("rings", RINGS | {"CHIP": 5, "INPUT": 3, "BANKS": 8}, "reflect 43 0", {4: 0xF8, 5: 0}),
        # 0.4 V of the transistor are left of 5: 942 of 1024.
        ("rings", RINGS, "ambient all 9999", {4: 0xFB, 5: 942 & 0xFF}),
        ("rings", RINGS, "converter missing 0", dict.fromkeys(range(6), 0xFF)),
        ("rings", RINGS, "converter low 0", dict.fromkeys(range(6), 0)),
        # Power on, what it put into RAM; twice the watchdog.
        ("clock", {"KIND": 1}, "", {0: 1, 1: 0x5A, 2: 8, 3: 0x5A, 4: 8}),
    ],
)
def test_values_are_those_of_the_data_sheet(
    start: Start, program: str, values: dict[str, int], command: str, marks: dict[int, int]
) -> None:
    emulator = start(program, **values)
    if command:
        emulator.ask(command)
    emulator.run(600_000 if program == "clock" else 60_000)
    found = [value for _, value in emulator.marks()]
    assert {place: found[place] for place in marks} == marks
    assert emulator.checks() == []


def counts(current: float) -> float:
    """Counts of 10 bits for microamperes at 680 ohm, with what the light does to ground and reference."""
    return (current * 680e-6 + 0.002) * 1024 / 4.988


# Of a slow part in the dark: of 105 uA 0.94 after 45 us, 0.99 after 60. Weaker light takes longer than in fact.
@pytest.mark.parametrize(
    ("current", "microseconds", "least", "most"),
    [
        (62, 60, 0.3, 0.95),
        (105, 45, 0.7, 0.97),
        (105, 60, 0.95, 1.0),
        (178, 60, 0.99, 1.01),
        (1140, 30, 0.99, 1.01),
    ],
)
def test_a_photo_transistor_needs_time_in_the_dark(
    start: Start, current: int, microseconds: int, least: float, most: float
) -> None:
    emulator = start("rings", **RINGS | {"LIGHT": microseconds * MICROSECOND - SAMPLED, "DARK": 60 * MICROSECOND})
    emulator.ask(f"reflect 0 {current}")
    emulator.run(60_000)
    found = [value for _, value in emulator.marks()]
    lit, dark = ((found[at + 1] & 3) << 8 | found[at + 2] for at in (0, 3))
    assert least * counts(current) - 1 <= lit <= most * counts(current)
    # 3 to 5 mV of a tail that falls like 1 / t.
    assert dark <= 1


def test_power_that_goes_while_a_byte_is_written_leaves_it_erased(start: Start) -> None:
    emulator = start("eeprom", **EEPROM)
    emulator.ask("eeprom_set 4 112233")
    emulator.run(10_000)
    assert [value for _, value in emulator.marks()] == [0xAA, 1, 2]  # it is being written
    emulator.ask("power")
    assert emulator.ask("eeprom_get 4 3") == "11ff33"
    emulator.run(10_000)
    assert [value for _, value in emulator.marks()] == [0xAA, 1, 2]  # nothing is written: it begins anew at once
