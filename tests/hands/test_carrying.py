"""An intention becomes requests that hands understand; those of lessons are carried out in `tests.lessons`."""

import pytest

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.hands.actions import HandAction, read_action
from tamsk_hw.hands.client import requests_for
from tamsk_hw.partner.intention import Intention, MoveGlass, MoveRing, PutRight, RingAct
from tamsk_hw.referee.events import ButtonName
from tests.hands.at_hand import act

RED, BLACK = Player.RED, Player.BLACK


@pytest.mark.parametrize(
    ("player", "intention", "deeds"),
    [
        (BLACK, MoveGlass(None, Tube.D4, True, False), [act("place", BLACK, Tube.D4)]),
        (RED, MoveRing(RingAct.DROP_PENALTY, Tube.D4), [act("drop", RED, Tube.D4)]),
        (
            BLACK,
            MoveRing(RingAct.CLAIM, Tube.D4),
            [act("take_up", BLACK), act("press", ButtonName.BLACK), act("drop", BLACK, Tube.D4, 0.2)],
        ),
        (RED, MoveRing(RingAct.TAKE, Tube.D4), [act("take", RED, Tube.D4)]),
        (RED, PutRight(Tube.D3, Tube.D1, False), [act("lift", RED, Tube.D3), act("seat", RED, Tube.D1, False)]),
    ],
)
def test_requests(player: Player, intention: Intention, deeds: list[HandAction]) -> None:
    records = requests_for(player, intention)
    assert [read_action(each["do"], {key: each[key] for key in each if key != "do"}) for each in records] == deeds
