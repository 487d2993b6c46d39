"""Requests of the hall to a board: its bridge hears them over a broker that stands in for the real one."""

import asyncio
import json
import sqlite3
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.configuration.settings import MqttSettings
from tamsk_hw.errors import LiveError
from tamsk_hw.hall import hall as hall_module
from tamsk_hw.hall.boards import HallBoard
from tamsk_hw.hall.hall import Hall
from tamsk_hw.hall.store import NAME, Store
from tamsk_hw.mqtt.bridge import Outbox
from tamsk_hw.mqtt.messages import Message, PresenceMessage, RequestMessage
from tamsk_hw.web.live import LiveTable
from tests.hall.test_boards import sent

NEXT = {"do": {"game": "next"}}
START = {"do": {"event": "button", "button": "start", "press": "short"}}


class OneBoard:
    """A hall that has a whole game of its only board, "one", and the bridge there.

    Messages between them arrive at once, each request ``copies`` times. The board's service answers ``asked`` as
    ``answer`` says.
    """

    def __init__(self, folder: Path) -> None:
        self.copies = 1
        self.asked: list[dict[str, Any]] = []
        self.answer: dict[str, Any] = {"done": 17}
        self.folder = folder
        self.store = Store(folder / NAME)
        self.hall = Hall(MqttSettings(), self.store, lambda: 0.0, lambda: 1_000_000.0)
        self.hall._broker = self  # type: ignore[assignment]
        self.board = HallBoard("one", LiveTable(lambda: 0.0, lambda: 0.0), self.store)
        self.hall.boards["one"] = self.board
        messages, self.bridge = sent()
        for message in messages:
            self.board.on_message(message, 0.0)
        self.bridge.waiting.clear()

    async def publish(self, board: str, message: Message) -> None:
        assert board == "one"
        assert isinstance(message, RequestMessage)
        for _ in range(self.copies):
            if (line := self.bridge.request(message)) is not None:
                self.asked.append({key: value for key, value in line.items() if key != "id"})
                self.bridge.heard({"re": line["id"], **self.answer})
        while self.bridge.waiting:
            self.board.on_message(self.bridge.waiting.popleft(), 0.0)

    def ask(self, request: dict[str, Any]) -> Any:
        return asyncio.run(self.hall.ask("one", "Zoe", request))

    def log(self) -> list[tuple[Any, ...]]:
        """All requests that are logged, without their ids and numbers."""
        with sqlite3.connect(self.folder / NAME) as connection:
            rows = connection.execute("SELECT time, board, game, by, request, answer FROM request").fetchall()
        return [(*row[:4], json.loads(row[4]), row[5]) for row in rows]


@pytest.fixture
def here(tmp_path: Path) -> OneBoard:
    return OneBoard(tmp_path)


def test_a_board_does_what_it_is_asked_and_that_is_logged(
    here: OneBoard, capsys: pytest.CaptureFixture[str]
) -> None:
    assert here.ask(NEXT) == {"done": True}
    assert here.asked == [NEXT]
    assert here.log() == [(1_000_000.0, "one", "a", "Zoe", NEXT, "done")]
    assert capsys.readouterr().err.endswith(
        "tamsk-hw: Zoe asks the board one for {'do': {'game': 'next'}}: done\n"
    )


def test_a_request_that_comes_three_times_is_done_once(here: OneBoard) -> None:
    here.copies = 3
    assert here.ask(NEXT) == {"done": True}
    assert here.asked == [NEXT]
    assert len(here.log()) == 1


def test_the_service_refuses_with_its_reason(here: OneBoard) -> None:
    here.answer = {"refused": "That would change nothing."}
    assert here.ask(START) == {"refused": "That would change nothing."}
    assert here.log()[0][-1] == "refused: That would change nothing."


def a_newer_game(bridge: Outbox) -> None:
    header = {"header": {}, "key": "b", "names": {"red": None, "black": None}, "resumed": False}
    bridge.heard({"seq": 10**6, **header})


def a_later_event(bridge: Outbox) -> None:
    bridge.heard({"seq": 10**6, "event": {"event": "tick"}})


@pytest.mark.parametrize(
    ("since", "why"),
    [(a_newer_game, "another game is played by now"), (a_later_event, "the game has gone on since")],
)
def test_a_button_is_for_the_game_as_the_hall_has_it(
    here: OneBoard, since: Callable[[Outbox], None], why: str
) -> None:
    since(here.bridge)
    assert here.ask(START) == {"refused": why}
    assert here.asked == []


def test_a_board_that_does_not_answer_in_time_is_named_and_the_request_logged(
    here: OneBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    here.copies = 0
    monkeypatch.setattr(hall_module, "ANSWER_SECONDS", 0.0)
    with pytest.raises(LiveError, match="the board one does not answer: look at it before you try again"):
        here.ask(NEXT)
    assert here.log()[0][-1] == "no answer"
    assert here.board.asked == {}


@pytest.mark.parametrize("is_gone", ["broker", "board"])
def test_nothing_is_sent_now_or_later_without_a_connection(here: OneBoard, is_gone: str) -> None:
    if is_gone == "broker":
        here.hall._broker = None
    else:
        here.board.on_message(PresenceMessage(online=False), 0.0)
    with pytest.raises(LiveError, match="the board one cannot be reached"):
        here.ask(NEXT)
    assert here.asked == []
    assert here.log() == []
