"""Rules for every drawing that is printed in black and white: legible, nothing over anything, no colours."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import combinations

import pytest

from tests.wiring.mechanics.boards import BOARDS, files
from tests.wiring.mechanics.drawings import CAPITALS, Box, read


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
