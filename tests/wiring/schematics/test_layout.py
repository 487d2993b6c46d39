"""Every sheet is a page that can be printed in black and white and read."""

from __future__ import annotations

from itertools import combinations

import pytest

from tests.wiring.schematics.boards import ALL_SHEETS, BOARDS, sheets_of
from tests.wiring.schematics.paper import Box, Paper, crosses

#: Between a text and a line that it does not touch, in millimetres: half of the line's width and a little.
LINE_GAP = 0.2

SHEETS = pytest.mark.parametrize(("key", "name"), ALL_SHEETS)


def sheet(key: str, name: str) -> Paper:
    return sheets_of(key)[name]


@SHEETS
def test_it_is_a4_across(key: str, name: str) -> None:
    attributes = sheet(key, name).attributes
    assert (attributes["width"], attributes["height"]) == ("297mm", "210mm")
    assert attributes["viewBox"] == "0 0 297 210"


@SHEETS
def test_no_text_is_in_the_margin(key: str, name: str) -> None:
    outside = [
        text.words
        for text in sheet(key, name).texts
        if not (text.box.left >= 8 and text.box.right <= 289 and text.box.top >= 8 and text.box.bottom <= 202)
    ]
    assert not outside


@SHEETS
def test_what_is_drawn_keeps_out_of_the_title_block(key: str, name: str) -> None:
    block = Box(10, 187, 287, 200)
    low = [text.words for text in sheet(key, name).texts if text.data("data-block") != "title"]
    inside = [text.words for text in sheet(key, name).texts if text.box.meets(block)]
    assert not set(low) & set(inside)


@SHEETS
def test_no_two_texts_overlap(key: str, name: str) -> None:
    pairs = combinations(sheet(key, name).texts, 2)
    assert not [(one.words, other.words) for one, other in pairs if one.box.meets(other.box, gap=0.3)]


@SHEETS
def test_no_line_runs_through_a_text(key: str, name: str) -> None:
    paper = sheet(key, name)
    struck = []
    for text in paper.texts:
        box = text.box
        wide = Box(box.left - LINE_GAP, box.top - LINE_GAP, box.right + LINE_GAP, box.bottom + LINE_GAP)
        struck += [(text.words, shape.points) for shape in paper.shapes if crosses(shape, wide)]
    assert not struck


@SHEETS
def test_inside_a_symbol_are_only_its_own_texts(key: str, name: str) -> None:
    paper = sheet(key, name)
    bodies = [(shape.ref, shape.outline) for shape in paper.shapes if shape.ref and shape.outline]
    assert not [
        (text.words, ref)
        for text in paper.texts
        for ref, body in bodies
        if body and text.box.meets(body) and text.data("data-ref") != ref
    ]


@SHEETS
def test_no_two_symbols_overlap(key: str, name: str) -> None:
    bodies = [shape for shape in sheet(key, name).shapes if shape.ref and shape.outline]
    assert not [
        (one.ref, other.ref)
        for one, other in combinations(bodies, 2)
        if one.ref != other.ref and one.outline and other.outline and one.outline.meets(other.outline)
    ]


@SHEETS
def test_capitals_are_two_millimetres_high(key: str, name: str) -> None:
    assert min(text.size for text in sheet(key, name).texts) * 0.729 >= 2


@SHEETS
def test_there_is_no_colour(key: str, name: str) -> None:
    assert sheet(key, name).colours <= {"black", "white", "none"}


@SHEETS
def test_the_title_block_says_what_it_is(key: str, name: str) -> None:
    board, names = BOARDS[key], list(sheets_of(key))
    words = [text.words for text in sheet(key, name).texts if text.data("data-block") == "title"]
    assert words[0] == board.title
    assert words[1] == f"made from {board.map_name}: change the map, not the drawing"
    assert words[3] == f"sheet {names.index(name) + 1} of {len(names)}"


@pytest.mark.parametrize("key", BOARDS)
def test_no_two_sheets_have_one_title(key: str) -> None:
    titles = [
        next(text for number, text in enumerate(paper.texts) if number == 2).words
        for paper in sheets_of(key).values()
    ]
    assert len(set(titles)) == len(titles)
