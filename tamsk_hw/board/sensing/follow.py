"""Follows a Hall sensor that drifts: its rest, its noise, and the strength of the glass that stands on it.

The rest is followed while the tube is empty, and while a glass stands untouched: its own strength was measured
when it had come to rest, so what changes later is the sensor. It is followed by a step in some seconds at most, so
that a hand with a glass over the tube does not matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import copysign

from tamsk_hw.board.calibration import MOST_NOISE_SHARE, FieldCalibration
from tamsk_hw.board.sensing.levels import Followed
from tamsk_hw.game.players import End

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

    def follow(self, readings: Sequence[int], seated: End | None) -> None:
        """Take one reading or a burst of them, of an empty tube or of a glass that stands with ``seated`` down."""
        rest, _, strength = self.values
        mean = sum(readings) / len(readings)
        noise = self._noise(readings)
        expected = rest
        if seated is not None:
            deflection = self._calibration.end_a if seated is End.A else -self._calibration.end_b
            if strength is None or self.to_measure:
                # The glass has come to rest: by how much it is stronger than the calibration's is its own.
                self.to_measure = False
                self.values = Followed(rest, noise, _within(STRENGTHS, (mean - rest) / deflection))
                return
            expected += strength * deflection
        stray = mean - expected
        if abs(stray) <= FOLLOWED_STRAY:
            self._stray += (stray - self._stray) * _STRAY_SHARE
            if abs(self._stray) >= _STRAY_STEP:
                step = copysign(1.0, self._stray)
                self._stray -= step
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
