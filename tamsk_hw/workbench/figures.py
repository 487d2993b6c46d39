"""Timed glasses, and the statistics of their runs: durations, their spread, odd runs, the tolerance of R6.4.

A glass's duration in one direction is the mean of its runs. The tolerance for a run in play follows from the
spread of all runs about their means by Student's distribution, so that few runs give a wide tolerance.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf, sqrt
from statistics import fmean, median
from typing import Final, Literal

from tamsk_hw.board.calibration import GLASS_NAMES, KnownCalibration
from tamsk_hw.game.sand import Sand
from tamsk_hw.game.tubes import TUBE_OF_NAME, End

#: The 15-second timer's name among the glasses.
TIMER: Final = "timer"

#: All that can be timed: the six glasses by their start tubes, then the timer.
TIMED_NAMES: Final = (*GLASS_NAMES, TIMER)

ENDS: Final = (End.A, End.B)

#: The share by which a run may exceed its expectation before its sand is certainly down.
CERTAIN: Final = 0.25

#: The delay of a person's call after the last grain in seconds, and the uncertainty of its mean. Somebody who
#: watches the glass expects the grain, and reacts faster than the 0.25 s of a surprised eye.
REACTION: Final = 0.15
REACTION_DOUBT: Final = 0.15

#: Runs that a direction needs before its duration counts as measured.
LEAST_RUNS: Final = 2

#: Further runs that are asked for when those of a direction do not agree.
FURTHER_RUNS: Final = 2

#: Runs of one direction that lie further apart than the larger of these do not agree: a share, and seconds.
ODD_SHARE: Final = 0.01
ODD_SECONDS: Final = 0.6

#: The smallest tolerance: sand also depends on the air's moisture and the board's tilt, which no session shows.
LEAST_TOLERANCE: Final = 0.004

#: The largest tolerance (it must stay below 1).
MOST_TOLERANCE: Final = 0.5

#: The share of runs in play that lie within the tolerance, for each glass and direction.
COVERED: Final = 0.99

# Student's distribution: the two-sided factor for `COVERED` by degrees of freedom.
_STUDENT: Final = (
    (1, 63.657), (2, 9.925), (3, 5.841), (4, 4.604), (5, 4.032), (6, 3.707), (7, 3.499), (8, 3.355), (9, 3.250),
    (10, 3.169), (11, 3.106), (12, 3.055), (13, 3.012), (14, 2.977), (15, 2.947), (16, 2.921), (18, 2.878),
    (20, 2.845), (25, 2.787), (30, 2.750), (40, 2.704), (60, 2.660), (120, 2.617),
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Turning:
    """The turning that begins a run: ``end`` is down then; lifted and seated at these host seconds."""

    end: End
    lifted: float
    seated: float

    @property
    def middle(self) -> float:
        """The best estimate of when the sand began to run."""
        return (self.lifted + self.seated) / 2

    @property
    def held(self) -> float:
        """Seconds in the hand."""
        return self.seated - self.lifted


@dataclass(frozen=True, slots=True)
class TimedRun:
    """A run from full to the call of its last grain, in host seconds.

    ``number`` counts the runs of a session from 1. ``dropped``: a person has thrown it out.
    """

    number: int
    glass: str
    turning: Turning
    called: float
    dropped: bool = False

    @property
    def seconds(self) -> float:
        """The run's duration: from the middle of the turning to the call, less the caller's reaction."""
        return self.called - REACTION - self.turning.middle


#: The place and the sand of a glass. Missing: it has not been seen on its tube; running: from full, timed. One
#: that "runs, not timed" stands; where its sand is nobody knows, or it did not start from full.
GlassStanding = Literal["missing", "in the hand", "leaning", "runs, not timed", "run down", "running"]


@dataclass(slots=True)
class TimedGlass:
    """One glass.

    ``sand`` is None until it has been seen. ``start``: it makes a run that counts. ``away_since``: it left its
    tube then; ``down_when_lifted``: it was run down. ``leaning_since``: it leans. ``lifted_run``: the run that was
    ended by lifting the glass about when its last grain should fall, uncalled, and when that was. ``hand``: when
    it was last lifted and seated, and whether it was turned over. ``moves`` counts lifts and seatings.
    """

    name: str
    durations: tuple[float, float]
    sand: Sand | None = None
    start: Turning | None = None
    away_since: float | None = None
    down_when_lifted: bool = False
    leaning_since: float | None = None
    lifted_run: tuple[Turning, float] | None = None
    hand: tuple[float, float, bool] = (0.0, 0.0, False)
    moves: int = 0

    def seen(self, end: End, t: float) -> None:
        """Note that it stands, its sand unknown."""
        self.sand = Sand(0.0, 1.0, end, t, True, self.durations, CERTAIN)

    def run_down(self, t: float) -> None:
        """Note that its sand is down at ``t``."""
        assert self.sand is not None
        sand = self.sand
        self.sand = Sand(0.0, 0.0, sand.end, max(t, sand.since), sand.standing, self.durations, CERTAIN)

    def is_down(self, t: float) -> bool:
        """True when all its sand is certainly below."""
        return self.sand is not None and self.sand.above(max(t, self.sand.since))[1] <= 0

    def standing(self, t: float) -> GlassStanding:
        """Its standing at ``t``."""
        if self.away_since is not None:
            return "in the hand"
        if self.leaning_since is not None:
            return "leaning"
        if self.sand is None:
            return "missing"
        if self.start is not None:
            return "running"
        return "run down" if self.is_down(t) else "runs, not timed"


# ---- statistics


def student_factor(freedom: int) -> float:
    """Student's two-sided factor for `COVERED`; between the lines of the table the larger. Infinite for none."""
    return next((factor for least, factor in reversed(_STUDENT) if freedom >= least), inf)


def allowed_apart(seconds: float) -> float:
    """The largest difference in seconds between runs of about ``seconds`` that agree."""
    return max(ODD_SECONDS, ODD_SHARE * seconds)


@dataclass(frozen=True)
class Direction:
    """The runs of one glass with one end down, the dropped ones left out.

    What follows from them is worked out once: lights and picture ask for it many times a second.
    """

    runs: tuple[TimedRun, ...]

    @cached_property
    def seconds(self) -> tuple[float, ...]:
        """The runs' durations."""
        return tuple(run.seconds for run in self.runs)

    @cached_property
    def mean(self) -> float:
        """The mean duration in seconds; only of use with runs."""
        return fmean(self.seconds)

    @property
    def half_range(self) -> float:
        """Half the way from the shortest run to the longest, in seconds."""
        return (max(self.seconds) - min(self.seconds)) / 2 if self.runs else 0.0

    @cached_property
    def odd(self) -> tuple[TimedRun, ...]:
        """The runs that do not agree with the others; of two that differ, both."""
        if len(self.runs) < 2:
            return ()
        if len(self.runs) == 2:
            return self.runs if 2 * self.half_range > allowed_apart(self.mean) else ()
        middle = median(self.seconds)
        return tuple(run for run in self.runs if abs(run.seconds - middle) > allowed_apart(middle))

    def wanting(self, wanted: int) -> int:
        """The number of runs still needed for ``wanted`` that agree."""
        if len(self.runs) < wanted:
            return wanted - len(self.runs)
        return 1 if self.odd and len(self.runs) < wanted + FURTHER_RUNS else 0


@dataclass(frozen=True)
class Figures:
    """All runs of a session, the dropped ones among them."""

    runs: tuple[TimedRun, ...] = ()

    @cached_property
    def _directions(self) -> dict[tuple[str, End], Direction]:
        """All directions of all glasses."""
        return {
            (name, end): Direction(
                tuple(run for run in self.runs if run.glass == name and run.turning.end is end and not run.dropped)
            )
            for name in TIMED_NAMES
            for end in ENDS
        }

    def of(self, glass: str, end: End) -> Direction:
        """One glass's runs with ``end`` down."""
        return self._directions[glass, end]

    def complete(self, glass: str) -> bool:
        """Both directions have runs enough to count as measured."""
        return all(len(self.of(glass, end).runs) >= LEAST_RUNS for end in ENDS)

    @property
    def completed(self) -> tuple[str, ...]:
        """The glasses that count as measured, and the timer."""
        return tuple(name for name in TIMED_NAMES if self.complete(name))

    @property
    def odd(self) -> tuple[TimedRun, ...]:
        """The runs that do not agree with the others of their direction."""
        return tuple(run for direction in self._directions.values() for run in direction.odd)

    def pair(self, glass: str) -> tuple[float, float]:
        """Seconds from full with end A down and with end B down, to the hundredth, of a glass that is complete."""
        return round(self.of(glass, End.A).mean, 2), round(self.of(glass, End.B).mean, 2)

    def tolerance(self) -> float | None:
        """The relative tolerance that the complete glasses are known with (R6.4); None when there are none."""
        found = [self.glass_tolerance(), self.timer_tolerance()]
        return max((value for value in found if value is not None), default=None)

    def glass_tolerance(self) -> float | None:
        """The tolerance for the six glasses; None when none is complete.

        The spread is pooled over all directions, as a share of each duration. All of it is taken for the sand's,
        though the caller's hand and eye are in it.
        """
        names = [name for name in self.completed if name != TIMER]
        if not names:
            return None
        directions = [self.of(name, end) for name in names for end in ENDS]
        spread, freedom = _pooled(directions, relative=True)
        shares = (
            student_factor(freedom) * spread * sqrt(1 + 1 / len(each.runs)) + REACTION_DOUBT / each.mean
            for each in directions
        )
        return _tolerance(max(shares))

    def timer_doubt(self) -> float | None:
        """The uncertainty of the timer's durations in seconds; None when it is not complete.

        Of fifteen seconds the caller's hand and eye are by far the largest part of the spread, and many runs make
        up for them: this is the error of the mean.
        """
        if not self.complete(TIMER):
            return None
        directions = [self.of(TIMER, end) for end in ENDS]
        spread, freedom = _pooled(directions, relative=False)
        fewest = min(len(each.runs) for each in directions)
        return student_factor(freedom) * spread / sqrt(fewest) + REACTION_DOUBT

    def timer_tolerance(self) -> float | None:
        """The tolerance that the timer needs; None when it is not complete.

        The referee allows for the time in the hand: half of it lies on either side of when the sand really begins,
        as it did when the timer was timed. That part of the timer's uncertainty needs no tolerance.
        """
        doubt = self.timer_doubt()
        if doubt is None:
            return None
        directions = [self.of(TIMER, end) for end in ENDS]
        allowed = fmean(run.turning.held for each in directions for run in each.runs) / 2
        shortest = min(each.mean for each in directions)
        return _tolerance(max(0.0, doubt - allowed) / shortest)

    def drop(self, number: int) -> Figures:
        """The same with the run of that number dropped."""
        return Figures(tuple(replace(run, dropped=True) if run.number == number else run for run in self.runs))


def _pooled(directions: Sequence[Direction], *, relative: bool) -> tuple[float, int]:
    """The standard deviation of runs about their direction's mean, and its degrees of freedom."""
    total, freedom = 0.0, 0
    for each in directions:
        scale = each.mean if relative else 1.0
        total += sum(((seconds - each.mean) / scale) ** 2 for seconds in each.seconds)
        freedom += len(each.runs) - 1
    return (sqrt(total / freedom) if freedom else 0.0), freedom


def _tolerance(share: float) -> float:
    """The tolerance for durations that may be off by ``share`` either way.

    The sand runs at 1 ± tolerance of its speed, so that a duration lies between 1 / (1 + tolerance) and
    1 / (1 − tolerance) of the measured one; rounded up to the hundredth of a per cent.
    """
    share = min(share, MOST_TOLERANCE / (1 + MOST_TOLERANCE))
    exact = max(LEAST_TOLERANCE, share / (1 - share))
    return min(MOST_TOLERANCE, -(-exact * 10_000 // 1) / 10_000)


def merged(known: KnownCalibration, figures: Figures) -> KnownCalibration:
    """``known`` with the glasses that this session has completed; the others stay as they were.

    There is one tolerance for all. When glasses of an earlier session stay, it is the larger of the two.
    """
    tolerance = figures.tolerance()
    if tolerance is None:
        return known
    sand = known.calibration.sand
    names = figures.completed
    earlier = known.glasses | ({TIMER} if known.timer_timed else set())
    if earlier - set(names):
        tolerance = max(tolerance, sand.tolerance)
    timed = {tube.name: pair for tube, pair in sand.glasses} | {
        name: figures.pair(name) for name in names if name != TIMER
    }
    sand = replace(
        sand,
        glasses=tuple((TUBE_OF_NAME[name], timed[name]) for name in GLASS_NAMES if name in timed),
        timer=figures.pair(TIMER) if TIMER in names else sand.timer,
        tolerance=tolerance,
    )
    return replace(
        known,
        calibration=replace(known.calibration, sand=sand),
        glasses=known.glasses | {name for name in names if name != TIMER},
        timer_timed=known.timer_timed or TIMER in names,
    )


def run_words(runs: Iterable[TimedRun]) -> list[str]:
    """A line for each odd run, with its number, by which it can be thrown out."""
    return [
        f"run {run.number}: {run.glass}, end {run.turning.end} down: {run.seconds:.1f} s does not agree with the "
        "others"
        for run in runs
    ]
