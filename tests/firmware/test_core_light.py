"""The core's filter under light as physics: right or unknown with the plans of chance, deceived without it.

Eight sensors, one of each converter, are visited as the plans have it, with the readings that `Sensors` gives.
"""

from collections.abc import Callable, Iterator, Sequence
from random import Random

import pytest

from tests.disturbances.light import (
    PERIOD,
    Cloud,
    Mains,
    Patch,
    Pwm,
    Sensors,
    Source,
    Steady,
    Switched,
    Television,
    visits_of_scan,
)
from tests.firmware.core_program import Core, words

#: Microamperes of the sensors with the numbers 0, 9, 18 … (one of each converter and bank), and half of each one's
#: own ring in counts; from 105 on there is a ring.
CURRENTS = (9, 20, 105, 145, 178, 460, 9, 1140)
THRESHOLDS = (10, 32, 7, 10, 12, 32, 9, 80)
SENSORS = range(0, 64, 9)
RINGS = [current >= 105 for current in CURRENTS]

#: Visits without a harm: the host waits for 40 ms, and each takes 10.
HARMLESS = 3

Plan = Sequence[Sequence[int]]


def by_chance(core: Core, scans: int) -> list[Plan]:
    """The plans of the firmware's core."""
    answers = core.ask(words("plan", int(number == 0), 1) for number in range(scans))
    return [[bytes.fromhex(part) for part in answer.split()] for answer in answers]


def in_fixed_order(_: Core, scans: int) -> list[Plan]:
    """The same order each time: dark, lit, dark."""
    return [[(2 * (scan % 4) + place, 0, 0, 0, 0, 1) for place in range(2)] for scan in range(scans)]


def said(
    core: Core,
    light: Sequence[Source],
    plans: Sequence[Plan],
    seed: int,
    *,
    covered: bool = False,
) -> dict[int, str]:
    """What the filter says of each sensor, visit by visit."""
    reflected = [0.0] * 64
    for sensor, current in zip(SENSORS, CURRENTS, strict=True):
        reflected[sensor] = current
    shaded = {sensor for sensor, ring in zip(SENSORS, RINGS, strict=True) if ring and covered}
    sensors = Sensors(light, reflected, seed, covered=shaded)
    commands = ["filter", *(words("limit", *each) for each in zip(SENSORS, THRESHOLDS, strict=True))]
    visited = []
    for number, plan in enumerate(plans):
        for visit in visits_of_scan(number * PERIOD, plan):
            if visit.sensor in SENSORS:
                readings = sensors.read(visit.sensor, visit.times, visit.inverted, visit.settles)
                commands.append(words("visit", visit.sensor, int(visit.inverted), *readings))
                visited.append(visit.sensor)
    outcomes = [answer[0] for answer in core.ask(commands)[1 + len(SENSORS) :]]
    return {
        sensor: "".join(each for each, of in zip(outcomes, visited, strict=True) if of == sensor)
        for sensor in SENSORS
    }


def harm(found: dict[int, str], *, after: int = 30) -> int:
    """The most visits in a row in which a sensor was wrong."""
    longest = 0
    for sensor, ring in zip(SENSORS, RINGS, strict=True):
        runs = found[sensor][after:].translate({ord("?"): " ", ord("1" if ring else "0"): " "}).split()
        longest = max([longest, *map(len, runs)])
    return longest


def unknown(found: dict[int, str], *, after: int = 30) -> float:
    return sum(each[after:].count("?") for each in found.values()) / sum(
        len(each[after:]) for each in found.values()
    )


def lamps() -> Iterator[tuple[str, list[Source], float]]:
    """Light up to what must be read, with the share of visits that may be unknown."""
    yield "none", [], 0.0
    yield "1 mA", [Steady(1000)], 0.01
    yield "100 Hz", [Mains(500)], 0.01
    yield "120 Hz", [Mains(500, 120.0)], 0.01
    yield "15 % of 1 mA", [Mains(1000, 100.0, 0.15)], 0.01
    yield "clouds", [Cloud(0, 5000)], 0.08
    yield "sun", [Patch(5000)], 0.02
    yield "shadow", [Patch(50, 1000)], 0.02
    yield "switched", [Switched(Mains(500), 0.303)], 0.05
    yield "television", [Television(30, 5)], 0.05
    yield "both", [Mains(300), Pwm(30, 400.0), Steady(300)], 0.05
    for hertz in (100.0, 400.0, 401.0, 800.0, 2000.0, 20_000.0):
        for off in (0.0, 0.1, 3.0):
            yield f"PWM 30 at {hertz + off}", [Pwm(30, hertz + off, 0.5, 0.3)], 0.05
    for hertz in (400.0, 400.1, 1200.0, 2000.0, 20_000.0):
        yield f"PWM 100 at {hertz}", [Pwm(100, hertz, 0.3, 0.3)], 0.5


LAMPS = {name: (light, most) for name, light, most in lamps()}


@pytest.mark.parametrize("lamp", LAMPS)
def test_in_any_light_a_calibrated_sensor_is_right_or_unknown(core: Core, lamp: str) -> None:
    light, most = LAMPS[lamp]
    found = said(core, light, by_chance(core, 1200), 3)
    assert harm(found) <= HARMLESS
    assert unknown(found) <= most


@pytest.mark.parametrize("level", [2000, 5000])
def test_a_ring_shades_its_own_sensor(core: Core, level: int) -> None:
    """In sunlight that no transistor could bear bare for long."""
    found = said(core, [Steady(level)], by_chance(core, 400), 4, covered=True)
    assert harm(found) == 0
    assert unknown(found) == 0


@pytest.mark.parametrize(
    ("plans", "deceived"), [(by_chance, False), (in_fixed_order, True)], ids=["by chance", "in fixed order"]
)
def test_in_a_fixed_order_a_lamp_in_step_deceives_it(
    core: Core, plans: Callable[[Core, int], list[Plan]], deceived: bool
) -> None:
    """On for a tenth of each scan, at exactly 400 Hz; where in the scan decides which readings it meets."""
    harms = [harm(said(core, [Pwm(100, 400.0, 0.1, place / 13)], plans(core, 400), place)) for place in range(13)]
    assert (max(harms) > HARMLESS) is deceived


def test_spreads_of_parts_lose_and_invent_no_ring(core: Core) -> None:
    """Sensors, stray light and thresholds as real parts spread them, in 300 µA at 100 Hz."""
    chance = Random("boards")
    commands = ["filter"]
    truths = []
    plans = by_chance(core, 160)
    for _ in range(40):
        ring = chance.uniform(105, 1140)
        sensors = Sensors([Mains(300, phase=chance.random())], [0.0] * 64, chance.getrandbits(30))
        has_ring = chance.random() < 0.5
        sensors.reflected[9] = ring if has_ring else chance.uniform(0.0, 0.19 * ring)
        commands += ["filter", words("limit", 9, max(5, round(ring * 0.139 / 2)))]
        for number, plan in enumerate(plans):
            for visit in visits_of_scan(number * PERIOD, plan):
                if visit.sensor == 9:
                    readings = sensors.read(9, visit.times, visit.inverted, visit.settles)
                    commands.append(words("visit", 9, int(visit.inverted), *readings))
        truths.append((len(commands) - 1, "1" if has_ring else "0"))
    answers = core.ask(commands)
    assert [answers[place][0] for place, _ in truths] == [truth for _, truth in truths]
