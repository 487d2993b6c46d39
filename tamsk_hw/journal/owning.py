"""A change to a journal that no running program holds, made here and now."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tamsk_hw.errors import JournalError
from tamsk_hw.journal.changes import Change, Changed, ImportGame, apply, do_chores, has_chores, traces_words
from tamsk_hw.journal.folder import Folder
from tamsk_hw.journal.trouble import refusal


def change_here(path: Path, change: Change, wall: float) -> Changed:
    """Make a change to the journal in the folder ``path``, whole or not at all.

    ``wall`` is the time of day (seconds since 1970). Only an import makes a journal where there is none.

    Raises:
        HeldError: a running program holds the journal: it is to be asked.
        JournalError: the change is refused, or the journal cannot be written; nothing was changed.
    """
    folder = Folder(path)
    if not isinstance(change, ImportGame) and not folder.database.exists():
        raise JournalError(f"{folder.database}: no game to change; see tamsk-hw games list")
    connection: sqlite3.Connection | None = None
    try:
        connection = folder.prepare(sets_aside=False)
        connection.execute("BEGIN IMMEDIATE")
        outcome = apply(connection, change, wall)
        connection.execute("COMMIT")
        _clean(connection)
        return outcome
    except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
        raise refusal(folder.database, error) from None
    finally:
        if connection is not None:
            connection.close()
        folder.release()


def _clean(connection: sqlite3.Connection) -> None:
    try:
        if has_chores(connection):
            do_chores(connection)
    except sqlite3.Error as error:
        raise JournalError(traces_words(error)) from None
