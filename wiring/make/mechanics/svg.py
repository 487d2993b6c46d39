"""Writes shapes as SVG at true scale: one unit is one millimetre."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from wiring.make.mechanics.shapes import Bounds, Circle, Ink, Line, Pen, Polygon, Shape, Text
from wiring.make.numbers import places

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
