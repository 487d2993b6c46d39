"""The referee as a library: its header, its time, what it shows."""

from __future__ import annotations

import math
from typing import Any

import pytest

from tamsk_hw.errors import MisuseError
from tamsk_hw.game import End, Player, Ruleset, Tube
from tamsk_hw.game.tubes import PLAYERS, START_TUBES
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import (
    Button,
    ButtonName,
    Event,
    Fault,
    Lift,
    Press,
    Seat,
    SensorId,
    Tick,
    TimerSeated,
)
from tamsk_hw.referee.rulings import ArbiterNeeded, Warned
from tests.scenarios.book import BOOK


def begun(level: int = 3) -> Referee:
    """A game that was started at 1 s."""
    referee = Referee({"tamsk": 1, "ruleset": {"level": level}})
    seats: list[Event] = [Seat(0, tube, End.A) for player in PLAYERS for tube in START_TUBES[player]]
    for event in [*seats, Button(1, ButtonName.START, Press.SHORT)]:
        referee.handle(event)
    return referee


def test_a_header_may_be_an_object_of_json() -> None:
    assert Referee().header == Header()
    assert Referee({"tamsk": 1, "ruleset": {"level": 2}}).header == Header(ruleset=Ruleset(level=2))


@pytest.mark.parametrize("t", [0.5, -1, math.nan, math.inf, 1.1e15, "5", None])
def test_time_does_not_go_there(t: Any) -> None:
    with pytest.raises(MisuseError, match=r"^time cannot go from 1 s to .* s; allowed: 1 s or later$"):
        begun().advance(t)


def test_time_goes_up_to_the_highest_that_a_stream_may_have() -> None:
    referee = begun()
    referee.advance(1e15)
    assert referee.now == 1e15


def test_a_fault_is_told_with_its_sensor_and_tube() -> None:
    sensor = SensorId.glass(Tube.D4)
    (warning,) = begun().handle(Fault(2, sensor, "gap"))
    assert isinstance(warning, Warned)
    assert (warning.tube, warning.sensor, warning.detail) == (Tube.D4, sensor, "gap")
    assert begun().handle(Fault(2, sensor, "gap", cleared=True)) == []


def test_a_view_of_later_shows_the_sand_of_then() -> None:
    """The glass is full at 10 s and runs for 180 s."""
    referee = begun()
    for event in (Lift(5, Tube.D1), Seat(10, Tube.D2, End.B)):
        referee.handle(event)

    def seconds(t: float | None) -> tuple[float, float]:
        view = referee.view(t)
        assert view.t == (10 if t is None else max(10, t))
        return next(glass.seconds for glass in view.glasses if glass.tube is Tube.D2)

    assert seconds(None) == pytest.approx((180, 180))
    assert seconds(40) == pytest.approx((150, 150))
    assert seconds(100) == pytest.approx((90, 90))
    assert seconds(3) == pytest.approx((180, 180))
    referee.handle(Tick(20))
    assert referee.view().t == 20


def test_a_view_is_kept_where_no_time_shows() -> None:
    referee = Referee()
    assert referee.view(5) is referee.view(7)
    playing = begun()
    assert playing.view(5) is playing.view(5)
    assert playing.view(5) is not playing.view(7)


def test_r4_4_a_view_of_later_shows_the_rights_to_rings_of_then() -> None:
    referee = begun()
    for event in (Lift(5, Tube.D1), Seat(10, Tube.D2, End.B)):
        referee.handle(event)
    assert referee.view(14.9).ring_open.keys() == {Tube.D2}
    assert referee.view(15).ring_open == {}


def test_r7_6_a_view_of_later_shows_the_penalty_of_then() -> None:
    """Red lets the 15 seconds run out. Black's move is finished at 20 s: he has 10 s for a second ring."""
    referee = begun()
    for event in (TimerSeated(1, End.A), TimerSeated(2, End.B), Lift(19, Tube.G1), Seat(20, Tube.F2, End.B)):
        referee.handle(event)
    assert referee.view(29.9).penalty is Player.BLACK
    assert referee.view(30).penalty is None


@pytest.mark.parametrize(
    "name", ["R5.4-order-cannot-be-told", "R9.3-full-tube-in-doubt", "R9.3-placed-in-a-full-tube-in-doubt"]
)
def test_what_an_arbiter_is_asked_stands_until_he_answers(name: str) -> None:
    header, events = BOOK[name].read()
    referee = Referee(header)
    asked = next(
        ruling for event in events for ruling in referee.handle(event) if isinstance(ruling, ArbiterNeeded)
    )
    assert referee.view().question == asked.question
    referee.handle({"t": referee.now, "event": "arbiter", "action": "award", "winner": "red"})
    view = referee.view()
    assert view.question is None
    assert view.over is not None
    assert (view.over.winner, view.over.rule) == (Player.RED, "R9.6")
