"""Answers that are made from the journal, and the pages for a game or a journal that cannot be had."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TypeAlias

from starlette.requests import Request
from starlette.responses import Response

from tamsk_hw.errors import JournalError
from tamsk_hw.journal import NoGameError, UnreadableError
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.shelf import GameKey

#: Answers a request.
Answer: TypeAlias = Callable[[Request], Awaitable[Response]]


def reading(pages: Pages, answer: Answer) -> Answer:
    """Answer from the journal; say plainly which game is not there, or why the journal cannot be read."""

    async def read(request: Request) -> Response:
        try:
            return await answer(request)
        except NoGameError:
            return pages.missing(request)
        except JournalError as error:
            damaged = isinstance(error, UnreadableError)
            return pages.render(request, "journal_unreadable.html", 503, damaged=damaged, why=str(error))

    return read


def about_game(pages: Pages, answer: Callable[[Request, GameKey], Awaitable[Response]]) -> Answer:
    """As `reading`, for the game that the address names: its parameter ``key``."""

    async def about(request: Request) -> Response:
        key = GameKey.parse(request.path_params["key"])
        return pages.missing(request) if key is None else await answer(request, key)

    return reading(pages, about)
