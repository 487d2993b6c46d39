"""Notices in words, a sentence or two for each: calibration, the journal's troubles, all that screens show."""

from collections.abc import Sequence
from dataclasses import fields
from typing import Final, assert_never

from tamsk_hw.board.calibration import CalibrationState, KnownCalibration
from tamsk_hw.board.link_events import LinkProblem, LossReason
from tamsk_hw.errors import printable
from tamsk_hw.facts import notices
from tamsk_hw.game.tubes import Player
from tamsk_hw.journal.records import Mismatch
from tamsk_hw.journal.trouble import JournalSetAside, Trouble, TroubleKind
from tamsk_hw.panel.hardware import ButtonStuck, PanelFailed, PanelWorks
from tamsk_hw.system.output import marked
from tamsk_hw.words import hardware
from tamsk_hw.words.translating import capital, ntr, tr, worded


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


#: Sentences on all glasses alike.
_UNTIMED: Final = {
    notices.TimedGlasses.IMPOSSIBLE: marked(
        "Glasses cannot be timed on this board, without their corners: all are known to {percent:.0f} %."
    ),
    notices.TimedGlasses.NONE: marked(
        "The glasses are not timed: they are taken as known to {percent:.0f} %; "
        "tamsk-hw calibrate glasses times them."
    ),
    notices.TimedGlasses.ALIKE: marked(
        "With a free start nobody knows which glass is which: "
        "all are taken as alike, and known to {percent:.1f} %."
    ),
}


def sand_words(notice: notices.GlassesUntimed) -> str:
    """A sentence on glasses that are not known as well as they could be."""
    percent = 100 * notice.tolerance
    if notice.timed in _UNTIMED:
        return worded(_UNTIMED[notice.timed], percent=percent)
    return ntr(
        "{Names} is not timed, so all glasses are taken as known to {percent:.0f} %; "
        "tamsk-hw calibrate glasses times them.",
        "{Names} are not timed, so all glasses are taken as known to {percent:.0f} %; "
        "tamsk-hw calibrate glasses times them.",
        len(notice.names),
        names=_listed(notice.names),
        percent=percent,
    )


def _listed(names: Sequence[str]) -> str:
    """Names of glasses as a list: ``A1``, ``A1 and D1``, ``A1, D1 and the timer``."""
    *before, last = (tr("the timer") if name == "timer" else name for name in names)
    return tr("{one} and {other}", one=", ".join(before), other=last) if before else last


def trouble_words(trouble: Trouble) -> str:
    """The sentence for events that are not saved: the cause and their number."""
    reason = worded(trouble.kind.sentence)
    if trouble.detail:
        reason = f"{reason} ({printable(trouble.detail)})"
    if not trouble.unsaved:
        return tr("{reason}: nothing can be saved.", reason=reason)
    if trouble.kind is TroubleKind.SLOW:
        return ntr(
            "{reason}: {count} event is not saved yet.",
            "{reason}: {count} events are not saved yet.",
            trouble.unsaved,
            reason=reason,
        )
    return ntr(
        "{reason}: {count} event is not saved.",
        "{reason}: {count} events are not saved.",
        trouble.unsaved,
        reason=reason,
    )


def mismatch_words(mismatch: Mismatch) -> str:
    """The sentence for a stored game on which this version rules otherwise."""
    if mismatch.refused:
        return tr(
            "This version of tamsk-hw refuses {refused}. The stored rulings stand.", refused=mismatch.refused
        )
    return tr(
        "This version of tamsk-hw rules otherwise on game {game}, event {event}: {given} for {stored}. "
        "The stored rulings stand.",
        game=mismatch.game,
        event=mismatch.event,
        given=mismatch.given or tr("nothing"),
        stored=mismatch.stored or tr("nothing"),
    )


def notice_words(notice: notices.Notice) -> str:
    """The notice as people read it."""
    match notice:
        case notices.BoardConnected(firmware):
            return tr("The board is connected (firmware {version}).", version=".".join(map(str, firmware)))
        case notices.BoardRestarted(cause):
            return hardware.restart_words(cause)
        case notices.BoardComplains(flag):
            return hardware.complaint_words(flag)
        case notices.BoardLost(reason):
            return _lost(reason)
        case notices.BoardUnusable(reason):
            return _unusable(reason)
        case notices.LineBad():
            return hardware.line_words(notice)
        case notices.BoardCalibration(state, unmeasured, count):
            return tr("This board is {state}.", state=calibration_words(state, unmeasured, count))
        case notices.GlassesUntimed():
            return sand_words(notice)
        case notices.LotDrawn(Player.RED):
            return tr("By lot: stay where you sit.")
        case notices.LotDrawn():
            return tr("By lot: change places.")
        case notices.GameOffered(game, other_tubes=True):
            return tr(
                "Game {game} was not finished, on a board with other tubes than the wiring map's. To resume "
                "it correct board.wiring in the configuration and restart the program.",
                game=game,
            )
        case notices.GameOffered(game):
            return tr("Game {game} was not finished.", game=game)
        case notices.EventsUnsaved(count, folder):
            return ntr(
                "{count} event of the game could not be saved in {folder}; see that the disk can be written to.",
                "{count} events of the game could not be saved in {folder}; see that the disk can be written to.",
                count,
                folder=folder,
            )
        case Mismatch():
            return mismatch_words(notice)
        case JournalSetAside(damage, aside):
            detail = printable(damage.detail)
            why = worded(damage.kind.sentence, detail=detail, version=damage.version, newest=damage.newest)
            return tr("{damage} It is set aside as {aside}, and a new one begun.", damage=why, aside=aside)
        case Trouble():
            return trouble_words(notice)
        case PanelFailed() | PanelWorks() | ButtonStuck():
            return hardware.panel_words(notice)
        case _:
            return worded(notice.sentence, **{each.name: getattr(notice, each.name) for each in fields(notice)})


def _lost(reason: LossReason) -> str:
    problem = hardware.link_error(reason)
    said = tr("The board is out of reach: {cause}.", cause=problem.cause)
    return said if problem.advice is None else f"{said} {capital(problem.advice)}."


def _unusable(reason: LinkProblem) -> str:
    problem = hardware.link_error(reason)
    if problem.advice is None:
        return tr("{Cause}.", cause=problem.cause)
    return tr("{Cause}: {advice}.", cause=problem.cause, advice=problem.advice)
