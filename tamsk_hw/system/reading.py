"""Bounded reading of what a person gives: whole files, and lines.

A device, a pipe and a folder are no files: `read_file` refuses them before it opens them, since opening a serial
line resets its board and opening a pipe waits. Nothing larger than its bound is ever held in memory.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, Final

from tamsk_hw.errors import InputError

_KINDS: Final = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (lambda mode: stat.S_ISCHR(mode) or stat.S_ISBLK(mode), "a device"),
)


def read_file(path: Path, most: int) -> bytes:
    """The content of a file of at most ``most`` bytes. ``/dev/null`` counts as an empty one.

    Raises:
        InputError: it is no file, or larger.
        OSError: it cannot be read.
    """
    with open_file(path) as file:
        data = file.read(most + 1)
    if len(data) > most:
        raise InputError(f"larger than {_size(most)}")
    return data


def open_file(path: Path, *, pipe: bool = False) -> BinaryIO:
    """A file opened for reading; ``pipe``: it may be one.

    Raises:
        InputError: it is no file.
        OSError: it cannot be opened.
    """
    try:
        _check(os.stat(path), pipe=pipe)
        # Should a pipe or a terminal have taken its place meanwhile, opening it neither waits nor takes it over.
        waits = 0 if pipe else os.O_NONBLOCK
        file = os.fdopen(os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NOCTTY | waits), "rb")
    except ValueError as error:  # a path with a NUL
        raise InputError(f"no path: {error}") from None
    try:
        _check(os.fstat(file.fileno()), pipe=pipe)
    except InputError:
        file.close()
        raise
    return file


def read_lines(file: BinaryIO, *, longest: int, most: int) -> Iterator[bytes]:
    """The lines of ``file`` with their ends, each of at most ``longest`` bytes, all together of at most ``most``.

    Raises:
        InputError: a line is longer, or the whole; the message names the line.
        OSError: it cannot be read.
    """
    size = number = 0
    while line := file.readline(longest + 1):
        number += 1
        size += len(line)
        if len(line) > longest:
            raise InputError(f"line {number}: longer than {_size(longest)}")
        if size > most:
            raise InputError(f"line {number}: larger than {_size(most)} in all")
        yield line


def _check(status: os.stat_result, *, pipe: bool) -> None:
    """Refuse what is no file."""
    mode = status.st_mode
    if stat.S_ISREG(mode) or (pipe and stat.S_ISFIFO(mode)):
        return
    if stat.S_ISCHR(mode) and status.st_rdev == os.stat(os.devnull).st_rdev:
        return
    kind = next((name for is_kind, name in _KINDS if is_kind(mode)), "something else")
    raise InputError(f"{kind}, not a file")


def _size(count: int) -> str:
    """A bound in the largest unit that divides it."""
    for unit, size in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if count % size == 0:
            return f"{count // size} {unit}"
    return f"{count} bytes"
