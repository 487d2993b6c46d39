"""Ending the program by Ctrl-C or a signal: once, cleanly, with the exit status that shells expect."""

from __future__ import annotations

import signal
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """A signal asked the program to end; ``status`` is its exit status, 128 and the signal's number."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


def _stop(number: int, frame: FrameType | None) -> None:
    # Whoever asks twice must not disturb the leaving.
    for each in _SIGNALS:
        signal.signal(each, signal.SIG_IGN)
    raise Stopped(128 + number)


def stop_on_signals() -> None:
    """From now on Ctrl-C, SIGTERM and SIGHUP raise `Stopped` in the main thread."""
    for each in _SIGNALS:
        signal.signal(each, _stop)
