"""Reads SVG drawings: the marks, their places on the page and on the board, in millimetres with y up."""

import xml.etree.ElementTree as ElementTree
from dataclasses import dataclass, field

_SVG = "{http://www.w3.org/2000/svg}"

#: Width of a letter in type sizes, on the generous side.
LETTER = 0.62


Box = tuple[float, float, float, float]
"""Left, bottom, right, top."""


@dataclass(frozen=True)
class Mark:
    """Something drawn. ``points`` are its places as written, with y turned up; ``move`` leads to the page."""

    kind: str
    layer: str
    points: tuple[tuple[float, float], ...]
    radius: float
    words: str
    attributes: dict[str, str]
    move: tuple[float, float]
    window: Box | None
    """The part of the page that may show it; None: all."""

    @property
    def place(self) -> tuple[float, float]:
        """Its first point."""
        return self.points[0]

    @property
    def size(self) -> float:
        """Of words: the height of the type."""
        return float(self.attributes["font-size"])

    @property
    def stroke(self) -> float:
        """Width of its line; 0 without one."""
        return float(self.attributes.get("stroke-width", "0"))

    @property
    def box(self) -> Box:
        """The rectangle that it takes, lines' widths included, in the coordinates of its points."""
        if self.kind == "text":
            bold = 1.1 if "font-weight" in self.attributes else 1.0
            width = LETTER * bold * self.size * len(self.words)
            share = {"middle": 0.5, "end": 1.0}.get(self.attributes.get("text-anchor", ""), 0.0)
            x, y = self.place
            return x - share * width, y - 0.2 * self.size, x + (1 - share) * width, y + 0.75 * self.size
        reach = self.radius + self.stroke / 2
        xs, ys = [point[0] for point in self.points], [point[1] for point in self.points]
        return min(xs) - reach, min(ys) - reach, max(xs) + reach, max(ys) + reach


@dataclass
class Drawing:
    """A drawing: its size on paper, what it shows, its marks, and its windows onto other drawings."""

    width: float
    height: float
    view: Box
    marks: list[Mark] = field(default_factory=list)
    windows: list[tuple[Box, Box]] = field(default_factory=list)
    """Pairs of rectangles: where on the page, and what is shown there."""

    def layer(self, layer: str, kind: str = "") -> list[Mark]:
        """The marks of a layer, of one kind if that is given."""
        return [mark for mark in self.marks if mark.layer == layer and kind in ("", mark.kind)]

    def texts(self) -> list[Mark]:
        """All words."""
        return [mark for mark in self.marks if mark.kind == "text"]


def read(text: str) -> Drawing:
    """The drawing in an SVG file. One unit must be one millimetre, in windows too."""
    return read_element(ElementTree.fromstring(text.encode()))


def read_element(root: ElementTree.Element) -> Drawing:
    """The drawing in an ``svg`` element."""
    assert root.tag == _SVG + "svg"
    width, height = root.get("width", ""), root.get("height", "")
    assert width.endswith("mm")
    assert height.endswith("mm")
    view = _view(root)
    drawing = Drawing(float(width[:-2]), float(height[:-2]), view)
    assert root.attrib["viewBox"].split()[2:] == [width[:-2], height[:-2]]
    _collect(drawing, root, "", (0.0, 0.0), None)
    return drawing


def _view(element: ElementTree.Element) -> Box:
    left, top, width, height = map(float, element.get("viewBox", "").split())
    return left, -top - height, left + width, -top


def _collect(
    drawing: Drawing, parent: ElementTree.Element, layer: str, move: tuple[float, float], window: Box | None
) -> None:
    for element in parent:
        assert "transform" not in element.attrib
        kind = element.tag.removeprefix(_SVG)
        if kind == "g":
            _collect(drawing, element, element.get("data-layer", ""), move, window)
        elif kind == "svg":
            assert window is None
            x, y = float(element.get("x", "0")), -float(element.get("y", "0"))
            width, height = float(element.get("width", "0")), float(element.get("height", "0"))
            view = _view(element)
            assert abs(view[2] - view[0] - width) < 1e-9
            assert abs(view[3] - view[1] - height) < 1e-9
            assert element.get("overflow") == "hidden"
            place = (x, y - height, x + width, y)
            drawing.windows.append((place, view))
            _collect(drawing, element, "", (x - view[0], y - view[3]), place)
        elif kind not in ("title", "rect"):
            drawing.marks.append(_mark(element, kind, layer, move, window))


def _mark(
    element: ElementTree.Element, kind: str, layer: str, move: tuple[float, float], window: Box | None
) -> Mark:
    def value(name: str) -> float:
        return float(element.attrib[name])

    radius = 0.0
    if kind == "circle":
        points: tuple[tuple[float, float], ...] = ((value("cx"), -value("cy")),)
        radius = value("r")
    elif kind == "line":
        points = ((value("x1"), -value("y1")), (value("x2"), -value("y2")))
    elif kind == "text":
        points = ((value("x"), -value("y")),)
    else:
        assert kind == "polygon", kind
        pairs = [pair.split(",") for pair in element.attrib["points"].split()]
        points = tuple((float(x), -float(y)) for x, y in pairs)
    return Mark(kind, layer, points, radius, element.text or "", dict(element.attrib), move, window)
