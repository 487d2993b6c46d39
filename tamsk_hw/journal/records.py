"""The journal's records: games, their sittings, their events with the rulings that each gave.

An `Operation` writes one of them, and may be written again without harm: whether a transaction that failed took
effect after all is not always known. `game_document` is a stored game as one JSON document (docs/formats.md,
Exports), `verify` rules on it again.
"""

import json
import sqlite3
import unicodedata
import zlib
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import Enum
from itertools import zip_longest
from typing import Any, ClassVar

from tamsk_hw.errors import JournalError, TamskError, printable
from tamsk_hw.forms import to_json
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.referee import Referee
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.rulings import GameOver, Reason, Ruling, parse_ruling
from tamsk_hw.referee.stream import Header, json_line, read_stream
from tamsk_hw.system.output import BaseNotice


class UnreadableError(JournalError):
    """A game is damaged, or this version of the program cannot take it."""


class NoGameError(JournalError):
    """The journal has no game of that number."""


class GameState(Enum):
    """The states of a game in the journal.

    A game that is set aside can be looked at, but not resumed: its record breaks off, or cannot be read.
    """

    RUNNING = "running"
    FINISHED = "finished"
    ABANDONED = "abandoned"
    SET_ASIDE = "set aside"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sitting:
    """One run of the program during which a game was played: the first began it, each later one resumed it.

    ``wall`` is the time of day at its beginning (seconds since 1970, a label only: clocks are put right).
    ``monotonic_zero`` is the machine's monotonic clock when the stream's time was, or would have been, 0
    (seconds, below 0 where the machine was started since). It means something only while ``boot`` is the same,
    which names one start of the machine; None where that is not known.
    """

    wall: float
    monotonic_zero: float
    boot: str | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """One event as the referee took it, and the rulings that it gave.

    Rulings that come by the passing of time alone belong to the entry of a `Tick`. ``wall`` is the time of day
    (seconds since 1970), a label.
    """

    event: Event
    rulings: Sequence[Ruling]
    wall: float | None = None


@dataclass(frozen=True, slots=True)
class StoredEntry:
    """The stored form of an entry: the event's line of the stream, and the lines of its rulings."""

    number: int
    line: str
    rulings: tuple[str, ...]
    wall: float | None
    checksum: int


@dataclass(frozen=True, slots=True)
class Annotation:
    """A remark of a person on a game, made at ``wall`` (seconds since 1970): a wrong result is never rewritten."""

    wall: float
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class _Game:
    """The fields that a whole game and its entry in the list of games share.

    ``number`` is the game's name for people. ``imported`` is the time of its import (seconds since 1970), None for
    a game that this program refereed live.
    """

    number: int
    state: GameState
    note: str | None
    red: str | None
    black: str | None
    board: str | None
    imported: float | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredGame(_Game):
    """A whole game from the journal; its ``key`` never changes."""

    key: str
    header_line: str
    program: str
    sittings: tuple[Sitting, ...]
    entries: tuple[StoredEntry, ...]
    annotations: tuple[Annotation, ...] = ()

    @property
    def stream(self) -> str:
        """The recorded stream, as ``tamsk-hw replay`` reads it: the header, then a line per event."""
        return "".join(f"{line}\n" for line in self._lines())

    def header_and_events(self) -> tuple[Header, list[Event]]:
        """The header and all events, in order, one for each entry.

        Raises:
            UnreadableError: this version of the program refuses one of them.
        """
        try:
            header, events = read_stream(self._lines(), f"game {self.number}")
            return header, list(events)
        except TamskError as error:
            raise UnreadableError(str(error)) from None

    def rulings(self) -> list[Ruling]:
        """All stored rulings, in order.

        Raises:
            UnreadableError: this version of the program does not know one of them.
        """
        return [self._ruling(entry, line) for entry in self.entries for line in entry.rulings]

    def _lines(self) -> Iterator[str]:
        yield self.header_line
        yield from (entry.line for entry in self.entries)

    def _ruling(self, entry: StoredEntry, line: str) -> Ruling:
        try:
            return parse_ruling(json.loads(line))
        except (ValueError, RecursionError, JournalError) as error:
            words = f"game {self.number}, event {entry.number}: a ruling cannot be read ({error})"
            raise UnreadableError(words) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class GameSummary(_Game):
    """A game's entry in the list of games. ``over`` is how the game ended, None until it does.

    ``ruleset`` is None where this version refuses the header. ``annotations`` is the number of remarks.
    """

    wall: float | None
    ruleset: Ruleset | None = None
    turns: int
    events: int
    over: GameOver | None = None
    annotations: int = 0

    @property
    def level(self) -> int | None:
        """The level; None where this version refuses the header."""
        return None if self.ruleset is None else self.ruleset.level


@dataclass(slots=True, eq=False)
class GameRecord:
    """The game that is being written down; made by `Journal.begin_game` and `Journal.resume`.

    ``number`` is known once the game is on the disk, None before.
    """

    key: str
    header_line: str
    red: str | None
    black: str | None
    board: str | None
    program: str
    number: int | None = None
    entries: int = 0
    sittings: int = 0
    started: bool = False
    over: bool = False
    broken_off: bool = False
    checksum: int = field(default=0, init=False)
    """Of the newest entry."""

    def __post_init__(self) -> None:
        self.checksum = first_checksum(self.header_line)

    def stored(self, entry: Entry) -> StoredEntry:
        """The stored form of the game's next entry."""
        self.entries += 1
        line, rulings = event_line(entry.event), tuple(map(ruling_line, entry.rulings))
        self.checksum = next_checksum(self.checksum, line, rulings)
        return StoredEntry(self.entries, line, rulings, entry.wall, self.checksum)


def storable(text: str) -> str:
    """The text with each lone surrogate, which UTF-8 lacks, as ``\\udcff``; JSON reads that as the same text."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def header_line(header: Header) -> str:
    """The first line of the game's stream."""
    return storable(json_line(header.as_dict()))


def event_line(event: Event) -> str:
    """The event's line in the game's stream."""
    return storable(json_line(to_json(event)))


def ruling_line(ruling: Ruling) -> str:
    """The ruling's line, as ``tamsk-hw replay --json`` prints it."""
    return storable(json_line(ruling.as_dict()))


def first_checksum(header: str) -> int:
    """The checksum that precedes a game's first entry: that of its header."""
    return zlib.crc32(header.encode("utf-8", "backslashreplace"))


def next_checksum(last: int, line: str, rulings: Iterable[str]) -> int:
    """The checksum of an entry; through ``last``, that of the entry before, it covers all entries so far."""
    return zlib.crc32("\n".join((line, *rulings, "")).encode("utf-8", "backslashreplace"), last)


def checked_name(name: str | None) -> str | None:
    """The stored form of a player's name: without blanks around it, None for an empty one.

    Raises:
        JournalError: the name is no text, or longer than 100 characters.
    """
    if name is None:
        return None
    name = unicodedata.normalize("NFC", name).strip()
    try:
        name.encode()
    except UnicodeEncodeError:
        raise JournalError(f"name {printable(name)}: not UTF-8 text; allowed: any text") from None
    if len(name) > 100:
        raise JournalError(f"name {printable(name[:20])}...: {len(name)} characters; allowed: at most 100")
    return name or None


_STARTED = "EXISTS (SELECT 1 FROM ruling WHERE ruling.game = game.number AND ruling.name = 'turn')"
_THERE = "EXISTS (SELECT 1 FROM game WHERE number = ? AND key = ?)"


@dataclass(slots=True, eq=False)
class Operation:
    """Something to write, as part of a transaction.

    ``is_event``: it saves an event. ``is_beginning``: the record of another game begins with it. ``is_of_game``:
    it belongs to the current game, and is written again with it. ``on_saved`` is called when it is on the disk,
    with the error, if any, for which former contents are still in the files. ``ticket`` and ``since`` (monotonic
    seconds) are set by the queue.
    """

    write: Callable[[sqlite3.Connection], object]
    is_event: bool = False
    is_beginning: bool = False
    is_of_game: bool = True
    on_saved: Callable[[sqlite3.Error | None], None] = lambda error: None
    ticket: int = 0
    since: float = 0.0


def forget_unstarted(connection: sqlite3.Connection, but: str = "") -> None:
    """Delete games that were set up and never begun, and free their numbers; the game with key ``but`` stays."""
    rows = connection.execute(
        f"SELECT number FROM game WHERE state = 'running' AND key <> ? AND NOT {_STARTED}", (but,)
    ).fetchall()
    for (number,) in rows:
        _forget(connection, number)


def _forget(connection: sqlite3.Connection, number: int) -> None:
    connection.execute("DELETE FROM game WHERE number = ?", (number,))
    connection.execute("UPDATE sqlite_sequence SET seq = ? WHERE name = 'game' AND seq = ?", (number - 1, number))


def begin_game(record: GameRecord, past: Sequence[Operation] = ()) -> Operation:
    """Begin the record of a game, and give it its number. Another game that is still running is set aside.

    A resumed game has a ``past``, which is written again if the game has gone from the database.
    """

    def write(connection: sqlite3.Connection) -> None:
        forget_unstarted(connection, but=record.key)
        connection.execute(
            "UPDATE game SET state = 'set aside', note = 'another game was begun'"
            " WHERE state = 'running' AND key <> ?",
            (record.key,),
        )
        known = connection.execute("SELECT number FROM game WHERE key = ?", (record.key,)).fetchone()
        if known is not None:
            record.number = known[0]
            return
        taken = connection.execute("SELECT 1 FROM game WHERE number = ?", (record.number,)).fetchone()
        record.number = insert_game(
            connection,
            None if taken else record.number,
            *(record.key, GameState.RUNNING, None, record.header_line),
            *(record.red, record.black, record.board, record.program),
        )
        for operation in past:
            operation.write(connection)

    return Operation(write, is_beginning=True)


def add_sitting(record: GameRecord, number: int, sitting: Sitting) -> Operation:
    """Note that the program begins or resumes a game."""
    values = (number, sitting.wall, sitting.monotonic_zero, sitting.boot)
    query = f"INSERT INTO sitting SELECT ?, ?, ?, ?, ? WHERE {_THERE} ON CONFLICT DO NOTHING"
    return Operation(
        lambda connection: connection.execute(query, (record.number, *values, record.number, record.key))
    )


def append_entry(record: GameRecord, entry: StoredEntry, sitting: Operation | None = None) -> Operation:
    """Write an event with its rulings, unless people have deleted the game meanwhile.

    The first event of a sitting writes the sitting, too. A program that is killed before that leaves neither, so
    the times of a stored sitting always belong to its events.
    """

    def write(connection: sqlite3.Connection) -> None:
        if sitting is not None:
            sitting.write(connection)
        for ruling in insert_entry(connection, record.number, record.key, entry):
            if ruling["ruling"] == GameOver.name:  # it ends the game here too
                abandoned = ruling["reason"] == Reason.ABANDONED.value
                _close(connection, record, GameState.ABANDONED if abandoned else GameState.FINISHED)

    return Operation(write, is_event=True)


def insert_game(
    connection: sqlite3.Connection, number: int | None, key: str, state: GameState, *row: str | None
) -> int:
    """Write the row of a game: note, header, red, black, board and program. Return its number."""
    values = (number, key, state.value, *row)
    return connection.execute("INSERT INTO game VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", values).lastrowid or 0


def insert_entry(
    connection: sqlite3.Connection, game: int | None, key: str, entry: StoredEntry
) -> list[dict[str, Any]]:
    """Write an entry, unless the game has it already or is not there; return the rulings that are written."""
    added = connection.execute(
        f"INSERT INTO event SELECT ?, ?, ?, ?, ? WHERE {_THERE} ON CONFLICT DO NOTHING",
        (game, entry.number, entry.line, entry.wall, entry.checksum, game, key),
    )
    rulings = [json.loads(line) for line in entry.rulings] if added.rowcount > 0 else []
    connection.executemany(
        "INSERT INTO ruling VALUES (?, ?, ?, ?, ?)",
        [(game, entry.number, place, each["ruling"], entry.rulings[place]) for place, each in enumerate(rulings)],
    )
    return rulings


def close_game(record: GameRecord, state: GameState, note: str | None = None) -> Operation:
    """End a running game; ``note`` says why where it is set aside. One that never began is forgotten."""
    return Operation(lambda connection: _close(connection, record, state, note))


def _close(connection: sqlite3.Connection, record: GameRecord, state: GameState, note: str | None = None) -> None:
    connection.execute(
        f"UPDATE game SET state = ?, note = ? WHERE number = ? AND state = 'running' AND {_STARTED}",
        (state.value, note, record.number),
    )
    unstarted = connection.execute(
        "SELECT 1 FROM game WHERE number = ? AND state = 'running'", (record.number,)
    ).fetchone()
    if unstarted:
        _forget(connection, int(record.number or 0))


def keep_newest(count: int) -> Operation:
    """Delete all games but the newest, and never a running one."""
    query = (
        "DELETE FROM game WHERE state <> 'running' AND number <="
        " (SELECT number FROM game ORDER BY number DESC LIMIT 1 OFFSET ?)"
    )
    return Operation(lambda connection: connection.execute(query, (count,)), is_of_game=False)


def update_game(record: GameRecord, **columns: str | None) -> Operation:
    """Change columns of a game's row: its players' names, or the id of the board at which it is played."""
    query = f"UPDATE game SET {', '.join(f'{each} = ?' for each in columns)} WHERE number = ? AND key = ?"
    return Operation(lambda connection: connection.execute(query, (*columns.values(), record.number, record.key)))


def local_time(wall: float | None, form: str = "%Y-%m-%d %H:%M", unknown: str = "?") -> str:
    """A time in seconds since 1970 in this place's time; ``unknown`` for None and for one that no calendar has."""
    try:
        return unknown if wall is None else datetime.fromtimestamp(wall).astimezone().strftime(form)
    except (OverflowError, ValueError, OSError):
        return unknown


def iso_time(wall: float | None) -> str | None:
    """A time in seconds since 1970 as ISO 8601 text, in UTC; None for None and for a year past 9999."""
    try:
        return None if wall is None else datetime.fromtimestamp(wall, UTC).isoformat(timespec="milliseconds")
    except (OverflowError, ValueError, OSError):
        return None


def game_document(game: StoredGame) -> str:
    """All that the journal has of a game, as one JSON object in plain ASCII, without a newline at its end."""
    record = {
        "number": game.number,
        "state": game.state.value,
        "note": game.note,
        "red": game.red,
        "black": game.black,
        "board": game.board,
        "program": game.program,
        "imported": iso_time(game.imported),
        "annotations": [{"written": iso_time(each.wall), "text": each.text} for each in game.annotations],
        "sittings": [
            {"begun": iso_time(each.wall), "monotonic_zero": each.monotonic_zero, "boot": each.boot}
            for each in game.sittings
        ],
        "header": json.loads(game.header_line),
        "entries": [
            {
                "number": entry.number,
                "written": iso_time(entry.wall),
                "event": json.loads(entry.line),
                "rulings": [json.loads(line) for line in entry.rulings],
            }
            for entry in game.entries
        ],
    }
    return json.dumps(record, indent=2)


@dataclass(frozen=True, slots=True)
class Mismatch(BaseNotice):
    """A difference between a game's stored rulings and those that this version of the program gives.

    ``event`` is the number of the first entry that has one; ``stored`` and ``given`` are the two rulings that
    differ, as JSON, None where there is none. Where this version refuses the header or an event, ``event`` is 0
    and ``refused`` says why.
    """

    game: int
    event: int
    stored: str | None
    given: str | None
    refused: str = ""
    code: ClassVar[str] = "ruled_otherwise"


def verify(game: StoredGame) -> Mismatch | None:
    """Replay the stored events; None when they give the stored rulings, to the letter."""
    try:
        header, events = game.header_and_events()
        referee = Referee(header)
        for entry, event in zip(game.entries, events, strict=True):
            given = [ruling_line(ruling) for ruling in referee.handle(event)]
            for stored, now in zip_longest(entry.rulings, given):
                if stored != now:
                    return Mismatch(game.number, entry.number, stored, now)
    except (JournalError, TamskError) as error:
        return Mismatch(game.number, 0, None, None, str(error))
    return None
