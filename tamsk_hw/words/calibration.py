"""The calibration of a board and of its glasses, in words."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.board.calibration_file import CalibrationState, KnownCalibration
from tamsk_hw.facts.notices import GlassesAlike, GlassesUntimed, TimedGlasses
from tamsk_hw.words.sentences import capital, listed

_HOW = "tamsk-hw calibrate glasses times them"


def known_words(known: KnownCalibration) -> str:
    """The state of a calibration, in words that follow "this board is"."""
    return calibration_words(known.state, len(known.unmeasured), len(known.fitted))


def calibration_words(state: CalibrationState, unmeasured: int, fields: int) -> str:
    """The same, of a board with ``fields`` fields of which ``unmeasured`` were not measured."""
    match state:
        case CalibrationState.UNUSABLE:
            return "not calibrated, for its file cannot be used: reference build's values"
        case CalibrationState.MISSING:
            return "not calibrated: reference build's values"
        case CalibrationState.PARTIAL:
            return f"calibrated but for {unmeasured} of {fields} fields"
        case CalibrationState.COMPLETE:
            return "calibrated"
        case _:
            assert_never(state)


def sand_words(notice: GlassesUntimed | GlassesAlike) -> str:
    """A sentence on glasses that are not known as well as they could be."""
    match notice:
        case GlassesUntimed(timed, names, tolerance):
            return _untimed(timed, names, f"{100 * tolerance:.0f} %")
        case GlassesAlike(tolerance):
            return (
                "With a free start nobody knows which glass is which: "
                f"all are taken as alike, and known to {100 * tolerance:.1f} %."
            )
        case _:
            assert_never(notice)


def _untimed(timed: TimedGlasses, names: tuple[str, ...], share: str) -> str:
    match timed:
        case TimedGlasses.IMPOSSIBLE:
            return f"Glasses cannot be timed on this board, without their corners: all are known to {share}."
        case TimedGlasses.NONE:
            return f"The glasses are not timed: they are taken as known to {share}; {_HOW}."
        case TimedGlasses.SOME:
            verb = "is" if len(names) == 1 else "are"
            said = capital(listed("the timer" if name == "timer" else name for name in names))
            return f"{said} {verb} not timed, so all glasses are taken as known to {share}; {_HOW}."
        case _:
            assert_never(timed)
