"""What keeps the journal from saving, in one line for the players."""

from __future__ import annotations

import errno
import sqlite3
from dataclasses import dataclass
from enum import Enum

from tamsk_hw.errors import JournalError, printable


class TroubleKind(Enum):
    """The troubles there are."""

    FULL = "The disk is full"
    READ_ONLY = "The journal cannot be written"
    SLOW = "The disk is slow"
    HELD = "The journal is in use"
    FAILING = "The journal's disk fails"
    BROKEN_OFF = "The record of this game has broken off, for too much was waiting for the disk"


#: Events; while fewer than twice so many are unsaved, their number is not worth another line.
_FEW = 8


@dataclass(frozen=True, slots=True)
class Trouble:
    """Why the newest events are not on the disk, and how many they are; ``str(trouble)`` is a line to show."""

    kind: TroubleKind
    unsaved: int
    detail: str = ""

    def __str__(self) -> str:
        reason = f"{self.kind.value} ({printable(self.detail)})" if self.detail else self.kind.value
        if not self.unsaved:
            return f"{reason}: nothing can be saved."
        events = "1 event is" if self.unsaved == 1 else f"{self.unsaved} events are"
        return f"{reason}: {events} not saved{' yet' if self.kind is TroubleKind.SLOW else ''}."


class TroubleWords:
    """What to say of the journal's troubles as they come, grow and go: each once, not with every event."""

    def __init__(self) -> None:
        self._said: dict[TroubleKind, int] = {}

    def hear(self, trouble: Trouble | None) -> str | None:
        """The line to show, now that the trouble is this one (None for none); None for nothing new.

        A trouble is said when it comes, and again when twice as many events are unsaved. A slow disk keeps up most
        of the time: it is not said again each time that it is behind.
        """
        if trouble is None:
            gone = self._said.keys() - {TroubleKind.SLOW}
            for kind in gone:
                del self._said[kind]
            return "Everything is saved again." if gone else None
        said = self._said.get(trouble.kind)
        if said is not None and trouble.unsaved < 2 * max(said, _FEW):
            return None
        self._said[trouble.kind] = trouble.unsaved
        return str(trouble)


class HeldError(JournalError):
    """Another program writes this journal."""


_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
_READ_ONLY = {errno.EROFS, errno.EACCES, errno.EPERM}

#: What SQLite calls troubles of the disk and of its neighbours, by the first part of its error names.
_KINDS = {
    "FULL": TroubleKind.FULL,
    "READONLY": TroubleKind.READ_ONLY,
    "PERM": TroubleKind.READ_ONLY,
    "CANTOPEN": TroubleKind.READ_ONLY,
    "BUSY": TroubleKind.HELD,
    "LOCKED": TroubleKind.HELD,
    "PROTOCOL": TroubleKind.HELD,
    "IOERR": TroubleKind.FAILING,
    "NOMEM": TroubleKind.FAILING,
    "NOLFS": TroubleKind.FAILING,
    "INTERRUPT": TroubleKind.FAILING,
}


def _of_sqlite(error: sqlite3.Error) -> TroubleKind | None:
    name: str | None = getattr(error, "sqlite_errorname", None)
    return None if name is None else _KINDS.get(name.split("_")[1])


def is_damage(error: Exception) -> bool:
    """SQLite says that the file is damaged, or says what is no text any more."""
    if isinstance(error, UnicodeDecodeError):
        return True
    name: str = getattr(error, "sqlite_errorname", "")
    return name.startswith(("SQLITE_CORRUPT", "SQLITE_NOTADB"))


def is_of_the_disk(error: sqlite3.Error) -> bool:
    """The error comes from the disk, or from another program, not from what is in the file."""
    return _of_sqlite(error) is not None


def trouble_of(error: Exception) -> tuple[TroubleKind, str]:
    """The kind of trouble that an error is, and what is to be said of it besides."""
    if isinstance(error, HeldError):
        return TroubleKind.HELD, str(error)
    if isinstance(error, OSError):
        if error.errno in _FULL:
            return TroubleKind.FULL, ""
        kind = TroubleKind.READ_ONLY if error.errno in _READ_ONLY else TroubleKind.FAILING
        where = f"{error.filename}: " if error.filename else ""
        return kind, f"{where}{error.strerror or error}"
    kind = (_of_sqlite(error) if isinstance(error, sqlite3.Error) else None) or TroubleKind.FAILING
    return kind, "" if kind is TroubleKind.FULL else str(error)
