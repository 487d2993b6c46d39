"""The raw line as it was read and written, for a capture: the recording point."""

from __future__ import annotations


class Tape:
    """Is told of a port's bytes, and takes note of none: a recorder overrides what it keeps.

    Times are the link's, in seconds.
    """

    def opened(self, now: float) -> None:
        """The port was opened."""

    def closed(self, now: float) -> None:
        """The port was closed, on purpose or not."""

    def read(self, now: float, data: bytes) -> None:
        """Bytes were read; none when there were none."""

    def wrote(self, now: float, data: bytes) -> None:
        """Bytes were written."""
