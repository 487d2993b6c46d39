"""The hall's database: the games of its boards, and the requests that the hall has sent them.

It holds of each game what came without a gap, and can be lost: the boards' journals have everything.
"""

import json
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import Final

from tamsk_hw.errors import HallError
from tamsk_hw.hall.lines import GameLines, over_of
from tamsk_hw.live.stream import Names
from tamsk_hw.mqtt.messages import RequestMessage, RuledEvent
from tamsk_hw.system.files import make_folder

#: The file's name in the state folder.
NAME: Final = "hall.sqlite"

_TABLES: Final = """
    CREATE TABLE IF NOT EXISTS game (
        board TEXT NOT NULL, key TEXT NOT NULL, header TEXT NOT NULL, red TEXT, black TEXT,
        PRIMARY KEY (board, key)
    ) STRICT;
    CREATE TABLE IF NOT EXISTS entry (
        board TEXT NOT NULL, key TEXT NOT NULL, number INTEGER NOT NULL, event TEXT NOT NULL,
        rulings TEXT NOT NULL,
        PRIMARY KEY (board, key, number)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE IF NOT EXISTS request (
        id TEXT PRIMARY KEY, time REAL NOT NULL, board TEXT NOT NULL, game TEXT NOT NULL, number INTEGER NOT NULL,
        by TEXT NOT NULL, request TEXT NOT NULL, answer TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS entry_over ON entry (board, key) WHERE instr(rulings, '"ruling": "game_over"');
"""


class Store:
    """The database; only this process writes it. All methods raise `HallError` when it cannot be used."""

    def __init__(self, file: Path) -> None:
        self._file = file
        try:
            make_folder(file.parent)
            self._connection = sqlite3.connect(file, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.executescript(_TABLES)
        except (OSError, sqlite3.Error) as error:
            raise self._refusal(error) from None

    def _refusal(self, error: Exception) -> HallError:
        return HallError(f"{self._file}: {error}", "mend it, or remove it: the boards send everything again")

    def games(self) -> dict[str, list[GameLines]]:
        """All games as far as they are kept, by the names of their boards, the oldest first."""
        found: dict[str, list[GameLines]] = {}
        query = """
            SELECT board, key, header, red, black,
                (SELECT coalesce(max(number), 0) FROM entry WHERE (board, key) = (g.board, g.key)),
                (SELECT rulings FROM entry WHERE (board, key) = (g.board, g.key)
                    AND instr(rulings, '"ruling": "game_over"'))
            FROM game AS g ORDER BY rowid
        """
        try:
            for board, key, header, red, black, count, last in self._connection.execute(query):
                lines = GameLines(key, count, count, json.loads(header), Names(red=red, black=black))
                if last is not None:
                    lines.over = over_of(RuledEvent(event={}, rulings=tuple(json.loads(last))))
                found.setdefault(board, []).append(lines)
        except (ValueError, sqlite3.Error) as error:
            raise self._refusal(error) from None
        return found

    def entries(self, board: str, key: str) -> list[RuledEvent]:
        """Everything that is kept of a game."""
        query = "SELECT event, rulings FROM entry WHERE board = ? AND key = ? ORDER BY number"
        try:
            rows = self._connection.execute(query, (board, key)).fetchall()
            return [
                RuledEvent(event=json.loads(event), rulings=tuple(json.loads(rulings))) for event, rulings in rows
            ]
        except (ValueError, sqlite3.Error) as error:
            raise self._refusal(error) from None

    def add(self, board: str, lines: GameLines, entries: Iterable[RuledEvent]) -> None:
        """Keep more of a game: its newest events. Nothing is on the disk before `save`."""
        entries = list(entries)
        first = lines.count - len(entries) + 1
        try:
            self._connection.execute(
                "INSERT INTO game VALUES (?, ?, ?, ?, ?) "
                "ON CONFLICT (board, key) DO UPDATE SET red = excluded.red, black = excluded.black",
                (board, lines.key, json.dumps(lines.header), lines.names.red, lines.names.black),
            )
            self._connection.executemany(
                "INSERT OR IGNORE INTO entry VALUES (?, ?, ?, ?, ?)",
                [
                    (board, lines.key, number, json.dumps(entry.event), json.dumps(entry.rulings))
                    for number, entry in enumerate(entries, first)
                ],
            )
        except sqlite3.Error as error:
            raise self._refusal(error) from None

    def log(self, time: float, board: str, asked: RequestMessage, answer: str) -> None:
        """Have a request on the disk, with its time (seconds since 1970) and what is known of its answer."""
        row = (asked.id, time, board, asked.game, asked.number, asked.by, json.dumps(asked.request), answer)
        try:
            self._connection.execute("INSERT OR REPLACE INTO request VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        except sqlite3.Error as error:
            raise self._refusal(error) from None
        self.save()

    def save(self) -> None:
        """Everything that was added is on the disk after this."""
        try:
            self._connection.commit()
        except sqlite3.Error as error:
            raise self._refusal(error) from None

    def close(self) -> None:
        """Save, and close the database."""
        self.save()
        self._connection.close()
