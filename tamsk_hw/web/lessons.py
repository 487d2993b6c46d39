"""Lessons in the browser: their list, and the one that is taught at the page's simulated board.

One lesson is taught at a time, for all browsers; its page stands beside the table at which it is taken.
"""

import asyncio
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.errors import TamskError
from tamsk_hw.game.tubes import Player
from tamsk_hw.lessons.lessons import Lesson, Progress, Stage, all_lessons
from tamsk_hw.live.client import read_for_ever
from tamsk_hw.tutor.tutor import HeardGame, Tutor, progress_words, text_of
from tamsk_hw.web.gate import FORM_HEADERS, PostGuard, malformed, read_fields
from tamsk_hw.web.live import NewsFeed, server_sent
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.table import PlayTable
from tamsk_hw.words.table import hint_words, lesson_title_words


class TutorProcess(NewsFeed):
    """Teaches at the service at one of ``services``, with the hands of the board at one of ``boards``."""

    def __init__(self, services: Sequence[Path], boards: Sequence[Path]) -> None:
        super().__init__()
        self.lessons = all_lessons()
        self.number = 0
        """The lesson that was begun last, counted from 1; 0 before the first."""
        self._services = services
        self._boards = boards
        self._progress: Progress | None = None
        self._trouble = ""
        self._teaching: asyncio.Task[None] | None = None

    def begin(self, number: int) -> None:
        """Begin the lesson of that number, in place of one that is taught."""
        if self._teaching is not None:
            self._teaching.cancel()
        self.number, self._progress, self._trouble = number, Progress(Stage.SETUP), ""
        self._teaching = asyncio.create_task(self._teach(self.lessons[number - 1]))
        self.publish()

    def shown(self) -> dict[str, Any]:
        """The lesson's number, stage and sentences as a browser is told them, in the language that is spoken."""
        if self._progress is None:
            return {"lesson": 0, "stage": "", "words": "", "hint": ""}
        lesson = self.lessons[self.number - 1]
        stage = "trouble" if self._trouble else self._progress.stage.value
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
            await Tutor(game, self._services, self._boards, self._progressed).teach(lesson)
        except TamskError as error:
            self._trouble = str(error)
            self.publish()
        finally:
            reading.cancel()

    def _progressed(self, progress: Progress) -> None:
        self._progress = progress
        self.publish()


class LessonPages:
    """The pages below ``/learn``, at a simulated board only."""

    def __init__(self, pages: Pages, play: PlayTable, guard: PostGuard, school: TutorProcess) -> None:
        pages.templates.globals.update(has_lessons=True)
        play.offer_lessons(school)
        self._pages = pages
        self._play = play
        self._guard = guard
        self._school = school

    @property
    def routes(self) -> list[BaseRoute]:
        """The lessons' addresses."""
        return [
            Route("/learn", self.list, methods=["GET"]),
            self._guard.route("/learn/begin", self.begin),
            Route("/learn/{number}", self.show, methods=["GET"]),
        ]

    async def list(self, request: Request) -> Response:
        """``/learn``: the titles."""
        return self._pages.render(request, "lessons.html", lessons=self._school.lessons, text_of=text_of)

    async def show(self, request: Request) -> Response:
        """``/learn/3``: lesson 3 beside the table."""
        number, lessons = self._number(request.path_params["number"]), self._school.lessons
        if number is None:
            return self._pages.missing(request)
        lesson = lessons[number - 1]
        return self._pages.render(
            request,
            "lesson.html",
            **self._play.shown(request)
            | {"seat": self._play.seat(request, request.query_params.get("seat") or "both"), "changes": False},
            number=number,
            following=number + 1 if number < len(lessons) else None,
            lesson=lesson,
            heading=lesson_title_words(number, len(lessons), text_of(lesson).title),
            text=text_of(lesson),
            stands=self._school.shown(),
        )

    async def begin(self, request: Request) -> Response:
        """``/learn/begin``: begin a lesson, whatever is played at the board."""
        fields = await read_fields(request)
        self._play.check_hands(request, set(Player))
        number = self._number(fields.get("lesson", ""))
        if number is None:
            raise malformed()
        self._school.begin(number)
        return RedirectResponse(f"/learn/{number}", 303, FORM_HEADERS)

    def _number(self, text: str) -> int | None:
        """The number of a lesson that a text is."""
        numbers = {str(number): number for number in range(1, len(self._school.lessons) + 1)}
        return numbers.get(text)
