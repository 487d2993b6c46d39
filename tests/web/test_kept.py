"""Which lines the page keeps, and which it sends to a browser that comes, or comes back."""

import json
from collections.abc import Iterable
from typing import Any

import pytest

from tamsk_hw.errors import TamskError
from tamsk_hw.facts.notices import LineWell
from tamsk_hw.web.live import StreamPlace, TableLines
from tests.web.stream import Told

GAME = "R7.6-just-within-the-window"


def kept_of(told: Told, life: str = "5f0c", **settings: Any) -> TableLines:
    kept = TableLines(**settings)
    kept.greet(life)
    take(kept, told.lines)
    return kept


def take(kept: TableLines, records: Iterable[dict[str, Any]]) -> None:
    for record in records:
        if "seq" in record:
            kept.feed(record)


def sent(kept: TableLines, place: StreamPlace | None = None) -> list[dict[str, Any]]:
    """The rulings that a browser gets, a few lines at a time, from what is sent to it."""
    found: list[dict[str, Any]] = []
    seq = kept.begin(place)
    while lines := kept.after(seq, most=3):
        seq = lines[-1].place.seq
        for line in lines:
            name, event, data, *rest = line.sent.decode().split("\n")
            assert name == f"id: {line.place}"
            assert rest == ["", ""]
            if event == "event: ruling":
                found.append(json.loads(data.removeprefix("data: "))["ruling"])
    return found


def test_a_browser_that_stays_gets_the_end_of_the_previous_game_too() -> None:
    told = Told()
    list(told.game("R5.2-fewest-rings", "a"))
    list(told.game(GAME, "b"))
    assert sent(kept_of(told), StreamPlace("5f0c", 1)) == told.rulings
    list(told.game(GAME, "c"))
    third = [line["seq"] for line in told.lines if "header" in line][1]
    rest = [line["ruling"] for line in told.lines if "ruling" in line and line["seq"] > third]
    assert sent(kept_of(told), StreamPlace("5f0c", 1)) == rest


def test_lines_that_come_twice_are_kept_once() -> None:
    told = Told()
    list(told.game(GAME))
    kept = kept_of(told)
    assert kept.greet("5f0c") == {"since": len(told.lines), "life": "5f0c"}
    take(kept, told.lines[5:])
    assert sent(kept) == told.rulings


def test_what_is_kept_is_bounded() -> None:
    told = Told()
    list(told.game(GAME))
    for _ in range(300):
        told.line(LineWell())
    kept = kept_of(told, most=100)
    assert 90 <= len(kept.after(0, most=1000)) <= 100
    assert kept.newest == len(told.lines)


@pytest.mark.parametrize(
    "line",
    [
        {"seq": "1", "saved": 1},
        {"seq": 1.5, "saved": 1},
        {"seq": 9, "names": {"red": 5}},
        {"seq": 9, "names": {"red": ["Ada"]}},
        {"seq": 9, "ruling": {"ruling": "turn", "t": 1.0, "rule": "R2.1"}},
        {"seq": 9, "ruling": {"ruling": "turn", "t": float("inf"), "rule": "R2.1"}, "words": ""},
        {"seq": 9, "event": {"event": "arbiter", "t": 1.0, "action": "dance"}},
        {"seq": 9, "notice": {"code": "late", "seconds": float("inf")}},
        {"seq": 9, "header": {}, "key": "b", "game": "twelve"},
    ],
)
def test_what_is_no_line_is_refused(line: Any) -> None:
    kept = TableLines()
    kept.greet("5f0c")
    kept.feed({"seq": 1, "header": {"tamsk": 1}, "key": "a", "game": None, "names": None})
    with pytest.raises((TamskError, LookupError, TypeError, ValueError, ArithmeticError)):
        kept.feed(line)
    assert [line.place.seq for line in kept.after(0)] == [1]


def test_a_ruling_of_a_newer_service_is_sent_in_its_own_words() -> None:
    kept = TableLines()
    kept.greet("5f0c")
    line = kept.feed(
        {"seq": 1, "ruling": {"t": 62.5, "ruling": "applause", "rule": "R10.1"}, "words": "Bravo! (R10.1)"}
    )
    assert line is not None
    shown = line.shown()
    assert (shown["said"], shown["clause"], shown["clock"]) == ("Bravo! (R10.1)", "", "01:02")


def test_markup_and_line_ends_in_names_stay_data() -> None:
    kept = TableLines()
    kept.greet("5f0c")
    name = "a\nid: 5f0c-9\n\n<b>\x1b[31m\u2028\ud800"
    line = kept.feed({"seq": 1, "names": {"red": name, "black": None}})
    assert line is not None
    assert line.sent.count(b"\n") == 4
    assert json.loads(line.sent.decode().split("\n")[2].removeprefix("data: "))["names"]["red"] == name
