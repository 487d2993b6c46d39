"""Sheets of the shift-register chain that reads the ring sensors."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.circuit.model import Circuit, Part
from wiring.make.schematics.page import LEFT, MIDDLE, RIGHT, TOP, Sheet
from wiring.make.schematics.symbols import ABOVE, box, two_leads

#: Chips on a sheet, and in a row of it.
_ON_SHEET, _IN_ROW = 4, 2


def chain_sheets(board: Board) -> list[Sheet]:
    """Every 74HC165 with all its pins; on each sheet the order of the whole chain."""
    circuit = board.circuit
    chips = list(circuit.of_kind("chain_register"))
    starts = range(0, len(chips), _ON_SHEET)
    found: list[Sheet] = []
    for number, start in enumerate(starts, 1):
        several = f" ({number} of {len(starts)})" if len(starts) > 1 else ""
        sheet = Sheet(f"shift-registers-{number}", f"Shift-register chain{several}")
        _order(sheet, chips)
        for place, chip in enumerate(chips[start : start + _ON_SHEET]):
            _chip(sheet, circuit, chip, LEFT + place % _IN_ROW * 136, 54 + place // _IN_ROW * 70)
        found.append(sheet)
    return found


def _order(sheet: Sheet, chips: list[Part]) -> None:
    """The chain as a line: its left end goes to the controller."""
    group = sheet.group(strip="chain")
    y, size, height = TOP + 12.0, 13.0, 8.0
    step = min(33.0, (RIGHT - LEFT - 34) / len(chips))
    sheet.text("Data runs leftward, to the controller; seen from above.", (LEFT, TOP + 3), group=group)
    for number, chip in enumerate(chips):
        left = LEFT + 16 + step * number
        sheet.box((left, y - height / 2), (size, height), group)
        sheet.text(chip.ref, (left + size / 2, y + MIDDLE), anchor="middle", bold=True, group=group)
        length = 16.0 if number == 0 else step - size
        sheet.arrow((left, y), (left - length, y), group)
        sheet.text(chip.nets["QH"], (left - length / 2, y - ABOVE - 0.6), anchor="middle", group=group)
    left = LEFT + 16 + step * (len(chips) - 1) + size
    sheet.arrow((left + 16, y), (left, y), group)
    sheet.text(chips[-1].net("SER") or "", (left + 8.5, y - ABOVE - 0.6), anchor="middle", group=group)


def _chip(sheet: Sheet, circuit: Circuit, chip: Part, x: float, y: float) -> None:
    """A chip, and at its right the parts that belong to it."""
    sheet.text(chip.where, (x + 42, y - 6))
    box(sheet, chip, (x + 24, y))
    (pull_up,) = circuit.serving(chip.ref, "resistor")
    (buffer,) = circuit.serving(chip.ref, "capacitor")
    two_leads(sheet, pull_up, (x + 94, y + 5), (x + 94, y + 25))
    two_leads(sheet, buffer, (x + 116, y + 5), (x + 116, y + 25))
