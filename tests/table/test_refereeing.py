"""Sensing and referee on one clock: what began in time counts, whenever it becomes known."""

from collections.abc import Mapping
from dataclasses import dataclass, field

import pytest

from tamsk_hw.board.link_events import BoardSilent, Connected, FramesMissed, Lost, SnapshotArrived
from tamsk_hw.board.protocol import Hello, ResetCause, Snapshot
from tamsk_hw.game import End, Player, Ruleset, Tube
from tamsk_hw.game.notation import RingKind
from tamsk_hw.game.tubes import PLAYERS, START_TUBES
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Button, ButtonName, Event, Lift, Link, LinkState, Press, Rings, Seat
from tamsk_hw.referee.rulings import RingCounted, Ruling, Warned
from tamsk_hw.table.refereeing import LEAST_WAIT, RefereedGame

HELLO = Hello(0, (2, 0), (0, 1, 0), 0x2A, 7, ResetCause.POWER_ON, 0)
STILL = Snapshot(0, 0, 0, 0, bytes(38), bytes(3), (0, 0), 0)


@dataclass
class ScriptedSensing:
    """Sensing whose events and whose certainty the test decides."""

    ready: list[Event] = field(default_factory=list)
    pending_since: float | None = None
    now: float = 0.0
    rights: Mapping[Tube, tuple[float, float]] = field(default_factory=dict)

    @property
    def settled(self) -> float:
        return self.settled_by(self.now)

    def settled_by(self, now: float) -> float:
        return max(now, self.now) if self.pending_since is None else self.pending_since

    def feed(self, snapshot: Snapshot, t: float, missed: bool) -> list[Event]:
        self.now = t
        given, self.ready = self.ready, []
        return given

    def advance(self, t: float) -> None:
        self.now = t

    def link_restored(self, t: float) -> list[Event]:
        return [Link(t, LinkState.RESTORED)]

    def expect_rings(self, rights: Mapping[Tube, tuple[float, float]]) -> list[Event]:
        self.rights = rights
        return []

    def link_lost(self, t: float) -> list[Event]:
        return [Link(t, LinkState.LOST)]


@dataclass
class Table:
    """A game at ``level`` that begins at 1 s: start was pressed before the first look at the board."""

    level: int
    sensing: ScriptedSensing = field(default_factory=ScriptedSensing)
    recorded: list[Event] = field(default_factory=list)

    def __post_init__(self) -> None:
        header = Header(ruleset=Ruleset(level=self.level), pause_when_lost=True)
        self.refereeing = RefereedGame(header, self.sensing, record=lambda event, _: self.recorded.append(event))  # type: ignore[arg-type]
        self.refereeing.connected = True
        self.press(ButtonName.START, 0.0)
        assert self.run(0.1, 0.9) == []
        first = 1.0 - LEAST_WAIT
        self.sense(first, *(Seat(first, tube, End.A) for player in PLAYERS for tube in START_TUBES[player]))
        self.sense(1.5)

    def sense(self, t: float, *events: Event, late: float = 0.0) -> list[Ruling]:
        """A snapshot of ``t`` that comes ``late``, with which these events are known."""
        self.sensing.ready = list(events)
        self.refereeing.take_link(SnapshotArrived(t, t + late, STILL))
        return self.refereeing.advance(t + late)

    def run(self, start: float, end: float) -> list[Ruling]:
        """Rounds of the loop in which no frame comes."""
        rounds = range(round(start * 10), round(end * 10) + 1)
        return [ruling for tenth in rounds for ruling in self.refereeing.advance(tenth / 10)]

    def press(self, button: ButtonName, t: float) -> None:
        self.refereeing.take([Button(t, button, Press.SHORT)])


def test_r4_4_a_ring_that_fell_within_the_window_counts_though_it_is_known_later() -> None:
    table = Table(level=2)
    table.sense(3.0, Lift(2.0, Tube.D1), Seat(3.0, Tube.D2, End.B))
    table.sensing.pending_since = 7.99  # something has begun that has not held for its dwell yet
    assert table.refereeing.advance(8.04) == []
    table.sensing.pending_since = None
    (ring,) = table.sense(8.05, Rings(7.99, Tube.D2, 1))
    assert isinstance(ring, RingCounted)
    assert ring.t == 7.99


def test_r4_6_a_button_waits_for_what_was_sensed_before_it() -> None:
    """The claim is announced while the seat that ends the move is not certain yet; it comes in its true order."""
    table = Table(level=1)
    table.sense(2.0, Lift(2.0, Tube.D1))
    table.sensing.pending_since = 2.98
    table.press(ButtonName.BLACK, 3.0)
    assert table.refereeing.advance(3.02) == []
    table.sensing.pending_since = None
    table.sense(3.03, Seat(2.98, Tube.D2, End.A))
    table.refereeing.advance(3.1)
    assert [type(event) for event in table.recorded[-2:]] == [Seat, Button]
    (ring,) = table.sense(4.06, Rings(4.0, Tube.D2, 1))
    assert isinstance(ring, RingCounted)
    assert (ring.player, ring.kind) == (Player.BLACK, RingKind.CLAIM)


def test_a_button_waits_as_long_as_frames_have_been_late() -> None:
    table = Table(level=1)
    table.sense(2.0, Lift(2.0, Tube.D1), late=0.2)
    table.run(2.3, 3.0)
    table.press(ButtonName.BLACK, 3.0)
    assert table.refereeing.next_deadline is not None
    assert table.refereeing.next_deadline > 3.2
    assert table.refereeing.advance(3.19) == []
    table.sense(2.95, Seat(2.9, Tube.D2, End.A), late=0.25)
    table.refereeing.advance(3.3)
    assert [type(event) for event in table.recorded[-2:]] == [Seat, Button]


def test_while_the_board_is_there_what_falls_due_is_ruled_by_its_snapshots() -> None:
    """A frame that is late may tell of something that was in time."""
    table = Table(level=2)
    assert table.refereeing.advance(20.0) == []
    assert table.sense(15.99, late=4.5) == []
    (overtime,) = table.sense(16.01, late=5.0)
    assert isinstance(overtime, Warned)
    assert overtime.t == 16.0  # 15 s after the turn began at 1 s


def test_while_the_board_is_out_of_reach_what_falls_due_is_ruled_by_time_alone_and_not_before() -> None:
    table = Table(level=2)
    table.refereeing.connected = False
    assert table.refereeing.next_deadline is not None
    assert table.refereeing.advance(table.refereeing.next_deadline - 0.001) == []
    (overtime,) = table.refereeing.advance(table.refereeing.next_deadline + 0.001)
    assert isinstance(overtime, Warned)
    assert overtime.t == 16.0


@pytest.mark.parametrize(("back", "counts"), [(20.05, True), (20.2, False)])
def test_r9_5_a_right_keeps_the_seconds_left_when_the_board_was_last_heard(back: float, counts: bool) -> None:
    """Red's 5 seconds end at 8 s; the board falls silent at 7.9 s, which is noticed at 8.4 s."""
    table = Table(level=2)
    table.sense(3.0, Lift(2.0, Tube.D1), Seat(3.0, Tube.D2, End.B))
    table.sense(7.9)
    table.refereeing.take_link(Lost(8.4, BoardSilent(0.5), 7.9))
    (lost,) = table.refereeing.advance(8.4)
    assert lost.t == 7.9
    table.sense(20.0, Link(20.0, LinkState.RESTORED))
    (ruling,) = table.sense(back, Rings(back, Tube.D2, 1))
    assert isinstance(ruling, RingCounted) == counts


def test_r9_5_the_board_is_not_lost_before_what_was_ruled_last() -> None:
    table = Table(level=2)
    table.run(1.5, 8.2)
    table.press(ButtonName.BLACK, 8.2)
    table.refereeing.advance(8.3)
    table.refereeing.take_link(Lost(8.4, BoardSilent(0.5), 7.9))
    (lost,) = table.refereeing.advance(8.4)
    assert lost.t == 8.2


def test_r9_5_a_press_does_not_overtake_what_the_port_still_holds() -> None:
    """The program stood still from 3 s to 8 s; its port held a little of the beginning, then nothing up to 8 s.

    Red's right to his ring stood still from 3.1 s on: the press of 7 s is taken after it was known.
    """
    table = Table(level=2)
    table.sense(3.0, Lift(2.0, Tube.D1), Seat(3.0, Tube.D2, End.B))
    table.press(ButtonName.BLACK, 7.0)
    table.sense(3.1, late=4.9)
    table.refereeing.take_link(Lost(3.1, FramesMissed(4.95), 3.1))
    table.refereeing.take_link(Connected(8.05, HELLO, False))
    (lost, ring) = table.sense(8.06, Rings(8.06, Tube.D2, 1))
    assert (lost.t, type(lost)) == (3.1, Warned)
    assert isinstance(ring, RingCounted)
    assert [type(event) for event in table.recorded[-4:]] == [Link, Button, Link, Rings]


def test_frames_from_before_the_link_came_back_are_sensed_by_their_own_times() -> None:
    """The referee has ruled on by the host's clock meanwhile, so it takes what they tell as of then."""
    table = Table(level=1)
    table.sense(4.5)
    table.refereeing.take_link(Lost(5.0, BoardSilent(0.5), 4.5))
    table.refereeing.advance(5.5)
    table.refereeing.take_link(Connected(5.6, HELLO, False))
    table.sense(4.6, Lift(4.55, Tube.D1), late=1.0)
    assert table.sensing.now == 4.6
    assert [type(event) for event in table.recorded[-3:]] == [Link, Link, Lift]
    assert table.recorded[-1].t >= 5.0
