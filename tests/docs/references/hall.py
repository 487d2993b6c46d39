"""The AsyncAPI document of a hall's messages, made from their types."""

import json
from pathlib import Path
from typing import Any, Final

from tamsk_hw import __version__
from tamsk_hw.forms import about, form_of
from tamsk_hw.mqtt.messages import USES, topic_of

#: What is made, with its place in the checkout.
DOCUMENT: Final = "docs/hall.asyncapi.json"

_PLACES: Final = {
    "hall": {"description": "the name of the hall: [mqtt] hall"},
    "board": {"description": "the name of the board: [mqtt] board"},
}


def document() -> dict[str, Any]:
    """The document (AsyncAPI 3.0): a channel for each topic, and what a board and a hall do with it."""
    channels, operations, messages = {}, {}, {}
    for topic, use in USES.items():
        name = use.kind.__name__
        messages[name] = {"summary": about(use.kind), "payload": form_of(use.kind).schema}
        channels[topic.value] = {
            "address": topic_of("{hall}", "{board}", topic),
            "parameters": {place: {"$ref": f"#/components/parameters/{place}"} for place in _PLACES},
            "messages": {name: {"$ref": f"#/components/messages/{name}"}},
        }
        operations[topic.value] = {
            "action": "send" if use.from_board else "receive",
            "channel": {"$ref": f"#/channels/{topic.value}"},
            "summary": "public" if use.is_public else "between board and hall",
            "bindings": {"mqtt": {"qos": 1, "retain": use.is_retained, "bindingVersion": "0.2.0"}},
        }
    return {
        "asyncapi": "3.0.0",
        "info": {
            "title": "A board of tamsk-hw in a hall, over MQTT",
            "version": __version__,
            "description": "Made by make references from the program's types. Events, rulings, headers and states "
            "are those of live.schema.json. Operations are those of a board; the hall has the others.",
        },
        "defaultContentType": "application/json",
        "channels": channels,
        "operations": operations,
        "components": {"messages": messages, "parameters": _PLACES},
    }


def files(folder: Path) -> dict[str, str]:
    """The text of the document by its place."""
    return {DOCUMENT: json.dumps(document(), indent=1, ensure_ascii=False) + "\n"}
