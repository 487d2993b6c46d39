"""Unix stream sockets that carry lines: a listening one at a path, and bytes cut into lines of bounded length."""

from __future__ import annotations

import os
import socket
import stat
from contextlib import suppress
from pathlib import Path
from typing import Final

from tamsk_hw.errors import SocketError

#: The most bytes of a line that a client sends.
MOST_BYTES: Final = 64 * 1024

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
        self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            _clear(path, taken, elsewhere)
            before = os.umask(0o777 & ~_MODE)
            try:
                self.listening.bind(str(path))
            finally:
                os.umask(before)
            self.listening.listen(64)
            self.listening.setblocking(False)
            self._inode = path.lstat().st_ino
        except OSError as error:
            self.listening.close()
            raise SocketError(f"{path}: {error.strerror or error}", elsewhere) from None
        except SocketError:
            self.listening.close()
            raise

    def close(self) -> None:
        """Close it and take it away, unless another program's lies there by now."""
        self.listening.close()
        with suppress(OSError):
            if self.path.lstat().st_ino == self._inode:
                self.path.unlink()


def _clear(path: Path, taken: str, elsewhere: str) -> None:
    """Make way for a socket."""
    try:
        kind = path.lstat().st_mode
    except FileNotFoundError:
        path.parent.mkdir(parents=True, exist_ok=True)
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
