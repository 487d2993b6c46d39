"""The score sheet of a game: level, the moves of red and black with their times, figures, and the result."""

from __future__ import annotations

from collections.abc import Iterable

from tamsk_hw.game.notation import Ply, numbered
from tamsk_hw.game.players import PLAYERS
from tamsk_hw.referee.rulings import GameOver, Ruling, Started
from tamsk_hw.referee.sheet import pairs, plies, tallies
from tamsk_hw.words.rulings import say

#: Columns of a time, and of a player's column at least.
_TIME = 7
_COLUMN = 24


def score_sheet(rulings: Iterable[Ruling]) -> str:
    """The score sheet, without a trailing newline. A game that has not ended ends with its last move."""
    listed = list(rulings)
    lines = [f"TAMSK, level {ruling.level}" for ruling in listed if isinstance(ruling, Started)]
    turns = plies(listed)
    if turns:
        lines += ["", *_moves(turns), "", *_figures(listed)]
    results = [say(ruling) for ruling in listed if isinstance(ruling, GameOver)]
    return "\n".join([*lines, *([""] if lines and results else []), *results])


def _minutes(seconds: float) -> str:
    """A length of time as minutes and seconds."""
    minutes, rest = divmod(round(seconds), 60)
    return f"{minutes}:{rest:02}"


def _moves(turns: Iterable[Ply]) -> list[str]:
    """The turns in two columns, red's and black's, each with the time that it took."""
    rows = [tuple("" if ply is None else numbered(ply) for ply in pair) for pair in pairs(turns)]
    times = [
        tuple("" if ply is None or ply.seconds is None else _minutes(ply.seconds) for ply in pair)
        for pair in pairs(turns)
    ]
    width = max(_COLUMN, *(len(cell) for row in rows for cell in row))
    head = "   ".join(f"{f'      {player}':<{width}}{'time':>{_TIME}}" for player in PLAYERS)
    return [
        head,
        *(
            "   ".join(f"{cell:<{width}}{time:>{_TIME}}" for cell, time in zip(cells, each, strict=True)).rstrip()
            for cells, each in zip(rows, times, strict=True)
        ),
    ]


def _figures(rulings: list[Ruling]) -> list[str]:
    """Time, penalties and violations of both players."""
    of = tallies(rulings)
    red, black = (of[player] for player in PLAYERS)
    rows = [
        ("", *map(str, PLAYERS)),
        ("time", _minutes(red.seconds), _minutes(black.seconds)),
        ("penalties", str(red.penalties), str(black.penalties)),
        ("violations", str(red.violations), str(black.violations)),
    ]
    lines = [f"{name:<10}{one:>10}{two:>10}" for name, one, two in rows]
    if of[None].violations:
        lines.append(f"violations of nobody in particular: {of[None].violations}")
    return lines
