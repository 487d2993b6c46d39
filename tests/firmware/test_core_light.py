"""The core's filter under light as physics: right or unknown with the plans of chance, deceived without it.

Eight sensors, one of each converter, are visited as the plans have it.
"""

from collections.abc import Iterator, Sequence
from random import Random

import pytest

from tamsk_hw.board.sensing_settings import SensingSettings
from tests.disturbances.light import (
    COUNTS,
    PERIOD,
    Light,
    LitRings,
    cloud,
    mains,
    patch,
    pwm,
    steady,
    switched,
    television,
)
from tests.soak import in_soak

#: Microamperes of the sensors with the numbers 0, 9, 18 … (one of each converter and bank), and half of each one's
#: own ring in counts; from 105 on there is a ring.
CURRENTS = (9, 20, 105, 145, 178, 460, 9, 1140)
THRESHOLDS = (10, 32, 7, 10, 12, 32, 9, 80)
SENSORS = range(0, 64, 9)
RINGS = [current >= 105 for current in CURRENTS]

#: Visits without a harm: the host waits for 40 ms, and each takes 10.
HARMLESS = 3


def said(
    lights: Sequence[Light],
    scans: int,
    seed: int,
    *,
    covered: bool = False,
    noise: float = 1.0,
    in_fixed_order: bool = False,
) -> dict[int, str]:
    """What the filter says of each sensor, visit by visit."""
    rings = LitRings(seed, noise=noise, in_fixed_order=in_fixed_order)
    rings.shine(lights)
    reflected, thresholds, shaded = [0.0] * 64, [0] * 64, 0
    for sensor, current, threshold in zip(SENSORS, CURRENTS, THRESHOLDS, strict=True):
        reflected[sensor], thresholds[sensor] = current, threshold
        shaded |= (covered and current >= 105) << sensor
    rings.lay(reflected, shaded, sum(1 << sensor for sensor in SENSORS))
    rings.set_thresholds(thresholds)
    found = dict.fromkeys(SENSORS, "")
    for number in range(scans):
        seen, unknown = rings.scan(number * PERIOD)
        if number % 4 == 3:
            for sensor in SENSORS:
                found[sensor] += "?" if unknown >> sensor & 1 else str(seen >> sensor & 1)
    return found


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


def lamps() -> Iterator[tuple[str, list[Light], float]]:
    """Light up to what must be read, with the share of visits that may be unknown."""
    yield "none", [], 0.0
    yield "1 mA", [steady(1000)], 0.01
    yield "100 Hz", [mains(500)], 0.01
    yield "120 Hz", [mains(500, 120.0)], 0.03
    yield "15 % of 1 mA", [mains(1000, 100.0, 0.15)], 0.01
    yield "clouds", [cloud(0, 5000)], 0.08
    yield "sun", [patch(5000)], 0.02
    yield "shadow", [patch(50, 1000)], 0.02
    yield "switched", [switched(mains(500), 0.303)], 0.05
    yield "television", [television(30, 5)], 0.05
    yield "both", [mains(300), pwm(30, 400.0), steady(300)], 0.05
    for hertz in (100.0, 400.0, 401.0, 800.0, 2000.0, 20_000.0):
        for off in (0.0, 0.1, 3.0):
            yield f"PWM 30 at {hertz + off}", [pwm(30, hertz + off, 0.5, 0.3)], 0.05
    for hertz in (400.0, 400.1, 1200.0, 2000.0, 20_000.0):
        yield f"PWM 100 at {hertz}", [pwm(100, hertz, 0.3, 0.3)], 0.5


LAMPS = {name: (light, most) for name, light, most in lamps()}


@pytest.mark.parametrize("noise", in_soak([0.5, 1.0, 1.5], otherwise=[1.5]))
@pytest.mark.parametrize("lamp", LAMPS)
def test_in_any_light_a_calibrated_sensor_is_right_or_unknown(lamp: str, noise: float) -> None:
    lights, most = LAMPS[lamp]
    found = said(lights, 1200, 3, noise=noise)
    assert harm(found) <= HARMLESS
    assert unknown(found) <= most


@pytest.mark.parametrize("level", [2000, 5000])
def test_a_ring_shades_its_own_sensor(level: int) -> None:
    """In sunlight that no transistor could bear bare for long."""
    found = said([steady(level)], 400, 4, covered=True)
    assert harm(found) == 0
    assert unknown(found) == 0


@pytest.mark.parametrize("fixed", [False, True], ids=["by chance", "in fixed order"])
def test_in_a_fixed_order_a_lamp_in_step_deceives_it(fixed: bool) -> None:
    """On for a tenth of each scan, at exactly 400 Hz; where in the scan decides which readings it meets."""
    harms = [
        harm(said([pwm(100, 400.0, 0.1, place / 13)], 400, place, in_fixed_order=fixed)) for place in range(13)
    ]
    assert (max(harms) > HARMLESS) is fixed


def test_spreads_of_parts_lose_and_invent_no_ring() -> None:
    """Sensors, stray light and thresholds as real parts spread them, on a hundred boards in 300 µA at 100 Hz."""
    chance = Random("boards")
    for board in range(100):
        own = [chance.uniform(105, 1140) for _ in range(64)]
        truth = chance.getrandbits(64)
        rings = LitRings(board)
        rings.shine([mains(300, phase=chance.random())])
        rings.lay(
            [ring if truth >> bit & 1 else chance.uniform(0.0, 0.19 * ring) for bit, ring in enumerate(own)], 0
        )
        rings.set_thresholds(max(5, round(ring * COUNTS / 2)) for ring in own)
        for number in range(160):
            decided = rings.scan(number * PERIOD)
        assert decided == (truth, 0), board


@pytest.mark.parametrize(
    ("threshold", "dwell"),
    [(32, SensingSettings().ring_dwell), (0, SensingSettings().ring_dwell_weak)],
    ids=["its own", "the common one"],
)
@pytest.mark.parametrize("lamp", [steady(1000), mains(500)], ids=["daylight", "lamp"])
def test_a_finger_is_gone_before_it_counts_as_a_ring(lamp: Light, threshold: int, dwell: float) -> None:
    """45 ms on typical sensors; the host counts a ring after its dwell."""
    bare, finger, longest = [1.5 / COUNTS] * 64, [64 / COUNTS] * 64, 0.0
    for seed in range(1, 9):
        rings = LitRings(seed)
        rings.shine([lamp])
        rings.set_thresholds([threshold] * 64)
        seen = [0] * 64
        for number in range(160):
            is_there = 80 <= number < 98
            rings.lay(finger if is_there else bare, -is_there & (1 << 64) - 1)
            decided, unknown = rings.scan(number * PERIOD)
            for sensor in range(64) if number >= 80 else ():
                seen[sensor] += decided >> sensor & ~unknown >> sensor & 1
        longest = max(longest, max(seen) * PERIOD)
    assert longest < dwell
