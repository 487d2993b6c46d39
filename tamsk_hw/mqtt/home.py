"""A board shows up in Home Assistant by itself: one message says what it is and where its state is found.

As Home Assistant's MQTT integration has it (Device discovery payload, Birth and last will messages).
"""

import json
from typing import Any, Final

from tamsk_hw import __version__
from tamsk_hw.mqtt.messages import Topic, topic_of

#: Home Assistant's own state: whoever is discovered says so again when it is born.
STATUS: Final = "homeassistant/status"
BORN: Final = b"online"

#: What is shown of a board: its name, the kind of thing, and its value in a state.
_SHOWN: Final = (
    ("Phase", "sensor", "value_json.state.phase"),
    ("To move", "sensor", "value_json.state.turn or 'nobody'"),
    ("Red's rings left", "sensor", "value_json.state.left.red"),
    ("Black's rings left", "sensor", "value_json.state.left.black"),
    ("Arbiter called", "binary_sensor", "'ON' if value_json.state.question else 'OFF'"),
)


def discovery_topic(hall: str, board: str) -> str:
    """The topic of the message by which a board is discovered."""
    return f"homeassistant/device/tamsk-{hall}/{board}/config"


def discovery(hall: str, board: str) -> tuple[str, bytes]:
    """The topic and the message by which a board is discovered."""
    name = f"tamsk:{hall}:{board}"
    parts: dict[str, dict[str, Any]] = {}
    for place, (label, platform, value) in enumerate(_SHOWN):
        key = f"{name}-{place}"
        parts[key] = {
            "platform": platform,
            "unique_id": key,
            "name": label,
            "value_template": f"{{{{ {value} }}}}",
        }
    message = {
        "device": {"identifiers": [name], "name": f"TAMSK {board}", "sw_version": __version__},
        "origin": {"name": "tamsk-hw", "sw_version": __version__},
        "availability_topic": topic_of(hall, board, Topic.PRESENCE),
        "availability_template": "{{ 'online' if value_json.online else 'offline' }}",
        "state_topic": topic_of(hall, board, Topic.STATE),
        "components": parts,
    }
    return discovery_topic(hall, board), json.dumps(message).encode()
