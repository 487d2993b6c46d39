"""The ring holders' HX711: 80 readings a second, 25 pulses a reading, and the limits of its clock."""

from __future__ import annotations

import pytest

from tests.firmware.emulator.conftest import Start
from tests.firmware.emulator.emulated import Emulator

PERIOD = (200_000, 201_000)  # cycles: red 12.5 ms, black half a percent more


def readings(emulator: Emulator) -> tuple[list[int], list[int]]:
    """When the readings were found ready, and what they were."""
    marks = emulator.marks()
    values = bytes(value for _, value in marks)
    rows = [values[begin + 1 : begin + 4] for begin in range(0, len(values), 4)]
    return [cycle for cycle, _ in marks[::4]], [int.from_bytes(row, "big", signed=True) for row in rows]


@pytest.mark.parametrize("holder", [0, 1])
@pytest.mark.parametrize("counts", [0, 1, -1, 8_388_607, -8_388_608, 0x5A5A5A, -123_456])
def test_readings_come_whole_and_on_time(start: Start, holder: int, counts: int) -> None:
    emulator = start("holders", HOLDER=holder, HIGH=8, PULSES=25)
    emulator.ask(f"holder {holder} {counts}")
    period = PERIOD[holder]
    emulator.run(6 * period + period // 2)
    times, values = readings(emulator)
    assert values == [counts] * 3  # the first after four periods, then one in each
    for number, cycle in enumerate(times):
        assert cycle - (4 + number) * period in range(0, 12)
    assert emulator.checks() == []


# 0.2 us are 3.2 cycles, 50 us 800, 60 us 960
@pytest.mark.parametrize(
    ("high", "names"),
    [
        (3, {"hx711_short"}),
        (4, set()),
        (800, set()),
        (801, {"hx711_long"}),
        (959, {"hx711_long"}),
        (960, {"hx711_asleep", "hx711_not_ready"}),  # what follows finds it asleep
    ],
)
def test_limits_of_the_clock(start: Start, high: int, names: set[str]) -> None:
    emulator = start("holders", HOLDER=0, HIGH=high, PULSES=25)
    emulator.run(4 * PERIOD[0] + 40_000)
    assert len(emulator.marks()) == 4
    assert set(emulator.check_names()) == names


def test_a_silent_chip_is_never_ready(start: Start) -> None:
    emulator = start("holders", HOLDER=1, HIGH=8, PULSES=25)
    emulator.ask("holder 1 silent")
    emulator.run(3_000_000)
    assert emulator.marks() == []
    emulator.ask("holder 1 77")
    emulator.run(300_000)
    assert readings(emulator)[1] == [77, 77]  # at 3 015 000 and 3 216 000 cycles


@pytest.mark.parametrize("pulses", [24, 26, 27])
def test_another_number_of_pulses_is_told(start: Start, pulses: int) -> None:
    emulator = start("holders", HOLDER=0, HIGH=8, PULSES=pulses)
    emulator.ask("holder 0 -1")  # after 24 pulses data still shows the last bit, a one: not ready
    emulator.run(5 * PERIOD[0] + 1000)
    assert emulator.check_names() == ["hx711_pulses"]


def test_a_reading_that_straddles_the_next_is_told(start: Start) -> None:
    # 24 pulses of about 20 cycles begin some 200 cycles before the next reading
    emulator = start("holders", HOLDER=0, HIGH=8, PULSES=25, DELAY=199_800)
    emulator.run(5 * PERIOD[0] + 1000)
    assert emulator.check_names() == ["hx711_straddled"]


def test_a_reset_of_the_controller_leaves_the_converter_alone(start: Start) -> None:
    emulator = start("holders", HOLDER=0, HIGH=8, PULSES=25)
    emulator.ask("holder 0 1000")
    emulator.run(3 * PERIOD[0])
    emulator.ask("reset")
    emulator.run(2 * PERIOD[0])
    times, values = readings(emulator)
    assert values[0] == 1000
    assert times[0] - 4 * PERIOD[0] in range(0, 12)
