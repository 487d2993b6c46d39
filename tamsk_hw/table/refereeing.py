"""From the link's events to rulings, without I/O: sensing and referee with one clock between them.

The referee must not rule that time is up while something that began earlier may still be reported: a ring counts
from when it fell, which sensing knows only after its dwell, and its frame may be late. So while the board is
connected the referee's clock is the stamp of the newest snapshot, as far as sensing calls it settled; the host's
own clock rules only when the board is out of reach. A button, which the host sees itself, waits for frames as late
as they have been of late, and for the first look at the board of a new game. Sensing, in turn, knows from the
referee where a ring is due: elsewhere it looks longer, since a finger covers a sensor, too.

`BoardWatch` makes notices of what link and board report. It leaves out

- what sensing reports as a sensor's fault: a low supply, a silent load cell;
- RECEIVE_ERROR just after the connection: opening the line cuts bytes, and until it is set to pass them on as they
  are the system echoes some to the board. That is no damage by the cable;
- HOST_SILENT: it is no fault of the board. It stands after each reset until the first heartbeat arrives, and
  whenever this program was kept from running; the board does nothing else for it, and the game needs nothing that
  is sent to the board.
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final

from tamsk_hw.board import link_events
from tamsk_hw.board.protocol import FaultFlag
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.facts import notices
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Event, Link, LinkState, Tick
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.view import View

#: The flags that are reported during a game: each is set in one snapshot after its event.
REPORTED: Final = (FaultFlag.RECEIVE_ERROR, FaultFlag.SCAN_OVERRUN)

_ANY_REPORTED: Final = sum(int(flag) for flag in REPORTED)

#: Seconds without a flag after which it is reported again when it comes: noise that goes on is one occurrence.
QUIET: Final = 60.0

#: Seconds after the connection in which a receive error comes of opening the line.
OPENING: Final = 0.5


class BoardWatch:
    """Takes the link's events in order, gives notices, each once for each occurrence."""

    def __init__(self) -> None:
        # for each flag the time of the last snapshot that had it
        self._last: dict[FaultFlag, float] = {}
        self._connected_at = float("-inf")

    def on_event(self, event: link_events.LinkEvent) -> Sequence[notices.BoardNotice]:
        """Take an event; give what is to be reported now, for nearly every event nothing."""
        match event:
            case link_events.SnapshotArrived():
                faults = event.snapshot.faults
                return self._flags(faults, event.time) if faults & _ANY_REPORTED else ()
            case link_events.Connected(time, hello, restarted):
                self._connected_at = time
                connected = notices.BoardConnected(hello.firmware)
                return (notices.BoardRestarted(hello.reset_cause), connected) if restarted else (connected,)
            case link_events.Lost(_, reason):
                return (notices.BoardLost(reason),)
            case link_events.Refused(_, problem) | link_events.Unreachable(_, problem):
                return (notices.BoardUnusable(problem),)
            case link_events.LineQuality(_, bad, lost, damaged, doubled):
                return (notices.LineBad(lost, damaged, doubled) if bad else notices.LineWell(),)
            case _:
                return ()

    def _flags(self, faults: int, time: float) -> list[notices.BoardNotice]:
        reported: list[notices.BoardNotice] = []
        for flag in REPORTED:
            if flag is FaultFlag.RECEIVE_ERROR and time - self._connected_at < OPENING:
                continue
            if faults & flag:
                last = self._last.get(flag)
                if last is None or time - last >= QUIET:
                    reported.append(notices.BoardComplains(flag))
                self._last[flag] = time
        return reported


#: Seconds that the referee stays behind the host's clock while the board is out of reach.
BEHIND = 0.02

#: Seconds that a button waits for frames that are under way: at least, at most, and beyond the lateness known.
LEAST_WAIT, MOST_WAIT, WAIT_BEYOND = 0.008, 0.5, 0.004

#: Seconds from one `RefereedGame.advance` to the next from which on the program was kept from running: the board's
#: frames may still lie in the port, and buttons wait for the newest.
STOOD_STILL = 0.2

#: The lateness of frames that is remembered from one to the next.
_REMEMBERED = 0.99


class RefereedGame:
    """One game refereed from a link's events and from people's buttons and decisions.

    Times are seconds of the game's stream. ``record`` is given each event that the referee took, with what it
    ruled on it; what it ruled by the passing of time comes with a tick. ``past``: the events of an earlier life
    of this game, which was ruled then; the sensing takes the board to be as they left it. ``watched_to``: until
    when it was watched in that life, if longer than to its last event. ``notice`` is given what people should know
    of the connection and the board.
    """

    def __init__(
        self,
        header: Header,
        sensing: Sensing,
        *,
        past: Sequence[Event] = (),
        watched_to: float = 0.0,
        record: Callable[[Event, Sequence[Ruling]], None] = lambda event, rulings: None,
        notice: Callable[[notices.BoardNotice], None] = lambda notice: None,
    ) -> None:
        self._sensing = sensing
        self.header = header
        self._referee = Referee(header)
        self._record = record
        self._notice = notice
        self._board_watch = BoardWatch()
        self._sensed_to = 0.0
        """The time up to which the board is known: the newest stamp, or the host's clock without the board."""
        self._stamped_to = 0.0
        """The newest stamp, by which sensing goes."""
        self._waiting: list[Event] = []
        self._advanced_to: float | None = None
        """The host's time at the last `advance`."""
        self._ran_again = float("-inf")
        """The host's time at which the program ran again after it had stood still."""
        self._late = 0.0
        """The greatest lateness of the last frames (seconds), fading."""
        self._out: list[Ruling] = []
        self._due: float | None = None
        self.rulings: list[Ruling] = []
        """Every ruling so far."""
        self.past: list[tuple[Event, Sequence[Ruling]]] = []
        """The events of the earlier life, each with what was ruled on it."""
        self.connected = False
        """The board is there and may be used."""
        if past:
            for event in past:
                rulings = self._referee.handle(event)
                self.past.append((event, rulings))
                self.rulings += rulings
            self._sensed_to = self._stamped_to = max(past[-1].t, watched_to)
            self._due = self._referee.next_deadline
            sensing.restore(past)
            sensing.advance(self._sensed_to)
        self._expect_rings()

    @property
    def is_over(self) -> bool:
        """The game is over."""
        return self._referee.is_over

    @property
    def is_paused(self) -> bool:
        """The game pauses, and nothing that was decided waits to be ruled on."""
        return self._referee.is_paused and not self._waiting

    @property
    def next_deadline(self) -> float | None:
        """Host time by which `advance` has something to do by itself, None when only news can bring it."""
        if self._waiting:
            return self._waiting[0].t + self._wait
        return None if self._due is None or self.connected else self._due + BEHIND

    @property
    def now(self) -> float:
        """The time up to which everything is ruled."""
        return self._referee.now

    @property
    def rests(self) -> tuple[float, ...]:
        """The rests of the board's fields, as sensing has followed them (`Sensing.baselines`)."""
        return self._sensing.baselines

    @property
    def watched_to(self) -> float:
        """The time up to which the game has been watched: nothing older will be ruled on."""
        settled = min([self._sensing.settled_by(self._sensed_to), *(event.t for event in self._waiting)])
        return max(self._referee.now, min(self._sensed_to, settled))

    def view(self) -> View:
        """The state of the game up to the last snapshot: sand runs though nothing happens."""
        return self._referee.view(self._sensed_to)

    def take_link(self, event: link_events.LinkEvent) -> None:
        """Take what the link reports."""
        for notice in self._board_watch.on_event(event):
            self._notice(notice)
        if isinstance(event, link_events.SnapshotArrived):
            self._late = max(event.arrival - event.time, _REMEMBERED * self._late)
            if not self._stamped_to:  # what stands there was set up before anything was pressed
                pressed = event.time + LEAST_WAIT
                self._waiting = [replace(each, t=max(each.t, pressed)) for each in self._waiting]
            self._stamped_to = t = max(event.time, self._stamped_to)
            self._sensed_to = max(self._sensed_to, t)
            sensed = self._sensing.feed(event.snapshot, t, event.missed)
            if sensed:
                self._hand_on(sensed)
            return
        self._sensed_to = max(self._sensed_to, event.time)
        match event:
            case link_events.SignalsArrived(_, signals):
                self._sensing.take_signals(signals)
            case link_events.Connected():
                self.connected = True
                self._hand_on(self._dated(self._sensing.link_restored(self._stamped_to), self._sensed_to))
            case link_events.Lost():
                self.connected = False
                # Rights stand still from the last that was seen on (R9.5).
                self._hand_on(self._dated(self._sensing.link_lost(self._stamped_to), self._stamped_to))
            case _:
                pass

    def resume(self, least: float, most: float) -> None:
        """The game goes on after nobody watched it for ``least`` to ``most`` seconds that the stream does not
        count.
        """
        self._hand_on([Link(self._sensed_to, LinkState.RESTORED, (least, most))])
        if not self.connected:
            self._hand_on(self._dated(self._sensing.link_lost(self._stamped_to), self._sensed_to))

    def take(self, events: Iterable[Event]) -> None:
        """Take what came by buttons or from the arbiter; it waits for what the sensors saw before it."""
        self._waiting += events

    def advance(self, now: float) -> list[Ruling]:
        """Time has passed to ``now`` (host seconds): all that is ruled since the last call."""
        horizon = now - BEHIND
        if not self.connected and horizon > self._sensed_to:
            self._sensed_to = horizon
        if self._advanced_to is not None and now > self._advanced_to + STOOD_STILL:
            self._ran_again = now
        self._advanced_to = now
        if self._waiting and (self._stamped_to or not self.connected):
            known = now - self._wait
            if self.connected and now < self._ran_again + MOST_WAIT:
                known = min(known, self._stamped_to)
            settled = self._sensing.settled_by(known)
            if self._waiting[0].t <= settled:
                self._hand_on([], settled)
        if self._due is not None and self._due <= self._sensed_to:
            settled = self._sensing.settled_by(self._sensed_to)
            if settled > self._referee.now:
                rulings = self._referee.advance(settled)
                self._rule(rulings)
                if rulings:
                    self._record(Tick(self._referee.now), rulings)
                    self._expect_rings()
        out, self._out = self._out, []
        return out

    @staticmethod
    def _dated(sensed: Sequence[Event], t: float) -> list[Event]:
        """A lost or restored connection is of time ``t``, whatever the last stamp was."""
        return [replace(each, t=t) if isinstance(each, Link) else each for each in sensed]

    @property
    def _wait(self) -> float:
        """Seconds that a button waits for what the sensors saw before it."""
        return min(max(LEAST_WAIT, self._late + WAIT_BEYOND), MOST_WAIT)

    def _hand_on(self, sensed: Sequence[Event], settled: float = 0.0) -> None:
        """Give the referee what was sensed, and what waited and came before it or may not be preceded any more.

        ``settled``: nothing older than this will be sensed, if that is known beyond what sensing says.
        """
        events = list(sensed)
        settled = max([settled, self._sensing.settled, *(event.t for event in events[-1:])])
        ready = [event for event in self._waiting if event.t <= settled]
        if ready:
            self._waiting = [event for event in self._waiting if event.t > settled]
            events = sorted([*events, *ready], key=lambda event: event.t)
        for event in events:
            if event.t < self._referee.now:
                event = replace(event, t=self._referee.now)
            rulings = self._referee.handle(event)
            self._rule(rulings)
            self._record(event, rulings)
        self._expect_rings()

    def _expect_rings(self) -> None:
        """Tell sensing where a ring is due, and take what counts by that."""
        sensed = self._sensing.expect_rings(self._referee.rings_due)
        if sensed:
            self._hand_on(sensed)

    def _rule(self, rulings: list[Ruling]) -> None:
        self._due = self._referee.next_deadline
        self._out += rulings
        self.rulings += rulings


def link_since(event: link_events.LinkEvent, began: float) -> link_events.LinkEvent:
    """The link's report by the clock of a game whose time 0 was at ``began``."""
    time = max(0.0, event.time - began)
    if isinstance(event, link_events.SnapshotArrived):
        return replace(event, time=time, arrival=max(time, event.arrival - began))
    return replace(event, time=time)


def event_since(event: Event, began: float) -> Event:
    """The button or decision by the clock of a game whose time 0 was at ``began``."""
    return replace(event, t=max(0.0, event.t - began))
