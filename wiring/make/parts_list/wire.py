"""Cables and wire by total length, and what is crimped onto them."""

from __future__ import annotations

from collections import Counter, defaultdict
from math import ceil
from typing import Final

from wiring.make.board import Board
from wiring.make.circuit.model import Unit
from wiring.make.electrics.lights import hop_length
from wiring.make.parts_list.rows import METRES, PIECES, Origin, Row, natural, on, spare

#: The group of these rows.
GROUP: Final = "Cables and wire"

#: Of wire and flat cable so much more is ordered than is needed (share).
_OFFCUTS: Final = 0.20

#: A Nano's USB cable comes ready made, one piece.
_READY: Final = "USB-A to USB Mini-B, data"
_WITH_PART: Final = "lead of the part"
_PIXEL_SUPPLY: Final = "wire 0.5 mm²"
_PIXEL_DATA: Final = "wire 0.14 mm²"


def cable_rows(board: Board) -> list[Row]:
    """Flat cable, wire, the USB cable, what is lead of a part; sockets and housings at the cables' ends."""
    lengths: defaultdict[str, float] = defaultdict(float)
    places: defaultdict[str, list[str]] = defaultdict(list)
    for cable in board.cables:
        single = not cable.made_of.startswith("flat") and cable.made_of not in (_READY, _WITH_PART)
        lengths[cable.made_of] += cable.length * (len(cable.wires) if single else 1)
        places[cable.made_of].append(cable.ref)
    for tube in board.tube_cables:
        single = not tube.made_of.startswith("flat")
        lengths[tube.made_of] += tube.length * (len(tube.wires) if single else 1)
        places[tube.made_of].append(tube.ref)
    hops = sum(1 for _ in board.circuit.of_kind("pixel")) - 1
    hop = hop_length(board.wiring.geometry)
    for made_of, wires in ((_PIXEL_SUPPLY, 2), (_PIXEL_DATA, 1)):
        lengths[made_of] += hops * hop * wires
        places[made_of].append("pixel to pixel")
    order = sorted(lengths, key=natural)
    rows = [_cable_row(board, made_of, lengths[made_of], places[made_of]) for made_of in order]
    return [*rows, *_socket_rows(board), *_housing_rows(board)]


def _cable_row(board: Board, made_of: str, length: float, places: list[str]) -> Row:
    order = board.catalogue.orders[("cable", made_of)]
    ready, with_part = made_of == _READY, made_of == _WITH_PART
    quantity = len(places) if ready or with_part else round(length, 2)
    if made_of.startswith("flat"):
        item, value = "Flat cable", made_of.partition(", ")[2]
    elif made_of.startswith("wire"):
        item, value = "Wire", made_of.partition(" ")[2]
    else:
        item, value = ("Lead" if with_part else "Cable"), made_of
    return Row(
        group=GROUP,
        item=item,
        value=value,
        package="",
        maker=order.maker,
        number=order.number,
        origin=Origin.COMES_WITH if with_part else Origin.ORDER,
        quantity=quantity,
        measure=PIECES if ready or with_part else METRES,
        spares=0 if ready or with_part else ceil(length * _OFFCUTS * 10) / 10,
        per_unit={},
        where=", ".join(places),
        notes=_note(made_of),
    )


def _note(made_of: str) -> str:
    if made_of == _READY:
        return "1 m; one that only charges will not do"
    if made_of == _WITH_PART:
        return "of the supply and the load cells"
    if made_of.startswith("flat"):
        return "28 AWG, 1.27 mm; narrower can be torn off a wider one"
    size = "26 AWG" if "0.14" in made_of else "20 AWG"
    return f"single wires, {size}, in the colours of the harness; the number is the series, its colour follows it"


def _socket_rows(board: Board) -> list[Row]:
    """A socket for each end of a flat cable that is plugged in: one for each tube, two for the ribbon."""
    ends: Counter[int] = Counter()
    for tube in board.tube_cables:
        if tube.made_of.startswith("flat"):
            ends[len(tube.wires)] += 1
    for cable in board.cables:
        if cable.made_of.startswith("flat"):
            ends[len(cable.wires)] += 2
    return [
        Row(
            group=GROUP,
            item="Socket for flat cable, with strain relief",
            value=f"{pins} pins",
            package="2.54 mm, two rows",
            maker="Würth Elektronik",
            number=f"612{pins:03}23021",
            origin=Origin.ORDER,
            quantity=count,
            measure=PIECES,
            spares=spare(count),
            per_unit=on(Unit.SENSORS, count) if pins != 20 else {Unit.SENSORS.value: 1, Unit.CONTROLLER.value: 1},
            where="each tube's cable" if pins != 20 else "both ends of W2",
            alternatives=("any socket that fits the box header",),
        )
        for pins, count in sorted(ends.items())
    ]


def _housing_rows(board: Board) -> list[Row]:
    """Crimp housings and contacts for the pin headers; wire of 0.5 mm² is soldered."""
    headers = [
        part
        for part in board.circuit.of_kind("connector")
        if part.value.startswith("pin header") and part.ref != "J6"
    ]
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
        value="",
        package="2.54 mm",
        maker="Harwin",
        number=number,
        origin=Origin.ORDER,
        quantity=count,
        measure=PIECES,
        spares=spare(count),
        per_unit={},
        where=where,
        alternatives=("any crimp housings of 2.54 mm; or solder the wires",),
    )
