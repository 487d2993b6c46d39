"""What readers may say, and how the rest is refused."""

from typing import Any

import pytest

from tamsk_hw.errors import StreamError
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.journal.changes import Annotate, DeleteGame, EraseName, NamePlayers
from tamsk_hw.live import requests
from tamsk_hw.live.stream import Names
from tamsk_hw.partner.intention import Advice, MoveRing, RingAct
from tamsk_hw.referee.events import Action, Arbiter, Button, ButtonName, Press


@pytest.mark.parametrize(
    ("line", "request_"),
    [
        ({"since": 0}, requests.Since(0, None)),
        ({"since": 345, "life": "5f0c"}, requests.Since(345, "5f0c")),
        (
            {"id": "x", "do": {"event": "button", "button": "red", "press": "short"}},
            requests.DoEvent(Button(0.0, ButtonName.RED, Press.SHORT)),
        ),
        (
            {"id": 7, "do": {"event": "arbiter", "action": "ring", "tube": "D4", "player": "black"}},
            requests.DoEvent(Arbiter(0.0, Action.RING, Tube.D4, Player.BLACK)),
        ),
        ({"do": {"game": "resume"}}, requests.DoGame(requests.GameAnswer.RESUME)),
        ({"do": {"game": "rematch"}}, requests.DoGame(requests.GameAnswer.REMATCH)),
        (
            {"id": 1, "journal": {"rename": {"game": 12, "red": " Ann ", "black": None}}},
            requests.ChangeGames(NamePlayers(12, "Ann", "")),
        ),
        ({"journal": {"delete": {"game": 12}}}, requests.ChangeGames(DeleteGame(12))),
        (
            {"journal": {"annotate": {"game": 12, "text": "Red won."}}},
            requests.ChangeGames(Annotate(12, "Red won.")),
        ),
        ({"journal": {"erase": {"name": "Ann"}}}, requests.ChangeGames(EraseName("Ann"))),
        (
            {"id": 6, "journal": {"import": {"piece": "}", "more": True, "red": "Ann"}}},
            requests.ImportPiece("}", more=True, red="Ann"),
        ),
        (
            {"id": "s", "setup": {"ruleset": {"level": 2}, "names": {"red": " Ann ", "black": ""}}},
            requests.SetUp({"level": 2}, Names(red="Ann")),
        ),
        ({"id": "a", "advise": None}, requests.Advise(None)),
        (
            {"advise": {"player": "black", "act": "ring", "tube": "D4"}},
            requests.Advise(Advice(Player.BLACK, MoveRing(RingAct.DROP, Tube.D4))),
        ),
    ],
)
def test_what_is_understood(line: Any, request_: object) -> None:
    assert requests.read_request(line) == request_


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ({}, "since, do, setup, advise or journal"),
        ({"since": -1}, "0 or more"),
        ({"since": True}, "whole number"),
        ({"since": 1, "id": "x"}, "unknown key"),
        ({"id": "x", "do": {"event": "button", "button": "start", "press": "short", "t": 5}}, "'t'"),
        ({"id": "x", "do": {"event": "seat", "tube": "D4", "end": "A"}}, '"button", "arbiter"'),
        ({"id": "x", "do": {"event": "arbiter", "action": "expire", "tube": "Z9"}}, "Z9"),
        ({"id": "x", "do": {"game": "win"}}, "win"),
        ({"id": "x", "do": 5}, "button or arbiter"),
        ({"id": "x", "setup": {}}, "empty"),
        ({"id": "x", "advise": 1}, "advise is 1; allowed: an advice"),
        ({"id": "x", "advise": {"player": "red", "act": "ring", "tube": "D9"}}, "an advice as a state has it"),
        ({"id": "x", "advise": None, "player": "red"}, "player"),
        ({"id": "x", "setup": {"ruleset": None}}, "ruleset"),
        ({"id": "x", "setup": {"ruleset": {"level": 4}}}, "level"),
        ({"id": "x", "setup": {"ruleset": {"tubes": ["D4", "D5"]}}}, "tubes"),
        ({"id": "x", "setup": {"names": {"red": "a" * 101}}}, "100"),
        ({"id": "x", "setup": {"names": []}}, "names"),
        ({"id": "x", "do": {"game": "next"}, "and": 1}, "unknown key"),
        ({"id": "x", "journal": {"delete": {"game": 1}, "erase": {"name": "Ann"}}}, "an object with one of"),
        ({"id": "x", "journal": {"drop": {}}}, "drop"),
        ({"id": "x", "journal": {"delete": 12}}, "an object"),
        ({"id": "x", "journal": {"delete": {"game": "../12"}}}, "the number of a game"),
        ({"id": "x", "journal": {"delete": {"game": 0}}}, "the number of a game"),
        ({"id": "x", "journal": {"delete": {"game": 12, "all": True}}}, "unknown key"),
        ({"id": "x", "journal": {"rename": {"game": 12}}}, "rename has no name"),
        ({"id": "x", "journal": {"rename": {"game": 12, "red": "a" * 101}}}, "100"),
        ({"id": "x", "journal": {"annotate": {"game": 12, "text": " "}}}, "no remark"),
        ({"id": "x", "journal": {"annotate": {"game": 12, "text": "x" * 1001}}}, "1000"),
        ({"id": "x", "journal": {"import": {"file": "/etc/passwd"}}}, "unknown key"),
        ({"id": "x", "journal": {"import": {"piece": 5}}}, "piece"),
    ],
)
def test_what_is_not_understood_is_refused_in_one_line(line: Any, told: str) -> None:
    with pytest.raises(StreamError) as refused:
        requests.read_request(line)
    assert told in str(refused.value)
    assert "\n" not in str(refused.value)
