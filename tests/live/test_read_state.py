"""A state that is read back is the one that was sent, whatever happens in a game."""

import json
from dataclasses import replace
from typing import Any

import pytest

from tamsk_hw.errors import LiveError
from tamsk_hw.live.stream import TableState, read_state, state_as_dict
from tamsk_hw.partner.intention import Advice
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.referee.view import Phase, View
from tests.panel.boards import ADVICES
from tests.scenarios.book import SCENARIOS
from tests.soak import in_soak

#: One view of so many is looked at, and each scenario's last one.
EVERY = in_soak(1, otherwise=5)


def sent_and_read(state: TableState) -> TableState:
    return read_state(json.loads(json.dumps(state_as_dict(state))))


def without_time_of_result(view: View) -> View:
    """The time of the result is not sent."""
    return view if view.over is None else replace(view, over=replace(view.over, t=view.t))


@pytest.mark.parametrize("level", ["1", "2", "3", "4", "5", "6", "7", "8", "9"])
def test_states_of_all_scenarios(level: str) -> None:
    """Those of the clauses R1 to R9: violations, questions, penalties, lost links, results."""
    seen = set()
    for scenario in SCENARIOS:
        if not scenario.name.startswith(f"R{level}"):
            continue
        header, events = scenario.read()
        referee = Referee(header)
        for place, event in enumerate(events, start=1):
            referee.handle(event)
            if place % EVERY and place < len(events):
                continue
            view = referee.view(event.t)
            seen.add(view.phase)
            assert sent_and_read(TableState(view, False)) == TableState(without_time_of_result(view), False)
    assert Phase.PLAY in seen


@pytest.mark.parametrize("advice", ADVICES)
def test_buttons_advice_and_offer_are_read_and_an_older_service_names_none(advice: Advice) -> None:
    view = replace(Referee(Header()).view(0.0), phase=Phase.PLAY, number=3)
    state = TableState(view, True, frozenset({ButtonName.START, ButtonName.BLACK}), advice)
    assert state_as_dict(state)["buttons"] == ["start", "black"]
    assert sent_and_read(state) == state
    assert state.is_news_after(replace(state, buttons=frozenset()))
    assert state.is_news_after(replace(state, advice=None))
    older = state_as_dict(state)
    del older["buttons"], older["advice"]
    assert read_state(older) == TableState(view, True)


@pytest.mark.parametrize(
    "wrong",
    [
        {"phase": "asleep"},
        {"glasses": [{"owner": "green"}]},
        {"rings": None},
        {"wrong": [{"tube": "Z9", "has": None, "should": None}]},
        {"tubes": []},
        {"buttons": ["stop"]},
        {"buttons": 5},
        {"advice": {"player": "black", "act": "dance"}},
        {"advice": {"player": "black", "act": "ring", "tube": "Z9"}},
        {"ring_open": [{"tube": "D4", "player": "red", "seconds": "5"}]},
        {"rings": {"D4": 65}},
        {"rings_seen": {"D4": 10**400}},
        {"left": {"red": 33, "black": 32}},
        {"left": {"red": 3}},
        {"t": 1e300},
        {"deadline": float("inf")},
        {"number": -1},
        {"wrong": [{"tube": "D4", "has": {"rings": 10**400}, "should": None}]},
    ],
)
def test_what_is_no_state_is_refused_in_words(wrong: dict[str, Any]) -> None:
    state = state_as_dict(TableState(Referee(Header()).view(0.0), False))
    with pytest.raises(LiveError, match="not understood"):
        read_state(state | wrong)
    with pytest.raises(LiveError, match="not understood"):
        read_state({})
