"""Lines to a simulated board: understood, or refused in one line that says what is allowed."""

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tamsk_hw.errors import printable
from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.hands.actions import read_action
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.world import PressKind
from tamsk_hw.system.line_server import LONGEST_LINE
from tests.hands.at_hand import act, answers
from tests.soak import in_soak


@pytest.mark.parametrize(
    ("record", "deed"),
    [
        (
            {"do": "seat", "player": "black", "tube": "D2", "turned": True, "glass": "A1"},
            act("seat", Player.BLACK, Tube.D2, True, "A1"),
        ),
        (
            {"do": "place", "player": "red", "tube": "A1", "full": False, "end": "B"},
            act("place", Player.RED, Tube.A1, None, False, End.B),
        ),
        ({"do": "press", "button": "red", "press": "down"}, act("press", ButtonName.RED, PressKind.DOWN)),
        ({"do": "wait", "seconds": 2}, act("wait", 2.0)),
    ],
)
def test_an_action_is_read(record: dict[str, Any], deed: object) -> None:
    assert read_action(record["do"], {key: record[key] for key in record if key != "do"}) == deed


@pytest.mark.parametrize(
    ("record", "words"),
    [
        ([], "the line is []"),
        ({}, "do with its keys"),
        ({"do": "juggle"}, 'do is "juggle"; allowed: "lift"'),
        ({"do": ["lift"]}, 'do is ["lift"]'),
        ({"do": "lift", "player": "red"}, "lift needs tube"),
        ({"do": "lift", "player": "green", "tube": "D1"}, 'player is "green"; allowed: "red", "black"'),
        ({"do": "lift", "player": "red", "tube": "D9"}, 'tube is "D9"; allowed: A1 to A4'),
        ({"do": "lift", "player": "red", "tube": None}, "tube is null"),
        ({"do": "lift", "player": "red", "tube": "D1", "t": 1}, 'unknown key "t" for lift; allowed: player, tube'),
        ({"do": "seat", "player": "red", "tube": "D1", "turned": 1}, "turned is 1; allowed: true or false"),
        ({"do": "wait", "seconds": -1}, "seconds is -1; allowed: 0 to 3600 seconds"),
        ({"do": "wait", "seconds": float("nan")}, "seconds is NaN"),
        ({"do": "drop", "player": "red", "tube": "D1", "within": 11}, "within is 11; allowed: 0 to 10 seconds"),
        ({"do": "fault", "fault": "x" * 201}, "a text of at most 200 characters"),
        ({"look": False}, "the line is"),
        ({"panel": "0"}, "hexadecimal"),
        ({"id": 1.5, "look": True}, "id is 1.5"),
        ({"id": "x" * 201, "look": True}, "id is"),
    ],
)
def test_what_is_not_understood_is_refused_in_one_line(record: Any, words: str) -> None:
    [answer] = answers(json.dumps(record).encode())
    assert words in answer["refused"]
    assert "\n" not in answer["refused"]


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"lift red D1", "no JSON"),
        (b"\xff\xfe\x00", "no JSON"),
        (b"[" * 10_000, "no JSON"),
        (b"x" * (2 * LONGEST_LINE), "longer than 65536 bytes"),
    ],
)
def test_what_is_no_json_is_refused_once(data: bytes, words: str) -> None:
    [refused, after] = answers(data + b'\n{"id": 1, "look": true}')
    assert refused["re"] is None
    assert words in refused["refused"]
    assert "look" in after


def test_a_refusal_has_the_askers_id() -> None:
    for id in ("mine", 7, 10**30, None):
        [answer] = answers(json.dumps({"id": id, "do": "juggle"}).encode())
        assert answer["re"] == id


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=10),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
KEYS = st.sampled_from(["id", "do", "look", "watch", "panel", "player", "tube", "seconds", "fault", "on"])
VALUES = JSON | st.sampled_from(["lift", "wait", "lamp", "press", "fault", "red", "D1", True])


@settings(max_examples=in_soak(100, otherwise=30))
@given(st.dictionaries(KEYS, VALUES, max_size=5))
def test_no_object_does_harm(record: dict[str, Any]) -> None:
    for answer in answers(json.dumps(record).encode()):
        assert printable(answer.get("refused", "")) == answer.get("refused", "")
