"""Controller time to host time, from the least-delayed frames (docs/design.md, Link).

A frame that the controller stamped at ``c`` arrives at ``offset + rate · c + delay``. The delay is never negative,
so the wanted line lies below all arrivals and touches the least delayed. Of the lines below the recent
arrivals the one closest to them on the whole is taken: the edge of their lower convex hull at their middle (Moon,
Skelly and Towsley 1999). One arrival for each second, the least delayed, is kept for it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from tamsk_hw.board.protocol.frame_order import WRAP

#: The greatest relative clock error believed; a ceramic resonator is within 0.005.
GREATEST_CLOCK_ERROR: Final = 0.01

# Seconds of controller time of which the least-delayed arrival is kept, and how many such are looked back on.
_SPAN = 1.0
_SPANS = 64

# A stamp this many seconds ahead of its own arrival comes from another count than the one before it. One that
# steps back is ahead, too: by the wrap less the step.
_JUMP = 5.0

# After this many seconds without a frame the count may have wrapped unseen.
_SILENCE = WRAP / 2 / 1e6


class TimeMap:
    """Maps stamps of 32-bit microseconds to host seconds, learning from each.

    Mapped times never decrease and never lie after their arrival, whatever is fed in.
    """

    __slots__ = (
        "_arrival",
        "_best",
        "_best_level",
        "_count",
        "_floor",
        "_jumps",
        "_offset",
        "_points",
        "_rate",
        "_span_end",
        "_stamp",
    )

    def __init__(self) -> None:
        self._floor = float("-inf")
        self._arrival = float("-inf")
        self._jumps = 0
        self._points: deque[tuple[float, float]] = deque(maxlen=_SPANS)
        self.restart()

    @property
    def rate(self) -> float:
        """Host seconds that pass in a second of the controller's clock, as far as known; 1 at first."""
        return self._rate

    @property
    def jumps(self) -> int:
        """Number of times that the count began again without `restart`: the board was reset unseen."""
        return self._jumps

    def restart(self) -> None:
        """Forget the line, as the controller counts from 0 again. Mapped times still never decrease."""
        self._points.clear()
        self._stamp: int | None = None
        self._count = 0
        self._rate = 1.0
        self._offset = 0.0
        self._best: tuple[float, float] | None = None
        self._best_level = float("inf")
        self._span_end = _SPAN

    def place(self, stamp: int, arrival: float) -> float:
        """The host time (seconds) of a frame stamped ``stamp`` (µs, 32 bits) that came at ``arrival``."""
        arrival = max(arrival, self._arrival)
        if self._stamp is not None:
            step = (stamp - self._stamp) % WRAP
            ahead = self._offset + self._rate * (self._count + step) * 1e-6 - arrival
            if ahead > _JUMP or arrival - self._arrival > _SILENCE:
                self._jumps += 1
                self.restart()
            else:
                self._count += step
        if self._stamp is None:
            self._offset = arrival
        self._stamp = stamp
        self._arrival = arrival

        seconds = self._count * 1e-6
        if seconds >= self._span_end:
            self._close_span(seconds)
        level = arrival - self._rate * seconds
        if level < self._best_level:
            self._best_level = level
            self._best = (seconds, arrival)
        # An arrival below the line is less delayed than all before: the line goes down to it at once.
        self._offset = min(self._offset, level)
        # Rounding may put an arrival that touches the line a hair before it.
        mapped = min(self._offset + self._rate * seconds, arrival)
        self._floor = max(self._floor, mapped)
        return self._floor

    def _close_span(self, seconds: float) -> None:
        """Keep the span's least-delayed arrival and draw the line again."""
        if self._best is not None:
            self._points.append(self._best)
        self._best = None
        self._best_level = float("inf")
        self._span_end = seconds + _SPAN
        if len(self._points) >= 2:
            rate = _middle_slope(self._points)
            self._rate = min(max(rate, 1 - GREATEST_CLOCK_ERROR), 1 + GREATEST_CLOCK_ERROR)
        if self._points:
            self._offset = min(arrival - self._rate * at for at, arrival in self._points)


def _middle_slope(points: Sequence[tuple[float, float]]) -> float:
    """The slope of the lower convex hull's edge above or at the mean of the points' abscissas, which increase."""
    hull: list[tuple[float, float]] = []
    for x, y in points:
        while len(hull) >= 2 and (hull[-1][1] - hull[-2][1]) * (x - hull[-1][0]) >= (y - hull[-1][1]) * (
            hull[-1][0] - hull[-2][0]
        ):
            hull.pop()
        hull.append((x, y))
    middle = sum(x for x, _ in points) / len(points)
    for (left, low), (right, high) in pairwise(hull):
        if right >= middle:
            return (high - low) / (right - left)
    raise AssertionError("two or more points have an edge at their middle")
