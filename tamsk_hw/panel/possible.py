"""What people may press and decide as the game stands, and what hinders the rest."""

from __future__ import annotations

from collections.abc import Iterator
from enum import Enum
from typing import assert_never

from tamsk_hw.game.players import PLAYERS
from tamsk_hw.game.tubes import TUBES
from tamsk_hw.panel.prompts import Decision
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Press
from tamsk_hw.referee.view import GlassState, Phase, View


class Hindrance(Enum):
    """Reasons for which a press or a decision would have no effect now."""

    NO_GAME = "no_game"
    """No game is being played."""
    RUNNING = "running"
    """A game is being played."""
    OFFERED = "offered"
    """An unfinished game waits to be resumed or abandoned."""
    NOT_OFFERED = "not_offered"
    """No unfinished game waits."""
    NOT_OVER = "not_over"
    """The game is not over."""
    OTHER_TUBES = "other_tubes"
    """The unfinished game is of a board with other tubes."""
    NO_EFFECT = "no_effect"
    """It would change nothing as the game stands."""
    NO_JOURNAL = "no_journal"
    """No games are kept here."""
    ENDED = "ended"
    """The game, or the service, ended before it took effect."""


def is_played(view: View, offered: bool) -> bool:
    """A game is being played; not while it waits to be resumed (``offered``)."""
    return not offered and view.is_played


def hindrance(event: Button | Arbiter, view: View, offered: bool) -> Hindrance | None:
    """The reason for which the event would have no effect; None when it would. ``offered``: an unfinished game
    waits to be resumed.
    """
    played = is_played(view, offered)
    match event:
        case Button(button=ButtonName.START, press=Press.SHORT):
            return Hindrance.RUNNING if played else None
        case Button(button=ButtonName.START):
            return None if offered else Hindrance.NOT_OFFERED
        case Button() | Arbiter() if not played:
            return Hindrance.OFFERED if offered else Hindrance.NO_GAME
        case Button(press=Press.SHORT):
            return None if view.phase is Phase.PLAY else Hindrance.NO_EFFECT
        case Button():
            return None
        case Arbiter(_, action, tube, player):
            return None if Decision(action, tube, player) in decisions(view) else Hindrance.NO_EFFECT
        case _:
            assert_never(event)


def decisions(view: View) -> tuple[Decision, ...]:
    """The arbiter's decisions that are possible now; none unless a game is being played."""
    if not view.is_played:
        return ()
    return tuple(decision for action in Action for decision in _of(action, view))


def _of(action: Action, view: View) -> Iterator[Decision]:
    """The decisions of one kind."""
    match action:
        case Action.AWARD:
            yield from (Decision(action, None, player) for player in PLAYERS)
        case Action.ABANDON:
            yield Decision(action)
        case Action.EXPIRE:
            yield from (Decision(action, glass.tube) for glass in view.glasses if glass.state.may_run)
        case Action.REVIVE:
            yield from (Decision(action, glass.tube) for glass in view.glasses if glass.state is GlassState.LOST)
        case Action.RING:
            tubes = [tube for tube in TUBES if view.rings[tube] or view.rings_seen[tube]]
            yield from (
                Decision(action, tube, player) for tube in tubes for player in PLAYERS if view.left[player]
            )
        case Action.UNCOUNT:
            yield from (Decision(action, tube) for tube in TUBES if view.rings[tube])
        case _:
            assert_never(action)
