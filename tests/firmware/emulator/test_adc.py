"""The ADC at 500 kHz: a clock is 32 cycles; a conversion takes 13 clocks, the first 25."""

from __future__ import annotations

import pytest

from tests.firmware.emulator.conftest import Start

RUNNING, DONE = 0x40, 0x10  # ADSC, ADIF
REFERENCE = 7


@pytest.mark.parametrize(("wait", "state"), [(25 * 32 - 1, RUNNING), (25 * 32, DONE)])
def test_the_first_conversion_takes_25_clocks(start: Start, wait: int, state: int) -> None:
    emulator = start("adc", INPUT=0, FIRST=1, WAIT=wait)
    emulator.run(20_000)
    assert emulator.marks()[0][1] & (RUNNING | DONE) == state


@pytest.mark.parametrize(
    ("after", "cycles"),
    [
        (0, 13 * 32),
        (1, 31 + 13 * 32),
        (31, 1 + 13 * 32),
        (16, 16 + 13 * 32),
    ],  # it waits for the next edge of its clock
)
def test_the_next_take_13(start: Start, after: int, cycles: int) -> None:
    for wait, state in ((cycles - 1, RUNNING), (cycles, DONE)):
        emulator = start("adc", INPUT=0, FIRST=0, AFTER=after, WAIT=wait)
        emulator.run(20_000)
        assert emulator.marks()[0][1] & (RUNNING | DONE) == state


# 8 bits of 5 V: 256 * volt / 5 V
@pytest.mark.parametrize(
    ("millivolt", "value"),
    [(0, 0), (19, 0), (20, 1), (1250, 64), (2500, 128), (3750, 192), (4999, 255), (5500, 255)],
)
def test_the_value_is_the_share_of_the_supply(start: Start, millivolt: int, value: int) -> None:
    emulator = start("adc", INPUT=1, FIRST=0, AFTER=0, WAIT=500)
    emulator.ask(f"field 1 0 {millivolt}")
    emulator.run(20_000)
    assert emulator.marks()[1][1] == value
    assert emulator.checks() == []


@pytest.mark.parametrize(("supply", "value"), [(5000, 128), (4400, 145), (2600, 246)])  # 256 * 2.5 V / supply
def test_the_reference_shows_the_supply(start: Start, supply: int, value: int) -> None:
    emulator = start("adc", INPUT=REFERENCE, FIRST=0, AFTER=0, WAIT=500)
    emulator.ask(f"supply {supply}")
    emulator.run(20_000)
    assert emulator.marks()[1][1] == value
    assert emulator.checks() == []


@pytest.mark.parametrize("mux", [0, 1, 2])
@pytest.mark.parametrize("address", [1, 2, 4, 8, 10, 15])
def test_the_select_lines_choose_the_input(start: Start, mux: int, address: int) -> None:
    emulator = start("settling", MUX=mux, ADDRESS=address, WAIT=400)
    emulator.ask(f"field {mux} {address} 1250")
    emulator.run(20_000)
    assert emulator.marks()[0][1] in (63, 64)  # it comes up from 0 V and never quite arrives
    assert emulator.checks() == []


# A full swing is within half a step of 8 bits after 3.7 us = 59.2 cycles.
@pytest.mark.parametrize(("wait", "names"), [(58, ["adc_unsettled"]), (61, [])])
def test_a_sample_before_the_input_has_settled_is_told(start: Start, wait: int, names: list[str]) -> None:
    emulator = start("settling", MUX=0, ADDRESS=15, WAIT=wait)
    emulator.ask("field 0 15 5000")
    emulator.run(20_000)
    assert emulator.check_names() == names


def test_an_unsettled_sample_reads_what_the_input_had_reached(start: Start) -> None:
    emulator = start("settling", MUX=0, ADDRESS=15, WAIT=50)
    emulator.ask("field 0 0 5000")  # from there down to 0 V
    emulator.run(20_000)
    # 5 V * exp(-50 / (59.2 / ln 512)) = 25.7 mV: step 1 of 19.5 mV
    assert emulator.marks()[0][1] == 1
    assert emulator.check_names() == ["adc_unsettled"]


@pytest.mark.parametrize(
    ("admux", "name"), [(5, "adc_input"), (0x80, "adc_reference")]
)  # 0x80: the 1.1 V reference
def test_what_the_board_has_not_is_told(start: Start, admux: int, name: str) -> None:
    emulator = start("adc", INPUT=admux, FIRST=1, WAIT=800)
    emulator.run(20_000)
    assert emulator.check_names() == [name]
