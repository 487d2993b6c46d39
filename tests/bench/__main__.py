"""``python -m tests.bench``: measure and print the table."""

import os
import sys
from pathlib import Path

from rich.console import Console
from rich.table import Table

from tests.bench.figures import Figure
from tests.bench.firmware import firmware_figures
from tests.bench.host import host_figures
from tests.bench.scoreboard import scoreboard_figures
from tests.bench.service import service_figures
from tests.bench.waits import waits_figures
from tests.web.site import CHROMIUM

#: How the last column puts it.
VERDICTS = {True: "ok", False: "OVER", None: ""}


def print_table(console: Console, title: str, figures: list[Figure]) -> None:
    """One table."""
    table = Table(title=title)
    for heading in ("what", "at most (least)", "measured", ""):
        table.add_column(heading)
    for figure in figures:
        table.add_row(figure.what, figure.budget, figure.measured, VERDICTS[figure.met])
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
    print_table(console, title, [*host_figures(), *service_figures()])
    print_table(console, "From a touch to the pixel bytes, with the journal on three disks", waits_figures())
    if Path(CHROMIUM).exists():
        print_table(console, "The scoreboard in Chromium", scoreboard_figures())
    else:
        console.print(f"The scoreboard is not measured: there is no {CHROMIUM}.", highlight=False)
    console.print("Budgets of the host are scaled by the time of pure Python on this machine.", highlight=False)


if __name__ == "__main__":
    main()
