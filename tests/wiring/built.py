"""The boards, and everything made for them: each made once for all tests."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from functools import cache

import pytest

from wiring.make.board import Board, load_boards
from wiring.make.making import MAKERS

#: The boards by key; their circuits are built once.
BOARDS = {board.key: board for board in load_boards()}
REFERENCE, SEVEN = BOARDS.values()

each_board = pytest.mark.parametrize("key", BOARDS)

needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="graphviz is not installed")


@cache
def made(key: str, maker: Callable[[Board], dict[str, str]]) -> dict[str, str]:
    """The files that a maker makes for a board."""
    return maker(BOARDS[key])


def all_made(key: str) -> dict[str, str]:
    """The files of all makers, named from the board's folder."""
    return {f"{within}{name}": text for within, maker in MAKERS for name, text in made(key, maker).items()}
