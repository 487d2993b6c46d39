"""The cables between units: which pin of one connector goes to which of another, and by what wire."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tamsk_hw.board.wiring_map import Wiring
from wiring.make.circuit import nets
from wiring.make.circuit.model import Circuit, Part

#: Colours by IEC 60757. Signals take the next of these, supplies are red or orange, ground is black.
SIGNAL_COLOURS: Final = ("YE", "GN", "BU", "WH", "VT", "BN", "GY", "PK")

_SUPPLY_COLOURS: Final = {net: "OG" if net == nets.EMITTERS else "RD" for net in nets.SUPPLIES}


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire: its net, its pin (by number) on either end, its colour (IEC 60757)."""

    net: str
    a: str
    b: str
    colour: str


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable between two parts with pins; ``length`` in metres, ``made_of`` as in `wiring/parts.toml`."""

    ref: str
    a: str
    b: str
    made_of: str
    length: float
    wires: tuple[Wire, ...]


@dataclass(frozen=True, slots=True)
class TubeCable:
    """The flat cable of a tube's strip, soldered there and plugged in at ``connector``.

    ``wires`` are the nets in the order of its wires, the marked edge first; ``length`` in metres.
    """

    ref: str
    connector: str
    made_of: str
    length: float
    wires: tuple[str, ...]


def cables_of(circuit: Circuit, wiring: Wiring) -> tuple[Cable, ...]:
    """The cables between supply, controller board, sensor board, Pi, lights, panel and holders."""
    plan = [
        ("W1", "PS1", "J1", "lead of the part", 1.2),
        ("W2", "J2", "J3", "flat cable, 20 wires", 0.3),
        ("W3", "J4", "J10", "USB-A to USB Mini-B, data", 1.0),
        ("W4", "J5", "PI1", "wire 0.14 mm²", 0.3),
        ("W5", "J6", "LED0", "wire 0.5 mm²", 0.3),
    ]
    for number in range(len(wiring.holders)):
        plan.append((f"W{6 + number}", f"J{7 + number}", f"U{3 + number}", "wire 0.14 mm²", 0.5))
        plan.append((f"W{8 + number}", f"U{3 + number}", f"LC{1 + number}", "lead of the part", 0.2))
    plan.append(("W10", "J9", "PI1", "wire 0.14 mm²", 0.5))
    taken: set[tuple[str, str]] = set()
    return tuple(_cable(circuit, taken, *entry) for entry in plan)


def tube_cables_of(circuit: Circuit, wiring: Wiring) -> tuple[TubeCable, ...]:
    """The cable of each tube, then the cradle's."""
    found: list[TubeCable] = []
    for tube in wiring.tubes:
        wires = tuple(circuit.by_ref[f"JT-{tube}"].nets.values())
        found.append(TubeCable(f"WT-{tube}", f"JT-{tube}", f"flat cable, {len(wires)} wires", 0.25, wires))
    wires = tuple(circuit.by_ref["JT-TIMER"].nets.values())
    return (*found, TubeCable("WT-TIMER", "JT-TIMER", "wire 0.14 mm²", 0.4, wires))


def _cable(
    circuit: Circuit, taken: set[tuple[str, str]], ref: str, a: str, b: str, made_of: str, length: float
) -> Cable:
    """Each pin of ``a`` to the first pin of ``b`` on the same net that no wire has ``taken``."""
    one, other = circuit.by_ref[a], circuit.by_ref[b]
    wires: list[Wire] = []
    flat = made_of.startswith("flat")
    for number, pin in enumerate(one.kind.pins):
        net = one.nets.get(pin.name)
        free = [each for each in other.kind.pins if (b, each.number) not in taken]
        match = next((each for each in free if net is not None and other.nets.get(each.name) == net), None)
        if net is None or match is None:
            continue
        taken |= {(a, pin.number), (b, match.number)}
        colour = flat_colour(number) if flat else wire_colour(net, len(wires))
        wires.append(Wire(net, pin.number, match.number, _cell_colour(one, pin.name) or colour))
    if not wires:
        raise ValueError(f"{ref}: {a} and {b} have no net in common")
    return Cable(ref, a, b, made_of, length, tuple(wires))


def flat_colour(place: int) -> str:
    """Of a flat cable's wire: grey, the first, at the marked edge, red."""
    return "GY" if place else "RD"


def wire_colour(net: str, place: int) -> str:
    """Of a single wire: by its net, or where that has none, by its ``place`` in the cable."""
    if net.endswith("GND"):
        return "BK"
    if net == "USB_VBUS":
        return "RD"
    return _SUPPLY_COLOURS.get(net) or SIGNAL_COLOURS[place % len(SIGNAL_COLOURS)]


def _cell_colour(part: Part, pin: str) -> str | None:
    """The colours that load cells usually have."""
    if part.kind.key != "load_amplifier":
        return None
    return {"E+": "RD", "E-": "BK", "A-": "WH", "A+": "GN"}.get(pin)
