"""Unix sockets of lines: where they are, how they are served and read.

The places of a program's socket: where it is served, and where clients look for it.

A client of a program that serves JSON Lines on a Unix stream socket: finds it, reads its lines, asks it.

Unix stream sockets that carry lines: a listening one at a path, and bytes cut into lines of bounded length.
"""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
import time
from collections.abc import Callable, Coroutine, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from tamsk_hw.errors import SocketError

#: The runtime folder of the service, for programs that are not started by systemd.
SYSTEM_RUNTIME: Final = Path("/run/tamsk-hw")

#: Bytes that the path of a socket may have on Linux.
LONGEST_PATH: Final = 107


def serving_place(name: str, environment: Mapping[str, str], state_folder: Path) -> Path:
    """The default place of ``name``: the program's runtime folder, else the user's, else the state folder."""
    runtime = _runtime_folder(environment)
    if runtime is not None:
        return runtime / name
    user = _user_folder(environment)
    return (state_folder if user is None else user) / name


def searched_places(name: str, environment: Mapping[str, str], state_folder: Path) -> tuple[Path, ...]:
    """The places in which a client looks for ``name``, in their order."""
    folders = (_runtime_folder(environment) or SYSTEM_RUNTIME, _user_folder(environment), state_folder)
    return tuple(folder / name for folder in folders if folder is not None)


def _runtime_folder(environment: Mapping[str, str]) -> Path | None:
    """The folder that systemd made; of several the first."""
    first = environment.get("RUNTIME_DIRECTORY", "").partition(":")[0]
    return Path(first) if first.startswith("/") else None


def _user_folder(environment: Mapping[str, str]) -> Path | None:
    folder = environment.get("XDG_RUNTIME_DIR", "")
    return Path(folder) / "tamsk-hw" if folder.startswith("/") else None


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


#: The most bytes of a line that a client sends.
LONGEST_LINE: Final = 64 * 1024

#: Seconds between two looks whether a socket is still at its path.
WATCH_SECONDS: Final = 1.0

#: Owner and group may write, so act; nobody else.
_MODE: Final = 0o660


class TakenError(SocketError):
    """Another program serves there."""


class BoundSocket:
    """A listening socket at ``path``; one that a program left behind is replaced."""

    def __init__(self, path: Path, *, taken: str, elsewhere: str) -> None:
        """Bind it.

        ``taken``: what another program there does, for the error; ``elsewhere``: the advice to name another place.

        Raises:
            TakenError: another program answers there.
            SocketError: something else lies there, or the socket cannot be made.
        """
        self.path = path
        self._clients: set[asyncio.Task[None]] = set()
        try:
            _clear(path, taken, elsewhere)
            self._bind()
        except OSError as error:
            raise SocketError(f"{path}: {error.strerror or error}", elsewhere) from None

    async def serve(
        self, meet: Callable[[asyncio.StreamReader, asyncio.StreamWriter], Coroutine[None, None, None]]
    ) -> None:
        """Have ``meet`` serve each client, until cancelled.

        A socket that others remove, as logind does with a user's runtime folder at the last logout, is made again.
        """

        def begin(incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> None:
            task = asyncio.create_task(meet(incoming, outgoing))
            self._clients.add(task)
            task.add_done_callback(self._clients.discard)

        while True:
            server = await asyncio.start_unix_server(begin, sock=self._listening)
            try:
                while not self._bound_again():
                    await asyncio.sleep(WATCH_SECONDS)
            finally:
                server.close()

    def close(self) -> None:
        """Close it and take it away, unless another program's lies there by now."""
        self._listening.close()
        with suppress(OSError):
            if self.path.lstat().st_ino == self._inode:
                self.path.unlink()

    def _bind(self) -> None:
        """Make the socket and its folder. Raises `OSError`."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            listening.bind(str(self.path))
            self.path.chmod(_MODE)  # nobody can connect before it listens
            listening.listen(64)
            listening.setblocking(False)
            self._inode = self.path.lstat().st_ino
        except OSError:
            listening.close()
            raise
        self._listening = listening

    def _bound_again(self) -> bool:
        """Make the socket again where nothing is at its path any more; True when that was done."""
        if os.path.lexists(self.path):
            return False
        with suppress(OSError):
            self._bind()
            return True
        return False


def _clear(path: Path, taken: str, elsewhere: str) -> None:
    """Make way for a socket."""
    try:
        kind = path.lstat().st_mode
    except FileNotFoundError:
        return
    if not stat.S_ISSOCK(kind):
        raise SocketError(f"{path}: there is something that is no socket", elsewhere)
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(1.0)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink()
            return
    raise TakenError(f"{path}: {taken}", f"end it, or {elsewhere}")


class LineCutter:
    """Cuts bytes into lines; None stands for a line that is too long, whose bytes are passed over."""

    def __init__(self) -> None:
        self._rest = b""
        self._too_long = False

    def feed(self, data: bytes) -> list[bytes | None]:
        """The lines that end in ``data``, without their ends; blank ones are left out."""
        found: list[bytes | None] = []
        *lines, rest = (self._rest + data).split(b"\n")
        for line in lines:
            if self._too_long:
                self._too_long = False
            elif len(line) > LONGEST_LINE:
                found.append(None)
            elif line.strip():
                found.append(line)
        if len(rest) > LONGEST_LINE:
            if not self._too_long:
                found.append(None)
            rest, self._too_long = b"", True
        self._rest = rest
        return found
