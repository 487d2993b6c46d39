"""A terminal's keys: which events they make, what is asked before, and what the arbiter may decide."""

import random
from dataclasses import replace
from typing import Any

import pytest

from tamsk_hw.game.tubes import TUBES, Tube
from tamsk_hw.panel.diagnosis import BACKSPACE, DOWN, ENTER, ESCAPE, UP, Confirmation, Idle, KeyList, Menu
from tamsk_hw.panel.keys import REMARK_SECONDS, KeyCommands, decisions
from tamsk_hw.referee import Referee
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Event, Press
from tamsk_hw.referee.rulings import GameOver, Reason
from tamsk_hw.referee.view import GlassState, Phase, View
from tests.panel.boards import BLACK, RED, glass, view
from tests.scenarios.book import SCENARIOS, Scenario

SETUP = view(turn=None, phase=Phase.SETUP)
OVER = view(turn=None, phase=Phase.OVER, over=GameOver(1, "R5.2", BLACK, Reason.FEWEST_RINGS, {RED: 9, BLACK: 7}))


class Person:
    """Somebody at the keys, at 5 seconds of the game."""

    def __init__(self, now: View, *, offered: bool = False) -> None:
        self.desk = KeyCommands()
        self.now, self.offered = now, offered

    def types(self, *keys: str) -> list[Event]:
        given = [self.desk.on_key(key, self.now, offered=self.offered, now=5.0) for key in keys]
        return [event for event in given if event is not None]

    @property
    def asked(self) -> Any:
        return self.desk.prompt


@pytest.mark.parametrize("key", ["s", "S", ENTER])
@pytest.mark.parametrize(("now", "offered"), [(SETUP, False), (OVER, False), (view(), True)])
def test_start_is_the_start_button(key: str, now: View, offered: bool) -> None:
    assert Person(now, offered=offered).types(key) == [Button(5.0, ButtonName.START, Press.SHORT)]


def test_e_1_1_l_is_the_start_button_held_which_draws_lots() -> None:
    assert Person(SETUP).types("l") == [Button(5.0, ButtonName.START, Press.LONG)]
    assert Person(SETUP, offered=True).types("l") == [], "there it would abandon the game that waits"


def test_a_running_game_is_not_started_again() -> None:
    person = Person(view())
    assert person.types("s", "l", ENTER) == []
    person.types("s")
    assert person.asked == Idle.RUNNING


@pytest.mark.parametrize(("player", "button"), [("r", ButtonName.RED), ("b", ButtonName.BLACK)])
def test_a_claim_is_a_short_press_and_a_resignation_a_long_one_after_a_yes(
    player: str, button: ButtonName
) -> None:
    person = Person(view())
    claim = Button(5.0, button, Press.SHORT)
    assert person.types(player) == [claim]
    assert person.asked == claim, "it is acknowledged"
    resign = Confirmation(Button(0.0, button, Press.LONG))
    assert person.types(player.upper(), "s", ENTER, "x", "1") == []
    assert person.asked == resign, "another key is no answer"
    assert person.types("y") == [Button(5.0, button, Press.LONG)]
    assert person.asked is None


@pytest.mark.parametrize("no", ["n", ESCAPE, BACKSPACE, "q"])
def test_no_is_no(no: str) -> None:
    person = Person(view())
    assert person.types("R", no, "y") == []
    assert person.asked == Idle.UNKNOWN_KEY


def test_an_offered_game_is_abandoned_by_a_long_start_after_a_yes() -> None:
    person = Person(view(), offered=True)
    assert person.types("a") == []
    assert person.types("y") == [Button(5.0, ButtonName.START, Press.LONG)]


def test_the_program_ends_after_a_yes() -> None:
    person = Person(view())
    assert person.types("q", "n", "q") == []
    assert not person.desk.is_left
    person.types("y")
    assert person.desk.is_left


def test_the_keys_are_listed_and_any_key_goes_on() -> None:
    person = Person(view())
    person.types("?")
    assert person.asked == KeyList()
    assert person.types("b") == [Button(5.0, ButtonName.BLACK, Press.SHORT)]


def test_a_remark_goes_after_a_while_and_a_question_stays() -> None:
    person = Person(view())
    person.types("x")
    person.desk.advance(view(), 5.0 + REMARK_SECONDS - 0.01)
    assert person.asked == Idle.UNKNOWN_KEY
    person.desk.advance(view(), 5.0 + REMARK_SECONDS)
    assert person.asked is None
    person.types("R")
    person.desk.advance(view(), 1000.0)
    assert person.asked == Confirmation(Button(0.0, ButtonName.RED, Press.LONG))


# ---- the arbiter


PLAYED = view(
    glasses=(
        glass(RED, Tube.D2),
        glass(RED, Tube.G4, GlassState.DOUBTFUL, seconds=(0.0, 3.0)),
        glass(RED, Tube.A4, GlassState.UNSTARTED),
        glass(BLACK, Tube.F1, GlassState.LOST),
    ),
    rings=tuple(int(tube is Tube.D2) for tube in TUBES),
    rings_seen=tuple(int(tube in (Tube.D2, Tube.E4)) for tube in TUBES),
)


def test_what_the_arbiter_may_decide_now() -> None:
    assert decisions(PLAYED) == (
        Arbiter(0.0, Action.AWARD, None, RED),
        Arbiter(0.0, Action.AWARD, None, BLACK),
        Arbiter(0.0, Action.ABANDON),
        Arbiter(0.0, Action.EXPIRE, Tube.D2),
        Arbiter(0.0, Action.EXPIRE, Tube.G4),
        Arbiter(0.0, Action.REVIVE, Tube.F1),
        Arbiter(0.0, Action.RING, Tube.D2, RED),
        Arbiter(0.0, Action.RING, Tube.D2, BLACK),
        Arbiter(0.0, Action.RING, Tube.E4, RED),
        Arbiter(0.0, Action.RING, Tube.E4, BLACK),
        Arbiter(0.0, Action.UNCOUNT, Tube.D2),
        Arbiter(0.0, Action.PAUSE),
    )
    assert decisions(replace(PLAYED, paused=True))[-1] == Arbiter(0.0, Action.RESUME)
    assert decisions(SETUP) == decisions(OVER) == ()


@pytest.mark.parametrize(
    ("keys", "event"),
    [
        (["a", "1", "2", "y"], Arbiter(5.0, Action.AWARD, None, BLACK)),
        (["a", DOWN, ENTER, "y"], Arbiter(5.0, Action.ABANDON)),
        (["a", "3", DOWN, ENTER, "y"], Arbiter(5.0, Action.EXPIRE, Tube.G4)),
        (["a", UP, UP, UP, ENTER, "e", "4", ENTER, "1", "y"], Arbiter(5.0, Action.RING, Tube.E4, RED)),
        (["a", UP, ENTER, "y"], Arbiter(5.0, Action.PAUSE)),
        (["a", UP, UP, ENTER, ENTER, "y"], Arbiter(5.0, Action.UNCOUNT, Tube.D2)),
        (["a", "5", "2", ESCAPE, "1", "b", ENTER, "y"], Arbiter(5.0, Action.RING, Tube.D2, BLACK)),
    ],
)
def test_the_menu_leads_to_each_decision(keys: list[str], event: Arbiter) -> None:
    person = Person(PLAYED)
    assert person.types(*keys[:-1]) == []
    assert isinstance(person.asked, Confirmation)
    assert person.types(keys[-1]) == [event]


def test_back_leads_out_step_by_step() -> None:
    person = Person(PLAYED)
    person.types("a", "5", "2")
    assert (person.asked.action, person.asked.tube) == (Action.RING, Tube.E4)
    person.types(ESCAPE)
    assert (person.asked.tube, person.asked.options[person.asked.chosen]) == (None, Tube.E4)
    person.types(ESCAPE)
    assert person.asked.options[person.asked.chosen] is Action.RING
    person.types(ESCAPE)
    assert person.asked is None


def test_what_became_impossible_is_neither_offered_nor_done() -> None:
    person = Person(PLAYED)
    person.types("a", "3", DOWN)
    assert person.asked.options == (Tube.D2, Tube.G4)
    person.now = view(glasses=(glass(RED, Tube.G4),))
    person.desk.advance(person.now, 5.0)
    assert (person.asked.options, person.asked.chosen) == ((Tube.G4,), 0)
    person.types(ENTER)
    person.now = OVER
    assert person.types("y") == []
    assert person.asked == Idle.NO_LONGER
    menu = Person(PLAYED)
    menu.types("a")
    menu.desk.advance(OVER, 6.0)
    assert menu.asked is None, "a menu closes with the game"


KEYS = [*"abrRBqsyn?139d2é0", ENTER, UP, DOWN, ESCAPE]


@pytest.mark.parametrize("scenario", SCENARIOS[::40], ids=lambda scenario: scenario.name)
def test_any_keys_at_any_time_are_taken_by_the_referee(scenario: Scenario) -> None:
    """Whatever is typed, at every point of a recorded game: no error, and decisions come only where they may."""
    chance = random.Random(scenario.name)
    header, events = scenario.read()
    referee, desk = Referee(header), KeyCommands()
    for event in events:
        referee.handle(event)
        for key in chance.choices(KEYS, k=30):
            now = referee.view()
            given = desk.on_key(key, now, offered=False, now=referee.now)
            if isinstance(given, Arbiter):
                assert replace(given, t=0.0) in decisions(now)
            if given is not None:
                referee.handle(given)
        assert not isinstance(desk.prompt, Menu) or desk.prompt.options
