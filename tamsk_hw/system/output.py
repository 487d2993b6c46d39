"""Output for people, and the language that it is in.

A service never waits for its readers: `output_in_background` has its standard streams written in a thread. One
line takes the place of those that nobody has read in time. A command does wait for its readers
(`wait_for_readers`).

`environment_language` is the language that the environment asks for; sentences to be translated are `marked`.
"""

from __future__ import annotations

import io
import os
import re
import select
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from enum import Enum
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, ClassVar, Final, Self, cast

from tamsk_hw.system.background import BackgroundWriter, write_all

if TYPE_CHECKING:
    from _typeshed import ReadableBuffer as Buffer


#: The folder of the catalogues: one in it for each language but English, under its code of ISO 639-1.
CATALOGUES: Final = Path(__file__).parents[1] / "words" / "catalogues"


class Language(Enum):
    """The languages of the program, by their codes: English, and each that has a catalogue (``DE``)."""

    _ignore_ = "members folder"

    ENGLISH = "en"
    members = vars()
    for folder in sorted(CATALOGUES.glob("*/LC_MESSAGES")):
        members[folder.parent.name.upper()] = folder.parent.name


#: Where POSIX looks for the language of messages; the first variable that is set and not empty decides.
_VARIABLES: Final = ("LC_ALL", "LC_MESSAGES", "LANG")


def environment_language(environment: Mapping[str, str]) -> Language:
    """The language of a locale's name, as ``de_AT.UTF-8``; English for any other, and without one."""
    name = next((value for variable in _VARIABLES if (value := environment.get(variable))), "")
    code = name.partition(".")[0].partition("@")[0].partition("_")[0].lower()
    return next((language for language in Language if language.value == code), Language.ENGLISH)


def marked(message: str, /) -> str:
    """The message as it stands, for a table of sentences; `tamsk_hw.words.translating.worded` translates it."""
    return message


class BaseNotice:
    """News for people at the board, as facts: the base of frozen dataclasses."""

    __slots__ = ()
    code: ClassVar[str]
    """Its name in the live stream: by itself that of the class, as ``board_lost`` of ``BoardLost``."""
    sentence: ClassVar[str]
    """It in words, which name its fields; others are put together (`tamsk_hw.words.notices`)."""
    is_warning: ClassVar[bool] = True
    """People should put something right or look at it."""

    def __init_subclass__(cls) -> None:
        """Name the class in the live stream."""
        cls.code = vars(cls).get("code") or re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()


class SentenceEnum(Enum):
    """An enumeration whose members have a value and a sentence that is `marked`."""

    sentence: str

    def __new__(cls, value: str, sentence: str) -> Self:
        """A member of that value."""
        member = object.__new__(cls)
        member._value_, member.sentence = value, sentence
        return member


class _WaitingFile(io.FileIO):
    """A descriptor whose writes wait for its reader, also where another program has made it non-blocking."""

    def write(self, data: Buffer, /) -> int:
        """Write at least a part of the data; give the number of its bytes."""
        while (written := cast(int | None, super().write(data))) is None:
            select.select([], [self], [])
        return written


def wait_for_readers() -> None:
    """Have the standard streams write everything, however slowly it is read.

    Python leaves out what a non-blocking pipe does not take at once.
    """
    for name in ("stdout", "stderr"):
        stream = getattr(sys, name)
        if isinstance(stream, io.TextIOWrapper) and stream is getattr(sys, f"__{name}__"):
            waiting = io.BufferedWriter(_WaitingFile(stream.fileno(), "wb", closefd=False))
            line_buffering = stream.line_buffering
            setattr(sys, name, io.TextIOWrapper(waiting, stream.encoding, stream.errors, None, line_buffering))


class _Pieces(io.BufferedIOBase):
    """A binary stream that hands a `BackgroundWriter` what was written until each flush, as a piece."""

    def __init__(self, writer: BackgroundWriter, descriptor: int) -> None:
        self._writer = writer
        self._descriptor = descriptor
        self._piece = b""

    def writable(self) -> bool:
        return True

    def write(self, data: bytes) -> int:  # type: ignore[override]
        self._piece += data
        return len(data)

    def flush(self) -> None:
        piece, self._piece = self._piece, b""
        if piece:
            self._writer.write(piece)

    def fileno(self) -> int:
        return self._descriptor

    def isatty(self) -> bool:
        return os.isatty(self._descriptor)


class Output:
    """The standard streams, while a `BackgroundWriter` is under each."""

    def __init__(self, writer: BackgroundWriter | None) -> None:
        self._writer = writer

    def wait_until_read(self, seconds: float) -> bool:
        """Wait until standard output has taken everything, for at most ``seconds``; give whether it has."""
        return self._writer is None or self._writer.wait_until_written(seconds)


@contextmanager
def output_in_background(left_out: Callable[[int], str]) -> Iterator[Output]:
    """Within it nothing that is written to ``sys.stdout`` and ``sys.stderr`` makes its writer wait.

    One writer serves both where they are one file, so that lines keep their order. A stream that is no file stays
    as it is. At the end readers get the writer's `PATIENCE`. ``left_out`` makes the words in place of this many
    lines.

    Raises:
        OSError: at the end, when standard output has not taken what was written.
    """
    before = {"stdout": sys.stdout, "stderr": sys.stderr}
    writers: dict[str, BackgroundWriter] = {}
    first: int | None = None
    for name, stream in before.items():
        try:
            descriptor = stream.fileno()
            stream.flush()
        except (OSError, ValueError):
            continue
        encoding, errors = stream.encoding, stream.errors or "strict"

        def gap(lines: int, encoding: str = encoding, errors: str = errors) -> bytes:
            return f"{left_out(lines)}\n".encode(encoding, errors)

        is_one = first is not None and _is_same(first, descriptor)
        writers[name] = writers["stdout"] if is_one else BackgroundWriter(partial(write_all, descriptor), gap)
        first = descriptor
        pieces = cast(BinaryIO, _Pieces(writers[name], descriptor))
        setattr(sys, name, io.TextIOWrapper(pieces, encoding, errors, line_buffering=True))
    try:
        yield Output(writers.get("stdout"))
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
    finally:
        sys.stdout, sys.stderr = before["stdout"], before["stderr"]
        failed: OSError | None = None
        for each in set(writers.values()):
            try:
                each.close()
            except OSError as error:
                failed = error if each is writers.get("stdout") else failed
    if failed is not None:
        raise failed


def _is_same(one: int, other: int) -> bool:
    """Two descriptors of one file."""
    with suppress(OSError):
        return os.path.sameopenfile(one, other)
    return False
