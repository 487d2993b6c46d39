"""An advice in words: who is asked to do what."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.game.players import Player
from tamsk_hw.partner.advice import Advice
from tamsk_hw.partner.intention import (
    ClaimRing,
    DropPenaltyRing,
    DropRing,
    MoveGlass,
    PutRight,
    TakeRing,
    TurnTimerOver,
)
from tamsk_hw.words.translating import tr


def advice_words(advice: Advice) -> str:
    """The advice as a sentence: ``Black: carry D4 to E5, turned over, then drop its ring.``."""
    player, act = advice.player, advice.act
    match act:
        case MoveGlass():
            return _move(player, act)
        case DropRing(tube):
            return tr("{Player}: drop the ring on {tube}.", player=player, tube=tube)
        case DropPenaltyRing(tube):
            return tr("{Player}: drop a penalty ring on {tube}.", player=player, tube=tube)
        case ClaimRing(tube):
            return tr(
                "{Player}: announce a claim by the button, then drop a ring on {tube}.", player=player, tube=tube
            )
        case TakeRing(tube):
            return tr("{Player}: take the ring off {tube} again.", player=player, tube=tube)
        case PutRight(at, to) if at is to:
            return tr("{Player}: turn the glass on {tube} over.", player=player, tube=at)
        case PutRight(at, to):
            return tr("{Player}: put the glass on {tube} back on {home}.", player=player, tube=at, home=to)
        case TurnTimerOver():
            return tr("{Player}: turn the 15-second timer over, if it is empty.", player=player)
        case _:
            assert_never(act)


def _move(player: Player, act: MoveGlass) -> str:
    """A move, with how the glass is to stand and with its ring."""
    home, tube = act.move.from_tube, act.move.to_tube
    match home, act.turned, act.ring:
        case None, _, True:
            return tr("{Player}: place a glass on {tube}, then drop its ring.", player=player, tube=tube)
        case None, _, _:
            return tr("{Player}: place a glass on {tube}.", player=player, tube=tube)
        case _, True, True:
            return tr(
                "{Player}: carry {home} to {tube}, turned over, then drop its ring.",
                player=player,
                home=home,
                tube=tube,
            )
        case _, True, _:
            return tr("{Player}: carry {home} to {tube}, turned over.", player=player, home=home, tube=tube)
        case _, _, True:
            return tr("{Player}: carry {home} to {tube}, then drop its ring.", player=player, home=home, tube=tube)
        case _:
            return tr("{Player}: carry {home} to {tube}.", player=player, home=home, tube=tube)
