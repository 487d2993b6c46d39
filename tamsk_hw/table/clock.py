"""The clock of the whole service: real time, or scaled for a simulated board."""

from __future__ import annotations

import time
from collections.abc import Callable


class ScaledClock:
    """Seconds since it was made, running ``speed`` times as fast as real time.

    Between two readings it advances by at most ``longest_step`` (its own seconds): a machine that is too slow for
    the speed runs the game slower, and nothing is skipped.
    """

    def __init__(
        self, speed: float = 1.0, *, longest_step: float = 0.5, monotonic: Callable[[], float] = time.monotonic
    ) -> None:
        self.speed = speed
        self._longest_step = longest_step
        self._monotonic = monotonic
        self._last = monotonic()
        self._now = 0.0

    def now(self) -> float:
        """Seconds since the start."""
        real = self._monotonic()
        self._now += min((real - self._last) * self.speed, self._longest_step)
        self._last = real
        return self._now
