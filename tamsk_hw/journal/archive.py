"""The archive: games read beside a program that writes them, backed up and restored, and players' results."""

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager, suppress
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from pathlib import Path
from typing import Any, cast
from urllib.parse import quote

from tamsk_hw.errors import JournalError, StreamError
from tamsk_hw.forms import form_of
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import Player
from tamsk_hw.journal import database, records
from tamsk_hw.journal.trouble import TroubleKind, refusal, trouble_of
from tamsk_hw.partner.intention import PARTNER_NAMES
from tamsk_hw.referee.rulings import GameOver, Reason, parse_ruling
from tamsk_hw.referee.stream import parse_header
from tamsk_hw.system.files import make_private, sync

_IMPORTED = "(SELECT wall FROM imported WHERE imported.game = game.number)"
_WALL = "(SELECT wall FROM sitting WHERE sitting.game = game.number AND sitting.number = 1)"
_DAY = f"date(coalesce({_IMPORTED}, {_WALL}), 'unixepoch', 'localtime')"
_LEVEL = f"iif(json_valid(header), coalesce(json_extract(header, '$.ruleset.level'), {Ruleset().level}), '')"
_OVER = "(SELECT line FROM ruling WHERE ruling.game = game.number AND name = 'game_over')"
_BEGUN = "EXISTS (SELECT 1 FROM ruling WHERE ruling.game = game.number AND name = 'turn')"

_SUMMARIES = f"""
    SELECT number, state, note, header, red, black, board, {_WALL} AS wall, {_IMPORTED} AS imported,
        {_OVER} AS over, (SELECT count(*) FROM ruling WHERE ruling.game = game.number AND name = 'turn') AS turns,
        (SELECT count(*) FROM event WHERE event.game = game.number) AS events,
        (SELECT count(*) FROM annotation WHERE annotation.game = game.number) AS annotations
    FROM game
"""

_CHOSEN = f"""
    FROM game WHERE {_BEGUN}
    AND (:part = '' OR instr(folded(red), folded(:part)) OR instr(folded(black), folded(:part)))
    AND (:player = '' OR :player IN (red, black))
    AND (:level = '' OR :level = CAST({_LEVEL} AS TEXT))
    AND (:since = '' OR :since <= {_DAY})
    AND (:until = '' OR :until >= {_DAY})
"""

_GAME = f"""
    SELECT number, key, state, note, header AS header_line, red, black, board, program, {_IMPORTED} AS imported
    FROM game WHERE number = ?
"""


def simulated_folder(folder: Path) -> Path:
    """The folder with the newest simulated games, beside the journal in ``folder``."""
    return folder / "simulated"


@dataclass(slots=True)
class Results:
    """A player's games that were played to a result, and those ``against`` each other player by name."""

    games: int = 0
    won_as_red: int = 0
    won_as_black: int = 0
    tied: int = 0
    rings_left: int = 0
    against: dict[str, "Results"] = field(default_factory=dict)

    @property
    def won(self) -> int:
        """Games won with either colour."""
        return self.won_as_red + self.won_as_black

    @property
    def lost(self) -> int:
        """Games lost."""
        return self.games - self.won - self.tied

    def add(self, over: GameOver, colour: Player) -> None:
        """Count a game in which this player had ``colour``."""
        self.games += 1
        self.tied += over.winner is None
        self.won_as_red += over.winner is colour is Player.RED
        self.won_as_black += over.winner is colour is Player.BLACK
        self.rings_left += over.rings_left[colour]


@dataclass(frozen=True, slots=True, kw_only=True)
class GameChoice:
    """Which games a list shows; a field that is empty leaves all.

    ``part``: of a player's name, in large or small letters; ``player``: a whole name; ``level``: its digit;
    ``since``, ``until``: the first and the last day of this place on which it was played or imported, 2026-11-28.
    """

    part: str = ""
    player: str = ""
    level: str = ""
    since: str = ""
    until: str = ""


class Archive:
    """The games in a folder's journal.

    Every method opens the database and closes it again, and raises `JournalError` when it cannot be read.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._database = folder / database.DATABASE

    def games(self) -> list[records.GameSummary]:
        """Every game that was begun, in order of their numbers; none where there is no journal yet."""
        with self._reading() as connection:
            return list(map(self._summary, connection.execute(f"{_SUMMARIES} WHERE {_BEGUN} ORDER BY number")))

    def newest(self, choice: GameChoice, skipped: int, most: int) -> tuple[list[records.GameSummary], int]:
        """The chosen games that were begun, the newest first, and their number in all.

        The ``skipped`` newest are left out, and at most ``most`` are read; the others are only looked for.
        """
        with self._reading() as connection:
            asked = asdict(choice) | {"skipped": skipped, "most": most}
            page = f"SELECT number {_CHOSEN} ORDER BY number DESC LIMIT :most OFFSET :skipped"
            found = connection.execute(f"{_SUMMARIES} WHERE number IN ({page}) ORDER BY number DESC", asked)
            (count,) = connection.execute(f"SELECT count(*) {_CHOSEN}", asked).fetchone()
            return list(map(self._summary, found)), int(count)

    def keys(self, most: int) -> dict[str, tuple[int, int]]:
        """The newest games that were begun, at most ``most``: by their keys, with numbers and counts of events."""
        count = "(SELECT count(*) FROM event WHERE event.game = game.number)"
        query = f"SELECT key, number, {count} FROM game WHERE {_BEGUN} ORDER BY number DESC LIMIT ?"
        with self._reading() as connection:
            return {key: (number, events) for key, number, events in connection.execute(query, (most,))}

    def results(self) -> dict[str, Results]:
        """The results of all players, in order of their names, without games that somebody played against himself.

        Games against the program count between it and its opponent only, not among anybody's games in all.
        """
        found: defaultdict[str, Results] = defaultdict(Results)
        with self._reading() as connection:
            query = f"SELECT number, red, black, {_OVER} AS over FROM game WHERE {_BEGUN} AND over IS NOT NULL"
            for number, red, black, line in connection.execute(query):
                over = self._over(number, line)
                if over.reason is Reason.ABANDONED or red == black:
                    continue
                for own, other, colour in ((red, black, Player.RED), (black, red, Player.BLACK)):
                    if own is not None and PARTNER_NAMES.keys().isdisjoint((own, other)):
                        found[own].add(over, colour)
                    if own is not None and other is not None:
                        found[own].against.setdefault(other, Results()).add(over, colour)
        for each in found.values():
            each.against = dict(sorted(each.against.items()))
        return dict(sorted(found.items()))

    def load_summary(self, number: int) -> records.GameSummary:
        """A game's entry in the list of games.

        Raises:
            NoGameError: there is no such game.
        """
        with self._reading() as connection:
            return self._summary(self._row(connection, f"{_SUMMARIES} WHERE number = ?", number))

    def load(self, number: int) -> records.StoredGame:
        """A whole game.

        Raises:
            NoGameError: there is no such game.
            UnreadableError: its record is damaged.
        """
        with self._reading() as connection:
            game = self._row(connection, _GAME, number)
            try:
                sittings = "SELECT wall, monotonic_zero, boot FROM sitting WHERE game = ? ORDER BY number"
                annotations = "SELECT wall, text FROM annotation WHERE game = ? ORDER BY number"
                game["sittings"] = list(map(dict, connection.execute(sittings, (number,))))
                game["annotations"] = list(map(dict, connection.execute(annotations, (number,))))
                game["entries"] = self._entries(connection, number, str(game["header_line"]))
                return cast(records.StoredGame, form_of(records.StoredGame).read(game))
            except ValueError:
                raise self._damaged(number) from None

    def running(self) -> int | None:
        """The number of the game that was begun and has not ended."""
        with self._reading() as connection:
            row = connection.execute("SELECT number FROM game WHERE state = 'running'").fetchone()
            return None if row is None else int(row["number"])

    def is_played(self) -> bool:
        """True while a program has the journal to write a game; without one no game is being played."""
        return database.holder_of(self.folder) is not None

    @contextmanager
    def _reading(self) -> Iterator[sqlite3.Connection]:
        """A snapshot of the database, an empty one where there is no journal; reading does not change it."""
        connection = None
        try:
            connection = self._connect() if self._is_there() else database.empty()
            connection.row_factory = sqlite3.Row
            connection.create_function("folded", 1, lambda name: name and name.casefold(), deterministic=True)
            connection.execute("BEGIN")
            yield connection
        except (sqlite3.Error, OSError, UnicodeDecodeError) as error:
            raise refusal(self._database, error) from None
        finally:
            if connection is not None:
                connection.close()

    def _is_there(self) -> bool:
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

    def _connect(self) -> sqlite3.Connection:
        connection = _reading(self._database)
        try:
            version = database.version_of(connection)
        except sqlite3.OperationalError:
            connection.close()
            with suppress(FileNotFoundError):
                if Path(f"{self._database}-wal").stat().st_size > 0:
                    raise
            # Nobody can be writing it, and where the folder cannot be written SQLite has no other way to read it.
            connection = _reading(self._database, "&immutable=1")
            version = database.version_of(connection)
        connection.text_factory = database.text_of
        if not database.is_journal(connection):
            words = "is no journal of tamsk-hw"
        elif version > database.VERSION:
            words = f"was written by a newer tamsk-hw (tables {version}, known are those to {database.VERSION})"
        else:
            return connection
        connection.close()
        raise JournalError(f"{self._database} {words}")

    def _row(self, connection: sqlite3.Connection, query: str, number: int) -> dict[str, Any]:
        """The row of a game."""
        row = connection.execute(query, (number,)).fetchone()
        if row is None:
            raise records.NoGameError(f"{self._database}: no game {number}; see tamsk-hw games list")
        return dict(row)

    def _summary(self, row: Mapping[str, Any]) -> records.GameSummary:
        values = dict(row)
        header, over = values.pop("header"), values.pop("over")
        ended = None if over is None else self._over(values["number"], over)
        try:
            summary = form_of(records.GameSummary).read(values)
        except (ValueError, JournalError):
            raise self._damaged(values["number"]) from None
        return cast(records.GameSummary, replace(summary, ruleset=_ruleset(header), over=ended))

    def _over(self, number: int, line: Any) -> GameOver:
        """How a game ended, by its stored ruling."""
        try:
            return cast(GameOver, parse_ruling(json.loads(line)))
        except (ValueError, TypeError, RecursionError, JournalError):
            raise self._damaged(number) from None

    def _entries(self, connection: sqlite3.Connection, number: int, header: str) -> list[dict[str, Any]]:
        """The game's entries; their checksums tell that they are the ones that were written, in that order."""
        rulings: dict[int, list[str]] = {}
        for event, line in connection.execute(
            "SELECT event, line FROM ruling WHERE game = ? ORDER BY event, place", (number,)
        ):
            rulings.setdefault(event, []).append(str(line))
        entries = []
        checksum = records.first_checksum(header)
        stored = connection.execute(
            "SELECT number, line, wall, checksum FROM event WHERE game = ? ORDER BY number", (number,)
        )
        for count, row in enumerate(stored, start=1):
            entry = {**row, "rulings": rulings.pop(row["number"], [])}
            checksum = records.next_checksum(checksum, row["line"], entry["rulings"])
            if row["number"] != count or row["checksum"] != checksum:
                raise self._damaged(number, count)
            entries.append(entry)
        if rulings:
            raise self._damaged(number, min(rulings))
        return entries

    def _damaged(self, number: int, event: int | None = None) -> records.UnreadableError:
        where = f"game {number}" if event is None else f"game {number}, event {event}"
        return records.UnreadableError(f"{self._database}: the record of {where} is damaged")


@lru_cache
def _ruleset(header: Any) -> Ruleset | None:
    try:
        return parse_header(json.loads(header)).ruleset
    except (StreamError, ValueError, TypeError, RecursionError):
        return None


def back_up(folder: Path, file: Path) -> int:
    """Copy the journal in a folder into one file, which is verified; give how many games it has.

    A program may write the journal meanwhile: the copy is the journal of one moment. A file that is there is
    replaced, once the copy is whole.

    Raises:
        JournalError: there is no journal, it is damaged, or the file cannot be written; the file is as it was.
    """
    journal = folder / database.DATABASE
    if not journal.exists():
        raise JournalError(f"{journal}: there is no journal yet")
    if file.exists() and not file.is_file():
        raise JournalError(f"{file}: is no file", "name another")
    if file.exists() and file.resolve().parent == folder.resolve():
        raise JournalError(f"{file}: lies in the journal's own folder", "name a file elsewhere")
    new = file.with_name(f".{file.name}.new")
    try:
        return _copied(journal, new, file)
    except (sqlite3.Error, OSError) as error:
        is_locked = trouble_of(error)[0] is TroubleKind.HELD
        raise refusal(journal if is_locked else file, error) from None
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
    place = database.Folder(folder)
    with _checked(file) as source, place.changed_once() as connection:
        aside = _set_aside(place, connection)
        source.backup(connection, pages=1000, progress=_refuse_lock)
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        return _count(connection), aside


def _set_aside(place: database.Folder, connection: sqlite3.Connection) -> Path | None:
    """Copy the journal that is there beside it."""
    if connection.execute("SELECT 1 FROM game").fetchone() is None:
        return None
    aside = place.free_name("replaced")
    new = aside.with_name(f"{aside.name}.new")
    _copied(place.database, new, aside)
    return aside


def _copied(journal: Path, new: Path, file: Path) -> int:
    """Copy a journal to ``new``, verify it, and give it its name; give its number of games."""
    new.unlink(missing_ok=True)
    make_private(new)
    with closing(_reading(journal)) as source:
        source.set_progress_handler(lambda: 0, 1000)  # now and then Python runs, so that Ctrl-C is heard
        # Without locks, which a share may not have: the new file is this program's alone.
        source.execute("VACUUM INTO ?", (f"{_address(new)}?nolock=1",))
    with _checked(new) as copy:
        count = _count(copy)
    sync(new)
    new.rename(file)
    sync(file.parent)
    return count


def _refuse_lock(status: int, remaining: int, total: int) -> None:
    """End a copy at a lock that `BUSY_SECONDS` were not enough for, where Python would try indefinitely."""
    if status in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        raise sqlite3.OperationalError("database is locked")


def _address(path: Path) -> str:
    return f"file:{quote(str(path.absolute()))}"


def _reading(path: Path, more: str = "") -> sqlite3.Connection:
    address = f"{_address(path)}?mode=ro{more}"
    return sqlite3.connect(address, uri=True, timeout=database.BUSY_SECONDS, isolation_level=None)


@contextmanager
def _checked(file: Path) -> Iterator[sqlite3.Connection]:
    """A backup that is whole and of a version that is known.

    Raises:
        JournalError: it is none.
    """
    if not file.is_file():
        raise JournalError(f"{file}: there is no such file; allowed: what tamsk-hw games backup wrote")
    with closing(_reading(file, "&immutable=1")) as connection:
        _check(connection, file)
        yield connection


def _check(connection: sqlite3.Connection, file: Path) -> None:
    none = JournalError(f"{file}: is no backup of a journal; allowed: what tamsk-hw games backup wrote")
    try:
        version = database.version_of(connection)
        if not database.is_journal(connection):
            raise none
        if version > database.VERSION:
            raise JournalError(f"{file}: was written by a newer tamsk-hw", "update this one")
        if version < database.VERSION or not database.has_tables(connection):
            raise none
        if connection.execute("PRAGMA integrity_check(1)").fetchone()[0] != "ok":
            raise JournalError(f"{file}: is damaged; nothing was changed")
    except sqlite3.DatabaseError as error:
        if getattr(error, "sqlite_errorcode", None) == sqlite3.SQLITE_NOTADB:
            raise none from None
        raise refusal(file, error) from None


def _count(connection: sqlite3.Connection) -> int:
    return int(connection.execute(f"SELECT count(*) FROM game WHERE {_BEGUN}").fetchone()[0])


def pairs(results: Mapping[str, Results]) -> dict[tuple[str, str], Results]:
    """The results of every pair of players; they are those of the first of its names."""
    found = ((own, other, each) for own, all_own in results.items() for other, each in all_own.against.items())
    return {(own, other): each for own, other, each in found if own < other}
