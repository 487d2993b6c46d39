"""The AsyncAPI document tells what is sent."""

import json
from pathlib import Path
from typing import Any

import pytest
from jsonschema import Draft202012Validator

from tests.docs.references.hall import DOCUMENT, document
from tests.hall.streams import recorded

ROOT = Path(__file__).parents[2]


def looked_up(at: str) -> Any:
    found = document()
    for step in at.removeprefix("#/").split("/"):
        found = found[step]
    return found


def test_the_document_is_that_of_the_types() -> None:
    assert json.loads((ROOT / DOCUMENT).read_text(encoding="utf-8")) == document()


def test_each_message_of_a_game_is_as_its_channel_has_it() -> None:
    for sent in recorded():
        (message,) = looked_up(f"#/channels/{sent.topic}/messages").values()
        schema = looked_up(message["$ref"])["payload"]
        payload = json.loads(sent.payload)
        Draft202012Validator(schema).validate(payload)
        assert not Draft202012Validator(schema).is_valid({**payload, "game": 5})


@pytest.mark.parametrize("operation", document()["operations"].values())
def test_each_operation_has_its_channel(operation: dict[str, Any]) -> None:
    channel = looked_up(operation["channel"]["$ref"])
    assert channel["address"].startswith("tamsk/{hall}/{board}/")
    for parameter in channel["parameters"].values():
        assert "description" in looked_up(parameter["$ref"])
