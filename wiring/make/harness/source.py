"""The harness as WireViz reads it: connectors, cables, and the pins that each wire joins."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, TypeAlias

import yaml

from wiring.make.board import Board
from wiring.make.circuit.cables import Cable, Form, Material, TubeCable
from wiring.make.circuit.model import Part, Pin, Unit
from wiring.make.harness.plugs import plugs

#: A harness in WireViz' terms: ``options``, ``connectors``, ``cables``, ``connections``, ``additional_bom_items``.
Source: TypeAlias = dict[str, Any]

#: One cable: the connectors at its ends, itself, and its wires from pin to pin.
_Entry: TypeAlias = tuple[dict[str, Any], dict[str, Any], list[dict[str, list[int | str]]]]

_NOT_BOUGHT: dict[str, Any] = {"ignore_in_bom": True}


class _Plain(yaml.SafeDumper):
    """Writes every list out, also one that is there twice."""

    def ignore_aliases(self, data: Any) -> bool:
        """Without exception."""
        return True


def harness_source(board: Board) -> Source:
    """The cables between the units."""
    circuit = board.circuit.by_ref
    ends = [(each.ref, each.made_of, [circuit[each.a], circuit[each.b]], len(each.wires)) for each in board.cables]
    return _source((_cable(board, cable) for cable in board.cables), plugs(ends))


def tube_source(board: Board) -> Source:
    """The cables of the tubes and the cradle, from the sensor board to the strips that they are soldered to."""
    circuit = board.circuit.by_ref
    ends = [(each.ref, each.made_of, [circuit[each.connector]], len(each.wires)) for each in board.tube_cables]
    return _source((_tube_cable(board, cable) for cable in board.tube_cables), plugs(ends))


def chosen(source: Source, cables: Iterable[str]) -> Source:
    """These cables alone, in this order, with their connectors, for a drawing."""
    by_cable = {next(iter(each[1])): each for each in source["connections"]}
    connections = [by_cable[cable] for cable in cables]
    ends = [name for one, _, other in connections for name in (*one, *other)]
    return {
        **source,
        "connectors": {name: source["connectors"][name] for name in dict.fromkeys(ends)},
        "cables": {name: source["cables"][name] for name in cables},
        "connections": connections,
        "additional_bom_items": [],
    }


def both(one: Source, other: Source) -> Source:
    """Two harnesses as one."""
    return {
        **one,
        "connectors": one["connectors"] | other["connectors"],
        "cables": one["cables"] | other["cables"],
        **{key: [*one[key], *other[key]] for key in ("connections", "additional_bom_items")},
    }


def source_text(board: Board, subject: str, source: Source) -> str:
    """The file that WireViz reads."""
    head = (
        f"# {board.title}: {subject}.\n"
        f"# Made from {board.map_name} by `make wiring`; do not edit. WireViz draws it.\n"
        "# A pin's label is its net, or its name and its net. Lengths are in metres, colours by IEC 60757.\n"
    )
    return head + yaml.dump(
        source, Dumper=_Plain, sort_keys=False, allow_unicode=True, width=100, default_flow_style=None
    )


def pin_label(part: Part, pin: Pin) -> str:
    """``GPIO18 = LIGHTS_3V3``; only one of the two where they are the same or the pin is open."""
    net = part.nets.get(pin.name)
    return pin.label if net is None or net == pin.label else f"{pin.label} = {net}"


def solder_points(board: Board, cable: TubeCable) -> dict[str, list[str]]:
    """For each net of a tube's cable the pins on the tube's strip that it goes to: ``HS-D4 OUT``."""
    return {
        net: [
            f"{terminal.part.ref} {terminal.pin.name}"
            for terminal in board.circuit.nets[net]
            if terminal.part.unit is Unit.TUBES
            and terminal.part.site is not None
            and terminal.part.site.tube is cable.site.tube
        ]
        for net in cable.wires
    }


def _source(entries: Iterable[_Entry], bought: list[dict[str, Any]]) -> Source:
    connectors: dict[str, Any] = {}
    cables: dict[str, Any] = {}
    connections: list[list[dict[str, list[int | str]]]] = []
    for ends, cable, connection in entries:
        connectors |= ends
        cables |= cable
        connections.append(connection)
    return {
        "options": {"color_mode": "SHORT"},
        "connectors": connectors,
        "cables": cables,
        "connections": connections,
        "additional_bom_items": bought,
    }


def _cable(board: Board, cable: Cable) -> _Entry:
    parts = [board.circuit.by_ref[ref] for ref in (cable.a, cable.b)]
    ends = {part.ref: _connector(board, part) for part in parts}
    colours, nets = [wire.colour for wire in cable.wires], [wire.net for wire in cable.wires]
    entry = _cable_entry(board, cable.made_of, cable.length, colours, nets)
    connection: list[dict[str, list[int | str]]] = [
        {cable.a: [_pin(wire.a) for wire in cable.wires]},
        {cable.ref: list(range(1, len(cable.wires) + 1))},
        {cable.b: [_pin(wire.b) for wire in cable.wires]},
    ]
    return ends, {cable.ref: entry}, connection


def _pin(number: str) -> int | str:
    """A pin as WireViz takes it: its number, or what is printed beside it on a module."""
    return int(number) if number.isdecimal() else number


def _tube_cable(board: Board, cable: TubeCable) -> _Entry:
    part = board.circuit.by_ref[cable.connector]
    strip = f"STRIP-{cable.site}"
    points = [f"{net}: {', '.join(at)}" for net, at in solder_points(board, cable).items()]
    numbers = list(range(1, len(cable.wires) + 1))
    soldered = {
        "type": "strip, soldered",
        "subtype": part.where,
        "pins": numbers,
        "pinlabels": list(cable.wires),
        "show_pincount": False,
        "ignore_in_bom": True,
        "notes": "\n".join(points),
    }
    entry = _cable_entry(board, cable.made_of, cable.length, cable.colours, list(cable.wires))
    connection: list[dict[str, list[int | str]]] = [
        {cable.connector: [*numbers]},
        {cable.ref: [*numbers]},
        {strip: [*numbers]},
    ]
    return {cable.connector: _connector(board, part), strip: soldered}, {cable.ref: entry}, connection


def _connector(board: Board, part: Part) -> dict[str, Any]:
    """A part with all its pins; only connectors are bought for the harness, other parts are modules."""
    plain = part.kind.key == "connector"
    entry: dict[str, Any] = {
        "type": part.title,
        "subtype": part.unit.value,
        "pins": [_pin(pin.number) for pin in part.kind.pins],
        "pinlabels": [pin_label(part, pin) for pin in part.kind.pins],
        "show_pincount": False,
        "hide_disconnected_pins": True,
        "notes": part.where,
    }
    return entry | (_order(board, "connector", part.value) if plain else _NOT_BOUGHT)


def _cable_entry(
    board: Board, made_of: Material, length: float, colours: list[str], nets: list[str]
) -> dict[str, Any]:
    """A cable: single wires are a bundle, cut and listed by colour; leads of parts are not bought."""
    entry: dict[str, Any] = {"length": length, "wirecount": len(nets), "colors": colours, "wirelabels": nets}
    if made_of.form is Form.SINGLE:
        entry = {"category": "bundle", "gauge": f"{made_of.gauge:g} mm2", "show_wirenumbers": True, **entry}
    else:
        entry = {"type": "flat cable" if made_of.form is Form.FLAT else str(made_of), **entry}
    return entry | (_order(board, "cable", str(made_of)) or _NOT_BOUGHT)


def _order(board: Board, kind: str, value: str) -> dict[str, Any]:
    order = board.catalogue.orders.get((kind, value))
    return {"manufacturer": order.maker, "mpn": order.number} if order is not None and order.number else {}
