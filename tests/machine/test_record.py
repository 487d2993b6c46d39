"""A record of the live stream, and what of it the service had promised to be saved; needs no machine."""

from __future__ import annotations

from typing import Any

import pytest

from tests.machine.record import lives, promises, said

GREETING: dict[str, Any] = {"live": 1, "life": "one", "seq": 0}

LINES: list[dict[str, Any]] = [
    GREETING,
    {"seq": 1, "header": {"v": 1}, "game": None},
    {"state": {"phase": "play"}},
    {"seq": 2, "event": {"t": 1.0}},
    {"seq": 3, "ruling": {"t": 1.0, "ruling": "moved"}},
    {"seq": 4, "saved": 3, "game": 1},
    {"seq": 5, "event": {"t": 2.0}},
    {"seq": 6, "ruling": {"t": 2.0, "ruling": "ring_counted"}},
]


def test_only_what_was_said_to_be_saved_is_promised() -> None:
    promised = said(lives(LINES)[0], promised=True)
    assert promised.events == [{"t": 1.0}]
    assert promised.rulings == [{"t": 1.0, "ruling": "moved"}]
    assert promised.stream == '{"v": 1}\n{"t": 1.0}\n'
    assert len(said(lives(LINES)[0], promised=False).events) == 2


def test_nothing_is_promised_before_the_first_saved() -> None:
    promised = said(lives(LINES[:5])[0], promised=True)
    assert (promised.header, promised.events, promised.rulings) == ({"v": 1}, [], [])


def test_lives_are_told_apart_and_lines_sent_again_are_left_out() -> None:
    again = [*LINES, GREETING, *LINES[1:], {"live": 1, "life": "two", "seq": 0}, {"seq": 7, "event": {"t": 9.0}}]
    assert [[line["seq"] for line in life] for life in lives(again)] == [[1, 2, 3, 4, 5, 6], [7]]


def test_each_life_that_had_the_game_has_promised_a_part_of_it() -> None:
    without_a_game: list[dict[str, Any]] = [
        {"live": 1, "life": "two", "seq": 0},
        {"seq": 1, "notice": {"code": "connected"}},
    ]
    resumed: list[dict[str, Any]] = [
        {"live": 1, "life": "three", "seq": 0},
        {"seq": 2, "header": {"v": 1}, "game": 1, "resumed": True},
        {"seq": 3, "event": {"t": 1.0}},
        {"seq": 4, "event": {"t": 2.0}},
        {"seq": 5, "saved": 4, "game": 1},
    ]
    each = promises([*LINES, *without_a_game, *resumed])
    assert [promised.events for promised in each] == [[{"t": 1.0}], [{"t": 1.0}, {"t": 2.0}]]


def test_a_game_before_is_no_part_of_the_last() -> None:
    second = [{"seq": 7, "header": {"v": 2}, "game": None}, {"seq": 8, "event": {"t": 0.5}}]
    assert said(lives([*LINES, *second])[0], promised=True).events == []
    assert said(lives([*LINES, *second])[0], promised=False).events == [{"t": 0.5}]


def test_without_a_game_nothing_can_be_said() -> None:
    with pytest.raises(ValueError, match="no game"):
        said([], promised=True)
