"""The A4 sheets, read back: exact pages, the whole board on them, and marks by which they meet."""

import math
import re
from functools import cache
from itertools import combinations, pairwise

import pytest

from tests.wiring.mechanics.boards import BOARDS, centres, drawing_of, files
from tests.wiring.mechanics.drawings import Box, Drawing, Mark

EVERY_BOARD = pytest.mark.parametrize("name", BOARDS)


@cache
def sheets(name: str) -> tuple[Drawing, ...]:
    names = [file for file in files(name) if re.fullmatch(r"template-a4-\d+\.svg", file)]
    assert names == [f"template-a4-{number}.svg" for number in range(1, len(names) + 1)]
    return tuple(drawing_of(name, file) for file in names)


def window(sheet: Drawing) -> tuple[Box, Box]:
    (found,) = sheet.windows
    return found


def inside(box: Box, x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]


def board_marks(sheet: Drawing) -> list[Mark]:
    """The marks in the window."""
    return [mark for mark in sheet.marks if mark.window is not None]


@EVERY_BOARD
def test_the_sheets_show_the_whole_board(name: str) -> None:
    whole = drawing_of(name, "template.svg")
    (outline,) = whole.layer("BOARD")
    views = [window(sheet)[1] for sheet in sheets(name)]
    left, bottom, right, top = outline.box
    steps = 60
    for across in range(steps + 1):
        for up in range(steps + 1):
            x, y = left + (right - left) * across / steps, bottom + (top - bottom) * up / steps
            assert any(inside(view, x, y) for view in views)


@EVERY_BOARD
def test_neighbours_overlap_by_ten_millimetres(name: str) -> None:
    views = [window(sheet)[1] for sheet in sheets(name)]
    xs, ys = ({(view[low], view[low + 2]) for view in views} for low in (0, 1))
    assert len(xs) * len(ys) == len(views)
    for extents in (xs, ys):
        rising = sorted(extents)
        for before, after in pairwise(rising):
            assert before[1] - after[0] == pytest.approx(10.0, abs=0.002)


@EVERY_BOARD
def test_the_sheets_show_what_the_template_shows_at_the_same_places(name: str) -> None:
    whole = drawing_of(name, "template.svg")
    layers = ("TUBE", "RING", "FOOT", "DRILL", "HALL", "PIXEL", "SCREW")
    for sheet in sheets(name):
        view = window(sheet)[1]
        for layer in layers:
            found = {
                (mark.place, mark.radius)
                for mark in board_marks(sheet)
                if mark.layer == layer and mark.kind == "circle"
            }
            expected = {
                (mark.place, mark.radius) for mark in whole.layer(layer, "circle") if inside(view, *mark.place)
            }
            assert expected <= found
    shown = {mark.words for sheet in sheets(name) for mark in board_marks(sheet) if mark.layer == "TEXT"}
    assert set(centres(BOARDS[name])) | {"TIMER"} <= shown


@EVERY_BOARD
def test_a_scale_of_100_mm_is_on_every_sheet(name: str) -> None:
    for sheet in sheets(name):
        assert max(math.dist(*line.points) for line in sheet.layer("SCALE", "line")) == pytest.approx(100.0)


@EVERY_BOARD
def test_crosses_of_neighbours_coincide(name: str) -> None:
    """In what two sheets both show, they have the same crosses: two at least, well apart."""
    for first, second in combinations(sheets(name), 2):
        one, other = window(first)[1], window(second)[1]
        common = (max(one[0], other[0]), max(one[1], other[1]), min(one[2], other[2]), min(one[3], other[3]))
        if common[0] >= common[2] or common[1] >= common[3]:
            continue
        crosses = [
            {
                mark.place
                for mark in board_marks(sheet)
                if mark.layer == "SEAM" and mark.kind == "circle" and inside(common, *mark.place)
            }
            for sheet in (first, second)
        ]
        assert crosses[0] == crosses[1]
        if max(common[2] - common[0], common[3] - common[1]) > 20:
            assert len(crosses[0]) >= 2
            assert max(math.dist(*pair) for pair in combinations(sorted(crosses[0]), 2)) > 60
        else:
            assert crosses[0]


@EVERY_BOARD
def test_seams_spare_the_holes(name: str) -> None:
    for sheet in sheets(name):
        seams = [mark for mark in board_marks(sheet) if mark.layer == "SEAM" and mark.kind == "line"]
        long = [seam.points for seam in seams if math.dist(*seam.points) > 20]
        holes = [mark for mark in board_marks(sheet) if mark.layer in ("DRILL", "PIXEL") and mark.kind == "circle"]
        for (x1, y1), (x2, y2) in long:
            for hole in holes:
                x, y = hole.place
                assert (abs(x - x1) if x1 == x2 else abs(y - y1)) >= hole.radius
                assert x1 == x2 or y1 == y2
