"""The boards as `make boards` leaves them in ``build/boards``; one that is not there is drawn for the tests."""

from __future__ import annotations

from functools import cache
from pathlib import Path

import pytest

from wiring.boards import kicad
from wiring.boards.layout import Wanted
from wiring.boards.making import drawn, wanted_boards
from wiring.boards.reading import BoardFile, read_board


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
