"""What hands are asked for to carry out an intention: requests, one after the other (docs/simulate.md). Pure."""

from __future__ import annotations

from typing import Any, assert_never

from tamsk_hw.game.players import Player
from tamsk_hw.game.position import Move
from tamsk_hw.game.tubes import Tube
from tamsk_hw.partner.intention import (
    Await,
    ClaimRing,
    DropPenaltyRing,
    DropRing,
    Intention,
    MoveGlass,
    PutRight,
    TakeRing,
    TurnTimerOver,
)


def requests_for(player: Player, intention: Intention) -> list[dict[str, Any]]:
    """The requests by which the hands of ``player`` carry it out; each is done before the next is begun."""
    by = {"player": player.value}
    match intention:
        case MoveGlass(Move(at, to), turned):
            return [{"do": "place", **by, "tube": to.name}] if at is None else _bring(player, at, to, turned)
        case PutRight(at, to, turned):
            return _bring(player, at, to, turned)
        case DropRing(tube) | DropPenaltyRing(tube):
            return [{"do": "drop", **by, "tube": tube.name}]
        case ClaimRing(tube):
            drop = {"do": "drop", **by, "tube": tube.name, "within": 0.2}  # at once: the ring is ready
            return [{"do": "take_up", **by}, {"do": "press", "button": player.value}, drop]
        case TakeRing(tube):
            return [{"do": "take", **by, "tube": tube.name}]
        case TurnTimerOver():
            return [{"do": "turn_timer", **by}]
        case Await():
            return []
        case _:
            assert_never(intention)


def _bring(player: Player, at: Tube, to: Tube, turned: bool) -> list[dict[str, Any]]:
    lift = {"do": "lift", "player": player.value, "tube": at.name}
    return [lift, {"do": "seat", "player": player.value, "tube": to.name, "turned": turned}]
