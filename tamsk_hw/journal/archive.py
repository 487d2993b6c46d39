"""The archive: games listed, backed up, results.

Reading games from the journal; beside a program that writes it, too.

The whole journal as one file, and back again.

Results of each player and each pair, from the journal's list of games.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar
from urllib.parse import quote

from tamsk_hw.errors import JournalError, StreamError
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Player
from tamsk_hw.journal.database import (
    BUSY_SECONDS,
    DATABASE,
    VERSION,
    Folder,
    has_tables,
    is_held,
    is_journal,
    text_of,
    version_of,
)
from tamsk_hw.journal.records import (
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
from tamsk_hw.journal.trouble import TroubleKind, refusal, trouble_of
from tamsk_hw.partner.intention import PARTNER_NAMES
from tamsk_hw.referee.header import parse_header
from tamsk_hw.referee.rulings import GameOver, Reason, parse_ruling
from tamsk_hw.system.files import make_private, sync

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
        if not is_journal(connection):
            words = "is no journal of tamsk-hw"
        elif version > VERSION:
            words = f"was written by a newer tamsk-hw (tables {version}, known are those to {VERSION})"
        else:
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


_GAMES = "SELECT count(*) FROM game WHERE EXISTS (SELECT 1 FROM ruling WHERE game = number AND name = 'turn')"


def back_up(folder: Path, file: Path) -> int:
    """Copy the journal in a folder into one file, which is verified; give how many games it has.

    A program may write the journal meanwhile: the copy is the journal of one moment. A file that is there is
    replaced, once the copy is whole.

    Raises:
        JournalError: there is no journal, it is damaged, or the file cannot be written; the file is as it was.
    """
    database = folder / DATABASE
    if not database.exists():
        raise JournalError(f"{database}: there is no journal yet")
    if file.exists() and not file.is_file():
        raise JournalError(f"{file}: is no file", "name another")
    if file.exists() and file.resolve().parent == folder.resolve():
        raise JournalError(f"{file}: lies in the journal's own folder", "name a file elsewhere")
    new = file.with_name(f".{file.name}.new")
    try:
        return _copied(database, new, file)
    except (sqlite3.Error, OSError) as error:
        is_locked = trouble_of(error)[0] is TroubleKind.HELD
        raise refusal(database if is_locked else file, error) from None
    finally:
        with suppress(OSError):
            new.unlink(missing_ok=True)


def restore(folder: Path, file: Path) -> tuple[int, Path | None]:
    """Put a backup in the place of the journal in a folder.

    The journal that was there is backed up in the folder first. The change is one transaction: a program that is
    killed leaves the old journal or the new one.

    Returns:
        How many games the journal has now, and the file with those that it had before; None where it had none.

    Raises:
        HeldError: a running program holds the journal.
        JournalError: the file is no backup of a journal, or damaged, or the journal cannot be written; nothing
            was changed.
    """
    place = Folder(folder)
    connection: sqlite3.Connection | None = None
    try:
        with closing(_checked(file)) as source:
            connection = place.prepare()
            aside = _set_aside(place, connection)
            source.backup(connection, pages=1000, progress=_refuse_lock)
            connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
            return _count(connection), aside
    except (sqlite3.Error, OSError) as error:
        raise refusal(place.database, error) from None
    finally:
        if connection is not None:
            connection.close()
        place.release()


def _set_aside(place: Folder, connection: sqlite3.Connection) -> Path | None:
    """Copy the journal that is there beside it."""
    if connection.execute("SELECT 1 FROM game").fetchone() is None:
        return None
    aside = place.free_name("replaced")
    new = aside.with_name(f"{aside.name}.new")
    _copied(place.database, new, aside)
    return aside


def _copied(database: Path, new: Path, file: Path) -> int:
    """Copy a database to ``new``, verify it, and give it its name; give its number of games."""
    new.unlink(missing_ok=True)
    make_private(new)
    with closing(_reading(database)) as source:
        source.set_progress_handler(lambda: 0, 1000)  # now and then Python runs, so that Ctrl-C is heard
        # Without locks, which a share may not have: the new file is this program's alone.
        source.execute("VACUUM INTO ?", (f"{_address(new)}?nolock=1",))
    with closing(_checked(new)) as copy:
        count = _count(copy)
    sync(new)
    new.rename(file)
    sync(file.parent)
    return count


def _refuse_lock(status: int, remaining: int, total: int) -> None:
    """End a copy at a lock that `BUSY_SECONDS` were not enough for, where Python would try for ever."""
    if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise sqlite3.OperationalError("database is locked")


def _address(path: Path) -> str:
    return f"file:{quote(str(path.absolute()))}"


def _reading(path: Path, more: str = "") -> sqlite3.Connection:
    address = f"{_address(path)}?mode=ro{more}"
    return sqlite3.connect(address, uri=True, timeout=BUSY_SECONDS, isolation_level=None)


def _checked(file: Path) -> sqlite3.Connection:
    """A backup that is whole and of a version that is known.

    Raises:
        JournalError: it is none.
    """
    if not file.is_file():
        raise JournalError(f"{file}: there is no such file; allowed: what tamsk-hw games backup wrote")
    connection = _reading(file, "&immutable=1")
    try:
        _check(connection, file)
    except BaseException:
        connection.close()
        raise
    return connection


def _check(connection: sqlite3.Connection, file: Path) -> None:
    none = JournalError(f"{file}: is no backup of a journal; allowed: what tamsk-hw games backup wrote")
    try:
        version = version_of(connection)
        if not is_journal(connection):
            raise none
        if version > VERSION:
            raise JournalError(f"{file}: was written by a newer tamsk-hw", "update this one")
        if version < VERSION or not has_tables(connection):
            raise none
        if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise JournalError(f"{file}: is damaged; nothing was changed")
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise none from None
        raise refusal(file, error) from None


def _count(connection: sqlite3.Connection) -> int:
    return int(connection.execute(_GAMES).fetchone()[0])


@dataclass(slots=True)
class Results:
    """A player's games that were played to a result."""

    games: int = 0
    won_as_red: int = 0
    won_as_black: int = 0
    tied: int = 0

    @property
    def won(self) -> int:
        """Games won with either colour."""
        return self.won_as_red + self.won_as_black

    @property
    def lost(self) -> int:
        """Games lost."""
        return self.games - self.won - self.tied

    def add(self, winner: Player | None, colour: Player) -> None:
        """Count a game in which this player had ``colour``."""
        self.games += 1
        if winner is None:
            self.tied += 1
        elif winner is colour is Player.RED:
            self.won_as_red += 1
        elif winner is colour:
            self.won_as_black += 1


@dataclass(frozen=True, slots=True)
class PlayerResults:
    """The results of every player by name, and of every pair; a pair's are those of the first of its names."""

    players: dict[str, Results]
    pairs: dict[tuple[str, str], Results]


def player_results(games: Iterable[GameSummary]) -> PlayerResults:
    """Count the games that have a result; those that somebody played against himself tell nothing.

    Games against the program count between it and its opponent only, not among anybody's games in all.
    """
    players: dict[str, Results] = {}
    pairs: dict[tuple[str, str], Results] = {}
    for game, winner in _counted(games):
        names = ((game.red, Player.RED), (game.black, Player.BLACK))
        for name, colour in names:
            if name is not None and game.red not in PARTNER_NAMES and game.black not in PARTNER_NAMES:
                players.setdefault(name, Results()).add(winner, colour)
        if game.red is not None and game.black is not None:
            first, second = sorted((game.red, game.black))
            colour = Player.RED if first == game.red else Player.BLACK
            pairs.setdefault((first, second), Results()).add(winner, colour)
    return PlayerResults(dict(sorted(players.items())), dict(sorted(pairs.items())))


def results_against(games: Iterable[GameSummary], name: str) -> dict[str, Results]:
    """A player's results against each other player, by their names; counted as `player_results` does."""
    against: dict[str, Results] = {}
    for game, winner in _counted(games):
        for colour, own, other in ((Player.RED, game.red, game.black), (Player.BLACK, game.black, game.red)):
            if own == name and other is not None:
                against.setdefault(other, Results()).add(winner, colour)
    return dict(sorted(against.items()))


def _counted(games: Iterable[GameSummary]) -> Iterator[tuple[GameSummary, Player | None]]:
    """The games that have a result, each with its winner."""
    for game in games:
        if game.over is not None and game.over.reason is not Reason.ABANDONED and game.red != game.black:
            yield game, game.over.winner
