"""Sheet of the arrays against sparks at the tubes' connectors."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Role
from wiring.make.schematics.page import LEFT, TOP, Sheet
from wiring.make.schematics.tables import Table, draw_table


def protection_sheets(board: Board) -> list[Sheet]:
    """A row for each array: the line on each of its pins."""
    circuit = board.circuit
    sheet = Sheet("line-guards", "Arrays against sparks, at the tubes' connectors")
    arrays = list(circuit.of_kind("line_guard"))
    kind = arrays[0].kind
    pins = [pin for pin in kind.pins if pin.role is Role.PASSIVE]
    rows = tuple((part.ref, *(part.nets[pin.name] for pin in pins)) for part in arrays)
    sheet.nets |= {net for part in arrays for net in part.nets.values()}
    heads = ("part", *(f"{pin.name} (pin {pin.number})" for pin in pins))
    table = Table("array", heads, rows)
    draw_table(sheet, table, (LEFT, TOP + 22), [width + 4 for width in table.widths])
    supply, ground = kind.pin("VBUS"), kind.pin("GND")
    lines = (
        f"{arrays[0].ref} … {arrays[-1].ref}: {kind.number}, {kind.package}; pin {supply.number} on {nets.LOGIC}, "
        f"pin {ground.number} on {nets.GROUND}, both short.",
        "Each line comes from its connector first, then to its array, then to everything else.",
        "A spark at a tube goes through the array; what is left of it is stopped by the resistor behind.",
    )
    sheet.notes(lines, (LEFT, TOP + 4))
    return [sheet]
