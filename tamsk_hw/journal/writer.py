"""The one thread that writes: all that waits in one transaction, again and again until the disk has it."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Callable
from contextlib import suppress

from tamsk_hw.journal.backlog import Backlog
from tamsk_hw.journal.changes import Changing, do_chores, has_chores
from tamsk_hw.journal.folder import Folder
from tamsk_hw.journal.operations import Operation
from tamsk_hw.journal.trouble import TroubleKind, is_damage, trouble_of
from tamsk_hw.journal.watched import WatchedNote

#: Seconds from an attempt that failed to the next.
RETRY_SECONDS = 1.0


class Writer:
    """Empties the backlog into the folder's database.

    ``wake`` is called, in the writer's thread, when something has become durable, or failed: the loop may want to
    look. `attempt` does what the thread does once.
    """

    def __init__(
        self,
        folder: Folder,
        backlog: Backlog,
        *,
        wake: Callable[[], None] = lambda: None,
        retry_seconds: float = RETRY_SECONDS,
    ) -> None:
        self._folder = folder
        self._backlog = backlog
        self._wake = wake
        self._retry_seconds = retry_seconds
        self._connection: sqlite3.Connection | None = None
        self._was_open = False
        self._damage: str | None = None
        self._has_chores = False
        self._note = WatchedNote(folder.path)
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
            self._backlog.again()  # it may be a new one
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
        self._backlog.done(len(written))
        self._note_watched()
        self._do_chores(self._connection, written)
        for operation in written:
            operation.settle()
        self._wake()
        return True

    def join(self, seconds: float) -> None:
        """Wait for the thread to end, once the backlog is closed; at most so long (real seconds)."""
        if self._thread.ident is not None:
            self._thread.join(seconds)
            return
        while self._backlog.take(1) and self.attempt():
            pass
        self._end()

    def _write(self, connection: sqlite3.Connection) -> list[Operation]:
        operations = self._backlog.take()
        if not operations:
            return []
        connection.execute("BEGIN IMMEDIATE")
        for operation in operations:
            operation.write(connection)
        connection.execute("COMMIT")
        return operations

    def _do_chores(self, connection: sqlite3.Connection, written: list[Operation]) -> None:
        """Remove former contents from the files where that is asked for, or was left undone by a kill.

        It is no trouble of the games where it fails; the next opening tries again.
        """
        changes = [each for each in written if isinstance(each, Changing)]
        if not self._has_chores and not changes:
            return
        try:
            if has_chores(connection):
                do_chores(connection)
        except sqlite3.Error as error:
            for each in changes:
                each.fail_chores(error)
        self._has_chores = False

    def _note_watched(self) -> None:
        watched = self._backlog.watched
        if watched is not None:
            self._note.write(watched)
            self._backlog.noted(watched)

    def _fail(self, error: Exception) -> None:
        kind, detail = trouble_of(error)
        self._backlog.failed(kind, detail)
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
        backlog = self._backlog
        if not self.attempt():  # a large database is looked through here, not when it is opened
            backlog.pause(self._retry_seconds)
        while True:
            if self._connection is not None and not backlog.wait_for_work():
                self._note_watched()
                continue
            if backlog.closing and not backlog.take(1):
                break
            if not self.attempt():
                if backlog.closing:
                    break
                backlog.pause(self._retry_seconds)
        self._end()

    def _end(self) -> None:
        self._let_go()
        self._note.close()
        self._folder.release()
