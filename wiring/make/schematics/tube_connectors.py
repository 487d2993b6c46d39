"""Sheet of the tubes' connectors, pin by pin."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.schematics.page import BOTTOM, LEFT, TOP, Sheet
from wiring.make.schematics.tables import HEAD, ROW, Table, draw_table

#: Height of the references to other sheets, below the table.
_REFERENCES = 14.0


def tube_connector_sheets(board: Board) -> list[Sheet]:
    """A row for each connector: the net of each of its pins."""
    sheet = Sheet("tube-connectors", "Connectors of the tubes and the cradle")
    plugs = [part for part in board.circuit.of_kind("connector") if part.letters == "JT"]
    most = max(len(part.kind.pins) for part in plugs)
    rows = tuple(
        (part.ref, *(part.net(pin.name) or "" for pin in part.kind.pins), *("",) * (most - len(part.kind.pins)))
        for part in plugs
    )
    sheet.nets |= {net for part in plugs for net in part.nets.values()}
    table = Table("connector", ("connector", *(f"pin {number}" for number in range(1, most + 1))), rows)
    widths = [width + 3 for width in table.widths]
    draw_table(
        sheet, table, (LEFT - 2, TOP - 2), widths, row=min(ROW, (BOTTOM - _REFERENCES - TOP - HEAD) / len(rows))
    )
    return [sheet]
