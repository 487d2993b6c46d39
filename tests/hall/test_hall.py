"""A hall over a real broker: boards, bridges, hall and broker are killed in the middle, and nothing is missing."""

import asyncio
import json
import subprocess
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import aiomqtt
import pytest

from tamsk_hw.hall.store import NAME, Store
from tamsk_hw.journal.archive import Archive
from tamsk_hw.mqtt.messages import TOPICS, RulingMessage, Topic, payload_of, topic_of
from tests.hall.test_boards import sent
from tests.mqtt.broker import Mosquitto, Place, broker, wait_until

SPEED = "40"


def in_journal(board: Place) -> dict[str, list[Any]]:
    """The games of a board by their keys: each event with its rulings."""
    archive = Archive(board.journal)
    found = {}
    for number, _ in archive.keys(100).values():
        game = archive.load(number)
        found[game.key] = [(json.loads(each.line), list(map(json.loads, each.rulings))) for each in game.entries]
    return found


def at_hall(hall: Place, board: str) -> dict[str, list[Any]]:
    """The same as the hall has it."""
    store = Store(hall.folder / "data" / "tamsk-hw" / NAME)
    found = {}
    for lines in store.games().get(board, []):
        entries = store.entries(board, lines.key)
        found[lines.key] = [(dict(each.event), [dict(ruling) for ruling in each.rulings]) for each in entries]
    store.close()
    return found


class HasPort(Protocol):
    """A broker, or several at one port."""

    port: int


class Evening:
    """Boards that play by themselves, each with its bridge, and the hall."""

    def __init__(
        self,
        folder: Path,
        processes: list[subprocess.Popen[Any]],
        broker: HasPort,
        boards: int,
        nodes: Sequence[str] = ("127.0.0.1",),
    ) -> None:
        """``nodes`` are the broker's addresses: the hall uses the first, the boards one after the other."""
        self.hall = Place(folder / "hall", processes, broker.port, host=nodes[0])
        self.boards = {
            name: Place(folder / name, processes, broker.port, board=name, host=nodes[number % len(nodes)])
            for number, name in enumerate(f"B{number}" for number in range(1, boards + 1))
        }

    def play(self, board: str, seed: int) -> subprocess.Popen[Any]:
        return self.boards[board].start(
            "run", "--simulated", "--level", "1", "--speed", SPEED, "--seed", str(seed)
        )

    def until_turn(self, number: int) -> None:
        """Wait until every board has come so far in its game."""

        def has(board: Place) -> bool:
            return any(
                ruling.get("number", 0) >= number
                for game in in_journal(board).values()
                for _, rulings in game
                for ruling in rulings
            )

        for board in self.boards.values():
            wait_until(lambda board=board: board.journal.exists() and has(board), f"turn {number}")


@pytest.fixture
def evening(tmp_path: Path, processes: list[subprocess.Popen[Any]]) -> Iterator[tuple[Evening, Mosquitto]]:
    with broker(tmp_path / "broker") as started:
        yield Evening(tmp_path, processes, started, 2), started


#: What no board would send: broken, too large, of the wrong kind, far away, endless.
BAD = (
    *(
        b"",
        b"{",
        b"[]",
        b"null",
        b"\xff\xfe",
        b'{"game": NaN}',
        b"[" * 100_000,
        b'{"a":"' + b"x" * 300_000 + b'"}',
    ),
    *(
        b"{}",
        b'{"game":"a","number":-1,"place":0,"ruling":{}}',
        b'{"game":"a","number":1e9,"place":0,"ruling":{}}',
    ),
    *(b'{"game":"a","number":999999999,"place":0,"ruling":{}}', b'{"games":{"a":999999999}}'),
    *(
        b'{"online":true,"service":{"live":2}}',
        b'{"game":"\\ud800","number":0,"header":{},"names":{"red":null,"black":null}}',
        b'{"game":"a","number":0,"header":{},"names":{"red":"\\ud800","black":null}}',
        b'{"game":"a","number":1,"event":{},"rulings":1000000000}',
        b'{"game":null,"number":0,"names":{"red":null,"black":null},"state":' + b'{"a":' * 900 + b"1" + b"}" * 901,
        b'{"online":"yes"}',
        b'{"game":"a","number":1,"names":{},"state":{}}',
    ),
    b'{"game":"a","number":1,"names":{"red":null,"black":null},"state":{"t":"soon"}}',
)


def test_whatever_is_sent_in_a_boards_name_a_game_is_received_as_it_was_ruled(
    evening: tuple[Evening, HasPort],
) -> None:
    here, broker = evening
    here.hall.start("hall")
    messages, _ = sent("real")
    ruled = [each for each in messages if isinstance(each, RulingMessage)]
    forged = [replace(each, ruling={"ruling": "forged"}) for each in ruled]

    async def publish() -> None:
        async with aiomqtt.Client("127.0.0.1", broker.port) as client:
            for topic in Topic:
                for payload in BAD:
                    for board in ("B1", "", "$SYS", "x" * 100):
                        name = topic_of("club", board, topic)
                        await client.publish(name, payload, qos=1, retain=payload != b"" and board == "B1")
            for message in (*messages, *forged, *messages):
                name = topic_of("club", "B1", TOPICS[type(message)])
                await client.publish(name, payload_of(message), qos=1)

    wait_until(here.hall.answers, "the hall")
    asyncio.run(publish())
    over = wait_until(lambda: here.hall.boards().get("B1", {}).get("over"), "the game")
    assert over == ruled[-1].ruling
    assert list(here.hall.boards()) == ["B1"]

    def received() -> list[Any]:
        return [ruling for _, found in at_hall(here.hall, "B1").get("real", ()) for ruling in found]

    wait_until(lambda: len(received()) >= len(ruled), "it is kept")
    assert received() == [each.ruling for each in ruled]


def test_whatever_is_killed_each_ruling_comes_to_the_hall_once_and_in_order(
    evening: tuple[Evening, Mosquitto],
) -> None:
    here, broker = evening
    hall = here.hall.start("hall")
    bridges = {name: board.start("mqtt") for name, board in here.boards.items()}
    games = {name: here.play(name, seed) for seed, name in enumerate(here.boards, 3)}
    wait_until(
        lambda: all(each["online"] for each in here.hall.boards().values()) and len(here.hall.boards()) == 2,
        "boards",
    )
    here.until_turn(8)
    hall.kill()
    bridges["B1"].kill()
    here.until_turn(14)
    broker.kill()
    bridges["B1"] = here.boards["B1"].start("mqtt")
    here.until_turn(20)
    broker.start()
    here.hall.start("hall")
    for process in games.values():
        assert process.wait(120) == 0
    wait_until(
        lambda: [each["over"] for each in here.hall.boards().values() if each["over"]][1:], "both games over"
    )
    for name, board in here.boards.items():
        wait_until(lambda name=name, board=board: at_hall(here.hall, name) == in_journal(board), name)
        (rulings,) = ([each for _, found in game for each in found] for game in in_journal(board).values())
        assert here.hall.boards()[name]["over"] == rulings[-1]
