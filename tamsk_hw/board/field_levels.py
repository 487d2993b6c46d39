"""The levels of a Hall sensor's reading, with hysteresis, and the baseline that follows its drift.

The share is the reading's distance from rest, of what a seated glass gives: 100 % seated, 70 % lifted by 1 mm, 36
% by 3 mm, 8 % by 9 mm, 2 % by 18 mm; 56 % leaning by 8°, 26 % by 20°. Where one reading alone does not decide,
the state it came from does:

- nothing in the tube: up to 30 % it stays so, so that a glass held over a tube, or a neighbour, is nothing;
- seated from 80 %, until below 70 %; leaning from 30 %;
- what comes to stand at 68 to 80 % is a weak glass, or a strong one that leans: it is seated when it stays so for
  the weak dwell. Of a glass that stands its own strength is measured, and 80 % and 70 % are of that;
- a glass that was there and reads 5 to 30 % is *above* its tube on the way out or back: no state by itself,
  the former one holds. Below 5 % (or within the noise, if that is more) it is gone. A glass held there on and
  on at less than 15 % (6 mm up and more) has left the tube too: it counts as gone after the hover dwell. So a
  lifted glass is always found gone, and nothing that approaches and leaves again is an event.

`Following` follows a sensor's rest, its noise, and the strength of the glass that stands on it. The rest is
followed while the tube is empty, and while a glass stands untouched: its own strength was measured when it had
come to rest, so what changes later is the sensor. It is followed by a step in some seconds at most, so that a
hand with a glass over the tube does not matter.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from enum import IntEnum
from itertools import pairwise
from math import ceil, copysign, inf
from typing import NamedTuple, assert_never

from tamsk_hw.board.calibration import MOST_NOISE_SHARE, FieldCalibration
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.game.tubes import End


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


#: The farthest that a rest is followed from the calibrated one, and a reading from what is expected (steps).
MOST_DRIFT, FOLLOWED_STRAY = 24.0, 8.0

#: Seconds for which a reading must have stayed at its level before anything is concluded from it.
SETTLED_AFTER = 1.0

#: Readings in a row, 0.4 s apart, by which an earlier rest is confirmed where something stood on it.
CONFIRMED_BY = 4

#: A rest as far as this from the calibrated one is reported (steps).
FAR_DRIFT = 16.0

#: Shares of the calibrated deflection between which a glass's strength is believed.
STRENGTHS = (0.6, 1.4)

# What a new reading counts for in the mean stray, and the stray from which the rest is moved by a step: that takes
# some seconds at least.
_STRAY_SHARE, _STRAY_STEP = 1 / 64, 0.75

# The fewest readings that make something usual, and those of ten seconds, which the mean is of.
_USUAL_FROM, _USUAL_READINGS = 4, 32

# Normal noise differs from one reading to the next by so many standard deviations in the mean; what is within so
# many is noise; the change that is worth new thresholds (steps).
_DIFFERENCES, _NOISE_MARGIN, _NOISE_STEP = 1.128, 3.0, 0.5


class Following:
    """Follows one sensor; ``values`` are what its thresholds are made of."""

    def __init__(self, calibration: FieldCalibration) -> None:
        self.values = Followed(calibration.rest, calibration.noise)
        self.to_measure = False
        """A glass has come to stand whose strength has not been measured here."""
        self.to_confirm = False
        """The rest is one that was followed earlier, and nothing has been read of the empty tube yet."""
        self.offset = 0.0
        """By how much the last readings lay above what was expected; 0 where nothing can be said (steps)."""
        self._usual, self._usual_readings = 0.0, 0
        """The mean offset of the last ten seconds, but only since the present state was reported; its readings."""
        self._confirmed = 0
        self._calibration = calibration
        self._stray = 0.0
        """By how much readings lie above what is expected, over the last minute or so (steps)."""
        self._most_noise = MOST_NOISE_SHARE * min(calibration.end_a, calibration.end_b)

    @property
    def drift(self) -> float:
        """By how much the rest lies above the calibrated one (steps)."""
        return self.values.rest - self._calibration.rest

    def begin_at(self, rest: float) -> None:
        """Begin with the rest as it was followed earlier (steps), within `MOST_DRIFT` of the calibrated one."""
        self.values = self.values._replace(rest=self._bounded(rest))
        self.to_confirm = self.drift != 0

    def confirm(self, reading: float, needed: int = 1) -> None:
        """Take a reading of what seems to be the empty tube: the nearer of the two rests holds.

        So rests that were followed in the warmth of an evening do no harm on a board that has cooled down. A
        reading that is near to neither says nothing; ``needed`` in a row must be near.
        """
        kept, calibrated = (abs(reading - rest) for rest in (self.values.rest, self._calibration.rest))
        self._confirmed = self._confirmed + 1 if min(kept, calibrated) <= FOLLOWED_STRAY else 0
        if self._confirmed >= needed:
            self.to_confirm = False
            if calibrated < kept:
                self.begin_as_calibrated()

    def begin_as_calibrated(self) -> None:
        """Drop the rest that was followed earlier."""
        self.to_confirm = False
        self.values = self.values._replace(rest=self._calibration.rest)

    def begin_state(self, seated: End | None) -> None:
        """Another state was reported: nothing is usual yet, and a glass's strength is to be measured."""
        self.to_measure = seated is not None
        self._usual_readings = 0

    def shift(self, reading: float, seated: End | None) -> float | None:
        """By how much a reading has shifted (steps), with ``seated`` down or nothing there; None: not known yet.

        That is its distance from what is expected by the calibrated rest, from what is expected by the followed
        rest, or from what is usual: the least of them. The first is wrong where a sensor has drifted, the others
        where a magnet has been near for long.
        """
        if self.to_measure or self._usual_readings < _USUAL_FROM:
            return None
        offset = reading - self._expected(seated)
        return min(abs(offset), abs(offset + self.drift), abs(offset - self._usual))

    def _expected(self, seated: End | None) -> float:
        rest, _, strength = self.values
        return rest if seated is None else rest + (strength or 1.0) * self._deflection(seated)

    def _deflection(self, seated: End) -> float:
        return self._calibration.end_a if seated is End.A else -self._calibration.end_b

    def follow(self, readings: Sequence[int], seated: End | None) -> None:
        """Take one reading or a burst of them, of an empty tube or of a glass that stands with ``seated`` down."""
        rest, _, strength = self.values
        mean = sum(readings) / len(readings)
        noise = self._noise(readings)
        if seated is not None and (strength is None or self.to_measure):
            # The glass has come to rest: by how much it is stronger than the calibration's is its own.
            self.to_measure = False
            self.values = Followed(rest, noise, _within(STRENGTHS, (mean - rest) / self._deflection(seated)))
            return
        stray = self.offset = mean - self._expected(seated)
        self._usual_readings = min(self._usual_readings + 1, _USUAL_READINGS)
        self._usual += (stray - self._usual) / self._usual_readings
        if abs(stray) <= FOLLOWED_STRAY:
            self._stray += (stray - self._stray) * _STRAY_SHARE
            if abs(self._stray) >= _STRAY_STEP:
                step = copysign(1.0, self._stray)
                self._stray -= step
                self._usual -= step
                rest = self._bounded(rest + step)
        self.values = Followed(rest, noise, strength)

    def _bounded(self, rest: float) -> float:
        calibrated = self._calibration.rest
        return _within((calibrated - MOST_DRIFT, calibrated + MOST_DRIFT), rest)

    def _noise(self, readings: Sequence[int]) -> float:
        """The noise by a burst of readings: it widens at once, and narrows to the calibrated one by and by."""
        noise = self.values.noise
        if len(readings) < 2:
            return noise
        steps = [abs(after - before) for before, after in pairwise(readings)]
        spread = sum(steps) / len(steps) / _DIFFERENCES
        wanted = min(max(self._calibration.noise, _NOISE_MARGIN * spread), self._most_noise)
        if wanted > noise + _NOISE_STEP:
            return wanted
        if wanted < noise - 2 * _NOISE_STEP:
            return max(wanted, noise - _NOISE_STEP)
        return noise


def _within(bounds: tuple[float, float], value: float) -> float:
    return min(max(value, bounds[0]), bounds[1])
