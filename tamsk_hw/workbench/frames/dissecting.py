"""Dissects a stream of bytes: messages, damaged frames with their bytes, and the number of missing frames.

The link's own `Decoder` classifies each piece by its counters; this module keeps the bytes that belong to it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import Enum

from tamsk_hw.board.protocol import MAX_FRAME, Decoder, DecoderCounters, Message


class FrameDamage(Enum):
    """The ways in which a frame is damaged; the value is its counter in `DecoderCounters`."""

    MALFORMED = "malformed"
    CRC_ERROR = "crc_errors"
    UNKNOWN = "unknown"
    MISSHAPEN = "misshapen"


@dataclass(frozen=True, slots=True)
class Missing:
    """``count`` frames (1 … 255) are missing before the next one, by its seq."""

    count: int


@dataclass(frozen=True, slots=True)
class Damaged:
    """Bytes that form no message, without their zero byte; ``cut``: only the beginning of what is too long."""

    why: FrameDamage
    data: bytes
    cut: bool = False


@dataclass(frozen=True, slots=True)
class Unfinished:
    """The bytes at the end that no zero byte follows."""

    data: bytes


Piece = Message | Missing | Damaged | Unfinished


class Dissector:
    """Takes bytes as they come; the same bytes give the same pieces however they are cut up."""

    def __init__(self) -> None:
        self._decoder = Decoder()
        self._held = b""
        self._dropping = False

    @property
    def counters(self) -> DecoderCounters:
        """The decoder's counters as they stand now."""
        return self._decoder.counters

    def feed(self, data: bytes) -> Iterator[Piece]:
        """The pieces that these bytes finish, in order. Exhaust it before the next call."""
        *ended, rest = data.split(b"\0")
        for segment in ended:
            yield from self._take(segment, ends=True)
        if rest:
            yield from self._take(rest, ends=False)

    def restart(self) -> Iterator[Piece]:
        """The line was opened again, or has ended: give what was unfinished. Counters go on."""
        held, self._held = self._held, b""
        dropping, self._dropping = self._dropping, False
        self._decoder.restart()
        if held and not dropping:
            yield Unfinished(held)

    def _take(self, segment: bytes, *, ends: bool) -> Iterator[Piece]:
        """Bytes without a zero byte; ``ends``: one follows them."""
        before = self._decoder.counters
        messages = self._decoder.feed(segment + b"\0" if ends else segment)
        after = self._decoder.counters
        held = self._held + segment
        self._held = b"" if ends else held[:MAX_FRAME]
        if self._dropping:
            self._dropping = not ends
            return
        if after.missing != before.missing:
            yield Missing(after.missing - before.missing)
        yield from messages
        for why in FrameDamage:
            if getattr(after, why.value) != getattr(before, why.value):
                # The beginning of an overlong frame is reported at once: its end may never come.
                self._dropping = not ends
                yield Damaged(why, held[:MAX_FRAME], cut=len(held) >= MAX_FRAME)


def counted(counters: DecoderCounters) -> dict[str, int]:
    """The counters with their names."""
    return {field.name: getattr(counters, field.name) for field in fields(counters)}
