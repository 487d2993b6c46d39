"""The socket of a simulated board, at which clients have hands, eyes, or are the panel (docs/simulate.md).

It runs in the loop that runs the board, so that every request meets one world at one time. A client that does not
read costs nothing: observations for which it has no room are left out; one whose answers pile up is disconnected.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tamsk_hw.errors import HandsError, TamskError
from tamsk_hw.forms import to_json
from tamsk_hw.hands.actions import (
    Act,
    HandAction,
    HandledBoard,
    HandsRequest,
    HandsRequestError,
    LookOnce,
    PanelLights,
    RequestId,
    Watch,
    read_request,
)
from tamsk_hw.hands.observation import Observation
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.world import PressKind
from tamsk_hw.system.sockets import LONGEST_LINE, BoundSocket, LineCutter, encoded

#: World's seconds between two looks that are sent.
LOOK_SECONDS: Final = 0.05

#: The most clients at a time, and the most requests of one that wait for hands.
MOST_CLIENTS: Final = 64
MOST_REQUESTS: Final = 50

#: Bytes that wait for a client: above the first it gets no observations, above the second it is disconnected.
NO_LOOKS, MOST_WAITING = 64 * 1024, 1024 * 1024


class HandsSocket(BoundSocket):
    """The socket at ``path``, bound before there is a board: two programs never share a place."""

    def __init__(self, path: Path) -> None:
        """Bind it; raises what `BoundSocket` does."""
        super().__init__(
            path, taken="another simulated board is there", elsewhere="name another place with --hands"
        )


class HandsServer:
    """The clients of one board's hands. All methods belong to one thread, with a running event loop."""

    def __init__(self, socket: HandsSocket, hands: HandledBoard, greeting: Callable[[], dict[str, Any]]) -> None:
        """Serve at ``socket``, which its owner closes; ``greeting`` gives the first line of a connection."""
        self.hands = hands
        self.greeting = greeting
        self.panel: HandsClient | None = None
        self._socket = socket
        self._clients: set[HandsClient] = set()
        self._pending: list[tuple[float, int, HandsClient, RequestId]] = []
        self._asked = 0
        self._due = float("-inf")
        self._buttons: frozenset[ButtonName] = frozenset()

    async def start(self) -> None:
        """Begin to take clients."""
        self._serving = asyncio.create_task(self._socket.serve(self._meet))

    async def close(self) -> None:
        """Answer what is under way, and disconnect everybody."""
        self._serving.cancel()
        with suppress(asyncio.CancelledError):
            await self._serving
        for _, _, client, id in self._pending:
            client.send({"re": id, "refused": "the simulated board ends"})
        for client in list(self._clients):
            await client.leave()

    def publish(self) -> None:
        """The world has run on: answer finished requests, and send a changed world to those that watch."""
        now = self.hands.world.now
        while self._pending and self._pending[0][0] <= now:
            _, _, client, id = heapq.heappop(self._pending)
            client.waiting -= 1
            client.send({"re": id, "done": round(now, 3)})
        if self.hands.buttons != self._buttons:
            self._buttons = self.hands.buttons
            if self.panel is not None:
                self.send_buttons(self.panel)
        watching = [client for client in self._clients if client.watches]
        if not watching or now < self._due:
            return
        look = self.hands.observe()
        self._due = now + LOOK_SECONDS
        data = None
        for client in watching:
            if client.needs(look):
                data = data or encoded({"look": to_json(look)})
                client.show(look, data)

    def send_buttons(self, client: HandsClient) -> None:
        """Tell a panel which buttons are down."""
        client.send({"buttons": [button.value for button in ButtonName if button in self._buttons]})

    def expect(self, client: HandsClient, id: RequestId, done: float) -> None:
        """Answer a request at ``done``, by the world's time."""
        self._asked += 1
        client.waiting += 1
        heapq.heappush(self._pending, (done, self._asked, client, id))

    async def _meet(self, incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> None:
        if len(self._clients) >= MOST_CLIENTS:
            outgoing.close()
            return
        client = HandsClient(self, outgoing)
        self._clients.add(client)
        try:
            client.send(self.greeting())
            cutter = LineCutter()
            while data := await incoming.read(LONGEST_LINE):
                for line in cutter.feed(data):
                    client.feed(line)
        except OSError:
            pass
        finally:
            self._forget(client)
            outgoing.transport.abort()

    def _forget(self, client: HandsClient) -> None:
        """A client has gone: a glass in a player's hand stays there, a button that it held goes up."""
        self._clients.discard(client)
        self._pending = [each for each in self._pending if each[2] is not client]
        heapq.heapify(self._pending)
        for button in client.holding:
            self.hands.world.let_go(button)
        if self.panel is client:
            self.panel = None
            self.hands.lights = None


class HandsClient:
    """One connection."""

    def __init__(self, server: HandsServer, outgoing: asyncio.StreamWriter) -> None:
        self.watches = False
        self.waiting = 0
        """Its requests that hands are at."""
        self.holding: set[ButtonName] = set()
        self._server = server
        self._outgoing = outgoing
        self._shown: Observation | None = None

    def send(self, record: dict[str, Any]) -> None:
        """Send a line."""
        self._write(encoded(record))

    def _write(self, data: bytes) -> None:
        transport = self._outgoing.transport
        if transport.is_closing():
            return
        if transport.get_write_buffer_size() > MOST_WAITING:
            transport.abort()
            return
        self._outgoing.write(data)

    def needs(self, look: Observation) -> bool:
        """The client has not had this, and has room for it."""
        return look != self._shown and self._outgoing.transport.get_write_buffer_size() <= NO_LOOKS

    def show(self, look: Observation, data: bytes) -> None:
        """Send the world."""
        self._shown = look
        self._write(data)

    async def leave(self) -> None:
        """Send what there is, and end."""
        self._outgoing.close()
        with suppress(OSError, TimeoutError):
            async with asyncio.timeout(0.5):
                await self._outgoing.wait_closed()
        self._outgoing.transport.abort()

    def feed(self, line: bytes | None) -> None:
        """Answer a line; None for one that was too long."""
        if line is None:
            self.send(
                {"re": None, "refused": f"line: longer than {LONGEST_LINE} bytes; allowed: one JSON object a line"}
            )
            return
        try:
            request = read_request(line)
        except HandsRequestError as error:
            self.send({"re": error.id, "refused": str(error)})
            return
        try:
            self._answer(request)
        except TamskError as error:
            self.send({"re": request.id, "refused": " ".join(str(error).split())})

    def _answer(self, request: HandsRequest) -> None:
        server, hands = self._server, self._server.hands
        match request:
            case Act(id, action):
                if self.waiting >= MOST_REQUESTS:
                    raise HandsError(f"{MOST_REQUESTS} requests wait for hands; wait for one before the next")
                done = hands.begin(action)
                match action:
                    case HandAction("press", {"button": button, "press": PressKind.DOWN}):
                        self.holding.add(button)
                    case HandAction("press", {"button": button, "press": PressKind.UP}):
                        self.holding.discard(button)
                server.expect(self, id, done)
            case LookOnce(id):
                self.send({"re": id, "look": to_json(hands.observe())})
            case Watch(id, on):
                self.watches, self._shown = on, None
                self.send({"re": id, "done": round(hands.world.now, 3)})
            case PanelLights(id, picture):
                if server.panel not in (None, self):
                    raise HandsError("another program has this board's buttons and lights")
                hands.show(picture)
                if server.panel is None:
                    server.panel = self
                    server.send_buttons(self)
