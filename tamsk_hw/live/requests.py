"""The lines that readers send, as facts, and the answers to them (docs/live.md, Requests)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Any, Final

from tamsk_hw.errors import JournalError, StreamError, printable
from tamsk_hw.journal.entries import checked_name
from tamsk_hw.live.advice import read_advice
from tamsk_hw.live.journal_requests import ChangeGames, ImportPiece, ImportStream, only, read_change
from tamsk_hw.live.lines import Names
from tamsk_hw.partner.advice import Advice
from tamsk_hw.referee.events import Arbiter, Button
from tamsk_hw.referee.header import parse_header, refuse
from tamsk_hw.referee.stream import parse_event

#: The most characters of an asker's own id.
MOST_ID: Final = 200

_WHERE: Final = "line"


class GameAnswer(Enum):
    """The answers to an offered game, and to one that is over; a rematch is the next one with colours swapped."""

    RESUME = "resume"
    ABANDON = "abandon"
    NEXT = "next"
    REMATCH = "rematch"


@dataclass(frozen=True, slots=True)
class Since:
    """A reader wants what came after line ``seq``; ``life`` None: of this life."""

    seq: int
    life: str | None


@dataclass(frozen=True, slots=True)
class DoEvent:
    """Do as if this was pressed or decided; the event's own time says nothing."""

    event: Button | Arbiter


@dataclass(frozen=True, slots=True)
class DoGame:
    """Answer the offered game, or begin the next."""

    answer: GameAnswer


@dataclass(frozen=True, slots=True)
class SetUp:
    """Play the next game, or this one before its start, by other rules or under other names.

    ``ruleset`` has the keys that were given, each checked; ``names`` None: they stay.
    """

    ruleset: Mapping[str, Any] | None
    names: Names | None


@dataclass(frozen=True, slots=True)
class Advise:
    """Show this advice at the board while the position stands, in place of an earlier one; None: show none."""

    advice: Advice | None


#: What an asker calls his request: a text of at most `MOST_ID` characters, a whole number, or nothing.
Identifier = str | int | None

Deed = DoEvent | DoGame | SetUp | Advise | ChangeGames | ImportStream


@dataclass(frozen=True, slots=True)
class Request:
    """A deed that is asked for; ``id`` is the asker's own, which the answer repeats."""

    id: Identifier
    deed: Deed


@dataclass(frozen=True, slots=True)
class HandOver:
    """A piece of a stream that is to be imported."""

    id: Identifier
    piece: ImportPiece


class RequestError(StreamError):
    """A reader's line is refused; ``id`` is the one it has, None without one."""

    def __init__(self, error: StreamError, id: Identifier) -> None:
        super().__init__(printable(str(error)))
        self.id = id


def read_request(data: bytes) -> Since | Request | HandOver:
    """Read a line from a reader.

    Raises:
        RequestError: it is not understood; the message names key, value and what is allowed.
    """
    try:
        record = json.loads(data.decode())
    except (ValueError, RecursionError):
        refused = StreamError(f"{_WHERE}: no JSON; allowed: one JSON object a line, in UTF-8")
        raise RequestError(refused, None) from None
    asker = None
    try:
        if isinstance(record, dict):
            asker = _identifier(record.get("id"))
        return _read(record, asker)
    except StreamError as error:
        raise RequestError(error, asker) from None


def _identifier(value: Any) -> Identifier:
    match value:
        case None:
            return None
        case str() if len(value) <= MOST_ID:
            return value
        case int() if not isinstance(value, bool):
            return value
        case _:
            raise refuse(_WHERE, "id", value, f"a text of at most {MOST_ID} characters, or a whole number")


def _read(record: Any, asker: Identifier) -> Since | Request | HandOver:
    if not isinstance(record, dict):
        raise refuse(_WHERE, "the line", record, "an object with since, do, setup, advise or journal")
    if "since" in record:
        _only(record, "since", ("since", "life"))
        return _since(record)
    if "do" in record:
        _only(record, "do", ("id", "do"))
        return Request(asker, _do(record["do"]))
    if "setup" in record:
        _only(record, "setup", ("id", "setup"))
        return Request(asker, _set_up(record["setup"]))
    if "advise" in record:
        _only(record, "advise", ("id", "advise"))
        return Request(asker, _advise(record["advise"]))
    if "journal" in record:
        _only(record, "journal", ("id", "journal"))
        change = read_change(record["journal"], _WHERE)
        return HandOver(asker, change) if isinstance(change, ImportPiece) else Request(asker, change)
    raise StreamError(f"{_WHERE}: the object has no since, do, setup, advise or journal; allowed: one of them")


def _only(record: Mapping[str, Any], what: str, allowed: tuple[str, ...]) -> None:
    only(record, what, allowed, _WHERE)


def _since(record: Mapping[str, Any]) -> Since:
    seq, life = record["since"], record.get("life")
    if type(seq) is not int or seq < 0:
        raise refuse(_WHERE, "since", seq, "a whole number, 0 or more")
    if life is not None and not isinstance(life, str):
        raise refuse(_WHERE, "life", life, "the life of a greeting, or none")
    return Since(seq, life)


def _do(value: Any) -> Deed:
    if isinstance(value, dict) and "game" in value:
        _only(value, "do", ("game",))
        answers = {answer.value: answer for answer in GameAnswer}
        answer = value["game"]
        if not isinstance(answer, str) or answer not in answers:
            raise refuse(_WHERE, "game", answer, ", ".join(f'"{name}"' for name in answers))
        return DoGame(answers[answer])
    if not isinstance(value, dict):
        raise refuse(_WHERE, "do", value, "a button or arbiter event without t, or a game answer")
    if "t" in value:
        raise StreamError(f"{_WHERE}: unknown key 't' in do; it takes effect now")
    event = parse_event({"t": 0.0, **value}, _WHERE)
    if not isinstance(event, Button | Arbiter):
        raise refuse(_WHERE, "event", value["event"], '"button", "arbiter"')
    return DoEvent(event)


def _set_up(value: Any) -> SetUp:
    if not isinstance(value, dict):
        raise refuse(_WHERE, "setup", value, "an object with ruleset, names or both")
    _only(value, "setup", ("ruleset", "names"))
    if not value:
        raise StreamError(f"{_WHERE}: setup is empty; allowed: ruleset, names or both")
    ruleset: dict[str, Any] | None = None
    if "ruleset" in value:
        ruleset = value["ruleset"]
        if isinstance(ruleset, dict) and "tubes" in ruleset:
            raise StreamError(f"{_WHERE}: unknown key 'tubes' in setup; the board has the tubes that it has")
        parse_header({"tamsk": 1, "ruleset": ruleset}, _WHERE)
    return SetUp(ruleset, _names(value["names"]) if "names" in value else None)


def _advise(value: Any) -> Advise:
    try:
        return Advise(None if value is None else read_advice(value))
    except (KeyError, ValueError, TypeError, AttributeError):
        raise refuse(_WHERE, "advise", value, "an advice as a state has it, or null") from None


def _names(value: Any) -> Names:
    if not isinstance(value, dict):
        raise refuse(_WHERE, "names", value, "an object with red and black")
    _only(value, "names", ("red", "black"))
    for player, name in value.items():
        if name is not None and not isinstance(name, str):
            raise refuse(_WHERE, f"names.{player}", name, "a text, or null")
    try:
        return Names(red=checked_name(value.get("red")), black=checked_name(value.get("black")))
    except JournalError as error:
        raise StreamError(f"{_WHERE}: {error}") from None
