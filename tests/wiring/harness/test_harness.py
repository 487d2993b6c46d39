"""The harness's files and sheets, read back. tests/wiring/test_agreement.py holds them against the map."""

from __future__ import annotations

import shutil

import pytest

from tests.wiring.bench import BOARDS, each_board, made
from tests.wiring.harness import checks
from tests.wiring.harness.reading import Sheet, read_sheet, read_source
from wiring.make import harness
from wiring.make.harness import HarnessError, drawn_by


@each_board
def test_no_two_parts_of_the_harness_have_one_name(key: str) -> None:
    files = made(key, harness.files)
    between, tubes = read_source(files["harness.yml"]), read_source(files["tube-cables.yml"])
    names = [*between.connectors, *between.cables, *tubes.connectors, *tubes.cables]
    assert len(names) == len(set(names))


def test_without_graphviz_texts_are_made_and_drawings_say_what_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    expected = made("seven", harness.files)
    monkeypatch.setattr(shutil, "which", lambda _name: None)
    monkeypatch.setenv("PATH", "")
    texts = harness.texts(BOARDS["seven"])
    assert texts.items() < expected.items()
    assert all(name.endswith(".svg") for name in expected.keys() - texts.keys())
    with pytest.raises(HarnessError, match=r"^graphviz \(dot\) is missing: install it with "):
        harness.drawings(BOARDS["seven"])


def sheets(key: str, start: str) -> list[Sheet]:
    files = made(key, harness.files)
    return [read_sheet(text) for name, text in files.items() if name.startswith(start) and name.endswith(".svg")]


@each_board
def test_every_wire_is_drawn_once(key: str) -> None:
    source = read_source(made(key, harness.files)["harness.yml"])
    assert checks.sheet_problems(sheets(key, "harness"), source, all_wires=True) == []


@each_board
def test_a_tube_cable_of_each_size_is_drawn(key: str) -> None:
    tubes = read_source(made(key, harness.files)["tube-cables.yml"])
    drawn = sheets(key, "tube-cables")
    assert checks.sheet_problems(drawn, tubes, all_wires=False) == []
    texts = {text for sheet in drawn for row in sheet.rows() for text in row}
    sizes = [tubes.cables[ref]["wirecount"] for ref in tubes.cables if ref in texts]
    assert sorted(sizes) == sorted({cable["wirecount"] for cable in tubes.cables.values()})


@each_board
def test_sheets_can_be_printed_and_read(key: str) -> None:
    found = sheets(key, "")
    assert [problem for sheet in found for problem in checks.paper_problems(sheet)] == []


@each_board
def test_sheets_say_which_board_which_map_and_what_drew_them(key: str) -> None:
    found = sheets(key, "")
    assert found
    for sheet in found:
        outside = " ".join(text.text for text in sheet.outside)
        assert BOARDS[key].title in outside
        assert BOARDS[key].map_name in outside
        assert sheet.drawn_by == drawn_by()
