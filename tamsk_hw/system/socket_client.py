"""A client of a program that serves JSON Lines on a Unix stream socket: finds it, reads its lines, asks it."""

from __future__ import annotations

import json
import socket
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from tamsk_hw.errors import SocketError

#: Real seconds within which a program that is well answers.
PATIENCE: Final = 5.0

#: The most bytes of a line.
MOST_BYTES: Final = 1 << 20

_READ: Final = 65536


@dataclass(frozen=True, slots=True, kw_only=True)
class Served:
    """A kind of program that is asked, and the words for it; cause and advice are a pair.

    ``key``: its greeting has this key, with the version 1, and those of ``greeting``, with values of these types.
    ``error``: the exception that is raised. An answer has ``done``, ``refused``, or an object by the name that
    ``shown`` is.
    """

    key: str
    greeting: Mapping[str, type] = field(default_factory=dict)
    shown: str | None = None
    error: type[SocketError]
    stranger: str
    unclear: str
    silent: tuple[str, str]
    closed: tuple[str, str]
    missing: tuple[str, str]


class LineConnection:
    """A connection to a program; ``greeting`` is its first line. Close it, or use it as a context manager."""

    def __init__(self, connected: socket.socket, served: Served) -> None:
        """Read the greeting.

        Raises:
            SocketError: nobody answers, or something that is no such program, by the class that it names.
        """
        self._socket = connected
        self._served = served
        self._rest = b""
        connected.settimeout(PATIENCE)
        try:
            self.greeting = decoded(next(self.lines()))
            kinds = all(isinstance(self.greeting.get(key), kind) for key, kind in served.greeting.items())
            if self.greeting.get(served.key) != 1 or not kinds:
                raise ValueError(served.key)
        except ValueError:
            connected.close()
            raise served.error(served.stranger) from None
        except (OSError, StopIteration):
            connected.close()
            raise served.error(*served.silent) from None
        connected.settimeout(None)

    def send(self, record: dict[str, Any]) -> None:
        """Send a line.

        Raises:
            OSError: the connection is gone.
        """
        self._socket.sendall(encoded(record))

    def lines(self, until: float | None = None) -> Iterator[bytes]:
        """The lines as they come, without their ends; until the program ends, ``until`` (monotonic seconds), or a
        line of more than `MOST_BYTES`.

        Raises:
            OSError: the connection broke.
        """
        while True:
            line, end, rest = self._rest.partition(b"\n")
            if until is not None and (left := until - time.monotonic()) > 0:
                self._socket.settimeout(left)
            elif until is not None:
                return
            if end:
                self._rest = rest
                yield line
                continue
            if len(self._rest) > MOST_BYTES:
                return
            try:
                data = self._socket.recv(_READ)
            except TimeoutError:
                if until is None:
                    raise
                return
            if data:
                self._rest += data
            else:
                return

    def ask(self, what: dict[str, Any], *, patience: float = PATIENCE) -> dict[str, Any]:
        """Ask for something; give the answer, with ``done`` or ``refused``.

        ``patience``: real seconds in which something must be heard.

        Raises:
            SocketError: nobody answers, by the class that the program names.
        """
        self._socket.settimeout(patience)
        try:
            self.send({"id": "1", **what})
            for line in self.lines():
                if line.startswith(b'{"re":'):
                    answer = decoded(line)
                    if self._is_answer(answer):
                        return answer
                    raise ValueError(line)
        except ValueError:
            raise self._served.error(self._served.unclear) from None
        except OSError:
            pass
        raise self._served.error(*self._served.silent)

    def _is_answer(self, answer: Mapping[str, Any]) -> bool:
        shown = self._served.shown
        return (
            isinstance(answer.get("done"), int | float)
            or isinstance(answer.get("refused"), str)
            or (shown is not None and isinstance(answer.get(shown), dict))
        )

    def interrupt(self) -> None:
        """End the connection for the thread that reads its lines; it still has to be closed."""
        with suppress(OSError):  # it is broken already
            self._socket.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """End the connection."""
        self._socket.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def connected(places: Sequence[Path], served: Served) -> socket.socket:
    """A socket that is connected to the first of ``places`` at which a program listens.

    Raises:
        SocketError: there is none, or this user may not speak to it, by the class that the program names.
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
            return connecting
    if closed is not None:
        raise served.error(f"{closed}: {served.closed[0]}", served.closed[1])
    tried = " or ".join(map(str, places))
    raise served.error(f"{served.missing[0]} {tried}", served.missing[1])


def decoded(line: bytes) -> dict[str, Any]:
    """The JSON object of a line.

    Raises:
        ValueError: the line is none, or has numbers that JSON does not know.
    """
    try:
        record = json.loads(line, parse_constant=_refuse_constant)
    except RecursionError:
        raise ValueError("brackets without an end") from None
    if not isinstance(record, dict):
        raise ValueError("no object")
    return record


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


def encoded(record: dict[str, Any]) -> bytes:
    """A JSON object as it is sent."""
    line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return f"{line}\n".encode(errors="backslashreplace")
