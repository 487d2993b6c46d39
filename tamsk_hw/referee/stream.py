"""Streams as JSON Lines: a header with the game's settings, then events (docs/formats.md)."""

import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Any, ClassVar, Final, cast

from tamsk_hw.errors import StreamError, refuse, shortened
from tamsk_hw.forms import Shape, from_json, is_number, number, scalar, to_json
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.game.tubes import GLASSES_EACH, PLAYERS, START_TUBES, Tube, names_of
from tamsk_hw.referee.events import Event, Fault, Rings

#: The longest duration of a glass: ten hours.
MOST_DURATION: Final = 36_000


def _durations(value: Any) -> tuple[float, float]:
    """One number is that of both ends."""
    end_a, end_b = value if isinstance(value, (list, tuple)) else (value, value)
    if not all(is_number(each) and 0 < each <= MOST_DURATION for each in (end_a, end_b)):
        raise ValueError(value)
    return float(end_a), float(end_b)


_SECONDS: Final = {"type": "number", "minimum": 0}

#: Seconds from full with end A down, and with end B down.
Durations = Annotated[
    tuple[float, float],
    scalar(
        list,
        _durations,
        {"type": "array", "prefixItems": [_SECONDS, _SECONDS], "items": False},
        "seconds above 0, at most 36000, or [end A down, end B down]",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class SandSettings:
    """Durations of the glasses in seconds, and how well they are known (R6.1, R6.4).

    ``glasses`` overrides ``glass`` for single glasses, named by start tube (``"D1"``) or, with a free start, by
    the order of placing (``"red-1"``). ``tolerance`` is relative, 0 … <1. With ``exact_hands`` the sand of a glass
    in the hand is known to rest.
    """

    glass: Durations = (180.0, 180.0)
    timer: Durations = (15.0, 15.0)
    glasses: Mapping[str, Durations] = field(default_factory=dict)
    tolerance: Annotated[float, number(float, 0, math.nextafter(1, 0), "a number from 0 to below 1")] = 0.0
    exact_hands: bool = True
    shape: ClassVar = Shape(strict=True)

    def of(self, name: str) -> Durations:
        """The durations of the glass of that name."""
        return self.glasses.get(name, self.glass)


@dataclass(frozen=True, slots=True, kw_only=True)
class Header:
    """Everything that a referee must know before the first event."""

    ruleset: Ruleset = field(default_factory=Ruleset)
    sand: SandSettings = field(default_factory=SandSettings)
    pause_when_lost: bool | None = None
    """Rights and deadlines stand still while the link is lost (R9.5); None: unless hands are exact."""
    holders: bool = False
    shape: ClassVar = Shape(also={"tamsk": 1}, spare=("pause_when_lost",), strict=True)

    @property
    def pauses(self) -> bool:
        """Rights and deadlines stand still while the link is lost (R9.5)."""
        return not self.sand.exact_hands if self.pause_when_lost is None else self.pause_when_lost

    def as_dict(self) -> dict[str, Any]:
        """The header as the JSON object that begins a stream."""
        return cast(dict[str, Any], to_json(self))


def glass_names(start: Start) -> tuple[str, ...]:
    """The names under which ``sand.glasses`` knows the six glasses."""
    if start is Start.FREE:
        return tuple(f"{player}-{n}" for player in PLAYERS for n in range(1, GLASSES_EACH + 1))
    return tuple(tube.name for player in PLAYERS for tube in START_TUBES[player])


def parse_header(value: Any, where: str = "header") -> Header:
    """Read a header from its JSON object.

    Args:
        value: the object, as ``json.loads`` gives it.
        where: the place as messages name it, e.g. ``"game.jsonl line 1"``.

    Raises:
        StreamError: an unknown key, a wrong type or an impossible value; the message names it and what is allowed.
    """
    header = cast(Header, from_json(Header, value, where, "the header"))
    names = glass_names(header.ruleset.start)
    for name in header.sand.glasses:
        if name not in names:
            allowed = ", ".join(names)
            raise StreamError(f"{where}: sand.glasses has the unknown key {shortened(name)}; allowed: {allowed}")
    return header


#: Characters around a line's JSON that do not count.
_BLANK = "\ufeff \t\r\n"


def parse_event(value: Any, where: str = "event") -> Event:
    """Read an event from its JSON object.

    Raises:
        StreamError: it is no event; the message names ``where``, key, value and what is allowed.
    """
    event = cast(Event, from_json(Event, value, where, "the event"))
    if isinstance(event, Rings) and event.since is not None and event.since > event.t:
        raise refuse(where, "since", event.since, f"{event.t} or earlier, the time of the event")
    return event


def check_tube(event: Event, ruleset: Ruleset, where: str = "event") -> None:
    """Refuse an event of a tube that the board does not have.

    Raises:
        StreamError: the message names ``where``, the tube, and those that are there.
    """
    tube: Tube | None = getattr(event, "tube", None)
    named = [("tube", tube)] if tube is not None else []
    if isinstance(event, Fault):
        named += [("unread", each) for each in sorted(event.unread)]
    for key, each in named:
        if not ruleset.tube_mask >> each & 1:
            raise refuse(where, key, each.name, names_of(ruleset.tubes))


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of these pairs. Raises `KeyError` for a key that it has twice."""
    record = dict(pairs)
    if len(record) != len(pairs):
        names = [name for name, _ in pairs]
        raise KeyError(next(name for name in names if names.count(name) > 1))
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
    except (KeyError, ValueError, RecursionError):  # it is JSON, and refused for another reason
        return False
    return False


def _load(text: str, where: str) -> Any:
    try:
        return _DECODER.decode(text)
    except json.JSONDecodeError as error:
        near = shortened(text[max(0, error.pos - 10) : error.pos + 20])
        words = f"{error.msg} at column {error.colno}, near {near}"
        raise StreamError(f"{where}: not JSON ({words}); allowed: one JSON object a line") from None
    except KeyError as error:
        raise StreamError(f"{where}: {shortened(error.args[0])} appears twice; allowed: each key once") from None
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


#: Characters that steer a terminal, or turn the writing's direction, where JSON lets them be (RFC 8259, 7).
_STEERING = re.compile("[\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]")


def shown_line(record: Mapping[str, Any]) -> str:
    """The same JSON as `json_line`, for a terminal: characters that would steer it are escaped."""
    return _STEERING.sub(lambda found: f"\\u{ord(found[0]):04x}", json_line(record))


def json_line(record: Mapping[str, Any]) -> str:
    """One line of a stream, without its end."""
    return json.dumps(record, ensure_ascii=False, separators=(",", ":"))
