"""The reader of sheets sees what is wrong with a page, so that a page without fault means something."""

from __future__ import annotations

import pytest

from tests.wiring.schematics.paper import Box, Paper, Text, crosses, read

PAGE = """<svg xmlns="http://www.w3.org/2000/svg" width="297mm" height="210mm">
<text x="20" y="30" font-size="3">WORD</text>
<g data-ref="U1"><g data-ref="U1" data-pin="4"><text x="{x}" y="{y}" font-size="3">4</text></g></g>
{shapes}
</svg>"""


def page(shapes: str = "", x: float = 100, y: float = 100) -> Paper:
    return read(PAGE.format(shapes=shapes, x=x, y=y))


def word(paper: Paper) -> Text:
    return paper.texts[0]


def test_a_text_takes_about_the_space_that_it_is_printed_in() -> None:
    box = word(page()).box
    assert box.left == 20
    assert 28 <= box.right <= 31
    assert 27 <= box.top <= 28.3
    assert 29.9 <= box.bottom <= 30.8


@pytest.mark.parametrize(
    "shape",
    [
        '<path d="M 10,29 L 50,29" />',
        '<path d="M 25,10 L 25,28.5" />',
        '<path d="M 0,10 L 0,11 M 15,24 L 35,34" />',
        '<polygon points="24,29 25,29.2 24.5,28.5" />',
        '<polyline points="10,29 50,29" />',
        '<circle cx="25" cy="29" r="1" />',
        '<path d="M 22 20 L 22 40 L 21 40 Z" />',
    ],
)
def test_a_line_through_a_text_is_seen(shape: str) -> None:
    paper = page(shape)
    assert any(crosses(shape, word(paper).box) for shape in paper.shapes)


@pytest.mark.parametrize(
    "shape",
    [
        '<path d="M 10,31.5 L 50,31.5" />',
        '<path d="M 35,10 L 35,50" />',
        '<path d="M 10,29 L 19.5,29 M 33,29 L 50,29" />',
        '<path d="M 10,20 L 40,20 L 40,40 L 10,40 L 10,20" />',
    ],
)
def test_a_line_beside_a_text_or_round_it_is_not(shape: str) -> None:
    paper = page(shape)
    assert not any(crosses(shape, word(paper).box) for shape in paper.shapes)


@pytest.mark.parametrize(("x", "y", "overlap"), [(25, 31, True), (29, 33.5, False), (40, 30, False)])
def test_texts_on_one_another_are_seen(x: float, y: float, overlap: bool) -> None:
    paper = page(x=x, y=y)
    assert paper.texts[0].box.meets(paper.texts[1].box) == overlap


def test_an_outline_is_a_closed_rectangle() -> None:
    closed, other = page('<path d="M 1,2 L 5,2 L 5,9 L 1,9 L 1,2 M 0,0 L 4,4" />').shapes
    assert closed.outline == Box(1, 2, 5, 9)
    assert other.outline is None


def test_a_pin_is_read_by_its_texts() -> None:
    assert page().pins() == {("U1", "4"): ("4",)}


def test_what_it_does_not_know_it_refuses() -> None:
    with pytest.raises(AssertionError, match="unknown element ellipse"):
        page("<ellipse />")
    with pytest.raises(AssertionError):
        page('<path d="M 0,0 C 1,1 2,2 3,3" />')
