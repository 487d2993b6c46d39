"""The page as an application: which address is answered by what."""

from __future__ import annotations

from collections.abc import Sequence

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp

from tamsk_hw.system.language import Language
from tamsk_hw.web.events import Events
from tamsk_hw.web.languages import Translated, choose_language
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.security import Guard, Hosts
from tamsk_hw.words.page import failed_words, not_allowed_words

#: From this many bytes on an answer is packed.
_LEAST_PACKED = 1000

#: How well it is packed: the best takes five times as long, for an answer that is a tenth smaller.
_LEVEL = 4


def page_app(
    pages: Pages, hosts: Hosts, more: Sequence[BaseRoute] = (), usual: Language = Language.ENGLISH
) -> ASGIApp:
    """The application; ``more`` are the addresses of what stands beside the scoreboard.

    ``usual`` is the language for browsers that ask for none of the program's.
    """
    routes: list[BaseRoute] = [
        Route("/", pages.scoreboard),
        Route("/overlay", pages.overlay),
        Route("/now", pages.now),
        Route("/board.svg", pages.board),
        Route("/rules", pages.rules),
        Route("/static/{name}", pages.file),
        Route("/events", Events(pages), methods=["GET"]),
        Route("/language", choose_language, methods=["POST"]),
        *more,
    ]

    async def missing(request: Request, error: Exception) -> Response:
        return pages.missing(request)

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        return PlainTextResponse(not_allowed_words(), error.status_code, error.headers)

    async def failed(request: Request, error: Exception) -> Response:
        return PlainTextResponse(failed_words(), 500)

    app = Starlette(
        routes=routes,
        middleware=[Middleware(GZipMiddleware, minimum_size=_LEAST_PACKED, compresslevel=_LEVEL)],
        exception_handlers={404: missing, 405: refused, 500: failed},
    )
    # An address has one form; being sent on to it would only show that it has another.
    app.router.redirect_slashes = False
    return Translated(Guard(app, hosts), usual)
