"""A note of how far the running game was watched, beside the database that a kill leaves and nobody waits for.

Between two events the database says nothing. Whether the board was watched there decides how much time passed
that nobody saw (R9.5), so the note says up to which time it was. It is not waited for: a power cut may leave an
older one, which is true as well, or none.
"""

from __future__ import annotations

import os
import zlib
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from tamsk_hw.system.files import give_to_owner

#: The note's name in the journal's folder.
NOTE = "journal.watched"

_LENGTH = 160


@dataclass(frozen=True, slots=True)
class Watched:
    """The game ``key`` was watched up to ``t`` (seconds of its stream), and was then ``entries`` long.

    All these entries were on the disk, and none that is older than ``t`` could follow.
    """

    key: str
    entries: int
    t: float


class WatchedNote:
    """The note in ``folder``, for the one program that writes the journal."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / NOTE
        self._file: int | None = None

    def write(self, watched: Watched) -> None:
        """Replace the note. One that cannot be written is left: it only says less."""
        line = f"{watched.key} {watched.entries} {watched.t!r}"
        line = f"{line} {zlib.crc32(line.encode()):08x}".ljust(_LENGTH - 1) + "\n"
        with suppress(OSError):
            if self._file is None:
                self._file = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_NOFOLLOW | os.O_CLOEXEC, 0o644)
                give_to_owner(self._file, self._path.parent)
            os.pwrite(self._file, line.encode(), 0)

    def close(self) -> None:
        """Let go of the file; the note stays."""
        file, self._file = self._file, None
        if file is not None:
            os.close(file)


def read_watched(folder: Path) -> Watched | None:
    """The note in ``folder``; None where there is none, or none that can be read."""
    try:
        words, checksum = (folder / NOTE).read_text(encoding="ascii").strip().rsplit(" ", 1)
        if int(checksum, 16) != zlib.crc32(words.encode()):
            return None
        key, entries, t = words.split(" ")
        return Watched(key, int(entries), float(t))
    except (OSError, ValueError):
        return None
