"""The socket on which the live stream is published (docs/live.md).

All of it runs in a thread of its own: the loop that referees appends a line and goes on. A reader has no buffer of
his own but the kernel's and a small one here; he reads at his own pace from the lines that are kept. One who takes
nothing for `PATIENCE` is disconnected.
"""

from __future__ import annotations

import asyncio
import select
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from threading import Event, Thread
from typing import Final

from tamsk_hw.errors import StreamError
from tamsk_hw.forms import to_json
from tamsk_hw.journal.changes import Changed
from tamsk_hw.live.requests import (
    HandOver,
    Identifier,
    ImportRoom,
    ImportStream,
    Request,
    RequestError,
    Since,
    Upload,
    read_request,
)
from tamsk_hw.live.state import TableState, state_as_dict
from tamsk_hw.live.stream import LiveStream
from tamsk_hw.panel.keys import Rejection
from tamsk_hw.system.sockets import LONGEST_LINE, BoundSocket, LineCutter, encoded
from tamsk_hw.words.translating import worded

#: Real seconds for which a new reader may say what he has already, before he gets what is new.
GRACE: Final = 0.1

#: Real seconds for which a reader may take nothing.
PATIENCE: Final = 10.0

#: Real seconds that the end of the service waits for readers.
FAREWELL: Final = 1.0

#: Real seconds between two states while nothing is ruled.
STATE_SECONDS: Final = 0.1

#: Real seconds between two looks whether one who says no more still reads.
LOOK_SECONDS: Final = 1.0

#: The most readers at a time, the most requests of one that wait, and the most bytes that wait for one.
MOST_READERS: Final = 256
MOST_REQUESTS: Final = 50
MOST_WAITING: Final = 64 * 1024


class PendingRequest:
    """A request, and the way to answer it, once."""

    def __init__(self, request: Request, send: Callable[[bytes], None]) -> None:
        self.request = request
        self._send = send

    def done(self, seq: int, outcome: Changed | None = None) -> None:
        """It is done; ``seq`` is the line that came of it, or for a change of the journal the newest."""
        more = {} if outcome is None else to_json(outcome)
        self._send(encoded({"re": self.request.id, "done": seq, **more}))

    def refused(self, reason: str) -> None:
        """It is refused, and nothing has changed."""
        self._send(encoded({"re": self.request.id, "refused": reason}))

    def hindered(self, why: Rejection) -> None:
        """It is refused for a reason that readers may word themselves, and nothing has changed."""
        self._send(encoded({"re": self.request.id, "refused": worded(why.sentence), "why": why.value}))


class LiveServer:
    """The stream's readers, served by a thread. The methods are for the thread of the loop."""

    def __init__(self, path: Path, stream: LiveStream, wake: Callable[[], None]) -> None:
        """Begin to listen at ``path``; ``wake`` is called in the server's thread when somebody asks for something.

        Raises:
            SocketError: see `BoundSocket`.
        """
        self.path = path
        self._stream = stream
        self._wake = wake
        self._socket = BoundSocket(
            path, taken="another service publishes there", elsewhere="name another place with --live"
        )
        self._asked: deque[PendingRequest] = deque()
        self._state: TableState | None = None
        self._readers: set[_LiveReader] = set()
        self._import_room = ImportRoom()
        self._closing = False
        self._is_up = Event()
        in_context = copy_context()  # so that it speaks the service's language
        self._thread = Thread(target=lambda: in_context.run(self._run), name="live", daemon=True)
        self._thread.start()
        self._is_up.wait()

    def tell(self, state: TableState) -> None:
        """Send what is new; the state is this from now on."""
        self._state = state
        if self._readers:
            self._call(self._tell)

    def take(self) -> list[PendingRequest]:
        """The requests since the last call."""
        taken = []
        while self._asked:
            taken.append(self._asked.popleft())
        return taken

    def close(self) -> None:
        """Send what there is, for a moment, and take the socket away."""
        self._call(self._begin_farewell)
        self._thread.join(2 * FAREWELL)
        self._socket.close()

    # The rest runs in the thread.

    def _call(self, what: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the thread has ended
            self._loop.call_soon_threadsafe(what)

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            self._loop = runner.get_loop()
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._ended = asyncio.Event()
        serving = asyncio.create_task(self._socket.serve(self._meet))
        self._is_up.set()
        await self._ended.wait()
        serving.cancel()
        for reader in list(self._readers):
            reader.leave()
        with suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                while self._readers:
                    await asyncio.sleep(0.01)
        for reader in list(self._readers):
            reader.abort()

    def _begin_farewell(self) -> None:
        self._closing = True
        self._ended.set()

    def _tell(self) -> None:
        for reader in self._readers:
            reader.news.set()

    async def _meet(self, incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> None:
        if len(self._readers) >= MOST_READERS or self._closing:
            outgoing.close()
            return
        upload = Upload(self._import_room)
        reader = _LiveReader(self._stream, incoming, outgoing, lambda: self._state, self._ask, upload)
        self._readers.add(reader)
        try:
            await reader.serve()
        except (OSError, TimeoutError):
            pass
        finally:
            self._readers.discard(reader)
            reader.abort()
            upload.drop()

    def _ask(self, request: Request, reader: _LiveReader) -> None:
        def send(answer: bytes) -> None:
            self._call(lambda: reader.answer(answer))

        self._asked.append(PendingRequest(request, send))
        self._wake()


class _LiveReader:
    """One connection."""

    def __init__(
        self,
        stream: LiveStream,
        incoming: asyncio.StreamReader,
        outgoing: asyncio.StreamWriter,
        state: Callable[[], TableState | None],
        ask: Callable[[Request, _LiveReader], None],
        upload: Upload,
    ) -> None:
        self.news = asyncio.Event()
        self._stream = stream
        self._incoming = incoming
        self._outgoing = outgoing
        self._state = state
        self._ask = ask
        self._upload = upload
        self._seq = stream.newest
        self._answers: deque[bytes] = deque()
        self._asked = 0
        self._since: Since | None = None
        self._said = asyncio.Event()
        self._leaving = False
        outgoing.transport.set_write_buffer_limits(high=MOST_WAITING)

    def answer(self, answer: bytes) -> None:
        """Send an answer to a request."""
        self._asked -= 1
        self._answers.append(answer)
        self.news.set()

    def leave(self) -> None:
        """Send what there is, the newest state last, and disconnect: the service ends."""
        self._leaving = True
        self._said.set()
        self.news.set()

    def abort(self) -> None:
        """Cut the connection."""
        self._outgoing.transport.abort()

    async def serve(self) -> None:
        """Talk until one side has gone."""
        hearing = asyncio.create_task(self._hear())
        try:
            await self._tell()
        finally:
            hearing.cancel()
            with suppress(asyncio.CancelledError, OSError):
                await hearing

    async def _tell(self) -> None:
        """Send the greeting, what was missed, and what is new."""
        await self._write([encoded(self._stream.greeting.as_dict(self._seq))])
        with suppress(TimeoutError):
            async with asyncio.timeout(GRACE):
                await self._said.wait()
        shown: TableState | None = None
        due = float("-inf")
        clock = asyncio.get_running_loop().time
        while not self._outgoing.is_closing():
            self.news.clear()
            leaving = self._leaving  # as it is now: what is new while this round sends is for the next one
            if self._since is not None:
                self._seq = self._stream.begin(self._since.seq, self._since.life)
                self._since, shown, due = None, None, float("-inf")
            if lines := self._stream.after(self._seq):
                self._seq = lines[-1][0]
                due = float("-inf")  # what is new since then is shown at once
                await self._write([data for _, data in lines])
                continue
            await self._write([self._answers.popleft() for _ in range(len(self._answers))])
            state, wait = self._state(), None
            if state is not None and state.is_news_after(shown):
                wait = due - clock()
                if wait <= 0 or leaving:
                    await self._write([encoded({"state": state_as_dict(state)})])
                    shown, due, wait = state, clock() + STATE_SECONDS, None
            if leaving:
                break
            with suppress(TimeoutError):
                async with asyncio.timeout(wait):
                    await self.news.wait()
        self._outgoing.close()
        async with asyncio.timeout(FAREWELL):
            await self._outgoing.wait_closed()

    async def _write(self, pieces: list[bytes]) -> None:
        """Send, and wait until all but a little has been taken.

        Raises:
            TimeoutError: nobody reads.
        """
        if not pieces:
            return
        self._outgoing.write(b"".join(pieces))  # not writelines, which from Python 3.12 on fails when he has gone
        async with asyncio.timeout(PATIENCE):
            await self._outgoing.drain()

    async def _hear(self) -> None:
        """Read the other side's lines, and see when it goes: where nothing is new, nothing else tells of it."""
        with suppress(OSError):  # gone, with something unread
            await self._take_lines()
        self._said.set()  # it says no more
        # He says no more, and may still read: only when both directions are closed has he gone.
        with suppress(ValueError):  # its socket is closed
            look = select.poll()
            look.register(self._outgoing.get_extra_info("socket"), 0)
            while not (self._outgoing.is_closing() or look.poll(0)):
                await asyncio.sleep(LOOK_SECONDS)
        self.abort()
        self.news.set()

    async def _take_lines(self) -> None:
        """Take the other side's lines until it says no more.

        Raises:
            OSError: it has gone.
        """
        cutter = LineCutter()
        while data := await self._incoming.read(LONGEST_LINE):
            for line in cutter.feed(data):
                if line is None:
                    self._refuse(None, f"line: longer than {LONGEST_LINE} bytes; allowed: one JSON object a line")
                else:
                    self._take(line)

    def _take(self, line: bytes) -> None:
        try:
            request = read_request(line)
            if isinstance(request, HandOver):
                stream = self._add(request)
                if stream is None:
                    return
                request = Request(request.id, stream)
        except RequestError as error:
            self._refuse(error.id, str(error))
            return
        if isinstance(request, Since):
            self._since = request
            self._said.set()
            self.news.set()
        elif self._asked >= MOST_REQUESTS:
            self._refuse(request.id, f"{MOST_REQUESTS} requests wait for an answer; wait for one before the next")
        else:
            self._asked += 1
            self._ask(request, self)
        self._said.set()

    def _add(self, handed: HandOver) -> ImportStream | None:
        """Take a piece of a stream, and answer it; give the stream when it is whole.

        Raises:
            RequestError: there is no room for it.
        """
        try:
            stream = self._upload.add(handed.piece)
        except StreamError as error:
            raise RequestError(error, handed.id) from None
        if stream is None:
            self._answers.append(encoded({"re": handed.id, "done": self._stream.newest}))
            self._said.set()
            self.news.set()
        return stream

    def _refuse(self, asker: Identifier, reason: str) -> None:
        self._answers.append(encoded({"re": asker, "refused": reason}))
        self._said.set()
        self.news.set()
