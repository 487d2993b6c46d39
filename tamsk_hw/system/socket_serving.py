"""Unix stream sockets that carry lines: a listening one at a path, and bytes cut into lines of bounded length."""

from __future__ import annotations

import asyncio
import os
import socket
import stat
from collections.abc import Callable, Coroutine
from contextlib import suppress
from pathlib import Path
from typing import Final

from tamsk_hw.errors import SocketError

#: The most bytes of a line that a client sends.
MOST_BYTES: Final = 64 * 1024

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
            elif len(line) > MOST_BYTES:
                found.append(None)
            elif line.strip():
                found.append(line)
        if len(rest) > MOST_BYTES:
            if not self._too_long:
                found.append(None)
            rest, self._too_long = b"", True
        self._rest = rest
        return found
