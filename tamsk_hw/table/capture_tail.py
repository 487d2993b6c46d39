"""The last minutes of a capture, as a capture that begins in the middle of a game: for bug reports."""

from __future__ import annotations

import json
from collections.abc import Iterable
from dataclasses import replace

from tamsk_hw.board.protocol import Decoder, encode
from tamsk_hw.board.protocol.messages import Hello
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.referee.stream import event_as_dict, json_line
from tamsk_hw.table.capture_replay import Taken, replay_capture
from tamsk_hw.table.captured import Captured, Game, Read, read_capture


def last_minutes(lines: Iterable[bytes], wiring: Wiring, seconds: float, name: str = "capture") -> list[str]:
    """The lines of a capture that covers the last ``seconds`` of another; all of one that is no longer.

    It begins with the game's header and past events, the port opened and the board's HELLO, without its id.

    Raises:
        StreamError: the capture is refused, or is of a board with another wiring map.
    """
    kept = [line.decode("utf-8", "replace").strip() for line in lines if line.strip()]
    del kept[_whole(kept) :]
    captured = read_capture((f"{line}\n".encode() for line in kept), name)
    items = captured.items
    if not items or items[-1].t - items[0].t <= seconds:
        return kept
    cut = next(place for place, item in enumerate(items) if item.t > items[-1].t - seconds)
    before = replace(captured, items=items[:cut])
    games = [item for item in before.items if isinstance(item, Game)]
    header = games[-1].header if games else captured.head.header
    began = games[-1].t if games else items[0].t
    past = list(games[-1].past) if games else []
    past += [
        each.event for each in replay_capture(before, wiring, name) if isinstance(each, Taken) and each.at >= began
    ]
    zero = began - (games[-1].watched if games else 0.0)
    t = items[cut].t
    head = {**json.loads(kept[0]), "header": header.as_dict(), "offered": True}
    hello = _hello(before)
    rest = [line for line in kept[1:] if json.loads(line)["t"] >= t]
    return [
        json_line(head),
        json_line({"t": t, "port": "open"}),
        *([json_line({"t": t, "rx": hello.hex()})] if hello else []),
        json_line(
            {
                "t": t,
                "header": header.as_dict(),
                "past": [event_as_dict(event) for event in past],
                "watched": max(0.0, t - zero),
            }
        ),
        *rest,
    ]


def _whole(lines: list[str]) -> int:
    """The number of lines without a torn last one."""
    try:
        json.loads(lines[-1])
    except (ValueError, IndexError):
        return max(0, len(lines) - 1)
    return len(lines)


def _hello(captured: Captured) -> bytes:
    """The last HELLO in it, without the board's id; nothing where there is none."""
    decoder = Decoder()
    hello = b""
    for item in captured.items:
        if isinstance(item, Read):
            for message in decoder.feed(item.data):
                if isinstance(message, Hello):
                    hello = encode(replace(message, board_id=0))
    return hello
