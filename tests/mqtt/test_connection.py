"""The connection to a broker ends when it is to end."""

import asyncio
from pathlib import Path

from tamsk_hw.configuration.settings import MqttSettings
from tamsk_hw.mqtt.broker import connected, for_ever
from tamsk_hw.mqtt.messages import GamesMessage
from tests.mqtt.broker import PATIENCE, broker


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
