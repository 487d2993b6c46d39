"""The closed forms against slower methods: charges and currents summed up, time in small steps, bisection."""

from math import cos, hypot, pi, sin
from random import Random

import pytest

from tests.wiring.bench import REFERENCE
from wiring.make.electrics_fields import N35, dipole_field, disc_field, nearest
from wiring.make.electrics_light import fall_time, rise_time
from wiring.make.electrics_lights import WIRE, line_drop
from wiring.make.electrics_supply import emitter_current, reading_error, settling_time, string_error
from wiring.make.electrics_values import facing, from_below, share_of_ring

MAGNET = (8.0, 2.0, 1.2)


def field_of_loops(distance: float, diameter: float, thickness: float, remanence: float) -> float:
    """The field on the axis of the same magnet as a stack of current loops around its rim, in mT."""
    radius, pieces = diameter / 2, 4000
    total = 0.0
    for piece in range(pieces):
        away = distance + thickness * (piece + 0.5) / pieces
        total += radius**2 / (2 * hypot(radius, away) ** 3) * thickness / pieces
    return remanence * 1000 * total


def field_of_charges(beside: float, height: float) -> float:
    """The axial field of the magnet as two charged faces, anywhere; from the magnet's middle, mm and mT."""
    diameter, thickness, remanence = MAGNET
    rings, spokes = 24, 72
    total = 0.0
    for face, sign in ((thickness / 2, 1), (-thickness / 2, -1)):
        for ring in range(rings):
            radius = diameter / 2 * (ring + 0.5) / rings
            area = 2 * pi * radius * (diameter / 2 / rings) / spokes
            for spoke in range(spokes):
                angle = 2 * pi * (spoke + 0.5) / spokes
                x, y = beside - radius * cos(angle), -radius * sin(angle)
                z = height - face
                total += sign * area * z / (x * x + y * y + z * z) ** 1.5
    return remanence * 1000 * total / (4 * pi)


@pytest.mark.parametrize("distance", [0.5, 3.0, 5.0, 8.0, 14.0, 23.0])
def test_field_on_the_axis_is_that_of_current_loops(distance: float) -> None:
    assert disc_field(distance, *MAGNET) == pytest.approx(field_of_loops(distance, *MAGNET), rel=1e-5)


def test_far_away_a_disc_is_a_dipole() -> None:
    assert dipole_field(81, *MAGNET, axial=True) == pytest.approx(disc_field(80, *MAGNET), rel=0.01)
    assert dipole_field(48, *MAGNET, axial=False) == pytest.approx(field_of_charges(48, 0), rel=0.02)


def test_nearest_distance_gives_just_that_field() -> None:
    geometry = REFERENCE.wiring.geometry
    distance = nearest(85, geometry, N35)
    assert disc_field(distance, *MAGNET) == pytest.approx(85, rel=1e-9)


def sampled(surface: str, gap: float, size: tuple[float, float], separation: float) -> float:
    """The light from a surface, from places on it drawn at random; the angles worked out as vectors."""
    chance, count, total = Random(7), 60_000, 0.0
    for _ in range(count):
        y = chance.uniform(-8, 8)
        if surface == "upright":
            x, z, facing_x, facing_z = gap, chance.uniform(-size[0], size[1]), -1.0, 0.0
        else:
            x, z, facing_x, facing_z = gap + chance.uniform(0, size[0]), -size[1], 0.0, 1.0
        light = 1.0
        for height in (-separation / 2, separation / 2):
            way = (x, y, z - height)
            length = hypot(*way)
            outward, inward = way[0] / length, -(facing_x * way[0] + facing_z * way[2]) / length
            light *= outward * inward / length**2
        total += light
    area = 16 * (size[0] + size[1] if surface == "upright" else size[0])
    return total / count * area


@pytest.mark.parametrize(("distance", "separation"), [(0.7, 1.3), (1.5, 1.3), (1.5, 1.8)])
def test_light_from_a_ring_by_chance(distance: float, separation: float) -> None:
    found = facing(distance, 3.15, 1.35, separation)
    assert found == pytest.approx(sampled("upright", distance, (3.15, 1.35), separation), rel=0.05)


@pytest.mark.parametrize(("height", "separation"), [(3.15, 1.3), (2.25, 1.8)])
def test_light_from_the_ring_below_by_chance(height: float, separation: float) -> None:
    found = from_below(0.7, 4.0, height, separation)
    assert found == pytest.approx(sampled("level", 0.7, (4.0, height), separation), rel=0.05)


def test_light_falls_with_the_distance_as_in_the_data_sheet() -> None:
    found = [share_of_ring(distance, 8, 8) for distance in (1.0, 2.0, 3.0, 4.0)]
    assert found == pytest.approx([1.0, 0.45, 0.2, 0.12], abs=0.035)


def in_small_steps(light: float, begin: float, end: float, charge: float) -> float:
    """Seconds until the current of a photo-transistor has come from ``begin`` to ``end`` (A), at 680 Ω."""
    current, time, step = begin, 0.0, 2e-10
    while (current < end) == (begin < end):
        slope = (light - current) / (13e-9 * 0.026 / current + charge * 680)
        # While there is hardly any current it grows by a share of itself in each step.
        way = min(step, current / abs(slope) / 500)
        current += slope * way
        time += way
    return time


@pytest.mark.parametrize("charge", [2.2e-9, 5e-9])
@pytest.mark.parametrize(("light", "share"), [(105e-6, 0.95), (178e-6, 0.5), (1140e-6, 0.99)])
def test_rise_in_small_steps(light: float, share: float, charge: float) -> None:
    wanted = in_small_steps(light, 1e-9, share * light, charge)
    assert rise_time(light, 680, share, charge) == pytest.approx(wanted, rel=5e-3)


@pytest.mark.parametrize("charge", [2.2e-9, 5e-9])
@pytest.mark.parametrize("light", [178e-6, 1140e-6])
def test_fall_in_small_steps(light: float, charge: float) -> None:
    assert fall_time(680, light, 7e-6, charge) == pytest.approx(in_small_steps(0, light, 7e-6, charge), rel=5e-3)


@pytest.mark.parametrize("switch", [70.0, 160.0])
@pytest.mark.parametrize(("capacitor", "swing"), [(1e-9, 5.0), (1e-9, 2.5), (10e-9, 5.0)])
def test_multiplexer_settles_as_in_small_steps(capacitor: float, swing: float, switch: float) -> None:
    """Filter and common side as two capacitors with the switch between them."""
    resistor, common, step, rest = 1000.0, 80e-12, 2e-10, 5 / 512
    filtered, seen, time, settled = 0.0, swing, 0.0, 0.0
    while time < 30e-6:
        through = (seen - filtered) / switch
        filtered += (through - filtered / resistor) / capacitor * step
        seen -= through / common * step
        time += step
        if abs(seen) > rest:
            settled = time
    assert settling_time(resistor, capacitor, common, swing, rest) == pytest.approx(settled, rel=0.08)


@pytest.mark.parametrize("lit", [1, 3, 8])
def test_current_of_a_bank_by_bisection(lit: int) -> None:
    """The output's voltage at which resistors and output carry the same current."""
    low, high = 0.0, 5.0
    for _ in range(80):
        volts = (low + high) / 2
        through_resistors = lit * (5 - 1.25 - volts) / 120
        low, high = (volts, high) if through_resistors > volts / 5 else (low, volts)
    assert lit * emitter_current(5, 1.25, 120, 5, lit) == pytest.approx(volts / 5)


def test_drop_along_the_pixels_hop_by_hop() -> None:
    each, hop = 1.2 / 42, 0.078
    lost = sum(2 * WIRE * hop * each * (42 - passed) for passed in range(1, 42))
    assert line_drop(42, 1.2, hop) == pytest.approx(lost)


def test_reading_of_a_far_board() -> None:
    """A supply 50 mV lower takes 3/4 of it from the reading; a ground 50 mV higher adds the rest."""
    assert reading_error(0.75, 0.050, 0.0) == pytest.approx(-0.75 * 0.050 / 5 * 256)
    assert reading_error(0.25, 0.0, 0.050) == pytest.approx(0.75 * 0.050 / 5 * 256)
    assert reading_error(0.5, 0.1, 0.1) == pytest.approx(0)


def test_string_with_two_resistors_high_and_two_low() -> None:
    assert string_error(0.5) == pytest.approx((2.02 / (2.02 + 1.98) - 0.5) * 256)
    assert string_error(0.75) == pytest.approx((3.03 / (3.03 + 0.99) - 0.75) * 256)
