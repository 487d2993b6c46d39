"""Makes all boards: files that are committed, and what a factory gets."""

from __future__ import annotations

import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from wiring.boards import kicad
from wiring.boards.checking import Problem, problems
from wiring.boards.collection import collection
from wiring.boards.footprints import DATA, needed
from wiring.boards.layout import Layout
from wiring.boards.orders import bill, netlist, places
from wiring.boards.pictures import assembly, both_sides
from wiring.boards.reading import read_board
from wiring.boards.routes import with_routes
from wiring.boards.wanted import Wanted
from wiring.make.board import load_boards

#: Board files, lists and pictures, which are committed.
MADE: Final = Path(__file__).with_name("made")

#: What a factory gets, which is not.
ORDERS: Final = Path(__file__).resolve().parents[2] / "build" / "boards"

#: A date for all files in an archive, so that it is the same each time.
_DATE: Final = (2026, 1, 1, 0, 0, 0)


class BoardError(Exception):
    """A board breaks a rule; a line each."""


def wanted_boards() -> tuple[Wanted, ...]:
    """All boards as circuit and mechanics have them."""
    return collection(load_boards())


def committed(wanted: Wanted, folder: Path = MADE) -> list[Problem]:
    """What is wrong with a committed board file. Raises `OSError` or `ValueError` where it cannot be read."""
    return problems(read_board(folder / f"{wanted.layout.name}.kicad_pcb"), wanted)


def texts(wanted: Wanted, folder: Path) -> dict[str, str]:
    """The lists of a board, by file name."""
    layout = wanted.layout
    board = read_board(folder / f"{layout.name}.kicad_pcb")
    return {
        f"{layout.name}.net": netlist(layout),
        f"{layout.name}-bill.csv": bill(layout),
        f"{layout.name}-places.csv": places(board, layout),
    }


def make_footprints() -> None:
    """Take the footprints' dimensions from KiCad's library anew."""
    with tempfile.TemporaryDirectory() as folder:
        found = kicad.footprints(needed(load_boards()[0].catalogue), Path(folder))
    rows = ",\n".join(f'"{key}": {json.dumps(found[key], sort_keys=True)}' for key in sorted(found))
    DATA.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


def make(
    wanted: Wanted, folder: Path = MADE, orders: Path = ORDERS, tell: Callable[[str], None] = lambda line: None
) -> None:
    """Draw a board, check it, write its lists, pictures and what a factory gets. Raises `BoardError`."""
    layout = with_routes(wanted.layout, tell)
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        beside = Path(name)
        path = kicad.draw(layout, beside)
        wrong = [str(problem) for problem in problems(read_board(path), wanted)]
        wrong += [f"{layout.name}: KiCad reports {each}" for each in kicad.violations(path, beside)]
        if wrong:
            raise BoardError("\n".join(wrong))
        kicad.call("plots", path, beside)
        for made in both_sides(layout, beside / "svg", beside):
            shutil.copy(made, folder)
        for suffix in ("kicad_pcb", "kicad_pro"):
            shutil.copy(beside / f"{layout.name}.{suffix}", folder)
        for file, text in texts(wanted, folder).items():
            (folder / file).write_text(text, encoding="utf-8")
        _order(layout, folder, beside, orders)


def _order(layout: Layout, folder: Path, beside: Path, orders: Path) -> None:
    """What a factory gets: an archive of Gerbers and drill files, the two lists, the drawing of the places."""
    name = layout.name
    own = orders / name
    shutil.rmtree(own, ignore_errors=True)
    own.mkdir(parents=True)
    with zipfile.ZipFile(own / f"{name}-gerber.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted((beside / "gerber").iterdir()):
            archive.writestr(zipfile.ZipInfo(path.name, _DATE), path.read_bytes(), zipfile.ZIP_DEFLATED)
    for list_name in ("bill.csv", "places.csv"):
        shutil.copy(folder / f"{name}-{list_name}", own)
    kicad.interactive_bill(beside / f"{name}.kicad_pcb", own)
    (own / f"{name}-assembly.svg").write_text(assembly(layout, beside / "svg"), encoding="utf-8")
