"""The live stream's schema.

JSON Schema made from the program's types: what the schemas of its sockets are put together of.

The JSON Schema of the live stream and the reference of its state and notices, made from the types.

``python -m tamsk_hw.live.reference [FOLDER]`` writes both into the checkout at FOLDER (here).
"""

from __future__ import annotations

import inspect
import json
import sys
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from enum import Enum, Flag
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Final, Union, get_args, get_origin, get_type_hints

from tamsk_hw.facts.notices import Notice
from tamsk_hw.forms import form_of
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import PLAYERS, TUBES, End, Player, Tube
from tamsk_hw.panel.keys import Rejection
from tamsk_hw.referee.events import ButtonName, Event, SensorId
from tamsk_hw.referee.header import Header
from tamsk_hw.referee.rulings import (
    Empty,
    FullTubeEntered,
    LastGlass,
    Mend,
    Reason,
    RecordedQuestion,
    RingCount,
    Ruling,
    StillRunning,
)
from tamsk_hw.referee.view import GlassState, Phase

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


#: What is made, with its place in the checkout.
SCHEMA, PAGE = "docs/live.schema.json", "docs/live-reference.md"

_COMMAND: Final = "python -m tamsk_hw.live.reference"

_MAYBE_PLAYER: Final[Schema] = {"anyOf": [PLAIN[Player], {"type": "null"}]}
_SECONDS: Final[Schema] = {"type": "number", "minimum": 0}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
_TUBES: Final[Schema] = {"type": "array", "items": PLAIN[Tube]}
_BY_TUBE: Final[Schema] = {"type": "object", "propertyNames": PLAIN[Tube], "additionalProperties": _COUNT}


def _header() -> Schema:
    """A header, as `Header.as_dict` writes it."""
    hints = get_type_hints(Ruleset)
    rules: dict[str, Schema] = {
        field.name: schema_of(hints[field.name])
        for field in fields(Ruleset)
        if field.init and field.name != "tubes"
    }
    pair: Schema = {"type": "array", "prefixItems": [_SECONDS, _SECONDS], "items": False}
    sand: dict[str, Schema] = {
        "glass": pair,
        "timer": pair,
        "glasses": {"type": "object", "additionalProperties": pair},
        "tolerance": {"type": "number", "minimum": 0, "exclusiveMaximum": 1},
        "exact_hands": {"type": "boolean"},
    }
    return object_schema(
        {
            "tamsk": {"const": 1},
            "ruleset": object_schema(rules, maybe={"tubes": _TUBES}),
            "sand": object_schema(sand),
            "holders": {"type": "boolean"},
        },
        maybe={"pause_when_lost": {"type": "boolean"}},
        meaning=about(Header),
    )


def _interval(highest: int | None = None) -> Schema:
    inside = _SECONDS if highest is None else _SECONDS | {"maximum": highest}
    return {"type": "array", "prefixItems": [inside, inside], "items": False}


#: The fields of a glass in the state, each with what it means.
GLASS_FIELDS: Final[dict[str, tuple[Schema, str]]] = {
    "owner": (PLAIN[Player], "whose glass it is"),
    "tube": (PLAIN[Tube], "where it lawfully stands"),
    "standing": ({"anyOf": [PLAIN[Tube], {"type": "null"}]}, "where it physically stands; null: in a hand"),
    "end": (values_schema(End), "the end that is down"),
    "state": (
        values_schema(GlassState),
        "`unstarted`: not moved yet (R2.4) · `running` · `doubtful`: it may have run out (R6.4) · `lost` (R6.2) · "
        "`no_sand`: level 1",
    ),
    "seconds": (_interval(), "least and most seconds that it still runs as it stands, from `t` on"),
    "fraction": (_interval(1), "least and most share of a full glass that is above, 0 to 1"),
    "may_move": ({"type": "boolean"}, "neither lost nor barred by R2.4"),
}

_OPEN_RING: Final = object_schema(
    {
        "tube": PLAIN[Tube],
        "player": PLAIN[Player],
        "seconds": {"anyOf": [_SECONDS, {"type": "null"}]},
    }
)


def _advices() -> list[Schema]:
    """The advices, as `advice_as_dict` writes them."""
    tube, flag = PLAIN[Tube], PLAIN[bool]
    maybe_tube: Schema = {"anyOf": [tube, {"type": "null"}]}

    def advice(*acts: str, **own: Schema) -> Schema:
        return object_schema({"player": PLAIN[Player], "act": {"enum": list(acts)}} | own)

    return [
        advice("move", **{"from": maybe_tube, "to": tube, "turned": flag, "ring": flag}),
        advice("ring", "penalty_ring", "claim", "take_ring", tube=tube),
        advice("put_right", **{"from": tube, "to": tube, "turned": flag}),
        advice("timer"),
    ]


#: The fields of the state, each with what it means.
STATE_FIELDS: Final[dict[str, tuple[Schema, str]]] = {
    "t": ({"type": "number"}, "the stream's time of all that follows, in seconds"),
    "phase": (
        {"enum": ["offered", *(phase.value for phase in Phase)]},
        "`offered`: an unfinished game waits to be resumed, and the rest is that game · `setup` · `play` · "
        "`sand`: equal rings, the sand decides (R5.3) · `over`",
    ),
    "connected": ({"type": "boolean"}, "the board is there"),
    "level": ({"enum": [1, 2, 3]}, "the game's level"),
    "turn": (_MAYBE_PLAYER, "the player to move, if any"),
    "number": (_COUNT, "the number of the turn, counting both players'; 0 before the start"),
    "move_started": ({"type": "boolean"}, "he has lifted a glass that he may move"),
    "glasses": (
        {"type": "array", "items": object_schema({name: schema for name, (schema, _) in GLASS_FIELDS.items()})},
        "the glasses; before the start those that stand where they belong",
    ),
    "rings": (_BY_TUBE, "the counted rings of each tube that has any"),
    "rings_seen": (_BY_TUBE, "the rings that lie there, whether or not they count"),
    "full": (_TUBES, "the tubes that are full (R4.3)"),
    "destinations": (_TUBES, "where the glass in the hand of the player to move may go"),
    "left": (object_schema({player.value: _COUNT for player in PLAYERS}), "the rings left to each player"),
    "ring_open": (
        {"type": "array", "items": _OPEN_RING},
        "moves whose ring may still be dropped (R4.1), with the seconds until the right lapses; null: until the "
        "next move",
    ),
    "penalty": (_MAYBE_PLAYER, "who may drop a penalty ring now (R7.6)"),
    "late": (_MAYBE_PLAYER, "who still may complete a late move (R7.5)"),
    "deadline": (
        {"anyOf": [{"type": "number"}, {"type": "null"}]},
        "the stream's time at which the 15-second timer runs out against the player to move (R7.2)",
    ),
    "timer_side": ({"anyOf": [{"enum": ["left", "right"]}, {"type": "null"}]}, "where the timer stands"),
    "wrong": (
        {"type": "array", "items": PLAIN[Mend]},
        "all that must be put right now; before the start all that is missing",
    ),
    "question": (
        {"anyOf": [{"type": "string"}, {"type": "null"}]},
        "the question that the arbiter has not answered (R9.3)",
    ),
    "over": (
        {
            "anyOf": [
                {"type": "null"},
                object_schema(
                    {
                        "winner": _MAYBE_PLAYER,
                        "reason": values_schema(Reason),
                        "rings_left": object_schema({player.value: _COUNT for player in PLAYERS}),
                        "rule": {"type": "string"},
                    }
                ),
            ]
        },
        "the result, as the ruling `game_over` has it",
    ),
    "tubes": (_TUBES, "the board's tubes, in board order"),
    "buttons": ({"type": "array", "items": values_schema(ButtonName)}, "the buttons that work at the board"),
    "advice": (
        {"anyOf": [{"type": "null"}, *_advices()]},
        "what `player` is asked to do, by the partner or a lesson; rulings know nothing of it. The `act`: `move` "
        "a glass `from` a tube (null: from off the board) `to` another, `turned` over on the way or not, its "
        "`ring` to be dropped then or not · drop the `ring` of the move on `tube`, or a `penalty_ring` · `claim`: "
        "announce it by the button, then drop a ring on `tube` · `take_ring`: take one that does not count off "
        "`tube` · `put_right`: bring the glass `from` a tube back `to` its own, `turned` or not · `timer`: turn "
        "the 15-second timer over",
    ),
}


def _content() -> Schema:
    """The content of a tube, as `has` and `should` of what must be put right."""
    assert {Player, Empty, RingCount, End, NoneType} == set(get_args(get_type_hints(Mend)["has"]))
    return {
        "anyOf": [
            PLAIN[Player],
            {"const": "empty"},
            object_schema({"rings": _COUNT}),
            object_schema({"end": values_schema(End)}),
            {"type": "null"},
        ]
    }


def schema() -> Schema:
    """The JSON Schema of a line from the service (draft 2020-12)."""
    seq: Schema = {"type": "integer", "minimum": 1}
    name: Schema = {"anyOf": [{"type": "string"}, {"type": "null"}]}
    names = object_schema({player.value: name for player in PLAYERS})
    game: Schema = {"anyOf": [_COUNT, {"type": "null"}]}
    greeting: dict[str, Schema] = {
        "live": {"const": 1},
        "life": {"type": "string"},
        "program": {"type": "string"},
        "board": name,
        "simulated": {"type": "boolean"},
        "speed": {"type": "number", "exclusiveMinimum": 0},
        "seq": _COUNT,
    }
    begun: dict[str, Schema] = {
        "seq": seq,
        "header": _header(),
        "key": {"type": "string"},
        "game": game,
        "names": names,
        "resumed": {"type": "boolean"},
    }
    asker: Schema = {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}
    state = object_schema({key: made | {"description": about} for key, (made, about) in STATE_FIELDS.items()})
    words: Schema = {"type": "string"}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of the live stream of tamsk-hw, from the service",
        "$comment": f"Made by {_COMMAND} from the program's types.",
        "oneOf": [
            object_schema(greeting),
            object_schema(begun),
            object_schema({"seq": seq, "event": {"$ref": "#/$defs/event"}}),
            object_schema({"seq": seq, "ruling": {"$ref": "#/$defs/ruling"}, "words": words}),
            object_schema({"seq": seq, "notice": {"$ref": "#/$defs/notice"}, "words": words}),
            object_schema({"seq": seq, "names": names}),
            object_schema({"seq": seq, "saved": seq, "game": game}),
            object_schema({"state": state}),
            object_schema(
                {"re": asker, "done": _COUNT},
                maybe={"game": _COUNT, "games": _COUNT, "already": {"const": True}},
            ),
            object_schema({"re": asker, "refused": {"type": "string"}}, maybe={"why": values_schema(Rejection)}),
        ],
        "$defs": {
            "tube": {"enum": [tube.name for tube in TUBES]},
            "player": values_schema(Player),
            "mend": object_schema(
                {"tube": PLAIN[Tube], "has": _content(), "should": _content()}, meaning=about(Mend)
            ),
            "event": form_of(Event).schema,
            "ruling": form_of(Ruling).schema,
            "notice": {"oneOf": [facts_schema(kind) for kind in get_args(Notice)]},
        },
    }


def page() -> str:
    """The reference page: the state field by field, and the notices."""
    lines = [
        "# Reference of the live stream",
        "",
        f"<!-- Made by {_COMMAND} from the program's types; do not edit. -->",
        "",
        "[live.md](live.md) says how the stream works, [live.schema.json](live.schema.json) is its JSON Schema.",
        "",
        "## State",
        "",
        "| field | meaning |",
        "|---|---|",
        *(f"| `{key}` | {about} |" for key, (_, about) in STATE_FIELDS.items()),
        "",
        "Each of `glasses`:",
        "",
        "| field | meaning |",
        "|---|---|",
        *(f"| `{key}` | {about} |" for key, (_, about) in GLASS_FIELDS.items()),
        "",
        "## Notices",
        "",
        "| code | facts | meaning |",
        "|---|---|---|",
    ]
    for kind in sorted(get_args(Notice), key=lambda kind: str(kind.code)):
        facts = ", ".join(f"`{field.name}`" for field in fields(kind)) or "–"
        lines.append(f"| `{kind.code}` | {facts} | {about(kind)} |")
    return "\n".join([*lines, ""])


def main() -> None:
    """Write both files."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else Path()
    (folder / SCHEMA).write_text(json.dumps(schema(), indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    (folder / PAGE).write_text(page(), encoding="utf-8")


if __name__ == "__main__":
    main()
