"""The hall's page: all boards at a glance, each of them full size, and the same for other software.

A board is drawn by the scoreboard's own templates, and followed as by a page beside it.
"""

import time
from collections.abc import Callable, Coroutine, Mapping
from functools import partial
from typing import Any, Final

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, RedirectResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp

from tamsk_hw.game.tubes import PLAYERS
from tamsk_hw.hall.boards import HallBoard
from tamsk_hw.hall.hall import Hall
from tamsk_hw.hall.rounds import Tournaments
from tamsk_hw.hall.tournament_page import TournamentPages
from tamsk_hw.system.output import Language
from tamsk_hw.web.app import page_app, table_routes
from tamsk_hw.web.arbiter import ArbiterDesk, Ask
from tamsk_hw.web.gate import DeskAnswer, Session, malformed, posted_name, read_fields
from tamsk_hw.web.live import NewsFeed, server_sent
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.scene import TableScene, as_text
from tamsk_hw.web.security import Binding, TokenFile
from tamsk_hw.words.translating import spoken, tr

#: Boards up to which news and glasses of each are shown; of more the players alone.
FEW: Final = 24


class HallNews(NewsFeed):
    """All boards as one event, whole, in each language that somebody reads; and that a tournament has changed."""

    def __init__(self, hall: Hall, tournaments: Tournaments) -> None:
        super().__init__()
        self._hall, self._tournaments = hall, tournaments
        self._at = -1
        self._made: dict[Language, bytes] = {}
        self._texts: dict[tuple[str, Language], tuple[TableScene, dict[str, Any]]] = {}

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
            tournaments = server_sent("tournaments", self._tournaments.changes)
            self._made[language] = server_sent("hall", self.tiles()) + tournaments
        return self._made[language]

    def tiles(self) -> list[dict[str, Any]]:
        """The boards at a glance, in words."""
        known = ((each, _known(each)) for each in self._hall)
        return [{**what, "understood": each.is_understood, "table": self._text(each)} for each, what in known]

    def _text(self, board: HallBoard) -> dict[str, Any] | None:
        """A board's state in words, kept until the state changes; None while the board has sent none."""
        scene, place = board.table.scene, (board.name, spoken())
        if scene is None:
            return None
        known = self._texts.get(place)
        if known is None or known[0] is not scene:
            text = as_text(scene)
            if len(self._hall.boards) > FEW:  # four times less for a browser to read, ten times a second
                text |= {player.value: {**text[player.value], "glasses": []} for player in PLAYERS}
            known = self._texts[place] = scene, text
        return known[1]


def _known(board: HallBoard) -> dict[str, Any]:
    return {"board": board.name, "online": board.is_online, "call": board.call, "taken_by": board.taken_by}


def boards_as_json(hall: Hall) -> dict[str, Any]:
    """The boards for other software: ``game`` is the key of the current one, ``over`` the ruling that ended it.

    ``call`` is the open question to the arbiter, and ``taken_by`` the name of who is on the way.
    """
    return {
        "boards": [
            _known(board) | {"game": getattr(board.game, "key", None), "over": getattr(board.game, "over", None)}
            for board in hall
        ]
    }


def _take(hall: Hall, session: Session, fields: Mapping[str, str]) -> Coroutine[Any, Any, DeskAnswer]:
    """The work of taking a call, for the person who signed in. Raises `HTTPException` without a name."""
    name = posted_name(fields, "name")
    if name is None:
        raise malformed("name")

    async def take() -> DeskAnswer:
        session.name, call = name, fields.get("call", "")
        board = next((board for board in hall if board.call == call), None)
        if board is None:
            return DeskAnswer(lambda: tr("That is not asked any more; nothing was changed."), "/")
        taken_by = board.taken_by = board.taken_by or name
        hall.changed()
        return DeskAnswer(lambda: tr("Taken by {name}", name=taken_by), "/", True if taken_by == name else None)

    return take()


def hall_app(
    hall: Hall, pages: Pages, binding: Binding, usual: Language, token: TokenFile, tournaments: Tournaments
) -> ASGIApp:
    """The application. ``pages`` are those of a table at which nothing is played: the hall itself has none."""
    pages.more = news = HallNews(hall, tournaments)
    pages.templates.globals["is_hall"] = True
    tables: dict[str, Pages] = {}

    def of(request: Request) -> Pages:
        name = request.path_params.get("board")
        if name is None:
            return pages
        board = hall.boards.get(name)
        if board is None:
            raise HTTPException(404)
        return tables.setdefault(name, pages.of_table(board.table, f"/boards/{name}"))

    def ask(request: Request) -> Ask:
        return partial(hall.ask, request.path_params["board"], desk.guard.signed_in(request).name)

    pages.of, desk = of, ArbiterDesk(pages, token, ask, time.monotonic)

    async def glance(request: Request) -> Response:
        session = desk.guard.session(request)
        name = "" if session is None else session.name
        return desk.guard.form_page(request, "hall.html", boards=news.tiles(), name=name, few=FEW)

    async def sign_in(request: Request) -> Response:
        return RedirectResponse("/", 303) if desk.guard.session(request) else desk.guard.sign_in_page(request)

    async def take(request: Request) -> Response:
        fields = await read_fields(request)
        return await desk.guard.do_once(
            request, fields, lambda: _take(hall, desk.guard.signed_in(request), fields)
        )

    async def boards(request: Request) -> Response:
        return JSONResponse(boards_as_json(hall), headers={"Cache-Control": "no-store"})

    at = "/boards/{board}"
    own = [Route("/", glance), Route("/boards.json", boards), desk.guard.route("/take", take)]
    own.append(Route("/arbiter", sign_in))
    cups = TournamentPages(pages, desk.guard, hall, tournaments).routes
    return page_app(pages, binding, [*own, *cups, *desk.routes(), *desk.routes(at), *table_routes(of, at)], usual)
