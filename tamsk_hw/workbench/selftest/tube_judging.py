"""Judging a finished tube: its readings against those that the calculations expect. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from tamsk_hw.board.protocol import SELF_TEST_DARK, SELF_TEST_LIGHT_TIMES, SELF_TEST_UNSEEN
from tamsk_hw.board.wiring_map import Band, Expected
from tamsk_hw.facts.severity import Severity
from tamsk_hw.facts.tube_findings import (
    FieldTested,
    HallVerdict,
    LevelTested,
    NeighbourTested,
    RestTested,
    RingVerdict,
    TubeFinding,
)
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.events import SensorId, SensorKind
from tamsk_hw.workbench.selftest.glasses import HIGHEST_REST, LOWEST_REST

#: Steps below which a glass counts as not felt.
UNFELT: Final = 8.0

#: Verdicts that a recess too deep leads to.
_DIM: Final = frozenset({RingVerdict.NEEDY, RingVerdict.BLIND})

#: Steps that a mean may be off, by the converter's rounding.
ROUNDING: Final = 1.0


@dataclass(slots=True)
class TubeReadings:
    """The readings of a tube, as far as they were taken.

    Light times are the self-test's (µs), by level from the bottom. ``empty``: the shortest that saw something on
    the empty tube; ``above``: the same on the level above ``n`` rings, by ``n``. ``first``, ``second``: steps by
    which either end of a glass moved the field; ``beside``: by which a neighbour's did.
    """

    empty: Sequence[int] = ()
    above: dict[int, int] = field(default_factory=dict)
    near: Sequence[int] = ()
    far: Sequence[int] = ()
    rest: float | None = None
    first: float | None = None
    second: float | None = None
    beside: float | None = None


def judge_levels(tube: Tube, readings: TubeReadings, expected: Expected, given: int) -> list[TubeFinding]:
    """A finding for each level; none when not all was read. ``given``: light (µs) that a game gives."""
    if not readings.near or not readings.far:
        return []
    verdicts = [_verdict(readings, level, expected) for level in range(len(readings.near))]
    if len(verdicts) > 1 and RingVerdict.NEEDY in verdicts and set(verdicts) <= _DIM:
        verdicts = [RingVerdict.DEEP] * len(verdicts)
    return [
        LevelTested(
            sensor=SensorId(SensorKind.RING, tube, level + 1),
            verdict=verdict,
            severity=_severity(verdict, readings, level, given),
            near=readings.near[level],
            far=readings.far[level],
            expected_near=expected.near,
            expected_far=expected.far,
            recess=expected.recess,
            phantom=_phantom(readings, level),
        )
        for level, verdict in enumerate(verdicts)
    ]


def _phantom(readings: TubeReadings, level: int) -> int:
    """The light with which the level saw what is no ring of its own; 0 for none."""
    return readings.empty[level] or readings.above.get(level, SELF_TEST_UNSEEN)


def _verdict(readings: TubeReadings, level: int, expected: Expected) -> RingVerdict:
    near, far = readings.near[level], readings.far[level]
    if SELF_TEST_DARK in (near, far, _phantom(readings, level)):
        return RingVerdict.DAZZLED
    if readings.empty[level]:
        return RingVerdict.REFLECTING
    if readings.above.get(level):
        return RingVerdict.BELOW_SEEN
    if not near and not far:
        return RingVerdict.BLIND
    if far and (not near or near > far):
        return RingVerdict.SHALLOW
    if _is_beyond(near, expected.near) or _is_beyond(far, expected.far):
        return RingVerdict.NEEDY
    return RingVerdict.SOUND


def _is_beyond(time: int, band: Band) -> bool:
    """The light needed is surely more than the band allows: the next shorter light time, which did not do, is."""
    if time == SELF_TEST_UNSEEN:
        return True
    shorter = [each for each in SELF_TEST_LIGHT_TIMES if each < time]
    return bool(shorter) and shorter[-1] >= band.most


def _severity(verdict: RingVerdict, readings: TubeReadings, level: int, given: int) -> Severity:
    if verdict is RingVerdict.SOUND:
        return Severity.OK
    seen = (readings.near[level], readings.far[level])
    if verdict in (RingVerdict.REFLECTING, RingVerdict.BELOW_SEEN):
        bad = _phantom(readings, level) <= given
    elif verdict is RingVerdict.DAZZLED:
        bad = False
    else:
        bad = not all(seen) or max(seen) > SELF_TEST_LIGHT_TIMES[-2]
    return Severity.PROBLEM if bad else Severity.WARNING


def judge_field(tube: Tube, readings: TubeReadings, expected: Expected) -> list[TubeFinding]:
    """The findings on the rest, and on both ends of a glass if both were read."""
    rest = readings.rest
    if rest is None:
        return []
    found: list[TubeFinding] = []
    if not LOWEST_REST <= rest <= HIGHEST_REST:
        found.append(RestTested(tube, rest, LOWEST_REST, HIGHEST_REST))
    if readings.first is None or readings.second is None:
        return found
    end_b, end_a = sorted((readings.first, readings.second))
    weak, strong = sorted((abs(end_a), abs(end_b)))
    apart = 0.0 if strong == 0 else (1 - weak / strong) * 100
    verdict = _field_verdict(end_a, end_b, expected)
    severity = Severity.PROBLEM
    if verdict is HallVerdict.SOUND:
        severity = Severity.OK
    elif verdict in (HallVerdict.AS_SS49E, HallVerdict.ENDS_DIFFER):
        severity = Severity.WARNING
    found.append(
        FieldTested(
            tube=tube,
            verdict=verdict,
            severity=severity,
            rest=rest,
            end_a=end_a,
            end_b=end_b,
            expected=expected.drv5055a3,
            other=expected.ss49e,
            apart=apart,
            allowed=expected.ends,
        )
    )
    return found


def _field_verdict(end_a: float, end_b: float, expected: Expected) -> HallVerdict:
    weak, strong = sorted((abs(end_a), abs(end_b)))
    if weak < UNFELT:
        return HallVerdict.UNFELT
    if end_a * end_b > 0:
        return HallVerdict.SAME_WAY
    if strong > expected.drv5055a3.most + ROUNDING:
        return HallVerdict.STRONG
    if strong - weak > strong * expected.ends / 100 + ROUNDING:
        return HallVerdict.ENDS_DIFFER
    if weak >= expected.drv5055a3.least - ROUNDING:
        return HallVerdict.SOUND
    if weak >= expected.ss49e.least - ROUNDING and strong <= expected.ss49e.most + ROUNDING:
        return HallVerdict.AS_SS49E
    return HallVerdict.WEAK


def judge_neighbour(
    tube: Tube, neighbour: Tube | None, readings: TubeReadings, expected: Expected
) -> list[TubeFinding]:
    """The finding on the cross-talk, if it was read."""
    if neighbour is None or readings.beside is None:
        return []
    steps = abs(readings.beside)
    sound = steps <= expected.neighbour + ROUNDING
    severity = Severity.OK if sound else Severity.PROBLEM
    return [NeighbourTested(tube, neighbour, steps, expected.neighbour, severity)]
