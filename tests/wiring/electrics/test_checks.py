"""Every check holds for both boards, and fails as soon as a part is wrong."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from tests.wiring.built import BOARDS, REFERENCE, SEVEN
from tests.wiring.electrics.mutations import (
    problems,
    with_amount,
    with_fuse,
    with_magnet_distance,
    with_more_pixels,
    with_worst,
)
from wiring.make import electrics_fields as fields
from wiring.make import electrics_light as photo_transistors
from wiring.make import electrics_lights as lights
from wiring.make.board import Board
from wiring.make.electrics import checks, files
from wiring.make.electrics_lights import power_budget
from wiring.make.electrics_supply import LOW_READING
from wiring.make.geometry import PARTS

FIRMWARE = Path(__file__).resolve().parents[3] / "firmware"


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_every_check_holds(board: Board) -> None:
    assert not problems(board)
    assert all(row.holds for row in power_budget(board))


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_every_check_is_said_once_and_in_full(board: Board) -> None:
    found = checks(board)
    assert len({check.what for check in found}) == len(found)
    for check in found:
        assert all((check.what, check.formula, check.result, check.limit, check.source))
        assert check.limit.startswith(("at most ", "at least "))


def test_only_a_board_with_holders_has_their_checks() -> None:
    assert any("rings of a player" in check.what for check in checks(REFERENCE))
    assert not any("rings of a player" in check.what for check in checks(SEVEN))


@pytest.mark.parametrize(
    ("name", "amount", "wrong"),
    [
        ("RE", 68, "Current of one output while it is on, typical"),
        ("RE", 75, "Power of an emitter when a program hangs"),
        ("RE", 10, "Heat of one output on average"),
        ("RE", 220, "Current of one emitter, so that there is light"),
        ("RE", 47, "Power of one resistor"),
        ("RP", 100e3, "Output fallen before the dark read"),
        ("RP", 39e3, "No ring, but one below"),
        ("RP", 22e3, "Ring at its farthest before the weakest sensor"),
        ("RP", 20e3, "Weakest sensor, farthest ring, at a sure 1"),
        ("CB1", 100e-9, "Dip of the emitters' supply"),
        ("CF", 10e-9, "Common side settled"),
        ("RF", 10e3, "Source that the converter sees"),
        ("RO", 100e3, "What the resistor for an open wire takes"),
        ("RO", 10e6, "Reading of a sensor that has come off"),
        ("R31", 100, "Current of the reference string"),
        ("R4", 47e3, "Current of the 2.5 V reference"),
        ("R2", 10e3, "Delay of an edge of the data"),
        ("RI", 470, "Current into a register's input while the array clamps"),
        ("RI", 220, "The same without its supply"),
        ("RI", 100e3, "Delay of an edge by the series resistor"),
        ("RP", 100e3, "Level of a dark line"),
        ("R2", 100, "Current into the shifter's output"),
        ("CB2", 470e-6, "Dip of the pixels' supply"),
        ("R40", 100, "Current of the GPIO"),
        ("R40", 1e3, "Time constant of buzzer"),
        ("R20", 1e6, "G/ of the bank driver"),
        ("R17", 2.2e6, "A serial input whose wire is off"),
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
    assert f"#define SUPPLY_LOW_READING {LOW_READING}\n" in text


def test_a_larger_fuse_that_no_short_opens_is_not_called_one_that_trips() -> None:
    found = [check.what for check in checks(with_fuse(REFERENCE, "FU3", "3 A resettable"))]
    assert "Short on 5V: FU3 trips" not in found
    assert any(what.startswith("Short on 5V: FU3 need not trip") for what in found)


def test_an_unknown_fuse_is_refused() -> None:
    with pytest.raises(KeyError):
        power_budget(with_fuse(REFERENCE, "FU3", "7 A fast"))


def test_a_higher_cap_is_reported() -> None:
    assert {"5V_LIGHTS", "5V_IN"} <= set(problems(REFERENCE, 2562))
    assert "5V_IN" in problems(REFERENCE, 1800)


def test_a_cap_that_the_far_pixels_would_feel_is_reported() -> None:
    lights_checks = lights.light_subject(REFERENCE, 3000).checks
    assert any(check.what.startswith("Supply of the last pixel") and not check.holds for check in lights_checks)


def test_more_pixels_are_reported() -> None:
    assert not problems(SEVEN, 10_000)
    assert "5V_LIGHTS" in problems(with_more_pixels(SEVEN, 4), 10_000)


@pytest.mark.parametrize(("kind", "worst"), [("hall_sensor", 36), ("nano", 1100), ("ring_sensor", 16)])
def test_a_hungrier_part_is_reported(kind: str, worst: float) -> None:
    assert "5V" in problems(with_worst(REFERENCE, kind, worst))


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
        ("ring_inner_diameter", 35.0, "The same, a slow sensor"),
        ("ring_thickness", 4.0, "No ring, but one below"),
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


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_the_document_has_every_check_and_rail(board: Board) -> None:
    text = files(board)["electrics.md"]
    assert set(files(board)) == {"electrics.md", "expected.toml"}
    for check in checks(board):
        assert f"| {check.what} | {check.formula} | {check.result} | {check.limit} | yes |" in text
    for row in power_budget(board):
        assert f"| `{row.rail}` |" in text
    assert f"All {len(checks(board))} checks hold." in text
    assert "NO" not in re.findall(r"\*\*(\w+)\*\*", text)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_the_document_is_plain_markdown(board: Board) -> None:
    text = files(board)["electrics.md"]
    assert not re.search(r"</?[a-z]+[ />]", text)
    widths = {line.count(" | ") for line in text.splitlines() if line.startswith("| what")}
    assert widths == {5}
    for line in text.splitlines():
        assert line == line.rstrip()
        assert not line.startswith("|") or line.endswith(" |") or line.endswith("| --- |")


def test_a_check_that_fails_is_told_at_the_top() -> None:
    text = files(with_amount(REFERENCE, "RE", 60))["electrics.md"]
    assert "Not held: " in text.splitlines()[2]
    assert "**NO**" in text
