"""A bad line from the controller to the host: frames are lost, damaged, doubled, late, or too many.

`SimulatedBoard.disturb_line` takes any number of them; each takes the frames that the one before it lets through.
"""

from collections import deque
from collections.abc import Iterable
from math import inf
from random import Random
from typing import Protocol

#: Bytes, and when the last of them arrives (seconds).
Arrival = tuple[float, bytes]


class LineDisturbance(Protocol):
    """Something that frames pass through on their way."""

    def carry(self, frames: Iterable[Arrival], t: float) -> list[Arrival]:
        """Take the frames that came by ``t``; give, in order, what goes on by then."""


class LostFrames:
    """Each frame is lost with probability ``share``."""

    def __init__(self, share: float, seed: int) -> None:
        self._share = share
        self._chance = Random(f"{seed}/lost frames")

    def carry(self, frames: Iterable[Arrival], t: float) -> list[Arrival]:
        """Leave out what is lost."""
        return [frame for frame in frames if self._chance.random() >= self._share]


class FlippedBits:
    """One bit of a frame is flipped with probability ``share``."""

    def __init__(self, share: float, seed: int) -> None:
        self._share = share
        self._chance = Random(f"{seed}/flipped bits")

    def carry(self, frames: Iterable[Arrival], t: float) -> list[Arrival]:
        """Damage what is damaged; the 0x00 that ends a frame is no safer than the rest."""
        return [(at, self._damaged(frame)) for at, frame in frames]

    def _damaged(self, frame: bytes) -> bytes:
        if self._chance.random() >= self._share:
            return frame
        damaged = bytearray(frame)
        bit = self._chance.randrange(8 * len(frame))
        damaged[bit >> 3] ^= 1 << (bit & 7)
        return bytes(damaged)


class DoubledFrames:
    """Each frame comes twice with probability ``share``, the second time right behind the first."""

    def __init__(self, share: float, seed: int) -> None:
        self._share = share
        self._chance = Random(f"{seed}/doubled frames")

    def carry(self, frames: Iterable[Arrival], t: float) -> list[Arrival]:
        """Repeat what is doubled."""
        return [(at, frame) for at, frame in frames for _ in range(1 + (self._chance.random() < self._share))]


class _Late:
    """Frames that are under way for longer, in their order."""

    def __init__(self) -> None:
        self._under_way: deque[Arrival] = deque()
        self._last = -inf

    def carry(self, frames: Iterable[Arrival], t: float) -> list[Arrival]:
        """Keep what has not arrived by ``t``."""
        for at, frame in frames:
            self._last = max(self._last, self.arrival(at))
            self._under_way.append((self._last, frame))
        arrived = []
        while self._under_way and self._under_way[0][0] <= t:
            arrived.append(self._under_way.popleft())
        return arrived

    def arrival(self, at: float) -> float:
        """When a frame that was due at ``at`` would arrive, if none were before it."""
        raise NotImplementedError


class DelayedFrames(_Late):
    """Each frame is late by an exponential time of that mean (seconds); none overtakes another."""

    def __init__(self, mean: float, seed: int) -> None:
        super().__init__()
        self._mean = mean
        self._chance = Random(f"{seed}/delayed frames")

    def arrival(self, at: float) -> float:
        """Late by chance."""
        return at + (self._chance.expovariate(1.0 / self._mean) if self._mean else 0.0)


class Hiccups(_Late):
    """Now and then nothing arrives for some ``seconds`` (0.1 as USB does it), then everything at once.

    ``every``: the mean of the seconds from one hiccup to the next.
    """

    def __init__(self, seconds: float, seed: int, *, every: float = 2.0) -> None:
        super().__init__()
        self._seconds = seconds
        self._every = every
        self._chance = Random(f"{seed}/hiccups")
        self._begin = self._chance.expovariate(1.0 / every)

    def arrival(self, at: float) -> float:
        """The end of the hiccup into which it falls, if any."""
        while at >= self._begin + self._seconds:
            self._begin += self._seconds + self._chance.expovariate(1.0 / self._every)
        return self._begin + self._seconds if at >= self._begin else at


class Flood:
    """A line that adds ``rate`` frames a second to the right ones, each a copy of one that was sent.

    ``stale`` copies are of any of the last 64 frames, others of the last one. It lasts from ``start`` to ``end``
    (seconds), and takes no time of the line's own: a bridge with a broken buffer sends faster than the controller.
    """

    def __init__(
        self, rate: float, seed: int, *, stale: bool = True, start: float = 0.0, end: float = inf
    ) -> None:
        self._step = 1.0 / rate
        self._chance = Random(f"{seed}/flood")
        self._kept: deque[bytes] = deque(maxlen=64 if stale else 1)
        self._next = start
        self._end = end

    def carry(self, frames: Iterable[Arrival], t: float) -> list[Arrival]:
        """Put copies between the frames."""
        carried: list[Arrival] = []
        for at, frame in frames:
            self._babble(at, carried)
            carried.append((at, frame))
            self._kept.append(frame)
        self._babble(t, carried)
        return carried

    def _babble(self, until: float, carried: list[Arrival]) -> None:
        while self._next < min(until, self._end):
            if self._kept:
                carried.append((self._next, self._chance.choice(self._kept)))
            self._next += self._step
