"""The serial line on which the simulated controller sends; frames on it can be lost or damaged."""

from __future__ import annotations

from collections import deque
from random import Random

#: Seconds that a byte takes on the line at 500 000 baud.
BYTE = 2e-5


class NoisyLine:
    """One direction of a serial line; ``chance`` chooses which bits are damaged."""

    def __init__(self, chance: Random) -> None:
        self.to_drop = 0
        """Number of frames still to be lost."""
        self.to_corrupt = 0
        """Number of frames still to be sent with one bit flipped."""
        self._chance = chance
        self._under_way: deque[tuple[float, bytes]] = deque()
        self._free_at = 0.0

    def send(self, frame: bytes, earliest: float) -> None:
        """Send a frame from ``earliest`` (seconds) on, as soon as the line is free, unless it is to be lost."""
        if self.to_drop:
            self.to_drop -= 1
            return
        if self.to_corrupt:
            self.to_corrupt -= 1
            damaged = bytearray(frame)
            damaged[self._chance.randrange(len(frame) - 1)] ^= 1 << self._chance.randrange(8)
            frame = bytes(damaged)
        self.inject(frame, earliest)

    def inject(self, data: bytes, earliest: float) -> None:
        """Send bytes that are neither lost nor damaged."""
        self._free_at = max(self._free_at, earliest) + len(data) * BYTE
        self._under_way.append((self._free_at, data))

    def clear(self) -> None:
        """Discard what is under way."""
        self._under_way.clear()

    def restart(self, t: float) -> None:
        """Discard what is under way; the line is free from ``t`` (seconds) on."""
        self.clear()
        self._free_at = t

    def take(self, t: float) -> list[tuple[float, bytes]]:
        """Remove what has been sent by ``t`` and return it in order: (when its last byte left, bytes)."""
        gone = []
        while self._under_way and self._under_way[0][0] <= t:
            gone.append(self._under_way.popleft())
        return gone
