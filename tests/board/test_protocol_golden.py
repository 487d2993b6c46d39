"""The golden frames, which are written by hand, and the codec against them."""

import dataclasses
import json
from binascii import crc_hqx
from pathlib import Path
from typing import Any

import pytest
from cobs import cobs

from tamsk_hw.board import protocol

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[1] / "golden" / "frames.json").read_text(encoding="utf-8")
)

CLASSES: dict[str, Any] = {
    "HELLO": protocol.Hello,
    "SNAPSHOT": protocol.Snapshot,
    "SETTINGS": protocol.SettingsReport,
    "RING_SIGNALS": protocol.RingSignals,
    "IDENTIFY": protocol.Identify,
    "SET": protocol.Set,
    "SELF_TEST": protocol.SelfTest,
    "HEARTBEAT": protocol.Heartbeat,
    "SET_BOARD_ID": protocol.SetBoardId,
    "SET_THRESHOLDS": protocol.SetThresholds,
}


def value(message: dict[str, Any]) -> protocol.Message:
    """The codec's value of a golden message."""
    values = {name: plain_value(name, told) for name, told in message.items() if name != "type"}
    made: protocol.Message = CLASSES[message["type"]](**values)
    return made


def plain_value(name: str, told: Any) -> Any:
    """What the codec has for one entry of a golden message, in which bytes and bits are hexadecimal."""
    match name:
        case "reset_cause":
            return protocol.ResetCause(told)
        case "settings":
            return protocol.Settings(**told)
        case "signals":
            return tuple(protocol.RingSignal(**signal) for signal in told)
        case "rings" | "unknown":
            return int(told, 16)
    if isinstance(told, str):
        return bytes.fromhex(told)
    return tuple(told) if isinstance(told, list) else told


VALUES = {entry["name"]: value(entry["message"]) for entry in GOLDEN["messages"]}


def test_every_type_has_a_golden_message() -> None:
    assert {entry["message"]["type"] for entry in GOLDEN["messages"]} == set(CLASSES)


@pytest.mark.parametrize("entry", GOLDEN["crc"], ids=lambda entry: str(entry["data"]))
def test_crc(entry: dict[str, str]) -> None:
    assert crc_hqx(bytes.fromhex(entry["data"]), 0xFFFF) == int(entry["crc"], 16)


@pytest.mark.parametrize("entry", GOLDEN["cobs"], ids=lambda entry: str(entry["data"]))
def test_cobs_as_the_data_have_it(entry: dict[str, str]) -> None:
    assert cobs.encode(bytes.fromhex(entry["data"])).hex() == entry["encoded"]


@pytest.mark.parametrize("entry", GOLDEN["messages"], ids=lambda entry: str(entry["name"]))
def test_messages_encode_to_their_golden_frames(entry: dict[str, Any]) -> None:
    assert protocol.encode(VALUES[entry["name"]]).hex() == entry["frame"]
    assert len(entry["frame"]) <= 2 * protocol.MAX_FRAME


@pytest.mark.parametrize("stream", GOLDEN["streams"], ids=lambda stream: str(stream["name"]))
def test_streams_decode_to_their_messages_and_counters(stream: dict[str, Any]) -> None:
    decoder = protocol.Decoder()
    messages = [message for chunk in stream["chunks"] for message in decoder.feed(bytes.fromhex(chunk))]
    assert messages == [VALUES[name] for name in stream["messages"]]
    assert dataclasses.asdict(decoder.counters) == stream["counters"]
