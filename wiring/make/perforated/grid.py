"""The holes that a part takes on perforated board, 2.54 mm apart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from wiring.make.circuit.model import USB_PORTS, Part, Style

#: A hole: its column from the left and its row from above, counted from 0.
Hole = tuple[int, int]

#: From hole to hole, millimetres.
PITCH: Final = 2.54

#: Columns and rows of a board of 160 × 100 mm.
COLUMNS, ROWS = 61, 38

#: From one row of pins to the other, in holes: of adapters, of chips in sockets, of the Nano.
ROW_DISTANCES: Final = {
    "SOIC-8": 3,
    "SOIC-16": 6,
    "SOIC-24": 6,
    "SOT-23-6": 3,
    "DIP-14": 3,
    "DIP-20": 3,
    "module, 2 × 15 pins": 6,
}

#: Parts with two leads: holes across and down that they cover, their first lead's hole, holes between the leads.
#: By kind, or kind and value; leads are bent to this distance where theirs is another.
_TWO_LEADS: Final[dict[str, tuple[int, int, Hole, int]]] = {
    "resistor": (5, 1, (0, 0), 4),
    "suppressor": (6, 2, (0, 0), 5),
    "zener": (5, 1, (0, 0), 4),
    "capacitor 1 nF": (2, 1, (0, 0), 1),
    "capacitor 10 nF": (2, 1, (0, 0), 1),
    "capacitor 100 nF": (2, 1, (0, 0), 1),
    "capacitor 100 µF": (4, 3, (1, 1), 1),
    "capacitor 470 µF": (5, 4, (1, 1), 2),
    "fuse 4 A slow": (10, 4, (0, 1), 9),
    "fuse 2.5 A resettable": (9, 2, (3, 0), 2),
    "fuse 1.85 A resettable": (7, 2, (2, 0), 2),
    "fuse 1.1 A resettable": (6, 2, (2, 0), 2),
}


@dataclass(frozen=True, slots=True)
class Outline:
    """A part on the grid: holes that it covers across and down, and the hole of each pin by number."""

    width: int
    height: int
    pins: dict[str, Hole]


def outline(part: Part) -> Outline | None:
    """The outline of a part; None for the inlet, which no grid of holes takes, and for what belongs to a module.

    Raises `KeyError` for a part that is not known here.
    """
    numbers = [pin.number for pin in part.kind.pins]
    count = len(numbers)
    distance = ROW_DISTANCES.get(part.kind.package)
    if part.style is Style.INLET or part.kind.key in USB_PORTS:
        return None
    if part.style is Style.BOX_HEADER:
        # Its walls stand two holes beyond the pins, and one above and below them.
        pins = {number: (2 + place // 2, 2 - place % 2) for place, number in enumerate(numbers)}
        return Outline(count // 2 + 4, 4, pins)
    if part.style is Style.PIN_HEADER:
        return Outline(count, 1, {number: (place, 0) for place, number in enumerate(numbers)})
    if part.style is Style.SCREW_TERMINAL:
        return Outline(2 * count + 1, 4, {number: (1 + 2 * place, 2) for place, number in enumerate(numbers)})
    if distance is not None:
        own = _two_rows(numbers, distance)
        return _with_plug(own) if part.kind.key == "nano" else own
    if part.kind.package == "SOT-23":
        return Outline(count, 2, {number: (place, 0) for place, number in enumerate(numbers)})
    key = part.kind.key if part.kind.key in _TWO_LEADS else f"{part.kind.key} {part.value}"
    width, height, (x, y), apart = _TWO_LEADS[key]
    return Outline(width, height, {numbers[0]: (x, y), numbers[1]: (x + apart, y)})


def _two_rows(numbers: list[str], distance: int) -> Outline:
    """Pin 1 at the lower left, the first half to the right, the other back above it, as seen from above."""
    half = len(numbers) // 2
    below = {number: (place, distance) for place, number in enumerate(numbers[:half])}
    above = {number: (half - 1 - place, 0) for place, number in enumerate(numbers[half:])}
    return Outline(half, distance + 1, below | above)


def _with_plug(own: Outline) -> Outline:
    """The Nano: its board is a hole longer at both ends, and its plug, beside pins 15 and 16, wants six more."""
    return Outline(own.width + 8, own.height, {number: (x + 1, y) for number, (x, y) in own.pins.items()})


def name(hole: Hole) -> str:
    """The name of a hole: its row as a letter, A to Z, then AA …, and its column from 1: ``C12``, ``AB7``."""
    column, row = hole
    letters = chr(ord("A") + row % 26)
    return f"{'A' * (row // 26)}{letters}{column + 1}"
