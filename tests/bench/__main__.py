"""``python -m tests.bench``: measure and print the table."""

from __future__ import annotations

import os
import sys

from rich.console import Console
from rich.table import Table

from tests.bench.figures import Figure
from tests.bench.firmware import firmware_figures
from tests.bench.host import host_figures


def print_table(console: Console, title: str, figures: list[Figure]) -> None:
    """One table."""
    table = Table(title=title)
    for heading in ("what", "at most (least)", "measured", ""):
        table.add_column(heading)
    for figure in figures:
        table.add_row(figure.what, figure.budget, figure.measured, "ok" if figure.met else "OVER")
    console.print(table)


def main() -> None:
    """Print what must be the same in each run first, what this machine makes of it then."""
    console = Console(width=120)
    figures, notes = firmware_figures()
    if figures:
        print_table(console, "Firmware budgets, on the emulated controller", figures)
    for note in notes:
        console.print(note, highlight=False)
    title = f"Host budgets, Python {sys.version.split()[0]}, {os.cpu_count()} cores"
    print_table(console, title, host_figures())


if __name__ == "__main__":
    main()
