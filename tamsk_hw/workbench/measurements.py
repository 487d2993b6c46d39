"""Measurements of a board's sensors: runs of readings that hold still, the board's self-tests, what they gave.

Pure: time comes in.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from statistics import median

from tamsk_hw.board.calibration import FIELD_NAMES, KnownCalibration
from tamsk_hw.board.protocol import SELF_TEST_DARK, SELF_TEST_UNSEEN, TIMER_FIELD
from tamsk_hw.game.tubes import End, Player, Tube

#: The reading of an unmeasured field without a magnet: half the supply.
MIDDLE = 128.0

#: A tube is compared with the others once this many have been measured.
FEWEST_TO_COMPARE = 3

#: What is wrong with a sensor, and what to do.
Trouble = tuple[str, str]

#: Number of self-tests; the worst report of each sensor counts.
TESTS = 3

#: Seconds after which a self-test that was not answered is asked for again; one takes 0.1 s at most.
ASK_AGAIN = 1.0

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

    def feed(self, reading: float, t: float) -> bool:
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


class SelfTests:
    """Asks for `TESTS` self-tests, one after the other, and keeps their reports."""

    def __init__(self) -> None:
        self._reports: list[bytes] = []
        self._asked_at: float | None = None

    @property
    def done(self) -> bool:
        """All reports are there."""
        return len(self._reports) >= TESTS

    def due(self, t: float) -> bool:
        """True when a self-test must be started now; it then counts as started at ``t``."""
        if self.done or (self._asked_at is not None and t < self._asked_at + ASK_AGAIN):
            return False
        self._asked_at = t
        return True

    def take(self, report: bytes) -> None:
        """Take a report: a byte for each chain bit."""
        if self._asked_at is not None and not self.done:
            self._reports.append(report)
            self._asked_at = None

    def lost(self) -> None:
        """Forget all reports: the board was out of reach, and things may have changed meanwhile."""
        self._reports.clear()
        self._asked_at = None

    def seen_by(self, bit: int) -> int:
        """The longest of the times that each test needed to see a ring; unseen or dark if any test says so."""
        times = [report[bit] for report in self._reports]
        for special in (SELF_TEST_DARK, SELF_TEST_UNSEEN):
            if special in times:
                return special
        return max(times)

    def phantom_of(self, bit: int) -> int:
        """The shortest time that saw anything in any test; for sensors without a ring."""
        times = [report[bit] for report in self._reports]
        if SELF_TEST_DARK in times:
            return SELF_TEST_DARK
        return min((time for time in times if time != SELF_TEST_UNSEEN), default=SELF_TEST_UNSEEN)


@dataclass(slots=True)
class FieldFound:
    """One Hall sensor. ``ends``: the readings with a glass seated, by the end that they indicate.

    ``contrary``: the person said that the other end was down. ``confirmed``: a weak field was taken at his word.
    ``trouble``: what is wrong with it; its values do not count then.
    """

    rest: Sample | None = None
    ends: dict[End, Sample] = field(default_factory=dict)
    contrary: bool = False
    confirmed: bool = False
    trouble: Trouble | None = None

    @property
    def is_complete(self) -> bool:
        """Rest and both ends were measured."""
        return self.rest is not None and len(self.ends) == 2

    def deflection(self, end: End) -> float | None:
        """The steps by which a glass with that end down moves the reading; None when it was not measured."""
        if self.rest is None or end not in self.ends:
            return None
        return abs(self.ends[end].mean - self.rest.mean)


@dataclass(slots=True)
class LevelFound:
    """One ring sensor, with the light times of the self-tests in microseconds as the board reports them.

    ``bare``: the shortest that saw something without a ring (0: none did, as it should be); ``covered``: the
    shortest that saw its ring; both None when not tested. ``bare_trouble``, ``covered_trouble``: what is wrong
    with it without and with a ring.
    """

    bare: int | None = None
    covered: int | None = None
    bare_trouble: Trouble | None = None
    covered_trouble: Trouble | None = None


@dataclass(slots=True)
class HolderFound:
    """One ring holder's load cell: empty, and loaded with ``rings`` rings."""

    empty: Sample | None = None
    loaded: Sample | None = None
    rings: int = 0
    trouble: Trouble | None = None


@dataclass(slots=True)
class Measurements:
    """All measurements. ``baseline``: the readings of all fields on the empty board."""

    fields: dict[int, FieldFound] = field(default_factory=dict)
    levels: dict[Tube, list[LevelFound]] = field(default_factory=dict)
    holders: dict[Player, HolderFound] = field(default_factory=dict)
    baseline: dict[int, float] = field(default_factory=dict)

    def typical(self, end: End, earlier: KnownCalibration) -> float | None:
        """The median of the steps by which a glass with that end down moves the tubes' fields.

        Those measured now count; while they are few, those of an ``earlier`` calibration do; None when there are
        too few of either.
        """
        now = [
            deflection
            for index, found in self.fields.items()
            if index != TIMER_FIELD and found.trouble is None and not found.confirmed
            if (deflection := found.deflection(end)) is not None
        ]
        if len(now) < FEWEST_TO_COMPARE:
            fields = earlier.calibration.fields
            now = [
                fields[index].end_a if end is End.A else fields[index].end_b
                for index, name in enumerate(FIELD_NAMES)
                if name in earlier.measured and index != TIMER_FIELD
            ]
        return median(now) if len(now) >= FEWEST_TO_COMPARE else None


def field_words(index: int) -> str:
    """The place of a Hall sensor: ``"D4"``, ``"the timer's cradle"``."""
    return "the timer's cradle" if index == TIMER_FIELD else FIELD_NAMES[index]
