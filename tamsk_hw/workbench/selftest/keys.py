"""Answers from the keyboard: single keys on a terminal, lines from anything else."""

from __future__ import annotations

import contextlib
import os
import select
import termios
import tty
from types import TracebackType
from typing import Any, Final, Self

from tamsk_hw.workbench.selftest.step import Answer

#: The key of each answer.
KEYS: Final = {"y": Answer.YES, "n": Answer.NO, "b": Answer.BACK, "s": Answer.SKIP, "q": Answer.QUIT}

_READ = 256


class Keys:
    """Standard input, or another ``descriptor``; while it is entered, a terminal gives each key at once.

    On a terminal Enter and the space bar are yes, too; elsewhere an answer is a line, of which the first letter
    counts, and an empty line is yes.
    """

    def __init__(self, descriptor: int = 0) -> None:
        self._descriptor = descriptor
        self._before: list[Any] | None = None
        self._held = b""
        self.open = True
        """Answers may still come."""

    def __enter__(self) -> Self:
        try:
            if os.isatty(self._descriptor):
                self._before = termios.tcgetattr(self._descriptor)
                tty.setcbreak(self._descriptor)
            else:
                os.fstat(self._descriptor)
        except (OSError, termios.error):
            self.open = False
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._before is not None:
            with contextlib.suppress(OSError, termios.error):
                termios.tcsetattr(self._descriptor, termios.TCSADRAIN, self._before)

    def take(self) -> list[Answer]:
        """What was answered since the last call. Never waits."""
        if not self.open:
            return []
        try:
            if not select.select([self._descriptor], [], [], 0)[0]:
                return []
            data = os.read(self._descriptor, _READ)
        except (OSError, ValueError):
            data = b""
        if not data:
            self.open = False
        if self._before is None:
            return self._lines(data)
        # An escape sequence, such as that of an arrow, comes in one piece and is no answer.
        if data.startswith(b"\x1b"):
            return []
        return [
            KEYS.get(key, Answer.YES) for key in data.decode("latin-1").lower() if key in KEYS or key in "\r\n "
        ]

    def _lines(self, data: bytes) -> list[Answer]:
        *lines, self._held = (self._held + data).split(b"\n")
        if not self.open and self._held:
            lines.append(self._held)
        words = [line.decode("latin-1").strip().lower() for line in lines]
        return [KEYS.get(word[:1], Answer.YES) for word in words if not word or word[0] in KEYS]
