"""The live stream of a running service: where it is, and what becomes of a service that cannot have one."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

from tamsk_hw import __version__
from tamsk_hw.errors import ConfigError, SocketError
from tamsk_hw.facts.notices import LiveUnpublished, Notice
from tamsk_hw.live.places import serving_place
from tamsk_hw.live.publishing import Publisher
from tamsk_hw.live.server import LiveServer
from tamsk_hw.live.stream import Greeting, LiveStream
from tamsk_hw.system.socket_serving import TakenError
from tamsk_hw.system.waking import Waker
from tamsk_hw.terminal.screen import Screen


@contextmanager
def published(
    asked: Path | None,
    state_folder: Path,
    waker: Waker,
    notice: Callable[[LiveUnpublished], None],
    *,
    simulated: bool = False,
    speed: float = 1.0,
) -> Iterator[Publisher]:
    """The publisher of a service, at the place that was ``asked`` for, else at the default one.

    A service that finds another one there, or cannot have the default place, goes on without; ``notice`` is told.

    Raises:
        ConfigError: the socket cannot be made at the place that was asked for.
    """
    path = asked or serving_place(os.environ, state_folder)
    greeting = Greeting(
        life=os.urandom(8).hex(), program=__version__, board=None, simulated=simulated, speed=speed
    )
    stream = LiveStream(greeting)
    server = None
    try:
        server = LiveServer(path, stream, waker.wake)
    except SocketError as error:
        if asked is not None and not isinstance(error, TakenError):
            raise ConfigError(f"--live {error.cause}", error.advice) from None
        notice(LiveUnpublished(str(error)))
    publisher = Publisher(stream, server)
    try:
        yield publisher
    finally:
        publisher.close()


class PublishedScreen:
    """A screen, and the readers of the live stream beside it: they hear the same notices."""

    def __init__(self, screen: Screen, publisher: Publisher) -> None:
        self._screen = screen
        self._publisher = publisher
        self.rule = screen.rule
        self.say = screen.say
        self.show = screen.show

    def notice(self, notice: Notice) -> None:
        """Show and publish what people should know."""
        self._screen.notice(notice)
        self._publisher.notice(notice)

    def __enter__(self) -> Self:
        self._screen.__enter__()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._screen.__exit__(kind, error, trace)
