"""The harness as tables to wire by: connector by connector, and every tube's cable."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from wiring.make.board import Board
from wiring.make.circuit.cables import TubeCable
from wiring.make.circuit.model import Part
from wiring.make.harness.colours import COLOURS, tube_colours
from wiring.make.harness.source import pin_name
from wiring.make.markdown import table


def harness_tables(board: Board) -> str:
    """The file ``harness.md``."""
    used = {wire.colour for cable in board.cables for wire in cable.wires}
    used |= {colour for cable in board.tube_cables for colour in tube_colours(cable.wires)}
    parts = [
        f"# {board.title}: harness",
        f"Made from `{board.map_name}` by `make wiring`; do not edit.",
        "Each end of each wire: the net of a pin, the pin's name where it has another, the wire (cable, point, "
        "number) and where it ends. Colours by IEC 60757: "
        + ", ".join(f"{code} {name}" for code, name in COLOURS.items() if code in used)
        + ".",
        "## Cables",
        _cables(board),
        "## Connectors",
        *_connectors(board),
        "## Cables of the tubes",
        *_tubes(board),
    ]
    return "\n\n".join(parts) + "\n"


def _cables(board: Board) -> str:
    rows = [
        (cable.ref, cable.a, cable.b, cable.made_of, f"{cable.length:g} m", len(cable.wires))
        for cable in board.cables
    ]
    return _text(("cable", "from", "to", "made of", "length", "wires"), rows)


def _connectors(board: Board) -> Iterable[str]:
    """A table for each part that a cable ends at, in the order of the cables."""
    ends: dict[str, list[tuple[int, str, str, str, str, str]]] = {}
    for cable in board.cables:
        one, other = board.circuit.by_ref[cable.a], board.circuit.by_ref[cable.b]
        for number, wire in enumerate(cable.wires, 1):
            label = f"{cable.ref}.{number}"
            for here, pin, there, far in ((one, wire.a, other, wire.b), (other, wire.b, one, wire.a)):
                row = (
                    int(pin),
                    wire.net,
                    _name(here, pin, wire.net),
                    label,
                    wire.colour,
                    f"{there.ref} pin {far}",
                )
                ends.setdefault(here.ref, []).append(row)
    for ref, rows in ends.items():
        part = board.circuit.by_ref[ref]
        what = part.value if part.kind.key == "connector" else part.kind.title.partition(";")[0]
        yield f"### {ref}: {what}"
        yield f"{part.unit.value[0].upper()}{part.unit.value[1:]}; {part.where}."
        yield _text(("pin", "net", "name", "wire", "colour", "other end"), sorted(rows))


def _name(part: Part, number: str, net: str) -> str:
    name = next(pin_name(pin) for pin in part.kind.pins if pin.number == number)
    return "" if name == net else name


def _tubes(board: Board) -> Iterable[str]:
    """The cradle's cable by itself; of the others, what all have in common once, the rest cable by cable."""
    flat = [cable for cable in board.tube_cables if cable.made_of.startswith("flat")]
    most = max(len(cable.wires) for cable in flat)
    least = min(len(cable.wires) for cable in flat)
    common = [place for place in range(least) if len({cable.wires[place] for cable in flat}) == 1]
    apart = [place for place in range(most) if place not in common]
    yield (
        f"Flat cables of {_length(flat)}, plugged in at the sensor board and soldered to the tube's strip. Wire 1 "
        "is the one at the marked edge, on pin 1, and so on. Wires that are the same in all of them:"
    )
    yield _text([f"wire {place + 1}" for place in common], [[flat[0].wires[place] for place in common]])
    yield "The others, by their numbers from the marked edge:"
    rows = [
        [cable.ref, cable.connector, *(cable.wires[place] if place < len(cable.wires) else "" for place in apart)]
        for cable in flat
    ]
    yield _text(("cable", "connector", *(f"wire {place + 1}" for place in apart)), rows)
    for cable in board.tube_cables:
        if cable not in flat:
            yield f"### {cable.ref}: {cable.made_of}, {cable.length:g} m, from {cable.connector} to the cradle"
            colours = tube_colours(cable.wires)
            yield _text(
                ("pin", "net", "wire", "colour"),
                [
                    (number, net, f"{cable.ref}.{number}", colour)
                    for number, (net, colour) in enumerate(zip(cable.wires, colours, strict=True), 1)
                ],
            )


def _length(cables: Sequence[TubeCable]) -> str:
    return " and ".join(f"{length:g} m" for length in sorted({cable.length for cable in cables}))


def _text(head: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    return "\n".join(table(head, rows))
