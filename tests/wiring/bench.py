"""The boards and all made for them, each made once for all tests.

Boards and prints are those of ``build``, as make boards and make prints leave them; what is not there is made.
"""

import fcntl
from collections.abc import Callable
from functools import cache
from importlib.util import find_spec
from pathlib import Path

import pytest

from tests.firmware.toolchain import need
from wiring.boards import kicad
from wiring.boards.layout import Wanted
from wiring.boards.making import drawn, wanted_boards
from wiring.boards.reading import BoardFile, read_board
from wiring.make import harness
from wiring.make.board import Board, load_boards
from wiring.make.making import MAKERS
from wiring.prints.making import BUILD, all_prints, written

#: The boards by key; their circuits are built once.
BOARDS = {board.key: board for board in load_boards()}
REFERENCE, SEVEN = BOARDS.values()

each_board = pytest.mark.parametrize("key", BOARDS)


@cache
def made(key: str, maker: Callable[[Board], dict[str, str]]) -> dict[str, str]:
    """The files that a maker makes for a board; a test of the harness is skipped or fails without graphviz."""
    if maker is harness.files:
        need("dot")
    return maker(BOARDS[key])


def all_made(key: str) -> dict[str, str]:
    """The files of all makers, named from the board's folder."""
    return {f"{within}{name}": text for within, maker in MAKERS for name, text in made(key, maker).items()}


@cache
def wanted() -> dict[str, Wanted]:
    """What is asked of each board."""
    return {each.layout.name: each for each in wanted_boards()}


@cache
def board_path(name: str) -> Path:
    """A board's file; the test is skipped where KiCad is not installed."""
    lacking = kicad.missing()
    if lacking:
        pytest.skip(lacking)
    return drawn(wanted()[name])


@cache
def board(name: str) -> BoardFile:
    """A board's file, read."""
    return read_board(board_path(name))


WANTED = {wanted.name: wanted for wanted in all_prints()}


def kernel() -> None:
    """Skip the test where the CAD kernel is not installed."""
    if find_spec("build123d") is None:
        pytest.skip("the CAD kernel is not installed (make prints)")


@cache
def stl(name: str) -> Path:
    """The STL file of a print; the test is skipped where the CAD kernel is needed and missing."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with (BUILD / ".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            return written(WANTED[name])
        except ModuleNotFoundError:
            pytest.skip("the CAD kernel is not installed (make prints)")
