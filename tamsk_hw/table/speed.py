"""Watch over the speed of a simulated game: a computer may be too slow for the one that was asked for."""

from __future__ import annotations

from typing import Final

from tamsk_hw.facts.notices import GameOnSpeed, GameSlowed

#: Real seconds over which the speed is measured.
WINDOW: Final = 5.0

#: Real seconds between two looks that count as an interruption, such as a suspended program.
INTERRUPTION: Final = 2.0

#: Share of the speed asked for below which a game is slow, and from which it is on speed again.
SLOW, ON_SPEED = 0.9, 0.97

#: Change of the speed, relative to the last one reported, from which it is reported again.
CHANGE: Final = 0.3


class SpeedWatch:
    """Compares the game's time with real time. ``asked`` is the speed asked for, relative to real time."""

    def __init__(self, asked: float) -> None:
        self._asked = asked
        self._reported: float | None = None
        self._last: float | None = None
        self._real = self._own = 0.0

    def hear(self, real: float, own: float) -> GameSlowed | GameOnSpeed | None:
        """The game is at ``own`` seconds, at ``real`` seconds of any clock; give what people should know."""
        last, self._last = self._last, real
        if last is None or real - last > INTERRUPTION:
            self._real, self._own = real, own
            return None
        if real < self._real + WINDOW:
            return None
        kept = (own - self._own) / (real - self._real)
        self._real, self._own = real, own
        return self._judge(kept)

    def _judge(self, kept: float) -> GameSlowed | GameOnSpeed | None:
        reported = self._reported
        if kept < SLOW * self._asked and (reported is None or abs(kept - reported) > CHANGE * reported):
            self._reported = kept
            return GameSlowed(self._asked, kept)
        if kept >= ON_SPEED * self._asked and reported is not None:
            self._reported = None
            return GameOnSpeed(self._asked)
        return None
