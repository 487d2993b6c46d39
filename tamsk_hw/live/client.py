"""A reader of the live stream: finds the service, reads its lines, asks it for something."""

from __future__ import annotations

import socket
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final, Self

from tamsk_hw.errors import LiveError
from tamsk_hw.live.stream import decoded, encoded

#: Real seconds within which a service that is well answers.
PATIENCE: Final = 5.0

#: The most bytes of a line from a service; a state has some thousand.
MOST_BYTES: Final = 1 << 20

_READ: Final = 65536


class Connection:
    """A connection to a service; ``greeting`` is its first line. Close it, or use it as a context manager."""

    def __init__(self, connected: socket.socket) -> None:
        """Read the greeting.

        Raises:
            LiveError: nobody answers, or something that is no service.
        """
        self._socket = connected
        self._rest = b""
        connected.settimeout(PATIENCE)
        try:
            self.greeting = decoded(next(self.lines()))
            life, seq = self.greeting.get("life"), self.greeting.get("seq")
            if self.greeting.get("live") != 1 or not isinstance(life, str) or not isinstance(seq, int):
                raise LiveError("what answers is no live stream of this version")
        except (OSError, StopIteration):
            connected.close()
            raise LiveError("the service does not answer", "look after it, or restart it") from None
        except LiveError:
            connected.close()
            raise
        connected.settimeout(None)

    def send(self, record: dict[str, Any]) -> None:
        """Send a line.

        Raises:
            OSError: the connection is gone.
        """
        self._socket.sendall(encoded(record))

    def lines(self) -> Iterator[bytes]:
        """The lines as they come, without their ends; until the service ends, or sends a line of more than
        `MOST_BYTES`.

        Raises:
            OSError: the connection broke.
        """
        while True:
            line, end, rest = self._rest.partition(b"\n")
            if end:
                self._rest = rest
                yield line
            elif len(self._rest) <= MOST_BYTES and (data := self._socket.recv(_READ)):
                self._rest += data
            else:
                return

    def ask(self, what: dict[str, Any], *, patience: float = PATIENCE) -> dict[str, Any]:
        """Ask for something; give the answer, with ``done`` or ``refused``.

        ``patience``: real seconds in which something must be heard.

        Raises:
            LiveError: nobody answers.
        """
        self._socket.settimeout(patience)
        try:
            self.send({"id": "1", **what})
            for line in self.lines():
                if line.startswith(b'{"re":'):
                    answer = decoded(line)
                    if isinstance(answer.get("done"), int) or isinstance(answer.get("refused"), str):
                        return answer
                    raise LiveError("the service has sent an answer that is not understood")
        except OSError:
            pass
        raise LiveError("the service does not answer", "look after it, or restart it")

    def close(self) -> None:
        """End the connection."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connect(places: Sequence[Path]) -> Connection:
    """A connection to the first service that is found.

    Raises:
        LiveError: there is none, or this user may not speak to it.
    """
    closed: Path | None = None
    for place in places:
        connecting = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            connecting.settimeout(PATIENCE)
            connecting.connect(str(place))
        except PermissionError:
            connecting.close()
            closed = closed or place
        except OSError:
            connecting.close()
        else:
            return Connection(connecting)
    if closed is not None:
        raise LiveError(f"{closed}: this user may not speak to the service", "join its group, tamsk-hw")
    tried = " or ".join(map(str, places))
    raise LiveError(f"no service at {tried}", "start one with tamsk-hw run, or name its place with --socket")
