"""The page's process: reads the live stream and answers browsers until it is ended."""

from __future__ import annotations

import asyncio
import socket
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
from tamsk_hw.web.desk import ArbiterDesk, asker
from tamsk_hw.web.live_table import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.replay import Replays
from tamsk_hw.web.security import Hosts
from tamsk_hw.web.shelf import Shelf

#: Real seconds that browsers have to take their last answer when the page ends.
_FAREWELL: Final = 1


class _Server(uvicorn.Server):
    """The server, which ends the streams of those who watch before it waits for them to go."""

    def __init__(self, config: uvicorn.Config, table: LiveTable) -> None:
        super().__init__(config)
        self._table = table

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
    *,
    usual: Language = Language.ENGLISH,
    until_closed: int | None = None,
) -> None:
    """Serve the page on a socket, of the first service found at ``services``, until a signal ends it.

    ``token`` opens the arbiter's desk, ``shelf`` has the games; ``usual`` is the language for browsers that ask
    for none of the program's; ``until_closed``: a descriptor at whose end the page ends, too.
    """
    asyncio.run(_serve(listening, hosts, services, token, shelf, usual, until_closed))


def whole_page(
    table: LiveTable,
    hosts: Hosts,
    services: Sequence[Path],
    token: TokenFile,
    shelf: Shelf,
    usual: Language = Language.ENGLISH,
) -> ASGIApp:
    """The page with everything that stands beside the scoreboard; the arguments are those of `serve`."""
    pages = Pages(table)
    desk = ArbiterDesk(pages, token, asker(services), time.monotonic)
    archive = ArchivePages(pages, shelf, desk.gate)
    return page_app(pages, hosts, [*desk.routes, *archive.routes, *Replays(pages, shelf).routes], usual)


async def _serve(
    listening: socket.socket,
    hosts: Hosts,
    services: Sequence[Path],
    token: TokenFile,
    shelf: Shelf,
    usual: Language,
    until_closed: int | None,
) -> None:
    table = LiveTable(time.monotonic, time.time)
    config = uvicorn.Config(
        whole_page(table, hosts, services, token, shelf, usual),
        http="h11",
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=_FAREWELL,
    )
    server = _Server(config, table)
    if until_closed is not None:
        _end_with(server, until_closed)
    reading = asyncio.create_task(read_for_ever(services, table))
    try:
        await server.serve([listening])
    finally:
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading


def _end_with(server: uvicorn.Server, descriptor: int) -> None:
    """End the server when the descriptor ends. Nothing is written to it."""
    loop = asyncio.get_running_loop()

    def end() -> None:
        loop.remove_reader(descriptor)
        server.should_exit = True

    loop.add_reader(descriptor, end)
