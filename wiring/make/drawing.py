"""Shapes of a drawing in millimetres, x to the right, y up; and as SVG at true scale."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import Final, Literal, TypeAlias
from xml.sax.saxutils import escape, quoteattr

from wiring.make.texts import places

Anchor: TypeAlias = Literal["start", "middle", "end"]
Ink: TypeAlias = Literal["#000", "#666", "#ccc", "#fff"]
Bounds: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right, top."""

#: Width of a letter in text heights, on the generous side.
LETTER: Final = 0.62


@dataclass(frozen=True, slots=True)
class Pen:
    """The look of a line: ``width`` in millimetres, ``dash`` as alternating lengths of line and gap."""

    width: float
    dash: tuple[float, ...] = ()
    ink: Ink = "#000"


THIN: Final = Pen(0.18)
MEDIUM: Final = Pen(0.3)
THICK: Final = Pen(0.5)
GREY: Final = Pen(0.25, ink="#666")
DASHED: Final = Pen(0.25, (2.0, 1.2))


@dataclass(frozen=True, slots=True)
class Circle:
    """A circle."""

    layer: str
    x: float
    y: float
    radius: float
    pen: Pen = MEDIUM
    fill: Ink | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A straight line."""

    layer: str
    x1: float
    y1: float
    x2: float
    y2: float
    pen: Pen = THIN


@dataclass(frozen=True, slots=True)
class Polygon:
    """A closed outline."""

    layer: str
    points: tuple[tuple[float, float], ...]
    pen: Pen | None = MEDIUM
    fill: Ink | None = None


@dataclass(frozen=True, slots=True)
class Text:
    """One line of words: ``y`` is the baseline, ``size`` the height of the type (capitals have 0.73 of it)."""

    layer: str
    x: float
    y: float
    size: float
    words: str
    anchor: Anchor = "start"
    bold: bool = False
    ink: Ink = "#000"

    @property
    def width(self) -> float:
        """About how wide the words are, millimetres."""
        return text_width(self.words, self.size, bold=self.bold)


Shape: TypeAlias = Circle | Line | Polygon | Text


def text_width(words: str, size: float, *, bold: bool = False) -> float:
    """About how wide ``words`` are in type of ``size``, in the same unit."""
    return len(words) * size * (LETTER * 1.1 if bold else LETTER)


def rectangle(
    layer: str,
    left: float,
    bottom: float,
    right: float,
    top: float,
    pen: Pen | None = MEDIUM,
    fill: Ink | None = None,
) -> Polygon:
    """An upright rectangle."""
    return Polygon(layer, ((left, bottom), (right, bottom), (right, top), (left, top)), pen, fill)


def arrow(
    layer: str, x1: float, y1: float, x2: float, y2: float, *, head: float = 1.8, pen: Pen = MEDIUM
) -> list[Shape]:
    """A line with a filled head, ``head`` long, at its second end."""
    length = ((x2 - x1) ** 2 + (y2 - y1) ** 2) ** 0.5
    along_x, along_y = (x2 - x1) / length, (y2 - y1) / length
    back_x, back_y = x2 - head * along_x, y2 - head * along_y
    side_x, side_y = -along_y * head * 0.35, along_x * head * 0.35
    points = ((x2, y2), (back_x + side_x, back_y + side_y), (back_x - side_x, back_y - side_y))
    return [Line(layer, x1, y1, back_x, back_y, pen), Polygon(layer, points, None, "#000")]


def bounds(shape: Shape) -> Bounds:
    """The rectangle around a shape; around words it is an estimate on the generous side."""
    match shape:
        case Circle(x=x, y=y, radius=radius, pen=pen):
            reach = radius + pen.width / 2
            return x - reach, y - reach, x + reach, y + reach
        case Line():
            xs, ys, half = (shape.x1, shape.x2), (shape.y1, shape.y2), shape.pen.width / 2
            return min(xs) - half, min(ys) - half, max(xs) + half, max(ys) + half
        case Polygon(points=points, pen=pen):
            half = pen.width / 2 if pen else 0.0
            across, up = [point[0] for point in points], [point[1] for point in points]
            return min(across) - half, min(up) - half, max(across) + half, max(up) + half
        case Text():
            left = shape.x - shape.width * {"start": 0.0, "middle": 0.5, "end": 1.0}[shape.anchor]
            return left, shape.y - 0.25 * shape.size, left + shape.width, shape.y + 0.8 * shape.size


def within(shapes: Iterable[Shape], left: float, bottom: float, right: float, top: float) -> list[Shape]:
    """The shapes that may lie partly within this rectangle."""
    kept = []
    for shape in shapes:
        x1, y1, x2, y2 = bounds(shape)
        if x1 <= right and x2 >= left and y1 <= top and y2 >= bottom:
            kept.append(shape)
    return kept


def moved(shapes: Iterable[Shape], x: float, y: float) -> list[Shape]:
    """The shapes at another place."""
    result: list[Shape] = []
    for shape in shapes:
        match shape:
            case Line():
                ends = (shape.x1 + x, shape.y1 + y, shape.x2 + x, shape.y2 + y)
                result.append(Line(shape.layer, *ends, shape.pen))
            case Polygon():
                result.append(replace(shape, points=tuple((a + x, b + y) for a, b in shape.points)))
            case _:
                result.append(replace(shape, x=shape.x + x, y=shape.y + y))
    return result


FONT: Final = "DejaVu Sans, Verdana, Arial, sans-serif"


def document(picture: str) -> str:
    """A whole SVG file of a picture."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{picture}\n'


def picture(title: str, view: Bounds, content: Sequence[str]) -> str:
    """The ``svg`` element that shows ``view`` (left, bottom, right, top) of ``content``, one to one."""
    left, bottom, right, top = view
    width, height = places(right - left), places(top - bottom)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="{places(left)} {places(-top)} {width} {height}" font-family={quoteattr(FONT)}>',
        f"<title>{escape(title)}</title>",
        f'<rect x="{places(left)}" y="{places(-top)}" width="{width}" height="{height}" fill="#fff"/>',
        *content,
        "</svg>",
    ]
    return "\n".join(lines)


def opening(left: float, top: float, view: Bounds, content: Sequence[str]) -> list[str]:
    """A window at ``left``, ``top`` (y up) that shows only ``view`` of another drawing, one to one."""
    x1, y1, x2, y2 = view
    width, height = places(x2 - x1), places(y2 - y1)
    return [
        f'<svg x="{places(left)}" y="{places(-top)}" width="{width}" height="{height}" '
        f'viewBox="{places(x1)} {places(-y2)} {width} {height}" overflow="hidden">',
        *content,
        "</svg>",
    ]


def drawn(shapes: Iterable[Shape]) -> list[str]:
    """The shapes as SVG elements in their order; those of one layer that follow each other share a group."""
    lines = []
    for layer, run in groupby(shapes, key=lambda shape: shape.layer):
        lines += [f"<g data-layer={quoteattr(layer)}>", *map(_element, run), "</g>"]
    return lines


def _element(shape: Shape) -> str:
    match shape:
        case Circle():
            place = f'cx="{places(shape.x)}" cy="{places(-shape.y)}" r="{places(shape.radius)}"'
            return f"<circle {place}{_look(shape.pen, shape.fill)}/>"
        case Line():
            start = f'x1="{places(shape.x1)}" y1="{places(-shape.y1)}"'
            end = f'x2="{places(shape.x2)}" y2="{places(-shape.y2)}"'
            return f"<line {start} {end}{_look(shape.pen, None)}/>"
        case Polygon():
            points = " ".join(f"{places(x)},{places(-y)}" for x, y in shape.points)
            return f'<polygon points="{points}"{_look(shape.pen, shape.fill)}/>'
        case Text():
            anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
            weight = ' font-weight="bold"' if shape.bold else ""
            return (
                f'<text x="{places(shape.x)}" y="{places(-shape.y)}" font-size="{places(shape.size)}"'
                f'{anchor}{weight} fill="{shape.ink}">{escape(shape.words)}</text>'
            )


def _look(pen: Pen | None, fill: Ink | None) -> str:
    text = f' fill="{fill or "none"}"'
    if pen is None:
        return text
    text += f' stroke="{pen.ink}" stroke-width="{places(pen.width)}"'
    if pen.dash:
        text += f' stroke-dasharray="{" ".join(map(places, pen.dash))}"'
    return text
