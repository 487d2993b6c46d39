"""The sand of a live game: the durations and the tolerance that its header carries (R6.1, R6.4)."""

from __future__ import annotations

from typing import Final

from tamsk_hw.board.calibration_file import GLASS_NAMES, KnownCalibration
from tamsk_hw.facts.notices import GlassesAlike, GlassesUntimed, TimedGlasses
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.referee.header import SandSettings

#: How well glasses that nobody has timed are known, relative (R6.4).
UNTIMED: Final = 0.06


def untimed(known: KnownCalibration, ruleset: Ruleset) -> tuple[str, ...]:
    """Untimed glasses that this game needs, by their start tubes, then the timer where it counts."""
    if not ruleset.has_sand:
        return ()
    return known.untimed + (("timer",) if ruleset.has_timer and not known.timer_timed else ())


def sand_settings(known: KnownCalibration, ruleset: Ruleset, exact_hands: bool) -> SandSettings:
    """The durations of the glasses and one tolerance for all of them.

    When something that counts in this game has not been timed, the tolerance is `UNTIMED` or more. With a free
    start nobody knows which glass is placed first: all have one pair, and a tolerance that covers each of the six.
    """
    sand = known.calibration.sand
    timed = {tube.name: pair for tube, pair in sand.glasses if tube.name in known.glasses}
    tolerance = sand.tolerance if timed or known.timer_timed else 0.0
    if untimed(known, ruleset):
        tolerance = max(tolerance, UNTIMED)
    if ruleset.start is not Start.FREE:
        return SandSettings(
            glass=sand.glass, glasses=timed, timer=sand.timer, tolerance=tolerance, exact_hands=exact_hands
        )
    pairs = [timed.get(name, sand.glass) for name in GLASS_NAMES]
    common = [_common([pair[end] for pair in pairs], tolerance) for end in (0, 1)]
    return SandSettings(
        glass=(common[0][0], common[1][0]),
        timer=sand.timer,
        tolerance=max(tolerance, common[0][1], common[1][1]),
        exact_hands=exact_hands,
    )


def _common(seconds: list[float], tolerance: float) -> tuple[float, float]:
    """One duration, with its tolerance, that covers several known with ``tolerance``.

    A duration d with tolerance t covers d / (1 + t) to d / (1 − t) (`tamsk_hw.game.sand`). Both are rounded, the
    tolerance up and by more than the duration's rounding takes away.
    """
    least = min(seconds) / (1 + tolerance)
    most = max(seconds) / (1 - tolerance)
    return round(2 * least * most / (least + most), 2), round((most - least) / (most + least) + 0.0001, 4)


def sand_notices(known: KnownCalibration, ruleset: Ruleset) -> tuple[GlassesUntimed | GlassesAlike, ...]:
    """Notices of what is not known as well as it could be."""
    notices: list[GlassesUntimed | GlassesAlike] = []
    missing = untimed(known, ruleset)
    if missing:
        if not set(GLASS_NAMES) & set(known.fitted):
            timed = TimedGlasses.IMPOSSIBLE
        elif len(missing) >= len(GLASS_NAMES) and not known.glasses:
            timed = TimedGlasses.NONE
        else:
            timed = TimedGlasses.SOME
        notices.append(GlassesUntimed(timed, missing, UNTIMED))
    if ruleset.has_sand and ruleset.start is Start.FREE and known.glasses:
        notices.append(GlassesAlike(sand_settings(known, ruleset, False).tolerance))
    return tuple(notices)
