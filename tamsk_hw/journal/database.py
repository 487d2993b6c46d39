"""The journal's folder: its database, the lock of the program that writes it, and a damaged one set aside.

A database is marked as a journal by its ``application_id``; ``user_version`` is the version of its tables.
"""

import fcntl
import os
import sqlite3
import time
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import KW_ONLY, dataclass, field
from datetime import datetime
from pathlib import Path

from tamsk_hw.errors import JournalError, printable
from tamsk_hw.journal import trouble
from tamsk_hw.journal.records import forget_unstarted
from tamsk_hw.system.files import give_to_owner, make_folder, make_private, sync

#: "TAMS": marks a SQLite database as a journal.
APPLICATION_ID = 0x54414D53

#: The version of the tables.
VERSION = 2

_SCHEMA = Path(__file__).with_name("schema.sql")


def version_of(connection: sqlite3.Connection) -> int:
    """The version of a database's tables, 0 for an empty one."""
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def is_journal(connection: sqlite3.Connection) -> bool:
    """The database is marked as a journal."""
    return bool(connection.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID)


def make_tables(connection: sqlite3.Connection) -> None:
    """Make an empty database a journal; whole or not at all."""
    connection.executescript(
        f"BEGIN IMMEDIATE; {_SCHEMA.read_text(encoding='utf-8')}"
        f"PRAGMA user_version = {VERSION}; PRAGMA application_id = {APPLICATION_ID}; COMMIT"
    )


def empty() -> sqlite3.Connection:
    """A journal in memory, without a game."""
    connection = sqlite3.connect(":memory:", isolation_level=None)
    make_tables(connection)
    return connection


def has_tables(connection: sqlite3.Connection) -> bool:
    """The database has every table and index of a journal; it may have more."""
    with closing(empty()) as bare:
        return _tables(bare) <= _tables(connection)


def _tables(connection: sqlite3.Connection) -> set[tuple[str, str, str]]:
    """Kind, name and definition of each table and index of a database."""
    found = connection.execute("SELECT type, name, sql FROM sqlite_schema")
    return {(kind, name, " ".join((sql or "").split())) for kind, name, sql in found}


#: The database, and the file that its writer holds.
DATABASE, LOCK = "journal.db", "journal.lock"

#: Seconds that SQLite waits for another program, such as ``tamsk-hw games delete``, to be done.
BUSY_SECONDS = 2.0

# A program that lists the games looks at the lock for some microseconds.
_LOOKS, _LOOK_SECONDS = 3, 0.01

#: Up to this size (bytes) a database is looked through when it is opened, some 150 games; a larger one later.
THOROUGH_SIZE = 8 * 1024 * 1024

#: Third line of the lock's file for a journal of simulated games.
_SIMULATED = "simulated"

#: Files of SQLite beside a database: changes not yet in it, and an index to them.
BESIDE = ("-wal", "-shm", "-journal")

Connect = Callable[[Path], sqlite3.Connection]


def connect_database(path: Path) -> sqlite3.Connection:
    """Open a database to be written, in the writer's thread or another."""
    return sqlite3.connect(path, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False)


def set_up(connection: sqlite3.Connection) -> None:
    """Ask SQLite for what the journal promises: a commit that has returned survives a power cut."""
    connection.execute("PRAGMA journal_mode = WAL")
    connection.execute("PRAGMA synchronous = FULL")
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA cell_size_check = ON")
    connection.execute("PRAGMA trusted_schema = OFF")


def text_of(raw: bytes) -> str:
    """Decode a text of the database; damaged text is replaced, not refused."""
    return raw.decode("utf-8", "backslashreplace")


class _DamagedError(Exception):
    """The database cannot be used."""

    def __init__(self, damage: trouble.DatabaseDamage) -> None:
        super().__init__(damage)
        self.damage = damage


@dataclass(eq=False)
class Folder:
    """The folder with the journal's database, for the one program that writes it.

    ``notice`` is given what people should know of the database. ``now`` is the time of day, for the names of what
    is set aside. ``asked_at``: the socket at which the program takes changes from others while it holds the
    journal, which is that of simulated games if ``simulated``.
    """

    path: Path
    _: KW_ONLY
    connect: Connect = connect_database
    now: Callable[[], datetime] = datetime.now
    notice: Callable[[trouble.JournalNotice], None] = lambda notice: None
    asked_at: Path | None = None
    simulated: bool = False
    _lock: int | None = field(default=None, init=False)
    _identity: tuple[int, int] | None = field(default=None, init=False)
    _sound: tuple[int, int] | None = field(default=None, init=False)

    @property
    def database(self) -> Path:
        """The database's file."""
        return self.path / DATABASE

    def prepare(self, damage: str | None = None, *, sets_aside: bool = True) -> sqlite3.Connection:
        """The database, ready to be written; a new one where there is none or it cannot be used.

        Args:
            damage: what SQLite said of the database while it was in use; it is set aside.
            sets_aside: a database that cannot be used is set aside.

        Raises:
            JournalError: it cannot be used, and is not to be set aside.
            HeldError: another program writes it.
            OSError: the folder cannot be written, or its disk fails.
            sqlite3.Error: the same, as SQLite has it.
        """
        try:
            make_folder(self.path)
        except OSError as error:
            if error.filename is None or trouble.trouble_of(error)[0] is trouble.TroubleKind.FULL:
                raise
            words = f"{error.filename}: {error.strerror or error}"
            raise trouble.NoFolderError(words, "correct journal.folder") from None
        self._take_lock()
        try:
            if damage is not None:
                raise _DamagedError(_damaged(damage))
            connection = self._usable()
        except _DamagedError as damaged:
            if not sets_aside:
                words = f"{self.database} is damaged, or no journal of this version"
                raise JournalError(words, "tamsk-hw run sets it aside and begins another") from None
            # The database goes last: a program that is killed here begins again with what is left.
            self.notice(trouble.JournalSetAside(damaged.damage, self._renamed("set-aside", (*BESIDE, ""))))
            connection = None
        if connection is None:
            self._create()
            connection = self._usable()
        if connection is None:
            raise OSError(f"{self.database}: it is gone as soon as it is made")
        return connection

    @contextmanager
    def changed_once(self, *, sets_aside: bool = True) -> Iterator[sqlite3.Connection]:
        """The database for a command that changes it, and lets it go at the end.

        Raises:
            HeldError: a running program writes it.
            JournalError: it cannot be written; also for errors of the database within the context.
        """
        with ExitStack() as stack:
            stack.callback(self.release)
            try:
                yield stack.enter_context(closing(self.prepare(sets_aside=sets_aside)))
            except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
                raise trouble.refusal(self.database, error) from None

    def look_through(self, connection: sqlite3.Connection) -> None:
        """Look at every page of the opened database, unless that was done already.

        Raises:
            sqlite3.Error: it is damaged, or its disk fails.
        """
        if self._sound == self._identity:
            return
        found = connection.execute("PRAGMA integrity_check(1)").fetchone()[0]
        if found != "ok":
            error = sqlite3.DatabaseError(str(found))
            error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_CORRUPT, "SQLITE_CORRUPT"
            raise error
        self._sound = self._identity

    def is_in_place(self) -> bool:
        """The database that was opened is still the one in the folder."""
        with suppress(OSError):
            status = self.database.stat()
            return (status.st_dev, status.st_ino) == self._identity
        return False

    def release(self) -> None:
        """Let another program write the journal."""
        lock, self._lock = self._lock, None
        if lock is not None:
            os.close(lock)

    def _take_lock(self) -> None:
        """The kernel lets go of the lock when the program ends, however it does."""
        if self._lock is not None:
            return
        path = self.path / LOCK
        lock = os.open(path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
        try:
            give_to_owner(lock, self.path)
            _lock(lock)
        except BlockingIOError:
            found = _holder(lock)
            os.close(lock)
            raise trouble.HeldError(self.path, found) from None
        except OSError:
            os.close(lock)
            raise
        self._lock = lock
        with suppress(OSError):  # another user's
            os.fchmod(lock, 0o644)  # whatever the umask: others must see whether somebody holds it
        with suppress(OSError):  # on a full disk the holder has no name
            os.ftruncate(lock, 0)
            lines = [f"process {os.getpid()} (since {self.now():%Y-%m-%d %H:%M})"]
            if self.asked_at is not None:
                lines.append(str(self.asked_at.absolute()))
                lines += [_SIMULATED] if self.simulated else []
            os.pwrite(lock, os.fsencode("".join(f"{line}\n" for line in lines)), 0)

    def _usable(self) -> sqlite3.Connection | None:
        """The database, None where there is none."""
        try:
            status = self.database.lstat()
        except FileNotFoundError:
            # A new database would take the remains of one that is gone for its own changes.
            if remains := [end for end in BESIDE if os.path.lexists(f"{self.database}{end}")]:
                self.notice(trouble.JournalRemains(self._renamed("remains", remains)))
            return None
        if not self.database.is_file():
            raise _DamagedError(trouble.DatabaseDamage(trouble.DamageKind.NO_FILE))
        if status.st_size == 0:
            raise _DamagedError(trouble.DatabaseDamage(trouble.DamageKind.EMPTY))
        self._identity = (status.st_dev, status.st_ino)
        connection = self.connect(self.database)
        connection.text_factory = text_of
        try:
            self._check(connection, status.st_size)
            set_up(connection)
            connection.execute("BEGIN IMMEDIATE")
            forget_unstarted(connection)
            connection.execute("COMMIT")  # the disk can be written
        except Exception as error:
            with suppress(sqlite3.Error):
                connection.close()
            if trouble.is_damage(error):
                raise _DamagedError(_damaged(error)) from None
            raise
        return connection

    def _check(self, connection: sqlite3.Connection, size: int) -> None:
        """See that it is a journal, whole, and of a version that is known."""
        try:
            self._look_at_head(connection)
            if size <= THOROUGH_SIZE:
                self.look_through(connection)
        except (sqlite3.Error, UnicodeDecodeError) as error:
            if isinstance(error, sqlite3.Error) and trouble.is_of_the_disk(error):
                raise
            raise _DamagedError(_damaged(error)) from None

    def _look_at_head(self, connection: sqlite3.Connection) -> None:
        with self.database.open("rb") as file:
            head = file.read(100)
        if not head.startswith(b"SQLite format 3\0"):
            raise _DamagedError(trouble.DatabaseDamage(trouble.DamageKind.NO_DATABASE))
        if len(head) < 100:
            raise _DamagedError(trouble.DatabaseDamage(trouble.DamageKind.CUT_SHORT))
        if head[18] not in (1, 2) or head[19] not in (1, 2):  # SQLite would take it for read-only
            raise _DamagedError(_damaged("its header"))
        # What is asked first sees the changes that a program which was killed left beside the database.
        version = version_of(connection)
        if not is_journal(connection):
            raise _DamagedError(trouble.DatabaseDamage(trouble.DamageKind.OTHER_PROGRAM))
        if version > VERSION:
            raise _DamagedError(trouble.DatabaseDamage(trouble.DamageKind.NEWER, version=version, newest=VERSION))
        if version < VERSION:
            raise _DamagedError(_damaged("its version"))
        if not has_tables(connection):
            raise _DamagedError(_damaged("its tables"))

    def _create(self) -> None:
        """Make an empty database; it gets its name when it is whole, so that no half-made one is ever met."""
        new = self.path / f"{DATABASE}.new"
        for name in (new.name, *(new.name + end for end in BESIDE)):
            (self.path / name).unlink(missing_ok=True)
        make_private(new)
        new.chmod(self._mode())
        with closing(self.connect(new)) as connection:
            connection.execute("PRAGMA synchronous = EXTRA")
            make_tables(connection)
            connection.execute("PRAGMA journal_mode = WAL")
        sync(new)
        new.rename(self.database)
        sync(self.path)

    def _mode(self) -> int:
        """Permissions of the database: its group may read it where it may read the folder and others may not.

        SQLite gives what it keeps beside a database the same.
        """
        folder = self.path.stat().st_mode
        return 0o640 if folder & 0o077 & ~0o020 == 0o050 else 0o600

    def free_name(self, word: str) -> Path:
        """A name for a database beside this one, with the date, that is not taken yet."""
        stem = f"journal-{word}-{self.now():%Y-%m-%d-%H%M%S}"
        number = 1
        while True:
            path = self.path / (f"{stem}.db" if number == 1 else f"{stem}-{number}.db")
            if not any(os.path.lexists(f"{path}{end}") for end in ("", *BESIDE)):
                return path
            number += 1

    def _renamed(self, word: str, ends: Sequence[str]) -> str:
        """Rename the database's files with these ends, in this order; return the new name of the database."""
        aside = self.free_name(word)
        for end in ends:
            with suppress(FileNotFoundError):
                os.rename(f"{self.database}{end}", f"{aside}{end}")
        sync(self.path)
        return aside.name


def _damaged(detail: object) -> trouble.DatabaseDamage:
    """Damage, with what is damaged or what SQLite says of it."""
    return trouble.DatabaseDamage(trouble.DamageKind.DAMAGED, " ".join(str(detail).split()))


def _lock(lock: int) -> None:
    """Take the lock. Raises `BlockingIOError` when a program has it for longer than `holder_of` looks at it."""
    for _ in range(_LOOKS):
        with suppress(BlockingIOError):
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        time.sleep(_LOOK_SECONDS)
    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _holder(lock: int) -> trouble.JournalHolder:
    """The program that has the lock."""
    first, place, kind, *_ = [*os.pread(lock, 1000, 0).split(b"\n"), b"", b"", b""]
    asked_at = os.fsdecode(place.strip())
    name = printable(first.decode("utf-8", "replace").strip()) or "another program"
    return trouble.JournalHolder(
        name, Path(asked_at) if asked_at.startswith("/") else None, kind == _SIMULATED.encode()
    )


def files_with(path: Path, text: str) -> list[Path]:
    """Files beside the database that hold this text, its accents written in whichever way.

    Above all these are databases that were set aside.
    """
    wanted, found = [unicodedata.normalize(form, text).encode() for form in ("NFC", "NFD")], []
    own = {DATABASE, *(DATABASE + end for end in BESIDE)}
    for file in sorted(path.iterdir()):
        with suppress(OSError):
            if file.name not in own and file.is_file() and any(_holds(file, each) for each in wanted):
                found.append(file)
    return found


def _holds(file: Path, wanted: bytes) -> bool:
    tail = b""
    with file.open("rb") as opened:
        while piece := opened.read(1 << 20):
            if wanted in tail + piece:
                return True
            tail = piece[-len(wanted) :]
    return False


def holder_of(path: Path) -> trouble.JournalHolder | None:
    """The program that writes the journal in this folder, None without one; a nameless one if nobody can tell."""
    try:
        lock = os.open(path / LOCK, os.O_RDONLY | os.O_CLOEXEC)
    except FileNotFoundError:
        return None
    except OSError:
        return trouble.JournalHolder("another program")
    try:
        fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except OSError:
        return _holder(lock)
    finally:
        os.close(lock)
    return None
