"""A board is discovered by Home Assistant, and again when that was born."""

import asyncio
import json
import subprocess
from pathlib import Path
from typing import Any

import aiomqtt
from jinja2 import Environment, StrictUndefined

from tamsk_hw.mqtt.home import discovery
from tests.mqtt.broker import PATIENCE, Place, broker
from tests.web.moments import told


def test_a_board_is_announced_at_its_start_and_at_home_assistants_birth(
    tmp_path: Path, processes: list[subprocess.Popen[Any]]
) -> None:
    async def heard(port: int) -> list[bytes]:
        async with asyncio.timeout(PATIENCE), aiomqtt.Client("127.0.0.1", port) as home:
            await home.subscribe("homeassistant/device/+/+/config", qos=1)
            found = []
            async for message in home.messages:
                found.append(message.payload)
                if len(found) == 2:
                    return found
                await home.publish("homeassistant/status", b"online", qos=1)
        raise AssertionError

    with broker(tmp_path / "broker") as started:
        Place(tmp_path / "one", processes, started.port, board="one").start("mqtt")
        _, payload = discovery("club", "one")
        assert asyncio.run(heard(started.port)) == [payload, payload]


def test_what_is_announced_is_found_in_what_a_board_sends() -> None:
    """The keys of Home Assistant's documentation, and templates that lead into a state."""
    topic, payload = discovery("club", "one")
    message = json.loads(payload)
    assert topic == "homeassistant/device/tamsk-club/one/config"
    assert message.keys() >= {"device", "origin", "components", "state_topic", "availability_topic"}
    assert message["state_topic"] == "tamsk/club/one/state"
    environment = Environment(undefined=StrictUndefined)
    *_, last = told("asked")
    shown = {}
    for key, part in message["components"].items():
        assert part["unique_id"] == key
        assert part["platform"] in ("sensor", "binary_sensor")
        shown[part["name"]] = environment.from_string(part["value_template"]).render(value_json=last)
    assert shown == {
        **{"Phase": "play", "To move": "red", "Arbiter called": "ON"},
        **{"Red's rings left": "32", "Black's rings left": "31"},
    }
    template = environment.from_string(message["availability_template"])
    assert [template.render(value_json={"online": each}) for each in (True, False)] == ["online", "offline"]
