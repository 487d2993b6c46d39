"""Reads a notice from its JSON object, for programs that word it in a language of their own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum, Flag
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Union, cast, get_args, get_origin, get_type_hints

from tamsk_hw.facts.notices import Notice
from tamsk_hw.game.tubes import TUBE_OF_NAME, Tube
from tamsk_hw.referee.sensor_id import SensorId


def _members(kind: Any) -> Iterator[Any]:
    """The kinds in a union of unions; of another kind itself."""
    if get_origin(kind) in (Union, UnionType):
        for part in get_args(kind):
            yield from _members(part)
    else:
        yield kind


_KINDS: Final = {kind.code: kind for kind in _members(Notice)}


def read_notice(record: Mapping[str, Any]) -> Notice | None:
    """The notice that `tamsk_hw.facts.notices.as_dict` wrote; None for one that this version does not know."""
    try:
        return cast(Notice, _object(_KINDS[record["code"]], record))
    except (LookupError, TypeError, ValueError):
        return None


def _object(kind: Any, record: Mapping[str, Any]) -> Any:
    hints = get_type_hints(kind)
    return kind(**{each.name: _value(hints[each.name], record[each.name]) for each in fields(kind) if each.init})


def _value(kind: Any, plain: Any) -> Any:
    """The value of a type that JSON has as ``plain``.

    Raises:
        TypeError, ValueError, LookupError: it is none.
    """
    if get_origin(kind) in (Union, UnionType):
        return _one_of(tuple(_members(kind)), plain)
    if get_origin(kind) is tuple:
        parts = get_args(kind)
        parts = parts[:1] * len(plain) if parts[-1] is Ellipsis else parts
        return tuple(_value(part, each) for part, each in zip(parts, plain, strict=True))
    if kind is Tube:
        return TUBE_OF_NAME[plain]
    if kind is SensorId:
        return SensorId.named(plain)
    if kind is Path:
        return Path(plain)
    if kind is float and type(plain) is int:
        return float(plain)
    if kind in (bool, int, float, str, NoneType):
        if type(plain) is not kind:
            raise TypeError(plain)
        return plain
    if issubclass(kind, Flag):
        value = kind(0)
        for name in plain:
            value |= kind[name.upper()]
        return value
    if issubclass(kind, Enum):
        return kind(plain)
    if is_dataclass(kind):
        return _object(kind, plain)
    raise TypeError(kind)


def _one_of(kinds: tuple[Any, ...], plain: Any) -> Any:
    for kind in kinds:
        code = getattr(kind, "code", None)
        if code is not None and not (isinstance(plain, Mapping) and plain.get("code") == code):
            continue
        try:
            return _value(kind, plain)
        except (LookupError, TypeError, ValueError):
            continue
    raise ValueError(plain)
