"""The rows of the parts list, and those that come from the circuit."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from math import ceil
from typing import Final

from wiring.make.board import Board
from wiring.make.circuit.model import Part, Unit


class Origin(Enum):
    """The origin of a part."""

    ORDER = "order"
    OWN_CUT = "own cut"
    """Printed, cut or soldered by the builder; or of the game's own set."""
    COMES_WITH = "comes with"
    """Mounted on, or packed with, another part of the list."""


PIECES: Final = "pieces"
METRES: Final = "metres"


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """One line of the list.

    ``quantity`` is in ``measure`` (``pieces`` or ``metres``), without the ``spares``; ``per_unit`` shares it
    out by the name of the unit. ``parts`` are those of the circuit; ``where`` says where the others are used.
    """

    group: str
    item: str
    value: str = ""
    package: str = ""
    maker: str = ""
    number: str = ""
    origin: Origin = Origin.ORDER
    quantity: float
    measure: str = PIECES
    spares: float = 0
    per_unit: Mapping[str, float] = field(default_factory=dict)
    parts: tuple[Part, ...] = ()
    where: str = ""
    alternatives: tuple[str, ...] = ()
    notes: str = ""


#: Kinds that are small, cheap or easily spoilt by soldering: more are ordered than are needed.
_SMALL: Final = frozenset(
    {
        "resistor",
        "capacitor",
        "ring_sensor",
        "hall_sensor",
        "pixel",
        "chain_register",
        "bank_driver",
        "multiplexer",
        "level_shifter",
        "p_channel",
        "pnp",
        "shunt_reference",
        "voltage_reference",
        "suppressor",
        "zener",
        "line_guard",
        "fuse",
        "connector",
    }
)

#: Share of spares, at least one piece.
_SPARE_SHARE: Final = 0.05

#: The groups of the list in their order, by kind.
_GROUPS: Final = {
    "nano": "Modules",
    "pi": "Modules",
    "load_amplifier": "Modules",
    "load_cell": "Modules",
    "supply": "Modules",
    "usb_port": "Modules",
    "usb_mini_b": "Modules",
    "chain_register": "Integrated circuits",
    "bank_driver": "Integrated circuits",
    "multiplexer": "Integrated circuits",
    "level_shifter": "Integrated circuits",
    "shunt_reference": "Integrated circuits",
    "voltage_reference": "Integrated circuits",
    "p_channel": "Transistors and diodes",
    "pnp": "Transistors and diodes",
    "line_guard": "Transistors and diodes",
    "suppressor": "Transistors and diodes",
    "zener": "Transistors and diodes",
    "ring_sensor": "Sensors",
    "hall_sensor": "Sensors",
    "pixel": "Lights, buttons, buzzer",
    "button": "Lights, buttons, buzzer",
    "buzzer": "Lights, buttons, buzzer",
    "resistor": "Resistors",
    "capacitor": "Capacitors",
    "fuse": "Fuses",
    "connector": "Connectors",
}

#: The package in `wiring/parts.toml` of a kind whose package depends on the value.
_BY_VALUE: Final = "see the value"

#: Notes for ordering, by kind or by kind and value.
_NOTES: Final = {
    "nano": "its USB diode comes off, brown-out level 4.3 V, Optiboot (step 3); a CH340 wants nothing else, "
    "an FT232R its latency timer at 1 ms",
    "pi": "with an SD card and its own supply; a Zero 2 W has no pin header and wants a micro-USB adapter "
    "for its port",
    "load_amplifier": "SEN-13879: cut SJ2, join VDD and VCC; others: cut RATE's track to ground, tie it to VCC",
    "load_cell": "with a stop under the beam",
    "chain_register": "HCS for its Schmitt inputs",
    "ring_sensor": "the 1114, sorted 2 to 1; sort a 1113 first",
    "hall_sensor": "the A3: A1 and A2 saturate",
    "pixel": "each with 100 nF beside it on its board",
    "supply": "plus inside; comes without its mains lead (IEC C13)",
    "shunt_reference": "a TL432 has two pins exchanged",
    "buzzer": "passive: one with a circuit of its own only clicks",
    "capacitor 1 nF": "C0G",
    "capacitor 10 nF": "C0G",
    "capacitor 470 µF": "low impedance, 10 V",
    "capacitor 1000 µF": "low impedance, 10 V",
    "fuse 4 A slow": "glass, 5 × 20 mm, with its holder",
    "connector box header, 12 pins": "also Adam Tech BHR-12-VUA",
    "connector DC inlet 5.5 × 2.1 mm": "2.5 A",
}


def spare(quantity: float, share: float = _SPARE_SHARE) -> int:
    """Spares for a quantity of small parts: a share of it, at least one."""
    return max(1, ceil(quantity * share - 1e-9))


def circuit_rows(board: Board, parts: Iterable[Part] | None = None) -> list[Row]:
    """All parts of the circuit, or these, by kind and value: in the groups' order, then the circuit's."""
    found: dict[tuple[str, str], list[Part]] = {}
    for part in board.circuit.parts if parts is None else parts:
        found.setdefault((part.kind.key, part.value), []).append(part)
    order = list(_GROUPS)
    keys = sorted(found, key=lambda key: order.index(key[0]))
    return [_circuit_row(board, key, found[key]) for key in keys]


def _circuit_row(board: Board, key: tuple[str, str], parts: list[Part]) -> Row:
    kind, value = parts[0].kind, key[1]
    order = board.catalogue.orders.get(key)
    maker, number = (order.maker, order.number) if order else (kind.maker, kind.number)
    several = order is not None
    return Row(
        group=_GROUPS[kind.key],
        item=kind.description,
        value=value if several else "",
        package="" if kind.package == _BY_VALUE else kind.package,
        maker=maker,
        number=number,
        origin=Origin.ORDER if number else Origin.COMES_WITH,
        quantity=len(parts),
        spares=spare(len(parts)) if kind.key in _SMALL else 0,
        per_unit=units_of(parts),
        parts=tuple(sorted(parts, key=lambda part: natural(part.ref))),
        alternatives=kind.alternatives,
        notes=_NOTES.get(f"{kind.key} {value}", _NOTES.get(kind.key, "")),
    )


def natural(name: str) -> tuple[tuple[int, str, int], ...]:
    """A key that sorts names as a reader would: letters by the alphabet, numbers by their size."""
    return tuple(
        (1, "", int(piece)) if piece.isdigit() else (0, piece, 0) for piece in re.findall(r"\d+|\D+", name)
    )


def units_of(parts: Iterable[Part]) -> dict[str, float]:
    """The number of these parts on each unit, by its name."""
    return dict(Counter(part.unit.value for part in parts))


def on(unit: Unit, quantity: float) -> dict[str, float]:
    """The whole quantity on one unit."""
    return {unit.value: quantity}
