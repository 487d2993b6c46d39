"""The live stream and its lines, as facts and as JSON objects (docs/live.md, Lines). Without I/O or clock."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from operator import itemgetter
from threading import Lock
from typing import Any, ClassVar, Final, Generic, TypeVar

from tamsk_hw.errors import LiveError, StreamError, shortened
from tamsk_hw.facts.notices import Notice
from tamsk_hw.forms import Shape, from_json, to_json
from tamsk_hw.partner.intention import Advice
from tamsk_hw.referee.events import ButtonName, Event
from tamsk_hw.referee.rulings import BaseRuling, Ruling
from tamsk_hw.referee.stream import Header
from tamsk_hw.referee.view import Phase, View
from tamsk_hw.system.output import BaseNotice
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

    def without(self, name: str) -> Names:
        """The names but this one."""
        return Names(red=None if self.red == name else self.red, black=None if self.black == name else self.black)

    @classmethod
    def read(cls, record: Mapping[str, Any]) -> Names:
        """Those in a line, in which other versions may say more. Raises `StreamError` or `AttributeError`."""
        given = record.get("names") or {}
        names: Names = from_json(cls, {key: given.get(key) for key in ("red", "black")}, "names")
        return names


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
class SavedTo:
    """Everything up to line ``seq`` is on the disk; ``game`` is the game's number in the journal."""

    seq: int
    game: int | None
    shape: ClassVar = Shape(keys={"seq": "saved"})


#: The content of a numbered line: a game, an event that the referee took, a ruling that followed, a notice, the
#: names that the players have from now on, or what is saved.
Line = GameBegun | Event | Ruling | Notice | Names | SavedTo


def line_as_dict(line: Line, seq: int) -> dict[str, Any]:
    """The line with number ``seq`` as its JSON object."""
    match line:
        case GameBegun() | SavedTo():
            return {"seq": seq, **to_json(line)}
        case BaseRuling():
            return {"seq": seq, "ruling": to_json(line), "words": say(line)}
        case BaseNotice():
            return {"seq": seq, "notice": to_json(line), "words": notice_words(line)}
        case Names():
            return {"seq": seq, "names": to_json(line)}
        case event:
            return {"seq": seq, "event": to_json(event)}


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


#: The most lines that are sent at once.
MOST_BATCH: Final = 200

T = TypeVar("T")


class LineBuffer(Generic[T]):
    """The numbered lines of the current game and the previous one, in one life of a service."""

    def __init__(self, most: int) -> None:
        """``most``: the most lines that are kept."""
        self.newest = 0
        """The newest number, also of a line that is not kept; 0 before the first."""
        self._most = most
        self._lines: list[tuple[int, T]] = []
        self._games: tuple[int, ...] = ()
        """Numbers of the newest two headers."""

    @property
    def game_seq(self) -> int:
        """The number of the current game's header; 0 before the first game."""
        return self._games[-1] if self._games else 0

    def keep(self, line: T, *, begins_game: bool) -> None:
        """Keep the line of the newest number; with another game forget the one before the previous."""
        if begins_game:
            self._games = (*self._games[-1:], self.newest)
            if len(self._games) == 2:
                del self._lines[: self._position(self._games[0] - 1)]
        self._lines.append((self.newest, line))
        if len(self._lines) > self._most:
            del self._lines[: max(1, self._most // 10)]

    def clear(self) -> None:
        """Forget everything: another life begins."""
        self.newest, self._games = 0, ()
        self._lines.clear()

    def kept_after(self, seq: int, most: int = MOST_BATCH) -> list[tuple[int, T]]:
        """The next lines after number ``seq`` with their numbers, at most ``most``."""
        first = self._position(seq)
        return self._lines[first : first + most]

    def _position(self, seq: int) -> int:
        """The index of the first line after number ``seq``."""
        return bisect_right(self._lines, seq, key=itemgetter(0))


class _Sendable:
    """A line, and its bytes once somebody wanted them."""

    def __init__(self, seq: int, line: Line) -> None:
        self._seq = seq
        self._line = line

    @cached_property
    def data(self) -> bytes:
        """The line as it is sent."""
        return encoded(line_as_dict(self._line, self._seq))


class LiveStream(LineBuffer[_Sendable]):
    """The lines of one life. One thread appends, another may read."""

    def __init__(self, greeting: Greeting, *, most_kept: int = MOST_KEPT) -> None:
        super().__init__(most_kept)
        self.greeting = greeting
        self._lock = Lock()

    def append(self, line: Line) -> int:
        """Add a line; give its number."""
        with self._lock:
            self.newest += 1
            self.keep(_Sendable(self.newest, line), begins_game=isinstance(line, GameBegun))
            return self.newest

    def begin(self, since: int, life: str | None) -> int:
        """The number after which a reader's lines begin that asks for those since ``since`` of ``life``."""
        if since == 0 or life not in (None, self.greeting.life) or since > self.newest:
            return max(0, self.game_seq - 1)
        return since

    def after(self, seq: int, most: int = MOST_BATCH) -> list[tuple[int, bytes]]:
        """The next lines after number ``seq``, at most ``most``, with their numbers."""
        with self._lock:
            lines = self.kept_after(seq, most)
        return [(seq, line.data) for seq, line in lines]


#: The phase while an unfinished game waits to be resumed.
OFFERED: Final = "offered"


@dataclass(frozen=True, slots=True)
class TableState:
    """The state of a table: the game as it stands; ``offered``: an unfinished one waits to be resumed;
    ``buttons``: those that work; ``advice``: the act that somebody is asked to carry out.
    """

    view: View
    offered: bool
    buttons: frozenset[ButtonName] = frozenset()
    advice: Advice | None = None

    @property
    def phase(self) -> str:
        """The phase: ``offered``, ``setup``, ``play``, ``sand`` or ``over``."""
        return OFFERED if self.offered else self.view.phase.value

    @property
    def runs(self) -> bool:
        """Something in it changes by the passing of time alone: sand, or seconds of a right."""
        view = self.view
        return view.is_played and (
            any(glass.state.may_run for glass in view.glasses)
            or view.deadline is not None
            or bool(view.announced)
            or any(right.seconds is not None for right in view.ring_open.values())
        )

    def is_news_after(self, other: TableState | None) -> bool:
        """It says more than the other one: not only that time has passed in which nothing ran."""
        if other is None or self.runs or replace(self, view=other.view) != other:
            return self != other
        return replace(self.view, t=other.view.t) != other.view


def state_as_dict(state: TableState) -> dict[str, Any]:
    """The state as its JSON object, always whole."""
    more = {
        "buttons": [button.value for button in ButtonName if button in state.buttons],
        "advice": None if state.advice is None else to_json(state.advice),
    }
    record: dict[str, Any] = to_json(state.view)
    return record | {"phase": state.phase} | more


def read_state(record: Mapping[str, Any]) -> TableState:
    """The state of a JSON object.

    The time of the result is not in the object: that of the state stands for it.

    Raises:
        LiveError: the object is no state that this version of the program knows.
    """
    try:
        offered = record["phase"] == OFFERED
        if offered:  # which names no phase
            begun = Phase.PLAY if record["number"] else Phase.SETUP
            record = {**record, "phase": (begun if record["over"] is None else Phase.OVER).value}
        view: View = from_json(View, record, "state")
        if not view.tubes:
            raise LookupError("no tubes")
        if view.over is not None:
            view = replace(view, over=replace(view.over, t=view.t))
        advice = from_json(Advice | None, record.get("advice"), "state", "advice")
        buttons = from_json(frozenset[ButtonName], record.get("buttons", []), "state", "buttons")
        return TableState(view, offered, buttons, advice)
    except (LookupError, TypeError, ValueError, StreamError) as error:
        raise LiveError(f"the service has sent a state that is not understood ({shortened(str(error))})") from None
