"""Records that `firmware/host/codec_fuzzer.c` writes of inputs: the input, and what the core made of it."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import IntEnum
from struct import Struct
from typing import IO

from tamsk_hw.board.protocol import RING_BITS


class Verdict(IntEnum):
    """``enum receiver_verdict`` of firmware/core/receiver.h."""

    FRAME = 1
    MALFORMED = 2
    CRC_ERROR = 3


class Command(IntEnum):
    """``enum command`` of firmware/core/receiver.h."""

    UNKNOWN = 0
    MISSHAPEN = 1
    IDENTIFY = 2
    SET = 3
    SELF_TEST = 4
    HEARTBEAT = 5
    SET_BOARD_ID = 6
    SET_THRESHOLDS = 7


@dataclass(frozen=True, slots=True)
class Told:
    """A verdict: the place of the byte that brought it; of a whole frame the command, payload and beginning."""

    place: int
    verdict: int
    command: int = 0
    payload: int = 0
    kept: bytes = b""


@dataclass(frozen=True, slots=True)
class Record:
    """An input, and what the core made of it."""

    data: bytes
    told: list[Told]
    controller: bytes
    thresholds: bytes
    messages: bytes


_LENGTH = Struct("<I")
_SHORT = Struct("<H")
_VERDICT = Struct("<IBBBB")


class Cut(Exception):
    """The stream ended."""


def records(stream: IO[bytes]) -> Iterator[Record]:
    """All whole records of a stream. One that is cut off is left out: the fuzzer itself says why it ended."""

    def read(count: int) -> bytes:
        data = stream.read(count)
        if len(data) != count:
            raise Cut
        return data

    try:
        while True:
            data = read(*_LENGTH.unpack(read(4)))
            told = []
            for _ in range(_SHORT.unpack(read(2))[0]):
                place, verdict, command, payload, kept = _VERDICT.unpack(read(8))
                told.append(Told(place, verdict, command, payload, read(kept)))
            controller = read(*_SHORT.unpack(read(2)))
            thresholds = read(RING_BITS)
            messages = read(*_SHORT.unpack(read(2)))
            yield Record(data, told, controller, thresholds, messages)
    except Cut:
        return
