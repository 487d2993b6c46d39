"""A record of the live stream, and what of it the service had promised to be saved; needs no machine."""

from __future__ import annotations

from typing import Any

import pytest

from tests.machine.record import first_life, said

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
    promised = said(first_life(LINES), promised=True)
    assert promised.events == [{"t": 1.0}]
    assert promised.rulings == [{"t": 1.0, "ruling": "moved"}]
    assert promised.stream == '{"v": 1}\n{"t": 1.0}\n'
    assert len(said(first_life(LINES), promised=False).events) == 2


def test_nothing_is_promised_before_the_first_saved() -> None:
    promised = said(first_life(LINES[:5]), promised=True)
    assert (promised.header, promised.events, promised.rulings) == ({"v": 1}, [], [])


def test_another_life_and_lines_sent_again_are_left_out() -> None:
    again = [*LINES, GREETING, *LINES[1:], {"live": 1, "life": "two", "seq": 0}, {"seq": 7, "event": {"t": 9.0}}]
    assert [line["seq"] for line in first_life(again)] == [1, 2, 3, 4, 5, 6]


def test_a_game_before_is_no_part_of_the_last() -> None:
    second = [{"seq": 7, "header": {"v": 2}, "game": None}, {"seq": 8, "event": {"t": 0.5}}]
    assert said(first_life([*LINES, *second]), promised=True).events == []
    assert said(first_life([*LINES, *second]), promised=False).events == [{"t": 0.5}]


def test_without_a_game_nothing_can_be_said() -> None:
    with pytest.raises(ValueError, match="no game"):
        said([], promised=True)
