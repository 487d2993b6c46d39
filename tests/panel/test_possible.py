"""What may be pressed and decided as the game stands, and what hinders the rest."""

from dataclasses import replace

import pytest

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.panel.keys import Rejection, rejection_of
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Press
from tamsk_hw.referee.view import Phase, View

START = Button(0.0, ButtonName.START, Press.SHORT)
START_LONG = Button(0.0, ButtonName.START, Press.LONG)
CLAIM = Button(0.0, ButtonName.RED, Press.SHORT)
RESIGN = Button(0.0, ButtonName.BLACK, Press.LONG)
ABANDON = Arbiter(0.0, Action.ABANDON)


def view(phase: Phase) -> View:
    return replace(Referee(Header()).view(0.0), phase=phase)


@pytest.mark.parametrize(
    ("event", "phase", "why"),
    [
        (START, Phase.SETUP, None),
        (START, Phase.PLAY, Rejection.RUNNING),
        (START, Phase.SAND, Rejection.RUNNING),
        (START, Phase.OVER, None),
        (START_LONG, Phase.SETUP, Rejection.NOT_OFFERED),
        (CLAIM, Phase.SETUP, Rejection.NO_GAME),
        (CLAIM, Phase.PLAY, None),
        (CLAIM, Phase.SAND, Rejection.NO_EFFECT),
        (CLAIM, Phase.OVER, Rejection.NO_GAME),
        (RESIGN, Phase.PLAY, None),
        (RESIGN, Phase.SAND, None),
        (RESIGN, Phase.OVER, Rejection.NO_GAME),
        (ABANDON, Phase.SETUP, Rejection.NO_GAME),
        (ABANDON, Phase.PLAY, None),
    ],
)
def test_a_press_has_an_effect_or_a_hindrance(
    event: Button | Arbiter, phase: Phase, why: Rejection | None
) -> None:
    assert rejection_of(event, view(phase), offered=False) is why


@pytest.mark.parametrize("event", [CLAIM, RESIGN, ABANDON])
def test_an_offered_game_is_answered_first(event: Button | Arbiter) -> None:
    assert rejection_of(event, view(Phase.PLAY), offered=True) is Rejection.OFFERED


def test_r9_6_a_decision_that_changes_nothing_is_none() -> None:
    """No ring lies on D4, so none can be given to anybody or taken back, and no glass has run out."""
    for decision in (
        Arbiter(0.0, Action.RING, Tube.D4, Player.RED),
        Arbiter(0.0, Action.UNCOUNT, Tube.D4),
        Arbiter(0.0, Action.REVIVE, Tube.D1),
    ):
        assert rejection_of(decision, view(Phase.PLAY), offered=False) is Rejection.NO_EFFECT
