"""What holds for every drawing that is printed in black and white: legible, nothing over anything, no colours."""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from functools import cache
from itertools import combinations

import pytest

from tamsk_hw.board.wiring import Wiring
from tests.wiring.mechanics.boards import BOARDS, SEVEN, changed, full
from tests.wiring.mechanics.drawings import CAPITALS, Box, Drawing, read
from wiring.make.mechanics.dxf import template_dxf
from wiring.make.mechanics.magnets import magnets_svg
from wiring.make.mechanics.making import mechanics_files
from wiring.make.mechanics.scad import tube_scad
from wiring.make.mechanics.section import section_svg
from wiring.make.mechanics.template import template_svg


@cache
def files(board: str) -> dict[str, str]:
    return mechanics_files(BOARDS[board])


NAMES = sorted((board, name) for board in BOARDS for name in files(board) if name.endswith(".svg"))
EVERY_DRAWING = pytest.mark.parametrize(("board", "name"), NAMES)


@cache
def drawing(board: str, name: str) -> Drawing:
    return read(files(board)[name])


@cache
def words_shown(board: str, name: str) -> list[tuple[str, Box]]:
    """What of the words is to be seen."""
    boxes = [(text.words, text.page_box) for text in drawing(board, name).texts()]
    return [(words, box) for words, box in boxes if box[0] < box[2] and box[1] < box[3]]


@EVERY_DRAWING
def test_no_two_words_overlap(board: str, name: str) -> None:
    shown = words_shown(board, name)
    for (words, (x1, y1, x2, y2)), (other, (u1, v1, u2, v2)) in combinations(shown, 2):
        assert x2 <= u1 or u2 <= x1 or y2 <= v1 or v2 <= y1, f"{words!r} and {other!r}"


@EVERY_DRAWING
def test_all_words_lie_on_the_page(board: str, name: str) -> None:
    view = drawing(board, name).view
    for words, (left, bottom, right, top) in words_shown(board, name):
        assert view[0] <= left, words
        assert view[1] <= bottom, words
        assert right <= view[2], words
        assert top <= view[3], words


@EVERY_DRAWING
def test_capitals_are_two_millimetres_high(board: str, name: str) -> None:
    texts = drawing(board, name).texts()
    assert texts
    assert min(text.size for text in texts) * CAPITALS >= 2.0


@EVERY_DRAWING
def test_nothing_is_coloured(board: str, name: str) -> None:
    """Black, white and greys alone; lines black, grey only where a dark grey is told from black by its place."""
    colours = set(re.findall(r'(?:fill|stroke)="([^"]+)"', files(board)[name]))
    for colour in colours - {"none"}:
        assert re.fullmatch(r"#([0-9a-f])\1\1", colour), colour
    assert not re.findall(r"style=|opacity|gradient", files(board)[name])


@EVERY_DRAWING
def test_no_line_is_too_thin(board: str, name: str) -> None:
    widths = [float(width) for width in re.findall(r'stroke-width="([^"]+)"', files(board)[name])]
    assert widths
    assert min(widths) >= 0.15
    # A stroke without a width would be 1 mm wide.
    assert len(re.findall(r'stroke="', files(board)[name])) == len(widths)


@EVERY_DRAWING
def test_words_are_black_but_on_dark_ground(board: str, name: str) -> None:
    found = drawing(board, name)
    for text in found.texts():
        if text.attributes["fill"] == "#000":
            continue
        assert text.attributes["fill"] == "#fff"
        left, bottom, right, top = text.box
        grounds = [
            mark.box for mark in found.marks if mark.kind == "polygon" and mark.attributes["fill"] == "#666"
        ]
        assert any(x1 <= left and y1 <= bottom and x2 >= right and y2 >= top for x1, y1, x2, y2 in grounds)


@pytest.mark.parametrize("board", ["full", "seven"])
def test_the_same_map_gives_the_same_bytes(board: str) -> None:
    assert mechanics_files(BOARDS[board]) == files(board)


def test_another_run_of_python_gives_the_same_bytes() -> None:
    """Sets of words come in another order in each run."""
    code = (
        "import hashlib, json; from tamsk_hw.board.wiring import load_wiring; "
        "from wiring.make.mechanics.making import mechanics_files; "
        "print(hashlib.sha256(json.dumps(mechanics_files(load_wiring())).encode()).hexdigest())"
    )
    environment = {**os.environ, "PYTHONHASHSEED": "7", "PYTHONPATH": str(SEVEN.parents[2])}
    done = subprocess.run(
        [sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == hashlib.sha256(json.dumps(files("full")).encode()).hexdigest()


def test_every_file_is_there() -> None:
    names = set(files("full"))
    assert {
        "template.svg",
        "template.dxf",
        "template-a4.html",
        "sensor-heights.svg",
        "tube.scad",
        "magnets.svg",
    } <= names
    assert all("\r" not in text and text.endswith("\n") for text in files("full").values())


@pytest.mark.parametrize(
    ("maker", "dimension"),
    [
        (template_dxf, "tube_pitch"),
        (template_svg, "ring_outer_diameter"),
        (section_svg, "ring_thickness"),
        (tube_scad, "magnet_distance"),
        (magnets_svg, "magnet_thickness"),
    ],
)
def test_another_dimension_gives_another_file(maker: Callable[[Wiring], str], dimension: str) -> None:
    wiring = changed(full(), **{dimension: getattr(full().geometry, dimension) + 0.7})
    assert maker(wiring) != maker(full())


def test_every_sign_of_the_template_is_explained() -> None:
    words = " ".join(text.words for text in drawing("full", "template.svg").layer("LEGEND", "text"))
    for sign in (
        "tube",
        "rings",
        "foot",
        "drill",
        "Hall sensor",
        "die",
        "pixel",
        "data line",
        "ring sensors",
        "east",
        "screw",
        "steel",
        "axis to axis",
    ):
        assert sign in words
    sheet = " ".join(text.words for text in drawing("full", "template-a4-1.svg").layer("LEGEND", "text"))
    assert "seam" in sheet
