"""The server-sent events at ``/events``: what each browser gets of the live stream.

Each browser reads at its own pace from the lines that are kept; nothing is queued for it. One that takes nothing
for `PATIENCE` is given up. States are not kept: whoever comes late gets the newest.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Final

from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.types import Receive, Scope, Send

from tamsk_hw.web.kept import StreamPlace
from tamsk_hw.web.live_table import ShownTable
from tamsk_hw.words.page import too_many_words

#: Real seconds for which a browser may take nothing.
PATIENCE: Final = 20.0

#: Real seconds of silence after which a comment shows that the connection lives.
HEARTBEAT: Final = 15.0

#: The most browsers at a time.
MOST_WATCHERS: Final = 1000

_HEADERS: Final = [
    (b"content-type", b"text/event-stream; charset=utf-8"),
    (b"cache-control", b"no-store"),
    (b"x-accel-buffering", b"no"),
]


class EventStream:
    """One browser's stream, as an ASGI application; ``place`` is the last line that it had."""

    def __init__(self, table: ShownTable, place: StreamPlace | None) -> None:
        self._table = table
        self._place = place
        self._news = asyncio.Event()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Send until the browser has gone or takes nothing more."""
        await send({"type": "http.response.start", "status": 200, "headers": _HEADERS})
        sending = asyncio.create_task(self._send(send))
        leaving = asyncio.create_task(_until_gone(receive))
        self._table.watch(self._news.set)
        try:
            await asyncio.wait((sending, leaving), return_when=asyncio.FIRST_COMPLETED)
        finally:
            self._table.leave(self._news.set)
            for task in (sending, leaving):
                task.cancel()
                with suppress(asyncio.CancelledError, TimeoutError, OSError):
                    await task

    async def _send(self, send: Send) -> None:
        table = self._table
        place = self._place
        service = state = b""
        while not table.is_closing:
            self._news.clear()
            kept = table.kept
            pieces = []
            if table.service_sent is not service:
                service = table.service_sent
                pieces.append(service)
            if kept.life is not None and (lines := kept.after(kept.begin(place))):
                place = StreamPlace(kept.life, lines[-1].seq)
                pieces += [line.sent for line in lines]
            elif table.state_sent is not state:
                state = table.state_sent
                pieces.append(state)
            if pieces:
                await _write(send, b"".join(pieces))
                continue
            try:
                async with asyncio.timeout(HEARTBEAT):
                    await self._news.wait()
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


class Events:
    """The route ``/events``, and that of another table."""

    def __init__(self, table: ShownTable) -> None:
        self._table = table

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer with a stream, as long as there are not too many."""
        answer: Response | EventStream
        if self._table.watchers >= MOST_WATCHERS:
            answer = PlainTextResponse(too_many_words(), 503, {"Retry-After": "30"})
        else:
            request = Request(scope)
            named = request.headers.get("last-event-id") or request.query_params.get("since")
            answer = EventStream(self._table, StreamPlace.read(named))
        await answer(scope, receive, send)
