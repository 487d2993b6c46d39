"""Writes shapes as SVG at true scale: one unit is one millimetre."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from wiring.make.mechanics.shapes import Bounds, Circle, Ink, Line, Pen, Polygon, Shape, Text

FONT: Final = "DejaVu Sans, Verdana, Arial, sans-serif"


def number(value: float) -> str:
    """A length with at most three decimals, without zeros at its end."""
    text = f"{value:.3f}".rstrip("0").rstrip(".")
    return "0" if text == "-0" else text


def document(title: str, view: Bounds, content: Sequence[str]) -> str:
    """A whole SVG file that shows ``view`` (left, bottom, right, top) of what ``content`` draws, one to one."""
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{picture(title, view, content)}\n'


def picture(title: str, view: Bounds, content: Sequence[str]) -> str:
    """The ``svg`` element of `document`, to be put into a page."""
    left, bottom, right, top = view
    width, height = number(right - left), number(top - bottom)
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}mm" height="{height}mm" '
        f'viewBox="{number(left)} {number(-top)} {width} {height}" font-family={quoteattr(FONT)}>',
        f"<title>{escape(title)}</title>",
        f'<rect x="{number(left)}" y="{number(-top)}" width="{width}" height="{height}" fill="#fff"/>',
        *content,
        "</svg>",
    ]
    return "\n".join(lines)


def opening(left: float, top: float, view: Bounds, content: Sequence[str]) -> list[str]:
    """A window at ``left``, ``top`` (y up) that shows ``view`` of another drawing, one to one, and no more."""
    x1, y1, x2, y2 = view
    width, height = number(x2 - x1), number(y2 - y1)
    return [
        f'<svg x="{number(left)}" y="{number(-top)}" width="{width}" height="{height}" '
        f'viewBox="{number(x1)} {number(-y2)} {width} {height}" overflow="hidden">',
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
            place = f'cx="{number(shape.x)}" cy="{number(-shape.y)}" r="{number(shape.radius)}"'
            return f"<circle {place}{_look(shape.pen, shape.fill)}/>"
        case Line():
            start = f'x1="{number(shape.x1)}" y1="{number(-shape.y1)}"'
            end = f'x2="{number(shape.x2)}" y2="{number(-shape.y2)}"'
            return f"<line {start} {end}{_look(shape.pen, None)}/>"
        case Polygon():
            points = " ".join(f"{number(x)},{number(-y)}" for x, y in shape.points)
            return f'<polygon points="{points}"{_look(shape.pen, shape.fill)}/>'
        case Text():
            anchor = "" if shape.anchor == "start" else f' text-anchor="{shape.anchor}"'
            weight = ' font-weight="bold"' if shape.bold else ""
            return (
                f'<text x="{number(shape.x)}" y="{number(-shape.y)}" font-size="{number(shape.size)}"'
                f'{anchor}{weight} fill="{shape.ink}">{escape(shape.words)}</text>'
            )


def _look(pen: Pen | None, fill: Ink | None) -> str:
    text = f' fill="{fill or "none"}"'
    if pen is None:
        return text
    text += f' stroke="{pen.ink}" stroke-width="{number(pen.width)}"'
    if pen.dash:
        text += f' stroke-dasharray="{" ".join(map(number, pen.dash))}"'
    return text
