"""The calibration of a board and of its glasses, in words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from tamsk_hw.board.calibration_file import CalibrationState, KnownCalibration
from tamsk_hw.facts.notices import GlassesAlike, GlassesUntimed, TimedGlasses
from tamsk_hw.words.translating import ntr, tr


def known_words(known: KnownCalibration) -> str:
    """The state of a calibration, in words that follow "this board is"."""
    return calibration_words(known.state, len(known.unmeasured), len(known.fitted))


def calibration_words(state: CalibrationState, unmeasured: int, fields: int) -> str:
    """The same, of a board with ``fields`` fields of which ``unmeasured`` were not measured."""
    match state:
        case CalibrationState.UNUSABLE:
            return tr("not calibrated, for its file cannot be used: reference build's values")
        case CalibrationState.MISSING:
            return tr("not calibrated: reference build's values")
        case CalibrationState.PARTIAL:
            return tr("calibrated but for {unmeasured} of {fields} fields", unmeasured=unmeasured, fields=fields)
        case CalibrationState.COMPLETE:
            return tr("calibrated")
        case _:
            assert_never(state)


def sand_words(notice: GlassesUntimed | GlassesAlike) -> str:
    """A sentence on glasses that are not known as well as they could be."""
    match notice:
        case GlassesUntimed():
            return _untimed(notice.timed, notice.names, 100 * notice.tolerance)
        case GlassesAlike(tolerance):
            return tr(
                "With a free start nobody knows which glass is which: "
                "all are taken as alike, and known to {percent:.1f} %.",
                percent=100 * tolerance,
            )
        case _:
            assert_never(notice)


def _untimed(timed: TimedGlasses, names: tuple[str, ...], percent: float) -> str:
    match timed:
        case TimedGlasses.IMPOSSIBLE:
            return tr(
                "Glasses cannot be timed on this board, without their corners: all are known to {percent:.0f} %.",
                percent=percent,
            )
        case TimedGlasses.NONE:
            return tr(
                "The glasses are not timed: they are taken as known to {percent:.0f} %; "
                "tamsk-hw calibrate glasses times them.",
                percent=percent,
            )
        case TimedGlasses.SOME:
            return ntr(
                "{Names} is not timed, so all glasses are taken as known to {percent:.0f} %; "
                "tamsk-hw calibrate glasses times them.",
                "{Names} are not timed, so all glasses are taken as known to {percent:.0f} %; "
                "tamsk-hw calibrate glasses times them.",
                len(names),
                names=_listed(names),
                percent=percent,
            )
        case _:
            assert_never(timed)


def _listed(names: Sequence[str]) -> str:
    """Names of glasses as a list: ``A1``, ``A1 and D1``, ``A1, D1 and the timer``."""
    *before, last = (tr("the timer") if name == "timer" else name for name in names)
    return tr("{one} and {other}", one=", ".join(before), other=last) if before else last
