"""The core's frames: the golden ones, and any other against the Python codec."""

import json
import random
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.board.protocol import (
    FIELDS,
    REFERENCES,
    RING_INPUTS,
    Hello,
    ResetCause,
    RingSignal,
    RingSignals,
    Settings,
    SettingsReport,
    Snapshot,
    encode,
)
from tests.firmware.core_program import Core, byte_strings, words
from tests.soak import in_soak

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[1] / "golden" / "frames.json").read_text(encoding="utf-8")
)

FROM_BOARD = [
    each for each in GOLDEN["messages"] if each["message"]["type"] in ("HELLO", "SNAPSHOT", "SETTINGS")
] + [each for each in GOLDEN["messages"] if each["message"]["type"] == "RING_SIGNALS"]


def golden_command(message: dict[str, Any]) -> str:
    """Commands that have the core send a golden message."""
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
            return signals_command(
                RingSignals(
                    message["seq"], message["chip"], tuple(RingSignal(**each) for each in message["signals"])
                )
            )


def signals_command(message: RingSignals) -> str:
    """A command that has the core send these signals, laid out as in PROTOCOL.md section 3.4."""
    data = b"".join(
        each.mean.to_bytes(2, "little", signed=True) + bytes([each.deviation, each.threshold, each.dark])
        for each in message.signals
    )
    return words("signals", message.seq, message.chip, data)


@pytest.mark.parametrize("each", FROM_BOARD, ids=lambda each: each["name"])
def test_golden_message_is_encoded_to_its_frame(core: Core, each: dict[str, Any]) -> None:
    assert core.ask_one(golden_command(each["message"])) == each["frame"]


def random_bytes(chance: random.Random, count: int) -> bytes:
    """Bytes with runs of zeros and of 0xFF, where COBS and sign bits have their corners."""
    return bytes(chance.choice((0, 0, 0xFF, chance.randrange(256))) for _ in range(count))


def test_snapshots_are_encoded_as_by_the_python_codec(core: Core) -> None:
    chance = random.Random("snapshots")
    corners = (-(1 << 23), -65536, -32769, -1, 0, 1, 32768, 65535, (1 << 23) - 1)
    commands, frames = [], []
    for _ in range(in_soak(1500, otherwise=300)):
        rings, unknown = random_bytes(chance, 8), random_bytes(chance, 8)
        analog = random_bytes(chance, FIELDS + REFERENCES)
        red, black = (
            chance.choice((chance.choice(corners), chance.randrange(-(1 << 23), 1 << 23))) for _ in range(2)
        )
        seq, faults = chance.randrange(256), chance.randrange(1 << 16)
        time = int.from_bytes(random_bytes(chance, 4))
        commands.append(words("snapshot", seq, time, rings, unknown, analog, red, black, faults))
        frames.append(
            encode(
                Snapshot(
                    seq,
                    time,
                    int.from_bytes(rings, "little"),
                    int.from_bytes(unknown, "little"),
                    analog[:FIELDS],
                    analog[FIELDS:],
                    (red, black),
                    faults,
                )
            )
        )
    assert byte_strings(core.ask(commands)) == frames


def test_hellos_settings_and_signals_are_encoded_as_by_the_python_codec(core: Core) -> None:
    chance = random.Random("others")
    commands, frames = [], []
    for _ in range(500):
        seq = chance.randrange(256)
        version = random_bytes(chance, 5)
        board, boot, hashed = (int.from_bytes(random_bytes(chance, 4)) for _ in range(3))
        cause = chance.randrange(16)
        counts = random_bytes(chance, 5)
        commands.append(words("hello", seq, *version, board, boot, cause, hashed, *counts))
        hello = Hello(
            seq,
            (version[0], version[1]),
            (version[2], version[3], version[4]),
            board,
            boot,
            ResetCause(cause),
            hashed,
            *counts,
        )
        means = (int.from_bytes(random_bytes(chance, 2), "little", signed=True) for _ in range(RING_INPUTS))
        signals = RingSignals(
            seq, chance.randrange(8), tuple(RingSignal(mean, *random_bytes(chance, 3)) for mean in means)
        )
        commands.append(signals_command(signals))
        settings = Settings(
            chance.randrange(256),
            chance.choice((0, 255, 256, 32767, 32768, 65535)),
            chance.randrange(2500, 50001),
            chance.randrange(50000, 60001),
        )
        commands.append(
            words(
                "settings",
                seq,
                settings.field_deadband,
                settings.holder_deadband,
                settings.shortest_interval,
                settings.longest_interval,
            )
        )
        frames += [encode(hello), encode(signals), encode(SettingsReport(seq, settings))]
    assert byte_strings(core.ask(commands)) == frames
