"""An intention becomes requests that hands understand."""

from __future__ import annotations

import pytest

from tamsk_hw.game.position import Move
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.hands.client import requests_for
from tamsk_hw.hands.requests import (
    Deed,
    Drop,
    LiftGlass,
    PlaceGlass,
    PressButton,
    SeatGlass,
    Take,
    TakeUp,
    TurnTimer,
    read_deed,
)
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
from tamsk_hw.simulator.truth import PushButton

RED, BLACK = Player.RED, Player.BLACK


@pytest.mark.parametrize(
    ("player", "intention", "deeds"),
    [
        (
            RED,
            MoveGlass(Move(Tube.D1, Tube.D2), True, True),
            [LiftGlass(RED, Tube.D1), SeatGlass(RED, Tube.D2, True)],
        ),
        (BLACK, MoveGlass(Move(None, Tube.D4), True, False), [PlaceGlass(BLACK, Tube.D4)]),
        (BLACK, DropRing(Tube.D4), [Drop(BLACK, Tube.D4)]),
        (RED, DropPenaltyRing(Tube.D4), [Drop(RED, Tube.D4)]),
        (BLACK, ClaimRing(Tube.D4), [TakeUp(BLACK), PressButton(PushButton.BLACK), Drop(BLACK, Tube.D4, 0.2)]),
        (RED, TakeRing(Tube.D4), [Take(RED, Tube.D4)]),
        (RED, PutRight(Tube.D3, Tube.D1, False), [LiftGlass(RED, Tube.D3), SeatGlass(RED, Tube.D1, False)]),
        (BLACK, TurnTimerOver(), [TurnTimer(BLACK)]),
        (BLACK, Await(3.0), []),
    ],
)
def test_requests(player: Player, intention: Intention, deeds: list[Deed]) -> None:
    records = requests_for(player, intention)
    assert [read_deed(each["do"], {key: each[key] for key in each if key != "do"}) for each in records] == deeds
