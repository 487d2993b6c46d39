"""A board with fewer tubes: its header, its events, and its view."""

from __future__ import annotations

import json

import pytest

from tamsk_hw.errors import StreamError
from tamsk_hw.game import Ruleset, Tube
from tamsk_hw.game.ruleset import Start
from tamsk_hw.game.tubes import TUBES
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Action, Arbiter, Event, Lift, Rings, Seat, Tilt
from tamsk_hw.referee.header import parse_header

SEVEN = (Tube.C3, Tube.C4, Tube.D3, Tube.D4, Tube.D5, Tube.E3, Tube.E4)
HEADER = Header(ruleset=Ruleset(start=Start.FREE, tubes=SEVEN))


def test_a_header_names_the_tubes_of_a_board_that_has_not_all() -> None:
    written = json.loads(json.dumps(HEADER.as_dict()))
    assert written["ruleset"]["tubes"] == ["C3", "C4", "D3", "D4", "D5", "E3", "E4"]
    assert parse_header(written) == HEADER


def test_a_header_of_the_whole_board_says_nothing_of_tubes() -> None:
    written = Header().as_dict()
    assert "tubes" not in written["ruleset"]
    assert "tube_mask" not in written["ruleset"]
    assert parse_header(written) == Header()
    assert parse_header({"tamsk": 1, "ruleset": {"tubes": [str(tube) for tube in TUBES]}}) == Header()


@pytest.mark.parametrize(
    "event",
    [
        Seat(1.0, Tube.B2, "A"),  # type: ignore[arg-type]
        Lift(1.0, Tube.B2),
        Tilt(1.0, Tube.B2),
        Rings(1.0, Tube.B2, 1),
        Arbiter(1.0, Action.EXPIRE, Tube.B2),
        {"t": 1.0, "event": "lift", "tube": "B2"},
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_of_a_tube_that_is_not_there_is_refused_and_changes_nothing(event: Event) -> None:
    referee = Referee(HEADER)
    before = referee.view()
    with pytest.raises(StreamError, match='event: tube is "B2"; allowed: C3, C4, D3, D4, D5, E3, E4'):
        referee.handle(event)
    assert referee.now == 0.0
    assert referee.view() == before


def test_what_is_shown_names_the_tubes() -> None:
    assert Referee(HEADER).view().tubes == SEVEN
    assert Referee().view().tubes == TUBES
