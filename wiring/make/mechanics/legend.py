"""The legends of the drawings: each sign once, with its meaning."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from tamsk_hw.board.wiring_map import Geometry
from wiring.make.mechanics.layout import Point, column_distance, foot_radius, screw_circle
from wiring.make.mechanics.parts import PARTS
from wiring.make.mechanics.shapes import (
    DASHED,
    GREY,
    MEDIUM,
    THICK,
    THIN,
    Circle,
    Line,
    Pen,
    Shape,
    Text,
    arrow,
    moved,
    rectangle,
)

#: Type and line distance of the legend, and the room for a sign, millimetres.
SIZE: Final = 3.0
LINE: Final = 4.2
SIGN_WIDTH: Final = 12.0

#: The line along which sheets meet.
SEAM: Final = Pen(0.3, (6.0, 1.5, 1.0, 1.5))

_LAYER: Final = "LEGEND"


@dataclass(frozen=True, slots=True)
class Entry:
    """A sign, drawn around (0, 0) within 5 mm to each side, and the lines of words beside it."""

    sign: tuple[Shape, ...]
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        """Millimetres that the entry takes."""
        return max(7.4, LINE * len(self.lines) + 0.9)


def board_entries(geometry: Geometry) -> tuple[Entry, ...]:
    """The signs of the template."""
    steel = f"Nothing of steel within {PARTS.steel_distance:g} mm of any axis."
    screwed = screw_circle(geometry) is not None
    entries = [
        Entry(
            (Circle(_LAYER, 0, 0, 3.2, THICK),),
            (
                f"tube, ⌀ {geometry.tube_outer_diameter:g} outside, with its name;",
                "TIMER is the cradle: one level, no rings",
            ),
        ),
        Entry(
            (Circle(_LAYER, 0, 0, 3.2, DASHED),),
            (f"rings, ⌀ {geometry.ring_outer_diameter:g} outside",),
        ),
        Entry((Circle(_LAYER, 0, 0, 3.2, GREY),), (f"foot of the tube, ⌀ {2 * foot_radius(geometry):g}",)),
        Entry(
            (Circle(_LAYER, 0, 0, 2.6), Line(_LAYER, -3.8, 0, 3.8, 0), Line(_LAYER, 0, -3.8, 0, 3.8)),
            (f"drill ⌀ {PARTS.drill_diameter:g} through, on the axis,", "for the wires of the sensors"),
        ),
        Entry(
            (rectangle(_LAYER, -1.6, -1.3, 1.6, 1.3, THIN), Circle(_LAYER, 0, 0, 0.5, THIN, "#000")),
            ("Hall sensor, in the foot; the dot is its die,", "exactly on the axis"),
        ),
        Entry(
            (
                Circle(_LAYER, 0, -1.4, 2.0, MEDIUM),
                Line(_LAYER, -2.6, -1.4, 2.6, -1.4),
                Line(_LAYER, 0, -4.0, 0, 1.2),
                Text(_LAYER, 0, 1.6, SIZE, "7", "middle"),
            ),
            (
                f"drill ⌀ {PARTS.window_diameter:g} through: clear rod, pixel below;",
                "number: its place on the data line, from 0",
            ),
        ),
        Entry(
            (rectangle(_LAYER, -4.5, -1.8, -2.8, 1.8, None, "#000"), *arrow(_LAYER, -2.2, 0, 4.5, 0)),
            ("ring sensors of all levels; the arrow is", "where they look: all east, from A to G"),
        ),
        Entry(
            (
                Circle(_LAYER, 0, 0, 1.0, THIN),
                Line(_LAYER, -1.5, 0, 1.5, 0),
                Line(_LAYER, 0, -1.5, 0, 1.5),
            ),
            (f"drill ⌀ {PARTS.pilot_hole:g}: brass screw M2.5 and nut.", steel),
        )
        if screwed
        else Entry((), ("The feet are glued.", steel)),
        Entry(
            (
                Line(_LAYER, 0, 1.6, 0, 4.2),
                Line(_LAYER, 0, -1.6, 0, -4.2),
                Text(_LAYER, 0, -0.36 * SIZE, SIZE, f"{geometry.tube_pitch:.1f}", "middle"),
            ),
            (
                f"axis to axis, Hall to Hall: {geometry.tube_pitch:g} mm for all",
                f"tubes that touch; columns {column_distance(geometry):.2f} mm apart",
            ),
        ),
    ]
    return tuple(entries)


def seam_entry() -> Entry:
    """The signs where sheets meet."""
    return Entry(
        (Line(_LAYER, -5.5, 0, 5.5, 0, SEAM), *cross(Point(0.0, 0.0), _LAYER)),
        ("seam: cut one sheet here, lay it on its", "neighbour's seam, cross on cross"),
    )


def cross(place: Point, layer: str = "SEAM") -> list[Shape]:
    """A mark that two neighbouring sheets have at the same place of the board."""
    return [
        Circle(layer, place.x, place.y, 2.0, THIN),
        Line(layer, place.x - 4.0, place.y, place.x + 4.0, place.y),
        Line(layer, place.x, place.y - 4.0, place.x, place.y + 4.0),
    ]


def legend_height(entries: Sequence[Entry], columns: int) -> float:
    """Millimetres that `legend` takes from its top down."""
    return max(sum(entry.height for entry in column) for column in _columns(entries, columns))


def legend(entries: Sequence[Entry], left: float, top: float, columns: int, width: float) -> list[Shape]:
    """The entries in columns, each ``width`` millimetres wide."""
    shapes: list[Shape] = []
    for place, column in enumerate(_columns(entries, columns)):
        x, y = left + place * width, top
        for entry in column:
            middle = y - entry.height / 2
            shapes += moved(entry.sign, x + SIGN_WIDTH / 2, middle)
            first = middle + LINE * (len(entry.lines) - 1) / 2 - 0.36 * SIZE
            for line, words in enumerate(entry.lines):
                shapes.append(Text(_LAYER, x + SIGN_WIDTH + 1.0, first - LINE * line, SIZE, words))
            y -= entry.height
    return shapes


def _columns(entries: Sequence[Entry], columns: int) -> list[Sequence[Entry]]:
    each = -(-len(entries) // columns)
    return [entries[start : start + each] for start in range(0, len(entries), each)]
