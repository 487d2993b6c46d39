"""The referee as a library: its header, its time, its view, and the tubes in which a ring is due."""

import json
import math
from math import inf
from typing import Any

import pytest

from tamsk_hw.errors import MisuseError, StreamError
from tamsk_hw.game import End, Player, Ruleset, Tube
from tamsk_hw.game.ruleset import Start, TimerSide
from tamsk_hw.game.tubes import NEIGHBOURS, PLAYERS, START_TUBES, TUBES
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import (
    Action,
    Arbiter,
    Button,
    ButtonName,
    Event,
    Lift,
    Link,
    LinkState,
    Press,
    Rings,
    Seat,
    Tick,
    Tilt,
    TimerLifted,
    TimerSeated,
)
from tamsk_hw.referee.rulings import ArbiterNeeded, Correction, Empty
from tamsk_hw.referee.stream import parse_header
from tamsk_hw.referee.view import GlassState, GlassView, OpenRing, Phase, View
from tests.scenarios.book import BOOK


def started(*events: Event, level: int = 3, **header: Any) -> Referee:
    """A game that was started at 1 s, after these events."""
    referee = Referee({"tamsk": 1, "ruleset": {"level": level}, "pause_when_lost": True} | header)
    seats: list[Event] = [Seat(0, tube, End.A) for player in PLAYERS for tube in START_TUBES[player]]
    for event in [*seats, TimerSeated(0, End.A), Button(1, ButtonName.START, Press.SHORT), *events]:
        referee.handle(event)
    return referee


def moved(level: int, *events: Event) -> Referee:
    """The same after red's move into D2, finished at 3 s."""
    return started(Lift(2, Tube.D1), Seat(3, Tube.D2, End.B), *events, level=level)


def view_after(*events: Event, ruleset: dict[str, Any] | None = None, sand: dict[str, Any] | None = None) -> View:
    """The view after these events of a game that was started at 1 s."""
    return started(*events, ruleset=ruleset or {}, sand=sand or {}).view()


@pytest.mark.parametrize("t", [0.5, math.nan, 1.1e15, "5", None])
def test_time_goes_forward_up_to_the_highest_that_a_stream_may_have(t: Any) -> None:
    referee = started()
    with pytest.raises(MisuseError, match=r"^time cannot go from 1 s to .* s; allowed: 1 s or later$"):
        referee.advance(t)
    referee.advance(1e15)
    assert referee.now == 1e15


def test_a_view_of_later_shows_the_sand_of_then() -> None:
    """The glass is full at 10 s and runs for 180 s."""
    referee = started(Lift(5, Tube.D1), Seat(10, Tube.D2, End.B))

    def seconds(t: float | None) -> tuple[float, float]:
        view = referee.view(t)
        assert view.t == (10 if t is None else max(10, t))
        return next(glass.seconds for glass in view.glasses if glass.tube is Tube.D2)

    assert seconds(None) == pytest.approx((180, 180))
    assert seconds(100) == pytest.approx((90, 90))
    assert seconds(3) == pytest.approx((180, 180))


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


SEVEN = (Tube.C3, Tube.C4, Tube.D3, Tube.D4, Tube.D5, Tube.E3, Tube.E4)
HEADER = Header(ruleset=Ruleset(start=Start.FREE, tubes=SEVEN))


def test_a_header_names_the_tubes_of_a_board_that_has_not_all() -> None:
    written = json.loads(json.dumps(HEADER.as_dict()))
    assert written["ruleset"]["tubes"] == ["C3", "C4", "D3", "D4", "D5", "E3", "E4"]
    assert parse_header(written) == HEADER


def test_a_header_of_the_whole_board_says_nothing_of_tubes() -> None:
    assert not {"tubes", "tube_mask"} & Header().as_dict()["ruleset"].keys()
    assert parse_header({"tamsk": 1, "ruleset": {"tubes": [str(tube) for tube in TUBES]}}) == Header()


@pytest.mark.parametrize(
    "event",
    [
        Seat(1.0, Tube.B2, "A"),  # type: ignore[arg-type]
        Rings(1.0, Tube.B2, 1),
        Arbiter(1.0, Action.EXPIRE, Tube.B2),
        {"t": 1.0, "event": "lift", "tube": "B2"},
    ],
    ids=lambda event: type(event).__name__,
)
def test_an_event_of_a_tube_that_is_not_there_is_refused_and_changes_nothing(event: Event) -> None:
    referee = Referee(HEADER)
    before = referee.view()
    assert before.tubes == SEVEN
    with pytest.raises(StreamError, match='event: tube is "B2"; allowed: C3, C4, D3, D4, D5, E3, E4'):
        referee.handle(event)
    assert referee.now == 0.0
    assert referee.view() == before


RED, BLACK = Player.RED, Player.BLACK
NOTHING = (0.0, 0.0)


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


def test_r2_1_the_destinations_of_all_glasses_in_the_hand() -> None:
    view = view_after(Lift(2, Tube.D1))
    assert (view.move_started, glass_of(view, Tube.D1).standing) == (True, None)
    assert view.destinations == set(NEIGHBOURS[Tube.D1])
    view = view_after(Lift(2, Tube.D1), Lift(3, Tube.G4))
    assert view.destinations == {*NEIGHBOURS[Tube.D1], *NEIGHBOURS[Tube.G4]}
    assert view_after(Lift(2, Tube.D7)).destinations == frozenset(), "black's glass has none before his turn"


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
    declared = glass_of(view_after(*moved, Arbiter(20, Action.EXPIRE, Tube.D2), sand=sand), Tube.D2)
    assert declared == lost, "R9.6: so is one that a person declared lost"


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
        Correction(Tube.B2, 1, 0),
        Correction(Tube.D1, Empty(), RED),
        Correction(Tube.D3, RED, Empty()),
        Correction(Tube.E5, None, Empty()),
        Correction(Tube.G4, Empty(), RED),
    ]
    over = view_after(*wrong, Arbiter(8, Action.AWARD, None, RED))
    assert (over.phase, over.wrong, over.turn) == (Phase.OVER, (), None)
    assert over.over is not None


def test_r2_9_a_second_glass_that_stands_wrong_is_named_as_such() -> None:
    """G4's glass, lifted second, stands on G2: where it stands and where it belongs, each once."""
    view = view_after(Lift(2, Tube.D1), Lift(3, Tube.G4), Seat(4, Tube.G2, End.B))
    assert sorted(view.wrong, key=lambda mend: mend.tube) == [
        Correction(Tube.G2, RED, Empty()),
        Correction(Tube.G4, Empty(), RED),
    ]


def test_an_open_ring_tells_how_long_it_is_open() -> None:
    referee = moved(2)
    assert referee.view(3.0).ring_open == {Tube.D2: OpenRing(Player.RED, 5.0)}
    assert referee.view(7.5).ring_open == {Tube.D2: OpenRing(Player.RED, 0.5)}
    assert referee.view(8.0).ring_open == {}
    at_level_1 = moved(1)
    assert at_level_1.view(100.0).ring_open == {Tube.D2: OpenRing(Player.RED, None)}
    at_level_1.handle(Arbiter(101, Action.ABANDON))
    assert (at_level_1.view().ring_open, at_level_1.rings_due) == ({}, {}), "the game is over"


def test_an_open_ring_keeps_its_seconds_while_the_board_is_lost() -> None:
    referee = moved(2)
    referee.handle(Link(4.0, LinkState.LOST))
    assert referee.view(25.0).ring_open == {Tube.D2: OpenRing(Player.RED, 4.0)}
    referee.handle(Link(30.0, LinkState.RESTORED))
    assert referee.view(31.0).ring_open == {Tube.D2: OpenRing(Player.RED, 3.0)}


def test_a_deadline_keeps_its_seconds_while_the_board_is_lost() -> None:
    referee = started(TimerSeated(2, End.B))
    assert referee.view(5.0).deadline == 17.0
    assert referee.next_deadline == 17.0
    referee.handle(Link(6.0, LinkState.LOST))
    assert referee.next_deadline is None
    assert referee.view(20.0).deadline == 31.0  # 11 s are left, whenever one looks
    referee.handle(Link(26.0, LinkState.RESTORED))
    assert referee.view(28.0).deadline == 37.0
    assert referee.next_deadline == 37.0


def test_r4_a_move_opens_both_rights_and_the_opponents_start_leaves_the_movers_own_right_until_it_lapses() -> None:
    assert Referee().rings_due == started(Lift(2, Tube.D1), level=2).rings_due == {}
    assert moved(2).rings_due == {Tube.D2: (3.0, inf)}
    assert moved(2, Rings(4.0, Tube.D2, 1)).rings_due == {}
    referee = moved(2, Lift(4, Tube.G1))
    assert referee.rings_due == {Tube.D2: (3.0, 8.0)}
    referee.advance(8.0)
    assert referee.rings_due == {}


def test_r7_6_a_penalty_ring_is_due_in_every_tube_that_is_not_full() -> None:
    """Red lets his time pass; black's move opens his own right, red's claim, and the penalty."""
    referee = started()
    referee.handle(TimerLifted(2.0))
    referee.handle(TimerSeated(2.5, End.B))
    referee.advance(18.0)
    referee.handle(Lift(19.0, Tube.G1))
    referee.handle(Seat(20.0, Tube.F2, End.B))
    due = referee.rings_due
    assert due.pop(Tube.F2) == (20.0, inf)
    assert set(due.values()) == {(20.0, 30.0)}
    assert len(due) == 36
    assert (referee.view(29.9).penalty, referee.view(30.0).penalty) == (Player.BLACK, None)
    referee.handle(Rings(21.0, Tube.A1, 1))
    assert referee.rings_due == {Tube.F2: (20.0, inf)}


def test_r9_5_a_right_that_stood_still_lapses_later() -> None:
    referee = moved(2, Lift(4, Tube.G1), Link(5, LinkState.LOST), Link(25, LinkState.RESTORED))
    ((opened, lapses),) = referee.rings_due.values()
    assert opened == 3.0
    assert lapses >= 28.0  # 3 s were left


def test_an_announced_claim_is_seen_for_as_long_as_it_holds() -> None:
    referee = started()
    referee.handle(Button(30, ButtonName.BLACK, Press.SHORT))
    assert referee.view().announced == {Player.BLACK: 35.0}
    assert referee.view(34.9).announced == {Player.BLACK: 35.0}
    assert referee.view(35.0).announced == {}
    referee.handle(Button(34, ButtonName.RED, Press.SHORT))
    referee.handle({"t": 34.5, "event": "arbiter", "action": "pause"})
    assert referee.view(50.0).announced == {Player.RED: 54.5, Player.BLACK: 50.5}, "a pause (R9.5)"
