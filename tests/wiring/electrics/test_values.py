"""Values worked out by hand from data sheets and map."""

from __future__ import annotations

from math import e

import pytest

from tests.wiring.built import REFERENCE, SEVEN
from wiring.make import nets
from wiring.make.circuit_parts import in_words
from wiring.make.electrics_fields import N35, distance_off, seat_field, share, steps
from wiring.make.electrics_guard import ring_signal, threshold, time_to
from wiring.make.electrics_light import Thresholds, lamp_current, light_current, places, thresholds
from wiring.make.electrics_lights import power_budget
from wiring.make.electrics_supply import (
    average_current,
    bank_sizes,
    emitters_way,
    far_drops,
    junction_temperature,
    least_main,
    ribbon_wires,
    typical_bank_current,
    way_in,
    wires_resistance,
    worst_bank_current,
    worst_lit_current,
)
from wiring.make.electrics_values import alike, at_least, at_most, typical_current, worst_current
from wiring.make.texts import number


def test_banks() -> None:
    assert list(bank_sizes(REFERENCE.circuit).values()) == [4] * 16
    assert sum(bank_sizes(SEVEN.circuit).values()) == 6 * 3 + 4
    assert max(bank_sizes(SEVEN.circuit).values()) == 3


def test_bank_current() -> None:
    # 3.75 V over 82 + 20 ohm: 36.8 mA each. High: 4.15 V over 81.18 + 12 ohm, on two outputs at once.
    assert typical_bank_current(REFERENCE.circuit, 4) == pytest.approx(4 * 3.75 / 102)
    assert worst_bank_current(REFERENCE.circuit, 4) == pytest.approx(4 * 4.15 / 93.18)
    assert worst_lit_current(REFERENCE.circuit) == pytest.approx(8 * 4.15 / 93.18)
    assert typical_bank_current(SEVEN.circuit, 3) == pytest.approx(3 * 3.75 / 97)
    assert worst_lit_current(SEVEN.circuit) == pytest.approx(3 * 4.15 / (81.18 + 9))


def test_emitters_on_average() -> None:
    # Sixteen outputs of 147 mA, each on for 172 of 2500 µs.
    assert average_current(REFERENCE.circuit) == pytest.approx(16 * 4 * 3.75 / 102 * 172 / 2500)


def test_driver_hung() -> None:
    # 0.2 A through 10 ohm: 0.4 W, 38 K above 40 °C.
    assert junction_temperature(0.2, 10) == pytest.approx(78)


def test_weakest_light() -> None:
    # Half of 0.30 mA at 20 mA; three quarters of that come back from there.
    assert light_current(0.30e-3, 0.5, 1.0, 0.020) == pytest.approx(150e-6)
    assert light_current(0.30e-3, 0.5, 0.75, 0.040) == pytest.approx(225e-6)


def test_thresholds_of_the_registers() -> None:
    # SN74HCS165 at 4.5 and 6 V, and a third of the way between them.
    assert thresholds(4.5) == Thresholds(1.7, 3.15, 0.9)
    assert thresholds(6.0) == Thresholds(2.1, 4.2, 1.2)
    assert thresholds(5.0).rising_most == pytest.approx(3.5)
    assert thresholds(5.0).rising_least == pytest.approx(1.7 + 0.4 / 3)


def test_places_of_rings() -> None:
    # Recess 0.8 mm, 0.1 mm of printing; bore 33 mm on a tube of 32.4 mm.
    place = places(REFERENCE)
    assert (place.nearest, place.farthest) == pytest.approx((0.7, 1.5))
    # Rings of 4.5 mm; the sensor 0.9 mm above the middle.
    assert (place.below, place.above, place.width) == pytest.approx((3.15, 1.35, 4.0))


def test_a_lamp_from_the_side() -> None:
    # 45 W over a sphere of 2 m: 0.895 W/m², of which 0.3 are seen, 36 µA each.
    assert lamp_current() == pytest.approx(9.67e-6, rel=1e-3)


def test_field_of_the_seat() -> None:
    geometry = REFERENCE.wiring.geometry
    # 600 mT × (7/√65 − 5/√41)
    assert seat_field(geometry, N35) == pytest.approx(52.4, abs=0.05)
    assert steps(52.4, 25) == pytest.approx(52.4 * 25 / 19.53125)
    assert [round(share(lifted, geometry) * 100) for lifted in (1, 3, 9)] == [71, 39, 10]


def test_distance_of_magnet_and_die() -> None:
    # Disc of 1.0 mm ± 10 %, package 0.89 to 1.12 mm, print and jig a tenth each.
    assert distance_off() == pytest.approx(0.1 + 0.12 + 0.1 + 0.1)


def test_ring_on_a_cell() -> None:
    # 0.5 mV/V × 4.3 V = 2.15 mV for 500 g: 2.5 g are a two-hundredth.
    assert ring_signal() == pytest.approx(10.75e-6)


def test_currents_of_the_reference_board() -> None:
    circuit = REFERENCE.circuit
    # 38 Hall, Nano, 8 registers, 2 drivers, 3 multiplexers, 64 photo-transistors, 2 amplifiers.
    assert typical_current(circuit, nets.LOGIC) == pytest.approx(38 * 6 + 25 + 4 + 2 * 0.5 + 0.3 + 12.8 + 12)
    # Ten pull-ups of 0.5 mA, the top of the string and that of the reference, as if they were grounded.
    worst = 38 * 10 + 40 + 16 + 2 * 3 + 3 + 38.4 + 16 + 10 * 0.5 + 5 + 5 / 4.7 + 28 * 0.001
    assert worst_current(circuit, nets.LOGIC) == pytest.approx(worst)


def test_budget_of_the_reference_board() -> None:
    lights, logic, emitters, inlet = power_budget(REFERENCE)
    assert (lights.typical, lights.worst) == pytest.approx((42 * 8 + 1, 1200 + 3))
    assert (logic.limit, emitters.limit, lights.limit) == pytest.approx((1480, 880, 2000))
    assert inlet.worst == pytest.approx(lights.worst + logic.worst + emitters.worst)
    assert inlet.limit == pytest.approx(2500)


def test_volts_before_the_fuses_of_the_rails() -> None:
    # Contacts 30, slow fuse 20, two transistors of 6.8 milliohm and a fifth when warm; 2.5 of copper in, 1.8 back.
    assert way_in(REFERENCE) == pytest.approx(0.050 + 2 * 0.00816 + 0.0043)
    assert least_main(REFERENCE) == pytest.approx(4.75 - power_budget(REFERENCE)[-1].worst * 1e-3 * 0.07062)


def test_way_of_the_emitters_supply_and_to_the_farthest_hall_sensor() -> None:
    # One wire of 0.25 m and 0.22 ohm/m, two contacts of 20 milliohm, 0.095 ohm of copper.
    assert emitters_way(REFERENCE) == pytest.approx(0.055 + 0.040 + 0.095)
    # 452.5 mA through 11.5 milliohm of plane; 10 mA and four times 0.6 mA through 0.3 m of cable: 106 milliohm.
    far = 38 * 10 + 16 + 2 * 3 + 3 + 38.4 + 9 * 0.5 + 5 + 28 * 0.001
    supply, ground = far_drops(REFERENCE)
    assert supply == pytest.approx(far * 11.5e-6 + 0.0124 * 0.106)
    light = average_current(REFERENCE.circuit)
    assert ground == pytest.approx((far * 1e-3 + light) * 2.5e-3 + 0.010 * 0.106)


def test_guard_against_too_high_a_voltage() -> None:
    # 12 over 10 kilohm: 2.2 times 2.495 V, and 2 µA through 12 kilohm.
    assert threshold(12e3, 10e3, 2.495, 2e-6) == pytest.approx(5.489 + 0.024)
    # A time constant of 1 ms charges to 1 - 1/e.
    assert time_to(10e3, 100e-9, 10.0, 10.0 * (1 - 1 / e)) == pytest.approx(1e-3)


def test_few_pixels_are_below_the_cap() -> None:
    assert power_budget(SEVEN)[0].worst == pytest.approx(12 * 60 + 3)


def test_ribbon() -> None:
    # Two of 20 wires are supply, four ground; 0.3 m of 0.22 ohm/m and two contacts of 20 milliohm.
    assert ribbon_wires(REFERENCE.circuit, nets.LOGIC) == 2
    assert ribbon_wires(REFERENCE.circuit, nets.GROUND) == 4
    assert wires_resistance(2, 0.3) == pytest.approx(0.053)


@pytest.mark.parametrize(
    ("amount", "unit", "words"),
    [
        (120, "Ω", "120 Ω"),
        (1e3, "Ω", "1 kΩ"),
        (33e3, "Ω", "33 kΩ"),
        (1e6, "Ω", "1 MΩ"),
        (1e-9, "F", "1 nF"),
        (100e-9, "F", "100 nF"),
        (1000e-6, "F", "1000 µF"),
    ],
)
def test_amounts_in_words(amount: float, unit: str, words: str) -> None:
    assert in_words(amount, unit) == words


def test_parts_that_are_not_alike() -> None:
    with pytest.raises(ValueError, match="needed is the same"):
        alike(REFERENCE.circuit, "R")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (187.5, "188"),
        (0.0375, "0.0375"),
        (12345, "12300"),
        (1160, "1160"),
        (4.0, "4"),
        (0, "0"),
        (0.00000123, "0.00000123"),
    ],
)
def test_numbers_have_three_digits(value: float, text: str) -> None:
    assert number(value) == text


def test_limits_include_themselves() -> None:
    assert at_most("", "", 5, 5, "V", "").holds
    assert not at_most("", "", 5.01, 5, "V", "").holds
    assert at_least("", "", 5, 5, "V", "").holds
    assert not at_least("", "", 4.99, 5, "V", "").holds
