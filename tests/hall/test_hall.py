"""A hall over a real broker: boards, bridges, hall and broker are killed in the middle, and nothing is missing."""

import asyncio
import json
import re
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

import aiomqtt
import pytest

from tamsk_hw.hall.store import NAME, Store
from tamsk_hw.journal.archive import Archive
from tamsk_hw.mqtt.messages import TOPICS, RequestMessage, RulingMessage, Topic, payload_of, topic_of
from tests.end_to_end.test_arbiter_desk import HANDS, QUESTION, Phone
from tests.hall.test_boards import sent
from tests.mqtt.broker import COMMAND, Mosquitto, Place, broker, wait_until

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


#: A board at a serial port, whose hands are on standard input.
BOARD = (sys.executable, "-u", "-m", "tests.table.live_board")


def asked_by(hall: Place) -> list[tuple[RequestMessage, str]]:
    """The requests that a hall has logged, with their answers."""
    with sqlite3.connect(hall.folder / "data" / "tamsk-hw" / NAME) as connection:
        rows = connection.execute("SELECT id, by, game, number, request, answer FROM request ORDER BY time")
        return [
            (RequestMessage(id=name, by=by, game=game, number=number, request=json.loads(request)), answer)
            for name, by, game, number, request, answer in rows
        ]


def test_an_arbiter_answers_at_the_hall_what_a_board_asks_and_a_request_that_comes_again_is_done_once(
    evening: tuple[Evening, Mosquitto],
) -> None:
    here, broker = evening
    hall, board = here.hall, here.boards["B1"]
    own = board.folder / "board"
    own.mkdir()
    table = board.start(str(own), command=BOARD)
    assert table.stdin is not None
    board.start("mqtt")
    hall.start("hall")
    wait_until(hall.answers, "the hall")
    made = [*COMMAND, "hall", "--config", str(hall.file), "token"]
    words = subprocess.run(made, env=hall.environment, capture_output=True, text=True, check=True).stdout
    link = re.search(rf"(http://127\.0\.0\.1:{hall.page})/arbiter#token=(\S+)", words)
    assert link is not None
    phone = Phone(link[1], "/boards/B1/arbiter")
    assert phone.client.post("/arbiter/sign-in", data={"token": link[2]}).status_code == 200

    # A press of a button is for what the hall has seen: while the last glasses are noticed it is refused.
    wait_until(
        lambda: "Done: Start the game." in phone.press(phone.until("The board is ready"), "start"), "the start"
    )
    for hand in HANDS:
        table.stdin.write(f"{hand}\n".encode())
        table.stdin.flush()
    phone.until("Turn 4")
    for hand in QUESTION:
        table.stdin.write(f"{hand}\n".encode())
        table.stdin.flush()
    phone.until("Whose glass was put into the full tube E1?")
    call = wait_until(lambda: hall.boards()["B1"]["call"], "the call")
    glance = phone.client.get("/").text
    csrf, fresh = re.findall(r'<input type="hidden" name="(?:csrf|request)" value="([^"]*)"', glance)
    phone.client.post("/take", data={"csrf": csrf, "request": fresh, "name": "Zoe", "call": call})
    assert hall.boards()["B1"]["taken_by"] == "Zoe"
    sure = phone.press(phone.until("Red wins"), "award-red")
    assert "Done: Red wins." in phone.press(sure, "award-red", confirmed="yes")
    over = wait_until(lambda: hall.boards()["B1"]["over"], "the ruling")
    assert (over["ruling"], over["winner"], over["reason"]) == ("game_over", "red", "awarded")
    wait_until(lambda: hall.boards()["B1"]["call"] is None, "the state after it")
    assert hall.boards()["B1"]["taken_by"] is None

    done = [asked for asked, answer in asked_by(hall) if answer == "done"]
    assert [(asked.by, asked.request["do"]["event"]) for asked in done] == [("hall", "button"), ("Zoe", "arbiter")]

    async def again() -> None:
        async with aiomqtt.Client("127.0.0.1", broker.port) as client:
            await client.subscribe(topic_of("club", "B1", Topic.ANSWERS), qos=1)
            for asked in (*done, *done):
                await client.publish(topic_of("club", "B1", Topic.REQUESTS), payload_of(asked), qos=1)
            answers = [json.loads((await anext(aiter(client.messages))).payload) for _ in range(4)]
        assert [answer["done"] for answer in answers] == [True] * 4

    asyncio.run(again())
    game = Archive(own / "journal").load(1)
    events = [json.loads(each.line) for each in game.entries]
    decisions = [each for each in events if each["event"] == "arbiter"]
    assert [(each["action"], each["winner"]) for each in decisions] == [("award", "red")]
    assert [each["event"] for each in events].count("button") == 1
    assert [json.loads(line) for line in game.entries[-1].rulings][-1] == over
