"""The tutor before a lesson: what it finishes, and where it teaches nothing."""

import asyncio
from pathlib import Path
from typing import Any, Self

import pytest

from tamsk_hw.errors import LiveError, TamskError
from tamsk_hw.lessons.lessons import Progress, all_lessons
from tamsk_hw.live.stream import TableState
from tamsk_hw.referee import Referee
from tamsk_hw.referee.stream import parse_header
from tamsk_hw.referee.view import Phase
from tamsk_hw.tutor import tutor
from tamsk_hw.tutor.tutor import HeardGame, Tutor

PLACE = [Path("nowhere.sock")]


class Answering:
    """A program that does what it is asked for, and keeps it."""

    def __init__(self, players: list[str], refused: str | None = None) -> None:
        self.greeting = {"players": players}
        self.refused = refused
        self.asked: list[dict[str, Any]] = []

    def ask(self, what: dict[str, Any]) -> dict[str, Any]:
        if "look" in what:
            return {"look": {"timer": {"runs": False}}}
        self.asked.append(what)
        return {"done": 1} if self.refused is None else {"refused": self.refused}

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        pass


def teach(
    monkeypatch: pytest.MonkeyPatch, service: Answering, board: Answering, *, offered: bool = False
) -> list[dict[str, Any]]:
    """Begin a lesson at these; give what the service was asked for."""
    monkeypatch.setattr(tutor.client, "connect", lambda places: service)
    monkeypatch.setattr(tutor.hands_client, "connect", lambda places: board)
    told: list[Progress] = []

    async def run() -> None:
        game = HeardGame()
        view = Referee(parse_header({"tamsk": 1})).view()
        assert view.phase is Phase.SETUP
        game.state = TableState(view, offered)
        await Tutor(game, PLACE, PLACE, told.append).teach(all_lessons()[0])

    try:
        asyncio.run(run())
    finally:
        assert told == []
    return service.asked


def test_where_the_program_plays_nobody_is_taught(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Answering([])
    with pytest.raises(TamskError, match="the program plays at this board: start it with --players none"):
        teach(monkeypatch, service, Answering(["black"]), offered=True)
    assert service.asked == [], "the game there goes on"


def test_what_the_service_refuses_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    service = Answering([], refused="No.")
    with pytest.raises(TamskError, match=r"No\."):
        teach(monkeypatch, service, Answering([]), offered=True)
    assert service.asked == [{"do": {"game": "abandon"}}]


def test_without_a_service_it_says_at_once_what_is_missing(tmp_path: Path) -> None:
    async def run() -> None:
        game = HeardGame()
        game.is_missed = True
        await Tutor(game, [tmp_path / "live.sock"], PLACE, lambda progress: None).teach(all_lessons()[0])

    with pytest.raises(LiveError, match="no service at"):
        asyncio.run(run())
