"""The stream itself: its lines, their numbers, and what a reader who comes later is told. Without I/O or clock."""

from __future__ import annotations

from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

from tamsk_hw.live.lines import GameBegun, Line, line_as_dict
from tamsk_hw.system.socket_client import encoded

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

    def as_dict(self, seq: int) -> dict[str, Any]:
        """The line as its JSON object; ``seq`` is the newest number."""
        return {
            "live": 1,
            "life": self.life,
            "program": self.program,
            "board": self.board,
            "simulated": self.simulated,
            "speed": self.speed,
            "seq": seq,
        }


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
