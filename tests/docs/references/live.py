"""The JSON Schema of the live stream and the reference of its state and notices, made from the types."""

import ast
import inspect
import json
from dataclasses import fields
from pathlib import Path
from typing import Any, Final, get_args

from tamsk_hw.facts.notices import Notice
from tamsk_hw.forms import Schema, about, form_of
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.live.stream import OFFERED, GameBegun, Greeting, Names, SavedTo
from tamsk_hw.panel.keys import Rejection
from tamsk_hw.referee.events import ButtonName, Event
from tamsk_hw.referee.rulings import Correction, Ruling
from tamsk_hw.referee.view import GlassView, Phase, View

#: What is made, with its place in the checkout.
SCHEMA, PAGE = "docs/live.schema.json", "docs/live-reference.md"

#: Schemas to which others refer by name.
_NAMED: Final[dict[str, Any]] = {
    "tube": Tube,
    "player": Player,
    "mend": Correction,
    "event": Event,
    "ruling": Ruling,
    "notice": Notice,
}

_WORDS: Final[Schema] = {"type": "string"}
_SEQ: Final[Schema] = {"type": "integer", "minimum": 1}
_COUNT: Final[Schema] = {"type": "integer", "minimum": 0}

_ADVICE: Final = (
    "what `player` is asked to do, by the partner or a lesson; rulings know nothing of it. The `act`: `move` "
    "a glass `from` a tube (null: from off the board) `to` another, `turned` over on the way or not, its "
    "`ring` to be dropped then or not · drop the `ring` of the move on `tube`, or a `penalty_ring` · `claim`: "
    "announce it by the button, then drop a ring on `tube` · `take_ring`: take one that does not count off "
    "`tube` · `put_right`: bring the glass `from` a tube back `to` its own, `turned` or not · `timer`: turn "
    "the 15-second timer over"
)


def object_schema(properties: dict[str, Schema], *, maybe: dict[str, Schema] | None = None) -> Schema:
    """An object with these keys, those in ``maybe`` not always."""
    return {
        "type": "object",
        "properties": properties | (maybe or {}),
        "required": list(properties),
        "additionalProperties": False,
    }


def _more(kind: type, *, before: dict[str, Schema] | None = None, **after: Schema) -> Schema:
    """The objects of a class, with further keys."""
    made = form_of(kind).schema
    return made | object_schema({**(before or {}), **made["properties"], **after})


def _line(about: str, words: Schema | None = None, **content: Any) -> Schema:
    """A line with one value, and its words if it has any."""
    values = {key: form_of(kind).schema for key, kind in content.items()}
    said = {} if words is None else {"words": words}
    return {"description": about} | object_schema({"seq": _SEQ, **values, **said})


def referring(schema: Any, named: dict[str, Schema], *, but: str = "") -> Any:
    """The schema with references in place of the named schemas, ``but`` one that it is itself."""
    for name, each in named.items():
        if name != but and schema == each:
            return {"$ref": f"#/$defs/{name}"}
    if isinstance(schema, dict):
        return {key: referring(value, named) for key, value in schema.items()}
    return [referring(each, named) for each in schema] if isinstance(schema, list) else schema


def _advices() -> list[Schema]:
    """The advices, as `to_json` writes them."""
    tube, flag, player = (form_of(kind).schema for kind in (Tube, bool, Player))

    def advice(*acts: str, **own: Schema) -> Schema:
        return object_schema({"player": player, "act": {"enum": list(acts)}} | own)

    return [
        advice("move", **{"from": form_of(Tube | None).schema, "to": tube, "turned": flag, "ring": flag}),
        advice("ring", "penalty_ring", "claim", "take_ring", tube=tube),
        advice("put_right", **{"from": tube, "to": tube, "turned": flag}),
        advice("timer"),
    ]


def meanings(kind: type) -> dict[str, str]:
    """The meaning of each key of a class's objects: what its source says below the field."""
    [definition] = ast.parse(inspect.getsource(kind)).body
    assert isinstance(definition, ast.ClassDef)
    keys = kind.shape.keys if hasattr(kind, "shape") else {}
    return {
        keys.get(field.target.id, field.target.id): " ".join(str(text.value.value).split())
        for field, text in zip(definition.body, definition.body[1:], strict=False)
        if isinstance(field, ast.AnnAssign) and isinstance(field.target, ast.Name)
        if isinstance(text, ast.Expr) and isinstance(text.value, ast.Constant)
    }


def state_fields() -> dict[str, tuple[Schema, str]]:
    """The fields of the state, each with its meaning."""
    said = meanings(View)
    found = {key: (schema, said[key]) for key, schema in form_of(View).schema["properties"].items()}
    found["phase"] = ({"enum": [OFFERED, *(phase.value for phase in Phase)]}, said["phase"])
    buttons = {"type": "array", "items": form_of(ButtonName).schema}
    found["buttons"] = (buttons, "the buttons that work at the board")
    found["advice"] = ({"anyOf": [{"type": "null"}, *_advices()]}, _ADVICE)
    return found


def schema() -> Schema:
    """The JSON Schema of a line from the service (draft 2020-12)."""
    asker: Schema = {"anyOf": [{"type": "string"}, {"type": "integer"}, {"type": "null"}]}
    state = object_schema({key: made | {"description": said} for key, (made, said) in state_fields().items()})
    seq = {"seq": _SEQ}
    lines = [
        _more(Greeting, seq=_COUNT),
        _more(GameBegun, before=seq),
        _line("The referee took an event; the rulings that it gave rise to follow.", event=Event),
        _line("The referee ruled.", _WORDS, ruling=Ruling),
        _line("People should know something besides.", _WORDS, notice=Notice),
        _line("The players of the game have other names from now on.", names=Names),
        _more(SavedTo, before=seq),
        object_schema({"state": state}),
        object_schema(
            {"re": asker, "done": _COUNT}, maybe={"game": _COUNT, "games": _COUNT, "already": {"const": True}}
        ),
        object_schema({"re": asker, "refused": {"type": "string"}}, maybe={"why": form_of(Rejection).schema}),
    ]
    named = {name: form_of(kind).schema for name, kind in _NAMED.items()}
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "A line of the live stream of tamsk-hw, from the service",
        "$comment": "Made by make references from the program's types.",
        "oneOf": referring(lines, named),
        "$defs": {name: referring(made, named, but=name) for name, made in named.items()},
    }


def page() -> str:
    """The reference page: the state field by field, and the notices."""
    head = ["", "| field | meaning |", "|---|---|"]
    lines = [
        "# Reference of the live stream",
        "",
        "<!-- Made by make references from the program's types; do not edit. -->",
        "",
        "[live.md](live.md) says how the stream works, [live.schema.json](live.schema.json) is its JSON Schema.",
        "",
        "## State",
        *head,
        *(f"| `{key}` | {said} |" for key, (_, said) in state_fields().items()),
        "",
        "Each of `glasses`:",
        *head,
        *(f"| `{key}` | {said} |" for key, said in meanings(GlassView).items()),
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


def files(folder: Path) -> dict[str, str]:
    """Both texts, by their places in a checkout, whichever ``folder`` that has."""
    return {SCHEMA: json.dumps(schema(), indent=1, ensure_ascii=False) + "\n", PAGE: page()}
