"""Requests of the hall to a board: what is done, refused, logged, and given up."""

from collections.abc import Callable
from pathlib import Path

import pytest

from tamsk_hw.errors import LiveError
from tamsk_hw.hall import hall as hall_module
from tamsk_hw.mqtt.bridge import Outbox
from tests.hall.one_board import OneBoard

NEXT = {"do": {"game": "next"}}
START = {"do": {"event": "button", "button": "start", "press": "short"}}


@pytest.fixture
def here(tmp_path: Path) -> OneBoard:
    here = OneBoard(tmp_path)
    here.play("R5.2-fewest-rings")
    return here


def test_a_board_does_what_it_is_asked_and_that_is_logged(
    here: OneBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    assert here.ask(NEXT) == {"done": True}
    assert here.asked == [NEXT]
    ((_, *logged),) = here.log()
    assert logged == ["one", "a", "Zoe", NEXT, "done"]
    said = "tamsk-hw: Zoe asks the board one for {'do': {'game': 'next'}}: done\n"
    assert capsys.readouterr().err.endswith(said)


def test_who_gives_no_name_is_the_halls_user(here: OneBoard) -> None:
    here.ask(NEXT, by="")
    assert here.log()[0][3] == "hall"


def test_a_request_that_the_broker_brings_three_times_is_done_once(here: OneBoard) -> None:
    here.copies = 3
    assert here.ask(NEXT) == {"done": True}
    assert here.asked == [NEXT]
    assert len(here.log()) == 1


def test_the_service_refuses_with_its_reason(here: OneBoard) -> None:
    here.answer = {"refused": "That would change nothing."}
    assert here.ask(START) == {"refused": "That would change nothing."}
    assert here.log()[0][-1] == "refused: That would change nothing."


def a_newer_game(bridge: Outbox) -> None:
    names = {"red": None, "black": None}
    bridge.heard({"seq": 10**6, "header": {}, "key": "b", "names": names, "resumed": False})


def a_later_event(bridge: Outbox) -> None:
    bridge.heard({"seq": 10**6, "event": {"event": "tick"}})


@pytest.mark.parametrize(
    ("since", "why"),
    [(a_newer_game, "Another game is on the board by now"), (a_later_event, "The game has gone on since")],
)
def test_a_button_is_for_the_game_as_the_hall_has_it(
    here: OneBoard, since: Callable[[Outbox], None], why: str
) -> None:
    since(here.bridge)
    assert here.ask(START) == {"refused": f"{why}; nothing was changed."}
    assert here.asked == []


def test_a_board_that_does_not_answer_in_time_is_named_and_the_request_is_logged(
    here: OneBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.copies = 0
    monkeypatch.setattr(hall_module, "ANSWER_SECONDS", 0.0)
    with pytest.raises(LiveError, match="the board one does not answer: look at it before you try again"):
        here.ask(NEXT)
    assert here.log()[0][-1] == "no answer"
    assert here.board.asked == {}


def without_broker(here: OneBoard) -> None:
    here.hall._broker = None


@pytest.mark.parametrize("lose", [without_broker, OneBoard.lose, OneBoard.stop])
def test_nothing_is_sent_now_or_later_without_a_connection(
    here: OneBoard, lose: Callable[[OneBoard], None]
) -> None:
    lose(here)
    with pytest.raises(LiveError, match="the board one cannot be reached"):
        here.ask(NEXT)
    assert here.asked == []
    assert here.log() == []
