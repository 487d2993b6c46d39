"""Recorded games as a board's bridge would send them, at the speed at which they were played, and as packets.

Only what MQTT 3.1.1 needs of a publisher is here, so that one process can be thousands of boards.
"""

import asyncio
import itertools
import json
import struct
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from tamsk_hw.game.tubes import Player
from tamsk_hw.live.stream import GameBegun, Line, Names
from tamsk_hw.mqtt.bridge import Outbox
from tamsk_hw.mqtt.messages import TOPICS, USES, Message, PresenceMessage, Topic, payload_of, topic_of
from tamsk_hw.referee import Referee
from tamsk_hw.referee.stream import parse_event, parse_header
from tests.mqtt.broker import PATIENCE
from tests.web.stream import Told, greeting, state_line

RECORDING: Final = Path(__file__).parents[1] / "recordings" / "level-3.jsonl"

_STATES: Final = (Topic.STATE.value, Topic.RULED.value)

#: Stands for the key of the game in the payloads.
KEY: Final = "0123456789abcdef0123456789abcdef"


@dataclass(frozen=True)
class Sent:
    """A message of the recorded game, at its time ``t`` (seconds).

    ``left`` are the rings of red and black if a ruling has changed them; None in every other message.
    """

    t: float
    topic: str
    payload: bytes
    is_retained: bool
    left: tuple[int, int] | None


@cache
def recorded() -> tuple[Sent, ...]:
    """A whole game: its lines as they are ruled, and states as a bridge sends them."""
    header_line, *lines = RECORDING.read_text().splitlines()
    header = parse_header(json.loads(header_line), "header")
    referee, told, outbox = Referee(header), Told(), Outbox()
    outbox.greeted(greeting())
    outbox.waiting.clear()
    found: list[Sent] = []
    states = [-1.0, -1.0]

    def send(t: float, message: Message, left: tuple[int, int] | None = None, topic: Topic | None = None) -> None:
        topic = topic or TOPICS[type(message)]
        found.append(Sent(t, topic.value, payload_of(message), USES[topic].is_retained, left))

    def tell_state(t: float, topic: Topic = Topic.STATE) -> None:
        outbox.heard(state_line(referee.view(t)))
        assert outbox.state is not None
        send(t, outbox.state, topic=topic)
        if topic is Topic.STATE:
            states[:] = [states[1], t]

    def rings() -> tuple[int, int]:
        left = referee.view(last).left
        return left[Player.RED], left[Player.BLACK]

    numbers = itertools.count(1)

    def hear(line: Line) -> None:
        outbox.heard({**told.line(line), "seq": next(numbers)})

    def save() -> None:
        number = next(numbers)
        outbox.heard({"seq": number, "saved": number - 1, "game": 1})

    hear(GameBegun(header, KEY, None, Names(red="Ada", black="Grace"), False))
    last = 0.0
    for line in lines:
        event = parse_event(json.loads(line), "line")
        while (at := states[1] + 1.0) < event.t:
            tell_state(at)
        before, last = rings(), event.t
        rulings = referee.handle(event)
        for each in (event, *rulings):
            hear(each)
        save()
        while outbox.waiting:
            message = outbox.waiting.popleft()
            is_last = not outbox.waiting and rings() != before
            send(event.t, message, rings() if is_last else None)
        if rulings:
            tell_state(event.t, Topic.STATE if event.t - states[0] >= 1.0 else Topic.RULED)
    return tuple(found)


def _text(words: str | bytes) -> bytes:
    raw = words.encode() if isinstance(words, str) else words
    return struct.pack("!H", len(raw)) + raw


def _packet(kind: int, body: bytes) -> bytes:
    """A packet of MQTT 3.1.1: its kind, the length of the rest in groups of seven bits, and the rest."""
    length, left = b"", len(body)
    while True:
        left, group = divmod(left, 128)
        length += bytes([group | (0x80 if left else 0)])
        if not left:
            return bytes([kind]) + length + body


class Client:
    """A connection that sends at QoS 1, one at a time, and reads what it subscribed to at QoS 0."""

    async def open(self, host: str, port: int, name: str) -> None:
        """Connect; try again for a while, as a bridge does: a new cluster refuses the first connections."""
        async with asyncio.timeout(PATIENCE):
            while True:
                with suppress(OSError, asyncio.IncompleteReadError):
                    self._reader, self._writer = await asyncio.open_connection(host, port)
                    self._writer.write(_packet(0x10, _text("MQTT") + bytes([4, 2, 0, 0]) + _text(name)))
                    if await self._read() == (0x20, b"\0\0"):
                        return
                await asyncio.sleep(1.0)

    async def _read(self) -> tuple[int, bytes]:
        (kind,) = await self._reader.readexactly(1)
        length, shift = 0, 0
        while True:
            (group,) = await self._reader.readexactly(1)
            length |= (group & 0x7F) << shift
            shift += 7
            if not group & 0x80:
                return kind, await self._reader.readexactly(length)

    async def send(self, topic: str, payload: bytes, *, is_retained: bool = False) -> None:
        """Send, and wait until the broker has it."""
        self._writer.write(_packet(0x32 | is_retained, _text(topic) + b"\0\1" + payload))
        kind, _ = await self._read()
        assert kind == 0x40

    async def subscribe(self, topic: str) -> None:
        self._writer.write(_packet(0x82, b"\0\1" + _text(topic) + b"\0"))

    async def heard(self) -> tuple[str, bytes] | None:
        """The next message; None for another packet."""
        kind, body = await self._read()
        if kind & 0xF0 != 0x30:
            return None
        length = int.from_bytes(body[:2], "big") + 2
        return body[2:length].decode(), body[length:]

    def close(self) -> None:
        self._writer.close()


#: Told of each message: the board, what was due, and the real times at which it was due and taken by the broker.
Watch = Callable[[str, Sent, float, float], None]


async def play(
    client: Client, board: str, hall: str, watch: Watch, ahead: float, *, is_whole: bool = True
) -> None:
    """Be a board: play the recorded game again and again, with keys of its own, the first from ``ahead`` on.

    Of the first what was before is caught up with, if it is to be whole.
    """
    game = recorded()
    greeted = payload_of(PresenceMessage(online=True, service={**greeting(), "seq": 0}))
    await client.send(topic_of(hall, board, Topic.PRESENCE), greeted, is_retained=True)
    for number in itertools.count():
        key = f"{board}-{number}".rjust(len(KEY), "0").encode()
        began = time.time() - (ahead if number == 0 else 0.0)
        for sent in game:
            due = began + sent.t
            if (wait := due - time.time()) > 0:
                await asyncio.sleep(wait)
            elif wait < -1.0 and (sent.topic in _STATES or (number == 0 and not is_whole)):
                continue
            payload = sent.payload.replace(KEY.encode(), key)
            await client.send(f"tamsk/{hall}/{board}/{sent.topic}", payload, is_retained=sent.is_retained)
            watch(board, sent, due, time.time())
