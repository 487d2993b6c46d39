"""Tables for people: drawn on a terminal, plain aligned columns elsewhere."""

from __future__ import annotations

from collections.abc import Sequence

import click
from rich.cells import cell_len
from rich.console import Console
from rich.table import Table
from rich.text import Text

from tamsk_hw.errors import printable

#: What divides the columns of a plain table.
_GAP = "  "


def print_table(columns: Sequence[str], rows: Sequence[Sequence[str]], *, right: Sequence[str] = ()) -> None:
    """Print a table on standard output; the columns named in ``right`` are aligned there.

    Cells may hold anything: what would steer a terminal, or is mark-up, is shown as it is written.
    """
    shown = [[printable(cell) for cell in row] for row in rows]
    console = Console()
    if console.is_terminal:
        table = Table(header_style="bold")
        for column in columns:
            table.add_column(Text(column), justify="right" if column in right else "left")
        for row in shown:
            table.add_row(*(Text(cell) for cell in row))
        console.print(table)
        return
    widths = [max(map(cell_len, cells)) for cells in zip(columns, *shown, strict=True)]
    for row in (list(columns), *shown):
        cells = [
            " " * (width - cell_len(cell)) + cell if column in right else cell + " " * (width - cell_len(cell))
            for column, cell, width in zip(columns, row, widths, strict=True)
        ]
        click.echo(_GAP.join(cells).rstrip())
