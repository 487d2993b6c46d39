"""Words of the archive's pages."""

from __future__ import annotations

from datetime import datetime
from typing import assert_never

from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start
from tamsk_hw.game.tubes import TUBES
from tamsk_hw.journal import GameState, GameSummary
from tamsk_hw.referee.playback import Course, GlassCourse
from tamsk_hw.referee.rulings import Reason
from tamsk_hw.words.pages import both_names, clock_words, shown_name
from tamsk_hw.words.translating import ntr, tr


def date_words(wall: float | None) -> str:
    """A date, the board's time of day and its zone, since a reader may be elsewhere.

    ``wall`` is in seconds since 1970. Empty for None and for a year past 9999.
    """
    try:
        return "" if wall is None else f"{datetime.fromtimestamp(wall).astimezone():%Y-%m-%d %H:%M %Z}"
    except (OverflowError, ValueError, OSError):
        return ""


def game_title(number: int, *, simulated: bool) -> str:
    """A game by its number."""
    return tr("Simulated game {number}", number=number) if simulated else tr("Game {number}", number=number)


def outcome_words(game: GameSummary, *, is_played: bool) -> str:
    """The result in a few words."""
    over = game.over
    if over is None:
        return tr("being played") if is_played else tr("unfinished")
    if over.winner is not None:
        return tr("{name} wins", name=both_names(game.red, game.black)[over.winner])
    return tr("no result") if over.reason is Reason.ABANDONED else tr("tie")


def state_words(game: GameSummary, *, is_played: bool) -> str | None:
    """The state of a game that has no result; None for one that has."""
    if game.over is not None:
        return None
    match game.state:
        case GameState.RUNNING:
            return tr("It is being played.") if is_played else tr("It is unfinished.")
        case GameState.ABANDONED:
            return tr("It was abandoned.")
        case GameState.SET_ASIDE:
            if game.note is None:
                return tr("It was set aside.")
            return tr("It was set aside: {note}.", note=shown_name(game.note))
        case GameState.FINISHED:
            return None
        case _:
            assert_never(game.state)


def variant_words(ruleset: Ruleset | None) -> list[str]:
    """The variants (R8) by which a game was played, and a smaller board; none for the usual ones."""
    if ruleset is None:
        return []
    found = []
    if ruleset.start is Start.FREE:
        found.append(tr("free start"))
    if ruleset.level == 3 and ruleset.late_penalty is LatePenalty.LOSE_TURN:
        found.append(tr("lateness costs a turn"))
    if ruleset.level == 3 and not ruleset.forfeit_penalised:
        found.append(tr("a turn lost by the timer costs no more"))
    if len(ruleset.tubes) != len(TUBES):
        found.append(ntr("{count} tube", "{count} tubes", len(ruleset.tubes)))
    return found


def ran_out_words(course: Course, glass: GlassCourse) -> str:
    """The time at which a glass ran out; a dash for one that still runs."""
    lost = next((each.t for each in glass.samples if each.is_lost), None)
    return "–" if lost is None else clock_words(lost - course.begins)
