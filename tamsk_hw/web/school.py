"""The lesson that is taught at the page's simulated board: one at a time, for all browsers."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tamsk_hw.errors import TamskError
from tamsk_hw.lessons.judging import Failed, Prelude, Progress, Solved, Strayed, TaskOpen, ToStart
from tamsk_hw.lessons.lesson import Lesson
from tamsk_hw.lessons.library import all_lessons
from tamsk_hw.live.following import read_for_ever
from tamsk_hw.tutor.heard import HeardGame
from tamsk_hw.tutor.saying import progress_words, text_of
from tamsk_hw.tutor.tutor import Tutor
from tamsk_hw.web.kept import server_sent
from tamsk_hw.words.lessons import hint_words

_STAGES: dict[type[Any], str] = {
    ToStart: "setup",
    Prelude: "prelude",
    TaskOpen: "open",
    Solved: "solved",
    Failed: "failed",
    Strayed: "strayed",
}


class School:
    """Teaches at the service at one of ``services``, with the hands of the board at one of ``boards``."""

    def __init__(self, services: Sequence[Path], boards: Sequence[Path]) -> None:
        self.lessons = all_lessons()
        self.number = 0
        """The lesson that was begun last, counted from 1; 0 before the first."""
        self._services = services
        self._boards = boards
        self._progress: Progress | None = None
        self._trouble = ""
        self._teaching: asyncio.Task[None] | None = None
        self._wake: set[Callable[[], None]] = set()

    def watch(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` whenever a lesson has come further."""
        self._wake.add(wake)

    def leave(self, wake: Callable[[], None]) -> None:
        """Call it no more."""
        self._wake.discard(wake)

    def begin(self, number: int) -> None:
        """Begin the lesson of that number, in place of one that is taught."""
        if self._teaching is not None:
            self._teaching.cancel()
        self.number, self._progress, self._trouble = number, ToStart(), ""
        self._teaching = asyncio.create_task(self._teach(self.lessons[number - 1]))
        self._news()

    def shown(self) -> dict[str, Any]:
        """The lesson's number, stage and sentences as a browser is told them, in the language that is spoken."""
        if self._progress is None:
            return {"lesson": 0, "stage": "", "words": "", "hint": ""}
        lesson = self.lessons[self.number - 1]
        stage = "trouble" if self._trouble else _STAGES[type(self._progress)]
        is_wrong = stage in ("failed", "strayed")
        return {
            "lesson": self.number,
            "stage": stage,
            "words": self._trouble or progress_words(lesson, self._progress),
            "hint": hint_words(text_of(lesson).hint) if is_wrong else "",
        }

    def sent(self) -> bytes:
        """State of the lesson, as a server-sent event in the current language."""
        return server_sent("lesson", self.shown())

    async def _teach(self, lesson: Lesson) -> None:
        game = HeardGame()
        reading = asyncio.create_task(read_for_ever(self._services, game))
        try:
            await Tutor(game, self._services, self._boards, self._tell).teach(lesson)
        except TamskError as error:
            self._trouble = str(error)
            self._news()
        finally:
            reading.cancel()

    def _tell(self, progress: Progress) -> None:
        self._progress = progress
        self._news()

    def _news(self) -> None:
        for wake in list(self._wake):
            wake()
