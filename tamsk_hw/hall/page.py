"""The hall's page: all boards at a glance, each of them full size, and the same for other software.

A board is drawn by the scoreboard's own templates, and followed as by a page beside it.
"""

from collections.abc import Callable
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from tamsk_hw.hall.boards import HallBoard
from tamsk_hw.hall.hall import Hall
from tamsk_hw.system.output import Language
from tamsk_hw.web.app import page_app, table_routes
from tamsk_hw.web.live import NewsFeed, server_sent
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.scene import as_text
from tamsk_hw.web.security import Binding
from tamsk_hw.words.translating import spoken


class HallNews(NewsFeed):
    """All boards as one event, whole, in each language in which somebody watches."""

    def __init__(self, hall: Hall) -> None:
        super().__init__()
        self._hall = hall
        self._at = -1
        self._made: dict[Language, bytes] = {}

    def watch(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` whenever there is news, until `leave`."""
        self._hall.watch(wake)

    def leave(self, wake: Callable[[], None]) -> None:
        """Stop calling ``wake``."""
        self._hall.leave(wake)

    def sent(self) -> bytes:
        """The boards as they are now."""
        if self._at != self._hall.changes:
            self._at = self._hall.changes
            self._made.clear()
        language = spoken()
        if language not in self._made:
            self._made[language] = server_sent("hall", [tile(board) for board in self._hall])
        return self._made[language]


def tile(board: HallBoard) -> dict[str, Any]:
    """A board at a glance, in words; ``call``: its question to the arbiter."""
    scene = board.table.scene
    asks = scene is not None and scene.view.question is not None
    return {
        "board": board.name,
        "online": board.is_online,
        "understood": board.is_understood,
        "call": asks,
        "table": None if scene is None else as_text(scene),
    }


def boards_as_json(hall: Hall) -> dict[str, Any]:
    """The boards for other software: ``game`` is the key of the current one, ``over`` the ruling that ended it."""
    return {
        "boards": [
            {
                "board": board.name,
                "online": board.is_online,
                "game": None if board.game is None else board.game.key,
                "over": None if board.game is None else board.game.over,
            }
            for board in hall
        ]
    }


def hall_app(hall: Hall, pages: Pages, binding: Binding, usual: Language) -> ASGIApp:
    """The application. ``pages`` are those of a table at which nothing is played: the hall itself has none."""
    pages.more = HallNews(hall)
    pages.templates.globals["is_hall"] = True
    tables: dict[str, Pages] = {}

    def of(request: Request) -> Pages:
        name = request.path_params["board"]
        board = hall.boards.get(name)
        if board is None:
            raise HTTPException(404)
        return tables.setdefault(name, pages.of_table(board.table, f"/boards/{name}"))

    async def glance(request: Request) -> Response:
        return pages.render(request, "hall.html", boards=[tile(board) for board in hall])

    async def boards(request: Request) -> Response:
        return JSONResponse(boards_as_json(hall), headers={"Cache-Control": "no-store"})

    routes = [Route("/", glance), Route("/boards.json", boards), *table_routes(of, "/boards/{board}")]
    return page_app(pages, binding, routes, usual)
