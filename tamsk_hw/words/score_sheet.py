"""The score sheet of a game: level, numbered moves, and the result with its reason and clause."""

from __future__ import annotations

from collections.abc import Iterable

from tamsk_hw.game.notation import numbered
from tamsk_hw.referee.rulings import GameOver, Ruling, Started
from tamsk_hw.referee.sheet import plies
from tamsk_hw.words.rulings import say


def score_sheet(rulings: Iterable[Ruling]) -> str:
    """The score sheet, without a trailing newline. A game that has not ended ends with its last move."""
    listed = list(rulings)
    lines = [f"TAMSK, level {ruling.level}" for ruling in listed if isinstance(ruling, Started)]
    lines += [numbered(ply) for ply in plies(listed)]
    lines += [say(ruling) for ruling in listed if isinstance(ruling, GameOver)]
    return "\n".join(lines)
