"""Refereeing a recorded stream from its first line to its last (docs/formats.md, Command line)."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import BinaryIO, Final

from tamsk_hw.errors import InputError, StreamError
from tamsk_hw.referee import Referee
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.stream import is_torn, read_stream, shown_line
from tamsk_hw.system.reading import open_file, read_lines

#: Bytes of a line, and of a stream: an ordinary event has 60, an ordinary game 50 000.
LONGEST_LINE: Final = 64 * 1024
MOST_BYTES: Final = 64 * 1024 * 1024


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
        return [shown_line(ruling.as_dict()) for ruling in rulings]
    from tamsk_hw.words.rulings import line

    return [line(ruling) for ruling in rulings]


def replay_file(file: str, *, as_json: bool, warn: Callable[[str], None]) -> list[str]:
    """The rulings on the stream in ``file`` as lines to print; ``-`` is standard input.

    An unterminated last line that is no JSON is dropped, and ``warn`` is given a line about it.

    Raises:
        StreamError: the stream is refused.
        OSError: it cannot be read.
    """
    if file == "-":
        return _replay(sys.stdin.buffer, "standard input", as_json=as_json, warn=warn)
    try:
        stream = open_file(Path(file), pipe=True)
    except InputError as error:
        raise StreamError(f"{file}: {error}; allowed is a recorded stream") from None
    with stream:
        return _replay(stream, file, as_json=as_json, warn=warn)


def _replay(stream: BinaryIO, name: str, *, as_json: bool, warn: Callable[[str], None]) -> list[str]:
    lines = read_lines(stream, longest=LONGEST_LINE, most=MOST_BYTES)
    try:
        return replay_lines(_without_torn(lines, name, warn), name, as_json=as_json)
    except InputError as error:
        raise StreamError(f"{name} {error}; allowed is a recorded stream") from None


def _without_torn(lines: Iterable[bytes], name: str, warn: Callable[[str], None]) -> Iterator[bytes]:
    """The lines but for a torn one, which can only be the last."""
    for number, line in enumerate(lines, start=1):
        if is_torn(line):
            warn(f"{name} line {number}: cut off in the middle, as by a power cut: left out")
        else:
            yield line
