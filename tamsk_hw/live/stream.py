"""The live stream and its lines.

The lines of the live stream as facts, and their JSON objects (docs/live.md, Lines).

The stream itself: its lines, their numbers, and what a reader who comes later is told. Without I/O or clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any, ClassVar, Final

from tamsk_hw.facts.notices import Notice
from tamsk_hw.forms import Shape, to_json
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.header import Header
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.system.sockets import encoded
from tamsk_hw.words.notices import notice_words
from tamsk_hw.words.rulings import say


@dataclass(frozen=True, slots=True, kw_only=True)
class Names:
    """The players' names; None for a player without one."""

    red: str | None = None
    black: str | None = None
    shape: ClassVar = Shape(strict=True)

    @property
    def swapped(self) -> Names:
        """The same players with the other colours."""
        return Names(red=self.black, black=self.red)

    def renamed(self, red: str | None, black: str | None) -> Names:
        """The names with others in their places: None keeps one, an empty one takes it away."""
        return Names(
            red=self.red if red is None else red or None, black=self.black if black is None else black or None
        )

    def without(self, name: str) -> Names:
        """The names but this one."""
        return Names(red=None if self.red == name else self.red, black=None if self.black == name else self.black)


#: Players without names.
NO_NAMES: Final = Names()


@dataclass(frozen=True, slots=True)
class GameBegun:
    """A game begins, or goes on: then its past follows. ``key`` names it for ever, ``game`` is its number in the
    journal once it has one.
    """

    header: Header
    key: str
    game: int | None
    names: Names
    resumed: bool


@dataclass(frozen=True, slots=True)
class EventTaken:
    """The referee took an event; the rulings that it gave rise to follow."""

    event: Event


@dataclass(frozen=True, slots=True)
class RulingMade:
    """The referee ruled."""

    ruling: Ruling


@dataclass(frozen=True, slots=True)
class NoticeGiven:
    """People should know something besides."""

    notice: Notice


@dataclass(frozen=True, slots=True)
class NamesChanged:
    """The players of the game have other names from now on."""

    names: Names


@dataclass(frozen=True, slots=True)
class SavedTo:
    """Everything up to line ``seq`` is on the disk; ``game`` is the game's number in the journal."""

    seq: int
    game: int | None
    shape: ClassVar = Shape(keys={"seq": "saved"})


#: A numbered line of the stream.
Line = GameBegun | EventTaken | RulingMade | NoticeGiven | NamesChanged | SavedTo


def line_as_dict(line: Line, seq: int) -> dict[str, Any]:
    """The line with number ``seq`` as its JSON object."""
    record: dict[str, Any] = {"seq": seq, **to_json(line)}
    match line:
        case RulingMade(ruling):
            record["words"] = say(ruling)
        case NoticeGiven(notice):
            record["words"] = notice_words(notice)
    return record


#: The most lines that are kept to be sent again; a long game has some thousand.
MOST_KEPT: Final = 100_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Greeting:
    """The first line of every connection.

    ``life`` is new at every start of the service, ``speed`` relative to real time; ``board`` is the board's id,
    once it is known.
    """

    life: str
    program: str
    board: str | None
    simulated: bool
    speed: float

    shape: ClassVar = Shape(also={"live": 1})

    def as_dict(self, seq: int) -> dict[str, Any]:
        """The line as its JSON object; ``seq`` is the newest number."""
        return {**to_json(self), "seq": seq}


class _Numbered:
    """A line with its number, and its bytes once somebody wanted them."""

    __slots__ = ("data", "line", "seq")

    def __init__(self, seq: int, line: Line) -> None:
        self.seq = seq
        self.line = line
        self.data: bytes | None = None

    def encoded(self) -> bytes:
        """The line as it is sent."""
        if self.data is None:
            self.data = encoded(line_as_dict(self.line, self.seq))
        return self.data


class LiveStream:
    """The lines of one life. One thread appends, another may read.

    The current and the previous game are kept.
    """

    def __init__(self, greeting: Greeting, *, most_kept: int = MOST_KEPT) -> None:
        self.greeting = greeting
        self._most = most_kept
        self._kept: list[_Numbered] = []
        self._newest = 0
        self._games: list[int] = []
        """Numbers of the newest two headers."""
        self._lock = Lock()

    @property
    def newest(self) -> int:
        """The newest number; 0 before the first line."""
        return self._newest

    @property
    def game_seq(self) -> int:
        """The number of the current game's header; 0 before the first game."""
        return self._games[-1] if self._games else 0

    def append(self, line: Line) -> int:
        """Add a line; give its number."""
        with self._lock:
            self._newest += 1
            self._kept.append(_Numbered(self._newest, line))
            if isinstance(line, GameBegun):
                self._games = [*self._games[-1:], self._newest]
                if len(self._games) == 2:
                    self._forget(self._games[0])
            if len(self._kept) > self._most:
                self._forget(self._newest - self._most * 9 // 10)
            return self._newest

    def _forget(self, before: int) -> None:
        """Forget the lines before this number."""
        del self._kept[: max(0, before - self._kept[0].seq)]

    def begin(self, since: int | None, life: str | None) -> int:
        """The number after which a reader's lines begin, who asks for what came since ``since`` of ``life``.

        ``since`` None: he asks for nothing, and gets what is new.
        """
        if since is None:
            return self._newest
        if since == 0 or life not in (None, self.greeting.life) or since > self._newest:
            return max(0, self.game_seq - 1)
        return since

    def after(self, seq: int, most: int = 200) -> list[tuple[int, bytes]]:
        """The next lines after number ``seq``, at most so many, with their numbers."""
        with self._lock:
            if not self._kept:
                return []
            first = max(0, seq + 1 - self._kept[0].seq)
            lines = self._kept[first : first + most]
        return [(line.seq, line.encoded()) for line in lines]
