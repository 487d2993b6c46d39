"""The sand of a live game: the durations and the tolerance that its header carries (R6.1, R6.4)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tamsk_hw.board.calibration_file import GLASS_NAMES, KnownCalibration
from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.referee.header import SandSettings

#: How well glasses that nobody has timed are known, relative (R6.4).
UNTIMED: Final = 0.06

_HOW: Final = "tamsk-hw calibrate glasses times them"
_SHARE: Final = f"{100 * UNTIMED:.0f} %"


@dataclass(frozen=True, slots=True)
class LiveSand:
    """What the header carries, and in ``words`` what is not known better; None when there is nothing to say."""

    settings: SandSettings
    words: str | None


def live_sand(known: KnownCalibration, ruleset: Ruleset, exact_hands: bool) -> LiveSand:
    """The sand of a game by these rules, as well as this board's glasses are known."""
    return LiveSand(sand_settings(known, ruleset, exact_hands), sand_words(known, ruleset))


def untimed(known: KnownCalibration, ruleset: Ruleset) -> tuple[str, ...]:
    """What this game needs and nobody has timed: glasses by their start tubes, then the timer where it counts."""
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


def sand_words(known: KnownCalibration, ruleset: Ruleset) -> str | None:
    """What is not known as well as it could be, in a sentence or two; None when there is nothing to say."""
    missing = untimed(known, ruleset)
    said = []
    if missing and not set(GLASS_NAMES) & set(known.fitted):
        said.append(f"Glasses cannot be timed on this board, without their corners: all are known to {_SHARE}.")
    elif len(missing) >= len(GLASS_NAMES) and not known.glasses:
        said.append(f"The glasses are not timed: they are taken as known to {_SHARE}; {_HOW}.")
    elif missing:
        verb = "is" if len(missing) == 1 else "are"
        said.append(f"{_listed(missing)} {verb} not timed, so all glasses are taken as known to {_SHARE}; {_HOW}.")
    if ruleset.has_sand and ruleset.start is Start.FREE and known.glasses:
        tolerance = sand_settings(known, ruleset, False).tolerance
        said.append(
            "With a free start nobody knows which glass is which: "
            f"all are taken as alike, and known to {100 * tolerance:.1f} %."
        )
    return " ".join(said) or None


def _listed(names: tuple[str, ...]) -> str:
    words = ["the timer" if name == "timer" else name for name in names]
    listed = words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"
    return listed[0].upper() + listed[1:]
