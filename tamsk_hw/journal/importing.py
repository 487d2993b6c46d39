"""Games that were recorded elsewhere: refereed again by this version, and written down as imported."""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from tamsk_hw import __version__
from tamsk_hw.errors import JournalError, StreamError
from tamsk_hw.journal.entries import (
    GameState,
    StoredEntry,
    event_line,
    first_checksum,
    header_line,
    next_checksum,
    ruling_line,
)
from tamsk_hw.referee import Referee
from tamsk_hw.referee.header import parse_header
from tamsk_hw.referee.rulings import GameOver, Reason, Started
from tamsk_hw.referee.stream import read_stream

#: The most bytes of a stream that a running program takes in; a long game has 100 000.
MOST_IMPORT: Final = 1024 * 1024

_UNENDED = "the stream ends before the game"


@dataclass(frozen=True, slots=True)
class Recording:
    """A recorded game with the rulings of this version; ``key`` is the same for the same stream.

    ``rulings`` are those of the entries, each as its entry's number, its place among that one's, name and line.
    """

    key: str
    header_line: str
    entries: tuple[StoredEntry, ...]
    rulings: tuple[tuple[int, int, str, str], ...]
    state: GameState
    note: str | None


def recording_of(
    lines: Iterable[str | bytes], name: str = "stream", pause: Callable[[], None] = lambda: None
) -> Recording:
    """Referee a recorded stream.

    Args:
        lines: the stream's lines.
        name: its name in messages.
        pause: called after every event, so that other threads have their turn.

    Raises:
        StreamError: it is refused as ``tamsk-hw replay`` refuses it, or no game is started in it.
    """
    header, events = read_stream(lines, name)
    referee = Referee(header)
    head = header_line(header)
    checksum, digest = first_checksum(head), hashlib.sha256(head.encode())
    entries: list[StoredEntry] = []
    listed: list[tuple[int, int, str, str]] = []
    started, over = False, None
    for number, event in enumerate(events, start=1):
        rulings = referee.handle(event)
        line, ruled = event_line(event), tuple(map(ruling_line, rulings))
        for place, ruling in enumerate(rulings):
            listed.append((number, place, ruling.name, ruled[place]))
            started = started or isinstance(ruling, Started)
            over = ruling if isinstance(ruling, GameOver) else over
        checksum = next_checksum(checksum, line, ruled)
        digest.update(f"\n{line}".encode())
        entries.append(StoredEntry(number, line, ruled, None, checksum))
        pause()
    if not started:
        raise StreamError(f"{name}: no game is started in it; allowed: the stream of a game that was played")
    if over is None:
        state, note = GameState.SET_ASIDE, _UNENDED
    else:
        state = GameState.ABANDONED if over.reason is Reason.ABANDONED else GameState.FINISHED
        note = None
    return Recording(digest.hexdigest()[:32], head, tuple(entries), tuple(listed), state, note)


def find(connection: sqlite3.Connection, recording: Recording) -> int | None:
    """The number of the game that has this very stream, imported or played here; None where there is none."""
    row = connection.execute("SELECT number FROM game WHERE key = ?", (recording.key,)).fetchone()
    if row is not None:
        return int(row[0])
    candidates = connection.execute(
        "SELECT number, header FROM game WHERE (SELECT count(*) FROM event WHERE event.game = game.number) = ?",
        (len(recording.entries),),
    ).fetchall()
    lines = [entry.line for entry in recording.entries]
    for number, header in candidates:
        if _is_header(header, recording.header_line):
            stored = connection.execute("SELECT line FROM event WHERE game = ? ORDER BY number", (number,))
            if all(line == each for (line,), each in zip(stored, lines, strict=True)):
                return int(number)
    return None


def write_imported(
    connection: sqlite3.Connection, recording: Recording, red: str | None, black: str | None, wall: float
) -> int:
    """Write the game; give its number. It is never the running one, whatever its stream says."""
    cursor = connection.execute(
        "INSERT INTO game (key, state, note, header, red, black, board, program)"
        " VALUES (?, ?, ?, ?, ?, ?, NULL, ?)",
        (
            recording.key,
            recording.state.value,
            recording.note,
            recording.header_line,
            red,
            black,
            __version__,
        ),
    )
    number = cursor.lastrowid or 0
    connection.executemany(
        "INSERT INTO event VALUES (?, ?, ?, NULL, ?)",
        ((number, entry.number, entry.line, entry.checksum) for entry in recording.entries),
    )
    connection.executemany(
        "INSERT INTO ruling VALUES (?, ?, ?, ?, ?)", ((number, *ruling) for ruling in recording.rulings)
    )
    connection.execute("INSERT INTO imported VALUES (?, ?)", (number, wall))
    return number


def _is_header(stored: str, line: str) -> bool:
    """The stored header means the same; an older version may have written fewer keys."""
    try:
        return stored == line or header_line(parse_header(json.loads(stored))) == line
    except (ValueError, StreamError, JournalError, RecursionError):
        return False
