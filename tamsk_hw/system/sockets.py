"""JSON Lines on Unix sockets: their places, and clients that ask a program or follow what it sends."""

import asyncio
import json
import socket
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from math import inf
from pathlib import Path
from typing import Any, Final, Protocol, Self

from tamsk_hw.errors import SocketError, TamskError

#: The runtime folder of the service, for programs that are not started by systemd.
SYSTEM_RUNTIME: Final = Path("/run/tamsk-hw")

#: Bytes that the path of a socket may have on Linux.
LONGEST_PATH: Final = 107

#: The most bytes of a line from a server.
MOST_BYTES: Final = 1 << 20

_READ: Final = 65536


def _folders(environment: Mapping[str, str]) -> tuple[Path | None, Path | None]:
    """The runtime folders: the one that systemd made for the program (of several the first), and the user's."""
    own = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    user = environment.get("XDG_RUNTIME_DIR", "")
    made = Path(own) if own.startswith("/") else None
    return made, Path(user) / "tamsk-hw" if user.startswith("/") else None


def decoded(line: bytes) -> dict[str, Any]:
    """The JSON object of a line.

    Raises:
        ValueError: the line is none, or has numbers that JSON does not know.
    """
    try:
        record = _DECODER.decode(line.decode(errors="surrogatepass"))
    except RecursionError:
        raise ValueError("brackets without an end") from None
    if not isinstance(record, dict):
        raise ValueError("no object")
    return record


def _refuse_constant(name: str) -> None:
    raise ValueError(name)


#: Made once: `json.loads` with such an option makes one for each line.
_DECODER: Final = json.JSONDecoder(parse_constant=_refuse_constant)


def encoded(record: Mapping[str, Any]) -> bytes:
    """A JSON object as it is sent."""
    line = json.dumps(record, ensure_ascii=False, separators=(",", ":"))
    return f"{line}\n".encode(errors="backslashreplace")


# ---- clients

#: Real seconds within which a program that is well answers.
PATIENCE: Final = 5.0

#: Real seconds between two attempts to find a program.
RETRY_SECONDS: Final = 0.5


#: The keys of answers with the types of their values.
_ANSWERS: Final = {"done": int | float, "refused": str, "look": dict}


@dataclass(frozen=True, slots=True, kw_only=True)
class SocketKind:
    """A kind of program that serves a socket, called ``name`` in messages; ``file`` is the socket's name.

    Its greeting has the version 1 under ``key``, and the keys of ``greeting`` with values of these types. Raises
    ``error`` with an advice: ``start`` when there is no such program, ``restart`` when it does not answer.
    """

    name: str
    file: str
    key: str
    greeting: Mapping[str, type] = field(default_factory=dict)
    error: type[SocketError]
    start: str
    restart: str

    def serving_place(self, environment: Mapping[str, str], state_folder: Path) -> Path:
        """The default place of the socket: the program's runtime folder, the user's, or the state folder."""
        own, users = _folders(environment)
        return (own or users or state_folder) / self.file

    def searched_places(self, environment: Mapping[str, str], state_folder: Path) -> tuple[Path, ...]:
        """The places in which a client looks for the program, in their order."""
        own, users = _folders(environment)
        folders = (own or SYSTEM_RUNTIME, users, state_folder)
        return tuple(folder / self.file for folder in folders if folder is not None)

    def greeted(self, line: bytes) -> dict[str, Any]:
        """The greeting in a line. Raises `ValueError` for another line."""
        greeting = decoded(line)
        kinds = all(isinstance(greeting.get(key), kind) for key, kind in self.greeting.items())
        if greeting.get(self.key) != 1 or not kinds:
            raise ValueError(self.key)
        return greeting

    def silent(self) -> SocketError:
        """The error when the program does not answer."""
        return self.error(f"the {self.name} does not answer", self.restart)


class LineConnection:
    """A connection to a program; ``greeting`` is its first line. Close it, or use it as a context manager."""

    def __init__(self, connected: socket.socket, kind: SocketKind) -> None:
        """Read the greeting.

        Raises:
            SocketError: nobody answers, or another program, by the class that ``kind`` names.
        """
        self._socket = connected
        self._kind = kind
        self._rest = b""
        connected.settimeout(PATIENCE)
        try:
            self.greeting = kind.greeted(next(self.lines()))
        except ValueError:
            connected.close()
            raise kind.error(f"what answers is no {kind.name} of this version") from None
        except (OSError, StopIteration):
            connected.close()
            raise kind.silent() from None
        connected.settimeout(None)

    def send(self, record: Mapping[str, Any]) -> None:
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

    def ask(self, what: Mapping[str, Any], *, patience: float = PATIENCE) -> dict[str, Any]:
        """Ask for something; give the answer, with ``done``, ``refused`` or an object under ``look``.

        ``patience``: real seconds in which something must be heard.

        Raises:
            SocketError: nobody answers, by the class of the program's kind.
        """
        self._socket.settimeout(patience)
        try:
            self.send({"id": "1", **what})
            for line in self.lines():
                if line.startswith(b'{"re":'):
                    answer = decoded(line)
                    if any(isinstance(answer.get(key), kind) for key, kind in _ANSWERS.items()):
                        return answer
                    raise ValueError(line)
        except ValueError:
            raise self._kind.error(f"the {self._kind.name} has sent an answer that is not understood") from None
        except OSError:
            pass
        raise self._kind.silent()

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


def connect(places: Sequence[Path], kind: SocketKind) -> LineConnection:
    """A connection to the program at the first of ``places`` at which one listens.

    Raises:
        SocketError: there is none, it does not answer, or this user may not speak to it, by the class of ``kind``.
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
            return LineConnection(connecting, kind)
    if closed is not None:
        raise kind.error(f"{closed}: this user may not speak to the {kind.name}", "join its group, tamsk-hw")
    raise kind.error(f"no {kind.name} at {' or '.join(map(str, places))}", kind.start)


class Absence(Enum):
    """Reasons for which nothing is heard from a program."""

    NONE_THERE = "none_there"
    FORBIDDEN = "forbidden"
    """This user may not speak to it."""
    OTHER_VERSION = "other_version"
    """Another program answers, or another version."""


def lines_asked(greeting: Mapping[str, Any], request: Mapping[str, Any]) -> Callable[[Mapping[str, Any]], bool]:
    """Give a function that says of each line whether to take it, after a ``request`` for older ones (``since``).

    A program that reads the request late has sent newer lines before. It sends them again after the older ones, so
    the first time they are not taken (docs/live.md).
    """
    is_same = request.get("life", greeting.get("life")) == greeting.get("life")
    had, newest = request.get("since", inf) if is_same else 0, greeting.get("seq", 0)
    waits = had < newest

    def is_asked(line: Mapping[str, Any]) -> bool:
        nonlocal waits
        waits = waits and ("seq" not in line or (line["seq"] > newest and "header" not in line))
        return not waits or "seq" not in line

    return is_asked


class Listener(Protocol):
    """Receives the lines of a `LineFollower`."""

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The program is there; give the first request."""

    def heard(self, record: Mapping[str, Any]) -> None:
        """It sent this line.

        Raises:
            TamskError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError: this version does not
                know such a line.
        """

    def lost(self, why: Absence) -> None:
        """It is not there (any more); said after every attempt."""


class LineFollower:
    """Reads the lines of the first program that is found, and of the next one when that has ended."""

    def __init__(
        self, places: Sequence[Path], kind: SocketKind, listener: Listener, *, retry: float = RETRY_SECONDS
    ) -> None:
        """``retry``: real seconds between two attempts."""
        self._places = places
        self._kind = kind
        self._listener = listener
        self._retry = retry
        self._outgoing: asyncio.StreamWriter | None = None

    def send(self, record: Mapping[str, Any]) -> None:
        """Send a line.

        Raises:
            SocketError: no program is there, by the class of its kind.
        """
        if self._outgoing is None:
            raise self._kind.error(f"there is no {self._kind.name}")
        self._outgoing.write(encoded(record))

    async def run(self) -> None:
        """Read for ever."""
        while True:
            self._listener.lost(await self._read_once())
            await asyncio.sleep(self._retry)

    async def _read_once(self) -> Absence:
        """Read one program's lines to their end; give what is the matter now."""
        why = Absence.NONE_THERE
        for place in self._places:
            try:
                async with asyncio.timeout(PATIENCE):
                    incoming, outgoing = await asyncio.open_unix_connection(place, limit=MOST_BYTES)
            except PermissionError:
                why = Absence.FORBIDDEN
            except OSError:
                pass
            else:
                return await self._listen(incoming, outgoing)
        return why

    async def _listen(self, incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> Absence:
        try:
            async with asyncio.timeout(PATIENCE):
                first = await incoming.readline()
            if first:
                greeting = self._kind.greeted(first)
                request = self._listener.greeted(greeting)
                is_asked = lines_asked(greeting, request)
                outgoing.write(encoded(request))
                self._outgoing = outgoing
            while line := await incoming.readline():
                if is_asked(record := decoded(line)):
                    self._listener.heard(record)
        except OSError:
            pass
        except (TamskError, LookupError, ValueError, TypeError, AttributeError, ArithmeticError):
            return Absence.OTHER_VERSION
        finally:
            self._outgoing = None
            outgoing.close()
            with suppress(OSError):
                await outgoing.wait_closed()
        return Absence.NONE_THERE
