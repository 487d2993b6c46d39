"""The arbiter's decisions in words: what each says, asked before it is taken, and reported afterwards."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.game.players import Player
from tamsk_hw.panel.prompts import Decision
from tamsk_hw.referee.events import Action, Arbiter
from tamsk_hw.referee.view import View
from tamsk_hw.words.translating import tr


def decision_words(decision: Decision | Arbiter, owner: Player | None = None) -> str:
    """The content of a decision, without a full stop; ``owner``: of its glass, if it is known (R9.6, R9.7)."""
    tube = decision.tube
    match decision.action:
        case Action.AWARD:
            return tr("{player} wins", player=decision.player)
        case Action.ABANDON:
            return tr("the game is abandoned, without a result")
        case Action.EXPIRE if owner is None:
            return tr("the glass on {tube} has run out", tube=tube)
        case Action.EXPIRE:
            return tr("{player}'s glass on {tube} has run out", player=owner, tube=tube)
        case Action.REVIVE if owner is None:
            return tr("the glass on {tube} is still running", tube=tube)
        case Action.REVIVE:
            return tr("{player}'s glass on {tube} is still running", player=owner, tube=tube)
        case Action.RING:
            return tr("the last ring on {tube} is {player}'s", tube=tube, player=decision.player)
        case Action.UNCOUNT:
            return tr("the last ring that counts on {tube} was never dropped", tube=tube)
        case _:
            assert_never(decision.action)


def decision_question(decision: Decision, owner: Player | None) -> str:
    """The question before a decision is taken."""
    return tr("{Decision}?", decision=decision_words(decision, owner))


def consequences(decision: Decision, view: View) -> tuple[str, ...]:
    """Consequences of a decision on a ring (R9.6, R9.7), in lines; empty for others, whose names say it."""
    tube, player = decision.tube, decision.player
    match decision.action:
        case Action.UNCOUNT:
            return (tr("It no longer counts, and its player has one ring more left."),)
        case Action.RING if tube is not None and player is not None:
            left = view.left[player] - 1
            if view.rings_seen[tube] > view.rings[tube] and tube not in view.full:
                return (tr("One ring more counts for {player}: {count} left.", player=player, count=left),)
            return (
                tr(
                    "If it counts for {opponent}, it passes to {player}: {count} left.",
                    opponent=player.opponent,
                    player=player,
                    count=left,
                ),
                tr("Otherwise nothing changes."),
            )
        case _:
            return ()


def decided_words(decision: Arbiter) -> str:
    """A decision that was taken, in the list of rulings."""
    return tr("The arbiter decides: {decision}.", decision=decision_words(decision))
