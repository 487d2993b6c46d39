"""The symbols of the schematic.

All their texts come from the circuit. Each part is a group ``data-ref``; in it each pin is a
group ``data-ref`` and ``data-pin`` with the pin's number, its name and its net as texts, in this order. The pin of
a connector is called after its net, so it has no name; of a resistor and its like only the nets are written.
"""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal
from xml.etree import ElementTree

import schemdraw.elements as elm
from schemdraw.elements import Element2Term

from wiring.make.circuit import Kind, Part, Terminal
from wiring.make.schematic_page import MIDDLE, UNIT, Anchor, Point, Sheet, unit_point, width_of

#: From pin to pin, and how long the lead of a pin is.
PITCH, LEAD = 5.0, 7.0

#: From a wire up to the baseline of its text.
ABOVE = 1.0

#: The text in place of a net at a pin that is left open on purpose.
OPEN: Final = "open"

#: The place of a lead's net: beyond its end, or along the wire.
Place = Literal["end", "along"]


@dataclass(frozen=True, slots=True)
class Sides:
    """The pins of a box by name: down the left side, down the right side."""

    left: tuple[str, ...]
    right: tuple[str, ...]


def as_package(kind: Kind) -> Sides:
    """As seen from above: pin 1 at the upper left, then down and up again on the other side."""
    names = tuple(pin.name for pin in kind.pins)
    half = (len(names) + 1) // 2
    return Sides(names[:half], names[: half - 1 : -1])


def as_header(kind: Kind) -> Sides:
    """Two rows of pins: odd numbers at the left, even ones at the right."""
    names = tuple(pin.name for pin in kind.pins)
    return Sides(names[::2], names[1::2])


def box_size(part: Part, sides: Sides) -> Point:
    """Width and height of the box of a part, without its leads."""
    named = not _is_connector(part)
    widths = [max((width_of(name) for name in side), default=0.0) for side in (sides.left, sides.right)]
    width = sum(widths) + 6 if named else 10.0
    return max(width, 14.0 if named else 10.0), PITCH * max(len(sides.left), len(sides.right)) + PITCH / 2


def box(
    sheet: Sheet,
    part: Part,
    corner: Point,
    sides: Sides | None = None,
    *,
    wired: Collection[str] = (),
    width: float = 0.0,
    title: Anchor = "start",
) -> Mapping[str, Point]:
    """A part as a box with its upper left ``corner``; gives the ends of its leads by the names of the pins.

    The net stands beyond the end of the lead, or for pins that are ``wired``, above the wire that goes on there.
    ``title`` is the edge of the box with which the texts above it are flush.
    """
    sides = sides or as_package(part.kind)
    own, height = box_size(part, sides)
    width = width or own
    x, y = corner
    group = sheet.group(ref=part.ref)
    flush = x + width if title == "end" else x
    sheet.text(part.ref, (flush, y - 6), anchor=title, bold=True, size=3.2, group=group)
    sheet.text(part.value, (flush, y - 1.6), anchor=title, group=group)
    rows = max(len(sides.left), len(sides.right))
    body = elm.Ic(size=(width / UNIT, height / UNIT), pinspacing=PITCH / UNIT, leadlen=LEAD / UNIT)
    for row in range(rows):
        slot = f"{rows - row}/{rows}"
        if row < len(sides.left):
            body.pin("left", slot=slot)
        if row < len(sides.right):
            body.pin("right", slot=slot)
    sheet.draw(body.at(unit_point((x, y + height))), group)
    ends: dict[str, Point] = {}
    for names, edge, out in ((sides.left, x, -1), (sides.right, x + width, 1)):
        for row, name in enumerate(names):
            ends[name] = (edge + out * LEAD, y + PITCH * 0.75 + PITCH * row)
            _pin(sheet, part, name, ends[name], out, group, along=name in wired)
    return ends


def _pin(
    sheet: Sheet, part: Part, name: str, end: Point, out: int, group: ElementTree.Element, *, along: bool
) -> None:
    """The texts of a pin; ``out`` is where its lead points: -1 left, 1 right."""
    number = part.kind.pin(name).number
    outward: Anchor = "start" if out > 0 else "end"
    inward: Anchor = "end" if out > 0 else "start"
    texts = sheet.group(group, ref=part.ref, pin=number)
    x, y = end
    edge = x - out * LEAD
    sheet.text(number, (edge + out * 1.0, y - ABOVE), anchor=outward, group=texts)
    if not _is_connector(part):
        sheet.text(name, (edge - out * 1.5, y + MIDDLE), anchor=inward, group=texts)
    beyond = edge + out * max(LEAD + 1.0, width_of(number) + 2.5)
    at = (beyond, y - ABOVE) if along else (x + out * 1.2, y + MIDDLE)
    sheet.text(part.net(name) or OPEN, at, anchor=outward, group=texts)


def one_pin(sheet: Sheet, terminal: Terminal, corner: Point, width: float) -> Point:
    """A part of which only one pin is shown, at its left; gives the end of the lead."""
    name = terminal.pin.name
    return box(sheet, terminal.part, corner, Sides((name,), ()), wired=(name,), width=width)[name]


def through(sheet: Sheet, part: Part, x: float, rows: Mapping[str, float], width: float = 10.0) -> None:
    """A connector that wires go through from left to right, at these heights by the names of its pins.

    The numbers stand in the box, the nets above the wires at its right.
    """
    group = sheet.group(ref=part.ref)
    top, bottom = min(rows.values()) - 4, max(rows.values()) + 4
    sheet.text(part.ref, (x, top - 6), bold=True, size=3.2, group=group)
    sheet.text(part.value, (x, top - 1.6), group=group)
    sheet.box((x, top), (width, bottom - top), group)
    for name, y in rows.items():
        number = part.kind.pin(name).number
        texts = sheet.group(group, ref=part.ref, pin=number)
        sheet.text(number, (x + width / 2, y + MIDDLE), anchor="middle", group=texts)
        sheet.text(part.net(name) or OPEN, (x + width + 1.5, y - ABOVE), group=texts)


_TWO_LEADS: Final[Mapping[str, tuple[type[Element2Term], float]]] = {
    "resistor": (elm.ResistorIEC, 1.4),
    "capacitor": (elm.Capacitor, 1.7),
    "fuse": (elm.FuseIEC, 1.4),
    "button": (elm.Button, 1.6),
    "suppressor": (elm.DiodeTVS, 1.7),
    "zener": (elm.Zener, 1.7),
}
"""The symbol of a kind of part, and its enlargement over schemdraw's size."""

#: The least capacitance (F) whose plus is marked: such capacitors are electrolytic.
_ELECTROLYTIC: Final = 1e-6

#: The pin of a diode that its arrow points to; it is marked, too.
_CATHODE: Final = "K"

#: From the middle of a part that lies up to its designator: a button's knob is higher than a body.
_CLEAR: Final[Mapping[str, float]] = {"button": 5.6}


def two_leads(
    sheet: Sheet, part: Part, start: Point, end: Point, *, nets: tuple[Place, Place] = ("end", "end")
) -> None:
    """A part of two pins from ``start`` to ``end``: rightward or downward."""
    group = sheet.group(ref=part.ref)
    symbol, scale = _TWO_LEADS[part.kind.key]
    tail, tip = (end, start) if part.kind.pins[0].name == _CATHODE else (start, end)
    sheet.draw(symbol().scale(scale).at(unit_point(tail)).to(unit_point(tip)), group)
    upright = start[0] == end[0]
    x, y = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    if upright:
        sheet.text(part.ref, (x + 3.4, y - 0.6), bold=True, group=group)
        sheet.text(part.value, (x + 3.4, y + 3.2), group=group)
    else:
        sheet.text(part.ref, (x, y - _CLEAR.get(part.kind.key, 4.2)), anchor="middle", bold=True, group=group)
        sheet.text(part.value, (x, y + 4.6), anchor="middle", group=group)
    for pin, at, place, first in zip(part.kind.pins, (start, end), nets, (True, False), strict=True):
        texts = sheet.group(group, ref=part.ref, pin=pin.number)
        spot, anchor = _net_at(at, place, upright=upright, first=first)
        sheet.text(part.net(pin.name) or OPEN, spot, anchor=anchor, group=texts)
        if pin.name == "+" and part.amount >= _ELECTROLYTIC:
            sheet.text(pin.name, (x - 4.2, y - 1.6), group=texts)
        if pin.name == _CATHODE:
            sheet.text(pin.name, (x - 3.2, y - 3.4), group=texts)


def _net_at(at: Point, place: Place, *, upright: bool, first: bool) -> tuple[Point, Anchor]:
    """The place of the net of a lead that ends ``at`` a place."""
    x, y = at
    if upright and place == "end":
        return (x, y - 1.0 if first else y + 3.1), "middle"
    if upright:
        return (x + 1.2, y + 3.6 if first else y - 1.6), "start"
    if place == "end":
        return (x - 1.2 if first else x + 1.2, y + MIDDLE), "end" if first else "start"
    return (x + 0.8 if first else x - 0.8, y - ABOVE), "start" if first else "end"


def rail(sheet: Sheet, net: str, at: Point, *, left: bool = False) -> None:
    """The end of a wire that goes on elsewhere: its name beyond the end, at the right unless ``left``."""
    spot = (at[0] + (-1.2 if left else 1.2), at[1] + MIDDLE)
    sheet.text(net, spot, anchor="end" if left else "start", group=sheet.group(net=net))


def row_of(sheet: Sheet, parts: Sequence[Part], at: Point, *, step: float = 24.0, length: float = 18.0) -> None:
    """Parts of two leads side by side, each upright, the first with its upper end ``at`` a place."""
    for number, part in enumerate(parts):
        x = at[0] + step * number
        two_leads(sheet, part, (x, at[1]), (x, at[1] + length))


def _is_connector(part: Part) -> bool:
    return part.kind.key == "connector"
