"""The levels of a Hall sensor's reading, and the thresholds between them, with hysteresis.

The share is the reading's distance from rest, of what a seated glass gives: 100 % seated, 70 % lifted by 1
mm, 36 % by 3 mm, 8 % by 9 mm, 2 % by 18 mm; 56 % leaning by 8°, 26 % by 20°. Where one reading alone does not
decide, the state it came from does:

- nothing in the tube: up to 30 % it stays so, so that a glass held over a tube, or a neighbour, is nothing;
- seated from 80 %, until below 70 %; leaning from 30 %;
- what comes to stand at 68 to 80 % is a weak glass, or a strong one that leans: it is seated when it stays so for
  the weak dwell. Of a glass that stands its own strength is measured, and 80 % and 70 % are of that;
- a glass that was there and reads 5 to 30 % is *above* its tube on the way out or back: no state by itself,
  the former one holds. Below 5 % (or within the noise, if that is more) it is gone. A glass held there on and
  on at less than 15 % (6 mm up and more) has left the tube too: it counts as gone after the hover dwell. So a
  lifted glass is always found gone, and nothing that approaches and leaves again is an event.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable
from enum import IntEnum
from math import ceil, inf
from typing import NamedTuple, assert_never

from tamsk_hw.board.calibration import FieldCalibration
from tamsk_hw.board.sensing.settings import SensingSettings
from tamsk_hw.game.players import End


class Level(IntEnum):
    """A field's present level, hysteresis included. A and B name the end of the glass that is down."""

    EMPTY = 0
    SEATED_A = 1
    SEATED_B = 2
    LEANING_A = 3
    LEANING_B = 4
    ABOVE_A = 5
    ABOVE_B = 6
    FAINT_A = 7
    FAINT_B = 8
    RAIL_LOW = 9
    RAIL_HIGH = 10
    HELD = 11
    """Not trusted: nothing is concluded from any reading."""
    UNSEEN = 12
    """Trusted again, but not read yet: any reading is news."""
    GONE = 13
    """Empty where a glass was reported: left with the first reading that is more than noise."""
    WEAK_A = 14
    WEAK_B = 15
    """A glass of unknown strength that is seated, if it is weak, or leans, if it is strong."""


SEATED = {Level.SEATED_A: End.A, Level.SEATED_B: End.B}
WEAK = {Level.WEAK_A: Level.SEATED_A, Level.WEAK_B: Level.SEATED_B}
LEANING = frozenset({Level.LEANING_A, Level.LEANING_B})
ABOVE = frozenset({Level.ABOVE_A, Level.ABOVE_B})
FAR = frozenset({Level.FAINT_A, Level.FAINT_B, Level.GONE})
RAIL = frozenset({Level.RAIL_LOW, Level.RAIL_HIGH})
_OF_END_A = frozenset({Level.SEATED_A, Level.WEAK_A, Level.LEANING_A, Level.ABOVE_A, Level.FAINT_A})
NOT_TRUSTED = frozenset({Level.HELD, Level.UNSEEN, *RAIL})


class Followed(NamedTuple):
    """A field's calibrated values as they are followed: see `Bands`."""

    rest: float
    noise: float
    strength: float | None = None


#: The readings with which a field stays at a level that it cannot stay at.
_NONE = (256, -1)


class Bands:
    """A field's thresholds: which level a reading is, and the readings with which the field stays at a level.

    ``followed`` replaces the calibrated rest and noise (steps); its strength is that of the glass that stands
    there, as a share of the calibrated deflection, None when nobody knows: then what comes may be a weak glass.
    """

    def __init__(
        self, calibration: FieldCalibration, settings: SensingSettings, followed: Followed | None = None
    ) -> None:
        self._calibration = calibration
        self._settings = settings
        self._rest, self._noise, strength = followed or Followed(calibration.rest, calibration.noise)
        if strength is None:
            self._seated, self._seated_until, self._weak = settings.seated, settings.seated_until, settings.weak
        else:
            self._seated = self._weak = settings.seated * strength
            self._seated_until = settings.seated_until * strength
        first = ceil(self._rest)
        # The readings on both sides of the rest, off the rails, those nearest to it first.
        self._above = range(first, 255 - settings.rail)
        self._below = range(first - 1, settings.rail, -1)

    def fresh(self, reading: int) -> Level:
        """The level of a reading (0 to 255) when none of the present level's hysteresis holds."""
        settings = self._settings
        if reading <= settings.rail:
            return Level.RAIL_LOW
        if reading >= 255 - settings.rail:
            return Level.RAIL_HIGH
        if self._is_gone(reading):
            return Level.EMPTY
        size, is_a = self._size(reading), reading > self._rest
        if size >= self._seated:
            return Level.SEATED_A if is_a else Level.SEATED_B
        if size >= self._weak:
            return Level.WEAK_A if is_a else Level.WEAK_B
        if size >= settings.leaning:
            return Level.LEANING_A if is_a else Level.LEANING_B
        if size >= settings.away:
            return Level.ABOVE_A if is_a else Level.ABOVE_B
        return Level.FAINT_A if is_a else Level.FAINT_B

    def within(self, level: Level) -> tuple[int, int]:
        """The first and last reading with which a field at this level stays there; the last is less if none."""
        settings = self._settings
        match level:
            case Level.HELD:
                return 0, 255
            case Level.UNSEEN:
                return _NONE
            case Level.RAIL_LOW:
                return 0, settings.rail
            case Level.RAIL_HIGH:
                return 255 - settings.rail, 255
            case Level.EMPTY:
                return self._around(lambda reading: self._size(reading) < settings.leaning)
            case Level.GONE:
                return self._around(self._is_gone)
            case Level.SEATED_A | Level.SEATED_B:
                least, below = self._seated_until, inf
            case Level.WEAK_A | Level.WEAK_B:
                least, below = self._weak - settings.weak_hysteresis, self._seated
            case Level.LEANING_A | Level.LEANING_B:
                least, below = settings.leaning_until, self._weak
            case Level.ABOVE_A | Level.ABOVE_B:
                least, below = settings.away, settings.leaning
            case Level.FAINT_A | Level.FAINT_B:
                least, below = 0.0, settings.away_until
            case _:
                assert_never(level)
        side = self._above if level in _OF_END_A else self._below
        size, is_gone = self._size, self._is_gone
        begin = _count(side, lambda reading: size(reading) < least or is_gone(reading))
        side = side[begin : len(side) if below == inf else _count(side, lambda reading: size(reading) < below)]
        return (min(side[0], side[-1]), max(side[0], side[-1])) if side else _NONE

    def _size(self, reading: int) -> float:
        """The reading's distance from rest, as a share of the calibrated deflection."""
        if reading >= self._rest:
            return (reading - self._rest) / self._calibration.end_a
        return (self._rest - reading) / self._calibration.end_b

    def _is_gone(self, reading: int) -> bool:
        return self._size(reading) < self._settings.gone or abs(reading - self._rest) <= self._noise

    def _around(self, holds: Callable[[int], bool]) -> tuple[int, int]:
        """The readings around the rest of which this holds."""
        near = [*self._below[: _count(self._below, holds)], *self._above[: _count(self._above, holds)]]
        return (min(near), max(near)) if near else _NONE


def _count(side: range, holds: Callable[[int], bool]) -> int:
    """The number of readings of which this holds: those nearest to the rest."""
    return bisect_left(side, True, key=lambda reading: not holds(reading))
