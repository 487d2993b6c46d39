"""The numbers of the live stream, and what is sent again."""

import json

import pytest

from tamsk_hw.facts.notices import LineWell
from tamsk_hw.live.stream import NO_NAMES, GameBegun, Greeting, LiveStream, Names
from tamsk_hw.referee import Header
from tamsk_hw.referee.events import Tick

GREETING = Greeting(life="5f0c", program="0.2.0", board=None, simulated=True, speed=1.0)


def game(stream: LiveStream, key: str, ticks: int) -> None:
    """A game of so many events."""
    stream.append(GameBegun(Header(), key, None, NO_NAMES, False))
    for t in range(ticks):
        stream.append(Tick(float(t)))


def numbers(stream: LiveStream, since: int) -> list[int]:
    """The numbers of all that is sent after ``since``."""
    found: list[int] = []
    while lines := stream.after(found[-1] if found else since, most=7):
        found += [seq for seq, _ in lines]
    return found


def test_numbers_count_from_1_without_gaps_and_stand_in_the_lines() -> None:
    stream = LiveStream(GREETING)
    game(stream, "a", 20)
    assert numbers(stream, 0) == list(range(1, 22))
    assert [json.loads(data)["seq"] for _, data in stream.after(0)] == list(range(1, 22))
    assert stream.newest == 21


def test_the_current_and_the_previous_game_can_be_had() -> None:
    stream = LiveStream(GREETING)
    stream.append(LineWell())
    game(stream, "a", 3)  # 2 to 5
    game(stream, "b", 3)  # 6 to 9
    assert numbers(stream, 0) == list(range(2, 10))
    game(stream, "c", 3)  # 10 to 13
    assert numbers(stream, 0) == list(range(6, 14))
    assert numbers(stream, 11) == [12, 13]
    assert numbers(stream, 13) == []


@pytest.mark.parametrize(
    ("since", "life", "begin"),
    [
        (7, None, 7),
        (2, "5f0c", 2),
        (0, None, 5),  # the current game whole
        (0, "5f0c", 5),
        (7, "another", 5),
        (8000, "5f0c", 5),  # there is no such line
    ],
)
def test_since_and_life_say_where_to_begin(since: int, life: str | None, begin: int) -> None:
    stream = LiveStream(GREETING)
    stream.append(LineWell())
    game(stream, "a", 3)
    game(stream, "b", 3)
    assert stream.begin(since, life) == begin


def test_what_is_kept_is_bounded() -> None:
    """A service can stand for months with one game set up."""
    stream = LiveStream(GREETING, most_kept=100)
    game(stream, "a", 1000)
    kept = numbers(stream, 0)
    assert kept[-1] == stream.newest == 1001
    assert 90 <= len(kept) <= 100
    assert kept == list(range(kept[0], 1002))


def test_names_with_markup_and_escapes_stay_json() -> None:
    """A lone surrogate is no UTF-8; it goes out as JSON writes it."""
    name = 'a<b>"\\\x1b[31m\u2028\ud800'
    stream = LiveStream(GREETING)
    stream.append(Names(red=name))
    [(_, data)] = stream.after(0)
    assert data.endswith(b"\n")
    assert data.count(b"\n") == 1
    assert json.loads(data)["names"] == {"red": name, "black": None}
