"""The lines that clients send to a simulated board, as facts (docs/simulate.md, Lines)."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import MISSING, dataclass, fields
from enum import Enum
from types import NoneType
from typing import Any, Final, cast, get_args, get_type_hints

from tamsk_hw.errors import StreamError, printable
from tamsk_hw.game.tubes import TUBE_OF_NAME, Tube
from tamsk_hw.hands.deeds import Deed

#: The most characters of a text in a request, and the most seconds under each key.
MOST_CHARACTERS: Final = 200
MOST_SECONDS: Final = {"seconds": 3600.0, "travel": 10.0, "within": 10.0}

#: What an asker calls his request: a text, a whole number, or nothing.
AskerId = str | int | None


@dataclass(frozen=True, slots=True)
class DoDeed:
    """Have hands do something."""

    id: AskerId
    deed: Deed


@dataclass(frozen=True, slots=True)
class LookOnce:
    """Answer with the world as eyes see it."""

    id: AskerId


@dataclass(frozen=True, slots=True)
class Watch:
    """Send the world at every change from now on, or no more."""

    id: AskerId
    on: bool


@dataclass(frozen=True, slots=True)
class PanelLights:
    """Be the board's panel: show these lights, three bytes a pixel, and be sent the buttons."""

    id: AskerId
    picture: bytes


HandsRequest = DoDeed | LookOnce | Watch | PanelLights

#: Every deed by the name that requests call it.
DEEDS: Final[dict[str, Any]] = {kind.name: kind for kind in get_args(Deed)}


class HandsRequestError(StreamError):
    """A client's line is refused; ``id`` is the one it has, None without one."""

    def __init__(self, error: StreamError, id: AskerId) -> None:
        super().__init__(printable(str(error)))
        self.id = id


def read_request(data: bytes) -> HandsRequest:
    """Read a line from a client.

    Raises:
        HandsRequestError: it is not understood; the message names key, value and what is allowed.
    """
    asker: AskerId = None
    try:
        try:
            record = json.loads(data.decode())
        except (ValueError, RecursionError):
            raise StreamError("line: no JSON; allowed: one JSON object a line, in UTF-8") from None
        if not isinstance(record, dict):
            raise _refused("the line", record, "an object with do, look, watch or panel")
        asker = _asker(record.pop("id", None))
        return _read(record, asker)
    except StreamError as error:
        raise HandsRequestError(error, asker) from None


def _read(record: dict[str, Any], asker: AskerId) -> HandsRequest:
    match record:
        case {"do": name}:
            return DoDeed(asker, read_deed(name, {key: record[key] for key in record if key != "do"}))
        case {"look": True, **rest} if not rest:
            return LookOnce(asker)
        case {"watch": bool(on), **rest} if not rest:
            return Watch(asker, on)
        case {"panel": str(lights), **rest} if not rest:
            try:
                return PanelLights(asker, bytes.fromhex(lights))
            except ValueError:
                raise _refused("panel", lights, "three bytes a pixel, as hexadecimal digits") from None
        case _:
            allowed = 'do with its keys, "look": true, "watch": true or false, or "panel": "…"'
            raise _refused("the line", record, allowed)


def _asker(value: Any) -> AskerId:
    match value:
        case None:
            return None
        case str() if len(value) <= MOST_CHARACTERS:
            return value
        case int() if not isinstance(value, bool) and abs(value) < 1 << 63:
            return value
        case _:
            raise _refused("id", value, f"a text of at most {MOST_CHARACTERS} characters, or a whole number")


def read_deed(name: Any, values: Mapping[str, Any]) -> Deed:
    """The deed of that name with these values, as requests have them.

    Raises:
        StreamError: there is no such deed, or a value is missing, unknown or not allowed.
    """
    kind = DEEDS.get(name) if isinstance(name, str) else None
    if kind is None:
        raise _refused("do", name, ", ".join(f'"{each}"' for each in DEEDS))
    known = fields(kind)
    for key in values:
        if key not in {field.name for field in known}:
            allowed = ", ".join(field.name for field in known) or "none"
            raise StreamError(f"line: unknown key {_shown(key)} for {name}; allowed: {allowed}")
    hints = get_type_hints(kind)
    given = {}
    for field in known:
        if field.name in values:
            given[field.name] = _value(field.name, values[field.name], hints[field.name])
        elif field.default is MISSING:
            raise StreamError(f"line: {name} needs {field.name}")
    return cast(Deed, kind(**given))


def _value(key: str, value: Any, hint: Any) -> Any:
    """A value of the type that a deed's field has."""
    kinds = get_args(hint) or (hint,)
    if value is None and NoneType in kinds:
        return None
    (kind,) = (each for each in kinds if each is not NoneType)
    if kind is Tube:
        if isinstance(value, str) and value in TUBE_OF_NAME:
            return TUBE_OF_NAME[value]
        raise _refused(key, value, "a tube, A1 to G4")
    if issubclass(kind, Enum):
        by_value = {each.value: each for each in kind}
        if isinstance(value, str) and value in by_value:
            return by_value[value]
        raise _refused(key, value, ", ".join(f'"{each}"' for each in by_value))
    if kind is bool:
        if isinstance(value, bool):
            return value
        raise _refused(key, value, "true, false")
    if kind is float:
        if isinstance(value, int | float) and not isinstance(value, bool) and 0 <= value <= MOST_SECONDS[key]:
            return float(value)
        raise _refused(key, value, f"0 to {MOST_SECONDS[key]:g} seconds")
    assert kind is str
    if isinstance(value, str) and len(value) <= MOST_CHARACTERS:
        return value
    raise _refused(key, value, f"a text of at most {MOST_CHARACTERS} characters")


def _refused(key: str, value: Any, allowed: str) -> StreamError:
    return StreamError(f"line: {key} is {_shown(value)}; allowed: {allowed}")


def _shown(value: Any) -> str:
    """A value as JSON has it, cut where it is long."""
    shown = json.dumps(value, ensure_ascii=False, default=repr)
    return shown if len(shown) <= 60 else f"{shown[:57]}..."
