"""The score sheet of a game: its level, moves with their times, figures, and the result.

`tamsk_hw.game.notation` says what the lines mean; here they are in the language that is spoken.
"""

from collections.abc import Iterable, Sequence
from typing import assert_never

from tamsk_hw.game.notation import Ply, PlyKind, moved
from tamsk_hw.game.tubes import PLAYERS
from tamsk_hw.journal.records import GameState, StoredGame
from tamsk_hw.referee.rulings import GameOver, Ruling, Started
from tamsk_hw.referee.sheet import pairs, plies, tallies
from tamsk_hw.words.pages import clock_words
from tamsk_hw.words.rulings import say
from tamsk_hw.words.translating import letter_words, player_words, tr, tr_in


def turn_words(ply: Ply) -> str:
    """A turn with its number: ``  2.  (B)G1→F1x``."""
    return f"{ply.number:>3}.  ({letter_words(ply.player)}){played_words(ply)}"


def played_words(ply: Ply) -> str:
    """A turn without its number and colour: ``G1→F1x``."""
    text = _outcome(ply)
    if ply.late and ply.late_after is None:
        text += f" {tr_in('score sheet', 'late')}"
    elif ply.late:
        late = tr_in("score sheet", "late, after {number}", number=ply.late_after)
        text += f" {late}"
    for tube in ply.lost:
        text += f" †{tube.name}"
    return text


def _outcome(ply: Ply) -> str:
    match ply.kind:
        case PlyKind.MOVE:
            return moved(ply)
        case PlyKind.PASS:
            return tr_in("score sheet", "pass")
        case PlyKind.FORFEIT:
            return tr_in("score sheet", "forfeit")
        case PlyKind.TIMEOUT:
            return tr_in("score sheet", "late")
        case PlyKind.SKIP:
            return tr_in("score sheet", "skip")
        case PlyKind.OPEN:
            return "…"
        case _:
            assert_never(ply.kind)


#: Columns of a time, and at least those of a player's column and of a figure's name.
_TIME = 7
_COLUMN = 24
_NAME = 10


def sheet_heading(
    game: StoredGame, begun: str, imported: str | None = None, remarks: Sequence[tuple[str, str]] = ()
) -> list[str]:
    """The lines above the score sheet of a game in the journal; ``begun`` and ``imported`` are dates, ``remarks``
    are those of the arbiter, each with its date.
    """
    state = _state(game.state)
    if imported is not None:
        lines = [tr("Game {number}, imported {date} ({state})", number=game.number, date=imported, state=state)]
    elif game.note is None:
        lines = [tr("Game {number}, begun {date} ({state})", number=game.number, date=begun, state=state)]
    else:
        lines = [
            tr(
                "Game {number}, begun {date} ({state}: {note})",
                number=game.number,
                date=begun,
                state=state,
                note=game.note,
            )
        ]
    if game.red or game.black:
        lines.append(tr("Red: {red}, black: {black}", red=game.red or "-", black=game.black or "-"))
    lines += [tr("Remark of {date}: {text}", date=date, text=text) for date, text in remarks]
    return lines


def _state(state: GameState) -> str:
    match state:
        case GameState.RUNNING:
            return tr_in("a game", "running")
        case GameState.FINISHED:
            return tr_in("a game", "finished")
        case GameState.ABANDONED:
            return tr_in("a game", "abandoned")
        case GameState.SET_ASIDE:
            return tr_in("a game", "set aside")
        case _:
            assert_never(state)


def score_sheet(rulings: Iterable[Ruling]) -> str:
    """The score sheet, without a trailing newline. A game that has not ended ends with its last move."""
    listed = list(rulings)
    lines = [tr("TAMSK, level {level}", level=ruling.level) for ruling in listed if isinstance(ruling, Started)]
    turns = plies(listed)
    if turns:
        lines += ["", *_moves(turns), "", *_figures(listed)]
    results = [say(ruling) for ruling in listed if isinstance(ruling, GameOver)]
    return "\n".join([*lines, *([""] if lines and results else []), *results])


def _moves(turns: Iterable[Ply]) -> list[str]:
    """The turns in two columns, red's and black's, each with the time that it took."""
    head = [(f"      {player_words(player)}", tr("time")) for player in PLAYERS]
    rows = [[_cell(ply) for ply in pair] for pair in pairs(turns)]
    width = max(_COLUMN, *(len(turn) for row in rows for turn, _ in row))
    return ["   ".join(f"{turn:<{width}}{time:>{_TIME}}" for turn, time in row).rstrip() for row in (head, *rows)]


def _cell(ply: Ply | None) -> tuple[str, str]:
    """A turn and its time, as far as they are there."""
    if ply is None:
        return "", ""
    return turn_words(ply), "" if ply.seconds is None else clock_words(ply.seconds)


def _figures(rulings: list[Ruling]) -> list[str]:
    """Time, penalties and violations of both players."""
    of = tallies(rulings)
    red, black = (of[player] for player in PLAYERS)
    rows = [
        ("", *map(player_words, PLAYERS)),
        (tr("time"), clock_words(red.seconds), clock_words(black.seconds)),
        (tr("penalties"), str(red.penalties), str(black.penalties)),
        (tr("violations"), str(red.violations), str(black.violations)),
    ]
    width = max(_NAME, *(len(name) for name, _, _ in rows))
    lines = [f"{name:<{width}}{one:>10}{two:>10}" for name, one, two in rows]
    if of[None].violations:
        lines.append(tr("violations of nobody in particular: {count}", count=of[None].violations))
    return lines
