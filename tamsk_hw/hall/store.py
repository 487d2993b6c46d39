"""The hall's database: the games of its boards, the requests that the hall has sent them, and its tournaments.

It holds of each game what came without a gap, and that can be lost: the boards' journals have everything. Of a
tournament it holds the whole after every change, so the changes are its log.
"""

import json
import sqlite3
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from tamsk_hw.errors import HallError, StreamError
from tamsk_hw.forms import from_json, to_json
from tamsk_hw.hall.lines import GameLines, over_of
from tamsk_hw.hall.tournament import Tournament
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
    CREATE TABLE IF NOT EXISTS change (
        id INTEGER PRIMARY KEY, tournament TEXT NOT NULL, at REAL NOT NULL, by TEXT NOT NULL,
        said TEXT NOT NULL, given TEXT NOT NULL, document TEXT NOT NULL
    ) STRICT;
    CREATE INDEX IF NOT EXISTS change_of ON change (tournament, id);
    CREATE INDEX IF NOT EXISTS entry_over ON entry (board, key) WHERE instr(rulings, '"ruling": "game_over"');
"""


@dataclass(frozen=True, slots=True)
class Change:
    """A change of a tournament at a time (seconds since 1970), ``by`` a board or the arbiter.

    ``said`` is a sentence of the program, untranslated, with ``given`` as its values.
    """

    at: float
    by: str
    said: str
    given: Mapping[str, str]


class Store:
    """The database; only this process writes it. All methods raise `HallError` when it cannot be used."""

    def __init__(self, file: Path) -> None:
        self._file = file
        with self._refusing():
            make_folder(file.parent)
            self._connection = sqlite3.connect(file, check_same_thread=False)
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.executescript(_TABLES)

    @contextmanager
    def _refusing(self) -> Iterator[None]:
        try:
            yield
        except (OSError, ValueError, StreamError, sqlite3.Error) as error:
            advice = "mend or remove it: the boards send their games again, and exported tournaments are imported"
            raise HallError(f"{self._file}: {error}", advice) from None

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
        with self._refusing():
            for board, key, header, red, black, count, last in self._connection.execute(query):
                lines = GameLines(key, count, count, json.loads(header), Names(red=red, black=black))
                if last is not None:
                    lines.over = over_of(RuledEvent(event={}, rulings=tuple(json.loads(last))))
                found.setdefault(board, []).append(lines)
        return found

    def entries(self, board: str, key: str) -> list[RuledEvent]:
        """Everything that is kept of a game."""
        query = "SELECT event, rulings FROM entry WHERE board = ? AND key = ? ORDER BY number"
        with self._refusing():
            rows = self._connection.execute(query, (board, key)).fetchall()
            return [
                RuledEvent(event=json.loads(event), rulings=tuple(json.loads(rulings))) for event, rulings in rows
            ]

    def add(self, board: str, lines: GameLines, entries: Iterable[RuledEvent]) -> None:
        """Keep more of a game: its newest events. Nothing is on the disk before `save`."""
        entries = list(entries)
        first = lines.count - len(entries) + 1
        with self._refusing():
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

    def log(self, time: float, board: str, asked: RequestMessage, answer: str) -> None:
        """Have a request on the disk, with its time (seconds since 1970) and what is known of its answer."""
        row = (asked.id, time, board, asked.game, asked.number, asked.by, json.dumps(asked.request), answer)
        with self._refusing():
            self._connection.execute("INSERT OR REPLACE INTO request VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)
        self.save()

    def tournaments(self) -> dict[str, Tournament]:
        """All tournaments as they are now, by their names."""
        newest = "SELECT tournament, document, max(id) FROM change GROUP BY tournament"
        with self._refusing():
            rows = self._connection.execute(newest).fetchall()
            return {name: from_json(Tournament, json.loads(document), name) for name, document, _ in rows}

    def changes(self, tournament: str) -> list[Change]:
        """The log of a tournament, the newest change first."""
        query = "SELECT at, by, said, given FROM change WHERE tournament = ? ORDER BY id DESC"
        with self._refusing():
            rows = self._connection.execute(query, (tournament,)).fetchall()
            return [Change(at, by, said, json.loads(given)) for at, by, said, given in rows]

    def change(self, name: str, tournament: Tournament, change: Change) -> None:
        """Keep the tournament as it is after a change. It is on the disk after this."""
        given, document = json.dumps(change.given), json.dumps(to_json(tournament))
        with self._refusing():
            self._connection.execute(
                "INSERT INTO change (tournament, at, by, said, given, document) VALUES (?, ?, ?, ?, ?, ?)",
                (name, change.at, change.by, change.said, given, document),
            )
        self.save()

    def remove(self, tournament: str) -> None:
        """Remove a tournament and its log. It is gone from the disk after this."""
        with self._refusing():
            self._connection.execute("DELETE FROM change WHERE tournament = ?", (tournament,))
        self.save()

    def save(self) -> None:
        """Everything that was added is on the disk after this."""
        with self._refusing():
            self._connection.commit()

    def close(self) -> None:
        """Save, and close the database."""
        self.save()
        self._connection.close()
