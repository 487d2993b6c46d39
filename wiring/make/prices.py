"""The bill of a build, wired by hand or with ordered circuit boards: everything that is paid for, with prices."""

import datetime
import json
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Final

from tamsk_hw.errors import WiringError
from tamsk_hw.game.tubes import CAPACITY
from wiring.make.board import FOLDER, Board
from wiring.make.circuit import PARTS, Part, Unit
from wiring.make.parts_list import METRES, Origin, Row, besides_rows, cable_rows, circuit_rows

#: The footprints' dimensions, as `wiring.boards` took them from KiCad's library.
_FOOTPRINTS: Final = FOLDER / "boards" / "footprints.json"

#: The units that a circuit board replaces.
ORDERED_UNITS: Final = (Unit.TUBES, Unit.SENSORS, Unit.CONTROLLER)


class Way(Enum):
    """A way to build."""

    WIRED = "perforated board"
    """Everything is wired by hand: perforated boards, enamelled wires."""
    ORDERED = "ordered boards"
    """A factory makes the circuit boards and mounts what is flat."""


def mounted(board: Board, way: Way, part: Part) -> bool:
    """True where a factory mounts the part: it lies flat on a board that is ordered.

    A part without a footprint in parts.toml, or with pins that go through, is soldered by hand.
    """
    if way is Way.WIRED or part.unit not in ORDERED_UNITS:
        return False
    mounts = board.catalogue.mounts
    mount = mounts.get((part.kind.key, "")) or mounts.get((part.kind.key, part.value))
    return mount is not None and mount.footprint in _flat()


@cache
def _flat(path: Path = _FOOTPRINTS) -> frozenset[str]:
    """The footprints without a drilled pad."""
    known = json.loads(path.read_text(encoding="utf-8"))
    return frozenset(key for key, table in known.items() if not any(pad["drill"] for pad in table["pads"]))


@dataclass(frozen=True, slots=True)
class Source:
    """The origin of prices: its day, a page where they were ``seen`` or "" where assumed, and the reasoning."""

    number: int
    currency: str
    date: datetime.date
    seen: str
    why: str


@dataclass(frozen=True, slots=True)
class Price:
    """The price of one piece or one metre, in the currency of its source."""

    amount: float
    source: Source


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by order code, or by name for what has none; ``euros`` are what a unit of a currency is worth."""

    sources: tuple[Source, ...]
    known: Mapping[str, Price]
    euros: Mapping[str, float]

    def of(self, key: str) -> Price:
        """The price of an order code or name. Raises `WiringError`."""
        found = self.known.get(key)
        if found is None:
            raise WiringError(f"{key}: no price; add it to a table of prices in wiring/parts.toml")
        return found

    def in_euros(self, key: str) -> float:
        """The same in euros."""
        price = self.of(key)
        return price.amount * self.euros[price.source.currency]


def load_prices(path: Path = PARTS) -> Prices:
    """The prices in a file of parts. Raises `WiringError` for one that cannot be read, or a price given twice."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        sources = tuple(
            Source(number, table["currency"], table["date"], table["seen"], table["why"])
            for number, table in enumerate(values["prices"], 1)
        )
        known: dict[str, Price] = {}
        for source, table in zip(sources, values["prices"], strict=True):
            for key, amount in table["each"].items():
                if key in known:
                    raise WiringError(f"{path}: {key}: two prices; allowed is one")
                known[key] = Price(float(amount), source)
        return Prices(sources, known, {"EUR": 1.0, **values["euros"]})
    except (ValueError, KeyError, TypeError) as error:
        words = f"{type(error).__name__} {error}"
        raise WiringError(f"{path}: {words}; allowed are prices with currency, date, seen, why, each") from error


#: The groups of a bill beside those of the parts list, in this order before and behind them.
BOARDS: Final = "Circuit boards, made and mounted"
MOUNTED: Final = "Parts that the factory mounts"
SHIPPING: Final = "Shipping"

#: Factories mount no fewer boards of a kind than this.
LEAST_MOUNTED: Final = 2

#: Discs in a row of their panel, which has whole rows (`wiring.boards.making`).
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
