"""Rules for every drawing that is printed in black and white: legible, nothing over anything, no colours."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from itertools import combinations

import pytest

from tamsk_hw.board.wiring import Wiring
from tests.wiring.mechanics.boards import BOARDS, FULL, changed, drawing_of, files
from tests.wiring.mechanics.drawings import CAPITALS, Box, read
from wiring.make.magnets import magnets_svg
from wiring.make.section import section_svg
from wiring.make.template import template_dxf, template_svg


def within(inner: Box, outer: Box) -> bool:
    return outer[0] <= inner[0] and outer[1] <= inner[1] and inner[2] <= outer[2] and inner[3] <= outer[3]


def apart(one: Box, other: Box) -> bool:
    return one[2] <= other[0] or other[2] <= one[0] or one[3] <= other[1] or other[3] <= one[1]


def problems(svg: str) -> Iterator[str]:
    """Everything that is wrong with a drawing."""
    found = read(svg)
    texts = found.texts()
    if not texts or min(text.size for text in texts) * CAPITALS < 2.0:
        yield "capitals below 2 mm"
    # Of the words in a window only those count that are to be seen.
    boxes = [(text.words, text.page_box) for text in texts]
    shown = [(words, box) for words, box in boxes if box[0] < box[2] and box[1] < box[3]]
    yield from (f"{words}: not on the page" for words, box in shown if not within(box, found.view))
    for (words, box), (other, its) in combinations(shown, 2):
        if not apart(box, its):
            yield f"{words} and {other}: overlap"
    for colour in set(re.findall(r'(?:fill|stroke)="([^"]+)"', svg)) - {"none"}:
        if not re.fullmatch(r"#([0-9a-f])\1\1", colour):
            yield f"coloured: {colour}"
    if re.search(r"style=|opacity|gradient", svg):
        yield "coloured: by its style"
    widths = [float(width) for width in re.findall(r'stroke-width="([^"]+)"', svg)]
    if not widths or min(widths) < 0.15:
        yield "a line is too thin"
    if len(re.findall(r'stroke="', svg)) != len(widths):
        yield "a line has no width, which makes it 1 mm wide"
    grounds = [mark.box for mark in found.marks if mark.kind == "polygon" and mark.attributes["fill"] == "#666"]
    for text in texts:
        on_dark = any(within(text.box, ground) for ground in grounds)
        if text.attributes["fill"] != "#000" and not (text.attributes["fill"] == "#fff" and on_dark):
            yield f"{text.words}: not black, and not white on dark"


@pytest.mark.parametrize("board", BOARDS)
def test_every_drawing_can_be_printed_and_read(board: str) -> None:
    found = {name: list(problems(text)) for name, text in files(board).items() if name.endswith(".svg")}
    assert len(found) >= 4
    assert {name: wrong for name, wrong in found.items() if wrong} == {}


PAGE = """<svg xmlns="http://www.w3.org/2000/svg" width="100mm" height="50mm" viewBox="0 0 100 50">
<text x="10" y="10" font-size="3" fill="#000">FIRST</text>
<text x="{x}" y="20" font-size="{size}" fill="{ink}">WORD</text>
<line x1="0" y1="40" x2="90" y2="40" stroke="{colour}"{width} fill="none"/></svg>"""

GOOD = {"x": 10, "size": 3, "ink": "#000", "colour": "#000", "width": ' stroke-width="0.2"'}

SPOILED = {
    "capitals below 2 mm": {"size": 2.7},
    "WORD: not on the page": {"x": 98},
    "FIRST and WORD: overlap": {"size": 14},
    "coloured: #f00": {"colour": "#f00"},
    "a line is too thin": {"width": ' stroke-width="0.1"'},
    "a line has no width": {"width": ""},
    "WORD: not black": {"ink": "#fff"},
}


@pytest.mark.parametrize("words", SPOILED)
def test_a_spoiled_page_is_found_out(words: str) -> None:
    found = list(problems(PAGE.format(**GOOD | SPOILED[words])))
    assert any(problem.startswith(words) for problem in found), found


@pytest.mark.parametrize(
    ("name", "maker", "dimension"),
    [
        ("template.dxf", template_dxf, "tube_pitch"),
        ("template.svg", template_svg, "ring_outer_diameter"),
        ("sensor-heights.svg", section_svg, "ring_thickness"),
        ("magnets.svg", magnets_svg, "magnet_thickness"),
    ],
)
def test_another_dimension_gives_another_file(name: str, maker: Callable[[Wiring], str], dimension: str) -> None:
    wiring = changed(FULL, **{dimension: getattr(FULL.geometry, dimension) + 0.7})
    assert maker(wiring) != files("reference")[name]


def test_every_sign_of_the_template_is_explained() -> None:
    words = " ".join(text.words for text in drawing_of("reference", "template.svg").layer("LEGEND", "text"))
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
    sheet = " ".join(text.words for text in drawing_of("reference", "template-a4-1.svg").layer("LEGEND", "text"))
    assert "seam" in sheet
