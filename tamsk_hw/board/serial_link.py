"""Non-blocking serial transport under a `LinkSession`; retries the configured port indefinitely."""

import contextlib
import os
import termios
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import serial

from tamsk_hw.board import link_events
from tamsk_hw.board.session import LOST_AFTER, LinkSession, SessionState

#: Bits a second; 8 data bits, no parity, one stop bit.
BAUD_RATE: Final = 500_000

#: Seconds to the second try to open a port; each further one waits twice as long.
FIRST_RETRY: Final = 0.1

#: Seconds that two tries are apart at most.
LONGEST_RETRY: Final = 2.0

#: Seconds without a good frame after which an open port is opened again. Longer than a boot loader waits. While
#: nothing is heard, each further time is twice as long: opening resets what stands there, board or not.
REOPEN_AFTER: Final = 5.0

#: Seconds that an open port is silent at most until it is opened again.
LONGEST_SILENCE: Final = 300.0

# Bytes asked of one read, and at most of one poll.
_READ = 4096
_READ_MOST = 16 * _READ

# Bytes that wait for a port that takes none; beyond it they are dropped.
_UNSENT_MOST = 1024

# What a dead or foreign port may raise: serial.SerialException is an OSError, termios.error is not.
_PORT_ERRORS = (OSError, termios.error, ValueError)


class SerialLink:
    """The link to the board at ``port``, a path such as ``/dev/serial/by-id/…``.

    A symlink is followed each time the port is opened, so a board may come back under another name. Every
    method takes or gives host time in seconds, as the caller counts it. ``wiring_hash``, ``thresholds``,
    ``lost_after`` and ``board_id`` are those of `LinkSession`. ``reopen_after``: seconds of silence after which an
    open port is opened again for the first time. ``backlog``: the most snapshots that one `poll` gives; when the
    host is behind by more, only the newest are given and the others counted as skipped. ``tap`` is given every
    byte as it comes, before anything is made of it; ``tape`` takes note of all that comes, goes and happens to the
    port.
    """

    def __init__(
        self,
        port: str | os.PathLike[str],
        wiring_hash: int,
        *,
        thresholds: Sequence[bytes] | None = None,
        lost_after: float = LOST_AFTER,
        board_id: int | None = None,
        reopen_after: float = REOPEN_AFTER,
        backlog: int | None = None,
        tap: Callable[[bytes], None] | None = None,
        tape: Callable[[float, str, bytes], None] | None = None,
    ) -> None:
        self.port = os.fspath(port)
        """The configured path."""
        self.session = LinkSession(wiring_hash, thresholds=thresholds, lost_after=lost_after, board_id=board_id)
        self._reopen_after = self._silence = reopen_after
        self._backlog = backlog
        self._tap = tap
        self._tape = tape or (lambda now, what, data: None)
        self._serial: serial.Serial | None = None
        self._open_due = float("-inf")
        self._opened_at = float("-inf")
        self._retry = FIRST_RETRY
        self._problem: link_events.PortNotOpened | None = None
        self._heard: bytes | None = None
        """Bytes that `listen` read for the next `poll`."""
        self._unsent = b""
        self._finished = False

    @property
    def connected(self) -> bool:
        """A board is there and may be used."""
        return self.session.state is SessionState.CONNECTED

    @property
    def statistics(self) -> link_events.LinkStatistics:
        """The counters as they stand now."""
        return self.session.statistics

    def fileno(self) -> int | None:
        """The descriptor to wait on for reading, or None while no port is open.

        It may change with every `poll`.
        """
        return None if self._serial is None else self._serial.fileno()

    @property
    def has_news(self) -> bool:
        """`listen` has read something for the next `poll`."""
        return bool(self._heard)

    def next_wakeup(self, now: float) -> float:
        """Host time by which `poll` should be called, read or not; not before ``now``; infinity after `close`."""
        if self._finished:
            return float("inf")
        if self._serial is None:
            return max(now, self._open_due)
        return max(now, min(self.session.next_wakeup(), self._silent_at()))

    def listen(self) -> None:
        """Read what is there, for the next `poll`. Never blocks, never raises.

        A program that may be kept from running calls it before it looks at its clock: a frame that arrives
        between that look and the reading would seem to be there before it was sent, and the board's clock with
        it to be ahead for a minute.
        """
        if self._serial is None:
            return
        with contextlib.suppress(*_PORT_ERRORS):  # `poll` will meet it, too
            self._heard = (self._heard or b"") + self._read(self._serial)

    def poll(self, now: float) -> list[link_events.LinkEvent]:
        """Open the port when it is due, take what `listen` read or else is there, write what is due.

        Never blocks, never raises.
        """
        events: list[link_events.LinkEvent] = []
        if self._finished:
            return events
        if self._serial is None and now >= self._open_due:
            self._open(now, events)
        if self._serial is None:
            return events
        try:
            data = self._read(self._serial) if self._heard is None else self._heard
        except _PORT_ERRORS as error:
            self._drop(now, link_events.PortFailed(self.port, *link_events.port_trouble(error)), events)
            return events
        self._heard = None
        self._tape(now, "rx", data)
        if data:
            if self._tap is not None:
                self._tap(data)
            events += self._newest(self.session.receive(data, now))
            if self.session.last_heard == now:
                self._silence = self._reopen_after
        events += self.session.advance(now)
        if self.session.state is SessionState.CONNECTED:
            self._retry = FIRST_RETRY
        try:
            self._write(self._serial, now)
        except _PORT_ERRORS as error:
            self._drop(now, link_events.PortFailed(self.port, *link_events.port_trouble(error)), events)
            return events
        if now >= self._silent_at():
            self._drop(now, link_events.PortReopened(self.port), events)
            self._silence = max(self._silence, min(2 * self._silence, LONGEST_SILENCE))
        return events

    def close(self) -> None:
        """Close the port for good; `poll` does nothing any more."""
        self._finished = True
        self.session.closed(0.0, link_events.PortClosed())
        self._close_port()

    def _open(self, now: float, events: list[link_events.LinkEvent]) -> None:
        try:
            # Exclusive, so that no second program reads half the bytes.
            self._serial = serial.Serial(self.port, BAUD_RATE, timeout=0, write_timeout=0, exclusive=True)
        except _PORT_ERRORS as error:
            self._retry_later(now)
            problem = link_events.PortNotOpened(self.port, *link_events.port_trouble(error))
            if problem != self._problem:
                events.append(link_events.Unreachable(now, problem))
            self._problem = problem
            return
        self._problem = None
        self._opened_at = now
        self._heard = b""  # opening takes its time: what comes meanwhile is newer than ``now``
        self._unsent = b""
        self._tape(now, "open", b"")
        self.session.opened(now)

    def _read(self, port: serial.Serial) -> bytes:
        """Read the bytes that are there, without waiting."""
        data: bytes = port.read(_READ)
        # The terminal layer gives 4095 bytes at once at most: fewer means that there is no more.
        while _READ - 1 <= len(data) < _READ_MOST and (more := port.read(_READ)):
            data += more
        return data

    def _write(self, port: serial.Serial, now: float) -> None:
        """Write as much as the port takes now. A port that takes nothing is not judged by that."""
        self._unsent += self.session.take_outgoing()
        if not self._unsent:
            return
        try:
            # pyserial's own write tries for ever, without waiting, while a port takes nothing.
            written = os.write(port.fileno(), self._unsent)
        except BlockingIOError:
            written = 0
        self._tape(now, "tx", self._unsent[:written])
        self._unsent = self._unsent[written:]
        if len(self._unsent) > _UNSENT_MOST:
            # The zero byte ends the frame that may have been cut.
            self._unsent = b"\0"

    def _newest(self, events: Sequence[link_events.LinkEvent]) -> list[link_events.LinkEvent]:
        """The events without the oldest snapshots beyond the backlog."""
        if self._backlog is None or len(events) <= self._backlog:
            return list(events)
        too_many = sum(isinstance(event, link_events.SnapshotArrived) for event in events) - self._backlog
        kept: list[link_events.LinkEvent] = []
        missed = False
        for event in events:
            if isinstance(event, link_events.SnapshotArrived):
                if too_many > 0:
                    too_many -= 1
                    self.session.counts.skipped += 1
                    missed = True
                    continue
                if missed:
                    event = replace(event, missed=True)
                    missed = False
            kept.append(event)
        return kept

    def _silent_at(self) -> float:
        """Host time at which an open port will have been silent for too long."""
        return max(self._opened_at, self.session.last_heard) + self._silence

    def _drop(self, now: float, reason: link_events.LossReason, events: list[link_events.LinkEvent]) -> None:
        """Close a port that does not work and try again later."""
        self._close_port()
        self._tape(now, "closed", b"")
        events += self.session.closed(now, reason)
        self._retry_later(now)

    def _retry_later(self, now: float) -> None:
        self._open_due = now + self._retry
        self._retry = min(2 * self._retry, LONGEST_RETRY)

    def _close_port(self) -> None:
        if self._serial is None:
            return
        with contextlib.suppress(*_PORT_ERRORS):
            # Else closing waits until a dead line has taken what was written.
            self._serial.reset_output_buffer()
        with contextlib.suppress(*_PORT_ERRORS):
            self._serial.close()
        self._serial = self._heard = None
