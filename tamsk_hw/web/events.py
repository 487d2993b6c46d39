"""Server-sent events: what each browser gets of the live stream at ``/events``, and of whatever else goes on.

Each browser reads at its own pace from what is kept; nothing is queued for it. One that takes nothing for
`PATIENCE` is given up. States are not kept: whoever comes late gets the newest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from tamsk_hw.web.kept import StreamPlace
from tamsk_hw.web.live_table import ShownTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.words.page import too_many_words

#: Real seconds for which a browser may take nothing.
PATIENCE: Final = 20.0

#: Real seconds of silence after which a comment shows that the connection lives.
HEARTBEAT: Final = 15.0

#: The most streams at a time, and how many more the arbiter may have.
MOST_WATCHERS: Final = 1000
FOR_ARBITERS: Final = 100

_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class NewsSource(Protocol):
    """Whatever has news."""

    def watch(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` whenever something is new, until `leave`."""

    def leave(self, wake: Callable[[], None]) -> None:
        """Call it no more."""


class EventStream:
    """One browser's stream, as an ASGI application, until the page of ``table`` ends.

    ``news`` gives the events that the browser lacks, empty when there are none; it is asked again whenever the
    table or one of ``besides`` has news.
    """

    def __init__(self, table: ShownTable, news: Callable[[], bytes], *besides: NewsSource) -> None:
        self._table = table
        self._news = news
        self._watched: tuple[NewsSource, ...] = (table, *besides)
        self._woken = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the browser has gone or takes nothing more."""
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        sending = asyncio.create_task(self._send(send))
        leaving = asyncio.create_task(_until_gone(receive))
        for each in self._watched:
            each.watch(self._woken.set)
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            for each in self._watched:
                each.leave(self._woken.set)
            for task in (sending, leaving):
                task.cancel()
                with suppress(asyncio.CancelledError, TimeoutError, OSError):
                    await task

    async def _send(self, send: Send) -> None:
        while not self._table.is_closing:
            self._woken.clear()
            if events := self._news():
                await _write(send, events)
                continue
            try:
                async with asyncio.timeout(HEARTBEAT):
                    await self._woken.wait()
            except TimeoutError:
                await _write(send, b": still here\n\n")
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _write(send: Send, data: bytes) -> None:
    """Send. Raises `TimeoutError` when nobody takes it."""
    async with asyncio.timeout(PATIENCE):
        await send({"type": "http.response.body", "body": data, "more_body": True})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def event_answer(
    pages: Pages, request: Request, news: Callable[[], bytes], *besides: NewsSource
) -> Response | EventStream:
    """An `EventStream` of the table of ``pages``, as long as there are not too many."""
    table = pages.table
    if table.watchers >= MOST_WATCHERS + FOR_ARBITERS * pages.is_arbiter(request):
        return PlainTextResponse(too_many_words(), 503, {"Retry-After": "30"})
    return EventStream(table, news, *besides)


class _TableNews:
    """What a browser lacks of a table; ``place`` is the last line that it had."""

    def __init__(self, table: ShownTable, place: StreamPlace | None) -> None:
        self._table = table
        self._place = place
        self._service = self._state = b""

    def __call__(self) -> bytes:
        """The events since the last call."""
        table, kept = self._table, self._table.kept
        pieces = []
        if table.service_sent is not self._service:
            self._service = table.service_sent
            pieces.append(self._service)
        if kept.life is not None and (lines := kept.after(kept.begin(self._place))):
            self._place = StreamPlace(kept.life, lines[-1].seq)
            pieces += [line.sent for line in lines]
        elif table.state_sent is not self._state:
            self._state = table.state_sent
            pieces.append(self._state)
        return b"".join(pieces)


class Events:
    """The route ``/events``, and that of another table."""

    def __init__(self, pages: Pages) -> None:
        self._pages = pages

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a stream, as long as there are not too many."""
        request = Request(scope)
        named = request.headers.get("last-event-id") or request.query_params.get("since")
        answer = event_answer(self._pages, request, _TableNews(self._pages.table, StreamPlace.read(named)))
        await answer(scope, receive, send)
