"""The page's process: reads the live stream and answers browsers until it is ended."""

from __future__ import annotations

import asyncio
import os
import socket
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import uvicorn
from starlette.types import ASGIApp

from tamsk_hw.live.following import read_for_ever
from tamsk_hw.system.language import Language
from tamsk_hw.web.app import page_app
from tamsk_hw.web.arbiter_token import TokenFile
from tamsk_hw.web.archive_pages import ArchivePages
from tamsk_hw.web.connections import BACKLOG, Bounds, PageConnection, bounds_here, give_up_late
from tamsk_hw.web.desk import ArbiterDesk, asker
from tamsk_hw.web.hands_link import HandsLink
from tamsk_hw.web.lesson_pages import LessonPages
from tamsk_hw.web.live_table import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.play_table import PlayTable
from tamsk_hw.web.replay import Replays
from tamsk_hw.web.school import School
from tamsk_hw.web.seat_links import SeatLinks
from tamsk_hw.web.seats import Seats
from tamsk_hw.web.security import Hosts
from tamsk_hw.web.seen_table import SeenTable
from tamsk_hw.web.shelf import Shelf

#: Real seconds that browsers have to take their last answer when the page ends.
_FAREWELL: Final = 1

#: How much less important than the referee the page is for the kernel.
NICENESS: Final = 5

#: Seconds after which a thread that works out a game's page yields to the loop that answers everybody else.
SWITCH: Final = 0.001

#: Addresses of a proxy on this computer, which says for whom it asks.
_PROXIES: Final = ["127.0.0.0/8", "::1", "::ffff:127.0.0.0/104"]


class PageServer(uvicorn.Server):
    """The server, which gives up whoever keeps it waiting, and ends streams before it waits for browsers to go."""

    def __init__(self, app: ASGIApp, table: LiveTable, bounds: Bounds) -> None:
        super().__init__(
            uvicorn.Config(
                app,
                http=type("_Connection", (PageConnection,), {"bounds": bounds}),
                loop="asyncio",
                ws="none",
                lifespan="off",
                log_level="error",  # a line for each request that is no HTTP would fill a disk
                access_log=False,
                server_header=False,
                forwarded_allow_ips=_PROXIES,
                backlog=min(BACKLOG, bounds.most),
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


def serve(
    listening: socket.socket,
    hosts: Hosts,
    services: Sequence[Path],
    token: TokenFile,
    shelf: Shelf,
    boards: Sequence[Path] = (),
    *,
    usual: Language = Language.ENGLISH,
    seats: SeatLinks | None = None,
    until_closed: int | None = None,
) -> None:
    """Serve the page on a socket, of the first service found at ``services``, until a signal ends it.

    ``token`` opens the arbiter's desk, ``shelf`` has the games; ``boards`` are the places of a simulated board's
    hands, at which people play on the page, none without such a board; ``usual`` is the language for browsers
    that ask for none of the program's; ``seats`` are the links to that board's seats where the page is open to a
    network; ``until_closed``: a descriptor at whose end the page ends, too.
    """
    with suppress(OSError):  # as a service it is less important already
        os.nice(NICENESS)
    sys.setswitchinterval(SWITCH)
    asyncio.run(_serve(listening, hosts, services, token, shelf, boards, usual, seats, until_closed))


def whole_page(
    table: LiveTable,
    hosts: Hosts,
    services: Sequence[Path],
    token: TokenFile,
    shelf: Shelf,
    usual: Language = Language.ENGLISH,
    hands: HandsLink | None = None,
    boards: Sequence[Path] = (),
    seats: SeatLinks | None = None,
) -> ASGIApp:
    """The page with everything that stands beside the scoreboard; the arguments are those of `serve`.

    ``hands``: the connection to the hands of a simulated board, at which people play on the page; ``boards``: the
    places of their socket, by which lessons are given there; ``seats``: the links to its seats.
    """
    pages = Pages(table)
    desk = ArbiterDesk(pages, token, asker(services), time.monotonic)
    archive = ArchivePages(pages, shelf, desk.gate)
    replays = Replays(pages, shelf)
    more = [*desk.routes, *archive.routes, *replays.routes]
    if hands is not None:
        taken = None if seats is None else Seats(seats, hosts.names)
        seen = SeenTable(table, hands, time.monotonic)
        play = PlayTable(pages, seen, desk.gate, asker(services), time.monotonic, taken)
        if boards:
            more += LessonPages(pages, play, desk.gate, School(services, boards)).routes
        more += play.routes
    return page_app(pages, hosts, more, usual)


async def _serve(
    listening: socket.socket,
    hosts: Hosts,
    services: Sequence[Path],
    token: TokenFile,
    shelf: Shelf,
    boards: Sequence[Path],
    usual: Language,
    seats: SeatLinks | None,
    until_closed: int | None,
) -> None:
    table = LiveTable(time.monotonic, time.time)
    hands = HandsLink(boards) if boards else None
    app = whole_page(table, hosts, services, token, shelf, usual, hands, boards, seats)
    server = PageServer(app, table, bounds_here())
    if until_closed is not None:
        _end_with(server, until_closed)
    reading = [asyncio.create_task(read_for_ever(services, table))]
    if hands is not None:
        reading.append(asyncio.create_task(hands.run()))
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
