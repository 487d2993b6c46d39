"""Order of one sender's frames: which are missing, and which the line has doubled (PROTOCOL.md section 2)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tamsk_hw.board.protocol.messages import Hello, Message, Snapshot

#: The controller's clock counts microseconds modulo this.
WRAP: Final = 1 << 32

# A frame whose seq is up to so many frames before the last one's may have come before: a snapshot if its time is
# up to so many seconds before the last one's, any other frame if it is the same.
_COPIES = 64
_COPY_SECONDS = 2.0


@dataclass(frozen=True, slots=True)
class FramePlace:
    """Place of a frame among those before it.

    ``missing``: frames that are missing since the one that could be read before it. ``is_copy``: it came before.
    """

    missing: int = 0
    is_copy: bool = False


_IN_ORDER = FramePlace()
_COPY = FramePlace(is_copy=True)


class FrameOrder:
    """Follows the seq of one sender's frames, and counts.

    ``gaps``: places at which frames are missing; ``missing``: how many in all; ``doubled``: frames that came
    again.
    """

    __slots__ = ("_expected", "_others", "_snapshot", "_untold", "doubled", "gaps", "missing")

    def __init__(self) -> None:
        self.gaps = self.missing = self.doubled = 0
        self.restart()

    def restart(self) -> None:
        """Forget which frame is expected next, as the line was opened again; the counts go on."""
        self._expected: int | None = None
        self._snapshot: Snapshot | None = None
        self._others: dict[int, bytes] = {}
        self._untold = 0

    def follow(self, content: bytes, message: Message | None) -> FramePlace:
        """Take a frame's content and the message in it, None when it cannot be read."""
        kind, seq = content[0], content[1]
        snapshot = message if isinstance(message, Snapshot) else None
        expected = self._expected
        if expected is not None and self._is_copy(content, snapshot, (expected - 1 - seq) & 0xFF):
            self.doubled += 1
            return _COPY
        if isinstance(message, Hello) and seq == 0:
            # After its reset the board counts from 0 again.
            self.restart()
            expected = None
        missing = 0 if expected is None else (seq - expected) & 0xFF
        self._expected = (seq + 1) & 0xFF
        if snapshot is not None:
            self._snapshot = snapshot
        else:
            self._others[kind] = content
        if missing:
            self.gaps += 1
            self.missing += missing
            self._untold += missing
        if message is None or not self._untold:
            return _IN_ORDER
        untold, self._untold = self._untold, 0
        return FramePlace(untold)

    def _is_copy(self, content: bytes, snapshot: Snapshot | None, behind: int) -> bool:
        if behind > _COPIES:
            return False
        if snapshot is None:
            return self._others.get(content[0]) == content
        last = self._snapshot
        return last is not None and (last.time - snapshot.time) % WRAP <= _COPY_SECONDS * 1e6
