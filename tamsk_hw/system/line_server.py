"""A server of JSON Lines on a Unix socket: how it listens, and how each client is served at its own pace."""

from __future__ import annotations

import asyncio
import json
import os
import select
import socket
import stat
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Any, ClassVar, Final, cast

from tamsk_hw.errors import SocketError, StreamError, TamskError, printable, refuse
from tamsk_hw.system.sockets import encoded

#: The most bytes of a line that a client sends.
LONGEST_LINE: Final = 64 * 1024

#: Real seconds between two looks whether a socket is still at its path.
WATCH_SECONDS: Final = 1.0

#: Real seconds between two looks whether a client that sends no more still reads.
LOOK_SECONDS: Final = 1.0

#: Real seconds that the end of a server waits for its clients.
FAREWELL: Final = 1.0

#: Bytes of a client's lines that wait here, beside those in the kernel, before it gets no newer ones.
MOST_WAITING: Final = 64 * 1024

#: Bytes of answers for which a client that does not read them is disconnected.
MOST_ANSWERS: Final = 1 << 20

#: The most characters of a request's own id.
MOST_ID: Final = 200

#: The name that the sender of a request gives it: a text, a whole number, or nothing.
RequestId = str | int | None

#: Owner and group may write, so act; nobody else.
_MODE: Final = 0o660


class TakenError(SocketError):
    """Another program serves there."""


class LineServer:
    """A listening socket at ``path`` and its clients; a socket that a program left behind is replaced."""

    def __init__(self, path: Path, most: int, *, taken: str, elsewhere: str) -> None:
        """Bind it, for at most ``most`` clients at a time.

        ``taken``: what another program there does, for the error; ``elsewhere``: the advice to name another place.

        Raises:
            TakenError: another program answers there.
            SocketError: something else lies there, or the socket cannot be made.
        """
        self.path = path
        self.most = most
        self.clients: set[ServedClient] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closing = False
        try:
            _clear(path, taken, elsewhere)
            self._bind()
        except OSError as error:
            raise SocketError(f"{path}: {error.strerror or error}", elsewhere) from None

    async def serve(self, meet: Callable[[asyncio.StreamReader, asyncio.StreamWriter], ServedClient]) -> None:
        """Serve clients, each made by ``meet``, until cancelled.

        A socket that others remove, as logind does with a user's runtime folder at the last logout, is made again.
        """

        def begin(incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> None:
            if self._is_closing or len(self.clients) >= self.most:
                outgoing.close()
                return
            client = meet(incoming, outgoing)
            self.clients.add(client)
            task = asyncio.create_task(self._attend(client))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

        while True:
            server = await asyncio.start_unix_server(begin, sock=self._listening, limit=LONGEST_LINE)
            try:
                while not self._bound_again():
                    await asyncio.sleep(WATCH_SECONDS)
            finally:
                server.close()

    async def farewell(self) -> None:
        """Send every client what there is for it, for at most `FAREWELL` seconds, and disconnect it."""
        self._is_closing = True
        for client in self.clients:
            client.leave()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=FAREWELL)
        for client in self.clients:
            client.abort()

    def close(self) -> None:
        """Close it and take it away, unless another program's lies there by now."""
        self._listening.close()
        with suppress(OSError):
            if self.path.lstat().st_ino == self._inode:
                self.path.unlink()

    async def _attend(self, client: ServedClient) -> None:
        try:
            await client.serve()
        finally:
            self.clients.discard(client)
            client.on_gone()

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


class ServedClient:
    """One connection of a `LineServer`; it reads at its own pace, from a small buffer here and the kernel's.

    A server's own class gives its lines, and answers its requests.
    """

    patience: ClassVar[float | None] = None
    """Real seconds after which a client that takes nothing is disconnected; None: never."""

    requests: ClassVar[str]
    """The requests that are allowed, for messages."""

    def __init__(self, incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> None:
        self.news = asyncio.Event()
        """There may be something new to be sent."""
        self.has_spoken = False
        """The client has sent a line, or closed its side."""
        self.is_leaving = False
        self._answers = bytearray()
        self._incoming = incoming
        self._outgoing = outgoing
        outgoing.transport.set_write_buffer_limits(high=MOST_WAITING)

    def greeting(self) -> Mapping[str, Any]:
        """The first line."""
        raise NotImplementedError

    def next_lines(self) -> tuple[list[bytes], float | None]:
        """The lines to be sent now, and the seconds until the next ones are due.

        0 is at once, None as soon as there is news. A client that is leaving is sent everything.
        """
        raise NotImplementedError

    def on_request(self, id: RequestId, record: dict[str, Any]) -> None:
        """A request whose ``id`` is allowed. Raises `TamskError` for one that is refused."""
        raise NotImplementedError

    def on_gone(self) -> None:
        """The connection has ended."""

    def answer(self, record: Mapping[str, Any]) -> None:
        """Send this line with the next `taken_answers`."""
        self._answers += encoded(record)
        self.news.set()
        if len(self._answers) > MOST_ANSWERS:
            self.abort()

    def taken_answers(self) -> bytes:
        """The answers since the last call."""
        answers = bytes(self._answers)
        self._answers.clear()
        return answers

    def leave(self) -> None:
        """Send what there is and disconnect: the server ends."""
        self.is_leaving = True
        self.news.set()

    def abort(self) -> None:
        """Cut the connection."""
        self._outgoing.transport.abort()

    async def serve(self) -> None:
        """Talk until one side has gone."""
        hearing = asyncio.create_task(self._hear())
        try:
            await self._tell()
        except (OSError, TimeoutError):  # it has gone, or does not read
            pass
        finally:
            self.abort()
            hearing.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await hearing

    async def _tell(self) -> None:
        """Send the greeting and what is new."""
        await self._write([encoded(self.greeting())])
        while not self._outgoing.is_closing():
            self.news.clear()
            is_leaving = self.is_leaving  # as it is now: what is new while this round sends is for the next one
            lines, wait = self.next_lines()
            await self._write(lines)
            if is_leaving and wait != 0:
                break
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self.news.wait()
        self._outgoing.close()
        async with asyncio.timeout(FAREWELL):
            await self._outgoing.wait_closed()

    async def _write(self, lines: list[bytes]) -> None:
        """Send, and wait until all but a little has been taken. Raises `TimeoutError` when nobody reads."""
        self._outgoing.write(b"".join(lines))  # not writelines, which from Python 3.12 on fails when it has gone
        async with asyncio.timeout(self.patience):
            await self._outgoing.drain()

    async def _hear(self) -> None:
        """Read the client's lines, and notice when it goes, also while there is nothing to send to it."""
        with suppress(OSError):  # gone, with something unread
            async for line in cut_lines(self._incoming):
                self._on_line(line)
        self.has_spoken = True
        self.news.set()
        # A client may half-close and keep reading; it is gone when both directions are closed.
        with suppress(ValueError):  # its socket is closed
            look = select.poll()
            look.register(self._outgoing.get_extra_info("socket"), 0)
            while not (self._outgoing.is_closing() or look.poll(0)):
                await asyncio.sleep(LOOK_SECONDS)
        self.abort()
        self.news.set()

    def _on_line(self, line: bytes | None) -> None:
        id: RequestId = None
        try:
            record = self._object(line)
            id = _request_id(record.get("id"))
            self.on_request(id, record)
        except TamskError as error:
            self.answer({"re": id, "refused": printable(str(error))})
        self.has_spoken = True
        self.news.set()

    def _object(self, line: bytes | None) -> dict[str, Any]:
        if line is None:
            raise StreamError(f"line: longer than {LONGEST_LINE} bytes; allowed: one JSON object a line")
        try:
            record = json.loads(line.decode())
        except (ValueError, RecursionError):
            raise StreamError("line: no JSON; allowed: one JSON object a line, in UTF-8") from None
        if not isinstance(record, dict):
            raise refuse("line", "the line", record, f"an object with {self.requests}")
        return record


def _request_id(value: Any) -> RequestId:
    is_number = isinstance(value, int) and not isinstance(value, bool)
    if value is None or is_number or (isinstance(value, str) and len(value) <= MOST_ID):
        return cast(RequestId, value)
    raise refuse("line", "id", value, f"a text of at most {MOST_ID} characters, or a whole number")


async def cut_lines(incoming: asyncio.StreamReader) -> AsyncIterator[bytes | None]:
    """The lines of a client, without their ends and blank ones; None for one that is longer than its limit."""
    is_passed_over = False
    while True:
        try:
            line = await incoming.readuntil()
        except asyncio.IncompleteReadError:
            return
        except asyncio.LimitOverrunError as error:
            await incoming.readexactly(error.consumed)
            if not is_passed_over:
                yield None
            is_passed_over = True
        else:
            if not is_passed_over and line.strip():
                yield line[:-1]
            is_passed_over = False
