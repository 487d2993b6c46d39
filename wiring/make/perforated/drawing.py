"""The perforated boards as sheets, seen from the parts' side, enlarged."""

from __future__ import annotations

from typing import Final
from xml.etree import ElementTree

from wiring.make.board import Board
from wiring.make.circuit.model import Unit
from wiring.make.numbers import places
from wiring.make.perforated.grid import COLUMNS, PITCH, ROWS, Hole, name
from wiring.make.perforated.placing import Placed, Plan, plans
from wiring.make.schematics.page import LEFT, LINE, THIN, TOP, Point, Sheet, pages

#: From hole to hole on the sheet, in millimetres.
STEP: Final = 4.2

#: Of the outermost holes on the sheet.
_X, _Y = LEFT + 9, TOP + 7

#: Every so many columns have their number; between these are lines.
_MARKED: Final = 5

#: Sizes of letters; the smaller one is for parts of one row.
_LETTERS, _SMALL = 2.2, 1.7


def drawings(board: Board) -> dict[str, str]:
    """A sheet for each unit that fits, by file name."""
    return pages(board, [_sheet(plan) for plan in plans(board) if plan.fits])


def _sheet(plan: Plan) -> Sheet:
    unit = {Unit.SENSORS: "sensors", Unit.CONTROLLER: "controller"}[plan.unit]
    title = f"Perforated board: {plan.unit.value}"
    sheet = Sheet(f"perforated-{unit}", title)
    _frame(sheet)
    for each in plan.placed:
        _part(sheet, each)
    note = f"Seen from the parts' side, {STEP / PITCH:.2f} times as large. Dots are pins, a square is pin 1."
    sheet.text(note, (LEFT, _Y + ROWS * STEP + 1.5))
    return sheet


def _frame(sheet: Sheet) -> None:
    """Names of rows and columns, and a line at every fifth."""
    for row in range(ROWS):
        sheet.text(name((0, row)).rstrip("1"), (_X - 3.4, _at((0, row))[1] + 0.8), anchor="end", size=_LETTERS)
    for column in range(COLUMNS):
        if (column + 1) % _MARKED == 0 or column == 0:
            x = _at((column, 0))[0]
            sheet.text(str(column + 1), (x, _Y - 3.4), anchor="middle", size=_LETTERS)
            _faint(sheet, (x, _Y - STEP / 2), (x, _Y + (ROWS - 0.5) * STEP))
    sheet.box((_X - STEP / 2, _Y - STEP / 2), (COLUMNS * STEP, ROWS * STEP), line=LINE)


def _faint(sheet: Sheet, start: Point, end: Point) -> None:
    (x1, y1), (x2, y2) = start, end
    line = {"x1": places(x1), "y1": places(y1), "x2": places(x2), "y2": places(y2)}
    ElementTree.SubElement(sheet.content, "line", {**line, "stroke": "#ccc", "stroke-width": "0.1"})


def _part(sheet: Sheet, each: Placed) -> None:
    x, y = _at(each.corner)
    group = sheet.group(ref=each.part.ref)
    edge = 0.42 * STEP
    size = (each.outline.width - 1) * STEP + 2 * edge, (each.outline.height - 1) * STEP + 2 * edge
    sheet.box((x - edge, y - edge), size, group, line=THIN)
    for number, hole in each.pins.items():
        _pin(group, _at(hole), square=number == "1")
    middle = x + (each.outline.width - 1) * STEP / 2
    row = _free_row(each)
    if row is None:
        # Below the dots, inside the outline.
        sheet.text(each.part.ref, (middle, y + 1.5), anchor="middle", size=_SMALL, bold=True, group=group)
    else:
        at = middle, y + row * STEP + 0.8
        sheet.text(each.part.ref, at, anchor="middle", size=_LETTERS, bold=True, group=group)


def _free_row(each: Placed) -> int | None:
    """The row without pins that is nearest to the middle of a part."""
    pinned = {row for _, row in each.outline.pins.values()}
    free = [row for row in range(each.outline.height) if row not in pinned]
    return min(free, key=lambda row: abs(2 * row - each.outline.height + 1), default=None)


def _pin(group: ElementTree.Element, at: Point, *, square: bool) -> None:
    """A dot; a square for pin 1."""
    x, y = at
    if square:
        size = {"x": places(x - 0.45), "y": places(y - 0.45), "width": "0.9", "height": "0.9"}
        ElementTree.SubElement(group, "rect", size)
    else:
        ElementTree.SubElement(group, "circle", {"cx": places(x), "cy": places(y), "r": "0.4"})


def _at(hole: Hole) -> Point:
    """The place of a hole on the sheet."""
    return _X + hole[0] * STEP, _Y + hole[1] * STEP
