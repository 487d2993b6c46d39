"""Fields that jitter faster than any hand moves a glass.

A sensor with a loose wire or a dying supply jumps to and fro from one snapshot to the next. Now and then a
burst of consecutive snapshots is kept, and for each field the turns are counted: a reading that jumps by more
than the margin and straight back. A hand cannot do that within 5 ms. A controller sends at its shortest
interval when a field moves beyond its deadband, so snapshots that come slowly are quiet by themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import inf

from tamsk_hw.board.calibration import FieldCalibration
from tamsk_hw.board.sensing.faults import FaultWatch
from tamsk_hw.board.sensing.field import Field
from tamsk_hw.board.sensing.sensed import FieldJumps
from tamsk_hw.board.sensing.timeline import Timeline

#: Snapshots in a burst, and seconds from the end of one to the next.
BURST, PAUSE = 16, 0.4

#: Snapshots further apart than this (seconds) say that nothing jumps.
SLOW = 0.012

#: Turns in a burst that make a field noisy: of 14 possible, iid noise of three margins gives about 9.
TURNS = 4

#: Noisy bursts in a row that are a fault, quiet ones in a row that clear it.
NOISY_BURSTS, QUIET_BURSTS = 2, 3


class NoiseWatch:
    """Samples bursts of snapshots and holds those of ``fields`` that are noisy; ``calibration`` is of all."""

    def __init__(
        self, fields: Sequence[Field], calibration: Sequence[FieldCalibration], timeline: Timeline
    ) -> None:
        self.due = -inf
        """When the next snapshot is wanted."""
        self._fields = fields
        self._margins = [2 * calibration[field.index].noise for field in fields]
        self._burst: list[bytes] = []
        self._last = -inf
        self._scores = [0] * len(fields)
        self._watches = [_NoisyField(field, timeline) for field in fields]

    def see(self, fields: bytes, t: float) -> None:
        """A snapshot at time ``t``, not before `due`."""
        if self._burst and t - self._last > SLOW:
            self._follow([(reading,) for reading in fields])
            self._judge([], t)
            return
        self._last = t
        self._burst.append(fields)
        if len(self._burst) == BURST:
            columns = list(zip(*self._burst, strict=True))
            self._follow(columns)
            self._judge(columns, t)

    def forget(self) -> None:
        """The link is lost."""
        self._burst = []
        self._scores = [0] * len(self._scores)

    def _follow(self, columns: Sequence[Sequence[int]]) -> None:
        """Have each field follow what drifts; ``columns`` are the readings of each."""
        for field in self._fields:
            field.follow(columns[field.index])

    def _judge(self, columns: Sequence[Sequence[int]], t: float) -> None:
        """Count the noisy bursts of each field; without ``columns`` all are quiet."""
        for index, (margin, watch) in enumerate(zip(self._margins, self._watches, strict=True)):
            column = columns[watch.index] if columns else (0,)
            noisy = max(column) - min(column) > margin and turns(column, margin) >= TURNS
            score = self._scores[index]
            score = max(score, 0) + 1 if noisy else min(score, 0) - 1
            self._scores[index] = score
            if score >= NOISY_BURSTS and not watch.standing:
                watch.tell(t, FieldJumps(max(column) - min(column), margin))
            elif score <= -QUIET_BURSTS and watch.standing:
                watch.clear(t)
        self._burst = []
        self.due = t + PAUSE


class _NoisyField:
    """The fault of one noisy field."""

    def __init__(self, field: Field, timeline: Timeline) -> None:
        self.index = field.index
        self._field = field
        self._timeline = timeline
        self._watch = FaultWatch(
            timeline, field.sensor, dwell=0.0, clear_dwell=0.0, on_cleared=self._release, place=field.index
        )

    @property
    def standing(self) -> bool:
        return self._watch.standing

    def tell(self, t: float, detail: FieldJumps) -> None:
        self._field.hold("noise")
        self._watch.see(detail, t)

    def clear(self, t: float) -> None:
        self._watch.see(None, t)

    def _release(self) -> None:
        self._field.release("noise")


def turns(readings: Sequence[int], margin: float) -> int:
    """Number of times that the readings jump by more than ``margin`` and straight back by more than it."""
    jumps = [after - before for before, after in pairwise(readings)]
    return sum(
        1
        for one, other in pairwise(jumps)
        if (one > margin and -other > margin) or (-one > margin and other > margin)
    )
