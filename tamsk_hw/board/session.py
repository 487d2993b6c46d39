"""One board's conversation, without I/O: bytes in with their host time, events out, bytes to write out.

Host time is in seconds, given by the caller, never decreasing; nothing here reads a clock. A link is *connected*
only after a HELLO with the right protocol major and wiring hash (PROTOCOL.md sections 3.1 and 7). `LineWatch`
judges the line by the shares of lost and doubled frames over the last seconds: it is bad from a share on that
people should know of, and well again when all are far below; between the two it stays as it was.
"""

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from enum import Enum
from typing import Final

from tamsk_hw.board import link_events, protocol
from tamsk_hw.errors import LinkError

#: Seconds from one judgement to the next, and how many such are looked back on.
JUDGE_EVERY: Final = 1.0
LOOK_BACK: Final = 5

#: Shares of lost and of doubled frames from which a line is bad, and below which it is well again.
LOST_BAD, LOST_WELL = 0.03, 0.005
DOUBLED_BAD, DOUBLED_WELL = 0.10, 0.02

#: Fewer frames than this, lost or doubled, are chance; and lost in fewer places, a pause of this computer.
LEAST_BAD: Final = 5
LEAST_GAPS: Final = 3


class LineWatch:
    """Judges the frames of the last seconds once a second, by the decoder's counters."""

    def __init__(self) -> None:
        self.due = float("-inf")
        """Host time of the next judgement (seconds)."""
        self._past: deque[tuple[int, ...]] = deque(maxlen=LOOK_BACK + 1)
        """Good, lost and doubled frames, gaps, and damaged frames until then."""
        self._bad = False

    def restart(self) -> None:
        """Forget what was counted, as the port is opened again; a bad line stays bad until it is found well."""
        self._past.clear()

    def judge(self, counters: protocol.DecoderCounters, now: float) -> link_events.LineQuality | None:
        """The line's quality when it has become bad or well, else None."""
        self.due = now + JUDGE_EVERY
        good = counters.frames - counters.doubled
        totals = good, counters.missing, counters.doubled, counters.gaps, counters.damaged
        self._past.append(totals)
        good, lost, doubled, gaps, unreadable = (new - old for new, old in zip(totals, self._past[0], strict=True))
        sent = good + lost
        if not sent:
            return None
        lost_share, doubled_share = lost / sent, doubled / (sent + doubled)
        if self._bad:
            whole = len(self._past) > LOOK_BACK
            bad = not whole or lost_share >= LOST_WELL or doubled_share >= DOUBLED_WELL
        else:
            bad = (lost >= LEAST_BAD and gaps >= LEAST_GAPS and lost_share >= LOST_BAD) or (
                doubled >= LEAST_BAD and doubled_share >= DOUBLED_BAD
            )
        if bad == self._bad:
            return None
        self._bad = bad
        return link_events.LineQuality(now, bad, lost_share, min(unreadable / sent, 1.0), doubled_share)


#: Seconds without a good frame after which a connected link is lost; the board sends one every 50 ms.
LOST_AFTER: Final = 0.5

#: Seconds from one heartbeat to the next.
HEARTBEAT_EVERY: Final = 1.0

#: Seconds after which an unanswered IDENTIFY or SET_BOARD_ID is sent again.
ASK_EVERY: Final = 0.5

#: Seconds after the opening of the port by which a board should have answered; one that is reset by it needs two.
ANSWER_WITHIN: Final = 5.0

# The first snapshot of a board that has not said its HELLO brings an IDENTIFY at once, but none sooner after the
# last one than this, in seconds: its answer may be under way. All others keep to ASK_EVERY.
_ASK_LEAST = 0.05

# A board that goes on where it stopped has been held up for less than this (seconds).
_PAUSE_SECONDS = 60.0

# Answers to SET_BOARD_ID that differ from what was asked, after which it is not sent again.
_DISAGREEMENTS = 3

_NEVER = float("inf")


class SessionState(Enum):
    """The states of a session."""

    CLOSED = "closed"
    """The port is not open."""
    WAITING = "waiting"
    """The port is open, no HELLO has come yet."""
    CONNECTED = "connected"
    """The board may be used."""
    REFUSED = "refused"
    """A board answered that must not be used."""


class LinkSession:
    """The state of the link to one board.

    ``wiring_hash`` is that of the host's map (`Wiring.hash`). ``thresholds``: those of the ring sensors, in
    counts, by converter and input, 0 for the common one; they are sent whenever the board tells of others, as
    after a reset (PROTOCOL.md section 5.6). None: the board keeps what it has. ``lost_after``: seconds without a
    good frame after which a connected link is lost; a service whose clock runs at n times real time should give n
    times the value. ``board_id``: the only board that may be used (`Hello.board_id`), None for any.
    """

    def __init__(
        self,
        wiring_hash: int,
        *,
        thresholds: Sequence[bytes] | None = None,
        lost_after: float = LOST_AFTER,
        board_id: int | None = None,
    ) -> None:
        self._wiring_hash = wiring_hash
        self._thresholds = thresholds
        self._board_id = board_id
        self._lost_after = lost_after
        self.counts = link_events.LinkStatistics()
        """Counters that go on counting; `statistics` are they as they stand now."""
        self._decoder = protocol.Decoder(self.counts)
        self._time_map = link_events.TimeMap()
        self.state = SessionState.CLOSED
        self._outgoing = bytearray()
        self._seq = 0
        self._boot_id: int | None = None
        self._refusal: link_events.Refusal | None = None
        self.last_heard = -_NEVER
        """Host time of the last good frame from the board; minus infinity before the first."""
        self._identified = -_NEVER
        self._may_ask_early = False
        self._heartbeat_due = _NEVER
        self._new_id: int | None = None
        self._new_id_due = _NEVER
        self._other_ids = 0
        self._opened_at = -_NEVER
        self._received_before = 0
        """Bytes received before the port was opened."""
        self._is_silence_known = False
        """The silent device at the port has been reported."""
        self._snapshot: protocol.Snapshot | None = None
        self._placed_at: float | None = None
        """Host time of this connection's last snapshot, by its stamp."""
        self._missed = False
        """Frames were lost since the last snapshot that was given."""
        self._fell_silent = False
        """The link was lost by silence alone."""
        self._hello: protocol.Hello | None = None
        self._line = LineWatch()

    @property
    def statistics(self) -> link_events.LinkStatistics:
        """The counters as they stand now."""
        connected, rate = self.state is SessionState.CONNECTED, self._time_map.rate
        return replace(self.counts, connected=connected, time_jumps=self._time_map.jumps, clock_error=rate - 1)

    def opened(self, now: float) -> None:
        """The port was opened: ask who is there."""
        self._decoder.restart()
        self._snapshot, self._missed, self.counts.heard = None, False, False
        self._fell_silent = False
        self._line.restart()
        self.state = SessionState.WAITING
        self.counts.opens += 1
        self._opened_at, self._received_before = now, self.counts.received_bytes
        self._refusal = None
        # What stood on the line before the port was ours ends at a zero byte.
        self._outgoing[:] = b"\0"
        self._ask(now)
        self._may_ask_early = True

    def closed(self, now: float, reason: link_events.LossReason) -> list[link_events.LinkEvent]:
        """The port is closed, on purpose or not."""
        events: list[link_events.LinkEvent] = []
        if self.state is SessionState.CONNECTED:
            events.append(link_events.Lost(now, reason, self.last_heard))
        if not isinstance(reason, link_events.PortReopened):
            self._is_silence_known = False  # another thing may be there next
        self.state = SessionState.CLOSED
        self._outgoing.clear()
        self._ask_no_more()
        return events

    def set_board_id(self, board_id: int) -> None:
        """Have the connected board keep another id; an `Answered` follows.

        It is asked until it answers, unless the connection ends before. Raises `LinkError` when not connected, or
        for an id that no board takes.
        """
        problem = protocol.board_id_problem(board_id)
        if problem is not None:
            raise LinkError(problem)
        if self.state is not SessionState.CONNECTED:
            raise LinkError("board id: the board is not connected; wait for it and ask again")
        self._new_id = board_id
        self._new_id_due = -_NEVER
        self._other_ids = 0

    def receive(self, data: bytes, now: float) -> list[link_events.LinkEvent]:
        """Take the bytes that came by ``now``."""
        self.counts.received_bytes += len(data)
        events: list[link_events.LinkEvent] = []
        for frame in self._decoder.frames(data):
            message = frame.message
            if isinstance(message, protocol.BoardMessage):
                self.last_heard = now
                self._missed = self._missed or frame.missing > 0
            match message:
                case protocol.Snapshot():
                    self.counts.heard = True
                    if frame.is_copy:
                        continue
                    if self._fell_silent and not frame.missing and self._goes_on(message):
                        self._connect(now, False, events)
                    self._fell_silent = False
                    self._snapshot = message
                    if self.state is SessionState.CONNECTED:
                        self._take_snapshot(message, now, events)
                    elif self._may_ask_early and now >= self._identified + _ASK_LEAST:
                        # A board that is there already says its HELLO only when asked.
                        self._may_ask_early = False
                        self._ask(now)
                case protocol.Hello() | protocol.SettingsReport() | protocol.RingSignals():
                    if isinstance(message, protocol.Hello) and message.seq == 0 and not frame.is_copy:
                        # A board after its reset: nobody saw what was meanwhile.
                        self._missed = self._missed or self.counts.heard
                        self._snapshot = None
                    self.counts.heard = True
                    self._take(message, now, events)
                case _:
                    # Our own words, echoed by a line that is not raw yet: nobody was heard.
                    pass
        return events

    def advance(self, now: float) -> list[link_events.LinkEvent]:
        """Let time pass: notice silence and a bad line, queue what is due."""
        events: list[link_events.LinkEvent] = []
        if self.state is SessionState.CONNECTED and now >= self._line.due:
            quality = self._line.judge(self.counts, now)
            if quality is not None:
                events.append(quality)
        if self.state is SessionState.CONNECTED and now >= self.last_heard + self._lost_after:
            events.append(link_events.Lost(now, link_events.BoardSilent(now - self.last_heard), self.last_heard))
            self.state = SessionState.WAITING
            self._fell_silent = self._is_silence_known = True
            self._may_ask_early = True
            self._ask_no_more()
        waits = self.state is SessionState.WAITING and not self._is_silence_known
        if waits and now >= self._opened_at + ANSWER_WITHIN:
            self._is_silence_known = True
            received = self.counts.received_bytes - self._received_before
            events.append(
                link_events.Unreachable(
                    now, link_events.NoAnswer(now - self._opened_at, received, self.counts.heard)
                )
            )
        if self.state in (SessionState.WAITING, SessionState.REFUSED) and now >= self._identified + ASK_EVERY:
            self._ask(now)
        if now >= self._heartbeat_due:
            self._send(protocol.Heartbeat(self._next_seq()))
            self._heartbeat_due = now + HEARTBEAT_EVERY
        if self._new_id is not None and now >= self._new_id_due:
            self._send(protocol.SetBoardId(self._next_seq(), self._new_id))
            self._new_id_due = now + ASK_EVERY
        return events

    def take_outgoing(self) -> bytes:
        """The bytes to write to the port now; whole frames. They are given once."""
        data = bytes(self._outgoing)
        self._outgoing.clear()
        return data

    def next_wakeup(self) -> float:
        """Host time at which `advance` has something to do; infinity when the port is closed."""
        match self.state:
            case SessionState.CLOSED:
                return _NEVER
            case SessionState.CONNECTED:
                return min(self.last_heard + self._lost_after, self._heartbeat_due, self._new_id_due)
            case _:
                return self._identified + ASK_EVERY

    def _goes_on(self, snapshot: protocol.Snapshot) -> bool:
        """The board was silent for too long and goes on where it stopped: it was not reset meanwhile."""
        last = self._snapshot
        return last is not None and (snapshot.time - last.time) % protocol.WRAP <= _PAUSE_SECONDS * 1e6

    def _take_snapshot(self, snapshot: protocol.Snapshot, now: float, events: list[link_events.LinkEvent]) -> None:
        """Report a snapshot, and before it the hole in the board's own time in which nothing of it came.

        A program that was kept from running reads on where its port ran full: no silence is heard then, though as
        much is missing as after one.
        """
        before = self._placed_at
        arrived = self._placed(snapshot, now)
        self._placed_at = arrived.time
        if before is not None and self._hello is not None and arrived.time >= before + self._lost_after:
            hole = arrived.time - before
            reason = link_events.FramesMissed(hole) if arrived.missed else link_events.BoardSilent(hole)
            events.append(link_events.Lost(before, reason, before))
            events.append(link_events.Connected(arrived.time, self._hello, False))
            arrived = replace(arrived, missed=True)
        events.append(arrived)

    def _placed(self, snapshot: protocol.Snapshot, now: float) -> link_events.SnapshotArrived:
        jumps = self._time_map.jumps
        time = self._time_map.place(snapshot.time, now)
        if self._time_map.jumps != jumps:
            # The board was reset and its HELLO was lost; ask for it, since nobody saw what was meanwhile.
            self._ask(now)
        self.counts.snapshots += 1
        self.counts.delay = now - time
        missed, self._missed = self._missed, False
        return link_events.SnapshotArrived(time, now, snapshot, missed)

    def _take(self, message: protocol.BoardMessage, now: float, events: list[link_events.LinkEvent]) -> None:
        match message:
            case protocol.Hello():
                self._greet(message, now, events)
            case protocol.RingSignals() if self.state is SessionState.CONNECTED:
                self._keep_thresholds(message)
                events.append(link_events.SignalsArrived(now, message))
            case _:
                pass

    def _keep_thresholds(self, told: protocol.RingSignals) -> None:
        """Send a converter the thresholds that are wanted when it tells of others."""
        if self._thresholds is not None and told.chip < len(self._thresholds):
            wanted = self._thresholds[told.chip]
            if bytes(signal.threshold for signal in told.signals) != wanted:
                self._send(protocol.SetThresholds(self._next_seq(), told.chip, wanted))

    def _greet(self, hello: protocol.Hello, now: float, events: list[link_events.LinkEvent]) -> None:
        refusal = self._judge(hello)
        if refusal is not None:
            if self.state is SessionState.CONNECTED:
                events.append(link_events.Lost(now, refusal, now))
                self._ask_no_more()
            if refusal != self._refusal:
                events.append(link_events.Refused(now, refusal))
            self._refusal = refusal
            self._is_silence_known = False
            self.state = SessionState.REFUSED
            return
        self._take_id(hello.board_id, now, events)
        restarted = self._boot_id is not None and hello.boot_id != self._boot_id
        if self.state is SessionState.CONNECTED and not restarted:
            return
        if hello.boot_id != self._boot_id:
            self._time_map.restart()
        self._boot_id = hello.boot_id
        self._refusal = None
        self.counts.board_resets += restarted
        self._hello = hello
        self._connect(now, restarted, events)

    def _connect(self, now: float, restarted: bool, events: list[link_events.LinkEvent]) -> None:
        """The board may be used: its last HELLO holds."""
        if self._hello is None:
            return
        if self.state is not SessionState.CONNECTED:
            self.counts.connections += 1
            self._heartbeat_due = now
        self.state = SessionState.CONNECTED
        self._is_silence_known = False
        self._placed_at = None
        events.append(link_events.Connected(now, self._hello, restarted))

    def _take_id(self, board_id: int, now: float, events: list[link_events.LinkEvent]) -> None:
        """The id of a HELLO that may answer a wish for another; it may also have been under way before."""
        if self._new_id is None:
            return
        as_asked = board_id == self._new_id
        self._other_ids += not as_asked
        if as_asked or self._other_ids >= _DISAGREEMENTS:
            self._new_id, self._new_id_due = None, _NEVER
            events.append(link_events.Answered(now, board_id, as_asked))

    def _ask_no_more(self) -> None:
        """Send no more requests, as the connection is over; an id is for this board alone."""
        self._heartbeat_due = self._new_id_due = _NEVER
        self._new_id = None

    def _judge(self, hello: protocol.Hello) -> link_events.Refusal | None:
        """The reason for which this board must not be used; None when it may."""
        if hello.protocol[0] != protocol.PROTOCOL_MAJOR:
            return link_events.OtherProtocol(
                hello.board_id, hello.protocol, (protocol.PROTOCOL_MAJOR, protocol.PROTOCOL_MINOR)
            )
        counts = (hello.ring_bits, hello.fields, hello.references)
        needed = (protocol.RING_BITS, protocol.FIELDS, protocol.REFERENCES)
        if counts != needed:
            return link_events.OtherLayout(hello.board_id, counts, needed)
        if hello.wiring_hash != self._wiring_hash:
            return link_events.OtherWiring(hello.board_id, hello.wiring_hash, self._wiring_hash)
        if self._board_id is not None and hello.board_id != self._board_id:
            return link_events.OtherBoard(hello.board_id, self._board_id)
        return None

    def _ask(self, now: float) -> None:
        self._send(protocol.Identify(self._next_seq()))
        self._identified = now

    def _send(self, message: protocol.HostMessage) -> None:
        self._outgoing += protocol.encode(message)

    def _next_seq(self) -> int:
        seq = self._seq
        self._seq = (seq + 1) & 0xFF
        return seq
