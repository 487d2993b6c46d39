"""The hands' socket: real connections, simulated time."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine
from itertools import pairwise
from pathlib import Path
from random import Random
from typing import Any, TypeVar
from unittest.mock import patch

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.hands.actions import ACTIONS
from tamsk_hw.hands.server import MOST_REQUESTS, HandsServer, hands_socket
from tamsk_hw.system import line_server
from tests.hands.at_hand import AtHand, check_world

T = TypeVar("T")

LIFT = {"do": "lift", "player": "red", "tube": "D1"}
SEAT = {"do": "seat", "player": "red", "tube": "D2", "turned": True}


class Client:
    """A client of the hands' socket."""

    def __init__(self, room: Room, incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> None:
        self._room = room
        self._incoming = incoming
        self.outgoing = outgoing

    def send(self, *records: dict[str, Any]) -> None:
        for record in records:
            self.outgoing.write(json.dumps(record).encode() + b"\n")

    async def line(self) -> dict[str, Any] | None:
        data = await self._room.until(self._incoming.readline())
        return json.loads(data) if data else None

    async def hear(self, key: str) -> Any:
        while (record := await self.line()) is not None:
            if key in record:
                return record
        raise AssertionError("the connection ended")

    async def ask(self, record: dict[str, Any]) -> Any:
        self.send({"id": "x", **record})
        return await self.hear("re")

    async def leave(self) -> None:
        self.outgoing.close()
        await self._room.pass_time(0.1)


class Room:
    """A board, its socket, and time that passes only here."""

    def __init__(self, path: Path) -> None:
        self.table = AtHand()
        self.socket = hands_socket(path)
        self.server = HandsServer(self.socket, self.table.hands, lambda: {"hands": 1, "t": self.table.world.now})

    async def until(self, what: Coroutine[Any, Any, T]) -> T:
        """Let time pass until this has come about."""
        task = asyncio.create_task(what)
        while not task.done():
            await self._step()
        return task.result()

    async def pass_time(self, seconds: float) -> None:
        end = self.table.world.now + seconds
        while self.table.world.now < end:
            await self._step()

    async def _step(self) -> None:
        self.table.board.advance(self.table.world.now + 0.01)
        self.server.publish()
        await asyncio.sleep(0)

    async def client(self) -> Client:
        incoming, outgoing = await asyncio.open_unix_connection(str(self.socket.path), limit=1 << 20)
        client = Client(self, incoming, outgoing)
        assert (await client.line() or {})["hands"] == 1
        return client


def played(story: Callable[[Room], Awaitable[None]]) -> Callable[[Path], None]:
    """The story of a room as a test."""

    async def play(path: Path) -> None:
        room = Room(path)
        await room.server.start()
        try:
            await story(room)
        finally:
            await room.server.close()
            room.socket.close()
        check_world(room.table.hands.observe())
        assert not room.socket.path.exists()

    def test(tmp_path: Path) -> None:
        asyncio.run(play(tmp_path / "hands.sock"))

    return test


@played
async def test_the_answer_comes_when_the_hands_are_done(room: Room) -> None:
    client = await room.client()
    client.send({"id": 1, **LIFT})
    answer = await client.hear("re")
    assert answer["re"] == 1
    assert 0.2 < answer["done"] < 0.8
    assert room.table.world.held(Player.RED)
    assert "done" in await client.ask(SEAT)
    assert room.table.world.glass_at[Tube.D2] is room.table.world.glass("D1")


@played
async def test_what_one_client_lifted_another_seats_though_the_first_has_gone(room: Room) -> None:
    first, second = await room.client(), await room.client()
    first.send(LIFT)  # and away before the hand is there
    await first.leave()
    await room.pass_time(1.0)
    assert [glass.name for glass in room.table.world.held(Player.RED)] == ["D1"]
    assert "done" in await second.ask(SEAT)
    assert room.table.world.glass_at[Tube.D2] is room.table.world.glass("D1")


@played
async def test_a_button_goes_up_with_the_client_that_held_it(room: Room) -> None:
    client = await room.client()
    await client.ask({"do": "press", "button": "red", "press": "down"})
    await room.pass_time(3.0)
    assert room.table.hands.observe().buttons
    await client.leave()
    assert not room.table.hands.observe().buttons


@played
async def test_two_clients_at_one_glass(room: Room) -> None:
    first, second = await room.client(), await room.client()
    first.send({"id": 1, **LIFT})
    second.send({"id": 2, **LIFT, "player": "black"})
    answers = [await first.hear("re"), await second.hear("re")]
    assert sorted("done" in answer for answer in answers) == [False, True]
    refused = next(answer["refused"] for answer in answers if "refused" in answer)
    assert "a hand is already at red glass D1" in refused


@played
async def test_a_look_shows_the_world_and_a_watch_all_that_changes(room: Room) -> None:
    watcher, actor = await room.client(), await room.client()
    look = (await actor.ask({"look": True}))["look"]
    assert [glass["tube"] for glass in look["glasses"]] == ["D1", "G4", "A4", "G1", "D7", "A1"]
    watcher.send({"id": 5, "watch": True})
    assert (await watcher.hear("re"))["re"] == 5
    seen = [(await watcher.hear("look"))["look"]]
    actor.send(LIFT)
    while seen[-1]["glasses"][0]["hand"] is None:
        seen.append((await watcher.hear("look"))["look"])
    times = [look["t"] for look in seen]
    assert all(later - earlier >= 0.049 for earlier, later in pairwise(times))
    assert seen[-1].keys() == look.keys()
    watcher.send({"watch": False})
    await watcher.hear("re")


@played
async def test_nothing_is_sent_while_nothing_changes(room: Room) -> None:
    watcher = await room.client()
    watcher.send({"watch": True})
    await watcher.hear("look")
    await room.pass_time(2.0)
    watcher.send({"id": "end", "look": True})
    line = await watcher.line()
    assert line is not None
    assert line.get("re") == "end"


@played
async def test_one_who_watches_and_does_not_read_gets_no_looks_and_slows_nobody(room: Room) -> None:
    with patch.object(line_server, "MOST_WAITING", 5000):
        deaf, actor = await room.client(), await room.client()
        deaf.outgoing.transport.pause_reading()  # type: ignore[attr-defined]
        deaf.send({"watch": True})
        await actor.ask({"do": "turn_timer", "player": "red"})
        await room.pass_time(15.0)
        (waiting,) = room.server.watching
        assert waiting._outgoing.transport.get_write_buffer_size() < 20_000
        assert "done" in await actor.ask(LIFT)


@played
async def test_the_panel_shows_lights_and_is_sent_the_buttons(room: Room) -> None:
    panel, actor, other = await room.client(), await room.client(), await room.client()
    dark = "00" * (3 * room.table.wiring.pixel_count)
    panel.send({"panel": dark})
    assert await panel.hear("buttons") == {"buttons": []}
    actor.send({"do": "press", "button": "start"})
    assert await panel.hear("buttons") == {"buttons": ["start"]}
    assert await panel.hear("buttons") == {"buttons": []}
    assert "another program" in (await other.ask({"panel": dark}))["refused"]
    assert room.table.hands.observe().lights is not None
    await panel.leave()
    assert room.table.hands.observe().lights is None
    other.send({"panel": dark})
    assert await other.hear("buttons") == {"buttons": []}


@played
async def test_a_thousand_requests_at_once(room: Room) -> None:
    client = await room.client()
    client.send(*({"id": number, "do": "wait", "seconds": 1} for number in range(1000)))
    answers = [await client.hear("re") for _ in range(1000)]
    assert sorted(answer["re"] for answer in answers) == list(range(1000))
    assert sum("done" in answer for answer in answers) == MOST_REQUESTS
    assert all("wait for one" in answer["refused"] for answer in answers if "refused" in answer)
    assert "done" in await client.ask(LIFT)


@played
async def test_random_bytes_and_requests_of_many(room: Room) -> None:
    chance = Random(1)
    values = {"player": "red", "tube": "D1", "button": "red", "on": True, "fault": "mux 1 0", "seconds": 0.1}
    clients = [await room.client() for _ in range(5)]
    for _ in range(400):
        client = chance.choice(clients)
        if chance.random() < 0.2:
            client.outgoing.write(chance.randbytes(20))
        name = chance.choice(list(ACTIONS))
        client.send({"do": name, **{key: value for key, value in values.items() if chance.random() < 0.5}})
        if chance.random() < 0.05:
            await client.leave()
            clients[clients.index(client)] = await room.client()
        await room.pass_time(chance.choice([0.01, 0.1, 0.5]))
        check_world(room.table.hands.observe())


@played
async def test_who_waits_is_told_when_the_board_ends(room: Room) -> None:
    client = await room.client()
    client.send({"id": 1, "do": "wait", "seconds": 100})
    await room.pass_time(0.5)
    await room.server.close()
    assert await client.line() == {"re": 1, "refused": "the simulated board ends"}
    assert await client.line() is None
