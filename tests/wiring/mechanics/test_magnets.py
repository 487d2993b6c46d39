"""The drawing of the magnets: poles and arrows, checked against the physics."""

import pytest

from tamsk_hw.board.calibration import FieldCalibration
from tests.wiring.mechanics.boards import BOARDS, drawing_of
from tests.wiring.mechanics.drawings import Drawing, Mark
from wiring.make.electrics_fields import N35, seat_field


@pytest.fixture
def drawing() -> Drawing:
    """The drawing of the reference board."""
    return drawing_of("reference", "magnets.svg")


def words(drawing: Drawing) -> str:
    return " ".join(text.words for text in drawing.texts())


@pytest.mark.parametrize("name", BOARDS)
def test_sizes_are_those_of_the_map(name: str) -> None:
    geometry = BOARDS[name].geometry
    said = words(drawing_of(name, "magnets.svg"))
    assert f"N35, {geometry.magnet_diameter:g} × {geometry.magnet_thickness:g} mm" in said
    assert f"Magnet's face to the die: {geometry.magnet_distance:.1f}" in said
    assert f"about {seat_field(geometry, N35):.0f} mT" in said
    assert f"{geometry.magnet_thickness + 0.2:.1f} deep" in said


def glasses(drawing: Drawing) -> list[list[Mark]]:
    """The words of the left and of the right glass, from the top down."""
    ends = [text for text in drawing.texts() if text.words in ("end A", "end B")]
    middle = drawing.width / 2
    low = min(text.place[1] for text in ends) - 6
    shown = [text for text in drawing.texts() if low < text.place[1] < max(end.place[1] for end in ends) + 3]
    found = [[text for text in shown if (text.place[0] > middle) == right] for right in (False, True)]
    return [sorted(half, key=lambda text: -text.place[1]) for half in found]


def test_north_faces_out_at_end_a_and_south_at_end_b(drawing: Drawing) -> None:
    for half in glasses(drawing):
        poles = [text.words for text in half if text.words in ("N", "S")]
        ends = [text.words[-1] for text in half if text.words in ("end A", "end B")]
        assert len(poles) == 4
        # Outermost are the faces that look out of the glass.
        outer = {ends[0]: poles[0], ends[1]: poles[3]}
        assert outer == {"A": "N", "B": "S"}
        # Both magnets point the same way.
        assert poles[:2] == poles[2:]
    tops = [next(text.words for text in half if text.words.startswith("end")) for half in glasses(drawing)]
    assert sorted(tops) == ["end A", "end B"]


def test_the_sensor_reads_high_for_end_a(drawing: Drawing) -> None:
    """End A down gives a reading above the middle (`FieldCalibration`), and its north pole looks at the sensor.

    DRV5055 and SS49E read high for a south pole at the marked face, that is, for flux that leaves by the marked
    face (data sheets). Flux from a north pole above goes down. So the marked face must look down.
    """
    (end_a_down,) = (half for half in glasses(drawing) if [text.words for text in half].index("end B") < 4)
    pole = [text.words for text in end_a_down if text.words in ("N", "S")][-1]
    flux = {"N": -1, "S": 1}[pole]  # upwards; under a north pole it goes down
    board, package = sorted(
        (mark.box for mark in drawing.layer("HALL") if mark.kind == "polygon"), key=lambda box: box[0] - box[2]
    )
    marked_face = -1 if package[3] <= board[1] + 0.5 else 1  # it looks away from its board
    assert marked_face * flux * FieldCalibration().end_a > 0
    assert "Hall sensor under its board, the marked face down" in words(drawing)
