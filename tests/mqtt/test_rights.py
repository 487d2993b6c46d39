"""The rights of each user at a real broker, as the program prints them."""

import asyncio
import json
import subprocess
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from click.testing import CliRunner

from tamsk_hw.commands.mqtt import mqtt
from tamsk_hw.mqtt.messages import Topic, read_message, topic_of
from tamsk_hw.mqtt.rights import access_list
from tests.firmware.toolchain import need
from tests.mqtt.broker import PATIENCE, Mosquitto, broker

USERS = ("one", "two", "hall", "arbiter", "spectator")
BOARD_SENDS = ("header", "events", "rulings", "ruled", "state", "presence", "games", "excerpt", "answers")
HALL_SENDS = ("received", "again", "requests")
PUBLIC = ("header", "events", "rulings", "ruled", "state", "presence")


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Mosquitto]:
    need("mosquitto")
    folder = tmp_path_factory.mktemp("club")
    rights, passwords = folder / "acl", folder / "passwords"
    rights.write_text(access_list("club"))
    passwords.touch()
    for user in USERS:
        subprocess.run(["mosquitto_passwd", "-b", str(passwords), user, f"secret of {user}"], check=True)
    with broker(
        folder / "data", f"acl_file {rights}", f"password_file {passwords}", "allow_anonymous false"
    ) as found:
        yield found


def client(club: Mosquitto, user: str, **more: Any) -> aiomqtt.Client:
    return aiomqtt.Client("127.0.0.1", club.port, username=user, password=f"secret of {user}", **more)


async def heard_by(club: Mosquitto, reader: str, publish: Callable[[], Coroutine[Any, Any, None]]) -> list[str]:
    """The topics of what a user hears that is published meanwhile: the broker has taken that before the last."""
    async with client(club, reader) as reading:
        await reading.subscribe("#", qos=1)
        await publish()
        async with client(club, "one") as marking:
            await marking.publish(topic_of("club", "one", Topic.PRESENCE), b"last", qos=1)
        found = []
        async with asyncio.timeout(PATIENCE):
            async for message in reading.messages:
                if message.payload == b"last":
                    return found
                if not message.retain:
                    found.append(str(message.topic))
    raise AssertionError


def all_topics(user: str, club: Mosquitto) -> Callable[[], Coroutine[Any, Any, None]]:
    async def publish() -> None:
        async with client(club, user) as writing:
            for board in ("one", "two", user):
                for topic in Topic:
                    await writing.publish(topic_of("club", board, topic), b"{}", qos=1)
                    await writing.publish(topic_of("other", board, topic), b"{}", qos=1)
            await writing.publish("elsewhere", b"{}", qos=1)

    return publish


def sent_by(user: str) -> list[str]:
    """The topics to which a user of this club may send."""
    return {
        "one": [f"tamsk/club/one/{topic}" for topic in BOARD_SENDS],
        "two": [f"tamsk/club/two/{topic}" for topic in BOARD_SENDS],
        "hall": [f"tamsk/club/{board}/{topic}" for board in ("one", "two") for topic in HALL_SENDS],
        "arbiter": [f"tamsk/club/{board}/requests" for board in ("one", "two")],
        "spectator": [],
    }[user]


@pytest.mark.parametrize("user", USERS)
def test_each_user_can_send_what_is_his(club: Mosquitto, user: str) -> None:
    heard = asyncio.run(heard_by(club, "hall", all_topics(user, club)))
    assert sorted(set(heard)) == sorted(sent_by(user))


def test_a_spectator_hears_the_games_and_nothing_else(club: Mosquitto) -> None:
    async def publish() -> None:
        for user in USERS:
            await all_topics(user, club)()

    heard = asyncio.run(heard_by(club, "spectator", publish))
    assert sorted(set(heard)) == sorted(
        f"tamsk/club/{board}/{topic}" for board in ("one", "two") for topic in PUBLIC
    )


@pytest.mark.parametrize("password", ["", "wrong"])
def test_nobody_comes_in_without_his_password(club: Mosquitto, password: str) -> None:
    async def come_in() -> None:
        async with aiomqtt.Client("127.0.0.1", club.port, username="arbiter", password=password):
            pass

    with pytest.raises(aiomqtt.MqttError, match="Not authorized"):
        asyncio.run(come_in())


def test_every_topic_has_its_message() -> None:
    assert {topic.value for topic in Topic} == {*BOARD_SENDS, *HALL_SENDS}
    for topic in Topic:
        with pytest.raises(Exception, match=topic.value):
            read_message(topic, b"[]")


def test_the_command_prints_both_lists_and_refuses_a_board_with_the_name_of_another_user(tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[mqtt]\nhall = "club"\n')
    shown = CliRunner().invoke(mqtt, ["acl", "--config", str(config)])
    assert shown.output == access_list("club")
    shown = CliRunner().invoke(mqtt, ["acl", "--config", str(config), "--nats", "one,two"])
    users = json.loads(shown.output.removeprefix("authorization:"))["users"]
    assert {each["user"] for each in users} == {*USERS}
    assert len({each["password"] for each in users}) == len(USERS)
    for names in ("hall", "one,spectator", "a board", ""):
        refused = CliRunner().invoke(mqtt, ["acl", "--config", str(config), "--nats", names])
        assert (refused.exit_code, refused.stdout) == (2, ""), names
