"""The connection to a broker ends when it is to end."""

import asyncio
from pathlib import Path

import pytest

from tamsk_hw.configuration.settings import MqttSettings
from tamsk_hw.mqtt import bridge as bridge_module
from tamsk_hw.mqtt.bridge import Bridge
from tamsk_hw.mqtt.broker import connected, for_ever
from tamsk_hw.mqtt.messages import GamesMessage, PresenceMessage, Topic
from tests.mqtt.broker import PATIENCE, broker
from tests.web.stream import greeting


def test_a_bridge_that_sends_all_the_time_ends_at_whatever_moment(tmp_path: Path) -> None:
    """Python 3.11's `asyncio.wait_for` misses a cancellation that comes together with the broker's answer."""

    async def end(port: int) -> None:
        settings, busy = MqttSettings(port=port, hall="club", board="B"), asyncio.Event()

        async def send() -> None:
            async with connected(settings, "B", None) as made:
                while True:
                    await made.publish("B", GamesMessage(games={}))
                    busy.set()

        for steps in range(0, 200, 5):
            task = asyncio.create_task(for_ever(settings, send))
            await busy.wait()
            for _ in range(steps):
                await asyncio.sleep(0)
            task.cancel()
            assert (await asyncio.wait([task], timeout=PATIENCE))[0], steps
            busy.clear()

    with broker(tmp_path / "broker") as started:
        asyncio.run(end(started.port))


def test_a_board_that_a_late_last_will_called_absent_says_that_it_is_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bridge_module, "PRESENCE_SECONDS", 0.1)

    async def heard(port: int) -> list[bool]:
        settings, told = MqttSettings(port=port, hall="club", board="B"), list[bool]()
        bridge = Bridge(settings, [], tmp_path, is_simulated=True)
        bridge._outbox.greeted(greeting())
        async with asyncio.timeout(PATIENCE), connected(settings, "hall", None) as hall:
            await hall.subscribe("+", [Topic.PRESENCE])
            running = asyncio.create_task(for_ever(settings, bridge._connect))
            async for _, _, message, _ in hall.messages():
                if not told:
                    await hall.publish("B", PresenceMessage(online=False))
                told.append(isinstance(message, PresenceMessage) and message.online)
                if told[-1] and not all(told):
                    break
        running.cancel()
        return told

    with broker(tmp_path / "broker") as started:
        assert asyncio.run(heard(started.port))[-2:] == [False, True]
