"""A header that is refused: one line with place, key, value and what is allowed (docs/formats.md, Header)."""

from __future__ import annotations

from typing import Any

import pytest

from tamsk_hw.errors import StreamError
from tamsk_hw.referee.header import parse_header


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ([], "the header is []; allowed: an object"),
        ({}, "the header has no 'tamsk'; allowed: 1"),
        ({"tamsk": 2}, "tamsk is 2; allowed: 1"),
        ({"tamsk": 1, "sands": {}}, 'the header has the unknown key "sands"; allowed: tamsk, ruleset, sand, '),
        ({"tamsk": 1, "holders": 1}, "holders is 1; allowed: true or false"),
    ],
)
def test_a_header_is_refused(value: Any, message: str) -> None:
    with pytest.raises(StreamError) as refused:
        parse_header(value, "game line 1")
    assert str(refused.value).startswith(f"game line 1: {message}")


@pytest.mark.parametrize(
    ("rules", "message"),
    [
        ({"level": "3"}, 'ruleset.level is "3"; allowed: 1, 2, 3'),
        ({"level": 4}, "ruleset.level is 4; allowed: 1, 2, 3"),
        ({"start": "middle"}, 'ruleset.start is "middle"; allowed: "corners", "free"'),
        ({"start": None}, 'ruleset.start is null; allowed: "corners", "free"'),
        ({"timer_side": "top"}, 'ruleset.timer_side is "top"; allowed: "left", "right", null'),
        ({"forfeit_penalised": 0}, "ruleset.forfeit_penalised is 0; allowed: true or false"),
        ({"settle": "2"}, 'ruleset.settle is "2"; allowed: a number of seconds, 0 or more'),
        ({"tubes": []}, "ruleset.tubes is []; allowed: tubes, one or more, each once"),
        ({"tubes": ["D4", "D4"]}, 'ruleset.tubes is ["D4", "D4"]; allowed: tubes, one or more, each once'),
    ],
)
def test_a_ruleset_is_refused(rules: dict[str, Any], message: str) -> None:
    with pytest.raises(StreamError) as refused:
        parse_header({"tamsk": 1, "ruleset": rules})
    assert str(refused.value) == f"header: {message}"


@pytest.mark.parametrize(
    ("sand", "message"),
    [
        ([], "sand is []; allowed: an object"),
        ({"glas": 1}, 'sand has the unknown key "glas"; allowed: glass, timer, glasses, tolerance, exact_hands'),
        ({"glasses": {"D4": 1}}, 'sand.glasses has the unknown key "D4"; allowed: D1, G4, A4, G1, D7, A1'),
        (
            {"glass": [36000, 36000.1]},
            "sand.glass is [36000, 36000.1]; allowed: seconds above 0, at most 36000, or [end A down, end B down]",
        ),
        (
            {"glasses": {"D1": 0}},
            "sand.glasses.D1 is 0; allowed: seconds above 0, at most 36000, or [end A down, end B down]",
        ),
        (
            {"glass": [1, 2, 3]},
            "sand.glass is [1, 2, 3]; allowed: seconds above 0, at most 36000, or [end A down, end B down]",
        ),
        (
            {"timer": "15"},
            'sand.timer is "15"; allowed: seconds above 0, at most 36000, or [end A down, end B down]',
        ),
        ({"tolerance": 1}, "sand.tolerance is 1; allowed: a number from 0 to below 1"),
        ({"exact_hands": 1}, "sand.exact_hands is 1; allowed: true or false"),
    ],
)
def test_the_sand_is_refused(sand: Any, message: str) -> None:
    with pytest.raises(StreamError) as refused:
        parse_header({"tamsk": 1, "sand": sand})
    assert str(refused.value) == f"header: {message}"
