"""The page's connections: none waits for its browser for ever, and there is always room for one more.

uvicorn waits for a request's headers and body without limit, and its ``limit_concurrency`` counts connections only
when a request has come. Here the connection that has kept the page waiting longest makes room when there are too
many; streams of events, whose turn it never is, are bounded apart (`tamsk_hw.web.events`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from ipaddress import ip_address
from resource import RLIM_INFINITY, RLIMIT_NOFILE, getrlimit, setrlimit
from typing import Final

from uvicorn.protocols.http.h11_impl import H11Protocol

#: Descriptors that the page wants, as its unit has them: for the most connections, for those that the kernel hands
#: over at a time before one of them can be given up, and for the journal.
DESCRIPTORS: Final = 8192

#: Connections that wait in the kernel, and that it hands over at a time.
BACKLOG: Final = 1024

#: The most bytes of answers that browsers have not taken.
_MOST_UNREAD: Final = 64 * 1024 * 1024


class Awaited(Enum):
    """The next thing that the page waits for on a connection; the value is the time limit in seconds.

    Whoever does not read has no limit here: the kernel gives it up (`tamsk_hw.web.binding`).
    """

    HEADERS = 10.0
    BODY = 60.0
    READING = float("inf")


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most connections: in all, and of one address that is not this computer's, where a proxy may be."""

    most: int = 1200
    of_one: int = 200


class PageConnection(H11Protocol):
    """A connection that is given up when it keeps the page waiting for too long, or to make room."""

    bounds = Bounds()
    awaited: Awaited | None = None
    since: float = 0.0
    """The time of the loop at which this began to be awaited."""

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Make room for it."""
        super().connection_made(transport)
        self._turn()
        if self.client is not None and not _is_here(self.client[0]):
            own = [each for each in self._all if each.client and each.client[0] == self.client[0]]
            _make_room(own, self.bounds.of_one)
        if len(self.connections) > self.bounds.most:
            _make_room(self._all, self.bounds.most)

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
        deaf = [each for each in self._all if each.awaited is Awaited.READING]
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
            awaited = Awaited.READING
        elif self.cycle is None or self.cycle.response_complete:
            awaited = Awaited.HEADERS
        elif self.cycle.more_body:
            awaited = Awaited.BODY
        if awaited is not self.awaited:
            self.awaited, self.since = awaited, self.loop.time()


def give_up_late(connections: Iterable[asyncio.Protocol], now: float) -> None:
    """End the connections that have kept the page waiting for too long; ``now`` is the loop's time."""
    for each in list(connections):
        if isinstance(each, PageConnection) and each.awaited is not None and now - each.since > each.awaited.value:
            each.give_up()


def bounds_here() -> Bounds:
    """The bounds for this process, whose limit of descriptors is raised as far as needed and allowed."""
    soft, hard = getrlimit(RLIMIT_NOFILE)
    if soft != RLIM_INFINITY and soft < DESCRIPTORS:
        with suppress(OSError, ValueError):
            setrlimit(RLIMIT_NOFILE, (DESCRIPTORS if hard == RLIM_INFINITY else min(hard, DESCRIPTORS), hard))
        soft, _ = getrlimit(RLIMIT_NOFILE)
    return Bounds() if soft == RLIM_INFINITY else Bounds(most=min(Bounds().most, soft // 4))


def _make_room(crowd: Collection[PageConnection], most: int) -> None:
    """When there are more than ``most``, end the one that is awaited longest; that may be the newest."""
    if len(crowd) > most:
        awaited = [each for each in crowd if each.awaited is not None]
        min(awaited, key=lambda each: each.since).give_up()


def _is_here(address: str) -> bool:
    """It is an address of this computer alone."""
    parsed = ip_address(address.partition("%")[0])
    return (getattr(parsed, "ipv4_mapped", None) or parsed).is_loopback
