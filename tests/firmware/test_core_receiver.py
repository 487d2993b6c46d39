"""The core's receiver: the golden streams, and the Python Decoder's verdict on any bytes.

The core knows the host's messages only: what a board sends is *unknown* to it, and of a frame it keeps type, seq
and the first nine bytes of the payload. ``expected`` is what the Python side says in these terms.
"""

import json
import random
from pathlib import Path
from typing import Any

import pytest
from cobs import cobs

from tamsk_hw.board.protocol import (
    Decoder,
    Heartbeat,
    Identify,
    Message,
    MessageType,
    SelfTest,
    Set,
    SetBoardId,
    SetThresholds,
    Settings,
    crc16,
    encode,
)
from tests.firmware.core_program import Core, words

GOLDEN: dict[str, Any] = json.loads(
    (Path(__file__).resolve().parents[1] / "golden" / "frames.json").read_text(encoding="utf-8")
)

FRAMES = {each["name"]: bytes.fromhex(each["frame"]) for each in GOLDEN["messages"]}
CONTENTS = {each["name"]: bytes.fromhex(each["content"]) for each in GOLDEN["messages"]}

# As `enum command` of firmware/core/receiver.h counts them.
UNKNOWN, MISSHAPEN, IDENTIFY, SET, SELF_TEST, HEARTBEAT, SET_BOARD_ID, SET_THRESHOLDS = range(8)
HOST_COMMANDS = {
    Identify: IDENTIFY,
    Set: SET,
    SelfTest: SELF_TEST,
    Heartbeat: HEARTBEAT,
    SetBoardId: SET_BOARD_ID,
    SetThresholds: SET_THRESHOLDS,
}
#: What it has a least length for.
SHAPED = (MessageType.SET, MessageType.SET_BOARD_ID, MessageType.SET_THRESHOLDS)


def frame_of(content: bytes) -> bytes:
    encoded: bytes = cobs.encode(content + crc16(content).to_bytes(2, "big"))
    return encoded + b"\0"


def expected(data: bytes) -> list[str]:
    """The verdicts of the Python Decoder on ``data``, byte by byte, as the core tells them."""
    decoder = Decoder()
    verdicts = []
    last_zero = -1
    before = decoder.counters
    for place, byte in enumerate(data):
        messages: list[Message] = decoder.feed(bytes([byte]))
        after = decoder.counters
        if after.frames > before.frames:
            content = cobs.decode(data[last_zero + 1 : place])[:-2]
            command = UNKNOWN
            if messages:
                command = HOST_COMMANDS.get(type(messages[0]), UNKNOWN)
            elif after.misshapen > before.misshapen and content[0] in SHAPED:
                command = MISSHAPEN
            verdicts.append(f"F:{command}:{len(content) - 2}:{content[:11].hex()}")
        elif after.malformed > before.malformed:
            verdicts.append("M")
        elif after.crc_errors > before.crc_errors:
            verdicts.append("C")
        before = after
        if byte == 0:
            last_zero = place
    return verdicts


def received(core: Core, streams: list[bytes]) -> list[list[str]]:
    """The core's verdicts on each stream, each by a new receiver."""
    commands = []
    for stream in streams:
        commands += ["receiver", words("receive", stream)]
    return [answer.split() for answer in core.ask(commands)[1::2]]


@pytest.mark.parametrize("stream", GOLDEN["streams"], ids=lambda stream: stream["name"])
def test_golden_stream(core: Core, stream: dict[str, Any]) -> None:
    # Against the data file itself; the Python Decoder has no part in this one.
    chunks = [bytes.fromhex(chunk) for chunk in stream["chunks"]]
    answers = core.ask(["receiver", *(words("receive", chunk) for chunk in chunks)])[1:]
    verdicts = " ".join(answers).split()
    counters = stream["counters"]
    frames = [verdict for verdict in verdicts if verdict.startswith("F")]
    assert len(frames) == counters["frames"]
    assert verdicts.count("M") == counters["malformed"]
    assert verdicts.count("C") == counters["crc_errors"]
    # Of the good frames those that are neither unknown nor misshapen are the named messages, in order.
    heads = [bytes.fromhex(verdict.split(":")[3]) for verdict in frames]
    named = [CONTENTS[name][:11] for name in stream["messages"]]
    if not counters["unknown"] and not counters["misshapen"]:
        # Bytes beyond the payload that is known are there as well, but not looked at.
        assert [head[: len(name)] for head, name in zip(heads, named, strict=True)] == named
    else:
        rest = iter(heads)
        assert all(head in rest for head in named)
        assert len(heads) - len(named) == counters["unknown"] + counters["misshapen"]


def test_every_length_around_the_limits(core: Core) -> None:
    streams = [bytes([1] * length) + b"\0" for length in range(200)]
    streams += [frame_of(bytes([0x14, 1]) + bytes([7] * length)) for length in range(100)]
    assert received(core, streams) == [expected(stream) for stream in streams]
    # 84 bytes of payload are the most: 88 of content, 89 on the line before the zero byte.
    assert expected(frame_of(bytes([0x14, 1]) + bytes([7] * 84))) != ["M"]
    assert expected(frame_of(bytes([0x14, 1]) + bytes([7] * 85))) == ["M"]


def damaged(chance: random.Random, frame: bytes) -> bytes:
    """A frame with a bit turned, a byte lost, doubled or put in, or cut."""
    data = bytearray(frame)
    place = chance.randrange(len(data))
    match chance.randrange(6):
        case 0:
            data[place] ^= 1 << chance.randrange(8)
        case 1:
            del data[place]
        case 2:
            data.insert(place, data[place])
        case 3:
            data.insert(place, chance.randrange(256))
        case 4:
            del data[place:]
        case _:
            del data[:place]
    return bytes(data)


def random_stream(chance: random.Random) -> bytes:
    """Good frames, damaged frames, noise, and frames with a right CRC that mean nothing."""
    seq = chance.randrange(256)
    parts = []
    for _ in range(chance.randrange(1, 12)):
        match chance.randrange(6):
            case 0:
                parts.append(chance.choice(list(FRAMES.values())))
            case 1:
                settings = Settings(chance.randrange(256), chance.randrange(65536))
                named = SetBoardId(seq, chance.choice((1, 0x80000000, 0xFFFFFFFE)))
                limits = SetThresholds(seq, chance.randrange(8), bytes(chance.randrange(5, 256) for _ in range(8)))
                said = (Identify(seq), SelfTest(seq), Heartbeat(seq), Set(seq, settings), named, limits)
                parts.append(encode(chance.choice(said)))
            case 2:
                parts.append(damaged(chance, chance.choice(list(FRAMES.values()))))
            case 3:
                parts.append(bytes(chance.randrange(256) for _ in range(chance.randrange(120))))
            case 4:
                # Noise of few values: zeros and small COBS codes meet often.
                parts.append(bytes(chance.choice((0, 1, 1, 2, 3, 5, 255)) for _ in range(chance.randrange(120))))
            case _:
                kind = chance.choice((0x11, 0x12, 0x13, 0x14, 0x15, 0x16, chance.randrange(256)))
                content = bytes([kind, seq]) + bytes(
                    chance.choice((0, chance.randrange(256))) for _ in range(chance.randrange(90))
                )
                parts.append(frame_of(content))
    return b"".join(parts)


def test_random_streams_have_the_python_decoders_verdict(core: Core) -> None:
    chance = random.Random("receiver")
    streams = [random_stream(chance) for _ in range(1800)]
    wanted = [expected(stream) for stream in streams]
    assert received(core, streams) == wanted
    # The streams are worth something only when every verdict is among them, and often.
    kinds = [verdict[:4] for verdicts in wanted for verdict in verdicts]
    for kind in ("M", "C", *(f"F:{command}:" for command in range(8))):
        assert kinds.count(kind) > 20, kind


def test_bytes_may_come_in_any_pieces(core: Core) -> None:
    chance = random.Random("pieces")
    stream = b"".join(random_stream(chance) for _ in range(20))
    commands, place = ["receiver"], 0
    while place < len(stream):
        length = chance.randrange(0, 40)
        commands.append(words("receive", stream[place : place + length]))
        place += length
    assert " ".join(core.ask(commands)).split() == expected(stream)
