"""The referee's `View`: glasses, destinations, rights, and all that must be put right."""

from __future__ import annotations

from typing import Any

import pytest

from tamsk_hw.game import End, Player, Tube
from tamsk_hw.game.ruleset import TimerSide
from tamsk_hw.game.tubes import NEIGHBOURS, PLAYERS, START_TUBES, TUBES
from tamsk_hw.referee import Referee
from tamsk_hw.referee.events import (
    Action,
    Arbiter,
    Button,
    ButtonName,
    Event,
    Lift,
    Press,
    Rings,
    Seat,
    Tick,
    Tilt,
    TimerSeated,
)
from tamsk_hw.referee.rulings import Correction, Empty, RingCount
from tamsk_hw.referee.view import GlassState, GlassView, Phase, View

RED, BLACK = Player.RED, Player.BLACK
NOTHING = (0.0, 0.0)


def view_after(*events: Event, ruleset: dict[str, Any] | None = None, sand: dict[str, Any] | None = None) -> View:
    """The view after these events of a game that was started at 1 s."""
    referee = Referee({"tamsk": 1, "ruleset": ruleset or {}, "sand": sand or {}})
    seats: list[Event] = [Seat(0, tube, End.A) for player in PLAYERS for tube in START_TUBES[player]]
    for event in [*seats, Button(1, ButtonName.START, Press.SHORT), *events]:
        referee.handle(event)
    return referee.view()


def glass_of(view: View, tube: Tube) -> GlassView:
    return next(glass for glass in view.glasses if glass.tube is tube)


@pytest.mark.parametrize(("level", "state"), [(1, GlassState.NO_SAND), (3, GlassState.UNSTARTED)])
def test_before_the_start_the_glasses_that_stand_right(level: int, state: GlassState) -> None:
    referee = Referee({"tamsk": 1, "ruleset": {"level": level}})
    for event in (Seat(0, Tube.D1, End.B), Seat(0, Tube.D4, End.A), Seat(0, Tube.A4, End.A, BLACK)):
        referee.handle(event)
    (glass,) = referee.view().glasses
    assert glass == GlassView(
        owner=RED,
        tube=Tube.D1,
        standing=Tube.D1,
        end=End.B,
        state=state,
        seconds=NOTHING,
        fraction=NOTHING,
        may_move=False,
    )


def test_at_the_start_nothing_is_open() -> None:
    view = view_after(ruleset={"timer_side": "left"})
    assert (view.phase, view.turn, view.number, view.move_started) == (Phase.PLAY, RED, 1, False)
    assert {glass.tube: glass.standing for glass in view.glasses} == {
        tube: tube for player in PLAYERS for tube in START_TUBES[player]
    }
    assert {(glass.state, glass.seconds, glass.fraction) for glass in view.glasses} == {
        (GlassState.UNSTARTED, NOTHING, NOTHING)
    }
    assert (view.destinations, view.ring_open, view.penalty, view.late) == (frozenset(), {}, None, None)
    assert (view.deadline, view.timer_side, view.wrong, view.over) == (None, TimerSide.LEFT, (), None)
    assert view_after().timer_side is None


def test_r6_5_at_level_1_no_glass_has_sand() -> None:
    view = view_after(Lift(2, Tube.D1), Seat(3, Tube.D2, End.B), ruleset={"level": 1})
    assert {(glass.state, glass.seconds) for glass in view.glasses} == {(GlassState.NO_SAND, NOTHING)}
    assert glass_of(view, Tube.D2).end is End.B


def test_r2_1_the_destinations_of_all_glasses_in_the_hand() -> None:
    view = view_after(Lift(2, Tube.D1))
    assert (view.move_started, glass_of(view, Tube.D1).standing) == (True, None)
    assert view.destinations == set(NEIGHBOURS[Tube.D1])
    view = view_after(Lift(2, Tube.D1), Lift(3, Tube.G4))
    assert view.destinations == {*NEIGHBOURS[Tube.D1], *NEIGHBOURS[Tube.G4]}
    # Black's glass, lifted early, has none before his turn.
    assert view_after(Lift(2, Tube.D7)).destinations == frozenset()


def test_r8_with_a_free_start_every_vacant_tube_is_a_destination() -> None:
    referee = Referee({"tamsk": 1, "ruleset": {"start": "free"}})
    referee.handle(Button(1, ButtonName.START, Press.SHORT))
    referee.handle(Seat(2, Tube.D4, End.A))
    assert referee.view().destinations == set(TUBES) - {Tube.D4}


def test_r6_4_a_glass_runs_then_is_doubtful_then_lost() -> None:
    """From 10 s on a glass of 100 s ± 10 %: possibly empty after 90.9 s, certainly after 111.1 s."""
    moved = (Lift(5, Tube.D1), Seat(10, Tube.D2, End.B))
    sand = {"glass": 100, "tolerance": 0.1}
    running = glass_of(view_after(*moved, sand=sand), Tube.D2)
    assert (running.state, running.end, running.fraction) == (GlassState.RUNNING, End.B, (1, 1))
    assert running.seconds == pytest.approx((90.909, 111.111), abs=0.001)
    doubtful = glass_of(view_after(*moved, Tick(105), sand=sand), Tube.D2)
    assert (doubtful.state, doubtful.fraction) == (GlassState.DOUBTFUL, pytest.approx((0, 1 - 95 * 0.9 / 100)))
    lost = glass_of(view_after(*moved, Tick(122), sand=sand), Tube.D2)
    assert (lost.state, lost.seconds, lost.fraction, lost.may_move) == (GlassState.LOST, NOTHING, NOTHING, False)


def test_r9_6_a_glass_that_a_person_declared_lost_shows_no_sand() -> None:
    glass = glass_of(
        view_after(Lift(5, Tube.D1), Seat(10, Tube.D2, End.B), Arbiter(20, Action.EXPIRE, Tube.D2)), Tube.D2
    )
    assert (glass.state, glass.seconds, glass.fraction) == (GlassState.LOST, NOTHING, NOTHING)


def test_r2_5_a_glass_turned_in_place_is_shown_as_it_stands() -> None:
    glass = glass_of(view_after(Lift(2, Tube.D1), Seat(3, Tube.D1, End.B)), Tube.D1)
    assert (glass.standing, glass.end) == (Tube.D1, End.B)


def test_r7_5_the_deadline_then_the_late_player() -> None:
    started = (TimerSeated(1, End.A), TimerSeated(2, End.B), Lift(16, Tube.D1))
    view = view_after(*started)
    assert (view.turn, view.deadline, view.late) == (RED, 17, None)
    view = view_after(*started, Tick(17))
    assert (view.turn, view.deadline, view.late) == (BLACK, None, RED)
    assert view.destinations == set(NEIGHBOURS[Tube.D1])


def test_all_that_must_be_put_right_is_named_once() -> None:
    wrong = (
        Lift(2, Tube.D1),
        Seat(3, Tube.D3, End.B),  # not adjacent (R2.6)
        Seat(4, Tube.E5, End.A),  # a glass appears (R9.2)
        Tilt(4, Tube.A2),  # something leans, from 6 s on out of place
        Rings(5, Tube.B2, 1),  # a ring that no right allows (R4.7)
        Lift(7, Tube.G4),  # a second glass (R2.9)
    )
    assert sorted(view_after(*wrong).wrong, key=lambda mend: mend.tube) == [
        Correction(Tube.A2, None, Empty()),
        Correction(Tube.B2, RingCount(1), RingCount(0)),
        Correction(Tube.D1, Empty(), RED),
        Correction(Tube.D3, RED, Empty()),
        Correction(Tube.E5, None, Empty()),
        Correction(Tube.G4, Empty(), RED),
    ]
    over = view_after(*wrong, Arbiter(8, Action.AWARD, None, RED))
    assert (over.phase, over.wrong, over.turn) == (Phase.OVER, (), None)
    assert over.over is not None


def test_r4_7_a_ring_put_right_is_named_no_more() -> None:
    assert view_after(Rings(5, Tube.B2, 1), Rings(6, Tube.B2, 0)).wrong == ()


def test_r2_9_a_second_glass_that_stands_wrong_is_named_as_such() -> None:
    """G4's glass, lifted second, stands on G2: where it stands and where it belongs, each once."""
    view = view_after(Lift(2, Tube.D1), Lift(3, Tube.G4), Seat(4, Tube.G2, End.B))
    assert sorted(view.wrong, key=lambda mend: mend.tube) == [
        Correction(Tube.G2, RED, Empty()),
        Correction(Tube.G4, Empty(), RED),
    ]


def test_no_right_is_shown_once_the_game_is_over() -> None:
    moved = (Lift(2, Tube.D1), Seat(3, Tube.D2, End.B))
    assert view_after(*moved).ring_open.keys() == {Tube.D2}
    assert view_after(*moved, Arbiter(4, Action.ABANDON)).ring_open == {}
