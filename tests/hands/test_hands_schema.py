"""The schema of the hands' socket against real lines, and the files in docs against the schema."""

import json
from functools import cache
from typing import Any

import pytest
from jsonschema import Draft202012Validator, ValidationError

from tamsk_hw.forms import to_json
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.world import PressKind
from tests.docs.references.simulate import PAGE, SCHEMA, page, schema
from tests.hands.at_hand import AtHand, act, answers
from tests.house import ROOT


@cache
def validator(side: str) -> Draft202012Validator:
    whole = schema()
    Draft202012Validator.check_schema(whole)
    return Draft202012Validator({"$ref": f"#/$defs/{side}", "$defs": whole["$defs"]})


def looks() -> list[Any]:
    table = AtHand()
    found = [table.hands.observe()]
    found.append(table.do(act("lift", Player.RED, Tube.D1), act("drop", Player.BLACK, Tube.D4)))
    table.hands.show(bytes(3 * table.wiring.pixel_count))
    found.append(table.do(act("fault", "mux 1 0"), act("press", ButtonName.RED, PressKind.DOWN)))
    return [to_json(look) for look in found]


def test_a_look_fits_the_schema() -> None:
    for look in looks():
        line = json.loads(json.dumps({"look": look}))
        validator("from_board").validate(line)
        validator("from_board").validate({"re": "x", **line})


@pytest.mark.parametrize(
    "line",
    [
        {"re": "x", "done": 1.5},
        {"re": None, "refused": "no glass is in D4"},
        {"buttons": ["start", "red"]},
        {
            "hands": 1,
            "program": "0.2.0",
            "port": "/tmp/b",
            "emulated": False,
            "seed": 1,
            "players": ["red"],
            "follows_names": False,
        }
        | {"tubes": ["D4"], "t": 0.0},
    ],
)
def test_the_other_lines_of_the_board_fit(line: Any) -> None:
    validator("from_board").validate(line)


@pytest.mark.parametrize("line", [{}, {"look": {}}, {"re": "x"}, {"buttons": ["blue"]}, {"hands": 2}])
def test_what_is_no_line_of_the_board_does_not_fit(line: Any) -> None:
    with pytest.raises(ValidationError):
        validator("from_board").validate(line)


REQUESTS = [
    {"id": 1, "do": "lift", "player": "red", "tube": "D1"},
    {"do": "seat", "player": "red", "tube": "D1", "turned": True, "glass": "G4"},
    {"do": "place_timer", "player": "black", "end": "A"},
    {"do": "press", "button": "start", "press": "long"},
    {"do": "wait", "seconds": 3600},
    {"do": "unplug"},
    {"do": "reset", "cause": "brown_out"},
    {"id": "x", "look": True},
    {"watch": False},
    {"panel": "00ff00"},
]
NO_REQUESTS = [
    {},
    {"do": "juggle"},
    {"do": "lift", "player": "red"},
    {"do": "lift", "player": "red", "tube": "Z1"},
    {"do": "wait", "seconds": 3601},
    {"do": "unplug", "player": "red"},
    {"look": False},
    {"panel": "00f"},
    {"id": 1.5, "look": True},
]


@pytest.mark.parametrize("request_line", REQUESTS, ids=json.dumps)
def test_what_the_schema_allows_is_understood(request_line: Any) -> None:
    validator("to_board").validate(request_line)
    assert "line:" not in str(answers(json.dumps(request_line).encode()))


@pytest.mark.parametrize("request_line", NO_REQUESTS, ids=json.dumps)
def test_what_the_schema_forbids_is_refused(request_line: Any) -> None:
    with pytest.raises(ValidationError):
        validator("to_board").validate(request_line)
    [answer] = answers(json.dumps(request_line).encode())
    assert answer["refused"].startswith("line:")


def test_the_files_in_docs_are_made_of_these_types() -> None:
    assert json.loads((ROOT / SCHEMA).read_text(encoding="utf-8")) == schema()
    assert (ROOT / PAGE).read_text(encoding="utf-8") == page()
