"""What the circuit and the mechanics ask of a board: its nets, its parts, its size."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from wiring.boards.layout import Layout
from wiring.make.circuit.model import Circuit, Part, Role

#: Designator and pad number.
PadName = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Buffer:
    """A capacitor and the supply pin that it belongs to: designator and pad of both."""

    capacitor: PadName
    supply: PadName


@dataclass(frozen=True, slots=True)
class Way:
    """The way of a current from one pad to another, along which there must be copper of a ``width`` (mm)."""

    a: PadName
    b: PadName
    width: float


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a board must be. ``nets`` has several answers where one board serves several places of the circuit."""

    layout: Layout
    nets: tuple[Mapping[str, frozenset[PadName]], ...]
    buffers: tuple[Buffer, ...]
    ways: tuple[Way, ...] = ()


def nets_of(
    parts: Iterable[Part], refs: Mapping[str, str], names: Mapping[str, str], wires: Mapping[str, Iterable[str]]
) -> dict[str, frozenset[PadName]]:
    """The nets of some parts of the circuit.

    ``refs`` and ``names`` are the board's own designators and names of nets, by the circuit's, where these differ;
    ``wires`` are the designators of the pads for wires, by net.
    """
    found: dict[str, set[PadName]] = {net: {(ref, "1") for ref in refs_} for net, refs_ in wires.items()}
    for part in parts:
        for pin in part.kind.pins:
            net = part.nets.get(pin.name)
            if net is not None:
                found.setdefault(names.get(net, net), set()).add((refs.get(part.ref, part.ref), pin.number))
    return {net: frozenset(pads) for net, pads in found.items()}


def buffers_of(circuit: Circuit, parts: Iterable[Part], refs: Mapping[str, str]) -> tuple[Buffer, ...]:
    """The capacitors of 100 nF among some parts, each with the supply pin of the part that it serves."""
    own = {part.ref: part for part in parts}
    found = []
    for part in own.values():
        if part.kind.key != "capacitor" or part.serves not in own or part.amount != 100e-9:
            continue
        chip, net = circuit.by_ref[part.serves], part.nets["+"]
        pins = [pin for pin in chip.kind.pins if chip.nets.get(pin.name) == net]
        # Other pins may be on its supply, too, because they must be high.
        supply = next((pin.number for pin in sorted(pins, key=lambda pin: pin.role is not Role.SUPPLY)), None)
        if supply is not None:
            mine, its = refs.get(part.ref, part.ref), refs.get(chip.ref, chip.ref)
            found.append(Buffer((mine, "1"), (its, supply)))
    return tuple(found)
