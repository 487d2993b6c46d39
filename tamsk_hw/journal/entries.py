"""The journal's records: games, their sittings, their events with the rulings that each gave."""

from __future__ import annotations

import json
import unicodedata
import zlib
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from enum import Enum

from tamsk_hw.errors import JournalError, TamskError, printable
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.journal.ruling_reading import parse_ruling
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.header import Header
from tamsk_hw.referee.rulings import GameOver, Ruling
from tamsk_hw.referee.stream import event_as_dict, json_line, read_stream


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
    """One run of the program with a game: the first began it, each further one went on with it.

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

    What the referee ruled by the passing of time alone is the entry of a `Tick`. ``wall`` is the time of day
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
class StoredGame:
    """A whole game from the journal. ``number`` is what people know it by, ``key`` is its own for ever.

    ``imported`` is when it was imported (seconds since 1970), None for a game that this program refereed live.
    """

    number: int
    key: str
    state: GameState
    note: str | None
    header_line: str
    red: str | None
    black: str | None
    board: str | None
    program: str
    sittings: tuple[Sitting, ...]
    entries: tuple[StoredEntry, ...]
    imported: float | None = None
    annotations: tuple[Annotation, ...] = ()

    @property
    def stream(self) -> str:
        """The recorded stream, as ``tamsk-hw replay`` reads it: the header, then a line per event."""
        return "".join(f"{line}\n" for line in self._lines())

    def header(self) -> Header:
        """The agreement before the game.

        Raises:
            UnreadableError: this version of the program refuses it.
        """
        return self.header_and_events()[0]

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
class GameSummary:
    """A game in a list. ``over`` is how it ended, None while it has not; ``imported`` as of `StoredGame`.

    ``ruleset`` is None where this version refuses the header. ``annotations``: number of remarks on it.
    """

    number: int
    wall: float | None
    red: str | None
    black: str | None
    board: str | None
    ruleset: Ruleset | None
    state: GameState
    note: str | None
    turns: int
    events: int
    over: GameOver | None
    imported: float | None = None
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
    """Of the newest entry that was put into lines; the writer's own."""

    def __post_init__(self) -> None:
        self.checksum = first_checksum(self.header_line)


def storable(text: str) -> str:
    """The text with half characters, which UTF-8 has not, as ``\\udcff``; in JSON that reads back the same."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def header_line(header: Header) -> str:
    """The first line of the game's stream."""
    return storable(json_line(header.as_dict()))


def event_line(event: Event) -> str:
    """The event's line in the game's stream."""
    return storable(json_line(event_as_dict(event)))


def ruling_line(ruling: Ruling) -> str:
    """The ruling's line, as ``tamsk-hw replay --json`` prints it."""
    return storable(json_line(ruling.as_dict()))


def first_checksum(header: str) -> int:
    """The value that the checksums of a game's entries begin with."""
    return zlib.crc32(header.encode("utf-8", "backslashreplace"))


def next_checksum(last: int, line: str, rulings: Iterable[str]) -> int:
    """The checksum of an entry that follows one with checksum ``last``; it holds for all entries so far."""
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
