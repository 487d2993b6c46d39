"""The golden frames: against the text of firmware/PROTOCOL.md, and the codec against them.

``plain_crc``, ``plain_cobs`` and ``plain_content`` are written from PROTOCOL.md with nothing of the codec, so that
an error in it cannot hide in the data.
"""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.board import protocol

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[1] / "golden" / "frames.json").read_text(encoding="utf-8")
)

TYPE_BYTES = {
    "HELLO": 0x01,
    "SNAPSHOT": 0x02,
    "SETTINGS": 0x03,
    "RING_SIGNALS": 0x05,
    "IDENTIFY": 0x11,
    "SET": 0x12,
    "SELF_TEST": 0x13,
    "HEARTBEAT": 0x14,
    "SET_BOARD_ID": 0x15,
    "SET_THRESHOLDS": 0x16,
}

FRAME_BYTES = {
    "HELLO": 29,
    "SNAPSHOT": 75,
    "SETTINGS": 13,
    "RING_SIGNALS": 47,
    "IDENTIFY": 6,
    "SET": 13,
    "SELF_TEST": 6,
    "HEARTBEAT": 6,
    "SET_BOARD_ID": 10,
    "SET_THRESHOLDS": 15,
}


def plain_crc(data: bytes) -> int:
    """CRC-16/CCITT-FALSE bit by bit (PROTOCOL.md section 2)."""
    register = 0xFFFF
    for byte in data:
        register ^= byte << 8
        for _ in range(8):
            register = (register << 1 ^ 0x1021) & 0xFFFF if register & 0x8000 else register << 1
    return register


def plain_cobs(data: bytes) -> bytes:
    """COBS of fewer than 254 bytes: each zero is replaced by the distance to the next."""
    encoded = b""
    for group in data.split(b"\0"):
        encoded += bytes([len(group) + 1]) + group
    return encoded


def number(value: int, length: int) -> bytes:
    return bytes((value >> 8 * place) & 0xFF for place in range(length))


def plain_content(message: dict[str, Any]) -> bytes:
    """Type, seq and payload as the tables of PROTOCOL.md say."""
    head = bytes([TYPE_BYTES[message["type"]], message["seq"]])
    match message["type"]:
        case "HELLO":
            counts = [message[name] for name in ("ring_bits", "fields", "references", "holders", "silent_chips")]
            return (
                head
                + bytes(message["protocol"])
                + bytes(message["firmware"])
                + number(message["board_id"], 4)
                + number(message["boot_id"], 4)
                + bytes([message["reset_cause"]])
                + number(message["wiring_hash"], 4)
                + bytes(counts)
            )
        case "SNAPSHOT":
            return (
                head
                + number(message["time"], 4)
                + number(int(message["rings"], 16), 8)
                + number(int(message["unknown"], 16), 8)
                + bytes.fromhex(message["fields"])
                + bytes.fromhex(message["references"])
                + number(message["holders"][0], 3)
                + number(message["holders"][1], 3)
                + number(message["faults"], 2)
            )
        case "SETTINGS" | "SET":
            settings = message["settings"]
            return (
                head
                + number(settings["field_deadband"], 1)
                + number(settings["holder_deadband"], 2)
                + number(settings["shortest_interval"], 2)
                + number(settings["longest_interval"], 2)
            )
        case "RING_SIGNALS":
            signals = b"".join(
                number(signal["mean"], 2) + bytes((signal["deviation"], signal["threshold"], signal["dark"]))
                for signal in message["signals"]
            )
            return head + bytes([message["chip"]]) + signals
        case "SET_THRESHOLDS":
            return head + bytes([message["chip"]]) + bytes.fromhex(message["thresholds"])
        case "SET_BOARD_ID":
            return head + number(message["board_id"], 4)
        case _:
            return head


def value(message: dict[str, Any]) -> protocol.Message:
    """The codec's value of a golden message."""
    seq = message["seq"]
    match message["type"]:
        case "HELLO":
            return protocol.Hello(
                seq=seq,
                protocol=(message["protocol"][0], message["protocol"][1]),
                firmware=(message["firmware"][0], message["firmware"][1], message["firmware"][2]),
                board_id=message["board_id"],
                boot_id=message["boot_id"],
                reset_cause=protocol.ResetCause(message["reset_cause"]),
                wiring_hash=message["wiring_hash"],
                ring_bits=message["ring_bits"],
                fields=message["fields"],
                references=message["references"],
                holders=message["holders"],
                silent_chips=message["silent_chips"],
            )
        case "SNAPSHOT":
            return protocol.Snapshot(
                seq=seq,
                time=message["time"],
                rings=int(message["rings"], 16),
                unknown=int(message["unknown"], 16),
                fields=bytes.fromhex(message["fields"]),
                references=bytes.fromhex(message["references"]),
                holders=(message["holders"][0], message["holders"][1]),
                faults=message["faults"],
            )
        case "SETTINGS":
            return protocol.SettingsReport(seq, protocol.Settings(**message["settings"]))
        case "SET":
            return protocol.Set(seq, protocol.Settings(**message["settings"]))
        case "RING_SIGNALS":
            signals = tuple(protocol.RingSignal(**signal) for signal in message["signals"])
            return protocol.RingSignals(seq, message["chip"], signals)
        case "SET_THRESHOLDS":
            return protocol.SetThresholds(seq, message["chip"], bytes.fromhex(message["thresholds"]))
        case "IDENTIFY":
            return protocol.Identify(seq)
        case "SELF_TEST":
            return protocol.SelfTest(seq)
        case "HEARTBEAT":
            return protocol.Heartbeat(seq)
        case "SET_BOARD_ID":
            return protocol.SetBoardId(seq, message["board_id"])
        case other:
            raise AssertionError(f"golden message of unknown type {other}")


VALUES = {entry["name"]: value(entry["message"]) for entry in GOLDEN["messages"]}


def test_every_type_has_a_golden_message() -> None:
    assert {entry["message"]["type"] for entry in GOLDEN["messages"]} == set(TYPE_BYTES)


def test_the_check_value_of_the_crc() -> None:
    assert plain_crc(b"123456789") == 0x29B1
    assert protocol.crc16(b"123456789") == 0x29B1


@pytest.mark.parametrize("entry", GOLDEN["crc"], ids=lambda entry: str(entry["data"]))
def test_crc(entry: dict[str, str]) -> None:
    data = bytes.fromhex(entry["data"])
    assert plain_crc(data) == int(entry["crc"], 16)
    assert protocol.crc16(data) == int(entry["crc"], 16)


@pytest.mark.parametrize("entry", GOLDEN["cobs"], ids=lambda entry: str(entry["data"]))
def test_cobs_as_the_data_have_it(entry: dict[str, str]) -> None:
    assert plain_cobs(bytes.fromhex(entry["data"])).hex() == entry["encoded"]


@pytest.mark.parametrize("entry", GOLDEN["messages"], ids=lambda entry: str(entry["name"]))
def test_golden_messages_are_as_the_text_says(entry: dict[str, Any]) -> None:
    content = plain_content(entry["message"])
    frame = plain_cobs(content + bytes(divmod(plain_crc(content), 256))) + b"\0"
    assert content.hex() == entry["content"]
    assert frame.hex() == entry["frame"]
    assert len(frame) == FRAME_BYTES[entry["message"]["type"]] <= protocol.MAX_FRAME == 90


@pytest.mark.parametrize("entry", GOLDEN["messages"], ids=lambda entry: str(entry["name"]))
def test_messages_encode_to_their_golden_frames(entry: dict[str, Any]) -> None:
    assert protocol.encode(VALUES[entry["name"]]).hex() == entry["frame"]


@pytest.mark.parametrize("stream", GOLDEN["streams"], ids=lambda stream: str(stream["name"]))
def test_streams_decode_to_their_messages_and_counters(stream: dict[str, Any]) -> None:
    decoder = protocol.Decoder()
    messages = [message for chunk in stream["chunks"] for message in decoder.feed(bytes.fromhex(chunk))]
    assert messages == [VALUES[name] for name in stream["messages"]]
    assert dataclasses.asdict(decoder.counters) == stream["counters"]
