"""The harness's sheets, read back and held against the input of WireViz, and against paper."""

from __future__ import annotations

import pytest

from tests.wiring.harness import checks
from tests.wiring.harness.making import FOLDER_OF_BOARDS, board, each_board, made_drawings, made_texts, needs_dot
from tests.wiring.harness.reading import Sheet, read_sheet, read_source
from wiring.make.harness import drawings
from wiring.make.harness.drawing import drawn_by

pytestmark = needs_dot


def sheets(key: str, start: str) -> list[Sheet]:
    return [read_sheet(svg) for name, svg in made_drawings(key).items() if name.startswith(start)]


@each_board
def test_every_wire_is_drawn_once(key: str) -> None:
    harness = read_source(made_texts(key)["harness.yml"])
    assert checks.sheet_problems(sheets(key, "harness"), harness, all_wires=True) == []


@each_board
def test_a_tube_cable_of_each_size_is_drawn(key: str) -> None:
    tubes = read_source(made_texts(key)["tube-cables.yml"])
    drawn = sheets(key, "tube-cables")
    assert checks.sheet_problems(drawn, tubes, all_wires=False) == []
    texts = {text for sheet in drawn for row in sheet.rows() for text in row}
    sizes = [tubes.cables[ref]["wirecount"] for ref in tubes.cables if ref in texts]
    assert sorted(sizes) == sorted({cable["wirecount"] for cable in tubes.cables.values()})


@each_board
def test_sheets_can_be_printed_and_read(key: str) -> None:
    """Those that a builder prints; other fonts than theirs would make the texts of a new one larger or smaller."""
    sheets_there = sorted((FOLDER_OF_BOARDS / key / "harness").glob("*.svg"))
    assert sheets_there
    for path in sheets_there:
        assert checks.paper_problems(read_sheet(path.read_text(encoding="utf-8"))) == [], path.name


@each_board
def test_sheets_say_which_board_and_which_map(key: str) -> None:
    for svg in made_drawings(key).values():
        outside = " ".join(text.text for text in read_sheet(svg).outside)
        assert board(key).title in outside
        assert board(key).map_name in outside


@each_board
def test_sheets_are_the_same_every_time(key: str) -> None:
    assert drawings(board(key)) == made_drawings(key)


@each_board
def test_committed_sheets_are_those_made_here(key: str) -> None:
    """Only where the same graphviz with the same fonts drew them."""
    folder = FOLDER_OF_BOARDS / key / "harness"
    committed = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.svg")}
    assert committed, f"no sheets of the harness in wiring/{key}"
    others = {read_sheet(svg).drawn_by for svg in committed.values()} - {drawn_by()}
    if others:
        pytest.skip(f"drawn by {', '.join(sorted(others))}; here it is {drawn_by()}")
    assert committed == made_drawings(key)


def test_sheets_say_what_drew_them() -> None:
    assert all(read_sheet(svg).drawn_by == drawn_by() for svg in made_drawings("seven").values())
