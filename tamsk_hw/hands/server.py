"""The server of the hands.

The socket of a simulated board: whoever speaks to it has hands there, eyes, or is the panel (docs/simulate.md).

It runs in the loop that runs the board, so that every request meets one world at one time. A client who does not
read costs nothing: looks that he has no room for are left out, and one who lets answers pile up is disconnected.

The service that referees at a simulated board, as the players by the program hear it and speak to it.
"""

from __future__ import annotations

import asyncio
import heapq
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tamsk_hw.errors import HandsError, JournalError, LiveError, SocketError, TamskError
from tamsk_hw.forms import to_json
from tamsk_hw.hands.acting import HandsAtBoard, Look, reason
from tamsk_hw.hands.players import Seated
from tamsk_hw.hands.requests import (
    AskerId,
    DoDeed,
    HandsRequestError,
    LookOnce,
    PanelLights,
    PressButton,
    PressKind,
    Watch,
    read_request,
)
from tamsk_hw.live.client import Absence, connect
from tamsk_hw.live.state import read_state
from tamsk_hw.partner.intention import seat_of
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.header import parse_header
from tamsk_hw.referee.rulings import parse_ruling
from tamsk_hw.simulator.truth import PushButton
from tamsk_hw.system.sockets import LONGEST_LINE, BoundSocket, LineCutter, encoded

#: World's seconds between two looks that are sent.
LOOK_SECONDS: Final = 0.05

#: The most clients at a time, and the most requests of one that wait for hands.
MOST_CLIENTS: Final = 64
MOST_REQUESTS: Final = 50

#: Bytes that wait for a client: above the first he gets no looks, above the second he is disconnected.
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

    def __init__(self, socket: HandsSocket, hands: HandsAtBoard, greeting: Callable[[], dict[str, Any]]) -> None:
        """Serve at ``socket``, which its owner closes; ``greeting`` gives the first line of a connection."""
        self.hands = hands
        self.greeting = greeting
        self.panel: HandsClient | None = None
        self._socket = socket
        self._clients: set[HandsClient] = set()
        self._pending: list[tuple[float, int, HandsClient, AskerId]] = []
        self._asked = 0
        self._due = float("-inf")
        self._buttons: frozenset[PushButton] = frozenset()

    async def start(self) -> None:
        """Begin to take clients."""
        self._serving = asyncio.create_task(self._socket.serve(self._meet))

    async def close(self) -> None:
        """Answer what is under way, and disconnect everybody."""
        self._serving.cancel()
        with suppress(asyncio.CancelledError):
            await self._serving
        for _, _, client, asker in self._pending:
            client.send({"re": asker, "refused": "the simulated board ends"})
        for client in list(self._clients):
            await client.leave()

    def tell(self) -> None:
        """The world has run on: answer what is done, and send what has changed to those who watch."""
        now = self.hands.world.now
        while self._pending and self._pending[0][0] <= now:
            _, _, client, asker = heapq.heappop(self._pending)
            client.waiting -= 1
            client.send({"re": asker, "done": round(now, 3)})
        if self.hands.buttons != self._buttons:
            self._buttons = self.hands.buttons
            if self.panel is not None:
                self.send_buttons(self.panel)
        watching = [client for client in self._clients if client.watches]
        if not watching or now < self._due:
            return
        look = self.hands.look()
        self._due = now + LOOK_SECONDS
        data = None
        for client in watching:
            if client.needs(look):
                data = data or encoded({"look": to_json(look)})
                client.show(look, data)

    def send_buttons(self, client: HandsClient) -> None:
        """Tell a panel which buttons are down."""
        client.send({"buttons": [button.value for button in PushButton if button in self._buttons]})

    def expect(self, client: HandsClient, asker: AskerId, done: float) -> None:
        """Answer a request at ``done``, by the world's time."""
        self._asked += 1
        client.waiting += 1
        heapq.heappush(self._pending, (done, self._asked, client, asker))

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
                    client.take(line)
        except OSError:
            pass
        finally:
            self._forget(client)
            outgoing.transport.abort()

    def _forget(self, client: HandsClient) -> None:
        """A client has gone: what is in a player's hand stays there, a button that he held goes up."""
        self._clients.discard(client)
        self._pending = [each for each in self._pending if each[2] is not client]
        heapq.heapify(self._pending)
        for button in client.holding:
            self.hands.let_go(button)
        if self.panel is client:
            self.panel = None
            self.hands.lights = None


class HandsClient:
    """One connection."""

    def __init__(self, server: HandsServer, outgoing: asyncio.StreamWriter) -> None:
        self.watches = False
        self.waiting = 0
        """Requests of his that hands are at."""
        self.holding: set[PushButton] = set()
        self._server = server
        self._outgoing = outgoing
        self._shown: Look | None = None

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

    def needs(self, look: Look) -> bool:
        """He has not seen this, and has room for it."""
        return look != self._shown and self._outgoing.transport.get_write_buffer_size() <= NO_LOOKS

    def show(self, look: Look, data: bytes) -> None:
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

    def take(self, line: bytes | None) -> None:
        """Take a line; None for one that was too long."""
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
            self.send({"re": request.id, "refused": reason(error)})

    def _answer(self, request: DoDeed | LookOnce | Watch | PanelLights) -> None:
        server, hands = self._server, self._server.hands
        match request:
            case DoDeed(asker, deed):
                if self.waiting >= MOST_REQUESTS:
                    raise HandsError(f"{MOST_REQUESTS} requests wait for hands; wait for one before the next")
                done = hands.begin(deed)
                match deed:
                    case PressButton(button, PressKind.DOWN):
                        self.holding.add(button)
                    case PressButton(button, PressKind.UP):
                        self.holding.discard(button)
                server.expect(self, asker, done)
            case LookOnce(asker):
                self.send({"re": asker, "look": to_json(hands.look())})
            case Watch(asker, on):
                self.watches, self._shown = on, None
                self.send({"re": asker, "done": round(hands.world.now, 3)})
            case PanelLights(asker, picture):
                if server.panel not in (None, self):
                    raise HandsError("another program has this board's buttons and lights")
                hands.show(picture)
                if server.panel is None:
                    server.panel = self
                    server.send_buttons(self)


class Ear:
    """Hands on what a service at a board says: a `tamsk_hw.live.client.Listener`."""

    def __init__(self, seated: Seated, *, named: bool = False) -> None:
        """``named``: the service's place was named, so whatever it says of its board, it is at this one."""
        self._seated = seated
        self._named = named
        self._newest = 0

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        """The service is there; the current game's header is wanted, and of its rulings those that are new.

        Raises:
            LiveError: it plays on a simulated board of its own, without hands.
        """
        if greeting["simulated"] and not self._named:
            raise LiveError("this service plays on a board of its own")
        self._newest = greeting["seq"]
        return {"since": 0}

    def heard(self, record: Mapping[str, Any]) -> None:
        """It said this.

        Raises:
            LiveError: this version does not know such a line.
        """
        match record:
            case {"header": header, **rest}:
                self._seated.play_by(parse_header(header).ruleset)
                self._seat(rest.get("names"))
            case {"names": names}:
                self._seat(names)
            case {"ruling": ruling, "seq": int(seq)} if seq > self._newest:
                try:
                    self._seated.hear(parse_ruling(ruling))
                except JournalError as error:
                    raise LiveError(f"the service has ruled what is not understood ({error})") from None
            case {"state": state}:
                self._seated.see(read_state(state))

    def _seat(self, names: Any) -> None:
        """Seat the program where its name stands: a rematch has given it the other colour."""
        seat = seat_of(**names) if names else None
        if seat is not None:
            self._seated.seat(seat.player)

    def lost(self, why: Absence) -> None:
        """It is not there."""
        self._seated.lose()


async def decide(places: Sequence[Path], event: Event) -> None:
    """Have the service take an arbiter's decision; one that has no effect any more is left."""
    done = to_json(event)
    del done["t"]

    def ask() -> None:
        try:
            with connect(places) as connection:
                connection.ask({"do": done})
        except SocketError:
            pass  # it is gone, and the question with it

    await asyncio.to_thread(ask)
