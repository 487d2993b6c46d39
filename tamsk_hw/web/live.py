"""The live table as the page's process knows it: the numbered lines of the live stream, and the newest state.

It has no I/O; times are passed in. Lines are kept as facts, and put into words once for each language in which
somebody listens. A browser that comes back names the last line that it had. The page may have been started again
meanwhile: it then has the whole current game from the service, under the same numbers. So each browser gets each
ruling once, and in order. After a restart of the service browsers begin the game again: its header comes first.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from enum import Enum
from operator import index
from typing import Any, Final

from tamsk_hw.errors import JournalError
from tamsk_hw.facts.notices import Notice, read_notice
from tamsk_hw.forms import from_json
from tamsk_hw.live.stream import MOST_BATCH, NO_NAMES, Greeting, LineBuffer, Names, TableState, read_state
from tamsk_hw.referee.events import Arbiter, Link
from tamsk_hw.referee.rulings import BaseRuling, Ruling, parse_ruling
from tamsk_hw.referee.stream import parse_event
from tamsk_hw.system.output import Language
from tamsk_hw.system.sockets import Absence
from tamsk_hw.web.scene import TableScene, scene_of
from tamsk_hw.words.notices import notice_words
from tamsk_hw.words.prompts import decided_words
from tamsk_hw.words.rulings import is_routine, mark_of, said, say, short_clock
from tamsk_hw.words.translating import spoken

#: The most lines that are kept; a long game has some thousand.
MOST_KEPT: Final = 20_000

#: The most digits of a number in the place that a browser names.
_MOST_DIGITS: Final = 15


class LineKind(Enum):
    """The kinds of lines that browsers get; the value is the name of the server-sent event."""

    GAME = "game"
    RULING = "ruling"
    DECISION = "decision"
    """The arbiter has decided something (R9.6), or the board is back: other events are not passed on."""
    NOTICE = "notice"
    NAMES = "names"


#: The kind of a line by a key of it, the first that it has.
_KINDS: Final = dict(zip(("header", "ruling", "event", "notice", "names"), LineKind, strict=True))

#: What marks a ruling that this version does not know.
_UNMARKED: Final = {"mark": "", "routine": False}

#: Kinds of lines that have words.
_WORDED: Final = frozenset({LineKind.RULING, LineKind.DECISION, LineKind.NOTICE})


def compact(record: object) -> str:
    """A JSON text on one line, without blanks. Raises `ValueError` for a number that JSON does not know."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"), allow_nan=False)


def server_sent(kind: str, record: object, place: StreamPlace | None = None) -> bytes:
    """A server-sent event; with a ``place`` the browser names that when it comes back."""
    named = "" if place is None else f"id: {place}\n"
    return f"{named}event: {kind}\ndata: {compact(record)}\n\n".encode(errors="backslashreplace")


@dataclass(frozen=True, slots=True)
class StreamPlace:
    """The place of a line: its number in a life of the service."""

    life: str
    seq: int

    def __str__(self) -> str:
        return f"{self.life}-{self.seq}"

    @classmethod
    def read(cls, text: str | None) -> StreamPlace | None:
        """The place that a browser names; None without one, and for a text that is none."""
        life, dash, digits = (text or "").rpartition("-")
        if not dash or not digits.isascii() or not digits.isdigit() or len(digits) > _MOST_DIGITS:
            return None
        return cls(life, int(digits))


@dataclass(frozen=True, slots=True)
class KeptLine:
    """A line: what it is, its JSON object as the service sent it, and its place.

    ``fact`` is what a page puts into words by itself; None for other lines, and for what a newer service says.
    """

    kind: LineKind
    record: Mapping[str, Any]
    place: StreamPlace
    fact: Ruling | Arbiter | Link | Notice | None = None
    _sent: dict[Language | None, bytes] = field(default_factory=dict, compare=False)

    @property
    def sent(self) -> bytes:
        """The bytes that every browser of the language that is spoken gets; made once for all of them."""
        language = spoken() if self.kind in _WORDED else None
        data = self._sent.get(language)
        if data is None:
            data = self._sent[language] = server_sent(self.kind.value, self.shown(), self.place)
        return data

    def shown(self) -> Mapping[str, Any]:
        """The line as it is shown, in the language that is spoken.

        Those of rulings and decisions have ``clock``, the sentence ``said`` and its ``clause`` besides.
        """
        match self.fact:
            case Arbiter() | Link() | BaseRuling() as fact:
                shown = cited(fact)
            case None if self.kind is LineKind.RULING:  # the service's words have the clause, too
                clock = short_clock(self.record["ruling"]["t"])
                shown = {"clock": clock, "said": str(self.record["words"]), "clause": "", **_UNMARKED}
            case None:
                shown = {}
            case notice:
                shown = {"words": notice_words(notice)}
        if isinstance(self.fact, BaseRuling):
            shown = {"words": say(self.fact), **shown}
        return {**self.record, **shown}


def cited(what: Ruling | Arbiter | Link) -> dict[str, Any]:
    """A ruling, decision or board that is back: ``clock``, ``said``, ``clause``, ``mark``, ``routine``."""
    words = said(what) if isinstance(what, BaseRuling) else decided_words(what)
    shown = {"clock": short_clock(what.t), "said": words, "clause": what.rule}
    return {**shown, "mark": mark_of(what), "routine": is_routine(what)}


def _fact(kind: LineKind, record: Mapping[str, Any]) -> Ruling | Arbiter | Link | Notice | None:
    """The fact of a line that is put into words here; None for other lines, and for what a newer service says."""
    match kind, record:
        case LineKind.RULING, _:
            with suppress(JournalError):
                return parse_ruling(record["ruling"])
        case LineKind.DECISION, {"event": {"event": "arbiter"} | {"event": "link", "state": "restored"}}:
            event = parse_event(record["event"], "line")
            return event if isinstance(event, Arbiter | Link) else None
        case LineKind.NOTICE, _:
            return read_notice(record["notice"])
    return None


@dataclass(frozen=True, slots=True)
class WatchedGame:
    """The current game: its key for ever, its number in the journal once it has one, its names."""

    key: str
    number: int | None
    names: Names


class TableLines(LineBuffer[KeptLine]):
    """The lines of the current game and the previous one, in one life of the service at a time."""

    def __init__(self, *, most: int = MOST_KEPT) -> None:
        super().__init__(most)
        self.life: str | None = None
        self.game: WatchedGame | None = None

    def greet(self, life: str) -> Mapping[str, Any]:
        """The service of this life is there; give what to ask it for. Another life begins everything from new."""
        if life != self.life:
            self.clear()
            self.life, self.game = life, None
        return {"since": self.newest, "life": life}

    def feed(self, record: Mapping[str, Any]) -> KeptLine | None:
        """Keep a numbered line; None for one that browsers do not get, and for one that is known already.

        Raises:
            TamskError, LookupError, TypeError, ValueError, AttributeError, ArithmeticError: it is no such line.
        """
        seq = index(record["seq"])
        if self.life is None or seq <= self.newest:
            return None
        self.newest = seq
        kind = next((kind for key, kind in _KINDS.items() if key in record), None)
        if kind is None:
            if self.game is not None and record.get("game") is not None:  # the journal has it
                self.game = replace(self.game, number=_number(record["game"]))
            return None
        fact = _fact(kind, record)
        if kind is LineKind.DECISION and fact is None:
            return None
        line = KeptLine(kind, record, StreamPlace(self.life, seq), fact)
        _ = line.sent  # raises here, before anybody watches, if the line is none
        if kind is LineKind.GAME:
            self.game = WatchedGame(str(record["key"]), _number(record["game"]), Names.read(record))
        elif kind is LineKind.NAMES and self.game is not None:
            self.game = replace(self.game, names=Names.read(record))
        self.keep(line, begins_game=kind is LineKind.GAME)
        return line

    def begin(self, place: StreamPlace | None) -> int:
        """The number after which the lines begin of a browser that had ``place`` last.

        Without a place, and for one of another life, they are the current game whole. A line that is still to come
        counts: a page that was started again hears of the game only after browsers have come back.
        """
        if place is None or place.life != self.life:
            return max(0, self.game_seq - 1)
        return place.seq

    def after(self, seq: int, most: int = MOST_BATCH) -> list[KeptLine]:
        """The next lines after number ``seq``, at most ``most``."""
        return [line for _, line in self.kept_after(seq, most)]

    def current(self, *kinds: LineKind) -> list[KeptLine]:
        """The lines of the current game of these kinds."""
        return [line for line in self.after(self.begin(None), MOST_KEPT) if line.kind in kinds]

    def rulings(self) -> list[Ruling]:
        """The rulings of the current game, without those that this version does not know."""
        facts = (line.fact for line in self.current(LineKind.RULING))
        return [fact for fact in facts if isinstance(fact, BaseRuling)]

    @property
    def place(self) -> StreamPlace | None:
        """The newest line's place; None before the first."""
        return None if self.life is None else StreamPlace(self.life, self.newest)


def _number(value: Any) -> int | None:
    """A game's number in the journal. Raises `TypeError` for what is none."""
    return None if value is None else index(value)


#: Real seconds between two states that browsers are sent while only sand runs: at most, and at least.
MOST_SECONDS: Final = 1.0
LEAST_SECONDS: Final = 0.1

#: Seconds of the game between two states, at whatever speed it is played.
GAME_SECONDS: Final = 0.5


class NewsFeed:
    """Wakes everybody who watches when it has news."""

    def __init__(self) -> None:
        self._wake: set[Callable[[], None]] = set()

    def watch(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` whenever there is news, until `leave`."""
        self._wake.add(wake)

    def leave(self, wake: Callable[[], None]) -> None:
        """Stop calling ``wake``."""
        self._wake.discard(wake)

    def publish(self) -> None:
        """There is news."""
        for wake in tuple(self._wake):
            wake()

    def sent(self) -> bytes:
        """The news as a server-sent event of its own, in the current language; none here."""
        return b""


class LiveTable(NewsFeed):
    """The table as the live stream reports it: a `tamsk_hw.system.sockets.Listener`.

    ``service`` and ``scene`` are the last that were known: with ``absence`` not None they are of the past, and
    ``since`` (seconds since 1970) says when the stream was lost or found.
    """

    def __init__(self, clock: Callable[[], float], calendar: Callable[[], float]) -> None:
        """``clock`` gives seconds that never decrease, ``calendar`` those since 1970."""
        super().__init__()
        self._clock = clock
        self._calendar = calendar
        self.kept = TableLines()
        self.service: Greeting | None = None
        self.absence: Absence | None = Absence.NONE_THERE
        self.since = calendar()
        self.scene: TableScene | None = None
        self.unplugged: float | None = None
        """The time at which the board was lost (seconds since 1970); None while it is there."""
        self.service_sent = b""
        """The server-sent event with what is known of the service."""
        self.state_sent = b""
        """The server-sent event with the newest state; empty before the first."""
        self.is_closing = False
        """The page ends."""
        self._record: Mapping[str, Any] | None = None
        self._due = float("-inf")
        self.streams = 0
        """The number of browsers that have a stream of this table, or of the same one as eyes see it."""
        self._publish_service()

    def close(self) -> None:
        """The page ends: so does every watcher's stream."""
        self.is_closing = True
        self.publish()

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The service is there; return the request for the lines that were missed.

        Raises:
            StreamError, ValueError: it is no greeting.
        """
        service: Greeting = from_json(Greeting, greeting, "greeting")
        if service.speed <= 0:
            raise ValueError(service.speed)
        if self.service is None or service.life != self.service.life:
            self.scene, self._record, self.state_sent = None, None, b""
        self.service, self.absence, self.since = service, None, self._calendar()
        wanted = self.kept.greet(service.life)
        self._due = float("-inf")
        self._publish_service()
        return wanted

    def lost(self, why: Absence) -> None:
        """The service is not there."""
        if self.absence is None:
            self.since = self._calendar()
        if self.absence is not why:
            self.absence = why
            self._publish_service()

    def heard(self, record: Mapping[str, Any]) -> None:
        """A line of the stream."""
        if "seq" in record:
            line = self.kept.feed(record)
            if line is None:
                return
            self._due = float("-inf")
            if line.kind in (LineKind.GAME, LineKind.NAMES) and self.scene is not None:
                self._show(self.scene.state)
            self.publish()
        elif "state" in record:
            self._record = record["state"]
            self._show(read_state(record["state"]))

    def _show(self, state: TableState) -> None:
        """Send a state at once when it looks different, and from time to time while sand runs."""
        assert self.service is not None
        names = NO_NAMES if self.kept.game is None else self.kept.game.names
        before, now = self.scene, self._clock()
        scene = self.scene = scene_of(state, names, simulated=self.service.simulated)
        if not state.view.link_lost:
            self.unplugged = None
        elif self.unplugged is None:
            self.unplugged = self._calendar()
        if before is None or before.at != scene.at or now >= self._due:
            self._due = now + min(MOST_SECONDS, max(LEAST_SECONDS, GAME_SECONDS / self.service.speed))
            shown = {"at": scene.at, "runs": scene.runs, "unplugged": self.unplugged, "state": self._record}
            self.state_sent = server_sent("state", shown)
            self.publish()

    def _publish_service(self) -> None:
        service = self.service
        self.service_sent = server_sent(
            "service",
            {
                "here": self.absence is None,
                "why": None if self.absence is None else self.absence.value,
                "since": self.since,
                **{name: getattr(service, name, None) for name in ("life", "program", "simulated", "speed")},
            },
        )
        self.publish()
