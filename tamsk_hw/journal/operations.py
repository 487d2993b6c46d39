"""Writing to the journal, one operation after the other; each may be written again without harm.

Whether a transaction that failed took effect after all is not always known. So every operation leaves alone what
it finds there already.
"""

from __future__ import annotations

import json
import sqlite3
from abc import ABC, abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from tamsk_hw.journal.entries import (
    Entry,
    GameRecord,
    GameState,
    Sitting,
    StoredEntry,
    event_line,
    next_checksum,
    ruling_line,
    storable,
)
from tamsk_hw.referee.rulings import GameOver, Reason

_STARTED = "EXISTS (SELECT 1 FROM ruling WHERE ruling.game = game.number AND ruling.name = 'turn')"
_THERE = "EXISTS (SELECT 1 FROM game WHERE number = ? AND key = ?)"


class Operation(ABC):
    """Something to write, as part of a transaction."""

    __slots__ = ()

    is_event: ClassVar[bool] = False
    """It saves an event."""

    is_beginning: ClassVar[bool] = False
    """With it the record of another game begins."""

    is_of_game: ClassVar[bool] = True
    """It belongs to the current game, and is written again with it."""

    @abstractmethod
    def write(self, connection: sqlite3.Connection) -> None:
        """Write it."""

    def settle(self) -> None:  # noqa: B027 - most have nobody to tell
        """It is on the disk."""


def forget_unstarted(connection: sqlite3.Connection, but: str = "") -> None:
    """Delete games that were set up and never begun, and give their numbers free; ``but`` is a key to keep."""
    rows = connection.execute(
        f"SELECT number FROM game WHERE state = 'running' AND key <> ? AND NOT {_STARTED}", (but,)
    ).fetchall()
    for (number,) in rows:
        _forget(connection, number)


def _forget(connection: sqlite3.Connection, number: int) -> None:
    connection.execute("DELETE FROM game WHERE number = ?", (number,))
    connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'game' AND seq = ?", (number - 1, number))


@dataclass(frozen=True, slots=True)
class Begin(Operation):
    """A game begins to be written down. One that is found still running is set aside.

    A resumed game has a ``past``: it is written again where the game is not there any more.
    """

    is_beginning: ClassVar[bool] = True

    record: GameRecord
    past: tuple[Operation, ...] = ()

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the game, and learn its number."""
        record = self.record
        forget_unstarted(connection, but=record.key)
        connection.execute(
            "UPDATE game SET state = 'set aside', note = 'another game was begun'"
            " WHERE state = 'running' AND key <> ?",
            (record.key,),
        )
        known = connection.execute("SELECT number FROM game WHERE key = ?", (record.key,)).fetchone()
        if known is None:
            taken = connection.execute("SELECT 1 FROM game WHERE number = ?", (record.number,)).fetchone()
            cursor = connection.execute(
                "INSERT INTO game (number, key, state, header, red, black, board, program)"
                " VALUES (?, ?, 'running', ?, ?, ?, ?, ?)",
                (
                    None if taken else record.number,
                    record.key,
                    record.header_line,
                    record.red,
                    record.black,
                    None if record.board is None else storable(record.board),
                    record.program,
                ),
            )
            record.number = cursor.lastrowid
            for operation in self.past:
                operation.write(connection)
        else:
            record.number = known[0]


@dataclass(frozen=True, slots=True)
class Sit(Operation):
    """The program begins with a game, or goes on with it."""

    record: GameRecord
    number: int
    sitting: Sitting

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the sitting."""
        sitting = self.sitting
        connection.execute(
            f"INSERT INTO sitting SELECT ?, ?, ?, ?, ? WHERE {_THERE} ON CONFLICT DO NOTHING",
            (
                self.record.number,
                self.number,
                sitting.wall,
                sitting.monotonic_zero,
                sitting.boot,
                self.record.number,
                self.record.key,
            ),
        )


class Append(Operation):
    """An event with its rulings. A game that people have deleted meanwhile takes no more of them.

    With the first event of a sitting the sitting itself is written: of a program that is killed in between there
    is neither, so that its times and those of its events belong together.
    """

    __slots__ = ("_entry", "_lines", "_names", "_number", "_record", "_sit")

    is_event: ClassVar[bool] = True

    def __init__(
        self, record: GameRecord, number: int, entry: Entry | StoredEntry, sit: Sit | None = None
    ) -> None:
        self._record = record
        self._sit = sit
        self._number = number
        self._entry: Entry | None = None
        self._names: list[str] = []
        if isinstance(entry, Entry):
            self._entry = entry
            self._lines = StoredEntry(number, "", (), entry.wall, 0)
        else:
            self._lines = entry
            self._names = [str(json.loads(line)["ruling"]) for line in entry.rulings]

    def _put_into_lines(self) -> None:
        """Once, and in the order of the entries, for the checksum follows the last one's."""
        if self._entry is None:
            return
        line = event_line(self._entry.event)
        rulings = tuple(map(ruling_line, self._entry.rulings))
        checksum = next_checksum(self._record.checksum, line, rulings)
        self._names = [ruling.name for ruling in self._entry.rulings]
        self._lines = StoredEntry(self._number, line, rulings, self._entry.wall, checksum)
        self._record.checksum = checksum
        self._entry = None

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the event and its rulings; a ruling that ends the game ends it here too."""
        self._put_into_lines()
        if self._sit is not None:
            self._sit.write(connection)
        lines, game = self._lines, self._record.number
        added = connection.execute(
            f"INSERT INTO event SELECT ?, ?, ?, ?, ? WHERE {_THERE} ON CONFLICT DO NOTHING",
            (game, lines.number, lines.line, lines.wall, lines.checksum, game, self._record.key),
        )
        if added.rowcount < 1 or not lines.rulings:
            return
        connection.executemany(
            "INSERT INTO ruling VALUES (?, ?, ?, ?, ?)",
            [
                (game, lines.number, place, name, line)
                for place, (name, line) in enumerate(zip(self._names, lines.rulings, strict=True))
            ],
        )
        for name, line in zip(self._names, lines.rulings, strict=True):
            if name == GameOver.name:
                abandoned = json.loads(line)["reason"] == Reason.ABANDONED.value
                CloseGame(self._record, GameState.ABANDONED if abandoned else GameState.FINISHED).write(connection)


@dataclass(frozen=True, slots=True)
class CloseGame(Operation):
    """Close a running game; ``note`` says why where it is set aside."""

    record: GameRecord
    state: GameState
    note: str | None = None

    def write(self, connection: sqlite3.Connection) -> None:
        """Write how the game ended; one that never began is forgotten."""
        connection.execute(
            f"UPDATE game SET state = ?, note = ? WHERE number = ? AND state = 'running' AND {_STARTED}",
            (self.state.value, self.note, self.record.number),
        )
        unstarted = connection.execute(
            "SELECT 1 FROM game WHERE number = ? AND state = 'running'", (self.record.number,)
        ).fetchone()
        if unstarted:
            _forget(connection, int(self.record.number or 0))


@dataclass(frozen=True, slots=True)
class KeepNewest(Operation):
    """Only the newest games are kept."""

    is_of_game: ClassVar[bool] = False

    count: int

    def write(self, connection: sqlite3.Connection) -> None:
        """Delete the older ones, but never one that is running."""
        connection.execute(
            "DELETE FROM game WHERE state <> 'running' AND number <="
            " (SELECT number FROM game ORDER BY number DESC LIMIT 1 OFFSET ?)",
            (self.count,),
        )


@dataclass(frozen=True, slots=True)
class Place(Operation):
    """At which board a game is played."""

    record: GameRecord
    board: str

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the board's id."""
        connection.execute(
            "UPDATE game SET board = ? WHERE number = ? AND key = ?",
            (storable(self.board), self.record.number, self.record.key),
        )


@dataclass(frozen=True, slots=True)
class Rename(Operation):
    """The names of a game's players."""

    record: GameRecord
    red: str | None
    black: str | None

    def write(self, connection: sqlite3.Connection) -> None:
        """Write the names."""
        connection.execute(
            "UPDATE game SET red = ?, black = ? WHERE number = ?", (self.red, self.black, self.record.number)
        )
