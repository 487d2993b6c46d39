"""Measurements of a board's sensors, the judgement on each, and the report.

Runs of readings that hold still and the signals of ring sensors give measurements; the judgement gives the values
to save with their margin, or why a sensor is bad. Pure: time comes in.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from itertools import chain
from statistics import fmean, median
from textwrap import wrap
from typing import Any, Final, Generic, TypeVar

from tamsk_hw.board.calibration import (
    FIELD_NAMES,
    LEAST_DEFLECTION,
    MOST_NOISE_SHARE,
    FieldCalibration,
    HolderCalibration,
    KnownCalibration,
)
from tamsk_hw.board.protocol import FIELDS, LEAST_THRESHOLD, RING_INPUTS, TIMER_FIELD, RingSignal, RingSignals
from tamsk_hw.board.ring_sensing import NEAR_BELOW
from tamsk_hw.errors import Finding, Severity
from tamsk_hw.game.tubes import CAPACITY, PLAYERS, TUBES, End, Player, Tube
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING

#: The reading of an unmeasured field without a magnet: half the supply.
MIDDLE = 128.0

#: A tube is compared with the others once this many have been measured.
FEWEST_TO_COMPARE = 3

#: What is wrong with a sensor, and what to do.
Trouble = tuple[str, str]

#: Reports of a converter, one a second, of which the last counts: the first may show what was before.
REPORTS = 2

#: Counts of a ring below which a sensor does not see it: half of it would be less than the least threshold.
LEAST_RING = 2.0 * LEAST_THRESHOLD

#: Counts of a ring below which little is to spare: even a weak sensor gives as much in its place.
LITTLE_RING = 20.0

#: Counts from a threshold to the signal without a ring, and with one, that noise and ageing leave alone.
SPARE = 5.0

#: Readings over which the present unrest is measured.
_RECENT = 20

LOOSE: Final = "look for a loose wire, and at the 5 V supply"
UNSEEN: Final = "is the ring there, and level? Else clean the sensor's window, and look at its solder joints"
WIRES: Final = "look at the sensor's wires, and for iron or a magnet near it"

#: Steps that the magnets in the neighbouring tubes may add to a reading: six of them 0.7 mT, one step.
NEIGHBOURS = 1.0

#: The least noise, that of the reference build: a quiet second does not show the drift of a warm afternoon.
LEAST_NOISE = 3.0

#: A field with less than this times the deflection that it must have, or less than this share of the others', has
#: little to spare.
LITTLE_MARGIN, LITTLE_SHARE = 1.3, 0.8

#: Deflections of the two ends differ by at most this factor; else the glass stood badly, or an end is weak.
UNLIKE_ENDS = 1.35

#: Readings of a resting holder may differ by this share of a ring, or by this multiple of the seen unrest.
HOLDER_MARGIN, HOLDER_SPARE = 0.2, 1.5

_WIDTH = 79

_HEAD = "tube    rest   end A   end B  noise  margin         rings"

#: What stands above the findings of each severity.
_HEADINGS: Final = {
    PROBLEM: "Bad (earlier values, or else the reference build's, are used):",
    WARNING: "Good for play, with little to spare:",
}

#: The words of the table for a severity; None for a sensor that was not measured.
_WORDS: Final = {OK: "good", WARNING: "weak", PROBLEM: "BAD", None: "-"}

V = TypeVar("V")


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


@dataclass(slots=True, kw_only=True)
class Agreement:
    """Readings of one sensor until they agree; one that does not fit begins a new run.

    At least ``readings`` in a row over at least ``seconds``, none further than ``margin`` from another, and the
    means of the run's two halves no further apart than ``drift``.

    The last keeps out what creeps: a glass that a hand still lowers, a load cell that still settles. ``head``: the
    share of the run that is left out of the sample, since it began before all had come to rest. ``sample``: the
    readings that agreed; None until they do, and again after `restart`.
    """

    readings: int
    seconds: float
    margin: float
    drift: float
    head: float = 0.0
    sample: Sample | None = field(default=None, init=False)
    _run: list[tuple[float, float]] = field(default_factory=list, init=False)
    _recent: deque[float] = field(default_factory=lambda: deque(maxlen=_RECENT), init=False)

    def feed(self, reading: float, t: float) -> bool:
        """Take a reading at time ``t``; True once the readings agree. From then on nothing changes."""
        if self.sample is not None:
            return True
        self._recent.append(reading)
        values = [value for _, value in self._run]
        if not values or max(*values, reading) - min(*values, reading) > self.margin:
            self._run = [(t, reading)]
            return False
        self._run.append((t, reading))
        if len(self._run) < self.readings or t - self._run[0][0] < self.seconds:
            return False
        values = [*values, reading][int(len(self._run) * self.head) :]
        half = len(values) // 2
        if abs(fmean(values[:half]) - fmean(values[half:])) > self.drift:
            self._run = self._run[len(self._run) // 2 :]
            return False
        self.sample = Sample(fmean(values), min(values), max(values), len(values))
        return True

    def restart(self) -> None:
        """Start again, since something interrupted the run."""
        self._run.clear()
        self._recent.clear()
        self.sample = None

    @property
    def unrest(self) -> float:
        """The spread of the last readings, agreeing or not."""
        return max(self._recent) - min(self._recent) if self._recent else 0.0


class Signals:
    """The last signals of ring sensors since `restart`, as the board reports them (PROTOCOL.md section 3.4)."""

    def __init__(self) -> None:
        self.last: dict[int, RingSignal] = {}
        """The last signal of each sensor."""
        self._reports: Counter[int] = Counter()

    def take(self, told: RingSignals) -> None:
        """Take a converter's signals."""
        self.last |= told.by_bit
        self._reports[told.chip] += 1

    def restart(self) -> None:
        """Forget all signals: things have changed, or may have."""
        self.last.clear()
        self._reports.clear()

    def are_complete(self, bits: Iterable[int]) -> bool:
        """The converter of each of these sensors has reported `REPORTS` times."""
        return all(self._reports[bit // RING_INPUTS] >= REPORTS for bit in bits)

    def counts(self, bit: int) -> float | None:
        """Counts of the last signal; None where there is none to believe."""
        return self.last[bit].counts if bit in self.last else None

    def is_bright(self, bit: int) -> bool:
        """A sensor is too bright to be read."""
        return bit in self.last and self.last[bit].is_bright

    def silent_converters(self, bits: Iterable[int]) -> list[int]:
        """The converters of these sensors that do not answer."""
        silent = {bit for bit in bits if bit in self.last and self.last[bit].is_silent}
        return sorted({bit // RING_INPUTS for bit in silent})


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
    """One ring sensor: its signal without a ring and with one, in counts; None when not measured.

    ``bare_trouble``, ``covered_trouble``: what is wrong with it without and with a ring.
    """

    bare: float | None = None
    covered: float | None = None
    bare_trouble: Trouble | None = None
    covered_trouble: Trouble | None = None


@dataclass(slots=True)
class HolderFound:
    """One ring holder's load cell: empty, and loaded with rings."""

    empty: Sample | None = None
    loaded: Sample | None = None
    trouble: Trouble | None = None


@dataclass(slots=True)
class Measurements:
    """All sensors to be measured, with what was.

    ``rings``: as many are weighed in each holder. ``baseline``: the readings of all fields on the empty board;
    ``taken`` counts the measurements.
    """

    fields: dict[int, FieldFound] = field(default_factory=dict)
    levels: dict[Tube, list[LevelFound]] = field(default_factory=dict)
    holders: dict[Player, HolderFound] = field(default_factory=dict)
    rings: int = 32
    baseline: dict[int, float] = field(default_factory=dict)
    taken: int = 0

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


def unmeasured(
    fields: Iterable[int] = range(FIELDS), tubes: Iterable[Tube] = TUBES, *, holders: bool = False, rings: int = 32
) -> Measurements:
    """These fields, the ring sensors of these tubes and the holders, before anything was measured."""
    return Measurements(
        fields={index: FieldFound() for index in sorted(fields)},
        levels={tube: [LevelFound() for _ in range(CAPACITY[tube])] for tube in tubes},
        holders={player: HolderFound() for player in PLAYERS if holders},
        rings=rings,
    )


def field_words(index: int) -> str:
    """The place of a Hall sensor: ``"D4"``, ``"the timer's cradle"``."""
    return "the timer's cradle" if index == TIMER_FIELD else FIELD_NAMES[index]


# ---- verdicts


@dataclass(frozen=True, slots=True)
class Verdict(Generic[V]):
    """The judgement on one sensor, None if it was not measured: a WARNING is saved, with little to spare.

    ``values`` are what is saved. ``figure``: of a field the margin, times the deflection that it must have; of a
    holder how far its readings lay apart, in rings.
    """

    severity: Severity | None
    trouble: Trouble | None = None
    values: V | None = None
    figure: float | None = None


@dataclass(frozen=True, slots=True)
class Verdicts:
    """All verdicts: on fields by index, on ring sensors by tube from the bottom up, on holders.

    The values of ring sensors are the counts of the file. ``glass_marked_wrongly``: the glass's ends are
    marked the wrong way round.
    """

    fields: dict[int, Verdict[FieldCalibration]] = field(default_factory=dict)
    levels: dict[Tube, list[Verdict[float]]] = field(default_factory=dict)
    holders: dict[Player, Verdict[HolderCalibration]] = field(default_factory=dict)
    glass_marked_wrongly: bool = False

    @property
    def severities(self) -> list[Severity | None]:
        """The judgements on all sensors."""
        return [each.severity for _, each in self._all()]

    def findings(self, severity: Severity) -> list[Finding]:
        """The findings of this severity. Ring sensors with the same trouble share one."""
        found: dict[tuple[str, Trouble], list[str]] = {}
        for place, each in self._all():
            if each.trouble is not None and each.severity is severity:
                # Only ring sensors share a finding.
                found.setdefault(("" if "." in place else place, each.trouble), []).append(place)
        return [Finding(severity, _subject(places), *trouble) for (_, trouble), places in found.items()]

    def _all(self) -> Iterator[tuple[str, Verdict[Any]]]:
        """All verdicts in order, each with its sensor's place."""
        for index, each in self.fields.items():
            yield f"field of {field_words(index)}", each
        for tube, row in self.levels.items():
            yield from ((f"{tube}.{level}", verdict) for level, verdict in enumerate(row, 1))
        for player, holder in self.holders.items():
            yield f"{player}'s ring holder", holder

    def merged(self, earlier: KnownCalibration) -> KnownCalibration:
        """``earlier`` with the new values; bad sensors and those left out keep the earlier ones."""
        known = earlier.calibration
        fields = {index: each.values for index, each in self.fields.items() if each.values is not None}
        holders = [each.values for each in self.holders.values() if each.values is not None]
        weighed = len(holders) == len(PLAYERS)
        rows = {tube: [one.values for one in row if one.values is not None] for tube, row in self.levels.items()}
        # Only tubes with all their sensors measured are saved.
        counts = {tube.name: tuple(row) for tube, row in rows.items() if len(row) == len(self.levels[tube])}
        return replace(
            earlier,
            calibration=replace(
                known,
                fields=tuple(fields.get(index, each) for index, each in enumerate(known.fields)),
                holders=(holders[0], holders[1]) if weighed else known.holders,
            ),
            measured=earlier.measured | {FIELD_NAMES[index] for index in fields},
            holders_measured=earlier.holders_measured or weighed,
            ring_counts={**earlier.ring_counts, **counts},
            problem=None,
        )


def _subject(places: list[str]) -> str:
    """The subject of a finding on the sensors of these places."""
    tube, _, level = places[0].partition(".")
    if len(places) > 1:
        return f"ring sensors {' '.join(places)} (tube.level, 1 is the lowest)"
    return f"ring sensor of {tube}, level {level}{' (the lowest)' * (level == '1')}" if level else tube


# ---- judging


def judge(measurements: Measurements, earlier: KnownCalibration) -> Verdicts:
    """Judge the sensors."""
    complete = [each for each in measurements.fields.values() if each.is_complete and each.trouble is None]
    contrary = [each for each in complete if each.contrary]
    marked_wrongly = bool(contrary) and len(contrary) * 2 > len(complete)
    typical = {end: measurements.typical(end, earlier) for end in End}
    return Verdicts(
        fields={
            index: _judge_field(index, each, typical, contrary_is_bad=not marked_wrongly)
            for index, each in measurements.fields.items()
        },
        levels={tube: [_judge_level(each) for each in row] for tube, row in measurements.levels.items()},
        holders={player: _judge_holder(each, measurements.rings) for player, each in measurements.holders.items()},
        glass_marked_wrongly=marked_wrongly,
    )


def _judge_field(
    index: int, found: FieldFound, typical: dict[End, float | None], *, contrary_is_bad: bool
) -> Verdict[FieldCalibration]:
    if found.trouble is not None:
        return Verdict(PROBLEM, found.trouble)
    end_a, end_b = found.deflection(End.A), found.deflection(End.B)
    if found.rest is None or end_a is None or end_b is None:
        return Verdict(None)
    stray = max(sample.stray for sample in (found.rest, *found.ends.values()))
    values = FieldCalibration(
        rest=round(found.rest.mean, 2),
        end_a=round(end_a, 2),
        end_b=round(end_b, 2),
        noise=round(max(LEAST_NOISE, stray + NEIGHBOURS), 2),
    )
    weaker = min(values.end_a, values.end_b)
    margin = weaker / max(LEAST_DEFLECTION, values.noise / MOST_NOISE_SHARE)
    problem = values.problem()
    if problem is not None:
        return Verdict(PROBLEM, (problem, _suspect(values)), figure=margin)
    if found.contrary and contrary_is_bad:
        advice = (
            "its sensor lies the wrong way round, or a wrong end was set; turn the sensor, or measure it again"
        )
        return Verdict(PROBLEM, ("feels the other end than its neighbours", advice), figure=margin)
    weakness = None
    if margin < LITTLE_MARGIN:
        weakness = f"the glass moves it by {weaker:.0f} steps only", _suspect(values)
    elif max(values.end_a, values.end_b) > UNLIKE_ENDS * weaker:
        cause = f"end A moves it by {values.end_a:.0f} steps, end B by {values.end_b:.0f}"
        weakness = cause, "did the glass stand firm both times? Measure it again"
    elif index != TIMER_FIELD and (share := _share(values, typical)) < LITTLE_SHARE:
        advice = "its sensor lies too deep, or the glass did not stand firm; measure it again"
        weakness = f"feels only {share:.0%} of what the other tubes do", advice
    return Verdict(OK if weakness is None else WARNING, weakness, values, margin)


def _share(values: FieldCalibration, typical: dict[End, float | None]) -> float:
    """The deflection of the weaker end relative to the other tubes'; 1 when there are none to compare with."""
    a, b = typical[End.A], typical[End.B]
    return 1.0 if a is None or b is None else min(values.end_a / a, values.end_b / b)


def _suspect(values: FieldCalibration) -> str:
    """The most likely cause of impossible or weak values."""
    if not 90 <= values.rest <= 166:
        return WIRES
    if min(values.end_a, values.end_b) < LITTLE_MARGIN * LEAST_DEFLECTION:
        return "the sensor lies too deep, or the magnet in the cap is too weak"
    if values.noise > MOST_NOISE_SHARE * min(values.end_a, values.end_b) / LITTLE_MARGIN:
        return LOOSE
    return "the sensor lies too near to the magnet: its reading ends at the scale's end"


def _judge_level(found: LevelFound) -> Verdict[float]:
    counts, bare = found.covered, found.bare or 0.0
    trouble = found.bare_trouble or found.covered_trouble
    if trouble is not None:
        return Verdict(PROBLEM, trouble, None if counts is None else 0)
    if counts is None:
        return Verdict(None)
    cause = f"its ring gives {counts:.0f} counts"
    if counts < LEAST_RING:
        return Verdict(PROBLEM, (f"{cause}; it needs {LEAST_RING:.0f}", UNSEEN), 0)
    below = counts / 2 - bare
    stray = "look for dirt before it; blacken its slot and whatever faces it"
    if below < NEAR_BELOW:
        return Verdict(PROBLEM, (f"{cause}, no ring {bare:.0f}: no threshold fits between", stray), 0)
    values = round(counts, 1)
    if counts < LITTLE_RING:
        return Verdict(WARNING, (f"{cause}; {LITTLE_RING:.0f} and more are usual", "clean its window"), values)
    if below < SPARE:
        return Verdict(WARNING, (f"{cause}, no ring {bare:.0f}: near to the threshold between", stray), values)
    return Verdict(OK, values=values)


def _judge_holder(found: HolderFound, rings: int) -> Verdict[HolderCalibration]:
    if found.trouble is not None:
        return Verdict(PROBLEM, found.trouble)
    if found.empty is None or found.loaded is None:
        return Verdict(None)
    per_ring = (found.loaded.mean - found.empty.mean) / rings
    spread = max(sample.highest - sample.lowest for sample in (found.empty, found.loaded))
    values = HolderCalibration(
        zero=round(found.empty.mean, 1),
        per_ring=round(per_ring, 1),
        margin=round(max(HOLDER_MARGIN * abs(per_ring), HOLDER_SPARE * spread), 1),
    )
    problem = values.problem()
    unrest = spread / abs(per_ring) if per_ring else None
    if problem is not None:
        advice = (
            f"were {rings} rings in it and nothing else? Else check that the holder rests on its cell "
            "alone, and the cell's wires"
        )
        return Verdict(PROBLEM, (problem, advice), figure=unrest)
    return Verdict(OK, values=values, figure=unrest)


# ---- the report


def report_lines(verdicts: Verdicts) -> list[str]:
    """The table, the bad sensors, those with little to spare, and the sensors that were not measured."""
    lines = _table_lines(verdicts)
    for severity, heading in _HEADINGS.items():
        if found := verdicts.findings(severity):
            lines += ["", heading, *chain(*map(_item, found))]
    if verdicts.glass_marked_wrongly:
        cause = "nearly all sensors feel the other end than was said: what was taken for end A is end B"
        lines += ["", *_item(Finding(WARNING, "glass", cause, "nothing is lost; mark the glass again"))]
    left = _left_out(verdicts)
    if left:
        lines += ["", *wrap(f"Not measured: {'; '.join(left)}.", _WIDTH)]
    return [*lines, ""]


def _item(finding: Finding) -> list[str]:
    line = f"{finding.subject}: {finding}"
    return wrap(line, _WIDTH, initial_indent="- ", subsequent_indent="  ", break_long_words=False)


def _left_out(verdicts: Verdicts) -> list[str]:
    left = []
    fields = [FIELD_NAMES[index] for index, verdict in verdicts.fields.items() if verdict.severity is None]
    if fields:
        left.append(f"the fields of {some_of(fields)}" if len(fields) < len(verdicts.fields) else "the fields")
    if verdicts.levels and all(map(_is_left_out, verdicts.levels.values())):
        left.append("the ring sensors")
    if verdicts.holders and _is_left_out(verdicts.holders.values()):
        left.append("the ring holders")
    return left


def _is_left_out(sensors: Iterable[Verdict[Any]]) -> bool:
    return all(verdict.severity is None for verdict in sensors)


def _table_lines(verdicts: Verdicts) -> list[str]:
    """The table and its legend. Sensors that were not measured have no line."""
    fields = {index: verdict for index, verdict in verdicts.fields.items() if verdict.severity is not None}
    levels = {int(tube): row for tube, row in verdicts.levels.items() if not _is_left_out(row)}
    lines: list[str] = []
    rows = [index for index in range(TIMER_FIELD + 1) if index in fields or index in levels]
    if rows:
        lines += [_HEAD, *(_row(index, fields.get(index), levels.get(index)) for index in rows)]
    if fields:
        lines.append("fields: steps of 255; margin: times the deflection that there must be at least")
    if levels:
        lines.append("rings: counts with a ring, from the bottom up; half of them is the threshold")
    for player, holder in verdicts.holders.items():
        if holder.severity is not None:
            lines.append(f"{player}'s ring holder: {_holder(holder)}")
    return lines


def _row(index: int, verdict: Verdict[FieldCalibration] | None, levels: list[Verdict[float]] | None) -> str:
    values = ""
    if verdict is not None and verdict.values is not None:
        own = verdict.values
        values = f"{own.rest:7.1f} {own.end_a:+7.1f} {-own.end_b:+7.1f} {own.noise:6.1f}  "
        values = f"{values}{f'×{verdict.figure:.1f}':>5}"
    words = _WORDS[verdict.severity] if verdict is not None else ""
    return f"{FIELD_NAMES[index]:5}{values:36}  {words:5}  {_rings(levels)}".rstrip()


def _rings(levels: list[Verdict[float]] | None) -> str:
    if levels is None:
        return ""
    counts = " ".join(
        "  ?" if level.values is None else "  -" if not level.values else f"{level.values:3.0f}"
        for level in levels
    )
    severities = {level.severity for level in levels}
    worst = next(each for each in (PROBLEM, None, WARNING, OK) if each in severities)
    return f"{counts:15}  {_WORDS[worst]}"


def _holder(verdict: Verdict[HolderCalibration]) -> str:
    words = _WORDS[verdict.severity]
    if verdict.values is None or verdict.figure is None:
        return words
    own = verdict.values
    return f"empty {own.zero:.0f}, {own.per_ring:.0f} counts a ring, unrest {verdict.figure:.2f} rings  {words}"
