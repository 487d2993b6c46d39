"""The harness of a board: WireViz' input, its drawings, tables to wire by, and a list of what to buy."""

import copy
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import yaml
from wireviz.wireviz import parse  # type: ignore[import-untyped]
from wireviz.wv_bom import bom_list  # type: ignore[import-untyped]

from wiring.make.board import COLOURS, Board, Cable, Form, Material, TubeCable
from wiring.make.circuit import Part, Pin, Style, Unit
from wiring.make.texts import render

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
        "harness.md.j2",
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
    return [_connector_rows(board.circuit.by_ref[ref], rows) for ref, rows in ends.items()]


def _connector_rows(part: Part, rows: list[Row]) -> Connector:
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


_CONTACT = "Crimp contact, 2.54 mm"


def plugs(cables: Iterable[tuple[str, Material, list[Part], int]]) -> list[dict[str, Any]]:
    """The plugs that the cables need, as WireViz' ``additional_bom_items``.

    Each of ``cables`` is its designator, what it is made of, the parts at its ends, and how many wires it has.
    """
    count: dict[str, int] = {}
    users: dict[str, list[str]] = {}
    for ref, made_of, ends, wires in cables:
        for part in ends:
            for name, number in _plug(made_of, part, wires).items():
                count[name] = count.get(name, 0) + number
                users.setdefault(name, []).append(ref)
    return [
        {"description": name, "qty": count[name], "designators": list(dict.fromkeys(users[name]))}
        for name in sorted(count)
    ]


def _plug(made_of: Material, part: Part, wires: int) -> dict[str, int]:
    """A socket for a box header; for a pin header a housing with a contact for each wire.

    On the Pi's header the wires are apart, each with its own housing. Other ends are soldered, or come with
    their plug.
    """
    if part.kind.key == "pi":
        return {"Crimp housing, 2.54 mm, 1 pin": wires, _CONTACT: wires}
    pins = len(part.kind.pins)
    if made_of.form is Form.FLAT:
        return {f"Socket for flat cable, 2.54 mm, {pins} pins": 1}
    if part.style is Style.PIN_HEADER:
        return {f"Crimp housing, 2.54 mm, {pins} pins": 1, _CONTACT: wires}
    return {}


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


def tube_source(board: Board, cables: Sequence[TubeCable]) -> Source:
    """Cables of tubes and cradle, from the sensor board to the strips that they are soldered to."""
    circuit = board.circuit.by_ref
    ends = [(each.ref, each.made_of, [circuit[each.connector]], len(each.wires)) for each in cables]
    return _source((_tube_cable(board, cable) for cable in cables), plugs(ends))


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


class HarnessError(ValueError):
    """The harness cannot be drawn; the text says why and what to do."""


def bill(source: Source) -> str:
    """WireViz' own list of connectors, cables and wires with their lengths, separated by tabs."""
    harness: Any = parse(copy.deepcopy(source), return_types="harness")
    rows: list[list[str]] = bom_list(harness.bom())
    return "".join("\t".join(row) + "\n" for row in rows)


def drawing(source: Source) -> str:
    """WireViz' drawing as SVG. Raises `HarnessError` without graphviz."""
    if shutil.which("dot") is None:
        raise HarnessError("graphviz (dot) is missing: install it with apt install graphviz")
    return str(parse(copy.deepcopy(source), return_types="svg"))


def files(board: Board) -> dict[str, str]:
    """Every file of the harness by name; of the tubes' cables one of each size is drawn. Raises `HarnessError`."""
    harness, tubes = harness_source(board), tube_source(board, board.tube_cables)
    sizes = {len(cable.wires): cable for cable in reversed(board.tube_cables)}
    return {
        "harness.yml": source_text(board, "cables between the units", harness),
        "tube-cables.yml": source_text(board, "cables of the tubes", tubes),
        "harness.md": harness_tables(board),
        "harness-bom.tsv": bill(both(harness, tubes)),
        "harness.svg": drawing(harness),
        "tube-cables.svg": drawing(tube_source(board, [sizes[wires] for wires in sorted(sizes)])),
    }
