"""Perft: the number of lines of play, a proof of the move rules (docs/formats.md)."""

from tamsk_hw.game.position import Position
from tamsk_hw.game.ruleset import Ruleset


def perft(depth: int, *, optional_rings: bool = False, position: Position | None = None) -> int:
    """Count the lines of ``depth`` plies from ``position`` (default: the start at level 1).

    A ply is a move with its ring dropped, or (``optional_rings``) dropped or not, or a pass; a finished game has
    no continuation. ``depth`` is 0 or more; the last ply is counted without being played.
    """
    return _lines(position or Position.start(Ruleset(level=1)), depth, optional_rings)


def _lines(position: Position, depth: int, optional_rings: bool) -> int:
    """The lines of ``depth`` plies from ``position``; none is remembered, each is counted."""
    if depth == 0:
        return 1
    if position.is_over():
        return 0
    choices = (True, False) if optional_rings and position.left(position.turn) else (True,)
    if depth == 1:
        return position.move_count(position.turn) * len(choices) or 1  # a pass is a ply, too
    moves = position.legal_moves()
    if not moves:
        return _lines(position.pass_turn(), depth - 1, optional_rings)
    return sum(_lines(position.after(move, ring), depth - 1, optional_rings) for move in moves for ring in choices)
