"""Places the parts of a unit on perforated board, step by step."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, groupby
from typing import Final

from wiring.make.board import Board
from wiring.make.circuit.model import Circuit, Part, Role, Unit
from wiring.make.ordering.steps import Step, step_of
from wiring.make.perforated.grid import COLUMNS, ROWS, Hole, Outline, outline

#: Holes left free at the board's edges, for its screws and the rim.
RIM: Final = 2

#: Holes left free at the right of each part. Wires run on the other side, so rows may touch.
FREE: Final = 1


@dataclass(frozen=True, slots=True)
class Placed:
    """A part and the hole of its upper left corner."""

    part: Part
    step: Step
    corner: Hole
    outline: Outline

    @property
    def pins(self) -> dict[str, Hole]:
        """The hole of each pin by number."""
        x, y = self.corner
        return {number: (x + column, y + row) for number, (column, row) in self.outline.pins.items()}


@dataclass(frozen=True, slots=True)
class Plan:
    """The perforated board of a unit: its parts; ``rows`` are those that it needs, of `COLUMNS` holes."""

    unit: Unit
    placed: tuple[Placed, ...]
    rows: int

    @property
    def fits(self) -> bool:
        """True if the plan needs no more rows than a perforated board has."""
        return self.rows <= ROWS


def plans(board: Board) -> tuple[Plan, ...]:
    """The sensor board and the controller board."""
    return tuple(_plan(board.circuit, unit) for unit in (Unit.SENSORS, Unit.CONTROLLER))


def _plan(circuit: Circuit, unit: Unit) -> Plan:
    """Each part at the first free place, from above and then from the left; of a step its largest first."""
    blocks = [
        (step_of(circuit, part), block)
        for part in circuit.on(unit)
        if not _is_buffer(part) and (block := _block(circuit, part)) is not None
    ]
    blocks.sort(key=lambda each: (each[0], -each[1].height, -each[1].width))
    taken: set[Hole] = set()
    placed: list[Placed] = []
    for step, block in blocks:
        x, y = next(each for each in _corners(block) if taken.isdisjoint(_covered(each, block)))
        taken.update(_covered((x, y), block))
        placed += [Placed(part, step, (x + column, y + row), own) for part, (column, row), own in block.parts]
    return Plan(unit, tuple(placed), max(each.corner[1] + each.outline.height for each in placed) + RIM)


@dataclass(frozen=True, slots=True)
class _Block:
    """Parts that are placed as one: a chip with the capacitor at its supply pin, or a part alone."""

    width: int
    height: int
    parts: tuple[tuple[Part, Hole, Outline], ...]


def _is_buffer(part: Part) -> bool:
    """True for the capacitor of a chip."""
    return part.letters == "CU"


def _block(circuit: Circuit, part: Part) -> _Block | None:
    """A part; a chip has a row more for its capacitor, on the side of its supply pin."""
    own = outline(part)
    if own is None:
        return None
    buffer = next((each for each in circuit.serving(part.ref, "capacitor") if _is_buffer(each)), None)
    if buffer is None:
        return _Block(own.width, own.height, ((part, (0, 0), own),))
    beside = outline(buffer)
    assert beside is not None, buffer.ref
    supply = next(pin for pin in part.kind.pins if pin.role is Role.SUPPLY)
    column, row = own.pins[supply.number]
    above = row == 0
    at = min(column, own.width - beside.width), 0 if above else own.height
    chip = 0, beside.height if above else 0
    return _Block(own.width, own.height + beside.height, ((part, chip, own), (buffer, at, beside)))


def _corners(own: _Block) -> Iterator[Hole]:
    """All places on a board of any length."""
    return ((x, y) for y in count(RIM) for x in range(RIM, COLUMNS - RIM - own.width + 1))


def _covered(corner: Hole, own: _Block) -> Iterator[Hole]:
    x, y = corner
    return ((x + column, y + row) for column in range(own.width + FREE) for row in range(own.height))


def by_step(placed: Iterable[Placed]) -> list[tuple[Step, list[Placed]]]:
    """The parts of each step."""
    return [(step, list(own)) for step, own in groupby(placed, lambda each: each.step)]
