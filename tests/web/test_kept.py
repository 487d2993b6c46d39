"""Which lines the page keeps, and which it sends to a browser that comes, or comes back."""

import json
from typing import Any

from tamsk_hw.web.live import StreamPlace, TableLines
from tests.web.stream import Told

GAME = "R7.6-just-within-the-window"


def kept_of(told: Told) -> TableLines:
    kept = TableLines()
    kept.greet("5f0c")
    for record in told.lines:
        kept.feed(record)
    return kept


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
    for record in told.lines[5:]:
        kept.feed(record)
    assert sent(kept) == told.rulings


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
    kept.feed({"seq": 1, "header": {"tamsk": 1}, "key": "a", "game": None, "names": None})
    line = kept.feed({"seq": 2, "names": {"red": name, "black": None}})
    assert line is not None
    assert kept.game is not None
    assert kept.game.names.red == name
    assert line.sent.count(b"\n") == 4
    assert json.loads(line.sent.decode().split("\n")[2].removeprefix("data: "))["names"]["red"] == name
