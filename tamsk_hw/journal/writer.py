"""The journal's writer: a queue that the loop fills without waiting, and the one thread that empties it.

The thread writes all that waits in one transaction, again and again until the disk has it. Beside the database it
keeps a note of the time up to which the running game was watched, from which follows how much time passed unseen
(R9.5). Nobody waits until the disk has the note: a power cut may leave an older one, which is still true, or none.
"""

import os
import sqlite3
import threading
import zlib
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from tamsk_hw.journal.changes import do_chores
from tamsk_hw.journal.database import Folder
from tamsk_hw.journal.records import Operation
from tamsk_hw.journal.trouble import Trouble, TroubleKind, is_damage, trouble_of
from tamsk_hw.system.files import give_to_owner

#: The note's name in the journal's folder.
NOTE = "journal.watched"

_LENGTH = 160


@dataclass(frozen=True, slots=True)
class Watched:
    """The game ``key`` was watched up to ``t`` (seconds of its stream), and was then ``entries`` long.

    All these entries were on the disk, and none that is older than ``t`` could follow.
    """

    key: str
    entries: int
    t: float


def write_watched(folder: Path, watched: Watched) -> None:
    """Replace the note in ``folder``. One that cannot be written is left: it only says less."""
    line = f"{watched.key} {watched.entries} {watched.t!r}"
    line = f"{line} {zlib.crc32(line.encode()):08x}".ljust(_LENGTH - 1) + "\n"
    with suppress(OSError):
        note = os.open(folder / NOTE, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        try:
            give_to_owner(note, folder)
            os.pwrite(note, line.encode(), 0)
        finally:
            os.close(note)


def read_watched(folder: Path) -> Watched | None:
    """The note in ``folder``; None where there is none, or none that can be read."""
    try:
        words, checksum = (folder / NOTE).read_text(encoding="ascii").strip().rsplit(" ", 1)
        if int(checksum, 16) != zlib.crc32(words.encode()):
            return None
        key, entries, t = words.split(" ")
        return Watched(key, int(entries), float(t))
    except (OSError, ValueError):
        return None


#: The ticket of what was not taken: it is never durable.
NEVER = 2**63 - 1

#: Most events that wait for the disk: some hours of play, some 20 MB.
MOST_WAITING = 20_000

#: Real seconds from one note of how far a game was watched to the next.
WATCH_SECONDS = 0.1

#: A disk is slow when an event has waited this long for it (seconds).
SLOW_SECONDS = 0.3


class WriteQueue:
    """A queue between two threads. Its lock is held for moments only, never while the disk is at work.

    Operations of the current game are kept after they are written. They are written once more, into a new
    database, when the present one turns out to be damaged or is gone.
    """

    def __init__(self, monotonic: Callable[[], float]) -> None:
        self._monotonic = monotonic
        self._condition = threading.Condition()
        self._waiting: deque[Operation] = deque()
        self._written: list[Operation] = []
        self._tickets = 0
        self.newest_durable = 0
        """The newest ticket of which all is on the disk, up to and including it."""
        self._unsaved = 0
        self._dropped = 0
        self._failure: tuple[TroubleKind, str] | None = None
        self.closing = False
        """True once no more comes; what waits is still to be written."""
        self.watched: Watched | None = None
        """The time up to which the game is watched, None when that is noted already."""
        self._hurried = False

    @property
    def is_full(self) -> bool:
        """No more events are taken."""
        return self._unsaved >= MOST_WAITING

    def put(self, operation: Operation) -> int:
        """Hand in an operation; give its ticket."""
        with self._condition:
            self._tickets += 1
            operation.ticket, operation.since = self._tickets, self._monotonic()
            self._waiting.append(operation)
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
        """Take the time up to which the game is watched, to be noted within `WATCH_SECONDS`."""
        with self._condition:
            if self.watched is None:
                self._condition.notify_all()
            self.watched = watched

    def noted(self, watched: Watched) -> None:
        """``watched`` is in the note."""
        with self._condition:
            if self.watched is watched:
                self.watched = None
            self._condition.notify_all()

    def take(self, most: int = 1000) -> list[Operation]:
        """The oldest operations, ``most`` at most; they go on waiting until they are `done`."""
        with self._condition:
            return list(islice(self._waiting, most))

    def done(self, count: int) -> None:
        """The oldest ``count`` operations are on the disk."""
        with self._condition:
            self._failure = None
            for _ in range(count):
                operation = self._waiting.popleft()
                if operation.is_beginning:
                    self._written.clear()
                if operation.is_of_game:
                    self._written.append(operation)
                if operation.ticket > self.newest_durable:
                    self.newest_durable = operation.ticket
                    self._unsaved -= operation.is_event
            self._condition.notify_all()

    def again(self) -> None:
        """Have all of the current game written once more; durable tickets stay durable."""
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
            self.closing = True
            self._condition.notify_all()

    @property
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
            oldest = next((each.since for each in self._waiting if each.ticket > self.newest_durable), None)
            if unsaved and oldest is not None and self._monotonic() - oldest >= SLOW_SECONDS:
                return Trouble(TroubleKind.SLOW, unsaved)
            return None

    def wait_for_work(self) -> bool:
        """Wait for an operation or for `close`; False when only the note has to be written."""
        with self._condition:
            self._condition.wait_for(lambda: bool(self._waiting or self.closing or self.watched))
            return self._condition.wait_for(
                lambda: bool(self._waiting or self.closing or (self._hurried and self.watched)), WATCH_SECONDS
            )

    def pause(self, seconds: float) -> None:
        """Wait before the next attempt, not longer than until `close`."""
        with self._condition:
            self._condition.wait_for(lambda: self.closing, seconds)

    def wait_until_written(self, seconds: float | None) -> bool:
        """Wait until nothing waits for the disk, at most ``seconds`` of real time; return True if that came."""
        with self._condition:
            self._hurried = True
            self._condition.notify_all()
            try:
                return self._condition.wait_for(lambda: not self._waiting and self.watched is None, seconds)
            finally:
                self._hurried = False

    @property
    def unsaved(self) -> int:
        """Number of events that are not on the disk, those that will never be there included."""
        with self._condition:
            return self._unsaved + self._dropped


#: Seconds from an attempt that failed to the next.
RETRY_SECONDS = 1.0


class Writer:
    """Empties the queue into the folder's database.

    ``wake`` is called, in the writer's thread, when something has become durable, or failed: the loop may want to
    look. `attempt` does what the thread does once.
    """

    def __init__(self, folder: Folder, queue: WriteQueue, *, wake: Callable[[], None]) -> None:
        self._folder = folder
        self._queue = queue
        self._wake = wake
        self._connection: sqlite3.Connection | None = None
        self._was_open = False
        self._damage: str | None = None
        self._has_chores = False
        self._thread = threading.Thread(target=self._run, name="journal", daemon=True)

    def start(self) -> None:
        """Begin to write whatever comes."""
        self._thread.start()

    def open(self) -> None:
        """Open the database, here and now.

        Raises:
            HeldError: another program writes it.
            OSError, sqlite3.Error: it cannot be written.
        """
        self._connection = self._folder.prepare(self._damage)
        self._damage = None
        self._has_chores = True
        if self._was_open:
            self._queue.again()  # it may be a new one
        self._was_open = True

    def attempt(self) -> bool:
        """Write what waits, at most a transaction; give whether the disk took it."""
        try:
            if self._connection is not None and not self._folder.is_in_place():
                self._let_go()
            if self._connection is None:
                self.open()
            assert self._connection is not None
            self._folder.look_through(self._connection)
            written = self._write(self._connection)
        except Exception as error:
            # Whatever it was, the game goes on, the players hear of it, and it is tried again.
            self._fail(error)
            self._wake()
            return False
        self._queue.done(len(written))
        self._note_watched()
        left_undone = self._do_chores(self._connection, written)
        for operation in written:
            operation.on_saved(left_undone)
        self._wake()
        return True

    def join(self, seconds: float) -> None:
        """Wait for the thread to end, once the queue is closed; at most ``seconds`` of real time."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
            return
        while self._queue.take(1) and self.attempt():
            pass
        self._end()

    def _write(self, connection: sqlite3.Connection) -> list[Operation]:
        operations = self._queue.take()
        if not operations:
            return []
        connection.execute("BEGIN IMMEDIATE")
        for operation in operations:
            operation.write(connection)
        connection.execute("COMMIT")
        return operations

    def _do_chores(self, connection: sqlite3.Connection, written: list[Operation]) -> sqlite3.Error | None:
        """Remove former contents from the files where that is asked for, or was left undone by a kill.

        It is no trouble of the games where it fails; the next opening tries again.
        """
        if self._has_chores or not all(each.is_of_game for each in written):
            self._has_chores = False
            try:
                do_chores(connection)
            except sqlite3.Error as error:
                return error
        return None

    def _note_watched(self) -> None:
        watched = self._queue.watched
        if watched is not None:
            write_watched(self._folder.path, watched)
            self._queue.noted(watched)

    def _fail(self, error: Exception) -> None:
        kind, detail = trouble_of(error)
        self._queue.failed(kind, detail)
        if kind is not TroubleKind.FULL and kind is not TroubleKind.HELD:
            if self._connection is not None and is_damage(error):
                self._damage = str(error)
            self._let_go()
            return
        connection = self._connection
        if connection is not None and connection.in_transaction:
            try:
                connection.execute("ROLLBACK")
            except sqlite3.Error:
                self._let_go()

    def _let_go(self) -> None:
        """Close the database; what was not committed is not there."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(sqlite3.Error):
                connection.close()

    def _run(self) -> None:
        queue = self._queue
        if not self.attempt():  # a large database is looked through here, not when it is opened
            queue.pause(RETRY_SECONDS)
        while True:
            if self._connection is not None and not queue.wait_for_work():
                self._note_watched()
                continue
            if queue.closing and not queue.take(1):
                break
            if not self.attempt():
                if queue.closing:
                    break
                queue.pause(RETRY_SECONDS)
        self._end()

    def _end(self) -> None:
        self._let_go()
        self._folder.release()
