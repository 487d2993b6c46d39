"""The connection to the broker, which is made again and again: no broker is waited for, and none is trusted."""

import asyncio
import math
import ssl
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterable
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final

import aiomqtt
import click
from aiomqtt.exceptions import MqttConnectError
from paho.mqtt.reasoncodes import ReasonCode

from tamsk_hw.configuration.settings import MqttSettings
from tamsk_hw.errors import ConfigError, InputError, StreamError, printable
from tamsk_hw.mqtt.home import BORN, STATUS, discovery
from tamsk_hw.mqtt.messages import TOPICS, USES, Message, Topic, payload_of, place_of, read_message, topic_of
from tamsk_hw.system.files import read_file
from tamsk_hw.system.service import Priority, prefixed

#: Real seconds between two attempts to reach the broker.
RETRY_SECONDS: Final = 1.0

#: Real seconds after which a connection has been well: when it ends, that is said again.
_WELL_SECONDS: Final = 60.0

#: Seconds after which a connection that is silent is given up, by both ends; the broker waits half as long again.
#: A message that the broker has not taken by then has failed, too.
KEEPALIVE: Final = 10

#: Messages that wait to be read; more are dropped, and asked for again.
_MOST_WAITING: Final = 20_000


def say(words: str, priority: Priority = Priority.WARNING) -> None:
    """Say something about the connection, on standard error."""
    click.echo(prefixed(f"tamsk-hw: {printable(words)}", priority, sys.stderr), err=True)


def password_of(file: Path | None) -> str | None:
    """The password in a file: its first line; None without a file.

    Raises:
        ConfigError: it cannot be read.
    """
    if file is None:
        return None
    try:
        return read_file(file, 4096).decode().partition("\n")[0].rstrip("\r")
    except (OSError, InputError, UnicodeDecodeError) as error:
        raise ConfigError(
            f"{file}: cannot be read as a password ({error})", "correct [mqtt] password_file"
        ) from None


class Broker:
    """A connection to the broker of a hall, as long as it lasts."""

    def __init__(self, client: aiomqtt.Client, hall: str) -> None:
        self._client = client
        self._hall = hall
        self._discovered: tuple[str, bytes] | None = None

    async def publish(self, board: str, message: Message, topic: Topic | None = None) -> None:
        """Send a message, and wait until the broker has it. Raises `aiomqtt.MqttError` or `TimeoutError`."""
        topic = topic or TOPICS[type(message)]
        await self._publish(topic_of(self._hall, board, topic), payload_of(message), USES[topic].is_retained)

    async def _publish(self, topic: str, payload: bytes, is_retained: bool) -> None:
        # It ends when it is cancelled; the client's own `asyncio.wait_for` of Python 3.11 may miss that.
        async with asyncio.timeout(KEEPALIVE):
            await self._client.publish(topic, payload, qos=1, retain=is_retained, timeout=math.inf)

    async def subscribe(self, board: str, topics: Iterable[Topic]) -> None:
        """Have the messages of these topics sent; ``+`` as the board is for all.

        Raises `aiomqtt.MqttError`, also where the broker refuses one of them.
        """
        names = [topic_of(self._hall, board, topic) for topic in topics]
        granted = await self._client.subscribe([(name, 1) for name in names])
        for name, answer in zip(names, granted, strict=True):
            if isinstance(answer, ReasonCode) and answer.is_failure:
                raise aiomqtt.MqttError(f"this user may not hear {name}")

    async def be_discovered(self, board: str) -> None:
        """Have Home Assistant show the board, now and whenever it is born. Raises `aiomqtt.MqttError`."""
        self._discovered = discovery(self._hall, board)
        await self._client.subscribe(STATUS, qos=1)
        await self._announce()

    async def _announce(self) -> None:
        if self._discovered is not None:
            await self._publish(*self._discovered, True)

    async def messages(self) -> AsyncIterator[tuple[str, Topic, Message, bool]]:
        """Each message that comes, with its board and topic, and whether the broker had kept it.

        What is no such message is left out. Raises `aiomqtt.MqttError` when the connection ends.
        """
        async for each in self._client.messages:
            if (place := place_of(str(each.topic))) is None:
                if each.payload == BORN:
                    await self._announce()
                continue
            with suppress(StreamError):
                yield *place, read_message(place[1], each.payload), bool(each.retain)


@asynccontextmanager
async def connected(
    settings: MqttSettings, identifier: str, will: tuple[str, Message] | None
) -> AsyncIterator[Broker]:
    """A connection; ``will`` is the message that the broker sends for a board when it breaks.

    Raises `aiomqtt.MqttError` when there is no broker, it refuses, or the connection ends.
    """
    last = None
    if will is not None:
        topic = TOPICS[type(will[1])]
        place = topic_of(settings.hall, will[0], topic)
        last = aiomqtt.Will(place, payload_of(will[1]), qos=1, retain=USES[topic].is_retained)
    async with aiomqtt.Client(
        settings.host,
        settings.port,
        username=settings.user,
        password=password_of(settings.password_file),
        identifier=identifier,
        will=last,
        clean_session=True,
        keepalive=KEEPALIVE,
        max_inflight_messages=1,  # so that they stay in order
        max_queued_incoming_messages=_MOST_WAITING,
        tls_context=ssl.create_default_context() if settings.tls else None,
    ) as client:
        yield Broker(client, settings.hall)


async def for_ever(settings: MqttSettings, once: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Do something with the broker, which connects to it, again and again; say once what is the matter.

    Whatever else is wrong is raised as it is.
    """
    said = ""
    while True:
        began = asyncio.get_running_loop().time()
        attempt = asyncio.create_task(once())
        attempt.add_done_callback(lambda ended: ended.cancelled() or ended.exception())  # no complaint at the end
        try:
            await asyncio.wait({attempt})
        finally:
            # A cancellation that comes together with what is waited for, or with an error, may be missed.
            while not attempt.done():
                attempt.cancel()
                await asyncio.wait({attempt}, timeout=RETRY_SECONDS)
        if (error := attempt.exception()) is not None:
            words = _trouble(settings, error)
            if words != said or asyncio.get_running_loop().time() - began > _WELL_SECONDS:
                say(f"{words}; trying again")
            said = words
        await asyncio.sleep(RETRY_SECONDS)


def _trouble(settings: MqttSettings, error: BaseException) -> str:
    """The reason in words for which there is no connection, with what to do; any other error is raised."""
    if isinstance(error, BaseExceptionGroup):
        return _trouble(settings, error.exceptions[0])
    broker = f"the broker at {settings.host}:{settings.port}"
    if isinstance(error, MqttConnectError):
        return f"{broker} refuses this program ({error}): look after [mqtt] user and password_file"
    if isinstance(error, aiomqtt.MqttError | OSError):
        advice = "look after it, after [mqtt] host and port, and whether another program has this name in the hall"
        return f"{broker} cannot be reached or has ended the connection ({error}): {advice}"
    raise error
