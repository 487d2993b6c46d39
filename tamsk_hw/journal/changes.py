"""Changes that people make to kept games: names, remarks, deletion, and games that were recorded elsewhere.

A running program makes them in its journal's transactions. It referees an imported stream in a thread that often
rests, so that the game being played does not wait. `change_here` makes changes in a journal that nobody holds.
"""

import hashlib
import re
import sqlite3
import time
import unicodedata
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from threading import Thread
from typing import Annotated, ClassVar, Final, assert_never

from tamsk_hw import __version__
from tamsk_hw.errors import JournalError, StreamError, TamskError
from tamsk_hw.forms import Shape
from tamsk_hw.forms import number as number_form
from tamsk_hw.journal import records
from tamsk_hw.journal.database import Folder
from tamsk_hw.referee import Referee
from tamsk_hw.referee.rulings import GameOver, Reason, Started
from tamsk_hw.referee.stream import read_stream

#: The most bytes of a stream that a running program takes in; a long game has 100 000.
MOST_IMPORT: Final = 1024 * 1024

_UNENDED = "the stream ends before the game"


@dataclass(frozen=True, slots=True)
class ImportGame:
    """Take in a recorded game, once, with the rulings of this version; ``key`` is the same for the same stream."""

    key: str
    header_line: str
    entries: tuple[records.StoredEntry, ...]
    state: records.GameState
    note: str | None
    red: str | None = None
    black: str | None = None


def recording_of(
    lines: Iterable[str | bytes],
    name: str = "stream",
    *,
    red: str | None = None,
    black: str | None = None,
    pause: Callable[[], None] = lambda: None,
) -> ImportGame:
    """Referee a recorded stream.

    Args:
        lines: the stream's lines.
        name: its name in messages.
        red: the red player's name.
        black: the black player's name.
        pause: called after every event, so that other threads have their turn.

    Raises:
        StreamError: it is refused as ``tamsk-hw replay`` refuses it, or no game is started in it.
    """
    header, events = read_stream(lines, name)
    referee = Referee(header)
    record = records.GameRecord("", records.header_line(header), red, black, None, __version__)
    entries: list[records.StoredEntry] = []
    started, over = False, None
    for event in events:
        rulings = referee.handle(event)
        entries.append(record.stored(records.Entry(event, rulings)))
        for ruling in rulings:
            started = started or isinstance(ruling, Started)
            over = ruling if isinstance(ruling, GameOver) else over
        pause()
    if not started:
        raise StreamError(f"{name}: no game is started in it; allowed: the stream of a game that was played")
    if over is None:
        state, note = records.GameState.SET_ASIDE, _UNENDED
    else:
        state = records.GameState.ABANDONED if over.reason is Reason.ABANDONED else records.GameState.FINISHED
        note = None
    lines = "\n".join((record.header_line, *(entry.line for entry in entries)))
    key = hashlib.sha256(lines.encode()).hexdigest()[:32]
    return ImportGame(key, record.header_line, tuple(entries), state, note, red, black)


def find(connection: sqlite3.Connection, recording: ImportGame) -> int | None:
    """The number of the game that has this very stream, imported or played here; None where there is none."""
    row = connection.execute(
        """
        SELECT number FROM game WHERE key = :key OR header = :header AND :lines = (
            SELECT group_concat(line, char(10))
            FROM (SELECT line FROM event WHERE event.game = game.number ORDER BY event.number)
        ) ORDER BY key <> :key, number
        """,
        {
            "key": recording.key,
            "header": recording.header_line,
            "lines": "\n".join(entry.line for entry in recording.entries),
        },
    ).fetchone()
    return None if row is None else int(row[0])


def write_imported(connection: sqlite3.Connection, recording: ImportGame, wall: float) -> int:
    """Write the game; give its number. It is never the running one, whatever its stream says."""
    names = records.checked_name(recording.red), records.checked_name(recording.black)
    row = (recording.note, recording.header_line, *names, None, __version__)
    number = records.insert_game(connection, None, recording.key, recording.state, *row)
    for entry in recording.entries:
        records.insert_entry(connection, number, recording.key, entry)
    connection.execute("INSERT INTO imported VALUES (?, ?)", (number, wall))
    return number


#: The most characters of a remark on a game.
MOST_REMARK = 1000

#: Stands in a remark in place of a name that was erased.
ERASED = "…"


#: The number of a game.
GameNumber = Annotated[int, number_form(int, 1, 10**9 - 1, "the number of a game")]


@dataclass(frozen=True, slots=True)
class NamePlayers:
    """Say who played a game: None keeps a name, an empty one takes it away."""

    game: GameNumber
    red: str | None = None
    black: str | None = None
    shape: ClassVar = Shape(spare=("red", "black"), strict=True)


@dataclass(frozen=True, slots=True)
class DeleteGame:
    """Delete a game for good; never one that is not over."""

    game: GameNumber
    shape: ClassVar = Shape(strict=True)


@dataclass(frozen=True, slots=True)
class Annotate:
    """Add a remark to a game, as on a wrong result: rulings are never rewritten."""

    game: GameNumber
    text: str
    shape: ClassVar = Shape(strict=True)


@dataclass(frozen=True, slots=True)
class EraseName:
    """Take a player's name from every game and remark, and from what SQLite keeps of former contents."""

    name: str
    shape: ClassVar = Shape(strict=True)


Change = NamePlayers | DeleteGame | Annotate | EraseName | ImportGame


@dataclass(frozen=True, slots=True)
class Changed:
    """The outcome of a change.

    ``game`` is the number of the game; ``games`` is the number of games from which a name was erased. ``already``:
    the game of an imported stream was there before, and was not changed.
    """

    game: int | None = None
    games: int | None = None
    already: bool = False
    shape: ClassVar = Shape(spare=("game", "games", "already"))


#: Called with the outcome of a change, or the reason against it; perhaps in another thread.
Answer = Callable[[Changed | JournalError], None]


def apply(connection: sqlite3.Connection, change: Change, wall: float) -> Changed:
    """Make a change, within a transaction; ``wall`` is the time of day (seconds since 1970).

    Raises:
        JournalError: it is refused; roll the transaction back.
    """
    match change:
        case NamePlayers(game, red, black):
            _state_of(connection, game)
            for colour, name in (("red", red), ("black", black)):
                if name is not None:
                    connection.execute(
                        f"UPDATE game SET {colour} = ? WHERE number = ?", (records.checked_name(name), game)
                    )
            return Changed(game)
        case DeleteGame(game):
            if _state_of(connection, game) is records.GameState.RUNNING:
                raise JournalError(f"game {game} is not over; allowed: a game that is finished or abandoned")
            connection.execute("DELETE FROM game WHERE number = ?", (game,))
            return Changed(game)
        case Annotate(game, text):
            _state_of(connection, game)
            connection.execute(
                "INSERT INTO annotation SELECT ?, ifnull(max(number), 0) + 1, ?, ? FROM annotation WHERE game = ?",
                (game, wall, checked_remark(text), game),
            )
            return Changed(game)
        case EraseName(name):
            return _erase(connection, name)
        case ImportGame():
            known = find(connection, change)
            if known is not None:
                return Changed(known, already=True)
            return Changed(write_imported(connection, change, wall))
        case _:
            assert_never(change)


def checked_remark(text: str) -> str:
    """Check an arbiter's remark on a game, and give the text that is stored.

    Raises:
        JournalError: it is empty, too long, or no text.
    """
    text = text.strip()
    with suppress(UnicodeEncodeError):
        text.encode()
        if 0 < len(text) <= MOST_REMARK:
            return text
    raise JournalError(f"this is no remark; allowed: a text of 1 to {MOST_REMARK} characters")


def do_chores(connection: sqlite3.Connection) -> None:
    """Remove from the database's files all former contents, where that is asked for; outside of a transaction.

    The chore is noted in the database until it is done, so that a program which is killed here begins again.

    Raises:
        sqlite3.Error: the disk is full, or another program reads the journal all the while.
    """
    if connection.execute("SELECT 1 FROM chore").fetchone() is None:
        return
    connection.execute("VACUUM")
    busy = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
    if busy:
        error = sqlite3.OperationalError("another program is reading the journal")
        error.sqlite_errorcode, error.sqlite_errorname = sqlite3.SQLITE_BUSY, "SQLITE_BUSY"
        raise error
    connection.execute("DELETE FROM chore")


def traces_words(error: Exception) -> str:
    """The reason for which an erased name may still be found in the files."""
    return (
        f"the name is taken from all games, but the files may still hold it ({error}); the next start of "
        "tamsk-hw run removes it"
    )


def change_games(change: Change, wall: float, answer: Answer) -> records.Operation:
    """A change on its way to the disk; ``answer`` is called once, when it is there or refused."""
    outcome: Changed | JournalError | None = None

    def write(connection: sqlite3.Connection) -> None:
        """Make the change, or leave everything as it is.

        After a transaction that failed and took effect all the same, what was made then remains the outcome.
        """
        nonlocal outcome
        made: Changed | JournalError
        connection.execute("SAVEPOINT change")
        try:
            made = apply(connection, change, wall)
        except JournalError as error:
            connection.execute("ROLLBACK TO change")
            made = error
        connection.execute("RELEASE change")
        is_again = isinstance(made, JournalError) or made.already
        if not (isinstance(outcome, Changed) and is_again):
            outcome = made

    def on_saved(error: sqlite3.Error | None) -> None:
        if outcome is not None:
            is_erased = isinstance(change, EraseName) and isinstance(outcome, Changed)
            answer(JournalError(traces_words(error)) if is_erased and error is not None else outcome)

    return records.Operation(write, is_of_game=False, on_saved=on_saved)


def _state_of(connection: sqlite3.Connection, game: int) -> records.GameState:
    row = connection.execute("SELECT state FROM game WHERE number = ?", (game,)).fetchone()
    if row is None:
        raise JournalError(f"no game {game}; see tamsk-hw games list")
    return records.GameState(row[0])


def _erase(connection: sqlite3.Connection, name: str) -> Changed:
    wanted = records.checked_name(name)
    if wanted is None:
        raise JournalError("the name is empty; allowed: a player's name, see tamsk-hw games players")
    connection.execute("INSERT OR IGNORE INTO chore VALUES ('vacuum')")
    connection.create_function("composed", 1, _composed, deterministic=True)
    connection.create_function("without", 2, _without, deterministic=True)
    games = connection.execute(
        "SELECT count(*) FROM game WHERE ? IN (composed(red), composed(black))", (wanted,)
    ).fetchone()[0]
    for colour in ("red", "black"):
        connection.execute(f"UPDATE game SET {colour} = NULL WHERE composed({colour}) = ?", (wanted,))
    connection.execute("UPDATE annotation SET text = without(text, ?)", (wanted,))
    return Changed(games=int(games))


def _composed(text: str | None) -> str | None:
    """A text with each letter and its accent as one character, as `checked_name` stores names."""
    return None if text is None else unicodedata.normalize("NFC", text)


def _without(text: str, name: str) -> str:
    """A remark with `ERASED` in place of a name; longer words that contain the name stay."""
    composed = unicodedata.normalize("NFC", text)

    def replaced(found: re.Match[str]) -> str:
        beside = composed[: found.start()][-1:], composed[found.end() :][:1]
        return found[0] if any(map(_is_in_word, beside)) else ERASED

    erased = re.sub(re.escape(name), replaced, composed)
    return text if erased == composed else erased


def _is_in_word(character: str) -> bool:
    """The character is a letter, a digit, or an accent of one; an empty text is none."""
    return character.isalnum() or (character != "" and unicodedata.category(character).startswith("M"))


#: Real seconds of rest after every event, in which the loop that referees has its turn.
PAUSE: Final = 0.0002


class Intake:
    """One stream at a time; ``change`` hands the finished recording to the journal."""

    def __init__(self, change: Callable[[Change, float, Answer], None], *, threaded: bool = True) -> None:
        """Without ``threaded`` a stream is refereed here and now; for tests."""
        self._threaded = threaded
        self._change = change
        self._is_busy = False

    def take(
        self, lines: Sequence[bytes], red: str | None, black: str | None, wall: float, answer: Answer
    ) -> None:
        """Take a stream's lines; ``answer`` hears when the game is on the disk, or is refused."""

        def work() -> None:
            try:
                made = recording_of(lines, "import", red=red, black=black, pause=lambda: time.sleep(PAUSE))
            except TamskError as error:
                self._is_busy = False
                answer(JournalError(str(error)))
                return
            self._is_busy = False
            self._change(made, wall, answer)

        if self._is_busy:
            answer(JournalError("another game is being imported", "ask again when it is done"))
            return
        self._is_busy = True
        if self._threaded:
            Thread(target=work, name="import", daemon=True).start()
        else:
            work()


def change_here(path: Path, change: Change, wall: float) -> Changed:
    """Make a change to the journal in the folder ``path``, whole or not at all.

    ``wall`` is the time of day (seconds since 1970). Only an import makes a journal where there is none.

    Raises:
        HeldError: a running program holds the journal: ask that one.
        JournalError: the change is refused, or the journal cannot be written; nothing was changed.
    """
    folder = Folder(path)
    if not isinstance(change, ImportGame) and not folder.database.exists():
        raise JournalError(f"{folder.database}: no game to change; see tamsk-hw games list")
    with folder.changed_once(sets_aside=False) as connection:
        connection.execute("BEGIN IMMEDIATE")
        outcome = apply(connection, change, wall)
        connection.execute("COMMIT")
        try:
            do_chores(connection)
        except sqlite3.Error as error:
            raise JournalError(traces_words(error)) from None
        return outcome
