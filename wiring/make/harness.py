"""The harness of a board: WireViz' input, its drawings on A4, tables to wire by, and a list of what to buy."""

from __future__ import annotations

import copy
import html
import re
import shutil
import subprocess
import textwrap
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

import yaml
from wireviz import __version__ as wireviz_version  # type: ignore[import-untyped]
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


#: Size of the text in a picture, in its own units; graphviz lays out for `_LAID_OUT`, so that all has room.
TEXT_SIZE = 13.0

_LAID_OUT = 14.0

#: Keeps a text apart from its cell's border and from the next text.
_GAP = "\u00a0"


class HarnessError(ValueError):
    """The harness cannot be drawn; the text says why and what to do."""


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture: what is inside its ``svg`` element, and its size in its own units."""

    inside: str
    width: float
    height: float


def picture(source: Source, *, gap: float) -> Picture:
    """Draw a harness; ``gap`` inches lie between a connector and its cable. Raises `HarnessError`."""
    _dot()
    svg = str(parse({**_spread(source), "tweak": {"append": f"\tranksep={gap}\n"}}, return_types="svg"))
    box = re.search(r'viewBox="0\.00 0\.00 ([0-9.]+) ([0-9.]+)"', svg)
    if box is None:
        raise HarnessError("graphviz has drawn no picture with a viewBox; 2.43 and later are known to do")
    inside = svg[svg.index(">", box.end()) + 1 : svg.rindex("</svg>")]
    inside = re.sub(r"<!--.*?-->\n?|<title>.*?</title>\n?| id=\"[^\"]*\"", "", inside, flags=re.DOTALL)
    inside = inside.replace(f'font-size="{_LAID_OUT:.2f}"', f'font-size="{TEXT_SIZE:.2f}"')
    inside = inside.replace('stroke="transparent"', 'stroke="none"')
    inside = re.sub(r"&#160;|&nbsp;|\u00a0", " ", inside)
    inside = re.sub(r"(<text [^>]*>) *([^<]*?) *</text>", r"\1\2</text>", inside)
    inside = re.sub(r"<text [^>]*></text>\n?", "", inside)
    return Picture(inside.strip(), float(box[1]), float(box[2]))


def bill(source: Source) -> str:
    """WireViz' own list of connectors, cables and wires with their lengths, separated by tabs."""
    harness: Any = parse(copy.deepcopy(source), return_types="harness")
    rows: list[list[str]] = bom_list(harness.bom())
    return "".join("\t".join(row) + "\n" for row in rows)


@cache
def drawn_by() -> str:
    """The versions that draw here. Raises `HarnessError`."""
    version = subprocess.run([_dot(), "-V"], capture_output=True, text=True, check=True).stderr
    return f"WireViz {wireviz_version}, {version.strip().removeprefix('dot - ')}"


def _dot() -> str:
    dot = shutil.which("dot")
    if dot is None:
        raise HarnessError("graphviz (dot) is missing: install it with apt install graphviz")
    return dot


def _spread(source: Source) -> Source:
    """A copy for drawing: long texts on several lines, gaps at the ends of labels, no order codes."""
    spread: Source = copy.deepcopy(source)
    for entry in (*spread["connectors"].values(), *spread["cables"].values()):
        for key in ("type", "notes"):
            if key in entry:
                entry[key] = "\n".join(line for text in entry[key].split("\n") for line in _lines(text))
        for key in ("pinlabels", "wirelabels"):
            if key in entry:
                entry[key] = [f"{label}{_GAP}" for label in entry[key]]
        for key in ("manufacturer", "mpn"):
            entry.pop(key, None)
    return spread


def _lines(text: str) -> list[str]:
    """A text as lines; short pieces between commas are not broken."""
    pieces = [piece if len(piece) > 16 else piece.replace(" ", "\u00a0") for piece in text.split(", ")]
    return textwrap.wrap(", ".join(pieces), 32)


#: A4, and the margin that a printer leaves free, in millimetres.
SHORT, LONG, MARGIN = 210.0, 297.0, 8.0

#: Text is not made larger than this, in millimetres.
LARGEST = 3.5

_HEAD, _FOOT, _BETWEEN = 12.0, 5.0, 3.0


@dataclass(frozen=True, slots=True)
class Caption:
    """The words on a sheet around its pictures; ``drawn_by`` is a comment in the file."""

    title: str
    subject: str
    made_from: str
    foot: str
    drawn_by: str


def sheet(caption: Caption, pictures: Sequence[Picture]) -> str:
    """The pictures one below the other, upright or on its side, whichever lets them be larger."""
    upright, aside = _scale(SHORT, LONG, pictures), _scale(LONG, SHORT, pictures)
    width, height, scale = (SHORT, LONG, upright) if upright >= aside else (LONG, SHORT, aside)
    left, top = MARGIN, MARGIN + _HEAD
    lines = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        f"<!-- Drawn by {caption.drawn_by} -->",
        f'<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        f'width="{width:g}mm" height="{height:g}mm" viewBox="0 0 {width:g} {height:g}">',
        f"<title>{html.escape(f'{caption.title}: {caption.subject}')}</title>",
        f'<rect width="{width:g}" height="{height:g}" fill="#ffffff"/>',
        _text(left, MARGIN + 4.5, 4.5, f"{caption.title}: {caption.subject}", weight="bold"),
        _text(left, MARGIN + 9, 2.8, f"Made from {caption.made_from}; do not edit."),
        _text(left, height - MARGIN, 2.8, caption.foot),
    ]
    for each in pictures:
        at = left + (width - 2 * MARGIN - each.width * scale) / 2
        lines += [f'<g transform="translate({at:.3f} {top:.3f}) scale({scale:.5f})">', each.inside, "</g>"]
        top += each.height * scale + _BETWEEN
    return "\n".join([*lines, "</svg>", ""])


def _scale(width: float, height: float, pictures: Sequence[Picture]) -> float:
    """Millimetres for a unit of the pictures."""
    across = (width - 2 * MARGIN) / max(each.width for each in pictures)
    room = height - 2 * MARGIN - _HEAD - _FOOT - _BETWEEN * (len(pictures) - 1)
    return min(across, room / sum(each.height for each in pictures), LARGEST / TEXT_SIZE)


def _text(x: float, y: float, size: float, text: str, weight: str = "normal") -> str:
    return (
        f'<text x="{x:g}" y="{y:g}" font-family="arial" font-size="{size:g}" font-weight="{weight}">'
        f"{html.escape(text)}</text>"
    )


#: Wires of tube cables that have room on one sheet.
_WIRES_ON_A_SHEET = 25


def sheets(board: Board) -> dict[str, str]:
    """Every drawing of the harness by file name. Raises `HarnessError` where it cannot be drawn."""
    harness, tubes = harness_source(board), tube_source(board)
    data, modules = _between(board, "J2", "J4"), _between(board, "J7", "J8", "U3", "U4")
    rest = [cable.ref for cable in board.cables if cable.ref not in (*data, *modules)]
    drawn = {
        "harness.svg": _sheet(board, "supply, lights, panel", harness, [rest], 0.8),
        "harness-data.svg": _sheet(board, "controller to sensors and Raspberry Pi", harness, [data], 0.8),
    }
    holders = [_between(board, "J7", "J8"), _between(board, "U3", "U4")]
    if all(holders):
        drawn["harness-holders.svg"] = _sheet(board, "ring holders", harness, holders, 0.7)
    for number, group in enumerate(_examples(board), 1):
        name = "tube-cables.svg" if number == 1 else f"tube-cables-{number}.svg"
        subject = "a cable of each size, " + ", ".join(each.ref for each in group)
        drawn[name] = _sheet(board, subject, tubes, [[each.ref] for each in group], 0.25)
    return drawn


def _between(board: Board, *starts: str) -> list[str]:
    """The cables that start at these parts."""
    return [cable.ref for cable in board.cables if cable.a in starts]


def _examples(board: Board) -> list[list[TubeCable]]:
    """A cable for each number of wires, the first of its sort, in groups that have room on a sheet."""
    first: dict[int, TubeCable] = {}
    for cable in board.tube_cables:
        first.setdefault(len(cable.wires), cable)
    groups: list[list[TubeCable]] = [[]]
    for wires, cable in sorted(first.items()):
        if sum(len(each.wires) for each in groups[-1]) + wires > _WIRES_ON_A_SHEET:
            groups.append([])
        groups[-1].append(cable)
    return groups


def _sheet(board: Board, subject: str, source: Source, groups: list[list[str]], gap: float) -> str:
    parts = [chosen(source, group) for group in groups]
    used = sorted({colour for part in parts for cable in part["cables"].values() for colour in cable["colors"]})
    caption = Caption(
        title=board.title,
        subject=subject,
        made_from=board.map_name,
        foot="Colours: " + ", ".join(f"{code} {COLOURS[code]}" for code in used),
        drawn_by=drawn_by(),
    )
    return sheet(caption, [picture(part, gap=gap) for part in parts])


def files(board: Board) -> dict[str, str]:
    """Every file of the harness by name. Raises `wiring.make.harness.HarnessError` without graphviz."""
    return {**texts(board), **drawings(board)}


def texts(board: Board) -> dict[str, str]:
    """The files that need no graphviz."""
    harness, tubes = harness_source(board), tube_source(board)
    return {
        "harness.yml": source_text(board, "cables between the units", harness),
        "tube-cables.yml": source_text(board, "cables of the tubes", tubes),
        "harness.md": harness_tables(board),
        "harness-bom.tsv": bill(both(harness, tubes)),
    }


def drawings(board: Board) -> dict[str, str]:
    """The sheets. Raises `wiring.make.harness.HarnessError` where they cannot be drawn."""
    return sheets(board)
