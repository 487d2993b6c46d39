"""The lessons' pages: their list, and each one beside the table at which it is taken."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import BaseRoute, Route

from tamsk_hw.facts.desk_refusals import DeskRefusal
from tamsk_hw.game.players import Player
from tamsk_hw.tutor.saying import text_of
from tamsk_hw.web.gate import FORM_HEADERS, Gate
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.play_table import PlayTable
from tamsk_hw.web.posted import PostRefused
from tamsk_hw.web.school import School
from tamsk_hw.words.lessons import lesson_page_texts, lesson_title_words


class LessonPages:
    """The pages below ``/learn``, at a simulated board only."""

    def __init__(self, pages: Pages, play: PlayTable, gate: Gate, school: School) -> None:
        pages.templates.globals.update(has_lessons=True)
        play.offer_lessons(school)
        self._pages = pages
        self._play = play
        self._gate = gate
        self._school = school

    @property
    def routes(self) -> list[BaseRoute]:
        """The lessons' addresses."""
        return [
            Route("/learn", self.list, methods=["GET"]),
            Route("/learn/begin", self._gate.guarded(self.begin), methods=["POST"]),
            Route("/learn/{number}", self.show, methods=["GET"]),
        ]

    async def list(self, request: Request) -> Response:
        """``/learn``: the titles."""
        listed = [(lesson.name, text_of(lesson)) for lesson in self._school.lessons]
        return self._pages.render(request, "lessons.html", lessons=listed, lesson_texts=lesson_page_texts())

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
            | {"seat": self._play.seat(request, request.query_params.get("seat") or "both")},
            number=number,
            following=number + 1 if number < len(lessons) else None,
            name=lesson.name,
            heading=lesson_title_words(number, len(lessons), text_of(lesson).title),
            text=text_of(lesson),
            stands=self._school.shown(),
            lesson_texts=lesson_page_texts(),
        )

    async def begin(self, request: Request, fields: dict[str, str]) -> Response:
        """``/learn/begin``: begin a lesson, whatever is played at the board."""
        self._play.check_hands(request, set(Player))
        number = self._number(fields.get("lesson", ""))
        if number is None:
            raise PostRefused(400, DeskRefusal.MALFORMED)
        self._school.begin(number)
        return RedirectResponse(f"/learn/{number}", 303, FORM_HEADERS)

    def _number(self, text: str) -> int | None:
        """The number of a lesson that a text is."""
        numbers = {str(number): number for number in range(1, len(self._school.lessons) + 1)}
        return numbers.get(text)
