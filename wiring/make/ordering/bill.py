"""The bill of a build: everything that is paid for, with quantities and prices."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from tamsk_hw.game.tubes import CAPACITY
from wiring.make.board import Board
from wiring.make.circuit.model import Part, Unit
from wiring.make.ordering.prices import Price, Prices
from wiring.make.ordering.ways import Way, mounted
from wiring.make.parts_list.besides import besides_rows
from wiring.make.parts_list.rows import METRES, Origin, Row, circuit_rows
from wiring.make.parts_list.wire import cable_rows

#: The groups of a bill beside those of the parts list, in this order before and behind them.
BOARDS: Final = "Circuit boards, made and mounted"
MOUNTED: Final = "Parts that the factory mounts"
SHIPPING: Final = "Shipping"

#: Factories mount no fewer boards of a kind than this.
LEAST_MOUNTED: Final = 2

#: Discs in a row of their panel, which has whole rows (`wiring.boards.collection`).
DISCS_IN_A_ROW: Final = 8

#: Boards for up to this many tubes have a price of their own.
_FEW_TUBES: Final = 12

#: Shops for the parts: a distributor, one for modules, one for the magnets.
_SHOPS: Final = 3


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the bill: ``quantity`` with spares, in pieces or metres."""

    group: str
    item: str
    order: str
    quantity: float
    metres: bool
    price: Price
    euros: float

    @property
    def sum(self) -> float:
        """Its cost in euros, to the cent."""
        return round(self.quantity * self.euros + 1e-9, 2)


@dataclass(frozen=True, slots=True)
class Design:
    """A circuit board that is ordered: its file's name, that of its price, and what the factory mounts on one."""

    name: str
    price: str
    parts: tuple[Part, ...]

    @property
    def joints(self) -> int:
        """Joints that the factory makes on one."""
        return sum(len(part.kind.pins) for part in self.parts)


def designs(board: Board) -> tuple[Design, ...]:
    """The boards to order: all strips and one of the highest to spare, discs in whole rows, both large boards."""
    circuit = board.circuit
    highest = max(board.wiring.tubes, key=lambda tube: CAPACITY[tube])
    strips = list(circuit.of_kind("ring_sensor"))
    strips += [part for part in strips if part.site is not None and part.site.tube is highest]
    disc = [part for part in circuit.on(Unit.TUBES) if part.letters != "RS"]
    each = len(disc) // (len(board.wiring.tubes) + 1)
    rows = -(-len(disc) // each // DISCS_IN_A_ROW)
    discs = disc[:each] * (rows * DISCS_IN_A_ROW)

    def flat(unit: Unit) -> tuple[Part, ...]:
        return tuple(part for part in circuit.on(unit) if mounted(board, Way.ORDERED, part))

    size = f"to {_FEW_TUBES} tubes" if len(board.wiring.tubes) <= _FEW_TUBES else "more tubes"
    return (
        Design(f"panel-strips-{board.key}", f"five panels of strips, {size}", tuple(strips)),
        Design(f"panel-discs-{board.key}", f"five panels of discs, {size}", tuple(discs)),
        Design(f"sensors-{board.key}", f"five sensor boards, {size}", flat(Unit.SENSORS)),
        Design("controller", "five controller boards", flat(Unit.CONTROLLER)),
    )


def bill(board: Board, way: Way, prices: Prices) -> tuple[Line, ...]:
    """All lines of a bill. Raises `WiringError` for a part without a price."""
    lines: list[Line] = []
    if way is Way.ORDERED:
        lines += [*_boards(board, prices), *_mounted(board, prices)]
    by_hand = [part for part in board.circuit.parts if not mounted(board, way, part)]
    rows = [
        *circuit_rows(board, by_hand),
        *cable_rows(board),
        *besides_rows(board, by_hand, boards=way is Way.ORDERED),
    ]
    lines += [_of(row, prices) for row in rows if row.origin is not Origin.COMES_WITH]
    lines.append(_line(SHIPPING, "shipping, parts", _SHOPS, prices))
    if way is Way.ORDERED:
        lines.append(_line(SHIPPING, "shipping, boards, with duty", 1, prices))
    return tuple(lines)


def total(lines: tuple[Line, ...]) -> float:
    """The sum of a bill in euros."""
    return round(sum(line.sum for line in lines), 2)


def _boards(board: Board, prices: Prices) -> Iterator[Line]:
    ordered = designs(board)
    for design in ordered:
        yield _line(BOARDS, design.price, 1, prices)
    yield _line(BOARDS, "mounting: set-up and stencil of a design", len(ordered), prices)
    kinds = sum(len({_mounted_order(board, part)[1] for part in design.parts}) for design in ordered)
    yield _line(BOARDS, "mounting: each different part", kinds, prices)
    joints = sum(LEAST_MOUNTED * design.joints for design in ordered)
    yield _line(BOARDS, "mounting: each joint", joints, prices)


def _mounted(board: Board, prices: Prices) -> Iterator[Line]:
    counts: Counter[tuple[str, str]] = Counter()
    titles: dict[tuple[str, str], str] = {}
    for design in designs(board):
        for part in design.parts:
            order = _mounted_order(board, part)
            counts[order] += LEAST_MOUNTED
            one_of_many = (part.kind.key, "") not in board.catalogue.mounts
            titles[order] = f"{part.kind.title}, {part.value}" if one_of_many else part.kind.title
    for (maker, number), count in counts.items():
        price = prices.of(number)
        title = titles[maker, number]
        yield Line(MOUNTED, title, f"{maker} {number}", count, False, price, prices.in_euros(number))


def _mounted_order(board: Board, part: Part) -> tuple[str, str]:
    order = board.catalogue.mount(part).order
    return order.maker, order.number


def _of(row: Row, prices: Prices) -> Line:
    """The line of a row of the parts list: priced by its order code, or by its name where it has none."""
    key = row.number or row.item
    item = ", ".join(filter(None, (row.item, row.value)))
    order = f"{row.maker} {row.number}" if row.number else row.origin.value
    quantity = row.quantity + row.spares
    return Line(row.group, item, order, quantity, row.measure == METRES, prices.of(key), prices.in_euros(key))


def _line(group: str, key: str, quantity: float, prices: Prices) -> Line:
    return Line(group, key, "", quantity, False, prices.of(key), prices.in_euros(key))
