"""Waking a loop that waits in `select`: from a thread, or from a driver's callback."""

from __future__ import annotations

import os
from contextlib import suppress
from types import TracebackType
from typing import Self

_ENOUGH = 4096


class Waker:
    """A pipe to oneself. `wake` may be called by any thread, also after `close`; the rest belongs to the loop."""

    def __init__(self) -> None:
        self._ends: tuple[int, int] | None = os.pipe()
        for end in self._ends:
            os.set_blocking(end, False)

    def wake(self) -> None:
        """Make `fileno` readable."""
        if (ends := self._ends) is not None:
            with suppress(OSError):  # a pipe that is full wakes, too
                os.write(ends[1], b"!")

    def fileno(self) -> int | None:
        """The descriptor to wait on for reading; None after `close`."""
        return None if self._ends is None else self._ends[0]

    def clear(self) -> None:
        """Take note of every `wake` so far."""
        if self._ends is not None:
            with suppress(BlockingIOError):
                os.read(self._ends[0], _ENOUGH)

    def close(self) -> None:
        """Close the pipe; closing twice is harmless."""
        ends, self._ends = self._ends, None
        for end in ends or ():
            os.close(end)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
