"""Makes all boards, and what a factory gets."""

from __future__ import annotations

import fcntl
import json
import shutil
import tempfile
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Final

from wiring.boards import kicad
from wiring.boards.checking import problems
from wiring.boards.collection import collection
from wiring.boards.footprints import DATA, needed
from wiring.boards.layout import Layout
from wiring.boards.orders import bill, netlist, places
from wiring.boards.reading import BoardFile, read_board
from wiring.boards.routes import with_routes
from wiring.boards.wanted import Wanted
from wiring.make.board import FOLDER, load_boards

#: Where the boards are made, a folder each; git ignores it.
BUILD: Final = FOLDER.parent / "build" / "boards"


class BoardError(Exception):
    """A board breaks a rule; a line each."""


def wanted_boards() -> tuple[Wanted, ...]:
    """All boards as circuit and mechanics have them."""
    return collection(load_boards())


def texts(board: BoardFile, layout: Layout) -> dict[str, str]:
    """The lists of a board, by file name."""
    return {
        f"{layout.name}.net": netlist(layout),
        f"{layout.name}-bill.csv": bill(layout),
        f"{layout.name}-places.csv": places(board, layout),
    }


def make_footprints() -> None:
    """Take the footprints' dimensions from KiCad's library."""
    with tempfile.TemporaryDirectory() as folder:
        found = kicad.footprints(needed(load_boards()[0].catalogue), Path(folder))
    rows = ",\n".join(f'"{key}": {json.dumps(found[key], sort_keys=True)}' for key in sorted(found))
    DATA.write_text(f"{{\n{rows}\n}}\n", encoding="utf-8")


def drawn(wanted: Wanted, build: Path = BUILD, tell: Callable[[str], None] = lambda line: None) -> Path:
    """The file of a board, routed and drawn by KiCad, below ``build``; drawn again where the board has changed."""
    layout = with_routes(wanted.layout, tell)
    folder = build / layout.name
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        return kicad.draw(layout, folder)


def make(wanted: Wanted, build: Path = BUILD, tell: Callable[[str], None] = lambda line: None) -> None:
    """Draw a board and check it; write its lists, pictures and what a factory gets. Raises `BoardError`."""
    path = drawn(wanted, build, tell)
    layout, folder, name = with_routes(wanted.layout, tell), path.parent, path.stem
    for old in set(folder.iterdir()) - {path, path.with_suffix(".json"), path.with_suffix(".kicad_pro")}:
        old.unlink()
    board = read_board(path)
    wrong = [str(problem) for problem in problems(board, wanted)]
    wrong += [f"{name}: KiCad reports {each}" for each in kicad.violations(path, folder)]
    if wrong:
        raise BoardError("\n".join(wrong))
    for file, text in texts(board, layout).items():
        (folder / file).write_text(text, encoding="utf-8")
    kicad.call("plots", path, folder)
    with zipfile.ZipFile(folder / f"{name}-gerber.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for plot in sorted((folder / "gerber").iterdir()):
            archive.write(plot, plot.name)
    shutil.rmtree(folder / "gerber")
    kicad.interactive_bill(path, folder)
