"""Suspension by Ctrl-Z (SIGTSTP), for programs that must first leave the terminal as it was."""

from __future__ import annotations

import os
import signal
from types import FrameType, TracebackType
from typing import Any, Self


class Suspension:
    """Notes the request while it is entered; `suspend` then suspends the job until it is continued.

    Where the signal is ignored, it stays ignored. Belongs to the main thread.
    """

    def __init__(self) -> None:
        self.is_asked = False
        """Somebody wants the program to be suspended."""
        self._before: Any = None

    def suspend(self) -> None:
        """Suspend the program and all others of its job, such as make; return when it is continued."""
        self.is_asked = False
        noting = signal.getsignal(signal.SIGTSTP)
        if noting != signal.SIG_IGN:
            signal.signal(signal.SIGTSTP, signal.SIG_DFL)
        os.killpg(0, signal.SIGTSTP)
        signal.signal(signal.SIGTSTP, noting)

    def _note(self, number: int, frame: FrameType | None) -> None:
        self.is_asked = True

    def __enter__(self) -> Self:
        self._before = signal.getsignal(signal.SIGTSTP)
        if self._before != signal.SIG_IGN:
            signal.signal(signal.SIGTSTP, self._note)
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        signal.signal(signal.SIGTSTP, self._before)
