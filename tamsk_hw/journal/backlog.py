"""The queue for the disk: filled by the loop, which never waits, and emptied by the writer."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from tamsk_hw.journal.operations import Operation
from tamsk_hw.journal.trouble import Trouble, TroubleKind
from tamsk_hw.journal.watched import Watched

#: The ticket of what was not taken: it is never durable.
NEVER = 2**63 - 1

#: Most events that wait for the disk: some hours of play, some 20 MB.
MOST_WAITING = 20_000

#: Real seconds from one note of how far a game was watched to the next.
WATCH_SECONDS = 0.1

#: An event that has waited so long (seconds) makes a disk slow.
SLOW_SECONDS = 0.3


@dataclass(frozen=True, slots=True)
class _Waiting:
    """An operation that waits, its ticket, and since when it does (monotonic seconds)."""

    ticket: int
    since: float
    operation: Operation


class Backlog:
    """A queue between two threads. Its lock is held for moments only, never while the disk is at work.

    What has been written of the current game is kept too, so that it can be written once more, into a new
    database, when the one it is in turns out to be damaged or has been taken away.
    """

    def __init__(
        self, monotonic: Callable[[], float], *, most: int = MOST_WAITING, slow_seconds: float = SLOW_SECONDS
    ) -> None:
        self._monotonic = monotonic
        self._most = most
        self._slow_seconds = slow_seconds
        self._condition = threading.Condition()
        self._waiting: deque[_Waiting] = deque()
        self._written: list[_Waiting] = []
        self._tickets = 0
        self._newest_durable = 0
        self._unsaved = 0
        self._dropped = 0
        self._failure: tuple[TroubleKind, str] | None = None
        self._closing = False
        self._watched: Watched | None = None
        self._hurried = False

    @property
    def newest_durable(self) -> int:
        """The newest ticket of which all is on the disk, up to and including it."""
        return self._newest_durable

    @property
    def is_full(self) -> bool:
        """No more events are taken."""
        return self._unsaved >= self._most

    @property
    def closing(self) -> bool:
        """True once no more comes; what waits is still to be written."""
        return self._closing

    def put(self, operation: Operation) -> int:
        """Hand in an operation; give its ticket."""
        with self._condition:
            self._tickets += 1
            self._waiting.append(_Waiting(self._tickets, self._monotonic(), operation))
            self._unsaved += operation.is_event
            self._condition.notify_all()
            return self._tickets

    def drop(self) -> int:
        """An event is not taken, and counted as lost; give its ticket."""
        with self._condition:
            self._dropped += 1
        return NEVER

    def new_game(self) -> None:
        """Reset the count of dropped events, as a game begins."""
        with self._condition:
            self._dropped = 0

    def watch(self, watched: Watched) -> None:
        """Take how far the game is watched, to be noted within `WATCH_SECONDS`."""
        with self._condition:
            if self._watched is None:
                self._condition.notify_all()
            self._watched = watched

    @property
    def all_saved(self) -> bool:
        """No event waits for the disk, and none was dropped."""
        return not self._unsaved and not self._dropped

    @property
    def watched(self) -> Watched | None:
        """The time up to which the game is watched, None when that is noted already."""
        return self._watched

    def noted(self, watched: Watched) -> None:
        """It is noted."""
        with self._condition:
            if self._watched is watched:
                self._watched = None
            self._condition.notify_all()

    def take(self, most: int = 1000) -> list[Operation]:
        """The oldest operations, ``most`` at most; they go on waiting until they are `done`."""
        with self._condition:
            return [item.operation for item, _ in zip(self._waiting, range(most), strict=False)]

    def done(self, count: int) -> None:
        """The oldest ``count`` operations are on the disk."""
        with self._condition:
            self._failure = None
            for _ in range(count):
                item = self._waiting.popleft()
                if item.operation.is_beginning:
                    self._written.clear()
                if item.operation.is_of_game:
                    self._written.append(item)
                if item.ticket > self._newest_durable:
                    self._newest_durable = item.ticket
                    self._unsaved -= item.operation.is_event
            self._condition.notify_all()

    def again(self) -> None:
        """All of the current game is to be written once more; what was durable remains so."""
        with self._condition:
            self._waiting.extendleft(reversed(self._written))
            self._written.clear()

    def failed(self, kind: TroubleKind, detail: str) -> None:
        """The disk does not take what waits."""
        with self._condition:
            self._failure = kind, detail
            self._condition.notify_all()

    def close(self) -> None:
        """No more comes."""
        with self._condition:
            self._closing = True
            self._condition.notify_all()

    def trouble(self) -> Trouble | None:
        """The reason for which the newest events are not saved, None when all is well."""
        if self._failure is None and not self._dropped and not self._waiting:
            return None  # the usual case, without the lock
        with self._condition:
            unsaved = self._unsaved + self._dropped
            if self._dropped:
                return Trouble(TroubleKind.BROKEN_OFF, unsaved)
            if self._failure is not None:
                return Trouble(self._failure[0], unsaved, self._failure[1])
            oldest = next((item.since for item in self._waiting if item.ticket > self._newest_durable), None)
            if unsaved and oldest is not None and self._monotonic() - oldest >= self._slow_seconds:
                return Trouble(TroubleKind.SLOW, unsaved)
            return None

    def wait_for_work(self) -> bool:
        """Wait for something to write, or that no more comes; give False for a note that is to be taken."""
        with self._condition:
            self._condition.wait_for(lambda: bool(self._waiting or self._closing or self._watched))
            return self._condition.wait_for(
                lambda: bool(self._waiting or self._closing or (self._hurried and self._watched)), WATCH_SECONDS
            )

    def pause(self, seconds: float) -> None:
        """Wait before the next attempt, not longer than until `close`."""
        with self._condition:
            self._condition.wait_for(lambda: self._closing, seconds)

    def wait_until_written(self, seconds: float | None) -> bool:
        """Wait until nothing waits for the disk, at most so long (real seconds); give whether that came."""
        with self._condition:
            self._hurried = True
            self._condition.notify_all()
            try:
                return self._condition.wait_for(lambda: not self._waiting and self._watched is None, seconds)
            finally:
                self._hurried = False

    @property
    def unsaved(self) -> int:
        """Number of events that are not on the disk, those that will never be there included."""
        with self._condition:
            return self._unsaved + self._dropped
