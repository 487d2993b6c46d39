"""JSON Schema made from the program's types: what the schemas of its sockets are put together of."""

from __future__ import annotations

import inspect
import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum, Flag
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from tamsk_hw.game.players import Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.questions import FullTubeEntered, LastGlass, RecordedQuestion, StillRunning
from tamsk_hw.referee.rulings import Mend
from tamsk_hw.referee.sensor_id import SensorId
from tamsk_hw.referee.time_span import TimeSpan

Schema = dict[str, Any]

#: Types whose JSON form is their own.
PLAIN: Final[dict[Any, Schema]] = {
    int: {"type": "integer"},
    float: {"type": "number"},
    str: {"type": "string"},
    bool: {"type": "boolean"},
    NoneType: {"type": "null"},
    Path: {"type": "string"},
    SensorId: {"type": "string"},
    TimeSpan: {"type": "string"},
    Tube: {"$ref": "#/$defs/tube"},
    Player: {"$ref": "#/$defs/player"},
    Mend: {"$ref": "#/$defs/mend"},
    **{kind: {"type": "string"} for kind in (FullTubeEntered, LastGlass, RecordedQuestion, StillRunning)},
}


def values_schema(enum: type[Enum]) -> Schema:
    """One of an enum's values."""
    return {"enum": [item.value for item in enum]}


def object_schema(
    properties: dict[str, Schema], *, maybe: dict[str, Schema] | None = None, meaning: str = ""
) -> Schema:
    """An object with these keys, those in ``maybe`` not always."""
    made: Schema = {"description": meaning} if meaning else {}
    return made | {
        "type": "object",
        "properties": properties | (maybe or {}),
        "required": list(properties),
        "additionalProperties": False,
    }


def about(kind: type) -> str:
    """A type's docstring on one line."""
    return " ".join((inspect.getdoc(kind) or "").replace("``", "`").split())


def schema_of(hint: Any) -> Schema:
    """The JSON form of a field of this type."""
    if hint in PLAIN:
        return PLAIN[hint]
    origin, inner = get_origin(hint), get_args(hint)
    if origin in (Union, UnionType):
        listed = [json.dumps(schema_of(each)) for each in inner]
        return {"anyOf": [json.loads(each) for each in dict.fromkeys(listed)]}
    if origin is Mapping:
        return {
            "type": "object",
            "propertyNames": schema_of(inner[0]),
            "additionalProperties": schema_of(inner[1]),
        }
    if origin is tuple:
        if inner[1:] == (Ellipsis,):
            return {"type": "array", "items": schema_of(inner[0])}
        return {"type": "array", "prefixItems": [schema_of(each) for each in inner], "items": False}
    if isinstance(hint, type) and issubclass(hint, Flag):
        return {"type": "array", "items": {"enum": [str(flag.name).lower() for flag in hint]}}
    if isinstance(hint, type) and issubclass(hint, Enum):
        return values_schema(hint)
    if is_dataclass(hint) and isinstance(hint, type):
        return facts_schema(hint)
    raise TypeError(f"no JSON form for {hint!r}")


def facts_schema(kind: type) -> Schema:
    """A dataclass of facts, as `tamsk_hw.facts.notices` writes it."""
    hints = get_type_hints(kind)
    code = getattr(kind, "code", None)
    own: dict[str, Schema] = {} if code is None else {"code": {"const": code}}
    return object_schema(
        own | {field.name: schema_of(hints[field.name]) for field in fields(kind)}, meaning=about(kind)
    )
