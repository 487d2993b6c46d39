"""Rights and deadlines in the view, while they run and while they stand still (R9.5)."""

from __future__ import annotations

from tamsk_hw.game import End, Player, Ruleset, Tube
from tamsk_hw.game.tubes import PLAYERS, START_TUBES
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import (
    Action,
    Arbiter,
    Button,
    ButtonName,
    Lift,
    Link,
    LinkState,
    Press,
    Rings,
    Seat,
    TimerSeated,
)
from tamsk_hw.referee.view import OpenRing


def started(level: int) -> Referee:
    """A game that was started at 1 s, at a board that may be lost."""
    referee = Referee(Header(ruleset=Ruleset(level=level), pause_when_lost=True))
    for player in PLAYERS:
        for tube in START_TUBES[player]:
            referee.handle(Seat(0.0, tube, End.A))
    referee.handle(TimerSeated(0.0, End.A))
    referee.handle(Button(1.0, ButtonName.START, Press.SHORT))
    return referee


def moved(level: int) -> Referee:
    """The same after red's move into D2, finished at 3 s."""
    referee = started(level)
    referee.handle(Lift(2.0, Tube.D1))
    referee.handle(Seat(3.0, Tube.D2, End.B))
    return referee


def test_an_open_ring_tells_how_long_it_is_open() -> None:
    referee = moved(2)
    assert referee.view(3.0).ring_open == {Tube.D2: OpenRing(Player.RED, 5.0)}
    assert referee.view(7.5).ring_open == {Tube.D2: OpenRing(Player.RED, 0.5)}
    assert referee.view(8.0).ring_open == {}


def test_at_level_1_an_open_ring_has_no_end_of_its_own() -> None:
    assert moved(1).view(100.0).ring_open == {Tube.D2: OpenRing(Player.RED, None)}


def test_an_open_ring_keeps_its_seconds_while_the_board_is_lost() -> None:
    referee = moved(2)
    referee.handle(Link(4.0, LinkState.LOST))
    assert referee.view(25.0).ring_open == {Tube.D2: OpenRing(Player.RED, 4.0)}
    referee.handle(Link(30.0, LinkState.RESTORED))
    assert referee.view(31.0).ring_open == {Tube.D2: OpenRing(Player.RED, 3.0)}


def test_a_deadline_keeps_its_seconds_while_the_board_is_lost() -> None:
    referee = started(3)
    referee.handle(TimerSeated(2.0, End.B))
    assert referee.view(5.0).deadline == 17.0
    assert referee.next_deadline == 17.0
    referee.handle(Link(6.0, LinkState.LOST))
    assert referee.next_deadline is None
    assert referee.view(20.0).deadline == 31.0  # 11 s are left, whenever one looks
    referee.handle(Link(26.0, LinkState.RESTORED))
    assert referee.view(28.0).deadline == 37.0
    assert referee.next_deadline == 37.0


def test_an_uncounted_ring_leaves_score_and_full_tubes() -> None:
    referee = started(1)
    referee.handle(Lift(2.0, Tube.D1))
    referee.handle(Seat(3.0, Tube.C1, End.A))
    referee.handle(Rings(4.0, Tube.C1, 1))
    assert referee.view().full == {Tube.C1}
    assert referee.view().left[Player.RED] == 31
    referee.handle(Arbiter(5.0, Action.UNCOUNT, Tube.C1))
    view = referee.view()
    assert view.full == frozenset()
    assert view.left[Player.RED] == 32
    assert (view.rings[Tube.C1], view.rings_seen[Tube.C1]) == (0, 1)
    assert [mend.tube for mend in view.wrong] == [Tube.C1]
