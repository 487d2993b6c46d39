"""The socket on which the live stream is published (docs/live.md).

All of it runs in a thread of its own: the loop that referees appends a line and goes on. Readers read at their own
pace from the lines that are kept. Slow readers are disconnected.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from contextvars import copy_context
from pathlib import Path
from threading import Event, Thread
from typing import Any, Final

from tamsk_hw.errors import StreamError
from tamsk_hw.forms import to_json
from tamsk_hw.journal.changes import Changed
from tamsk_hw.live.requests import REQUESTS, Command, ImportPiece, Since, Uploads, read_request
from tamsk_hw.live.stream import LiveStream, TableState, state_as_dict
from tamsk_hw.panel.keys import Rejection
from tamsk_hw.system.line_server import FAREWELL, LineServer, RequestId, ServedClient
from tamsk_hw.system.sockets import encoded
from tamsk_hw.words.translating import worded

#: Real seconds for which a new reader may say what it has already, before it gets what is new.
GRACE: Final = 0.1

#: Real seconds between two states while nothing is ruled.
STATE_SECONDS: Final = 0.1

#: The most readers at a time, and the most requests of one that wait.
MOST_READERS: Final = 256
MOST_REQUESTS: Final = 50


class PendingRequest:
    """A command of a reader, and the way to answer it, once."""

    def __init__(self, id: RequestId, command: Command, send: Callable[[dict[str, Any]], None]) -> None:
        self.command = command
        self._id = id
        self._send = send

    def done(self, seq: int, outcome: Changed | None = None) -> None:
        """It is done; ``seq`` is the line that came of it, or for a change of the journal the newest."""
        more = {} if outcome is None else to_json(outcome)
        self._send({"re": self._id, "done": seq, **more})

    def refused(self, reason: str) -> None:
        """It is refused, and nothing has changed."""
        self._send({"re": self._id, "refused": reason})

    def hindered(self, why: Rejection) -> None:
        """It is refused for a reason that readers may word themselves, and nothing has changed."""
        self._send({"re": self._id, "refused": worded(why.sentence), "why": why.value})


class LiveServer:
    """The stream's readers, served by a thread. The methods are for the thread of the loop."""

    def __init__(self, path: Path, stream: LiveStream, wake: Callable[[], None]) -> None:
        """Begin to listen at ``path``; ``wake`` is called in the server's thread when somebody asks for something.

        Raises:
            SocketError: see `LineServer`.
        """
        self.path = path
        self.stream = stream
        self.state: TableState | None = None
        """The newest state of the current game; None before its first."""
        self.uploads = Uploads()
        self._wake = wake
        self._socket = LineServer(
            path, MOST_READERS, taken="another service publishes there", elsewhere="name another place with --live"
        )
        self._asked: deque[PendingRequest] = deque()
        self._is_up = Event()
        in_context = copy_context()  # so that it speaks the service's language
        self._thread = Thread(target=lambda: in_context.run(self._run), name="live", daemon=True)
        self._thread.start()
        self._is_up.wait()

    def tell(self, state: TableState) -> None:
        """Send what is new; the state is this from now on."""
        self.state = state
        if self._socket.clients:
            self._call(self._tell)

    def take(self) -> list[PendingRequest]:
        """The requests since the last call."""
        taken = []
        while self._asked:
            taken.append(self._asked.popleft())
        return taken

    def close(self) -> None:
        """Send what there is, for a moment, and take the socket away."""
        self._call(self._ended.set)
        self._thread.join(2 * FAREWELL)
        self._socket.close()

    # The rest runs in the thread.

    def ask(self, id: RequestId, command: Command, reader: _LiveReader) -> None:
        """Have the loop carry out a command of ``reader``."""
        self._asked.append(
            PendingRequest(id, command, lambda answer: self._call(lambda: reader.answer_command(answer)))
        )
        self._wake()

    def _call(self, what: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the thread has ended
            self._loop.call_soon_threadsafe(what)

    def _run(self) -> None:
        with asyncio.Runner() as runner:
            self._loop = runner.get_loop()
            runner.run(self._serve())

    async def _serve(self) -> None:
        self._ended = asyncio.Event()
        serving = asyncio.create_task(
            self._socket.serve(lambda incoming, outgoing: _LiveReader(self, incoming, outgoing))
        )
        self._is_up.set()
        await self._ended.wait()
        serving.cancel()
        await self._socket.farewell()

    def _tell(self) -> None:
        for reader in self._socket.clients:
            reader.news.set()


class _LiveReader(ServedClient):
    """One connection."""

    patience = 10.0
    requests = REQUESTS

    def __init__(self, server: LiveServer, incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> None:
        super().__init__(incoming, outgoing)
        self._server = server
        self._seq = server.stream.newest
        self._pending = 0
        self._since: Since | None = None
        self._shown: TableState | None = None
        self._due = float("-inf")
        self._clock = asyncio.get_running_loop().time
        self._grace = self._clock() + GRACE

    def greeting(self) -> dict[str, Any]:
        """The stream's, with the number after which its lines begin unless older ones are asked for."""
        return self._server.stream.greeting.as_dict(self._seq)

    def next_lines(self) -> tuple[list[bytes], float | None]:
        """The next numbered lines; after the last of them the answers, and the state when it is due."""
        stream, now = self._server.stream, self._clock()
        if now < self._grace and not (self.has_spoken or self.is_leaving):
            return [], self._grace - now
        if self._since is not None:
            self._seq = stream.begin(self._since.seq, self._since.life)
            self._since, self._shown, self._due = None, None, float("-inf")
        if lines := stream.after(self._seq):
            if self._seq < stream.game_seq:
                self._shown = None  # a game has a state of its own, also where it looks as the last one did
            self._seq = lines[-1][0]
            self._due = float("-inf")  # what is new since then is shown at once
            return [data for _, data in lines], 0
        found = [self.taken_answers()]
        state, wait = self._server.state, None
        if state is not None and state.is_news_after(self._shown):
            wait = self._due - now
            if wait <= 0 or self.is_leaving:
                found.append(encoded({"state": state_as_dict(state)}))
                self._shown, self._due, wait = state, now + STATE_SECONDS, None
        return found, wait

    def on_request(self, id: RequestId, record: dict[str, Any]) -> None:
        """Have a command carried out, or begin to send from another number on."""
        request = read_request(record)
        if isinstance(request, Since):
            self._since = request
            return
        if isinstance(request, ImportPiece):
            stream = self._server.uploads.add(self, request)
            if stream is None:
                self.answer({"re": id, "done": self._server.stream.newest})
                return
            request = stream
        if self._pending >= MOST_REQUESTS:
            raise StreamError(f"{MOST_REQUESTS} requests wait for an answer; wait for one before the next")
        self._pending += 1
        self._server.ask(id, request, self)

    def answer_command(self, answer: dict[str, Any]) -> None:
        """Answer a command that was asked for."""
        self._pending -= 1
        self.answer(answer)

    def on_gone(self) -> None:
        """Forget the stream that it was handing over."""
        self._server.uploads.drop(self)
