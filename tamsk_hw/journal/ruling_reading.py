"""Rulings read back from their JSON objects: the reverse of `BaseRuling.as_dict` (docs/formats.md)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import fields
from enum import Enum
from typing import Any, get_args

from tamsk_hw.errors import JournalError
from tamsk_hw.game.tubes import TUBE_OF_NAME, End, Player, Tube
from tamsk_hw.referee.events import SensorId, read_span
from tamsk_hw.referee.header import is_number, shortened
from tamsk_hw.referee.rulings import (
    INTERNAL,
    Authority,
    Caution,
    Code,
    Content,
    Empty,
    GameOver,
    Ground,
    Mend,
    Mended,
    Penalty,
    PenaltyKind,
    Reason,
    Restored,
    RingCount,
    RingCounted,
    RingKind,
    Ruling,
    Violation,
    Warned,
    read_question,
)

_CLASSES: dict[str, type[Ruling]] = {kind.name: kind for kind in get_args(Ruling)}


def _tube(value: Any) -> Tube | None:
    if value is None:
        return None
    return TUBE_OF_NAME[value]


def _optional(enum: type[Enum]) -> Callable[[Any], Any]:
    """A reader for one of the values of ``enum``, or null."""
    return lambda value: None if value is None else enum(value)


def _content(value: Any) -> Content:
    """Read what a tube has or should have."""
    if value is None:
        return None
    if value == "empty":
        return Empty()
    if isinstance(value, Mapping):
        return RingCount(_whole(value["rings"])) if "rings" in value else End(value["end"])
    return Player(value)


def _seconds(value: Any) -> float:
    if not is_number(value):
        raise TypeError(value)
    return float(value)


def _whole(value: Any) -> int:
    if type(value) is not int or not 0 <= value <= _LARGEST:
        raise TypeError(value)
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise TypeError(value)
    return value


#: The highest count of anything.
_LARGEST = 10**9

#: How plain JSON values are read, by their types in Python.
_PLAIN: dict[str, Callable[[Any], Any]] = {"float": _seconds, "int": _whole, "str": _text}


def _sensor(value: Any) -> SensorId | None:
    return None if value is None else SensorId.named(value)


def _mends(value: Any) -> tuple[Mend, ...]:
    return tuple(
        Mend(TUBE_OF_NAME[item["tube"]], _content(item["has"]), _content(item["should"])) for item in value
    )


#: How the fields that are no plain JSON values are read, by their names in Python.
_READERS: dict[str, Callable[[Any], Any]] = {
    "player": _optional(Player),
    "against": Player,
    "turn": Player,
    "winner": _optional(Player),
    "tube": _tube,
    "from_tube": _tube,
    "to": _tube,
    "kind": RingKind,
    "reason": Reason,
    "problems": _mends,
    "sensor": _sensor,
    "restore": _mends,
    "question": read_question,
}

#: Two rulings have a field ``code``, each with its own values.
_CODES: dict[type[Ruling], type[Enum]] = {Violation: Code, Warned: Caution}

_JSON_NAMES = {"from_tube": "from"}

#: Grounds of violations by code and clause.
_GROUNDS: dict[tuple[Code, str], Ground] = {
    (Code.ALREADY_MOVED, "R8"): Ground.MUST_PLACE,
    (Code.NOT_ADJACENT, "R8"): Ground.NO_PLACE,
    (Code.NOT_ADJACENT, "R9.3"): Ground.FULL_TUBE,
    (Code.RING_WRONG_TUBE, "R9.7"): Ground.UNCOUNTED,
}


def _internal(kind: type[Ruling], values: Mapping[str, Any]) -> dict[str, Any]:
    """The fields that a record does not have, from those that it has.

    In a record the clause is all that tells some rulings of one kind apart, so this is where it is read. An older
    version may have ruled by other clauses: each field has a value for those, too.
    """
    clause = values["rule"]
    if kind is Violation:
        return {"ground": _GROUNDS.get((values["code"], clause))}
    if kind is Penalty:
        return {"kind": PenaltyKind.TWO_MOVES if clause == "R8" else PenaltyKind.SECOND_RING}
    if kind is RingCounted:
        return {"given_by": Authority.ARBITER if clause == "R9.6" else Authority.RULES}
    if kind is Restored:
        return {"what": Mended.RINGS if clause == "R4.7" else Mended.GLASS}
    if kind is GameOver:
        return {"by_sand": clause == "R5.3"}
    return {}


def parse_ruling(record: Any) -> Ruling:
    """Read a ruling from its JSON object; fields that it has in addition are passed over.

    Raises:
        JournalError: it is no ruling that this version of the program knows.
    """
    kind = _CLASSES.get(record["ruling"]) if isinstance(record, Mapping) and _named(record) else None
    if kind is None:
        raise JournalError(f"unknown ruling {shortened(record)}")
    values: dict[str, Any] = {}
    try:
        given = dict(record)
        if kind is GameOver:
            given["red_left"], given["black_left"] = given["rings_left"]["red"], given["rings_left"]["black"]
        for item in fields(kind):
            if item.metadata == INTERNAL:
                continue
            key = _JSON_NAMES.get(item.name, item.name)
            if kind is Warned and key not in given and item.name in ("sensor", "detail"):
                continue
            read = _CODES[kind] if item.name == "code" else _READERS.get(item.name)
            read = _PLAIN.get(str(item.type)) if read is None else read
            values[item.name] = given[key] if read is None else read(given[key])
        if values.get("code") is Caution.TIME_AWAY and values["detail"] is not None:
            values["detail"] = read_span(values["detail"]) or values["detail"]
        return kind(**values, **_internal(kind, values))
    except (KeyError, ValueError, TypeError):
        raise JournalError(f"unknown ruling {shortened(record)}") from None


def _named(record: Mapping[str, Any]) -> bool:
    return isinstance(record.get("ruling"), str)
