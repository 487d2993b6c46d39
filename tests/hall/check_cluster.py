"""The hall over three brokers (``make cluster``): nodes are killed in the middle, users try what they may not."""

import asyncio
import json
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import aiomqtt
import pytest

from tamsk_hw.mqtt.messages import Topic, topic_of
from tamsk_hw.mqtt.rights import nats_users
from tests.hall.cluster import NODES, Cluster, cluster
from tests.hall.test_evening import BOARDS
from tests.hall.test_evening import test_a_swiss_evening_in_which_everything_is_killed_once as swiss_evening
from tests.hall.test_hall import Evening, at_hall, in_journal
from tests.hall.test_hall import (
    test_whatever_is_sent_in_a_boards_name_a_game_is_received_as_it_was_ruled as whatever_is_sent,
)
from tests.mqtt.broker import PATIENCE, wait_until
from tests.mqtt.test_rights import PUBLIC, USERS, sent_by


@pytest.fixture
def evening(tmp_path: Path, processes: list[subprocess.Popen[Any]]) -> Iterator[tuple[Evening, Cluster]]:
    with cluster(tmp_path / "cluster") as started:
        yield Evening(tmp_path, processes, started, 3, NODES), started


def test_whatever_node_is_killed_each_ruling_comes_to_the_hall_once_and_in_order(
    evening: tuple[Evening, Cluster],
) -> None:
    here, nodes = evening
    here.hall.start("hall")
    for board in here.boards.values():
        board.start("mqtt")
    games = {name: here.play(name, seed) for seed, name in enumerate(here.boards, 3)}
    wait_until(lambda: len(here.hall.boards()) == 3, "boards")
    here.until_turn(8)
    nodes.kill(NODES[1])  # that of a board
    here.until_turn(14)
    nodes.start(NODES[1])
    here.until_turn(20)
    nodes.kill(NODES[0])  # that of the hall and of a board
    here.until_turn(26)
    nodes.start(NODES[0])
    for process in games.values():
        assert process.wait(120) == 0
    for name, board in here.boards.items():
        wait_until(lambda name=name, board=board: at_hall(here.hall, name) == in_journal(board), name)
        (rulings,) = ([each for _, found in game for each in found] for game in in_journal(board).values())
        wait_until(lambda name=name, rulings=rulings: here.hall.boards()[name]["over"] == rulings[-1], name)


def test_whatever_is_sent_in_a_boards_name(evening: tuple[Evening, Cluster]) -> None:
    whatever_is_sent(evening)


def test_a_swiss_evening_in_which_everything_is_killed_once(
    tmp_path: Path, processes: list[subprocess.Popen[Any]]
) -> None:
    with cluster(tmp_path / "cluster") as started:
        here = Evening(tmp_path, processes, started, BOARDS, NODES)
        swiss_evening((here, started))


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Cluster, dict[str, str]]]:
    """A cluster with the users of a hall, and their passwords."""
    folder = tmp_path_factory.mktemp("club")
    users = folder / "users.conf"
    users.write_text(nats_users("club", ("one", "two")))
    listed = json.loads(users.read_text().removeprefix("authorization:"))["users"]
    passwords = {each["user"]: each["password"] for each in listed}
    with cluster(folder / "nodes", f"include ../{users.name}") as found:
        yield found, passwords


def client(club: tuple[Cluster, dict[str, str]], user: str, node: str, **more: Any) -> aiomqtt.Client:
    nodes, passwords = club
    return aiomqtt.Client(node, nodes.port, username=user, password=passwords[user], **more)


async def is_granted(reader: aiomqtt.Client, topic: str) -> bool:
    (answer,) = await reader.subscribe(topic, qos=1)
    return not getattr(answer, "is_failure", False)


@pytest.mark.parametrize("user", USERS)
def test_each_user_can_send_what_is_his(club: tuple[Cluster, dict[str, str]], user: str) -> None:
    """Also by a last will: the cable is pulled each time."""
    expected = {(topic, f"{what} of {user}") for topic in sent_by(user) for what in ("message", "will")}

    async def heard() -> set[tuple[str, str]]:
        found: set[tuple[str, str]] = set()
        async with client(club, "hall", NODES[0]) as reading:
            for topic in Topic:
                assert await is_granted(reading, topic_of("club", "+", topic))
            for board in ("one", "two"):
                for topic in Topic:
                    name = topic_of("club", board, topic)
                    will = aiomqtt.Will(name, f"will of {user}", qos=1, retain=True)
                    writing = client(club, user, NODES[1], will=will)
                    with suppress(aiomqtt.MqttError):
                        async with writing:
                            await writing.publish(name, f"message of {user}", qos=1)
                            writing._client._sock_close()
            is_marked = False
            async with asyncio.timeout(PATIENCE), client(club, "one", NODES[2]) as marking:
                while True:
                    if found >= expected and not is_marked:
                        is_marked = True
                        await marking.publish(topic_of("club", "one", Topic.GAMES), b"last", qos=1)
                    message = await anext(reading.messages)
                    if message.payload == b"last":
                        return found
                    if str(message.payload, "utf-8").endswith(f" of {user}"):
                        found.add((str(message.topic), str(message.payload, "utf-8")))

    assert asyncio.run(heard()) == expected


def test_a_spectator_hears_the_games_and_nothing_else(club: tuple[Cluster, dict[str, str]]) -> None:
    async def granted() -> set[str]:
        async with client(club, "spectator", NODES[2]) as reading:
            assert not await is_granted(reading, "#")
            assert not await is_granted(reading, "$MQTT/#")
            return {topic.value for topic in Topic if await is_granted(reading, topic_of("club", "+", topic))}

    assert asyncio.run(granted()) == {*PUBLIC}


@pytest.mark.parametrize("password", ["", "wrong"])
def test_nobody_comes_in_without_his_password(club: tuple[Cluster, dict[str, str]], password: str) -> None:
    async def come_in() -> None:
        async with aiomqtt.Client(NODES[0], club[0].port, username="arbiter", password=password):
            pass

    with pytest.raises(aiomqtt.MqttError, match="Not authorized"):
        asyncio.run(come_in())
