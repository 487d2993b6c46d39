"""Parts that are in no circuit: magnets, printed parts, screws, sockets and holders of parts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from tamsk_hw.game.tubes import GLASSES_EACH, PLAYERS
from wiring.make.board import Board
from wiring.make.circuit.model import Part, Unit
from wiring.make.parts_list.rows import Origin, Row, on, spare

#: The groups of these rows.
MAGNETS: Final = "Magnets"
HOUSINGS: Final = "Sockets and holders of parts"
MECHANICS: Final = "Tubes and mechanics"

#: Caps of a glass, each with a magnet; the timer's glass has as many.
_CAPS: Final = 2

#: Jigs for gluing the magnets, each with a magnet of its own.
JIGS: Final = 2

#: Packages that go onto an adapter on perforated board.
ADAPTED: Final = ("SOIC-8", "SOIC-16", "SOIC-24", "SOT-23-6")

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
    for package, number in (("DIP-14", "1-2199298-3"), ("DIP-20", "1-2199298-6")):
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
