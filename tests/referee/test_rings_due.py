"""The tubes in which a ring is due, with the times when the right opened and lapses."""

from __future__ import annotations

from math import inf

from tamsk_hw.game import End, Player, Tube
from tamsk_hw.game.tubes import PLAYERS, START_TUBES
from tamsk_hw.referee import Referee
from tamsk_hw.referee.events import (
    Button,
    ButtonName,
    Lift,
    Link,
    LinkState,
    Press,
    Rings,
    Seat,
    TimerLifted,
    TimerSeated,
)


def started(level: int) -> Referee:
    """A game started at 1 s, in which rights stand still while the link is lost."""
    referee = Referee({"tamsk": 1, "ruleset": {"level": level}, "sand": {"exact_hands": False}})
    for player in PLAYERS:
        for tube in START_TUBES[player]:
            referee.handle(Seat(0.0, tube, End.A))
    referee.handle(TimerSeated(0.0, End.A))
    assert referee.rings_due == {}
    referee.handle(Button(1.0, ButtonName.START, Press.SHORT))
    return referee


def test_nothing_is_due_before_the_first_move_is_finished() -> None:
    referee = started(2)
    assert referee.rings_due == {}
    referee.handle(Lift(2.0, Tube.D1))
    assert referee.rings_due == {}


def test_r4_a_move_opens_the_movers_right_and_the_claim() -> None:
    referee = started(2)
    referee.handle(Lift(2.0, Tube.D1))
    referee.handle(Seat(3.0, Tube.D2, End.B))
    assert referee.rings_due == {Tube.D2: (3.0, inf)}


def test_r4_5_the_opponents_start_leaves_the_movers_own_right_until_it_lapses() -> None:
    referee = started(2)
    referee.handle(Lift(2.0, Tube.D1))
    referee.handle(Seat(3.0, Tube.D2, End.B))
    referee.handle(Lift(4.0, Tube.G1))
    assert referee.rings_due == {Tube.D2: (3.0, 8.0)}
    referee.advance(8.0)
    assert referee.rings_due == {}


def test_a_ring_that_was_dropped_is_due_no_more() -> None:
    referee = started(1)
    referee.handle(Lift(2.0, Tube.D1))
    referee.handle(Seat(3.0, Tube.D2, End.A))
    assert referee.rings_due == {Tube.D2: (3.0, inf)}
    referee.handle(Rings(4.0, Tube.D2, 1))
    assert referee.rings_due == {}


def test_r7_6_a_penalty_ring_is_due_in_every_tube_that_is_not_full() -> None:
    """Red lets his time pass; black's move opens his own right, red's claim, and the penalty."""
    referee = started(3)
    referee.handle(TimerLifted(2.0))
    referee.handle(TimerSeated(2.5, End.B))
    referee.advance(18.0)
    referee.handle(Lift(19.0, Tube.G1))
    referee.handle(Seat(20.0, Tube.F2, End.B))
    due = referee.rings_due
    assert due.pop(Tube.F2) == (20.0, inf)
    assert set(due.values()) == {(20.0, 30.0)}
    assert len(due) == 36
    referee.handle(Rings(21.0, Tube.A1, 1))
    assert referee.rings_due == {Tube.F2: (20.0, inf)}


def test_r9_5_a_right_that_stood_still_lapses_later() -> None:
    referee = started(2)
    referee.handle(Lift(2.0, Tube.D1))
    referee.handle(Seat(3.0, Tube.D2, End.B))
    referee.handle(Lift(4.0, Tube.G1))
    referee.handle(Link(5.0, LinkState.LOST))
    referee.handle(Link(25.0, LinkState.RESTORED))
    ((opened, lapses),) = referee.rings_due.values()
    assert opened == 3.0
    assert lapses >= 28.0  # 3 s were left


def test_nothing_is_due_when_the_game_is_over() -> None:
    referee = started(1)
    referee.handle(Lift(2.0, Tube.D1))
    referee.handle(Seat(3.0, Tube.D2, End.A))
    referee.handle(Button(4.0, ButtonName.RED, Press.LONG))
    assert referee.is_over
    assert referee.view().over is not None
    assert referee.view().over.winner is Player.BLACK  # type: ignore[union-attr]
    assert referee.rings_due == {}
