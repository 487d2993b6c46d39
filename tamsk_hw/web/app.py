"""The page as an application and as a process: its addresses, its connections, its server.

No connection waits for its browser forever, and there is always room for one more. uvicorn waits for a request's
headers and body without limit, and its ``limit_concurrency`` counts connections only when a request has come. Here
the connection that has kept the page waiting longest makes room when there are too many; streams of events, whose
turn it never is, are bounded apart (`tamsk_hw.web.pages`).
"""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit, setrlimit
from typing import Any, Final

import uvicorn
from starlette.applications import Starlette
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import BaseRoute, Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from tamsk_hw.live.client import ask, read_for_ever
from tamsk_hw.system.output import Language
from tamsk_hw.web.arbiter import ArbiterDesk
from tamsk_hw.web.archive import ArchivePages
from tamsk_hw.web.languages import choose_language, language_of
from tamsk_hw.web.lessons import LessonPages, TutorProcess
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import GameRepository, Pages
from tamsk_hw.web.replay import Replays
from tamsk_hw.web.seats import HandsLink, Seats, SeenTable
from tamsk_hw.web.security import HEADERS, Binding, TokenFile, address_of
from tamsk_hw.web.table import PlayTable
from tamsk_hw.words.translating import speaking, spoken, tr

#: Descriptors that the page wants, as its unit has them: for the most connections, for those that the kernel hands
#: over at a time before one of them can be given up, and for the journal.
DESCRIPTORS: Final = 8192

#: Connections that wait in the kernel, and that it hands over at a time.
BACKLOG: Final = 1024

#: The most bytes of answers that browsers have not taken.
_MOST_UNREAD: Final = 64 * 1024 * 1024


#: The most connections: in all, and of one address that is not this computer's, where a proxy may be.
MOST: Final = 1200
MOST_OF_ONE: Final = 200

#: Seconds that the page waits for a request's headers and for its body. A browser that does not read its answer
#: has no limit here: the kernel gives it up (`tamsk_hw.web.security`).
_HEADERS: Final = 10.0
_BODY: Final = 60.0
_READING: Final = float("inf")


class PageConnection(H11Protocol):
    """A connection that is given up when it keeps the page waiting for too long, or to make room."""

    most = MOST
    most_of_one = MOST_OF_ONE
    awaited: float | None = None
    """The limit of what the page waits for, in seconds; None while it owes an answer itself."""
    since: float = 0.0
    """The time of the loop at which this began to be awaited."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room for it."""
        super().connection_made(transport)
        self._turn()
        address = address_of(self.client)
        if self.client is not None and not (address is not None and address.is_loopback):
            own = [each for each in self._all if each.client and each.client[0] == self.client[0]]
            _make_room(own, self.most_of_one)
        if len(self.connections) > self.most:
            _make_room(self._all, self.most)

    def data_received(self, data: bytes) -> None:
        """Take what came; a part of what is awaited gives no new time for the rest."""
        super().data_received(data)
        self._turn()

    def on_response_complete(self) -> None:
        """Await the next request."""
        super().on_response_complete()
        self._turn()

    def pause_writing(self) -> None:
        """The browser does not take what it asked for."""
        super().pause_writing()
        self._turn()
        deaf = [each for each in self._all if each.awaited == _READING]
        if sum(each.transport.get_write_buffer_size() for each in deaf) > _MOST_UNREAD:
            _make_room(deaf, len(deaf) - 1)

    def resume_writing(self) -> None:
        """It takes it."""
        super().resume_writing()
        self._turn()

    def send_400_response(self, msg: str) -> None:
        """Refuse what is no HTTP. During or after an answer there is no place for another, and it just ends."""
        if self.cycle is None:
            super().send_400_response(msg)
            return
        self.cycle.disconnected = True
        self.give_up()

    def give_up(self) -> None:
        """End it at once."""
        self.connections.discard(self)
        self.transport.abort()

    @property
    def _all(self) -> list[PageConnection]:
        return [each for each in self.connections if isinstance(each, PageConnection)]

    def _turn(self) -> None:
        """Note what is awaited of the browser now."""
        awaited = None
        if self.flow.write_paused:
            awaited = _READING
        elif self.cycle is None or self.cycle.response_complete:
            awaited = _HEADERS
        elif self.cycle.more_body:
            awaited = _BODY
        if awaited != self.awaited:
            self.awaited, self.since = awaited, self.loop.time()


def give_up_late(connections: Iterable[asyncio.Protocol], now: float) -> None:
    """End the connections that have kept the page waiting for too long; ``now`` is the loop's time."""
    for each in list(connections):
        if isinstance(each, PageConnection) and each.awaited is not None and now - each.since > each.awaited:
            each.give_up()


def most_here() -> int:
    """The most connections of this process, whose limit of descriptors is raised as far as needed and allowed."""
    soft, hard = getrlimit(RLIMIT_NOFILE)
    if soft != RLIM_INFINITY and soft < DESCRIPTORS:
        with suppress(OSError, ValueError):
            setrlimit(RLIMIT_NOFILE, (DESCRIPTORS if hard == RLIM_INFINITY else min(hard, DESCRIPTORS), hard))
        soft, _ = getrlimit(RLIMIT_NOFILE)
    return MOST if soft == RLIM_INFINITY else min(MOST, soft // 4)


def _make_room(crowd: Collection[PageConnection], most: int) -> None:
    """Of more than ``most`` end the one that is awaited longest; that may be the newest."""
    if len(crowd) > most:
        awaited = [each for each in crowd if each.awaited is not None]
        min(awaited, key=lambda each: each.since).give_up()


class Guard:
    """Takes requests for this page only, and has each answered in its language and with `HEADERS`."""

    def __init__(self, app: ASGIApp, binding: Binding, usual: Language) -> None:
        """``usual`` is the language of a browser that names none."""
        self.app = app
        self._binding = binding
        self._usual = usual

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass a request on, or refuse it. What all languages share, below ``/static``, names none."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        is_shared = scope["path"].startswith("/static/")
        language = spoken() if is_shared else language_of(scope, self._usual)

        async def send_guarded(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers.setdefault(name, value)
                if not is_shared:
                    headers["Content-Language"] = language.value
                    headers.add_vary_header("Accept-Language, Cookie")
            await send(message)

        with speaking(language):
            app = self.app
            if not self._binding.allows(Headers(scope=scope).get("host")):
                why = tr(
                    "This page does not go by the name in the header Host. Use its address, or put the name into "
                    "the configuration: [web] names."
                )
                app = PlainTextResponse(why, 421)
            await app(scope, receive, send_guarded)


#: From this many bytes on an answer is packed.
_LEAST_PACKED = 1000

#: The level of packing: the best takes five times as long, for an answer that is a tenth smaller.
_LEVEL = 4


def table_routes(of: Callable[[Request], Pages], at: str = "") -> list[BaseRoute]:
    """The addresses of a table's pages, which begin with ``at``; ``of`` gives the pages that are meant."""
    answers = {
        "": Pages.scoreboard,
        "/overlay": Pages.overlay,
        "/overlay.json": Pages.overlay_text,
        "/now": Pages.now,
        "/board.svg": Pages.board,
        "/events": Pages.events,
    }

    def route(path: str, answer: Callable[[Pages, Request], Awaitable[Response | ASGIApp]]) -> Route:
        async def answered(request: Request) -> Response | ASGIApp:
            return await answer(of(request), request)

        return Route(f"{at}{path}" or "/", answered)

    return [route(path, answer) for path, answer in answers.items()]


def page_app(
    pages: Pages, binding: Binding, more: Sequence[BaseRoute] = (), usual: Language = Language.ENGLISH
) -> ASGIApp:
    """The application; ``more`` are further addresses, which come before those of the scoreboard.

    ``usual`` is the language for browsers that ask for none of the program's.
    """
    routes: list[BaseRoute] = [
        *more,
        *table_routes(lambda request: pages),
        Route("/rules", pages.rules),
        Route("/static/{name}", pages.file),
        Route("/language", choose_language, methods=["POST"]),
    ]

    async def missing(request: Request, error: Exception) -> Response:
        return pages.missing(request)

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException)
        why = tr("That cannot be done here; this address only shows something.")
        return PlainTextResponse(why, error.status_code, error.headers)

    async def failed(request: Request, error: Exception) -> Response:
        return PlainTextResponse(tr("Something went wrong in the page's program; its log says what."), 500)

    app = Starlette(
        routes=routes,
        middleware=[Middleware(GZipMiddleware, minimum_size=_LEAST_PACKED, compresslevel=_LEVEL)],
        exception_handlers={404: missing, 405: refused, 500: failed},
    )
    # An address has one form; being sent on to it would only show that it has another.
    app.router.redirect_slashes = False
    return Guard(app, binding, usual)


#: Real seconds that browsers have to take their last answer when the page ends.
_FAREWELL: Final = 1

#: The page's niceness: the kernel serves the referee first.
NICENESS: Final = 5

#: Seconds after which a thread that works out a game's page yields to the loop that answers everybody else.
SWITCH: Final = 0.001

#: Addresses of a proxy on this computer, which says for whom it asks.
_PROXIES: Final = ["127.0.0.0/8", "::1", "::ffff:127.0.0.0/104"]


class PageServer(uvicorn.Server):
    """The server, which gives up slow browsers, and ends streams before it waits for browsers to go."""

    def __init__(
        self, app: ASGIApp, table: LiveTable, *, most: int = MOST, most_of_one: int = MOST_OF_ONE
    ) -> None:
        bounds = {"most": most, "most_of_one": most_of_one}
        super().__init__(
            uvicorn.Config(
                app,
                http=type("_Connection", (PageConnection,), bounds),
                loop="asyncio",
                ws="none",
                lifespan="off",
                log_level="error",  # a line for each request that is no HTTP would fill a disk
                access_log=False,
                server_header=False,
                forwarded_allow_ips=_PROXIES,
                backlog=min(BACKLOG, most),
                timeout_graceful_shutdown=_FAREWELL,
            )
        )
        self._table = table

    async def on_tick(self, counter: int) -> bool:
        """Look after the connections once in a second."""
        if counter % 10 == 0:
            give_up_late(self.server_state.connections, asyncio.get_running_loop().time())
        return await super().on_tick(counter)

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End every stream, then the rest."""
        self._table.close()
        await super().shutdown(sockets)


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSettings:
    """Everything from which the page is made."""

    binding: Binding
    services: Sequence[Path]
    """The places of the service's socket; the first that is found counts."""
    token: TokenFile
    """It opens the arbiter's desk."""
    games: GameRepository
    boards: Sequence[Path] = ()
    """The places of a simulated board's hands, at which people play on the page; none without such a board."""
    seats: Seats | None = None
    """The seats at the simulated board, where the page is open to a network; else None."""
    usual: Language = Language.ENGLISH
    """The language for browsers that ask for none of the program's."""


def serve(listening: socket.socket, settings: PageSettings, until_closed: int | None = None) -> None:
    """Serve the page on a socket until a signal ends it, or the end of the descriptor ``until_closed``."""
    with suppress(OSError):  # as a service it is less important already
        os.nice(NICENESS)
    sys.setswitchinterval(SWITCH)
    asyncio.run(_serve(listening, settings, until_closed))


def whole_page(table: LiveTable, settings: PageSettings, hands: HandsLink | None = None) -> ASGIApp:
    """The page with everything that stands beside the scoreboard.

    ``hands``: the connection to the hands of a simulated board, at which people play on the page.
    """
    pages = Pages(table)

    async def asking(what: Mapping[str, Any]) -> Mapping[str, Any]:
        return await asyncio.to_thread(ask, settings.services, what)

    desk = ArbiterDesk(pages, settings.token, lambda request: asking, time.monotonic)
    archive = ArchivePages(pages, settings.games, desk.guard)
    more = [*desk.routes(), *archive.routes, *Replays(pages, settings.games).routes]
    if hands is not None:
        seen = SeenTable(table, hands, time.monotonic)
        play = PlayTable(pages, seen, desk.guard, asking, time.monotonic, settings.seats)
        if settings.boards:
            tutor = TutorProcess(settings.services, settings.boards)
            more += LessonPages(pages, play, desk.guard, tutor).routes
        more += play.routes
    return page_app(pages, settings.binding, more, settings.usual)


async def _serve(listening: socket.socket, settings: PageSettings, until_closed: int | None) -> None:
    table = LiveTable(time.monotonic, time.time)
    hands = HandsLink(settings.boards) if settings.boards else None
    server = PageServer(whole_page(table, settings, hands), table, most=most_here())
    if until_closed is not None:
        _end_with(server, until_closed)
    reading = [asyncio.create_task(read_for_ever(settings.services, table))]
    if hands is not None:
        reading.append(asyncio.create_task(hands.board.run()))
    try:
        await server.serve([listening])
    finally:
        for task in reading:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task


def _end_with(server: uvicorn.Server, descriptor: int) -> None:
    """End the server when the descriptor ends. Nothing is written to it."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        loop.remove_reader(descriptor)
        server.should_exit = True

    loop.add_reader(descriptor, end)
