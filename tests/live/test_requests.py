"""What readers may say, and how the rest is refused."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tamsk_hw.errors import printable
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.journal.changes import Annotate, DeleteGame, EraseName, NamePlayers
from tamsk_hw.live.requests import (
    Advise,
    ChangeGames,
    DoEvent,
    DoGame,
    GameAnswer,
    HandOver,
    ImportPiece,
    Request,
    RequestError,
    SetUp,
    Since,
    read_request,
)
from tamsk_hw.live.stream import Names
from tamsk_hw.partner.intention import Advice, DropRing
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Press


def read(value: Any) -> Since | Request | HandOver:
    return read_request(json.dumps(value).encode())


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ({"since": 0}, Since(0, None)),
        ({"since": 345, "life": "5f0c"}, Since(345, "5f0c")),
        (
            {"id": "x", "do": {"event": "button", "button": "red", "press": "short"}},
            Request("x", DoEvent(Button(0.0, ButtonName.RED, Press.SHORT))),
        ),
        (
            {"id": 7, "do": {"event": "arbiter", "action": "ring", "tube": "D4", "player": "black"}},
            Request(7, DoEvent(Arbiter(0.0, Action.RING, Tube.D4, Player.BLACK))),
        ),
        ({"do": {"game": "resume"}}, Request(None, DoGame(GameAnswer.RESUME))),
        ({"do": {"game": "abandon"}}, Request(None, DoGame(GameAnswer.ABANDON))),
        ({"do": {"game": "next"}}, Request(None, DoGame(GameAnswer.NEXT))),
        ({"do": {"game": "rematch"}}, Request(None, DoGame(GameAnswer.REMATCH))),
        (
            {"id": 1, "journal": {"rename": {"game": 12, "red": " Ann ", "black": None}}},
            Request(1, ChangeGames(NamePlayers(12, "Ann", ""))),
        ),
        ({"journal": {"rename": {"game": 12, "red": "Ann"}}}, Request(None, ChangeGames(NamePlayers(12, "Ann")))),
        ({"journal": {"delete": {"game": 12}}}, Request(None, ChangeGames(DeleteGame(12)))),
        (
            {"journal": {"annotate": {"game": 12, "text": "Red won."}}},
            Request(None, ChangeGames(Annotate(12, "Red won."))),
        ),
        ({"journal": {"erase": {"name": "Ann"}}}, Request(None, ChangeGames(EraseName("Ann")))),
        (
            {"id": 5, "journal": {"import": {"piece": "{", "more": True}}},
            HandOver(5, ImportPiece("{", more=True)),
        ),
        (
            {"id": 6, "journal": {"import": {"piece": "}", "red": "Ann"}}},
            HandOver(6, ImportPiece("}", red="Ann")),
        ),
        (
            {"id": "s", "setup": {"ruleset": {"level": 2}, "names": {"red": " Ann ", "black": ""}}},
            Request("s", SetUp({"level": 2}, Names(red="Ann"))),
        ),
        ({"setup": {"ruleset": {}}}, Request(None, SetUp({}, None))),
        ({"id": "a", "advise": None}, Request("a", Advise(None))),
        (
            {"advise": {"player": "black", "act": "ring", "tube": "D4"}},
            Request(None, Advise(Advice(Player.BLACK, DropRing(Tube.D4)))),
        ),
    ],
)
def test_what_is_understood(line: Any, request_: Since | Request | HandOver) -> None:
    assert read(line) == request_


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ([], "an object with since, do, setup, advise or journal"),
        ({}, "since, do, setup, advise or journal"),
        ({"since": -1}, "0 or more"),
        ({"since": 1.0}, "whole number"),
        ({"since": True}, "whole number"),
        ({"since": 1, "life": 5}, "life"),
        ({"since": 1, "id": "x"}, "unknown key"),
        ({"id": "x", "do": {"event": "button", "button": "start", "press": "short", "t": 5}}, "'t'"),
        ({"id": "x", "do": {"event": "button", "button": "green", "press": "short"}}, "green"),
        ({"id": "x", "do": {"event": "seat", "tube": "D4", "end": "A"}}, '"button", "arbiter"'),
        ({"id": "x", "do": {"event": "arbiter", "action": "award"}}, "winner"),
        ({"id": "x", "do": {"event": "arbiter", "action": "expire", "tube": "Z9"}}, "Z9"),
        ({"id": "x", "do": {"game": "win"}}, "win"),
        ({"id": "x", "do": {"game": ["next"]}}, "next"),
        ({"id": "x", "do": 5}, "button or arbiter"),
        ({"id": "x", "setup": {}}, "empty"),
        ({"id": "x", "advise": 1}, "advise is 1; allowed: an advice"),
        ({"id": "x", "advise": {"player": "red", "act": ["ring"], "tube": "D4"}}, "an advice as a state has it"),
        ({"id": "x", "advise": {"player": "red", "act": "ring", "tube": "D9"}}, "an advice as a state has it"),
        ({"id": "x", "advise": None, "player": "red"}, "player"),
        ({"id": "x", "setup": {"ruleset": None}}, "ruleset"),
        ({"id": "x", "setup": {"ruleset": {"level": 4}}}, "level"),
        ({"id": "x", "setup": {"ruleset": {"tubes": ["D4", "D5"]}}}, "tubes"),
        ({"id": "x", "setup": {"names": {"red": "a" * 101}}}, "100"),
        ({"id": "x", "setup": {"names": {"green": "a"}}}, "green"),
        ({"id": "x", "setup": {"names": {"red": 5}}}, "names.red"),
        ({"id": "x", "setup": {"names": []}}, "names"),
        ({"id": "x", "do": {"game": "next"}, "and": 1}, "unknown key"),
        ({"id": "x", "journal": {}}, "rename, delete, annotate, erase, import"),
        ({"id": "x", "journal": {"delete": {"game": 1}, "erase": {"name": "Ann"}}}, "an object with one of"),
        ({"id": "x", "journal": {"drop": {}}}, "drop"),
        ({"id": "x", "journal": {"delete": 12}}, "an object"),
        ({"id": "x", "journal": {"delete": {"game": "../12"}}}, "the number of a game"),
        ({"id": "x", "journal": {"delete": {"game": True}}}, "the number of a game"),
        ({"id": "x", "journal": {"delete": {"game": 0}}}, "the number of a game"),
        ({"id": "x", "journal": {"delete": {"game": 12, "all": True}}}, "unknown key"),
        ({"id": "x", "journal": {"rename": {"game": 12}}}, "rename has no name"),
        ({"id": "x", "journal": {"rename": {"game": 12, "red": 5}}}, "red"),
        ({"id": "x", "journal": {"rename": {"game": 12, "red": "a" * 101}}}, "100"),
        ({"id": "x", "journal": {"annotate": {"game": 12, "text": " "}}}, "no remark"),
        ({"id": "x", "journal": {"annotate": {"game": 12, "text": "x" * 1001}}}, "1000"),
        ({"id": "x", "journal": {"import": {"file": "/etc/passwd"}}}, "unknown key"),
        ({"id": "x", "journal": {"import": {"piece": 5}}}, "piece"),
        ({"id": "x", "journal": {"import": {"piece": "", "more": 1}}}, "more"),
    ],
)
def test_what_is_not_understood_is_refused_in_one_line(line: Any, told: str) -> None:
    with pytest.raises(RequestError) as refused:
        read(line)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
    assert refused.value.id == (line.get("id") if isinstance(line, dict) else None)


@pytest.mark.parametrize("asker", [1.5, True, [], {}, "x" * 201])
def test_an_id_that_cannot_be_repeated_is_refused(asker: Any) -> None:
    with pytest.raises(RequestError, match="id") as refused:
        read({"id": asker, "do": {"game": "next"}})
    assert refused.value.id is None


@pytest.mark.parametrize(
    "line",
    [b"", b"nonsense", b"\xff\xfe", b"[" * 60_000, b'{"since": ' + b"9" * 5000 + b"}", b'{"since": NaN}', b"null"],
)
def test_what_is_no_json_object_is_refused(line: bytes) -> None:
    with pytest.raises(RequestError):
        read_request(line)


KEYS = [
    "id",
    "do",
    "setup",
    "journal",
    "rename",
    "import",
    "piece",
    "since",
    "life",
    "event",
    "game",
    "action",
    "tube",
    "names",
    "ruleset",
    "red",
]

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(KEYS), inner, max_size=4),
    max_leaves=8,
)


@given(JSON)
def test_whatever_is_sent_is_understood_or_refused(line: Any) -> None:
    refused = ""
    try:
        read(line)
    except RequestError as error:
        refused = str(error)
    assert printable(refused) == refused
