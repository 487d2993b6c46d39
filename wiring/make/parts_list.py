"""The parts list, `parts.csv`: what to order, cut and print for a board."""

import csv
import io
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from math import ceil
from typing import Final

from tamsk_hw.game.tubes import GLASSES_EACH, PLAYERS
from wiring.make.board import SIGNAL_WIRE, SUPPLY_WIRE, Board, Cable, Form, Material, TubeCable
from wiring.make.circuit import Part, Style, Unit
from wiring.make.electrics_lights import hop_length


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


#: Share of spares, at least one piece.
_SPARE_SHARE: Final = 0.05

#: The groups of the list in their order, with the kinds of each.
_KINDS: Final = {
    "Modules": ("nano", "pi", "load_amplifier", "load_cell", "supply", "usb_port", "usb_mini_b"),
    "Integrated circuits": (
        "ring_converter", "ring_decoder", "bank_driver", "multiplexer", "level_shifter", "shunt_reference",
        "voltage_reference",
    ),
    "Transistors and diodes": ("p_channel", "pnp", "line_guard", "suppressor", "zener"),
    "Sensors": ("ring_sensor", "hall_sensor"),
    "Lights, buttons, buzzer": ("pixel", "button", "buzzer"),
    "Resistors": ("resistor",),
    "Capacitors": ("capacitor",),
    "Fuses": ("fuse",),
    "Connectors": ("connector",),
}  # fmt: skip

#: The group of each kind, in that order.
_GROUPS: Final = {kind: group for group, kinds in _KINDS.items() for kind in kinds}

#: Groups whose parts are small, cheap or easily spoilt by soldering, as pixels are: some are ordered to spare.
_SMALL: Final = (
    "Integrated circuits", "Transistors and diodes", "Sensors", "Resistors", "Capacitors", "Fuses", "Connectors",
)  # fmt: skip

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
    "ring_sensor": "the 1114, sorted 2 to 1 by its maker",
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
        spares=spare(len(parts)) if _GROUPS[kind.key] in _SMALL or kind.key == "pixel" else 0,
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


#: The group of these rows.
GROUP: Final = "Cables and wire"

#: Share of wire and flat cable that is ordered beyond the need.
_OFFCUTS: Final = 0.20

#: The sizes of single wires (AWG) by their cross-section (mm²).
_AWG: Final = {0.14: 26, 0.5: 20}


def cable_rows(board: Board) -> list[Row]:
    """Flat cable, wire, the USB cable, leads of parts; sockets and housings at the cables' ends."""
    lengths: defaultdict[Material, float] = defaultdict(float)
    places: defaultdict[Material, list[str]] = defaultdict(list)
    cables: tuple[Cable | TubeCable, ...] = (*board.cables, *board.tube_cables)
    for cable in cables:
        lengths[cable.made_of] += cable.length * (len(cable.wires) if cable.made_of.form is Form.SINGLE else 1)
        places[cable.made_of].append(cable.ref)
    hops = sum(1 for _ in board.circuit.of_kind("pixel")) - 1
    hop = hop_length(board.wiring.geometry)
    for made_of, wires in ((SUPPLY_WIRE, 2), (SIGNAL_WIRE, 1)):
        lengths[made_of] += hops * hop * wires
        places[made_of].append("pixel to pixel")
    order = sorted(lengths, key=lambda made_of: natural(str(made_of)))
    rows = [_cable_row(board, made_of, lengths[made_of], places[made_of]) for made_of in order]
    return [*rows, *_socket_rows(board), *_housing_rows(board)]


def _cable_row(board: Board, made_of: Material, length: float, places: list[str]) -> Row:
    order = board.catalogue.orders["cable", str(made_of)]
    pieces = made_of.form in (Form.READY, Form.LEAD)
    item, value, note = _words(made_of)
    return Row(
        group=GROUP,
        item=item,
        value=value,
        maker=order.maker,
        number=order.number,
        origin=Origin.COMES_WITH if made_of.form is Form.LEAD else Origin.ORDER,
        quantity=len(places) if pieces else round(length, 2),
        measure=PIECES if pieces else METRES,
        spares=0 if pieces else ceil(length * _OFFCUTS * 10) / 10,
        where=", ".join(places),
        notes=note,
    )


def _words(made_of: Material) -> tuple[str, str, str]:
    """Item, value and note of a cable's row."""
    match made_of.form:
        case Form.FLAT:
            note = "28 AWG, 1.27 mm; fewer wires can be torn off more; 0.635 mm fits no plug"
            return "Flat cable", f"{made_of.wires} wires", note
        case Form.SINGLE:
            note = f"single wires, {_AWG[made_of.gauge]} AWG, in the colours of the harness"
            return "Wire", f"{made_of.gauge:g} mm²", f"{note}; the number is the series, its colour follows it"
        case Form.READY:
            return "Cable", str(made_of), "1 m; one that only charges will not do"
        case Form.LEAD:
            return "Lead", str(made_of), "of the supply and the load cells"


def _socket_rows(board: Board) -> list[Row]:
    """A socket for each end of a flat cable that is plugged in: one for each tube, two for the ribbon."""
    ends: Counter[int] = Counter()
    ends.update(cable.made_of.wires for cable in board.tube_cables if cable.made_of.form is Form.FLAT)
    ends.update(cable.made_of.wires for cable in 2 * board.cables if cable.made_of.form is Form.FLAT)
    return [
        Row(
            group=GROUP,
            item="Socket for flat cable, with strain relief",
            value=f"{pins} pins",
            package="2.54 mm, two rows",
            maker="Würth Elektronik",
            number=f"612{pins:03}23021",
            quantity=count,
            spares=spare(count),
            per_unit=on(Unit.SENSORS, count) if pins != 20 else {Unit.SENSORS.value: 1, Unit.CONTROLLER.value: 1},
            where="each tube's cable" if pins != 20 else "both ends of W2",
            alternatives=("any socket that fits the box header",),
        )
        for pins, count in sorted(ends.items())
    ]


def _housing_rows(board: Board) -> list[Row]:
    """Crimp housings and contacts for the pin headers; wire of 0.5 mm² is soldered."""
    headers = [part for part in board.circuit.parts if part.style is Style.PIN_HEADER]
    found = []
    for pins in sorted({len(part.kind.pins) for part in headers}):
        parts = [part for part in headers if len(part.kind.pins) == pins]
        where = ", ".join(part.ref for part in parts)
        found.append(_crimp(f"Crimp housing, {pins} contacts", f"M20-1060{pins}00", len(parts), where))
    (pi,) = board.circuit.of_kind("pi")
    at_the_pi = sum(len(cable.wires) for cable in board.cables if cable.b == pi.ref)
    found.append(_crimp("Crimp housing, 1 contact", "M20-1060100", at_the_pi, "each wire on the Pi's header"))
    contacts = sum(len(part.kind.pins) for part in headers) + at_the_pi
    found.append(_crimp("Crimp contact, 22 to 30 AWG", "M20-1180046", contacts, "in the crimp housings"))
    return found


def _crimp(item: str, number: str, count: int, where: str) -> Row:
    return Row(
        group=GROUP,
        item=item,
        package="2.54 mm",
        maker="Harwin",
        number=number,
        quantity=count,
        spares=spare(count),
        where=where,
        alternatives=("any crimp housings of 2.54 mm; or solder the wires",),
    )


#: The groups of these rows.
MAGNETS: Final = "Magnets"
HOUSINGS: Final = "Sockets and holders of parts"
MECHANICS: Final = "Tubes and mechanics"

#: Caps of a glass, each with a magnet; the timer's glass has as many.
_CAPS: Final = 2

#: Jigs for gluing the magnets, each with a magnet of its own.
JIGS: Final = 2

#: Packages that go onto an adapter on perforated board.
ADAPTED: Final = ("SOIC-8", "SOIC-24", "SOT-23-6")

#: Screws of a tube's foot, and of the cradle's.
_FOOT_SCREWS: Final = 2


def besides_rows(board: Board, parts: Sequence[Part] | None = None, *, boards: bool = False) -> list[Row]:
    """Magnets, sockets of parts, mechanics.

    ``parts`` are those soldered by hand, all where it is None; with ``boards`` on circuit boards that are ordered.
    """
    by_hand = board.circuit.parts if parts is None else parts
    return [_magnets(board), *_holders(by_hand, boards=boards), *_mechanics(board, boards=boards)]


def _magnets(board: Board) -> Row:
    geometry = board.wiring.geometry
    glasses = GLASSES_EACH * len(PLAYERS)
    quantity = _CAPS * (glasses + 1)
    size = f"{geometry.magnet_diameter:g} × {geometry.magnet_thickness:g} mm"
    whole = geometry.magnet_diameter.is_integer() and geometry.magnet_thickness.is_integer()
    # The shop writes whole millimetres into its number: S-08-02-N.
    number = f"S-{geometry.magnet_diameter:02.0f}-{geometry.magnet_thickness:02.0f}-N" if whole else f"disc {size}"
    return Row(
        group=MAGNETS,
        item="Disc magnet, neodymium, magnetised along its axis",
        value=f"{size}, N35 to N45",
        package=size,
        maker="supermagnete" if whole else "any",
        number=number,
        quantity=quantity,
        spares=spare(quantity) + JIGS,
        per_unit={"glasses": quantity},
        where=f"both caps of {glasses} glasses and of the timer's: north out at end A, south out at end B",
        alternatives=(f"any disc of {size}, N35 or stronger",),
        notes="all of one delivery, two of the spares for the gluing jigs; this shop's are N45",
    )


def _holders(by_hand: Sequence[Part], *, boards: bool) -> list[Row]:
    rows = [
        _piece("Fuse holder, 5 × 20 mm, for the board", "Schurter", "0031.8201", 1, Unit.CONTROLLER, "FU1"),
        _piece(
            "Pin socket, 15 contacts, 2.54 mm",
            "Harwin",
            "M20-7821546",
            2,
            Unit.CONTROLLER,
            "U1, so that it comes off",
        ),
        *([] if boards else _adapters(by_hand)),
    ]
    for package, number in (("DIP-14", "1-2199298-3"), ("DIP-16", "1-2199298-4"), ("DIP-20", "1-2199298-6")):
        chips = [part for part in by_hand if part.kind.package == package]
        if chips:
            where = ", ".join(part.ref for part in chips)
            rows.append(_piece(f"Socket, {package}", "TE Connectivity", number, len(chips), chips[0].unit, where))
    return rows


def _adapters(by_hand: Sequence[Part]) -> list[Row]:
    """For chips that come with 1.27 mm between their pins; none where those on 2.54 mm are ordered."""
    found = []
    for package in ADAPTED:
        chips = [part for part in by_hand if part.kind.package == package]
        if chips:
            item = f"Adapter {package} to 2.54 mm, with pins"
            where = f"{chips[0].ref} … {chips[-1].ref}" if len(chips) > 1 else chips[0].ref
            found.append(_piece(item, "any", f"{package} to DIP", len(chips), chips[0].unit, where))
    return found


def _piece(item: str, maker: str, number: str, count: int, unit: Unit, where: str) -> Row:
    return Row(
        group=HOUSINGS,
        item=item,
        maker=maker,
        number=number,
        quantity=count,
        per_unit=on(unit, count),
        where=where,
        alternatives=("any of the same size",),
    )


def _mechanics(board: Board, *, boards: bool) -> list[Row]:
    wiring = board.wiring
    levels = Counter(len(wiring.ring_bits[tube]) for tube in wiring.tubes)
    tubes = len(wiring.tubes)
    feet = tubes + 1
    rows = []
    for height, count in sorted(levels.items()):
        named = ", ".join(str(tube) for tube in wiring.tubes if len(wiring.ring_bits[tube]) == height)
        more = "s" if height > 1 else ""
        rows.append(_own(f"Tube for {height} ring{more}, printed, matt black", count, named))
        if not boards:
            rows.append(
                _own(f"Strip of circuit board, 5.4 × 0.4 mm, for {height} ring sensor{more}", count, named)
            )
            rows.append(_own(f"Enamelled wire, 0.2 mm, for {height} ring sensor{more}", count, named))
    rows += [
        _own("Cradle of the timer's glass, printed", 1, "TIMER"),
        _own("Jig for gluing magnets, printed", JIGS, "one for the ends A, one for B"),
    ]
    if not boards:
        rows.append(
            _own("Round board, 10 mm, for a Hall sensor and its capacitor", feet, "under each tube and the cradle")
        )
    perforated = "panel" if boards else "sensor board, controller board, panel"
    rows += [
        _own("Clear rod, 5 mm", wiring.pixel_count, "over each pixel"),
        _own("Perforated board, 160 × 100 mm", 1 if boards else 3, perforated),
        _own("Plate of the board, plywood or acrylic, 6 mm", 1, "drilled by the template"),
        Row(
            group=MECHANICS,
            item="Screw M2.5, countersunk, with nut, brass or nylon",
            value="M2.5 × 16",
            maker="any",
            number="ISO 2009, brass",
            quantity=_FOOT_SCREWS * feet,
            spares=spare(_FOOT_SCREWS * feet),
            per_unit=on(Unit.TUBES, _FOOT_SCREWS * feet),
            where="feet of tubes and cradle",
            notes="no steel within 15 mm of an axis",
        ),
    ]
    return rows


def _own(item: str, count: int, where: str) -> Row:
    return Row(group=MECHANICS, item=item, origin=Origin.OWN_CUT, quantity=count, where=where)


#: The shares of a quantity: by unit, and for the glasses.
UNITS: Final = (*(unit.value for unit in Unit), "glasses")


def rows(board: Board) -> tuple[Row, ...]:
    """All rows of a board's list."""
    return (*circuit_rows(board), *cable_rows(board), *besides_rows(board))


def condensed(designators: Iterable[str]) -> tuple[str, ...]:
    """Designators, with consecutive ones as a range of their last number: ``U10–17``, ``RE-D4-1–4``."""
    found: list[tuple[str, int | None, int | None]] = []
    for ref in designators:
        match = re.fullmatch(r"(.*?)(\d+)", ref)
        if match is None:
            found.append((ref, None, None))
            continue
        stem, last = match[1], int(match[2])
        if found and found[-1][0] == stem and found[-1][2] == last - 1:
            found[-1] = (stem, found[-1][1], last)
        else:
            found.append((stem, last, last))
    return tuple(_range(*entry) for entry in found)


def _range(stem: str, first: int | None, last: int | None) -> str:
    if first is None:
        return stem
    return f"{stem}{first}" if first == last else f"{stem}{first}–{last}"


def amount(value: float) -> str:
    """A quantity without trailing zeros: ``64``, ``4.75``."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _cells(row: Row) -> dict[str, str]:
    """A row of `parts.csv` by its columns."""
    return {
        "group": row.group,
        "item": row.item,
        "value": row.value,
        "package": row.package,
        "maker": row.maker,
        "number": row.number,
        "origin": row.origin.value,
        "quantity": amount(row.quantity),
        "measure": row.measure,
        "spares": amount(row.spares),
        **{unit: amount(row.per_unit[unit]) if unit in row.per_unit else "" for unit in UNITS},
        "designators": " ".join(condensed(part.ref for part in row.parts)),
        "where": row.where,
        "alternatives": "; ".join(row.alternatives),
        "notes": row.notes,
    }


def files(board: Board) -> dict[str, str]:
    """`parts.csv`."""
    table = [_cells(row) for row in rows(board)]
    out = io.StringIO()
    writer = csv.DictWriter(out, table[0].keys(), lineterminator="\n")
    writer.writeheader()
    writer.writerows(table)
    return {"parts.csv": out.getvalue()}
