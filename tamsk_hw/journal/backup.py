"""The whole journal as one file, and back again."""

from __future__ import annotations

import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from urllib.parse import quote

from tamsk_hw.errors import JournalError
from tamsk_hw.journal.folder import BUSY_SECONDS, DATABASE, Folder
from tamsk_hw.journal.schema import APPLICATION_ID, MIGRATIONS, migrate, tables, tables_of_version, version_of
from tamsk_hw.journal.trouble import TroubleKind, refusal, trouble_of
from tamsk_hw.system.files import make_private, sync

_GAMES = "SELECT count(*) FROM game WHERE EXISTS (SELECT 1 FROM ruling WHERE game = number AND name = 'turn')"


def back_up(folder: Path, file: Path) -> int:
    """Copy the journal in a folder into one file, which is verified; give how many games it has.

    A program may write the journal meanwhile: the copy is the journal of one moment. A file that is there is
    replaced, once the copy is whole.

    Raises:
        JournalError: there is no journal, it is damaged, or the file cannot be written; the file is as it was.
    """
    database = folder / DATABASE
    if not database.exists():
        raise JournalError(f"{database}: there is no journal yet")
    if file.exists() and not file.is_file():
        raise JournalError(f"{file}: is no file", "name another")
    if file.exists() and file.resolve().parent == folder.resolve():
        raise JournalError(f"{file}: lies in the journal's own folder", "name a file elsewhere")
    new = file.with_name(f".{file.name}.new")
    try:
        return _copied(database, new, file)
    except (sqlite3.Error, OSError) as error:
        is_locked = trouble_of(error)[0] is TroubleKind.HELD
        raise refusal(database if is_locked else file, error) from None
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def restore(folder: Path, file: Path) -> tuple[int, Path | None]:
    """Put a backup in the place of the journal in a folder.

    The journal that was there is backed up in the folder first. The change is one transaction: a program that is
    killed leaves the old journal or the new one.

    Returns:
        How many games the journal has now, and the file with those that it had before; None where it had none.

    Raises:
        HeldError: a running program holds the journal.
        JournalError: the file is no backup of a journal, or damaged, or the journal cannot be written; nothing
            was changed.
    """
    place = Folder(folder)
    connection: sqlite3.Connection | None = None
    try:
        with closing(_checked(file)) as source:
            connection = place.prepare()
            aside = _set_aside(place, connection)
            source.backup(connection, pages=1000, progress=_refuse_lock)
            migrate(connection)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return _count(connection), aside
    except (sqlite3.Error, OSError) as error:
        raise refusal(place.database, error) from None
    finally:
        if connection is not None:
            connection.close()
        place.release()


def _set_aside(place: Folder, connection: sqlite3.Connection) -> Path | None:
    """Copy the journal that is there beside it."""
    if connection.execute("SELECT 1 FROM game").fetchone() is None:
        return None
    aside = place.free_name("replaced")
    new = aside.with_name(f"{aside.name}.new")
    _copied(place.database, new, aside)
    return aside


def _copied(database: Path, new: Path, file: Path) -> int:
    """Copy a database to ``new``, verify it, and give it its name; give its number of games."""
    new.unlink(missing_ok=True)
    make_private(new)
    with closing(_reading(database)) as source:
        source.set_progress_handler(lambda: 0, 1000)  # now and then Python runs, so that Ctrl-C is heard
        # Without locks, which a share may not have: the new file is this program's alone.
        source.execute("VACUUM INTO ?", (f"{_address(new)}?nolock=1",))
    with closing(_checked(new)) as copy:
        count = _count(copy)
    sync(new)
    new.rename(file)
    sync(file.parent)
    return count


def _refuse_lock(status: int, remaining: int, total: int) -> None:
    """End a copy at a lock that `BUSY_SECONDS` were not enough for, where Python would try for ever."""
    if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise sqlite3.OperationalError("database is locked")


def _address(path: Path) -> str:
    return f"file:{quote(str(path.absolute()))}"


def _reading(path: Path, more: str = "") -> sqlite3.Connection:
    address = f"{_address(path)}?mode=ro{more}"
    return sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def _checked(file: Path) -> sqlite3.Connection:
    """A backup that is whole and of a version that is known.

    Raises:
        JournalError: it is none.
    """
    if not file.is_file():
        raise JournalError(f"{file}: there is no such file; allowed: what tamsk-hw games backup wrote")
    connection = _reading(file, "&immutable=1")
    try:
        _check(connection, file)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, file: Path) -> None:
    none = JournalError(f"{file}: is no backup of a journal; allowed: what tamsk-hw games backup wrote")
    try:
        version = version_of(connection)
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            raise none
        if version > len(MIGRATIONS):
            raise JournalError(f"{file}: was written by a newer tamsk-hw", "update this one")
        if version < 1 or not set(tables_of_version(version)) <= set(tables(connection)):
            raise none
        if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise JournalError(f"{file}: is damaged; nothing was changed")
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise none from None
        raise refusal(file, error) from None


def _count(connection: sqlite3.Connection) -> int:
    return int(connection.execute(_GAMES).fetchone()[0])
