"""Writing without waiting: a thread beside the loop takes what a slow reader or a slow disk would hold up.

A full pipe, a pager, a terminal stopped by Ctrl-S, a disk that hangs: none of them delays the game. Bytes that are
not written yet are kept up to a limit; beyond it the oldest are left out.
"""

import os
import select
from collections import deque
from collections.abc import Callable
from contextvars import copy_context
from pathlib import Path
from threading import Condition, Thread
from typing import Final

from tamsk_hw.system.files import make_folder, write_whole

#: The most bytes that wait for a reader: some thousand lines.
MOST_WAITING: Final = 256 * 1024

#: Real seconds that the end of the program waits for readers.
PATIENCE: Final = 2.0


class BackgroundWriter:
    """Writes pieces of bytes in order, in a thread.

    While more than ``most_waiting`` bytes wait, the oldest pieces are left out.
    """

    def __init__(
        self,
        put: Callable[[bytes], None],
        left_out: Callable[[int], bytes] = lambda lines: b"",
        *,
        most_waiting: int = MOST_WAITING,
    ) -> None:
        """``put`` writes a piece, in the thread, and may raise `OSError`.

        ``left_out`` gives what is written in place of this many lines.
        """
        self._put = put
        self._left_out = left_out
        self._most = most_waiting
        self._pieces: deque[bytes] = deque()
        self.waiting = 0
        """Number of bytes that wait to be written."""
        self._lines_missing = 0
        self._is_writing = False
        self._closing = False
        self._error: OSError | None = None
        self._changed = Condition()
        self._thread: Thread | None = None

    def write(self, piece: bytes) -> None:
        """Take a piece and return at once.

        Raises:
            OSError: an earlier piece could not be written.
        """
        with self._changed:
            error, self._error = self._error, None
            if error is not None:
                raise error
            self._pieces.append(piece)
            self.waiting += len(piece)
            while self.waiting > self._most and len(self._pieces) > 1:
                oldest = self._pieces.popleft()
                self.waiting -= len(oldest)
                self._lines_missing += oldest.count(b"\n")
            self._changed.notify_all()
            if self._thread is None:
                self._thread = Thread(target=copy_context().run, args=(self._run,), name="output", daemon=True)
                self._thread.start()

    def wait_until_written(self, seconds: float) -> bool:
        """Wait until everything is written, for at most ``seconds`` (real); give whether it is."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._pieces and not self._is_writing, seconds)

    def close(self, seconds: float = PATIENCE) -> None:
        """Write what waits, for at most ``seconds`` (real), and leave the rest; nothing is written afterwards.

        Raises:
            OSError: something could not be written.
        """
        self.wait_until_written(seconds)
        with self._changed:
            self._closing = True
            self._changed.notify_all()
            if self._error is not None:
                raise self._error

    def _run(self) -> None:
        while (piece := self._take()) is not None:
            try:
                self._put(piece)
            except OSError as error:
                with self._changed:
                    self._error = error
                    self._pieces.clear()
                    self.waiting = 0

    def _take(self) -> bytes | None:
        """The next piece, after the words for lines that were left out before it; None at the end."""
        with self._changed:
            self._is_writing = False
            self._changed.notify_all()
            self._changed.wait_for(lambda: self._pieces or self._closing)
            if self._closing:
                return None
            piece = self._pieces.popleft()
            self.waiting -= len(piece)
            self._is_writing = True
            missing, self._lines_missing = self._lines_missing, 0
        return self._left_out(missing) + piece if missing else piece


def write_all(descriptor: int, piece: bytes) -> None:
    """Write all of a piece, however slowly it is read. Raises `OSError`."""
    while piece:
        try:
            piece = piece[os.write(descriptor, piece) :]
        except BlockingIOError:  # another program has made it non-blocking
            select.select([], [descriptor], [])


def latest_file(path: Path, failed: Callable[[OSError], None]) -> BackgroundWriter:
    """A writer each of whose pieces becomes the whole content of ``path``.

    A piece for which a newer one waits is left out; closing the writer writes the newest. ``failed`` is called in
    its thread with the first error, and again only after the file was written between.
    """
    is_failing = False

    def put(content: bytes) -> None:
        nonlocal is_failing
        try:
            make_folder(path.parent)
            write_whole(path, content)
        except OSError as error:
            if not is_failing:
                failed(error)
            is_failing = True
        else:
            is_failing = False

    return BackgroundWriter(put, most_waiting=0)
