"""The bundle's part of the line: some seconds of raw bytes without the board's id, and the same decoded."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tamsk_hw.board.link_events import Unreachable
from tamsk_hw.board.protocol import Decoder, Hello, encode
from tamsk_hw.board.serial_link import SerialLink
from tamsk_hw.words.hardware import link_error
from tamsk_hw.workbench.frames.frames import Report
from tamsk_hw.workbench.listening import Board, Clock, polls_within

#: Seconds for which the line is listened to, and bytes that are kept at most: as many as it can carry meanwhile.
LISTEN: Final = 3.0
MOST_BYTES: Final = 200_000


def listen(port: str, wiring_hash: int, clock: Clock) -> bytes:
    """The bytes that come on the line in `LISTEN` seconds.

    Raises:
        LinkError: the port cannot be opened.
    """
    heard = bytearray()
    link = SerialLink(port, wiring_hash, tap=heard.extend)
    try:
        for events in polls_within(link, clock, LISTEN):
            for event in events:
                if isinstance(event, Unreachable):
                    raise link_error(event.reason)
    finally:
        link.close()
    return bytes(heard[:MOST_BYTES])


def harmless_bytes(raw: bytes) -> bytes:
    """The same frames, the board's id in them 0. What is no whole frame becomes as many bytes 0xFF."""
    cleaned: list[bytes] = []
    for segment in raw.split(b"\0"):
        match Decoder().feed(segment + b"\0") if segment else []:
            case [Hello() as hello]:
                segment = encode(replace(hello, board_id=0)).rstrip(b"\0")
            case [_]:
                pass
            case _:
                segment = b"\xff" * len(segment)
        cleaned.append(segment)
    return b"\0".join(cleaned)


def decoded(raw: bytes, board: Board) -> str:
    """The bytes as ``tamsk-hw frames`` shows them."""
    lines: list[str] = []
    report = Report(board, lines.append)
    report.take(raw)
    report.end()
    return "\n".join([*lines, ""])
