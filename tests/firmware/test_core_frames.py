"""The core's frames: the golden ones. The fuzzer has any others (tests/firmware/fuzz)."""

from typing import Any

import pytest

from tests.firmware.core_program import GOLDEN, Core, words

FROM_BOARD = [
    each
    for each in GOLDEN["messages"]
    if each["message"]["type"] in ("HELLO", "SNAPSHOT", "SETTINGS", "RING_SIGNALS")
]


def golden_command(golden: dict[str, Any]) -> str:
    """A command that has the core send a golden message."""
    message = golden["message"]
    match message["type"]:
        case "HELLO":
            return words(
                "hello",
                message["seq"],
                *message["protocol"],
                *message["firmware"],
                *(message[name] for name in ("board_id", "boot_id", "reset_cause", "wiring_hash")),
                *(message[name] for name in ("ring_bits", "fields", "references", "holders", "silent_chips")),
            )
        case "SNAPSHOT":
            return words(
                "snapshot",
                message["seq"],
                message["time"],
                bytes.fromhex(message["rings"])[::-1],
                bytes.fromhex(message["unknown"])[::-1],
                message["fields"] + message["references"],
                *message["holders"],
                message["faults"],
            )
        case "SETTINGS":
            names = ("field_deadband", "holder_deadband", "shortest_interval", "longest_interval")
            return words("settings", message["seq"], *(message["settings"][name] for name in names))
        case _:
            # What follows type, seq and chip is given as it is.
            return words("signals", message["seq"], message["chip"], bytes.fromhex(golden["content"])[3:])


@pytest.mark.parametrize("each", FROM_BOARD, ids=lambda each: each["name"])
def test_golden_message_is_encoded_to_its_frame(core: Core, each: dict[str, Any]) -> None:
    assert core.ask_one(golden_command(each)) == each["frame"]
