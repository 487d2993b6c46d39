"""The harness as tables to wire by: connector by connector, and every tube's cable (`harness.md.j2`)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

from wiring.make.board import Board
from wiring.make.circuit.cables import COLOURS, Form, TubeCable
from wiring.make.circuit.model import Part
from wiring.make.templates import render

#: The cells of a row.
Row: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Connector:
    """A part that cables end at, with a row for each of its wires."""

    part: Part
    rows: list[Row]


@dataclass(frozen=True, slots=True)
class FlatCables:
    """The tubes' flat cables: the wires (by place, from 0) that all have in ``common`` and those ``apart``."""

    cables: list[TubeCable]
    common: list[int]
    apart: list[int]

    @property
    def lengths(self) -> str:
        """Their lengths, in words."""
        return " and ".join(f"{length:g} m" for length in sorted({cable.length for cable in self.cables}))

    @property
    def rows(self) -> list[Row]:
        """The wires that are not in common, cable by cable."""
        return [
            (
                cable.ref,
                cable.connector,
                *(cable.wires[place] if place < len(cable.wires) else "" for place in self.apart),
            )
            for cable in self.cables
        ]


def harness_tables(board: Board) -> str:
    """The file ``harness.md``."""
    used = {wire.colour for cable in board.cables for wire in cable.wires}
    used |= {colour for cable in board.tube_cables for colour in cable.colours}
    flat = [cable for cable in board.tube_cables if cable.made_of.form is Form.FLAT]
    return render(
        "harness/harness.md.j2",
        board=board,
        colours=", ".join(f"{code} {name}" for code, name in COLOURS.items() if code in used),
        connectors=_connectors(board),
        flat=_flat(flat),
        others=[cable for cable in board.tube_cables if cable not in flat],
    )


def _connectors(board: Board) -> list[Connector]:
    """Each part that a cable ends at, in the order of the cables."""
    ends: dict[str, list[Row]] = {}
    for cable in board.cables:
        one, other = board.circuit.by_ref[cable.a], board.circuit.by_ref[cable.b]
        for number, wire in enumerate(cable.wires, 1):
            label = f"{cable.ref}.{number}"
            for here, pin, there, far in ((one, wire.a, other, wire.b), (other, wire.b, one, wire.a)):
                end = f"{there.ref} pin {far}"
                row = (pin, wire.net, _name(here, pin, wire.net), label, wire.colour, end)
                ends.setdefault(here.ref, []).append(row)
    return [_connector(board.circuit.by_ref[ref], rows) for ref, rows in ends.items()]


def _connector(part: Part, rows: list[Row]) -> Connector:
    """Its rows in the order of its pins."""
    place = {pin.number: place for place, pin in enumerate(part.kind.pins)}
    return Connector(part, sorted(rows, key=lambda row: (place[row[0]], row)))


def _name(part: Part, number: str, net: str) -> str:
    """The label of a pin, where that is not its net."""
    label = next(pin.label for pin in part.kind.pins if pin.number == number)
    return "" if label == net else label


def _flat(cables: list[TubeCable]) -> FlatCables:
    places = range(max(len(cable.wires) for cable in cables))
    common = [place for place in places if len({cable.wires[place : place + 1] for cable in cables}) == 1]
    return FlatCables(cables, common, [place for place in places if place not in common])
