"""The hole map: where each part goes on perforated board, for boards small enough to be wired by hand."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import count, groupby
from typing import Final
from xml.etree import ElementTree

from wiring.make.board import Board
from wiring.make.circuit import USB_PORTS, Circuit, Part, Role, Style, Unit
from wiring.make.schematic_page import LEFT, TOP, Sheet, pages
from wiring.make.steps import Step, step_of
from wiring.make.texts import render

#: A hole: its column from the left and its row from above, counted from 0.
Hole = tuple[int, int]

#: From hole to hole, millimetres.
PITCH: Final = 2.54

#: Columns and rows of a board of 160 × 100 mm.
COLUMNS, ROWS = 61, 38

#: From one row of pins to the other, in holes: of adapters, of chips in sockets, of the Nano.
ROW_DISTANCES: Final = {
    "SOIC-8": 3,
    "SOIC-24": 6,
    "SOT-23-6": 3,
    "DIP-14": 3,
    "DIP-16": 3,
    "DIP-20": 3,
    "module, 2 × 15 pins": 6,
}

#: Parts with two leads: holes across and down that they cover, their first lead's hole, holes between the leads.
#: By kind, or kind and value; leads are bent to this distance where theirs is another.
_TWO_LEADS: Final[dict[str, tuple[int, int, Hole, int]]] = {
    "resistor": (5, 1, (0, 0), 4),
    "suppressor": (6, 2, (0, 0), 5),
    "zener": (5, 1, (0, 0), 4),
    "capacitor 1 nF": (2, 1, (0, 0), 1),
    "capacitor 10 nF": (2, 1, (0, 0), 1),
    "capacitor 100 nF": (2, 1, (0, 0), 1),
    "capacitor 100 µF": (4, 3, (1, 1), 1),
    "capacitor 470 µF": (5, 4, (1, 1), 2),
    "fuse 4 A slow": (10, 4, (0, 1), 9),
    "fuse 2.5 A resettable": (9, 2, (3, 0), 2),
    "fuse 1.85 A resettable": (7, 2, (2, 0), 2),
    "fuse 1.1 A resettable": (6, 2, (2, 0), 2),
}


@dataclass(frozen=True, slots=True)
class Outline:
    """A part on the grid: holes that it covers across and down, and the hole of each pin by number."""

    width: int
    height: int
    pins: dict[str, Hole]


def outline(part: Part) -> Outline | None:
    """The outline of a part; None for the inlet, which no grid of holes takes, and for what belongs to a module.

    Raises `KeyError` for a part that is not known here.
    """
    numbers = [pin.number for pin in part.kind.pins]
    count = len(numbers)
    distance = ROW_DISTANCES.get(part.kind.package)
    if part.style is Style.INLET or part.kind.key in USB_PORTS:
        return None
    if part.style is Style.BOX_HEADER:
        # Its walls stand two holes beyond the pins, and one above and below them.
        pins = {number: (2 + place // 2, 2 - place % 2) for place, number in enumerate(numbers)}
        return Outline(count // 2 + 4, 4, pins)
    if part.style is Style.PIN_HEADER:
        return Outline(count, 1, {number: (place, 0) for place, number in enumerate(numbers)})
    if part.style is Style.SCREW_TERMINAL:
        return Outline(2 * count + 1, 4, {number: (1 + 2 * place, 2) for place, number in enumerate(numbers)})
    if distance is not None:
        own = _two_rows(numbers, distance)
        return _with_plug(own) if part.kind.key == "nano" else own
    if part.kind.package == "SOT-23":
        return Outline(count, 2, {number: (place, 0) for place, number in enumerate(numbers)})
    key = part.kind.key if part.kind.key in _TWO_LEADS else f"{part.kind.key} {part.value}"
    width, height, (x, y), apart = _TWO_LEADS[key]
    return Outline(width, height, {numbers[0]: (x, y), numbers[1]: (x + apart, y)})


def _two_rows(numbers: list[str], distance: int) -> Outline:
    """Pin 1 at the lower left, the first half to the right, the other back above it, as seen from above."""
    half = len(numbers) // 2
    below = {number: (place, distance) for place, number in enumerate(numbers[:half])}
    above = {number: (half - 1 - place, 0) for place, number in enumerate(numbers[half:])}
    return Outline(half, distance + 1, below | above)


def _with_plug(own: Outline) -> Outline:
    """The Nano: its board is a hole longer at both ends, and its plug, beside pins 15 and 16, wants six more."""
    return Outline(own.width + 8, own.height, {number: (x + 1, y) for number, (x, y) in own.pins.items()})


def name(hole: Hole) -> str:
    """The name of a hole: its row as a letter, A to Z, then AA …, and its column from 1: ``C12``, ``AB7``."""
    column, row = hole
    letters = chr(ord("A") + row % 26)
    return f"{'A' * (row // 26)}{letters}{column + 1}"


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
    """True for a capacitor of a chip."""
    return part.letters in ("CU", "CV")


def _block(circuit: Circuit, part: Part) -> _Block | None:
    """A part; a chip has a row more for its capacitors, on the side of its supply pins."""
    own = outline(part)
    if own is None:
        return None
    buffers = [each for each in circuit.serving(part.ref, "capacitor") if _is_buffer(each)]
    if not buffers:
        return _Block(own.width, own.height, ((part, (0, 0), own),))
    supply = next(pin for pin in part.kind.pins if pin.role is Role.SUPPLY)
    column, row = own.pins[supply.number]
    shapes = [shape for buffer in buffers if (shape := outline(buffer)) is not None]
    left = min(column, own.width - sum(shape.width for shape in shapes))
    height, above = shapes[0].height, row == 0
    parts = [(part, (0, height if above else 0), own)]
    for buffer, shape in zip(buffers, shapes, strict=True):
        parts.append((buffer, (left, 0 if above else own.height), shape))
        left += shape.width
    return _Block(own.width, own.height + height, tuple(parts))


def _corners(own: _Block) -> Iterator[Hole]:
    """All places on a board of any length."""
    return ((x, y) for y in count(RIM) for x in range(RIM, COLUMNS - RIM - own.width + 1))


def _covered(corner: Hole, own: _Block) -> Iterator[Hole]:
    x, y = corner
    return ((x + column, y + row) for column in range(own.width + FREE) for row in range(own.height))


def by_step(placed: Iterable[Placed]) -> list[tuple[Step, list[Placed]]]:
    """The parts of each step."""
    return [(step, list(own)) for step, own in groupby(placed, lambda each: each.step)]


#: From hole to hole on the sheet, in millimetres; the places of the outermost holes there.
STEP: Final = 4.2
_X, _Y = LEFT + 9, TOP + 7


def drawings(board: Board) -> dict[str, str]:
    """A sheet for each unit that fits, by file name."""
    sheets = []
    for plan in (plan for plan in plans(board) if plan.fits):
        unit = {Unit.SENSORS: "sensors", Unit.CONTROLLER: "controller"}[plan.unit]
        sheets.append(Sheet(f"perforated-{unit}", f"Perforated board: {plan.unit.value}"))
        parts = [(each, _free_row(each)) for each in plan.placed]
        drawn = render(
            "perforated.svg.j2", parts=parts, row_name=name, columns=COLUMNS, rows=ROWS, left=_X, top=_Y, step=STEP
        )
        sheets[-1].content.extend(ElementTree.fromstring(drawn))
        note = f"Seen from the parts' side, {STEP / PITCH:.2f} times as large. Dots are pins, a square is pin 1."
        sheets[-1].text(note, (LEFT, _Y + ROWS * STEP + 1.5))
    return pages(board, sheets)


def _free_row(each: Placed) -> int | None:
    """The row without pins that is nearest to the middle of a part."""
    pinned = {row for _, row in each.outline.pins.values()}
    free = [row for row in range(each.outline.height) if row not in pinned]
    return min(free, key=lambda row: abs(2 * row - each.outline.height + 1), default=None)


def page(board: Board) -> str:
    """The text of `perforated.md`."""
    return render(
        "perforated.md.j2",
        board=board,
        columns=COLUMNS,
        rows=ROWS,
        distances=[(package, f"{holes * PITCH:.2f}", holes) for package, holes in ROW_DISTANCES.items()],
        units=[
            (
                plan.unit.value,
                plan.fits,
                plan.rows,
                [(step.value, step.title, [_cells(each) for each in own]) for step, own in by_step(plan.placed)],
            )
            for plan in plans(board)
        ],
    )


def _cells(each: Placed) -> tuple[str, ...]:
    """Designator, value, the hole of each pin with its net."""
    nets = {pin.number: each.part.nets.get(pin.name) for pin in each.part.kind.pins}
    pins = (
        f"{number} {name(hole)}{f' ({nets[number]})' if nets[number] else ''}"
        for number, hole in each.pins.items()
    )
    return each.part.ref, each.part.value, ", ".join(pins)


def files(board: Board) -> dict[str, str]:
    """The page, and a drawing for each perforated board that its parts fit on."""
    return {"perforated.md": page(board), **drawings(board)}
