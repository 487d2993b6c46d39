"""Requests to the page without a network, as the server hands them on."""

import asyncio
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.routing import Route
from starlette.types import ASGIApp, Message

from tamsk_hw.web.app import Guard

#: Seconds after which an answer that does not come fails the test.
PATIENCE = 30.0


def routes(app: ASGIApp) -> list[Route]:
    """The addresses of the page."""
    assert isinstance(app, Guard)
    assert isinstance(app.app, Starlette)
    found = [route for route in app.app.routes if isinstance(route, Route)]
    assert len(found) == len(app.app.routes), "an address of another kind: tests do not know it"
    return found


#: What HTTP allows in no header.
_NOT_SENT = re.compile(r"[\x00-\x08\x0a-\x1f]")


@dataclass
class Answer:
    """What the application answered."""

    status: int = 0
    headers: dict[str, str] = field(default_factory=dict)
    body: bytes = b""


def scope_of(method: str, path: str, query: str = "", headers: Mapping[str, str] | None = None) -> dict[str, Any]:
    """A request as the server hands it on, which takes only what HTTP allows."""
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "headers": [
            (name.encode(), _NOT_SENT.sub("", value).encode("utf-8", "replace"))
            for name, value in {"host": "127.0.0.1:8137", **(headers or {})}.items()
        ],
        "client": ("127.0.0.1", 5),
        "server": ("127.0.0.1", 8137),
    }


async def ask(
    app: ASGIApp,
    method: str,
    path: str,
    query: str = "",
    headers: Mapping[str, str] | None = None,
    body: bytes | Iterator[bytes] = b"",
    *,
    is_cut: bool = False,
) -> Answer:
    """Send a request. Then the browser goes; ``is_cut``: before it has said all, as with parts of a body."""
    answer = Answer()
    parts = iter([body]) if isinstance(body, bytes) else body
    more = is_cut or not isinstance(body, bytes)

    async def receive() -> Message:
        for part in parts:
            return {"type": "http.request", "body": part, "more_body": more}
        await asyncio.sleep(0)
        return {"type": "http.disconnect"}

    async def send(message: Message) -> None:
        if message["type"] == "http.response.start":
            answer.status = message["status"]
            answer.headers = {name.decode(): value.decode("latin-1") for name, value in message["headers"]}
        else:
            answer.body += message.get("body", b"")

    async with asyncio.timeout(PATIENCE):
        await app(scope_of(method, path, query, headers), receive, send)
    return answer
