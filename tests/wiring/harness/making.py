"""The files of each board, made once for all tests."""

from __future__ import annotations

import shutil
from functools import cache
from pathlib import Path

import pytest

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.board.wiring_map import Wiring
from wiring.make.board import FOLDER, Board, load_boards
from wiring.make.harness import drawings, texts

#: The maps, by the boards' keys; read here without `wiring.make`.
MAPS = {"reference": "board.toml", "seven": "seven/board.toml"}

FOLDER_OF_BOARDS: Path = FOLDER

needs_dot = pytest.mark.skipif(shutil.which("dot") is None, reason="graphviz is not installed")

each_board = pytest.mark.parametrize("key", list(MAPS))


@cache
def board(key: str) -> Board:
    return next(each for each in load_boards() if each.key == key)


@cache
def wiring(key: str) -> Wiring:
    return load_wiring(FOLDER / MAPS[key])


@cache
def made_texts(key: str) -> dict[str, str]:
    return texts(board(key))


@cache
def made_drawings(key: str) -> dict[str, str]:
    return drawings(board(key))
