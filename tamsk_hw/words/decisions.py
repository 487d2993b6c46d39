"""The arbiter's decisions in words: what each says, asked before it is taken, and reported afterwards."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.game.players import Player
from tamsk_hw.panel.prompts import Decision
from tamsk_hw.referee.events import Action, Arbiter
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
    words = decision_words(decision, owner)
    if decision.action is Action.RING:
        return tr("{Decision}? If it is already, nothing changes.", decision=words)
    return tr("{Decision}?", decision=words)


def decided_words(decision: Arbiter) -> str:
    """A decision that was taken, in the list of rulings."""
    return tr("The arbiter decides: {decision}.", decision=decision_words(decision))
