"""Reads a sheet as one sees it: texts with their space, and lines. Nothing of `wiring.make` is used."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import pairwise
from xml.etree import ElementTree

_SVG = "{http://www.w3.org/2000/svg}"


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle on the paper, in millimetres."""

    left: float
    top: float
    right: float
    bottom: float

    def meets(self, other: Box, gap: float = 0.0) -> bool:
        return (
            self.left < other.right + gap
            and other.left < self.right + gap
            and self.top < other.bottom + gap
            and other.top < self.bottom + gap
        )

    def within(self, other: Box) -> bool:
        return (
            self.left >= other.left
            and self.top >= other.top
            and self.right <= other.right
            and self.bottom <= other.bottom
        )

    def wider(self, gap: float) -> Box:
        return Box(self.left - gap, self.top - gap, self.right + gap, self.bottom + gap)


@dataclass(frozen=True, slots=True)
class Text:
    """A text, its box, its size, and the data of the groups that it is in, the innermost last."""

    words: str
    box: Box
    size: float
    groups: tuple[dict[str, str], ...]

    def data(self, key: str) -> str | None:
        """The attribute of the innermost group that has it."""
        return next((group[key] for group in reversed(self.groups) if key in group), None)


@dataclass(frozen=True)
class Shape:
    """Lines drawn as one, from point to point; ``ref`` is the part that they are the symbol of."""

    points: tuple[tuple[float, float], ...]
    ref: str | None

    @cached_property
    def bounds(self) -> Box:
        """The rectangle around it, a little wider: a level line runs through what it touches."""
        xs, ys = [x for x, _ in self.points], [y for _, y in self.points]
        return Box(min(xs), min(ys), max(xs), max(ys)).wider(1e-6)

    @property
    def outline(self) -> Box | None:
        """The rectangle, when it is a closed one."""
        xs, ys = {x for x, _ in self.points}, {y for _, y in self.points}
        if self.points[0] != self.points[-1] or len(xs) != 2 or len(ys) != 2:
            return None
        return Box(min(xs), min(ys), max(xs), max(ys))


@dataclass(frozen=True)
class Paper:
    """A sheet."""

    attributes: dict[str, str]
    texts: tuple[Text, ...]
    shapes: tuple[Shape, ...]
    colours: frozenset[str]

    def pins(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The texts at each pin by part and number; raises where a pin drawn twice differs."""
        found: dict[tuple[str, str], list[str]] = {}
        groups: dict[int, tuple[str, str]] = {}
        for text in self.texts:
            if text.groups and "data-pin" in text.groups[-1]:
                groups[id(text.groups[-1])] = text.groups[-1]["data-ref"], text.groups[-1]["data-pin"]
        for group, key in groups.items():
            words = [each.words for each in self.texts if each.groups and id(each.groups[-1]) == group]
            assert found.setdefault(key, words) == words, f"{key} is drawn as {found[key]} and as {words}"
        return {key: tuple(words) for key, words in found.items()}


def read(svg: str) -> Paper:
    """The sheet in an SVG file. Raises for an element that this reader does not know."""
    root = ElementTree.fromstring(svg)
    texts, shapes = list(_texts(root, ())), list(_shapes(root, None))
    colours = re.findall(r"(?:fill|stroke)(?::|=\")([^;\"]+)", svg)
    return Paper(dict(root.attrib), tuple(texts), tuple(shapes), frozenset(colours))


def _texts(element: ElementTree.Element, groups: tuple[dict[str, str], ...]) -> Iterator[Text]:
    for child in element:
        if child.tag == f"{_SVG}g":
            data = {key: value for key, value in child.attrib.items() if key.startswith("data-")}
            yield from _texts(child, (*groups, data))
        elif child.tag == f"{_SVG}text":
            words, size = child.text or "", float(child.attrib["font-size"])
            x, y = float(child.attrib["x"]), float(child.attrib["y"])
            width, rise, fall = _metrics(words, child.attrib.get("font-weight") == "bold")
            shift = {"start": 0.0, "middle": 0.5, "end": 1.0}[child.attrib.get("text-anchor", "start")]
            left = x - shift * width * size
            yield Text(words, Box(left, y - rise * size, left + width * size, y + fall * size), size, groups)


#: Widths of the letters of DejaVu Sans, in shares of the type size; all others are 0.65, bold ones a ninth wider.
_WIDTHS = {
    letter: width / 100
    for width, letters in {
        30: "'iljIJ \xa0.,·’", 35: ":;/\\|f-", 40: "()[]t!²³r", 50: "_–*°`“”sz", 55: "?cL", 60: "Fkvxy⌀PTYoöaäe",
        70: "AVXZBRC", 75: "UNHΩD", 80: "G&OQw", 85: "−~=→<>≤≥×+±#^M", 95: "%m", 100: "W…—@",
    }.items()
    for letter in letters
}  # fmt: skip
_LOW = set(" \xa0.,·:;-r_–szcvxy⌀oaenugpqµw−~=→<>≤≥×m…—")
_DEEP = set("jJ|_ygpqµ${}Q@")
_LESS_DEEP = set(",;/\\()[]")


@cache
def _metrics(words: str, bold: bool) -> tuple[float, float, float]:
    """Width of a text, and how far it goes above and below its line, for a size of one."""
    width = sum(_WIDTHS.get(letter, 0.65) for letter in words) * (1.11 if bold else 1.0)
    return (
        width,
        0.56 if set(words) <= _LOW else 0.76,
        0.24 if _DEEP & set(words) else 0.13 if _LESS_DEEP & set(words) else 0.0,
    )


def _shapes(element: ElementTree.Element, ref: str | None) -> Iterator[Shape]:
    for child in element:
        tag = child.tag.removeprefix(_SVG)
        if tag == "g":
            yield from _shapes(child, child.attrib.get("data-ref", ref))
        elif tag == "path":
            yield from (Shape(points, ref) for points in _path(child.attrib["d"]))
        elif tag in ("polygon", "polyline"):
            points = [tuple(map(float, pair.split(","))) for pair in child.attrib["points"].split()]
            corners = [(x, y) for x, y in points]
            yield Shape(tuple([*corners, corners[0]] if tag == "polygon" else corners), ref)
        elif tag == "circle":
            x, y, r = (float(child.attrib[key]) for key in ("cx", "cy", "r"))
            yield Shape(((x - r, y), (x, y - r), (x + r, y), (x, y + r), (x - r, y)), ref)
        else:
            assert tag in ("text", "title") or child.attrib.get("fill") == "white", f"unknown element {tag}"


def _path(words: str) -> Iterator[tuple[tuple[float, float], ...]]:
    """The lines of a path of straight lines."""
    assert set(re.findall("[A-Za-z]", words)) <= set("MLZ"), words
    for piece in words.split("M")[1:]:
        numbers = [float(number) for number in re.findall(r"-?[\d.]+", piece)]
        points = list(zip(numbers[::2], numbers[1::2], strict=True))
        yield tuple([*points, points[0]] if "Z" in piece else points)


def crosses(shape: Shape, box: Box) -> bool:
    """True where a line of a shape runs through a box."""
    return any(_cuts(start, end, box) for start, end in pairwise(shape.points))


def _cuts(start: tuple[float, float], end: tuple[float, float], box: Box) -> bool:
    """True where a line from point to point has a part inside a box, which clips it side by side."""
    enters, leaves = 0.0, 1.0
    sides = ((box.left, box.right), (box.top, box.bottom))
    for a, b, (low, high) in zip(start, end, sides, strict=True):
        if a == b:
            if not low < a < high:
                return False
            continue
        one, other = sorted(((low - a) / (b - a), (high - a) / (b - a)))
        enters, leaves = max(enters, one), min(leaves, other)
    return enters < leaves
