"""A reader of the live stream: finds the service, reads its lines, asks it for something."""

from __future__ import annotations

import socket
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from tamsk_hw.errors import LiveError
from tamsk_hw.system.socket_client import PATIENCE, LineConnection, Served, connected

__all__ = ["PATIENCE", "Connection", "connect"]

_SERVICE: Final = Served(
    key="live",
    greeting={"life": str, "seq": int},
    error=LiveError,
    stranger="what answers is no live stream of this version",
    unclear="the service has sent an answer that is not understood",
    silent=("the service does not answer", "look after it, or restart it"),
    closed=("this user may not speak to the service", "join its group, tamsk-hw"),
    missing=("no service at", "start one with tamsk-hw run, or name its place with --socket"),
)


class Connection(LineConnection):
    """A connection to a service; ``greeting`` is its first line. Close it, or use it as a context manager."""

    def __init__(self, connected: socket.socket) -> None:
        """Read the greeting.

        Raises:
            LiveError: nobody answers, or something that is no service.
        """
        super().__init__(connected, _SERVICE)


def connect(places: Sequence[Path]) -> Connection:
    """A connection to the first service that is found.

    Raises:
        LiveError: there is none, or this user may not speak to it.
    """
    return Connection(connected(places, _SERVICE))
