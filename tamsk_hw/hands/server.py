"""The socket of a simulated board, at which clients have hands, eyes, or are the panel (docs/simulate.md).

It runs in the loop that runs the board, so that every request meets one world at one time. A client that does not
read costs nothing: observations for which it has no room are left out.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tamsk_hw.errors import HandsError, refuse
from tamsk_hw.forms import to_json
from tamsk_hw.hands.actions import HandAction, HandledBoard, read_action
from tamsk_hw.hands.observation import Observation
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.world import PressKind
from tamsk_hw.system.line_server import LineServer, RequestId, ServedClient
from tamsk_hw.system.sockets import encoded

#: World's seconds between two looks that are sent.
LOOK_SECONDS: Final = 0.05

#: The most clients at a time, and the most requests of one that wait for hands.
MOST_CLIENTS: Final = 64
MOST_REQUESTS: Final = 50


def hands_socket(path: Path) -> LineServer:
    """The socket at ``path``, bound before there is a board: two programs never share a place.

    Raises:
        SocketError: see `LineServer`.
    """
    return LineServer(
        path, MOST_CLIENTS, taken="another simulated board is there", elsewhere="name another place with --hands"
    )


class HandsServer:
    """The clients of one board's hands. All methods belong to one thread, with a running event loop."""

    def __init__(self, socket: LineServer, hands: HandledBoard, greeting: Callable[[], dict[str, Any]]) -> None:
        """Serve at ``socket``, which its owner closes; ``greeting`` gives the first line of a connection."""
        self.hands = hands
        self.greeting = greeting
        self.panel: HandsClient | None = None
        self.look: Observation | None = None
        """The newest observation for those that watch."""
        self.look_line = b""
        self._socket = socket
        self.watching: set[HandsClient] = set()
        """The clients that are sent observations."""
        self._pending: list[tuple[float, int, HandsClient, RequestId]] = []
        self._asked = 0
        self._due = float("-inf")
        self._buttons: frozenset[ButtonName] = frozenset()

    async def start(self) -> None:
        """Begin to take clients."""
        self._serving = asyncio.create_task(
            self._socket.serve(lambda incoming, outgoing: HandsClient(self, incoming, outgoing))
        )

    async def close(self) -> None:
        """Answer what is under way, and disconnect everybody."""
        self._serving.cancel()
        with suppress(asyncio.CancelledError):
            await self._serving
        for _, _, client, id in self._pending:
            client.answer({"re": id, "refused": "the simulated board ends"})
        await self._socket.farewell()

    def publish(self) -> None:
        """The world has run on: answer finished requests, and send a changed world to those that watch."""
        now = self.hands.world.now
        while self._pending and self._pending[0][0] <= now:
            _, _, client, id = heapq.heappop(self._pending)
            client.waiting -= 1
            client.answer({"re": id, "done": round(now, 3)})
        down = frozenset(filter(self.hands.world.is_down, ButtonName))
        if down != self._buttons:
            self._buttons = down
            if self.panel is not None:
                self.send_buttons(self.panel)
        if not self.watching or now < self._due:
            return
        self._due = now + LOOK_SECONDS
        look = self.hands.observe()
        if look != self.look:
            self.look, self.look_line = look, encoded({"look": to_json(look)})
        for client in self.watching:
            client.news.set()

    def send_buttons(self, client: HandsClient) -> None:
        """Tell a panel which buttons are down."""
        client.answer({"buttons": [button.value for button in ButtonName if button in self._buttons]})

    def watch(self, client: HandsClient) -> None:
        """Send a client the world now and at every change."""
        self.watching.add(client)
        self.look, self._due = None, float("-inf")  # an old one may be out of date

    def expect(self, client: HandsClient, id: RequestId, done: float) -> None:
        """Answer a request at ``done``, by the world's time."""
        self._asked += 1
        client.waiting += 1
        heapq.heappush(self._pending, (done, self._asked, client, id))

    def forget(self, client: HandsClient) -> None:
        """A client has gone: a glass in a player's hand stays there, a button that it held goes up."""
        self.watching.discard(client)
        self._pending = [each for each in self._pending if each[2] is not client]
        heapq.heapify(self._pending)
        for button in client.holding:
            self.hands.world.let_go(button)
        if self.panel is client:
            self.panel = None
            self.hands.lights = None


class HandsClient(ServedClient):
    """One connection."""

    requests = "do, look, watch or panel"

    def __init__(
        self, server: HandsServer, incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter
    ) -> None:
        super().__init__(incoming, outgoing)
        self.waiting = 0
        """Its requests that hands are at."""
        self.holding: set[ButtonName] = set()
        self._server = server
        self._shown: Observation | None = None

    def greeting(self) -> dict[str, Any]:
        """The board's."""
        return self._server.greeting()

    def next_lines(self) -> tuple[list[bytes], float | None]:
        """Answers, and the world as it is now if it has changed."""
        lines, look = [self.taken_answers()], self._server.look
        if self in self._server.watching and look is not None and look != self._shown:
            self._shown = look
            lines.append(self._server.look_line)
        return lines, None

    def on_gone(self) -> None:
        """Let go of what it held."""
        self._server.forget(self)

    def on_request(self, id: RequestId, record: dict[str, Any]) -> None:
        """Have hands do something, look, watch, or be the panel."""
        server, hands = self._server, self._server.hands
        record.pop("id", None)
        match record:
            case {"do": name, **values}:
                self._act(id, read_action(name, values))
            case {"look": True, **rest} if not rest:
                self.answer({"re": id, "look": to_json(hands.observe())})
            case {"watch": bool(on), **rest} if not rest:
                self._shown = None
                if on:
                    server.watch(self)
                else:
                    server.watching.discard(self)
                self.answer({"re": id, "done": round(hands.world.now, 3)})
            case {"panel": str(lights), **rest} if not rest:
                self._show(lights)
            case _:
                allowed = 'do with its keys, "look": true, "watch": true or false, or "panel": "…"'
                raise refuse("line", "the line", record, allowed)

    def _act(self, id: RequestId, action: HandAction) -> None:
        if self.waiting >= MOST_REQUESTS:
            raise HandsError(f"{MOST_REQUESTS} requests wait for hands; wait for one before the next")
        done = self._server.hands.begin(action)
        match action:
            case HandAction("press", {"button": button, "press": PressKind.DOWN}):
                self.holding.add(button)
            case HandAction("press", {"button": button, "press": PressKind.UP}):
                self.holding.discard(button)
        self._server.expect(self, id, done)

    def _show(self, lights: str) -> None:
        """Show three bytes a pixel, as hexadecimal digits; the first to do so is the panel from now on."""
        server = self._server
        try:
            picture = bytes.fromhex(lights)
        except ValueError:
            raise refuse("line", "panel", lights, "three bytes a pixel, as hexadecimal digits") from None
        if server.panel not in (None, self):
            raise HandsError("another program has this board's buttons and lights")
        server.hands.show(picture)
        if server.panel is None:
            server.panel = self
            server.send_buttons(self)
