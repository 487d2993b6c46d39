"""Cables and wire by total length, and their sockets, housings and contacts."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import ceil
from typing import Final

from wiring.make.board import Board
from wiring.make.circuit.cables import SIGNAL_WIRE, SUPPLY_WIRE, Cable, Form, Material, TubeCable
from wiring.make.circuit.model import Style, Unit
from wiring.make.electrics.lights import hop_length
from wiring.make.parts_list.rows import METRES, PIECES, Origin, Row, natural, on, spare

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
            note = "28 AWG, 1.27 mm; narrower can be torn off a wider one"
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
