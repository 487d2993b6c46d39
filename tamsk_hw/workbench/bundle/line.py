"""The bundle's part of the line: some seconds of raw bytes without the board's id, and the same decoded."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from tamsk_hw.board.link import SerialLink, Unreachable
from tamsk_hw.board.protocol import Decoder, encode
from tamsk_hw.board.protocol.messages import Hello
from tamsk_hw.words.link import link_error
from tamsk_hw.workbench.frames.frames import Report
from tamsk_hw.workbench.listening import Board, Clock, polls_within

#: Seconds for which the line is listened to, and bytes that are kept at most: as many as it can carry meanwhile.
LISTEN: Final = 3.0
MOST_BYTES: Final = 200_000

#: Bytes in a row that identify the board's id.
_TELLING: Final = 3


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


def without_board_id(raw: bytes, board_id: int | None) -> bytes:
    """The same bytes, the board's id in them 0; ``board_id`` as known from elsewhere, for frames that are damaged.

    A damaged frame with (most of) the id in it becomes as many bytes 0xFF.
    """
    ids = {board_id} if board_id else set()
    segments = raw.split(b"\0")
    cleaned: list[bytes] = []
    for segment in segments:
        messages = Decoder().feed(segment + b"\0") if segment else []
        if len(messages) == 1 and isinstance(messages[0], Hello):
            ids.add(messages[0].board_id)
            segment = encode(replace(messages[0], board_id=0)).rstrip(b"\0")
        cleaned.append(segment)
    runs = [
        each[start : start + _TELLING]
        for each in (number.to_bytes(4, "little") for number in ids)
        for start in range(4 - _TELLING + 1)
        if each[start : start + _TELLING].strip(b"\0")
    ]
    return b"\0".join(
        b"\xff" * len(segment) if any(run in segment for run in runs) else segment for segment in cleaned
    )


def decoded(raw: bytes, board: Board) -> str:
    """The bytes as ``tamsk-hw frames`` shows them."""
    lines: list[str] = []
    report = Report(board, lines.append)
    report.take(raw)
    report.end()
    return "\n".join([*lines, ""])
