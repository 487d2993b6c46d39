"""The DXF file, read back by ezdxf: sound, in millimetres, and the same board as the SVG template."""

import io
import math
from functools import cache

import pytest
from ezdxf.document import Drawing
from ezdxf.filemanagement import read as read_dxf

from tests.wiring.mechanics.boards import BOARDS, drawing_of, files

EVERY_BOARD = pytest.mark.parametrize("name", BOARDS)


@cache
def document_of(name: str) -> Drawing:
    return read_dxf(io.StringIO(files(name)["template.dxf"]))


@EVERY_BOARD
def test_it_is_sound_and_in_millimetres(name: str) -> None:
    document = document_of(name)
    audit = document.audit()
    assert not audit.errors
    assert not audit.fixes
    assert document.header["$INSUNITS"] == 4  # millimetres
    layers = {layer.dxf.name for layer in document.layers}
    assert {"BOARD", "DRILL", "TUBE", "RING", "FOOT", "PIXEL", "HALL", "SENSOR", "SCREW", "TEXT"} <= layers
    assert all(entity.dxf.layer in layers for entity in document.modelspace())


@EVERY_BOARD
def test_it_is_the_board_of_the_template(name: str) -> None:
    """The same circles and the same words at the same places, to the thousandth that SVG is rounded to."""
    space = document_of(name).modelspace()
    template = drawing_of(name, "template.svg")
    circles = [mark for mark in template.marks if mark.kind == "circle" and mark.layer != "LEGEND"]
    assert len(space.query("CIRCLE")) == len(circles)
    for entity in space.query("CIRCLE"):
        centre = (entity.dxf.center.x, entity.dxf.center.y)
        same = [
            mark for mark in circles if mark.layer == entity.dxf.layer and math.dist(mark.place, centre) < 0.002
        ]
        assert [mark.radius for mark in same] == [pytest.approx(entity.dxf.radius)]
    words = {entity.dxf.text for entity in space.query("TEXT")}
    assert {tube.name for tube in BOARDS[name].tubes} | {
        str(number) for number in range(BOARDS[name].pixel_count)
    } <= words
