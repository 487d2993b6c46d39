"""What may be pressed and decided as the game stands, and what hinders the rest."""

import pytest

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.panel.keys import Rejection, rejection_of
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Press
from tamsk_hw.referee.view import Phase
from tests.panel.boards import view

START = Button(0.0, ButtonName.START, Press.SHORT)
CLAIM = Button(0.0, ButtonName.RED, Press.SHORT)
RESIGN = Button(0.0, ButtonName.BLACK, Press.LONG)
ABANDON = Arbiter(0.0, Action.ABANDON)


@pytest.mark.parametrize(
    ("event", "phase", "why"),
    [
        (START, Phase.SETUP, None),
        (START, Phase.SAND, Rejection.RUNNING),
        (Button(0.0, ButtonName.START, Press.LONG), Phase.SETUP, None),  # lots are drawn
        (Button(0.0, ButtonName.START, Press.LONG), Phase.PLAY, Rejection.NOT_OFFERED),
        (CLAIM, Phase.SETUP, Rejection.NO_GAME),
        (CLAIM, Phase.PLAY, None),
        (CLAIM, Phase.SAND, Rejection.NO_EFFECT),
        (RESIGN, Phase.SAND, None),
        (RESIGN, Phase.OVER, Rejection.NO_GAME),
        (ABANDON, Phase.SETUP, Rejection.NO_GAME),
        (ABANDON, Phase.PLAY, None),
        # R9.6: no ring lies on D4, so none can be given to anybody or taken back, and no glass has run out.
        (Arbiter(0.0, Action.RING, Tube.D4, Player.RED), Phase.PLAY, Rejection.NO_EFFECT),
        (Arbiter(0.0, Action.UNCOUNT, Tube.D4), Phase.PLAY, Rejection.NO_EFFECT),
        (Arbiter(0.0, Action.REVIVE, Tube.D1), Phase.PLAY, Rejection.NO_EFFECT),
    ],
)
def test_a_press_has_an_effect_or_a_hindrance(
    event: Button | Arbiter, phase: Phase, why: Rejection | None
) -> None:
    assert rejection_of(event, view(phase=phase), offered=False) is why


@pytest.mark.parametrize("event", [CLAIM, RESIGN, ABANDON])
def test_an_offered_game_is_answered_first(event: Button | Arbiter) -> None:
    assert rejection_of(event, view(), offered=True) is Rejection.OFFERED
