"""The page's process: reads the live stream and answers browsers until it is ended."""

from __future__ import annotations

import asyncio
import socket
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Final

import uvicorn

from tamsk_hw.errors import ConfigError
from tamsk_hw.web.app import page_app
from tamsk_hw.web.live_table import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.reader import read_for_ever
from tamsk_hw.web.security import Hosts

#: Milliseconds after which the kernel gives up a browser that takes nothing.
_GIVEN_UP: Final = 30_000

#: Real seconds that browsers have to take their last answer when the page ends.
_FAREWELL: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class PageSettings:
    """Where the page is, and which service it shows."""

    address: str
    port: int
    names: tuple[str, ...]
    sockets: Sequence[Path]
    any_port: bool = False
    """Take a free port when ``port`` is taken."""


def url_of(bound: socket.socket) -> str:
    """The address of the page to type into a browser."""
    host, port = bound.getsockname()[:2]
    address = ip_address(host)
    if address.is_unspecified:
        host = socket.gethostname()
    elif isinstance(address, IPv6Address):
        host = f"[{host}]"
    return f"http://{host}:{port}/"


def bound_port(settings: PageSettings) -> socket.socket:
    """A listening socket for the page.

    Raises:
        ConfigError: the port is taken, or the address is not this computer's.
    """
    family = socket.AF_INET6 if ":" in settings.address else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    if hasattr(socket, "TCP_USER_TIMEOUT"):
        listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _GIVEN_UP)
    try:
        try:
            listening.bind((settings.address, settings.port))
        except OSError:
            if not settings.any_port:
                raise
            listening.bind((settings.address, 0))
        listening.listen(128)
    except OSError as error:
        listening.close()
        where = f"{settings.address} port {settings.port}"
        advice = "name another with --port, or in the configuration, [web] port and address"
        raise ConfigError(f"the page cannot be at {where}: {error.strerror}; {advice}") from None
    return listening


class _Server(uvicorn.Server):
    """The server, which says goodbye to those who watch before it waits for them to go."""

    def __init__(self, config: uvicorn.Config, table: LiveTable) -> None:
        super().__init__(config)
        self._table = table

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """End every stream, then the rest."""
        self._table.close()
        await super().shutdown(sockets)


def serve(settings: PageSettings, say: Callable[[str], None]) -> None:
    """Serve the page until a signal ends it; ``say`` is told its address when it is there.

    Raises:
        ConfigError: see `bound_port`.
    """
    with bound_port(settings) as listening:
        asyncio.run(_serve(settings, listening, say))


async def _serve(settings: PageSettings, listening: socket.socket, say: Callable[[str], None]) -> None:
    table = LiveTable(time.monotonic, time.time)
    app = page_app(Pages(table), Hosts(settings.address, settings.names))
    config = uvicorn.Config(
        app,
        http="h11",
        loop="asyncio",
        ws="none",
        lifespan="off",
        log_level="warning",
        access_log=False,
        server_header=False,
        date_header=True,
        proxy_headers=False,
        timeout_graceful_shutdown=_FAREWELL,
    )
    reading = asyncio.create_task(read_for_ever(settings.sockets, table))
    try:
        say(url_of(listening))
        await _Server(config, table).serve([listening])
    finally:
        reading.cancel()
        with suppress(asyncio.CancelledError):
            await reading
