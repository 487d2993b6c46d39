"""The boards, and everything made for them: each made once for all tests."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from tests.firmware.toolchain import need
from wiring.make import harness
from wiring.make.board import Board, load_boards
from wiring.make.making import MAKERS

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
