"""An advice as the JSON object of a state (docs/live-reference.md, State)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, assert_never

from tamsk_hw.game.players import Player
from tamsk_hw.game.position import Move
from tamsk_hw.game.tubes import TUBE_OF_NAME, Tube
from tamsk_hw.partner.advice import Advice
from tamsk_hw.partner.intention import (
    Act,
    ClaimRing,
    DropPenaltyRing,
    DropRing,
    MoveGlass,
    PutRight,
    TakeRing,
    TurnTimerOver,
)

_AT_A_TUBE: Final[dict[str, type[DropRing | DropPenaltyRing | ClaimRing | TakeRing]]] = {
    "ring": DropRing,
    "penalty_ring": DropPenaltyRing,
    "claim": ClaimRing,
    "take_ring": TakeRing,
}


def advice_as_dict(advice: Advice) -> dict[str, Any]:
    """The advice as its JSON object."""
    return {"player": advice.player.value, **_act_as_dict(advice.act)}


def _act_as_dict(act: Act) -> dict[str, Any]:
    match act:
        case MoveGlass(move, turned, ring):
            home = None if move.from_tube is None else move.from_tube.name
            return {"act": "move", "from": home, "to": move.to_tube.name, "turned": turned, "ring": ring}
        case DropRing(tube):
            return {"act": "ring", "tube": tube.name}
        case DropPenaltyRing(tube):
            return {"act": "penalty_ring", "tube": tube.name}
        case ClaimRing(tube):
            return {"act": "claim", "tube": tube.name}
        case TakeRing(tube):
            return {"act": "take_ring", "tube": tube.name}
        case PutRight(at, to, turned):
            return {"act": "put_right", "from": at.name, "to": to.name, "turned": turned}
        case TurnTimerOver():
            return {"act": "timer"}
        case _:
            assert_never(act)


def read_advice(record: Mapping[str, Any]) -> Advice:
    """The advice that `advice_as_dict` made this object of.

    Raises:
        KeyError, ValueError, TypeError, AttributeError: it is no advice that this version knows.
    """
    return Advice(Player(record["player"]), _read_act(record))


def _read_act(record: Mapping[str, Any]) -> Act:
    match record["act"]:
        case "move":
            home = None if record["from"] is None else _tube(record, "from")
            return MoveGlass(Move(home, _tube(record, "to")), _flag(record, "turned"), _flag(record, "ring"))
        case "put_right":
            return PutRight(_tube(record, "from"), _tube(record, "to"), _flag(record, "turned"))
        case "timer":
            return TurnTimerOver()
        case act:
            return _AT_A_TUBE[act](_tube(record, "tube"))


def _tube(record: Mapping[str, Any], key: str) -> Tube:
    return TUBE_OF_NAME[record[key]]


def _flag(record: Mapping[str, Any], key: str) -> bool:
    flag = record[key]
    if not isinstance(flag, bool):
        raise TypeError(flag)
    return flag
