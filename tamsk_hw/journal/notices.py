"""Notices of the journal's database and of its unfinished game, as facts."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar


class DamageKind(Enum):
    """The reasons for which a database cannot be used."""

    DAMAGED = "damaged"
    NO_FILE = "no_file"
    EMPTY = "empty"
    NO_DATABASE = "no_database"
    CUT_SHORT = "cut_short"
    OTHER_PROGRAM = "other_program"
    NEWER = "newer"
    """It was written by a newer version of this program."""


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
class JournalSetAside:
    """The database was renamed to ``aside``, and a new one begun."""

    damage: DatabaseDamage
    aside: str
    code: ClassVar[str] = "journal_set_aside"


@dataclass(frozen=True, slots=True)
class JournalRemains:
    """The database was gone; what lay beside it was renamed to names that begin with ``aside``."""

    aside: str
    code: ClassVar[str] = "journal_remains"


@dataclass(frozen=True, slots=True)
class GameUnreadable:
    """The unfinished game cannot be read, and is set aside."""

    game: int
    why: str
    code: ClassVar[str] = "game_unreadable"


@dataclass(frozen=True, slots=True)
class UnfinishedUnknown:
    """The journal cannot be asked for an unfinished game."""

    why: str
    code: ClassVar[str] = "unfinished_unknown"


JournalNotice = JournalSetAside | JournalRemains | GameUnreadable | UnfinishedUnknown
