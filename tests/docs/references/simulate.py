"""The JSON Schema of a simulated board's socket, both ways, and its reference page, made from the types."""

import json
from pathlib import Path
from typing import Final

from tamsk_hw.forms import Schema, about, form_of
from tamsk_hw.game.tubes import PLAYERS, Player, Tube
from tamsk_hw.hands.actions import ACTIONS, MOST_CHARACTERS, MOST_SECONDS, parameters_of
from tamsk_hw.hands.observation import COLOURS, GlassSeen, Observation, PlayerSeen, TimerSeen
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.faults import FORMS
from tests.docs.references.live import object_schema, referring

#: What is made, with its place in the checkout.
SCHEMA, PAGE = "docs/simulate.schema.json", "docs/simulate-reference.md"

_ID: Final[Schema] = {
    "anyOf": [{"type": "string", "maxLength": MOST_CHARACTERS}, {"type": "integer"}, {"type": "null"}]
}
_SECONDS: Final[Schema] = {"type": "number", "minimum": 0}


def _action(name: str) -> Schema:
    """A request for an action."""
    needed: dict[str, Schema] = {"do": {"const": name}}
    maybe: dict[str, Schema] = {"id": _ID}
    for parameter in parameters_of(name):
        form = form_of(parameter.kind).schema
        if parameter.name in MOST_SECONDS:
            form = _SECONDS | {"maximum": MOST_SECONDS[parameter.name]}
        place = needed if parameter.is_needed else maybe
        place[parameter.name] = {"anyOf": [form, {"type": "null"}]} if parameter.may_be_null else form
    return {"description": about(ACTIONS[name])} | object_schema(needed, maybe=maybe)


def _from_clients() -> list[Schema]:
    id: dict[str, Schema] = {"id": _ID}
    return [
        *map(_action, ACTIONS),
        object_schema({"look": {"const": True}}, maybe=id),
        object_schema({"watch": {"type": "boolean"}}, maybe=id),
        object_schema({"panel": {"type": "string", "pattern": "^([0-9a-f]{6})*$"}}, maybe=id),
    ]


def _from_board() -> list[Schema]:
    look = {"$ref": "#/$defs/look"}
    greeting: dict[str, Schema] = {
        "hands": {"const": 1},
        "program": {"type": "string"},
        "port": {"type": "string"},
        "emulated": {"type": "boolean"},
        "seed": {"type": "integer", "minimum": 0},
        "players": {"type": "array", "items": {"$ref": "#/$defs/player"}},
        "follows_names": {"type": "boolean"},
        "tubes": {"type": "array", "items": {"$ref": "#/$defs/tube"}},
        "t": _SECONDS,
    }
    return [
        object_schema(greeting),
        object_schema({"re": _ID, "done": _SECONDS}),
        object_schema({"re": _ID, "refused": {"type": "string"}}),
        object_schema({"re": _ID, "look": look}),
        object_schema({"look": look}),
        object_schema({"buttons": {"type": "array", "items": form_of(ButtonName).schema}}),
    ]


def schema() -> Schema:
    """The JSON Schema (draft 2020-12) of a line; ``$defs`` has the lines ``from_board`` and ``to_board`` apart."""
    named = {
        name: form_of(kind).schema for name, kind in (("look", Observation), ("tube", Tube), ("player", Player))
    }
    lines = {"from_board": {"oneOf": _from_board()}, "to_board": {"oneOf": _from_clients()}}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of the socket of tamsk-hw simulate",
        "$comment": "Made by make references from the program's types.",
        "anyOf": [{"$ref": f"#/$defs/{name}"} for name in lines],
        "$defs": referring(lines, named)
        | {name: referring(made, named, but=name) for name, made in named.items()},
    }


def page() -> str:
    """The reference page: every action, the look field by field, faults and colours."""
    lines = [
        "# Reference of the simulated board",
        "",
        "<!-- Made by make references from the program's types; do not edit. -->",
        "",
        "[simulate.md](simulate.md) says how it works, [simulate.schema.json](simulate.schema.json) is the JSON "
        "Schema of its lines.",
        "",
        "## Deeds",
        "",
        "Keys in brackets may be missing. Seconds are at most "
        + ", ".join(f"{most:g} (`{key}`)" for key, most in MOST_SECONDS.items())
        + ".",
        "",
        "| `do` | keys | meaning |",
        "|---|---|---|",
    ]
    for name, action in ACTIONS.items():
        keys = [f"`{each.name}`" if each.is_needed else f"[`{each.name}`]" for each in parameters_of(name)]
        lines.append(f"| `{name}` | {', '.join(keys) or '–'} | {about(action)} |")
    lines += ["", "## Look", ""]
    lines += [about(Observation), ""]
    lines += [f"Each of `glasses`: {about(GlassSeen)}", "", f"`timer`: {about(TimerSeen)}", ""]
    lines += [f"Each of `players` ({', '.join(player.value for player in PLAYERS)}): {about(PlayerSeen)}", ""]
    lines += ["## Faults", "", *(f"- `{form}`" for form in FORMS), ""]
    lines += ["## Colours that can be awaited", "", ", ".join(f"`{name}`" for name in COLOURS), ""]
    return "\n".join(lines)


def files(folder: Path) -> dict[str, str]:
    """Both texts, by their places in a checkout, whichever ``folder`` that has."""
    return {SCHEMA: json.dumps(schema(), indent=1, ensure_ascii=False) + "\n", PAGE: page()}
