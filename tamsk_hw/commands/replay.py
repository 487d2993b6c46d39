"""Refereeing a recorded stream from its first line to its last (docs/formats.md, Command line)."""

from __future__ import annotations

from collections.abc import Iterable

from tamsk_hw.referee import Referee
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.stream import json_line, read_stream


def referee_stream(lines: Iterable[str | bytes], name: str) -> list[Ruling]:
    """All rulings on a stream.

    Raises:
        StreamError: the stream is refused; ``name`` and the line are in the message.
    """
    header, events = read_stream(lines, name)
    referee = Referee(header)
    rulings: list[Ruling] = []
    for event in events:
        rulings += referee.handle(event)
    return rulings


def replay_lines(lines: Iterable[str | bytes], name: str, *, as_json: bool) -> list[str]:
    """The rulings on a stream as lines to print: JSON objects, or words.

    Nothing is given out before the whole stream has been taken.

    Raises:
        StreamError: the stream is refused.
    """
    rulings = referee_stream(lines, name)
    if as_json:
        return [json_line(ruling.as_dict()) for ruling in rulings]
    from tamsk_hw.words.rulings import line

    return [line(ruling) for ruling in rulings]
