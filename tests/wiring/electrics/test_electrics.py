"""Every check holds for both boards, agrees with values worked out by hand, and fails once a part is wrong."""

from collections.abc import Callable
from dataclasses import replace
from math import e
from pathlib import Path

import pytest

from tamsk_hw.board.wiring import expected_of, parse_expected
from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from tests.wiring.bench import BOARDS, REFERENCE, SEVEN
from wiring.make import electrics_fields as fields
from wiring.make import electrics_light as expected
from wiring.make import electrics_light as photo_transistors
from wiring.make import electrics_lights as lights
from wiring.make import electrics_supply, electrics_values, nets
from wiring.make.board import Board
from wiring.make.circuit import Circuit, Part
from wiring.make.electrics import checks, files
from wiring.make.electrics_fields import N35, seat_field, share, steps
from wiring.make.electrics_guard import threshold, time_to
from wiring.make.electrics_light import places
from wiring.make.electrics_lights import power_budget
from wiring.make.electrics_values import Check, alike, judged, typical_current, worst_current
from wiring.make.geometry import PARTS


def problems(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> list[str]:
    """The names of checks that do not hold and of rails that draw too much."""
    found = [check.what for check in checks(board, milliamp_cap) if not check.holds]
    return found + [row.rail for row in power_budget(board, milliamp_cap) if not row.holds]


def changed(board: Board, change: Callable[[Part], Part]) -> Board:
    """The board with each part of its circuit changed."""
    circuit = Circuit(board.key, tuple(change(part) for part in board.circuit.parts))
    other = replace(board)
    vars(other)["circuit"] = circuit
    return other


def with_amount(board: Board, name: str, amount: float) -> Board:
    """The board with other ohms or farads in the part of that designator, or in all with these letters."""
    return changed(
        board,
        lambda part: replace(part, amount=amount, value=f"{amount}") if name in (part.ref, part.letters) else part,
    )


def with_fuse(board: Board, ref: str, value: str) -> Board:
    """The board with another fuse."""
    return changed(board, lambda part: replace(part, value=value) if part.ref == ref else part)


def with_worst(board: Board, kind: str, milliamperes: float) -> Board:
    """The board with another worst current of a kind."""
    return changed(
        board,
        lambda part: replace(part, kind=replace(part.kind, worst=milliamperes)) if part.kind.key == kind else part,
    )


def with_more_pixels(board: Board, times: int) -> Board:
    """The board with ``times`` as many lights."""
    pixels = list(board.circuit.of_kind("pixel"))
    more = [replace(part, ref=f"{part.ref}-{number}") for number in range(1, times) for part in pixels]
    other = replace(board)
    vars(other)["circuit"] = Circuit(board.key, (*board.circuit.parts, *more))
    return other


def with_magnet_distance(board: Board, distance: float) -> Board:
    """The board with its magnets at another distance (mm)."""
    geometry = replace(board.wiring.geometry, magnet_distance=distance)
    return replace(board, wiring=replace(board.wiring, geometry=geometry))


def test_banks() -> None:
    assert list(electrics_supply.bank_sizes(REFERENCE.circuit).values()) == [4] * 16
    assert sum(electrics_supply.bank_sizes(SEVEN.circuit).values()) == 6 * 3 + 4
    assert max(electrics_supply.bank_sizes(SEVEN.circuit).values()) == 3


def test_bank_current() -> None:
    # 3.75 V over 82 + 20 ohm: 36.8 mA each. High: 4.15 V over 81.18 + 12 ohm, on two outputs at once.
    assert electrics_supply.typical_bank_current(REFERENCE.circuit, 4) == pytest.approx(4 * 3.75 / 102)
    assert electrics_supply.worst_bank_current(REFERENCE.circuit, 4) == pytest.approx(4 * 4.15 / 93.18)
    assert electrics_supply.worst_lit_current(REFERENCE.circuit) == pytest.approx(8 * 4.15 / 93.18)
    assert electrics_supply.typical_bank_current(SEVEN.circuit, 3) == pytest.approx(3 * 3.75 / 97)
    assert electrics_supply.worst_lit_current(SEVEN.circuit) == pytest.approx(3 * 4.15 / (81.18 + 9))


def test_emitters_on_average() -> None:
    # Sixteen outputs of 147 mA, each on for 280 of 10000 µs.
    assert electrics_supply.average_current(REFERENCE.circuit) == pytest.approx(16 * 4 * 3.75 / 102 * 280 / 10000)


def test_full_sun() -> None:
    # 7 mA through each of 64 sensors; supply low 4.2 in place of 4.7 V are left to its load.
    assert electrics_supply.sun_current(REFERENCE.circuit) == pytest.approx(0.448)
    assert electrics_supply.low_sun_current(REFERENCE.circuit) == pytest.approx(0.448 * 4.2 / 4.7)
    # It lasts; a bank lit for good does not. The greater of both is what the supply must bear for good.
    lights, logic, emitters, _ = power_budget(REFERENCE)
    assert emitters.worst == pytest.approx(448 + 8 * 4150 / 93.18)
    light = 0.448 * 4.2 / 4.7 + 16 * 4 * 3.75 / 102 * 0.028
    assert electrics_supply.most_for_good(REFERENCE) == pytest.approx((lights.worst + logic.worst) / 1e3 + light)
    assert electrics_supply.most_for_good(SEVEN) < electrics_supply.worst_of_all(SEVEN)


def test_places_of_rings() -> None:
    # Recess 0.8 mm, 0.1 mm of printing; bore 33 mm on a tube of 32.4 mm.
    place = places(REFERENCE)
    assert (place.nearest, place.farthest) == pytest.approx((0.7, 1.5))
    # Rings of 4.5 mm; the sensor 0.9 mm above the middle.
    assert (place.below, place.above, place.width) == pytest.approx((3.15, 1.35, 4.0))


def test_field_of_the_seat() -> None:
    geometry = REFERENCE.wiring.geometry
    # 600 mT × (7/√65 − 5/√41)
    assert seat_field(geometry, N35) == pytest.approx(52.4, abs=0.05)
    assert steps(52.4, 25) == pytest.approx(52.4 * 25 / 19.53125)
    assert [round(share(lifted, geometry) * 100) for lifted in (1, 3, 9)] == [71, 39, 10]


def test_currents_of_the_reference_board() -> None:
    circuit = REFERENCE.circuit
    # 38 Hall, Nano, 8 converters and their decoder, 2 drivers, 3 multiplexers, 2 amplifiers.
    assert typical_current(circuit, nets.LOGIC) == pytest.approx(38 * 6 + 25 + 8 * 0.5 + 0.1 + 2 * 0.5 + 0.3 + 12)
    # Three pull-ups of 0.5 mA, the top of the string and that of the reference, as if they were grounded.
    worst = 38 * 10 + 40 + 8 * 0.7 + 0.2 + 2 * 3 + 3 + 16 + 3 * 0.5 + 5 + 5 / 4.7 + 28 * 0.001
    assert worst_current(circuit, nets.LOGIC) == pytest.approx(worst)


def test_budget_of_the_reference_board() -> None:
    lights, logic, emitters, inlet = power_budget(REFERENCE)
    assert (lights.typical, lights.worst) == pytest.approx((42 * 8 + 1, 1200 + 3))
    assert (logic.limit, emitters.limit, lights.limit) == pytest.approx((1480, 880, 2000))
    assert inlet.worst == pytest.approx(lights.worst + logic.worst + emitters.worst)
    assert inlet.limit == pytest.approx(2500)


def test_volts_before_the_fuses_of_the_rails() -> None:
    # Contacts 30, slow fuse 20, two transistors of 6.8 milliohm and a fifth when warm; 2.5 of copper in, 1.8 back.
    assert electrics_supply.way_in(REFERENCE) == pytest.approx(0.050 + 2 * 0.00816 + 0.0043)
    assert electrics_supply.least_main(REFERENCE) == pytest.approx(
        4.75 - electrics_supply.most_for_good(REFERENCE) * 0.07062
    )


def test_way_of_the_emitters_supply_and_to_the_farthest_hall_sensor() -> None:
    # One wire of 0.2 m and 0.22 ohm/m, two contacts of 20 milliohm, 0.098 ohm of copper.
    assert electrics_supply.emitters_way(REFERENCE) == pytest.approx(0.044 + 0.040 + 0.098)
    # 400.8 mA through 12 milliohm of plane; 10 mA through 0.3 m of cable: 106 milliohm.
    far = 38 * 10 + 8 * 0.7 + 0.2 + 2 * 3 + 3 + 2 * 0.5 + 5 + 28 * 0.001
    supply, ground = electrics_supply.far_drops(REFERENCE)
    assert supply == pytest.approx(far * 12e-6 + 0.010 * 0.106)
    light = electrics_supply.average_current(REFERENCE.circuit) + 0.448 * 4.2 / 4.7
    assert ground == pytest.approx((far * 1e-3 + light) * 2.5e-3 + 0.010 * 0.106)


def test_guard_against_too_high_a_voltage() -> None:
    # 12 over 10 kilohm: 2.2 times 2.495 V, and 2 µA through 12 kilohm.
    assert threshold(12e3, 10e3, 2.495, 2e-6) == pytest.approx(5.489 + 0.024)
    # A time constant of 1 ms charges to 1 - 1/e.
    assert time_to(10e3, 100e-9, 10.0, 10.0 * (1 - 1 / e)) == pytest.approx(1e-3)


def test_parts_that_are_not_alike() -> None:
    with pytest.raises(ValueError, match="needed is the same"):
        alike(REFERENCE.circuit, "R")


@pytest.mark.parametrize(
    ("kind", "result", "holds"),
    [("at_most", 5, True), ("at_most", 5.01, False), ("at_least", 5, True), ("at_least", 4.99, False)],
)
def test_limits_include_themselves(kind: str, result: float, holds: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    row = {"what": "", "formula": "", "source": "", "unit": "V", "result": f"{result}", kind: "5"}
    monkeypatch.setattr(electrics_values, "_table", lambda: {"own": [row]})
    assert [check.holds for check in judged("own", {}, {})] == [holds]


def check_of(board: Board, what: str) -> float:
    """The result of a check, in its unit."""
    found: list[Check] = [
        each for each in photo_transistors.photo_transistor_subject(board).checks if each.what == what
    ]
    return found[0].value


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_the_committed_file_is_the_calculation(board: Board) -> None:
    assert parse_expected(files(board)["expected.toml"], "made") == expected_of(board.wiring)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_the_least_light_and_the_stray_are_those_of_the_checks(board: Board) -> None:
    dim = check_of(board, "Weakest sensor, farthest ring, everything against the emitter")
    stray = check_of(board, "The same if emitter and photo-transistor are 1.8 mm apart")
    assert (expected.far_light(board)[0], expected.stray_counts(board)) == (int(dim), int(stray) + 1)


FIRMWARE = Path(__file__).resolve().parents[3] / "firmware"


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_every_check_holds(board: Board) -> None:
    assert not problems(board)
    assert all(row.holds for row in power_budget(board))


@pytest.mark.parametrize(
    ("name", "amount", "wrong"),
    [
        ("RE", 68, "Current of one output while it is on, typical"),
        ("RE", 75, "Power of an emitter when a program hangs"),
        ("RE", 5, "Heat of one output on average"),
        ("RE", 220, "Current of one emitter, so that there is light"),
        ("RE", 47, "Power of one resistor"),
        ("RP", 820, "No ring, but one below"),
        ("RP", 470, "Ring at its farthest before the weakest sensor"),
        ("RP", 470, "Weakest sensor, farthest ring, everything against"),
        ("RP", 620, "The same at the end of the chain of tolerances"),
        ("RP", 820, "A patch of sun on a sensor"),
        ("RP", 750, "The strongest ring in it"),
        ("RP", 1.2e3, "A fully modulated lamp"),
        ("RP", 1e3, "Dimmest ring from the dark"),
        ("RP", 1e3, "Weakest sensor, its ring's light fallen"),
        ("CB1", 100e-9, "Dip of the emitters' supply"),
        ("CF", 10e-9, "Common side settled"),
        ("RF", 10e3, "Source that the converter sees"),
        ("RO", 100e3, "What the resistor for an open wire takes"),
        ("RO", 10e6, "Reading of a sensor that has come off"),
        ("R31", 100, "Current of the reference string"),
        ("R4", 47e3, "Current of the 2.5 V reference"),
        ("R2", 10e3, "Delay of an edge of the data"),
        ("RI", 470, "Current into a converter's input while the array clamps"),
        ("RI", 220, "The same without its supply"),
        ("RI", 10e3, "Sample capacitor of a ring converter"),
        ("RP", 100e3, "Level of a dark line"),
        ("R2", 100, "Current into the shifter's output"),
        ("CB2", 470e-6, "Dip of the pixels' supply"),
        ("R40", 100, "Current of the GPIO"),
        ("R40", 1e3, "Time constant of buzzer"),
        ("R20", 1e6, "G/ of the bank driver"),
        ("R21", 1e6, "The decoder's enable while nobody drives it"),
        ("R5", 220, "Rise of the clock"),
        ("R1", 33e3, "MISO while no converter is chosen"),
        ("R1", 1e3, "Current that a 0 has to sink"),
        ("R52", 10e3, "Least voltage at which the inlet is switched off"),
        ("R53", 8.2e3, "Most voltage that is let through"),
        ("R52", 470, "Current into the reference pin of U5"),
        ("R54", 1e3, "Base of Q3 while U5 does not conduct"),
        ("R55", 1.5e3, "Base current of Q3 once U5 conducts"),
        ("R55", 220, "Power of R55"),
        ("C50", 1e-9, "Time until Q2 could begin to conduct"),
    ],
)
def test_a_wrong_value_is_reported(name: str, amount: float, wrong: str) -> None:
    found = problems(with_amount(REFERENCE, name, amount))
    assert [name for name in found if name.startswith(wrong)], found


@pytest.mark.parametrize(
    ("ref", "value", "rail"),
    [
        ("FU2", "1.1 A resettable", "5V_LIGHTS"),
        ("FU3", "0.5 A resettable", "5V"),
        ("FU1", "1.1 A resettable", "5V_IN"),
        ("FU3", "1.1 A resettable", "Rail at the controller, supply low, every rail at its worst"),
        ("FU2", "1.85 A resettable", "Supply of the first pixel, supply low, every rail at its worst"),
    ],
)
def test_a_smaller_fuse_is_reported(ref: str, value: str, rail: str) -> None:
    assert rail in problems(with_fuse(REFERENCE, ref, value))


def test_the_supply_is_called_low_where_the_firmware_does_so() -> None:
    text = (FIRMWARE / "avr" / "main.c").read_text(encoding="utf-8")
    assert f"#define SUPPLY_LOW_READING {electrics_supply.LOW_READING}\n" in text


def test_a_larger_fuse_that_no_short_opens_is_not_called_one_that_trips() -> None:
    found = [check.what for check in checks(with_fuse(REFERENCE, "FU3", "3 A resettable"))]
    assert "Short on 5V: FU3 trips" not in found
    assert any(what.startswith("Short on 5V: FU3 need not trip") for what in found)


def test_a_higher_cap_is_reported() -> None:
    assert {"5V_LIGHTS", "5V_IN"} <= set(problems(REFERENCE, 2562))
    assert "5V_IN" in problems(REFERENCE, 1800)


def test_a_cap_that_the_far_pixels_would_feel_is_reported() -> None:
    lights_checks = lights.light_subject(REFERENCE, 3000).checks
    assert any(check.what.startswith("Supply of the last pixel") and not check.holds for check in lights_checks)


def test_more_pixels_are_reported() -> None:
    assert not problems(SEVEN, 10_000)
    assert "5V_LIGHTS" in problems(with_more_pixels(SEVEN, 4), 10_000)


@pytest.mark.parametrize(("kind", "worst"), [("hall_sensor", 40), ("nano", 1100), ("multiplexer", 360)])
def test_a_hungrier_part_is_reported(kind: str, worst: float) -> None:
    assert "5V" in problems(with_worst(REFERENCE, kind, worst))


def test_more_sun_is_reported() -> None:
    found = problems(with_worst(REFERENCE, "ring_sensor", 10))
    assert {"5V_IR", "5V_IN", "Supply of the Hall sensors then"} <= set(found)
    sunny = problems(with_worst(REFERENCE, "ring_sensor", 16))
    assert any(name.startswith("Current of the ribbon's emitter wire") for name in sunny)
    assert any(name.startswith("Drop of the emitters' supply") for name in sunny)


def test_a_hungrier_sensor_spoils_the_references() -> None:
    assert any(name.startswith("References off") for name in problems(with_worst(REFERENCE, "hall_sensor", 100)))


@pytest.mark.parametrize(
    ("distance", "wrong"),
    [
        (4.3, "Strongest magnet, everything between it and the die as thin"),
        (3.0, "Field of a seated glass, strongest magnet, within the linear range of the DRV5055A3"),
        (4.5, "Field of a seated glass, strongest magnet, within the linear range of the SS49E"),
        (8.0, "Steps between seated and no longer seated, weakest magnet, SS49E"),
        (9.0, "Share of a glass lifted 9 mm"),
    ],
)
def test_a_magnet_at_the_wrong_distance_is_reported(distance: float, wrong: str) -> None:
    found = problems(with_magnet_distance(REFERENCE, distance))
    assert [name for name in found if name.startswith(wrong)], found


@pytest.mark.parametrize(
    ("dimension", "size", "wrong"),
    [
        ("ring_inner_diameter", 34.5, "Ring at its farthest before the weakest sensor"),
        ("ring_inner_diameter", 33.4, "The same at the end of the chain of tolerances"),
        ("ring_thickness", 4.0, "The same if emitter and photo-transistor are 1.8 mm apart"),
    ],
)
def test_rings_of_another_size_are_reported(dimension: str, size: float, wrong: str) -> None:
    geometry = replace(REFERENCE.wiring.geometry, **{dimension: size})
    found = problems(replace(REFERENCE, wiring=replace(REFERENCE.wiring, geometry=geometry)))
    assert [name for name in found if name.startswith(wrong)], found


@pytest.mark.parametrize("recess", [0.3, 2.0])
def test_a_sensor_too_near_to_its_ring_or_too_far_is_reported(
    recess: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(photo_transistors, "PARTS", replace(PARTS, sensor_recess=recess))
    assert any(name.startswith("Ring at its") for name in problems(REFERENCE))


def test_magnets_glued_by_hand_are_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fields, "PARTS", replace(PARTS, jig_tolerance=0.5))
    assert any(name.startswith("Share of a glass whose magnet is deepest") for name in problems(REFERENCE))


def test_a_sensor_at_the_middle_of_its_ring_would_see_the_ring_below(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo_transistors, "PARTS", replace(PARTS, sensor_raise=0.0))
    assert any(name.startswith("No ring, but one below") for name in problems(REFERENCE))


def test_a_check_that_fails_is_told_at_the_top() -> None:
    text = files(with_amount(REFERENCE, "RE", 60))["electrics.md"]
    assert "Not held: " in text.splitlines()[2]
    assert "**NO**" in text
