"""Streams as JSON Lines: a header, then events (docs/formats.md)."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from enum import Enum
from typing import Any, Final, assert_never

from tamsk_hw.errors import StreamError
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import RINGS_EACH, TUBE_OF_NAME, End, Player, Tube, names_of
from tamsk_hw.referee.events import (
    Action,
    Arbiter,
    Button,
    ButtonName,
    Event,
    Fault,
    Holder,
    Lift,
    Link,
    LinkState,
    Press,
    Rings,
    Seat,
    SensorId,
    Tick,
    Tilt,
    TimerLifted,
    TimerSeated,
)
from tamsk_hw.referee.header import TUBE_NAMES, Header, is_number, parse_header, refuse, shortened

#: The latest time of an event: ten thousand hours. Without a bound one event makes charts and replays endless.
MOST_SECONDS: Final = 3.6e7

#: The highest ring count of a tube: all rings of the game.
_MOST_RINGS = 2 * RINGS_EACH


#: Characters around a line's JSON that do not count.
_BLANK = "\ufeff \t\r\n"

_SPAN = "[least, most], seconds of 0 or more, at most 1e15, the least not above the most"


class _Record:
    """One event's JSON object, with checked access to its fields."""

    __slots__ = ("fields", "where")

    def __init__(self, fields: Mapping[str, Any], where: str) -> None:
        self.fields = fields
        self.where = where

    def _get(self, key: str, allowed: str) -> Any:
        try:
            return self.fields[key]
        except KeyError:
            raise StreamError(f"{self.where}: {self.fields['event']} has no {key!r}; allowed: {allowed}") from None

    def tube(self) -> Tube:
        value = self._get("tube", TUBE_NAMES)
        tube = TUBE_OF_NAME.get(value) if isinstance(value, str) else None
        if tube is None:
            raise refuse(self.where, "tube", value, TUBE_NAMES)
        return tube

    def choice(self, key: str, choices: Mapping[str, Any]) -> Any:
        value = self.fields.get(key)
        found = choices.get(value) if isinstance(value, str) else None
        if found is None:
            allowed = ", ".join(f'"{name}"' for name in choices)
            raise refuse(self.where, key, self._get(key, allowed), allowed)
        return found

    def count(self, most: int) -> int:
        value = self._get("count", f"0 to {most}")
        if type(value) is not int or not 0 <= value <= most:
            raise refuse(self.where, "count", value, f"0 to {most}")
        return value

    def text(self, key: str) -> str:
        value = self._get(key, "a text")
        if not isinstance(value, str):
            raise refuse(self.where, key, value, "a text")
        return value

    def span(self, key: str) -> tuple[float, float]:
        value = self._get(key, _SPAN)
        if not isinstance(value, list) or len(value) != 2 or not all(map(is_number, value)):
            raise refuse(self.where, key, value, _SPAN)
        least, most = float(value[0]), float(value[1])
        if not 0 <= least <= most:
            raise refuse(self.where, key, value, _SPAN)
        return least, most

    def flag(self, key: str) -> bool:
        value = self.fields.get(key, False)
        if not isinstance(value, bool):
            raise refuse(self.where, key, value, "true or false")
        return value


def _values(enum: type[Enum]) -> dict[str, Any]:
    return {str(item.value): item for item in enum}


_ENDS = _values(End)
_PLAYERS = _values(Player)
_BUTTONS = _values(ButtonName)
_PRESSES = _values(Press)
_LINK_STATES = _values(LinkState)
_ACTIONS = _values(Action)
_TIMER_STATES = {"seated": "seated", "lifted": "lifted"}


def _seat(t: float, record: _Record) -> Event:
    colour = record.choice("colour", _PLAYERS) if "colour" in record.fields else None
    return Seat(t, record.tube(), record.choice("end", _ENDS), colour)


def _timer(t: float, record: _Record) -> Event:
    if record.choice("state", _TIMER_STATES) == "lifted":
        if "end" in record.fields:
            raise StreamError(
                f"{record.where}: unknown key 'end' in a timer that is lifted; allowed: t, event, state"
            )
        return TimerLifted(t)
    return TimerSeated(t, record.choice("end", _ENDS))


def _link(t: float, record: _Record) -> Event:
    state: LinkState = record.choice("state", _LINK_STATES)
    if "away" not in record.fields:
        return Link(t, state)
    if state is LinkState.LOST:
        raise StreamError(f"{record.where}: unknown key 'away' in a link that is lost; allowed: t, event, state")
    return Link(t, state, record.span("away"))


def _needs(action: Action) -> tuple[str, ...]:
    """The keys of a decision besides its action."""
    match action:
        case Action.AWARD:
            return ("winner",)
        case Action.ABANDON:
            return ()
        case Action.EXPIRE | Action.REVIVE | Action.UNCOUNT:
            return ("tube",)
        case Action.RING:
            return ("tube", "player")
        case _:
            assert_never(action)


def _arbiter(t: float, record: _Record) -> Event:
    action: Action = record.choice("action", _ACTIONS)
    needs = _needs(action)
    for key in ("winner", "tube", "player"):
        if key in record.fields and key not in needs:
            raise StreamError(
                f"{record.where}: unknown key {key!r} in arbiter {action.value}; "
                f"allowed: {', '.join(('t', 'event', 'action', *needs))}"
            )
    tube = record.tube() if "tube" in needs else None
    player = None
    for key in ("winner", "player"):
        if key in needs:
            player = record.choice(key, _PLAYERS)
    return Arbiter(t, action, tube, player)


_Reader = Callable[[float, _Record], Event]

#: The allowed keys and the reader of each event.
_EVENTS: dict[str, tuple[frozenset[str], _Reader]] = {
    name: (frozenset(("t", "event", *keys)), reader)
    for name, keys, reader in (
        ("seat", ("tube", "end", "colour"), _seat),
        ("lift", ("tube",), lambda t, r: Lift(t, r.tube())),
        ("tilt", ("tube",), lambda t, r: Tilt(t, r.tube())),
        ("rings", ("tube", "count"), lambda t, r: Rings(t, r.tube(), r.count(_MOST_RINGS))),
        (
            "holder",
            ("player", "count"),
            lambda t, r: Holder(t, r.choice("player", _PLAYERS), r.count(_MOST_RINGS)),
        ),
        ("timer", ("state", "end"), _timer),
        (
            "button",
            ("button", "press"),
            lambda t, r: Button(t, r.choice("button", _BUTTONS), r.choice("press", _PRESSES)),
        ),
        ("link", ("state", "away"), _link),
        (
            "fault",
            ("sensor", "detail", "cleared"),
            lambda t, r: Fault(t, SensorId.named(r.text("sensor")), r.text("detail"), r.flag("cleared")),
        ),
        ("arbiter", ("action", "tube", "player", "winner"), _arbiter),
        ("tick", (), lambda t, r: Tick(t)),
    )
}


def parse_event(value: Any, where: str = "event") -> Event:
    """Read an event from its JSON object.

    Raises:
        StreamError: it is no event; the message names ``where``, key, value and what is allowed.
    """
    if not isinstance(value, Mapping):
        raise refuse(where, "the event", value, "an object")
    name = value.get("event")
    known = _EVENTS.get(name) if isinstance(name, str) else None
    if known is None:
        if "event" not in value:
            raise StreamError(f"{where}: the object has no 'event'; allowed: {', '.join(_EVENTS)}")
        raise refuse(where, "event", name, ", ".join(_EVENTS))
    keys, reader = known
    if not keys.issuperset(value):
        odd = next(key for key in value if key not in keys)
        raise StreamError(f"{where}: unknown key {shortened(odd)} in {name}; allowed: {', '.join(sorted(keys))}")
    t = value.get("t")
    if type(t) is not float:
        if "t" not in value:
            raise StreamError(f"{where}: {name} has no 't'; allowed: a number of seconds, 0 or more")
        if type(t) is not int:
            raise refuse(where, "t", t, "a number of seconds, 0 or more")
    if not 0 <= t <= MOST_SECONDS:
        raise refuse(where, "t", t, "a number of seconds, 0 or more, at most 3.6e7")
    return reader(float(t), _Record(value, where))


def check_tube(event: Event, ruleset: Ruleset, where: str = "event") -> None:
    """Refuse an event of a tube that the board does not have.

    Raises:
        StreamError: the message names ``where``, the tube, and those that are there.
    """
    tube: Tube | None = getattr(event, "tube", None)
    if tube is not None and not ruleset.tube_mask >> tube & 1:
        raise refuse(where, "tube", tube.name, names_of(ruleset.tubes))


class _TwiceError(ValueError):
    """An object has a key twice."""


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    record = dict(pairs)
    if len(record) != len(pairs):
        names = [name for name, _ in pairs]
        raise _TwiceError(next(name for name in names if names.count(name) > 1))
    return record


_DECODER = json.JSONDecoder(object_pairs_hook=_once)


def is_torn(line: bytes) -> bool:
    """True for a line without its end that is no JSON: what a crash leaves of a stream's last line."""
    if line.endswith(b"\n"):
        return False
    try:
        _DECODER.decode(line.decode("utf-8").strip(_BLANK))
    except (json.JSONDecodeError, UnicodeDecodeError):
        return bool(line.strip())
    except (ValueError, RecursionError):  # it is JSON, and refused for another reason
        return False
    return False


def _load(text: str, where: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        near = shortened(text[max(0, error.pos - 10) : error.pos + 20])
        words = f"{error.msg} at column {error.colno}, near {near}"
        raise StreamError(f"{where}: not JSON ({words}); allowed: one JSON object a line") from None
    except _TwiceError as error:
        raise StreamError(f"{where}: {shortened(str(error))} appears twice; allowed: each key once") from None
    except RecursionError:
        raise StreamError(f"{where}: nested too deeply; allowed: one JSON object a line") from None
    except ValueError:
        raise StreamError(f"{where}: a number with thousands of digits; allowed: at most 1e15") from None


def _text(line: str | bytes, where: str) -> str:
    if isinstance(line, str):
        return line
    try:
        return line.decode("utf-8")
    except UnicodeDecodeError as error:
        raise StreamError(f"{where}: not UTF-8 text ({error.reason} at byte {error.start + 1})") from None


def load_line(line: str | bytes, where: str) -> Any:
    """One line's JSON value.

    Raises:
        StreamError: it is no UTF-8 text, or no JSON; the message names ``where``.
    """
    return _load(_text(line, where).strip("\ufeff \t\r\n"), where)


def read_stream(lines: Iterable[str | bytes], name: str = "stream") -> tuple[Header, Iterator[Event]]:
    """Read a stream: its header at once, its events as they are asked for.

    Args:
        lines: the lines of the stream; blank ones are passed over.
        name: its name in messages, e.g. its file.

    Raises:
        StreamError: the header is missing or wrong; the events' iterator raises it for a wrong event, for one
            that is older than the one before, and for lines that are no text.
    """
    placed = (
        (where, text)
        for number, line in enumerate(lines, start=1)
        if (text := _text(line, where := f"{name} line {number}").strip(_BLANK))
    )
    for where, text in placed:
        header = parse_header(_load(text, where), where)
        return header, _events(placed, header.ruleset)
    raise StreamError(f'{name} line 1: the stream is empty; allowed: a header such as {{"tamsk": 1}}, then events')


def _events(placed: Iterator[tuple[str, str]], ruleset: Ruleset) -> Iterator[Event]:
    last = -math.inf
    for where, text in placed:
        event = parse_event(_load(text, where), where)
        check_tube(event, ruleset, where)
        if event.t < last:
            raise refuse(where, "t", event.t, f"{last} or later, time never goes back")
        last = event.t
        yield event


def event_as_dict(event: Event) -> dict[str, Any]:
    """The event as its JSON object (docs/formats.md, Events); `parse_event` reads it back."""
    match event:
        case Seat(t, tube, end, colour):
            seat = {"t": t, "event": "seat", "tube": tube.name, "end": end.value}
            return seat if colour is None else {**seat, "colour": colour.value}
        case Lift(t, tube):
            return {"t": t, "event": "lift", "tube": tube.name}
        case Tilt(t, tube):
            return {"t": t, "event": "tilt", "tube": tube.name}
        case Rings(t, tube, count):
            return {"t": t, "event": "rings", "tube": tube.name, "count": count}
        case Holder(t, player, count):
            return {"t": t, "event": "holder", "player": player.value, "count": count}
        case TimerSeated(t, end):
            return {"t": t, "event": "timer", "state": "seated", "end": end.value}
        case TimerLifted(t):
            return {"t": t, "event": "timer", "state": "lifted"}
        case Button(t, button, press):
            return {"t": t, "event": "button", "button": button.value, "press": press.value}
        case Link(t, state, away):
            link: dict[str, Any] = {"t": t, "event": "link", "state": state.value}
            return link if away is None else {**link, "away": list(away)}
        case Fault(t, sensor, detail, cleared):
            fault = {"t": t, "event": "fault", "sensor": sensor.name, "detail": detail}
            return {**fault, "cleared": True} if cleared else fault
        case Arbiter(t, action, tube, player):
            record: dict[str, Any] = {"t": t, "event": "arbiter", "action": action.value}
            if tube is not None:
                record["tube"] = tube.name
            if player is not None:
                record["winner" if action is Action.AWARD else "player"] = player.value
            return record
        case Tick(t):
            return {"t": t, "event": "tick"}
        case _:
            assert_never(event)


#: Characters that steer a terminal, or turn the writing's direction, where JSON lets them be (RFC 8259, 7).
_STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def shown_line(record: Mapping[str, Any]) -> str:
    """The same JSON as `json_line`, for a terminal: characters that would steer it are escaped."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", json_line(record))


def json_line(record: Mapping[str, Any]) -> str:
    """One line of a stream, without its end."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
