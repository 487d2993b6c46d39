"""Ending the program by Ctrl-C or a signal: once, cleanly, with the exit status that shells expect.

A signal that is ignored stays so: whoever started the program, as nohup(1), wanted it to go on.
"""

from __future__ import annotations

import signal
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType

_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Stopped(BaseException):
    """A signal asked the program to end; ``status`` is its exit status, 128 and the signal's number."""

    def __init__(self, status: int) -> None:
        super().__init__(status)
        self.status = status


_statuses: list[int] = []
"""The exit statuses of the signals that came."""


def asked_status() -> int | None:
    """Exit status of the first signal that asked this program to end; None when none did."""
    return _statuses[0] if _statuses else None


def _handle(handler: Callable[[int, FrameType | None], None] | signal.Handlers) -> None:
    """Set the handler of all signals that are not ignored."""
    for each in _SIGNALS:
        if signal.getsignal(each) is not signal.SIG_IGN:
            signal.signal(each, handler)


def _stop(number: int, frame: FrameType | None) -> None:
    _handle(signal.SIG_IGN)  # whoever asks twice must not disturb the leaving
    _statuses.append(128 + number)
    raise Stopped(128 + number)


def stop_on_signals() -> None:
    """From now on Ctrl-C, SIGTERM and SIGHUP raise `Stopped` in the main thread, unless they are ignored."""
    _handle(_stop)


@contextmanager
def stopping_between_rounds() -> Iterator[Callable[[], None]]:
    """For a loop that takes locks, which an exception from anywhere might leave taken.

    Within it the first signal is only noted, and the function that is given raises `Stopped` for it; a second one
    raises at once, in case that the loop hangs.
    """
    asked: list[int] = []

    def note(number: int, frame: FrameType | None) -> None:
        if asked:
            _stop(number, frame)
        asked.append(number)
        _statuses.append(128 + number)

    def look() -> None:
        if asked:
            _stop(asked[0], None)

    _handle(note)
    try:
        yield look
    finally:
        if not asked:
            stop_on_signals()
