"""Sand in a real glass: the exact share that is above.

A glass runs at a different speed for each end that is down. It runs in the hand as on the table, but not while it
lies in the box. This model is independent of the referee's.
"""

from __future__ import annotations

from tamsk_hw.game.players import End


class SandGlass:
    """The sand of one glass."""

    __slots__ = ("_above", "_since", "down", "running", "seconds")

    def __init__(
        self, seconds: tuple[float, float], down: End, *, above: float = 0.0, running: bool = True
    ) -> None:
        """``seconds``: from full to empty with end A down, with end B down. ``above``: share of sand, 0 … 1."""
        self.seconds = seconds
        self.down = down
        self.running = running
        self._above = above
        self._since = 0.0

    def _speed(self) -> float:
        """Seconds a full upper part takes with the end that is down."""
        return self.seconds[0] if self.down is End.A else self.seconds[1]

    def above(self, t: float) -> float:
        """Share of the sand in the upper part at time ``t`` (not before the last turn)."""
        if not self.running:
            return self._above
        if t >= self._since + self._above * self._speed():
            return 0.0
        return self._above - (t - self._since) / self._speed()

    def upper_seconds(self, t: float) -> float:
        """Seconds until the upper part is empty."""
        return self.above(t) * self._speed()

    def lower_seconds(self, t: float) -> float:
        """Seconds the sand would run if the glass were turned over at ``t``."""
        return (1.0 - self.above(t)) * (self.seconds[1] if self.down is End.A else self.seconds[0])

    def runs_out_at(self, t: float) -> float | None:
        """The time at which the upper part will be empty; None if it is empty at ``t`` or the glass lies still."""
        if not self.running or self._above <= 0.0:
            return None
        end = self._since + self._above * self._speed()
        return end if end > t else None

    def turn(self, t: float) -> None:
        """Turn the glass over at ``t``: what was below is above."""
        self._above = 1.0 - self.above(t)
        self._since = t
        self.down = self.down.other

    def lay_down(self, t: float) -> None:
        """Lay the glass on its side at ``t``: the sand stands still."""
        self._above = self.above(t)
        self._since = t
        self.running = False

    def stand_up(self, t: float, *, full: bool | None = None, end: End | None = None) -> None:
        """Stand the glass up at ``t``; ``full`` chooses the end so that all sand is above (or below).

        Without ``full`` the sand is as it lay, with ``end`` down (by default the one that was down before).
        """
        if full is None:
            if end not in (None, self.down):
                self.down = self.down.other
                self._above = 1.0 - self._above
        else:
            if (self._above >= 0.5) is not full:
                self.down = self.down.other
            self._above = 1.0 if full else 0.0
        self._since = t
        self.running = True
