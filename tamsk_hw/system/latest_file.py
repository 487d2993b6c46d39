"""A small file of which only the newest content counts, written in a thread: a disk that hangs delays nobody."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from threading import Condition, Thread
from typing import Final

from tamsk_hw.system.files import make_folder, write_whole

#: Real seconds that `LatestFile.close` waits for the disk.
PATIENCE: Final = 2.0


class LatestFile:
    """Writes ``path`` whole, in a thread of its own; what is overtaken by newer content is left out.

    ``failed`` is called in that thread with the first error, and again only after the file was written between.
    """

    def __init__(self, path: Path, failed: Callable[[OSError], None]) -> None:
        self._path = path
        self._failed = failed
        self._newest: bytes | None = None
        self._is_failing = False
        self._closing = False
        self._changed = Condition()
        self._thread: Thread | None = None

    def write(self, content: bytes) -> None:
        """Take the newest content and return at once."""
        with self._changed:
            self._newest = content
            self._changed.notify()
            if self._thread is None:
                self._thread = Thread(target=self._run, name=self._path.name, daemon=True)
                self._thread.start()

    def close(self, seconds: float = PATIENCE) -> None:
        """Wait until the newest content is on the disk, at most so long (real seconds), and take no more."""
        with self._changed:
            self._closing = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(seconds)

    def _run(self) -> None:
        while (content := self._take()) is not None:
            try:
                make_folder(self._path.parent)
                write_whole(self._path, content)
            except OSError as error:
                if not self._is_failing:
                    self._failed(error)
                self._is_failing = True
            else:
                self._is_failing = False

    def _take(self) -> bytes | None:
        """The newest content, as soon as there is some; None at the end."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._closing)
            newest, self._newest = self._newest, None
            return newest
