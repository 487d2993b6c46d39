"""Agreeing samples: a value counts when a run of readings holds still, never a single one. Pure: time comes in."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

#: Readings over which the present unrest is measured.
_RECENT = 20


@dataclass(frozen=True, slots=True)
class Sample:
    """A run of readings that agreed: their mean, lowest, highest and number."""

    mean: float
    lowest: float
    highest: float
    readings: int

    @property
    def stray(self) -> float:
        """The largest deviation of a reading from the mean."""
        return max(self.highest - self.mean, self.mean - self.lowest)


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """The condition on which readings agree.

    At least ``readings`` in a row over at least ``seconds``, none further than ``margin`` from another, and the
    means of the run's two halves no further apart than ``drift``.

    The last keeps out what creeps: a glass that a hand still lowers, a load cell that still settles. ``head``: the
    share of the run that is left out of the sample, since it began before all had come to rest.
    """

    readings: int
    seconds: float
    margin: float
    drift: float
    head: float = 0.0


class Agreement:
    """Readings of one sensor until they agree by a `Rule`; one that does not fit begins a new run."""

    def __init__(self, rule: Rule) -> None:
        self._rule = rule
        self._run: list[tuple[float, float]] = []
        self._lowest = self._highest = 0.0
        self._recent: deque[float] = deque(maxlen=_RECENT)
        self.sample: Sample | None = None
        """The readings that agreed; None until they do, and again after `restart`."""

    def see(self, reading: float, t: float) -> bool:
        """Take a reading at time ``t``; True once the readings agree. From then on nothing changes."""
        if self.sample is not None:
            return True
        self._recent.append(reading)
        lowest, highest = min(self._lowest, reading), max(self._highest, reading)
        if not self._run or highest - lowest > self._rule.margin:
            self._run = [(t, reading)]
            self._lowest = self._highest = reading
            return False
        self._lowest, self._highest = lowest, highest
        self._run.append((t, reading))
        if len(self._run) < self._rule.readings or t - self._run[0][0] < self._rule.seconds:
            return False
        values = [value for _, value in self._run[int(len(self._run) * self._rule.head) :]]
        half = len(values) // 2
        if abs(_mean(values[:half]) - _mean(values[half:])) > self._rule.drift:
            self._run = self._run[len(self._run) // 2 :]
            kept = [value for _, value in self._run]
            self._lowest, self._highest = min(kept), max(kept)
            return False
        self.sample = Sample(_mean(values), min(values), max(values), len(values))
        return True

    def restart(self) -> None:
        """Start again: something came between."""
        self._run.clear()
        self._recent.clear()
        self.sample = None

    @property
    def unrest(self) -> float:
        """The spread of the last readings, agreeing or not."""
        return max(self._recent) - min(self._recent) if self._recent else 0.0


def _mean(values: list[float]) -> float:
    return sum(values) / len(values)
