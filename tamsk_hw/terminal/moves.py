"""The score sheet beside the board, where a terminal has room for it."""

from __future__ import annotations

from collections.abc import Sequence

from tamsk_hw.game.notation import Ply
from tamsk_hw.game.players import PLAYERS
from tamsk_hw.referee.sheet import pairs
from tamsk_hw.terminal.cells import INK
from tamsk_hw.terminal.hexagon import QUIET, WIDTH, Sheet
from tamsk_hw.words.notation import turn_words

#: Where the moves begin, and the columns of one block of them: red's and black's.
MOVES_COLUMN = WIDTH + 2
MOVES_WIDTH = 38
_CELL = MOVES_WIDTH // 2

#: Columns between two blocks.
_GAP = 2


def draw_moves(sheet: Sheet, top: int, plies: Sequence[Ply]) -> None:
    """Draw the last turns from row ``top`` to the last one, in as many blocks as there is room for."""
    rows = sheet.height - top
    blocks = (sheet.width - MOVES_COLUMN + _GAP) // (MOVES_WIDTH + _GAP)
    shown = pairs(plies)[-rows * blocks :]
    for place, pair in enumerate(shown):
        block, row = divmod(place, rows)
        left = MOVES_COLUMN + block * (MOVES_WIDTH + _GAP)
        for side, (player, ply) in enumerate(zip(PLAYERS, pair, strict=True)):
            if ply is None:
                continue
            text = turn_words(ply)
            cut = text if len(text) < _CELL else f"{text[: _CELL - 2]}…"
            newest = place == len(shown) - 1
            sheet.write(top + row, left + side * _CELL, cut, INK[player] if newest else QUIET)
