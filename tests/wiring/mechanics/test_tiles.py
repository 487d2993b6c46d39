"""The A4 sheets, read back: exact pages, the whole board on them, and marks by which they meet."""

from __future__ import annotations

import math
import re
from functools import cache
from itertools import combinations, pairwise
from xml.etree import ElementTree

import pytest

from tests.wiring.mechanics.boards import BOARDS, FULL, centres, changed, drawing_of, files
from tests.wiring.mechanics.drawings import Box, Drawing, Mark, read, read_element
from wiring.make.tiles import tile_files

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
def test_each_sheet_is_a_page_of_a4(name: str) -> None:
    for sheet in sheets(name):
        assert (sheet.width, sheet.height) in ((210.0, 297.0), (297.0, 210.0))
        assert sheet.view == (0.0, -sheet.height, sheet.width, 0.0)


@EVERY_BOARD
def test_ten_millimetres_at_the_edge_stay_white(name: str) -> None:
    for sheet in sheets(name):
        for mark in sheet.marks:
            left, bottom, right, top = mark.page_box
            assert left >= 10
            assert top <= -10
            assert right <= sheet.width - 10
            assert bottom >= 10 - sheet.height


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
def test_seams_lie_in_the_middle_of_the_overlap(name: str) -> None:
    """Five millimetres from the edge of the window, where and only where a sheet lies beside it."""
    views = [window(sheet)[1] for sheet in sheets(name)]
    whole = (
        min(view[0] for view in views),
        min(view[1] for view in views),
        max(view[2] for view in views),
        max(view[3] for view in views),
    )
    for sheet, view in zip(sheets(name), views, strict=True):
        lines = [mark.points for mark in board_marks(sheet) if mark.layer == "SEAM" and mark.kind == "line"]
        long = [line for line in lines if math.dist(*line) > 20]
        found = [(0, x1) if x1 == x2 else (1, y1) for (x1, y1), (x2, y2) in long]
        expected = [
            (edge % 2, view[edge] + (5.0 if edge < 2 else -5.0)) for edge in range(4) if view[edge] != whole[edge]
        ]
        assert len(found) == len(expected)
        for (across, place), (axis, middle) in zip(sorted(found), sorted(expected), strict=True):
            assert across == axis
            assert place == pytest.approx(middle, abs=0.002)


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


@EVERY_BOARD
def test_each_sheet_says_which_it_is_and_what_lies_beside_it(name: str) -> None:
    found = sheets(name)
    views = [window(sheet)[1] for sheet in found]
    for number, sheet in enumerate(found):
        words = [text.words for text in sheet.texts()]
        assert f"Sheet {number + 1} of {len(found)}" in words
        view = views[number]
        for side, low, sign in (("left", 0, -1), ("right", 0, 1), ("above", 1, 1), ("below", 1, -1)):
            across = 1 - low
            beside = [
                other
                for other, its in enumerate(views)
                if its[across] == view[across]
                and 0 < sign * (its[low] - view[low]) < 1.5 * (view[low + 2] - view[low])
            ]
            said = [
                int(match) for text in words for match in re.findall(rf"{side}: sheet (\d+)", text, re.IGNORECASE)
            ]
            assert said == [other + 1 for other in beside][:1] or (not beside and not said)


@EVERY_BOARD
def test_the_page_prints_the_same_sheets(name: str) -> None:
    page = files(name)["template-a4.html"]
    paper = "portrait" if sheets(name)[0].width == 210.0 else "landscape"
    assert re.search(rf"@page {{ size: A4 {paper}; margin: 0; }}", page)
    root = ElementTree.fromstring(page.split("<body>")[1].split("</body>")[0].join(("<body>", "</body>")))
    drawn = [read_element(svg) for svg in root.findall("div/{http://www.w3.org/2000/svg}svg")]
    assert [drawing.marks for drawing in drawn] == [sheet.marks for sheet in sheets(name)]
    size = re.search(r"\.page { width: (\d+)mm; height: (\d+)mm;", page)
    assert size is not None
    assert (float(size[1]), float(size[2])) == (drawn[0].width, drawn[0].height)


def test_a_higher_board_is_still_covered() -> None:
    wiring = changed(FULL, tube_pitch=70.0)
    views = [read(text).windows[0][1] for name, text in tile_files(wiring).items() if name.endswith(".svg")]
    for x, y in centres(wiring).values():
        assert any(inside(view, x, y) for view in views)
