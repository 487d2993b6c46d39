"""Server-sent events: what each browser gets of the live stream at ``/events``, and of a lesson that is taught.

Each browser reads at its own pace from what is kept; nothing is queued for it. One that takes nothing for
`PATIENCE` is given up. States are not kept: whoever comes late gets the newest.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import suppress
from typing import Final, Protocol

from starlette.requests import Request
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from tamsk_hw.web.kept import StreamPlace, server_sent
from tamsk_hw.web.live_table import ShownTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.words.page import too_many_words

#: Real seconds for which a browser may take nothing.
PATIENCE: Final = 20.0

#: Real seconds of silence after which an event shows that the connection lives. After 25 it counts as lost
#: (static/line.js).
HEARTBEAT: Final = 10.0

#: The most streams at a time, and how many more the arbiter may have.
MOST_WATCHERS: Final = 1000
FOR_ARBITERS: Final = 100

_ALIVE: Final = server_sent("alive", {})

_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class NewsSource(Protocol):
    """Something that browsers are sent beside a table's news."""

    def sent(self) -> bytes:
        """The server-sent event that says how it stands, in the language that is spoken."""

    def watch(self, wake: Callable[[], None]) -> None:
        """Call ``wake`` whenever something is new, until `leave`."""

    def leave(self, wake: Callable[[], None]) -> None:
        """Call it no more."""


class EventStream:
    """One browser's stream, as an ASGI application, until the page of ``table`` ends.

    ``place`` is the last line that the browser had; ``besides`` has other news.
    """

    def __init__(self, table: ShownTable, place: StreamPlace | None, besides: NewsSource | None) -> None:
        self._table = table
        self._news = _News(table, place, besides)
        self._watched = (table,) if besides is None else (table, besides)
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
                await _write(send, _ALIVE)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def _write(send: Send, data: bytes) -> None:
    """Send. Raises `TimeoutError` when nobody takes it."""
    async with asyncio.timeout(PATIENCE):
        await send({"type": "http.response.body", "body": data, "more_body": True})


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


class _News:
    """Events that a browser lacks, of a table and ``besides``; ``place`` is the last line that it had."""

    def __init__(self, table: ShownTable, place: StreamPlace | None, besides: NewsSource | None) -> None:
        self._table = table
        self._place = place
        self._besides = besides
        self._service = self._state = self._other = b""

    def __call__(self) -> bytes:
        """The events since the last call."""
        table, kept = self._table, self._table.kept
        pieces = []
        if table.service_sent is not self._service:
            self._service = table.service_sent
            pieces.append(self._service)
        if self._besides is not None and (other := self._besides.sent()) != self._other:
            self._other = other
            pieces.append(other)
        if kept.life is not None and (lines := kept.after(kept.begin(self._place))):
            self._place = StreamPlace(kept.life, lines[-1].seq)
            pieces += [line.sent for line in lines]
        elif table.state_sent is not self._state:
            self._state = table.state_sent
            pieces.append(self._state)
        return b"".join(pieces)


class Events:
    """The route ``/events``, and that of another table with what goes on ``besides``."""

    def __init__(self, pages: Pages, besides: NewsSource | None = None) -> None:
        self._pages = pages
        self._besides = besides

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a stream, as long as there are not too many."""
        request, table = Request(scope), self._pages.table
        answer: ASGIApp
        if table.watchers >= MOST_WATCHERS + FOR_ARBITERS * self._pages.is_arbiter(request):
            answer = PlainTextResponse(too_many_words(), 503, {"Retry-After": "30"})
        else:
            named = request.headers.get("last-event-id") or request.query_params.get("since")
            answer = EventStream(table, StreamPlace.read(named), self._besides)
        await answer(scope, receive, send)
