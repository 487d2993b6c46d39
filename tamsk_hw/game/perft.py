"""Counting lines of play, the proof of the move rules by numbers (docs/formats.md, Command line)."""

from __future__ import annotations

from tamsk_hw.game.position import Position
from tamsk_hw.game.ruleset import Ruleset


def perft(depth: int, *, optional_rings: bool = False, position: Position | None = None) -> int:
    """Count the lines of ``depth`` plies from ``position`` (default: the start at level 1).

    A ply is a move with its ring dropped, or (``optional_rings``) dropped or not, or a pass; a finished game has
    no continuation. ``depth`` is 0 or more; the last ply is counted without being played.
    """
    position = position or Position.start(Ruleset(level=1))
    if depth == 0:
        return 1
    if position.is_over():
        return 0
    moves = position.legal_moves()
    if not moves:
        return perft(depth - 1, optional_rings=optional_rings, position=position.pass_turn())
    choices = (True, False) if optional_rings and position.left(position.turn) else (True,)
    if depth == 1:
        return len(moves) * len(choices)
    return sum(
        perft(depth - 1, optional_rings=optional_rings, position=position.play(move, ring))
        for move in moves
        for ring in choices
    )
