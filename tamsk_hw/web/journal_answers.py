"""Answers that are made from the journal, and the pages for a game or a journal that cannot be had.

Some take seconds, in a thread. Those about one game are made one after the other, so that no game keeps the
threads from the others; a browser waits `MOST_SECONDS` at most.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response

from tamsk_hw.errors import JournalError
from tamsk_hw.journal import NoGameError, UnreadableError
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.shelf import GameKey
from tamsk_hw.words.page import takes_long_words

#: Real seconds for which a browser waits for an answer.
MOST_SECONDS: Final = 10.0

#: Answers a request.
Answer: TypeAlias = Callable[[Request], Awaitable[Response]]


def reading(pages: Pages, answer: Answer) -> Answer:
    """Answer from the journal; say plainly which game is not there, or why the journal cannot be read."""

    async def read(request: Request) -> Response:
        try:
            async with asyncio.timeout(MOST_SECONDS):
                return await answer(request)
        except TimeoutError:
            return PlainTextResponse(takes_long_words(), 503, {"Retry-After": "30"})
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
        if key is None:
            return pages.missing(request)
        turn = pages.turns.setdefault(key, asyncio.Lock())
        await turn.acquire()
        making = asyncio.ensure_future(answer(request, key))
        making.add_done_callback(lambda _: turn.release())  # a thread goes on when nobody waits for it any more
        return await asyncio.shield(making)

    return reading(pages, about)
