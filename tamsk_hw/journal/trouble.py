"""Troubles that keep the journal from saving, and notices of its database and of its unfinished game."""

import errno
import sqlite3
from dataclasses import dataclass
from pathlib import Path
from typing import ClassVar

from tamsk_hw.errors import JournalError, printable
from tamsk_hw.system.output import BaseNotice, SentenceEnum, marked


class TroubleKind(SentenceEnum):
    """The kinds of trouble, each as the beginning of a sentence."""

    FULL = "full", marked("The disk is full")
    READ_ONLY = "read_only", marked("The journal cannot be written")
    SLOW = "slow", marked("The disk is slow")
    NO_FOLDER = "no_folder", marked("The journal's folder cannot be made")
    HELD = "held", marked("The journal is in use")
    FAILING = "failing", marked("The journal's disk fails")
    BROKEN_OFF = (
        "broken_off",
        marked("The record of this game has broken off because too much was waiting for the disk"),
    )


#: Events; while fewer than twice as many are unsaved, a trouble is not reported again.
_FEW = 8


@dataclass(frozen=True, slots=True)
class Trouble(BaseNotice):
    """The reason for which the newest events are not saved, and their number; ``detail`` is the system's text."""

    kind: TroubleKind
    unsaved: int
    detail: str = ""
    code: ClassVar[str] = "not_saved"


@dataclass(frozen=True, slots=True)
class SavedAgain(BaseNotice):
    """Everything is on the disk again."""

    is_warning: ClassVar[bool] = False
    sentence: ClassVar[str] = marked("Everything is saved again.")


class TroubleWatch:
    """Decides when people hear of the journal's troubles as they come, grow and go: not with every event."""

    def __init__(self) -> None:
        self._reported: dict[TroubleKind, int] = {}

    def feed(self, trouble: Trouble | None) -> Trouble | SavedAgain | None:
        """Take the present trouble (None for none); give what to report, None for nothing new.

        A trouble is reported when it comes, and again when twice as many events are unsaved. A slow disk keeps up
        most of the time: it is not reported again each time that it is behind.
        """
        if trouble is None:
            gone = self._reported.keys() - {TroubleKind.SLOW}
            for kind in gone:
                del self._reported[kind]
            return SavedAgain() if gone else None
        reported = self._reported.get(trouble.kind)
        if reported is not None and trouble.unsaved < 2 * max(reported, _FEW):
            return None
        self._reported[trouble.kind] = trouble.unsaved
        return trouble


@dataclass(frozen=True, slots=True)
class JournalHolder:
    """A program that writes a journal, named for people.

    ``asked_at`` is the socket at which it takes changes, None: nowhere. ``simulated``: it is the journal of
    simulated games.
    """

    name: str
    asked_at: Path | None = None
    simulated: bool = False


class HeldError(JournalError):
    """Another program writes this journal."""

    def __init__(self, folder: Path, holder: JournalHolder) -> None:
        super().__init__(f"the journal in {folder} is held by {holder.name}; end that, or use another folder")
        self.holder = holder


class NoFolderError(JournalError):
    """The journal's folder cannot be made."""


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM}

#: SQLite's primary result codes for troubles of the disk and of other programs.
_KINDS = {
    sqlite3.SQLITE_FULL: TroubleKind.FULL,
    sqlite3.SQLITE_READONLY: TroubleKind.READ_ONLY,
    sqlite3.SQLITE_PERM: TroubleKind.READ_ONLY,
    sqlite3.SQLITE_CANTOPEN: TroubleKind.READ_ONLY,
    sqlite3.SQLITE_BUSY: TroubleKind.HELD,
    sqlite3.SQLITE_LOCKED: TroubleKind.HELD,
    sqlite3.SQLITE_PROTOCOL: TroubleKind.HELD,
    sqlite3.SQLITE_IOERR: TroubleKind.FAILING,
    sqlite3.SQLITE_NOMEM: TroubleKind.FAILING,
    sqlite3.SQLITE_NOLFS: TroubleKind.FAILING,
    sqlite3.SQLITE_INTERRUPT: TroubleKind.FAILING,
}

_DAMAGE = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}


def _primary_code(error: Exception) -> int:
    """SQLite's primary result code, the low byte of the extended one; 255 for an error of another kind."""
    return int(getattr(error, "sqlite_errorcode", 0xFF)) & 0xFF


def is_damage(error: Exception) -> bool:
    """True for SQLite's errors about a damaged file or text that cannot be decoded."""
    return isinstance(error, UnicodeDecodeError) or _primary_code(error) in _DAMAGE


def is_of_the_disk(error: sqlite3.Error) -> bool:
    """The error comes from the disk, or from another program, not from what is in the file."""
    return _primary_code(error) in _KINDS


def refusal(database: Path, error: Exception) -> JournalError:
    """The refusal of a command after an error of the database; nothing is changed."""
    words = printable(" ".join(str(error).split()))
    if trouble_of(error)[0] is TroubleKind.READ_ONLY:
        words += " by this user; use the account of tamsk-hw run, or sudo"
    return JournalError(f"{database}: {words}; nothing was changed")


def trouble_of(error: Exception) -> tuple[TroubleKind, str]:
    """The kind of trouble that an error is, and its details in words."""
    if isinstance(error, HeldError):
        return TroubleKind.HELD, str(error)
    if isinstance(error, NoFolderError):
        return TroubleKind.NO_FOLDER, str(error)
    if isinstance(error, OSError):
        if error.errno in _FULL:
            return TroubleKind.FULL, ""
        kind = TroubleKind.READ_ONLY if error.errno in _READ_ONLY else TroubleKind.FAILING
        where = f"{error.filename}: " if error.filename else ""
        return kind, f"{where}{error.strerror or error}"
    kind = _KINDS.get(_primary_code(error), TroubleKind.FAILING)
    return kind, "" if kind is TroubleKind.FULL else str(error)


class DamageKind(SentenceEnum):
    """The reasons for which a database cannot be used."""

    DAMAGED = "damaged", marked("The journal was damaged ({detail}).")
    NO_FILE = "no_file", marked("The journal was no file.")
    EMPTY = "empty", marked("The journal was empty.")
    NO_DATABASE = "no_database", marked("The journal was no database.")
    CUT_SHORT = "cut_short", marked("The journal was cut short.")
    OTHER_PROGRAM = "other_program", marked("The journal was the database of another program.")
    NEWER = (
        "newer",
        marked("The journal was written by a newer tamsk-hw (tables {version}, known are those to {newest})."),
    )


@dataclass(frozen=True, slots=True)
class DatabaseDamage:
    """The reason for which a database cannot be used.

    ``detail`` is what SQLite says of damage. Of a newer database ``version`` is that of its tables, ``newest`` the
    last one that this program knows.
    """

    kind: DamageKind
    detail: str = ""
    version: int | None = None
    newest: int | None = None


@dataclass(frozen=True, slots=True)
class JournalSetAside(BaseNotice):
    """The database was renamed to ``aside``, and a new one begun."""

    damage: DatabaseDamage
    aside: str


@dataclass(frozen=True, slots=True)
class JournalRemains(BaseNotice):
    """The database was gone; what lay beside it was renamed to names that begin with ``aside``."""

    aside: str
    sentence: ClassVar[str] = marked(
        "The journal's database is gone. What was left of it is set aside as {aside}-*."
    )


@dataclass(frozen=True, slots=True)
class GameUnreadable(BaseNotice):
    """The unfinished game cannot be read, and is set aside."""

    game: int
    why: str
    sentence: ClassVar[str] = marked("Game {game} cannot be resumed: {why}. It is set aside.")


@dataclass(frozen=True, slots=True)
class UnfinishedUnknown(BaseNotice):
    """The journal cannot be asked for an unfinished game."""

    why: str
    sentence: ClassVar[str] = marked("The journal cannot be searched for an unfinished game: {why}.")


JournalNotice = JournalSetAside | JournalRemains | GameUnreadable | UnfinishedUnknown
