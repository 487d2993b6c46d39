"""The raw line as it was read and written, for a capture: the recording point."""

from __future__ import annotations

from typing import Protocol


class Tape(Protocol):
    """Takes note of a port's bytes. Times are the link's, in seconds."""

    def opened(self, now: float) -> None:
        """The port was opened."""

    def closed(self, now: float) -> None:
        """The port was closed, on purpose or not."""

    def read(self, now: float, data: bytes) -> None:
        """Bytes were read; none when there were none."""

    def wrote(self, now: float, data: bytes) -> None:
        """Bytes were written."""


class NoTape:
    """Takes note of nothing."""

    def opened(self, now: float) -> None:
        """Does nothing."""

    def closed(self, now: float) -> None:
        """Does nothing."""

    def read(self, now: float, data: bytes) -> None:
        """Does nothing."""

    def wrote(self, now: float, data: bytes) -> None:
        """Does nothing."""
