"""The judgement on each sensor: the values to save with their margin, or why it is bad."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import assert_never

from tamsk_hw.board.calibration import (
    FIELD_NAMES,
    LEAST_DEFLECTION,
    MOST_NOISE_SHARE,
    Calibration,
    FieldCalibration,
    HolderCalibration,
    KnownCalibration,
)
from tamsk_hw.board.protocol import SELF_TEST_DARK, TIMER_FIELD, Settings
from tamsk_hw.facts.calibration_findings import (
    CalibrationFinding,
    FieldFault,
    FieldFinding,
    FieldTrouble,
    HolderFault,
    HolderFinding,
    HolderTrouble,
    LevelFault,
    LevelsFinding,
    LevelTrouble,
    Suspect,
)
from tamsk_hw.facts.severity import Severity
from tamsk_hw.game.tubes import CAPACITY, PLAYERS, End, Player, Tube
from tamsk_hw.referee.events import SensorId
from tamsk_hw.workbench.readings import field_sensor
from tamsk_hw.workbench.sensor_calibration.measurements import FieldFound, HolderFound, LevelFound, Measurements

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

#: A sensor that needs this light time or more has little margin: one step further it sees no ring.
LITTLE_LIGHT = 160


class Judgement(Enum):
    """The judgement on a sensor; the value is its word in the table."""

    GOOD = "good"
    WEAK = "weak"
    """It works and is saved, with little to spare."""
    BAD = "BAD"
    """It cannot be used; its values are not saved."""
    LEFT_OUT = "-"
    """It was not measured."""

    @property
    def severity(self) -> Severity:
        """The severity of a finding with that judgement."""
        match self:
            case Judgement.GOOD | Judgement.LEFT_OUT:
                return Severity.OK
            case Judgement.WEAK:
                return Severity.WARNING
            case Judgement.BAD:
                return Severity.PROBLEM
            case _:
                assert_never(self)


@dataclass(frozen=True, slots=True)
class FieldVerdict:
    """One field. ``values`` are what is saved. ``margin``: times the deflection that it must have."""

    index: int
    judgement: Judgement
    trouble: FieldTrouble | None = None
    values: FieldCalibration | None = None
    margin: float | None = None


@dataclass(frozen=True, slots=True)
class LevelVerdict:
    """One ring sensor, ``level`` counted from 0 at the bottom; ``time`` as in the file, None when not known."""

    tube: Tube
    level: int
    judgement: Judgement
    trouble: LevelTrouble | None = None
    time: int | None = None


@dataclass(frozen=True, slots=True)
class HolderVerdict:
    """One ring holder. ``unrest``: how far its readings lay apart, in rings."""

    player: Player
    judgement: Judgement
    trouble: HolderTrouble | None = None
    values: HolderCalibration | None = None
    unrest: float | None = None


@dataclass(frozen=True, slots=True)
class Verdicts:
    """All verdicts; ``glass_marked_wrongly``: the glass's ends are marked the wrong way round."""

    fields: tuple[FieldVerdict, ...] = ()
    levels: tuple[LevelVerdict, ...] = ()
    holders: tuple[HolderVerdict, ...] = ()
    glass_marked_wrongly: bool = False

    @property
    def all(self) -> tuple[FieldVerdict | LevelVerdict | HolderVerdict, ...]:
        """The verdicts on all sensors."""
        return (*self.fields, *self.levels, *self.holders)

    def findings(self, severity: Severity) -> list[CalibrationFinding]:
        """The findings of this severity. Ring sensors with the same trouble share one."""
        found: list[CalibrationFinding] = [
            FieldFinding(field_sensor(each.index), severity, each.trouble)
            for each in self.fields
            if each.trouble is not None and each.judgement.severity is severity
        ]
        sharing: dict[LevelTrouble, list[SensorId]] = {}
        for level in self.levels:
            if level.trouble is not None and level.judgement.severity is severity:
                sharing.setdefault(level.trouble, []).append(SensorId.ring(level.tube, level.level + 1))
        found += [LevelsFinding(tuple(sensors), severity, trouble) for trouble, sensors in sharing.items()]
        found += [
            HolderFinding(each.player, severity, each.trouble)
            for each in self.holders
            if each.trouble is not None and each.judgement.severity is severity
        ]
        return found

    @property
    def saves_something(self) -> bool:
        """There is something to be written to the file."""
        return bool(
            any(verdict.values is not None for verdict in self.fields)
            or self._rows
            or (self.holders and all(verdict.values is not None for verdict in self.holders))
        )

    @property
    def _rows(self) -> dict[str, tuple[int, ...]]:
        """The light times of the tubes of which all sensors were tested."""
        rows: dict[str, list[int | None]] = {}
        for verdict in self.levels:
            rows.setdefault(verdict.tube.name, []).append(verdict.time)
        return {
            name: tuple(time for time in row if time is not None) for name, row in rows.items() if None not in row
        }

    def merged(self, earlier: KnownCalibration) -> KnownCalibration:
        """``earlier`` with the new values; bad sensors and those left out keep the earlier ones."""
        fields = list(earlier.calibration.fields)
        measured = set(earlier.measured)
        for verdict in self.fields:
            if verdict.values is not None:
                fields[verdict.index] = verdict.values
                measured.add(FIELD_NAMES[verdict.index])
        holders = earlier.calibration.holders
        fresh = [verdict.values for verdict in self.holders if verdict.values is not None]
        weighed = len(fresh) == len(PLAYERS)
        if weighed:
            holders = (fresh[0], fresh[1])
        return replace(
            earlier,
            calibration=Calibration(fields=tuple(fields), holders=holders, sand=earlier.calibration.sand),
            measured=frozenset(measured),
            holders_measured=earlier.holders_measured or weighed,
            light_times={**earlier.light_times, **self._rows},
            problem=None,
        )


def judge(
    measurements: Measurements,
    earlier: KnownCalibration,
    *,
    fields: Sequence[int] = (),
    tubes: Sequence[Tube] = (),
    holders: bool = False,
) -> Verdicts:
    """Judge these fields, the ring sensors of these tubes, and the holders if wanted."""
    found = {index: measurements.fields.get(index, FieldFound()) for index in fields}
    complete = [each for each in found.values() if each.is_complete and each.trouble is None]
    contrary = [each for each in complete if each.contrary]
    marked_wrongly = bool(contrary) and len(contrary) * 2 > len(complete)
    typical = {end: measurements.typical(end, earlier) for end in End}
    return Verdicts(
        fields=tuple(
            _judge_field(index, each, typical, contrary_is_bad=not marked_wrongly) for index, each in found.items()
        ),
        levels=tuple(
            _judge_level(tube, level, each)
            for tube in tubes
            for level, each in enumerate(measurements.levels.get(tube, [LevelFound()] * CAPACITY[tube]))
        ),
        holders=tuple(_judge_holder(player, measurements.holders.get(player, HolderFound())) for player in PLAYERS)
        if holders
        else (),
        glass_marked_wrongly=marked_wrongly,
    )


def _judge_field(
    index: int, found: FieldFound, typical: dict[End, float | None], *, contrary_is_bad: bool
) -> FieldVerdict:
    if found.trouble is not None:
        return FieldVerdict(index, Judgement.BAD, found.trouble)
    end_a, end_b = found.deflection(End.A), found.deflection(End.B)
    if found.rest is None or end_a is None or end_b is None:
        return FieldVerdict(index, Judgement.LEFT_OUT)
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
        trouble = FieldTrouble(FieldFault.IMPOSSIBLE, problem=problem, suspect=_suspect(values))
        return FieldVerdict(index, Judgement.BAD, trouble, margin=margin)
    if found.contrary and contrary_is_bad:
        return FieldVerdict(index, Judgement.BAD, FieldTrouble(FieldFault.REVERSED), margin=margin)
    weakness = None
    if margin < LITTLE_MARGIN:
        weakness = FieldTrouble(FieldFault.FAINT, (weaker,), suspect=_suspect(values))
    elif max(values.end_a, values.end_b) > UNLIKE_ENDS * weaker:
        weakness = FieldTrouble(FieldFault.UNLIKE_ENDS, (values.end_a, values.end_b))
    elif index != TIMER_FIELD and (share := _share(values, typical)) < LITTLE_SHARE:
        weakness = FieldTrouble(FieldFault.BELOW_OTHERS, (share,))
    judgement = Judgement.GOOD if weakness is None else Judgement.WEAK
    return FieldVerdict(index, judgement, weakness, values, margin)


def _share(values: FieldCalibration, typical: dict[End, float | None]) -> float:
    """The deflection of the weaker end relative to the other tubes'; 1 when there are none to compare with."""
    a, b = typical[End.A], typical[End.B]
    return 1.0 if a is None or b is None else min(values.end_a / a, values.end_b / b)


def _suspect(values: FieldCalibration) -> Suspect:
    """The most likely cause of impossible or weak values."""
    if not 90 <= values.rest <= 166:
        return Suspect.WIRES
    if min(values.end_a, values.end_b) < LITTLE_MARGIN * LEAST_DEFLECTION:
        return Suspect.DEPTH
    if values.noise > MOST_NOISE_SHARE * min(values.end_a, values.end_b) / LITTLE_MARGIN:
        return Suspect.CONTACT
    return Suspect.NEARNESS


def _judge_level(tube: Tube, level: int, found: LevelFound) -> LevelVerdict:
    time, given = found.covered, Settings().light_time
    if found.trouble is not None:
        saved = None if time is None or time == SELF_TEST_DARK else 0
        return LevelVerdict(tube, level, Judgement.BAD, found.trouble, saved)
    if time is None:
        return LevelVerdict(tube, level, Judgement.LEFT_OUT)
    if time > given:
        return LevelVerdict(tube, level, Judgement.WEAK, LevelTrouble(LevelFault.NEEDS_MORE, time, given), time)
    if found.bare:
        reflecting = LevelTrouble(LevelFault.REFLECTING, found.bare)
        return LevelVerdict(tube, level, Judgement.WEAK, reflecting, time)
    if time >= LITTLE_LIGHT:
        return LevelVerdict(tube, level, Judgement.WEAK, LevelTrouble(LevelFault.SLOW, time), time)
    return LevelVerdict(tube, level, Judgement.GOOD, time=time)


def _judge_holder(player: Player, found: HolderFound) -> HolderVerdict:
    if found.trouble is not None:
        return HolderVerdict(player, Judgement.BAD, found.trouble)
    if found.empty is None or found.loaded is None:
        return HolderVerdict(player, Judgement.LEFT_OUT)
    per_ring = (found.loaded.mean - found.empty.mean) / found.rings
    spread = max(sample.highest - sample.lowest for sample in (found.empty, found.loaded))
    values = HolderCalibration(
        zero=round(found.empty.mean, 1),
        per_ring=round(per_ring, 1),
        margin=round(max(HOLDER_MARGIN * abs(per_ring), HOLDER_SPARE * spread), 1),
    )
    problem = values.problem()
    unrest = spread / abs(per_ring) if per_ring else None
    if problem is not None:
        trouble = HolderTrouble(HolderFault.IMPOSSIBLE, problem=problem, rings=found.rings)
        return HolderVerdict(player, Judgement.BAD, trouble, unrest=unrest)
    return HolderVerdict(player, Judgement.GOOD, values=values, unrest=unrest)
