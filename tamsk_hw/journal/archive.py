"""Reading games from the journal; beside a program that writes it, too."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from tamsk_hw.errors import JournalError, StreamError
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.journal.entries import (
    Annotation,
    GameState,
    GameSummary,
    NoGameError,
    Sitting,
    StoredEntry,
    StoredGame,
    UnreadableError,
    first_checksum,
    next_checksum,
)
from tamsk_hw.journal.folder import BUSY_SECONDS, DATABASE, is_held, text_of
from tamsk_hw.journal.ruling_reading import parse_ruling
from tamsk_hw.journal.schema import APPLICATION_ID, MIGRATIONS, add_missing_for_reading, version_of
from tamsk_hw.journal.trouble import refusal
from tamsk_hw.referee.header import parse_header
from tamsk_hw.referee.rulings import GameOver

_Kind = TypeVar("_Kind")

_SUMMARIES = """
    SELECT number, state, note, header, red, black, board,
        (SELECT wall FROM sitting WHERE sitting.game = game.number AND sitting.number = 1),
        (SELECT count(*) FROM ruling WHERE ruling.game = game.number AND name = 'turn') AS turns,
        (SELECT count(*) FROM event WHERE event.game = game.number),
        (SELECT line FROM ruling WHERE ruling.game = game.number AND name = 'game_over'),
        (SELECT wall FROM imported WHERE imported.game = game.number),
        (SELECT count(*) FROM annotation WHERE annotation.game = game.number)
    FROM game
"""


def simulated_folder(folder: Path) -> Path:
    """The folder with the newest simulated games, beside the journal in ``folder``."""
    return folder / "simulated"


class Archive:
    """The games in a folder's journal.

    Every method opens the database and closes it again, and raises `JournalError` when it cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._database = folder / DATABASE

    def _is_there(self) -> bool:
        """There is a journal.

        Raises:
            JournalError: the journal cannot be read, or the folder is none.
        """
        try:
            self._database.stat()
        except FileNotFoundError:
            return False
        except OSError as error:
            words = (error.strerror or str(error)).lower()
            if isinstance(error, PermissionError):
                words += " for this user; use the account of tamsk-hw run, or sudo"
            raise JournalError(f"{self._database}: {words}") from None
        return True

    def games(self) -> list[GameSummary]:
        """Every game that was begun, in order of their numbers; none where there is no journal yet."""
        if not self._is_there():
            return []
        with self._reading() as connection:
            rows = connection.execute(f"{_SUMMARIES} WHERE turns > 0 ORDER BY number").fetchall()
            return [self._summary(row) for row in rows]

    def load_summary(self, number: int) -> GameSummary:
        """A game's entry in the list of games.

        Raises:
            NoGameError: there is no such game.
        """
        if not self._is_there():
            raise self._missing(number)
        with self._reading() as connection:
            row = connection.execute(f"{_SUMMARIES} WHERE number = ?", (number,)).fetchone()
            if row is None:
                raise self._missing(number)
            return self._summary(row)

    def load(self, number: int) -> StoredGame:
        """A whole game.

        Raises:
            NoGameError: there is no such game.
            UnreadableError: its record is damaged.
        """
        if not self._is_there():
            raise self._missing(number)
        with self._reading() as connection:
            return self._load(connection, number)

    def running(self) -> int | None:
        """The number of the game that was begun and has not ended."""
        if not self._is_there():
            return None
        with self._reading() as connection:
            row = connection.execute("SELECT number FROM game WHERE state = 'running'").fetchone()
            return None if row is None else _of(row[0], int)

    def is_played(self) -> bool:
        """True while a program has the journal to write a game; without one no game is being played."""
        return is_held(self._database.parent)

    def _missing(self, number: int) -> NoGameError:
        return NoGameError(f"{self._database}: no game {number}; see tamsk-hw games list")

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A snapshot of the database; reading does not change it."""
        with self._open() as connection:
            connection.execute("BEGIN")
            yield connection

    @contextmanager
    def _open(self) -> Iterator[sqlite3.Connection]:
        connection = None
        try:
            connection = self._connect()
            yield connection
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            raise refusal(self._database, error) from None
        finally:
            if connection is not None:
                connection.close()

    def _connect(self) -> sqlite3.Connection:
        address = f"file:{quote(str(self._database.absolute()))}?mode=ro"
        connection = sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)
        try:
            version = version_of(connection)
        except sqlite3.OperationalError:
            connection.close()
            if self._has_changes_beside():
                raise
            # Nobody can be writing it, and where the folder cannot be written SQLite has no other way to read it.
            connection = sqlite3.connect(f"{address}&immutable=1", uri=True, isolation_level=None)
            version = version_of(connection)
        connection.text_factory = text_of
        newest = len(MIGRATIONS)
        if connection.execute("PRAGMA application_id").fetchone()[0] != APPLICATION_ID:
            words = "is no journal of tamsk-hw"
        elif version > newest:
            words = f"was written by a newer tamsk-hw (tables {version}, known are those to {newest})"
        else:
            add_missing_for_reading(connection)
            return connection
        connection.close()
        raise JournalError(f"{self._database} {words}")

    def _has_changes_beside(self) -> bool:
        try:
            return Path(f"{self._database}-wal").stat().st_size > 0
        except FileNotFoundError:
            return False

    def _summary(self, row: tuple[Any, ...]) -> GameSummary:
        number, state, note, header, red, black, board, wall, turns, events, over, *more = row
        imported, annotations = more
        try:
            return GameSummary(
                number=_of(number, int),
                wall=_of_or_none(wall, float),
                red=_of_or_none(red, str),
                black=_of_or_none(black, str),
                board=_of_or_none(board, str),
                ruleset=_ruleset(header),
                state=GameState(state),
                note=_of_or_none(note, str),
                turns=_of(turns, int),
                events=_of(events, int),
                over=None if over is None else _of(parse_ruling(json.loads(_of(over, str))), GameOver),
                imported=_of_or_none(imported, float),
                annotations=_of(annotations, int),
            )
        except (ValueError, RecursionError, JournalError):
            raise self._damaged(number) from None

    def _load(self, connection: sqlite3.Connection, number: int) -> StoredGame:
        game = connection.execute(
            "SELECT key, state, note, header, red, black, board, program FROM game WHERE number = ?", (number,)
        ).fetchone()
        if game is None:
            raise self._missing(number)
        key, state, note, header, red, black, board, program = game
        sittings = connection.execute(
            "SELECT wall, monotonic_zero, boot FROM sitting WHERE game = ? ORDER BY number", (number,)
        ).fetchall()
        imported = connection.execute("SELECT wall FROM imported WHERE game = ?", (number,)).fetchone()
        annotations = connection.execute(
            "SELECT wall, text FROM annotation WHERE game = ? ORDER BY number", (number,)
        ).fetchall()
        try:
            return StoredGame(
                number=number,
                key=_of(key, str),
                state=GameState(state),
                note=_of_or_none(note, str),
                header_line=_of(header, str),
                red=_of_or_none(red, str),
                black=_of_or_none(black, str),
                board=_of_or_none(board, str),
                program=_of(program, str),
                sittings=tuple(
                    Sitting(wall=_of(wall, float), monotonic_zero=_of(zero, float), boot=_of_or_none(boot, str))
                    for wall, zero, boot in sittings
                ),
                entries=self._entries(connection, number, _of(header, str)),
                imported=None if imported is None else _of(imported[0], float),
                annotations=tuple(Annotation(_of(wall, float), _of(text, str)) for wall, text in annotations),
            )
        except ValueError:
            raise self._damaged(number) from None

    def _entries(self, connection: sqlite3.Connection, number: int, header: str) -> tuple[StoredEntry, ...]:
        """The game's entries; their checksums tell that they are the ones that were written, in that order."""
        rulings: dict[int, list[str]] = {}
        for event, line in connection.execute(
            "SELECT event, line FROM ruling WHERE game = ? ORDER BY event, place", (number,)
        ):
            rulings.setdefault(event, []).append(_of(line, str))
        entries = []
        checksum = first_checksum(header)
        for count, (event, line, wall, stored) in enumerate(
            connection.execute(
                "SELECT number, line, wall, checksum FROM event WHERE game = ? ORDER BY number", (number,)
            ),
            start=1,
        ):
            ruled = tuple(rulings.pop(event, ()))
            checksum = next_checksum(checksum, _of(line, str), ruled)
            if event != count or stored != checksum:
                raise self._damaged(number, count)
            entries.append(StoredEntry(count, line, ruled, _of_or_none(wall, float), checksum))
        if rulings:
            raise self._damaged(number, min(rulings))
        return tuple(entries)

    def _damaged(self, number: int, event: int | None = None) -> UnreadableError:
        where = f"game {number}" if event is None else f"game {number}, event {event}"
        return UnreadableError(f"{self._database}: the record of {where} is damaged")


def _of(value: Any, kind: type[_Kind]) -> _Kind:
    """The value when it is of that kind; damage changes kinds, too."""
    if not isinstance(value, kind):
        raise ValueError
    return value


def _of_or_none(value: Any, kind: type[_Kind]) -> _Kind | None:
    return None if value is None else _of(value, kind)


def _ruleset(header: Any) -> Ruleset | None:
    try:
        return parse_header(json.loads(header)).ruleset
    except (StreamError, ValueError, TypeError, RecursionError):
        return None
