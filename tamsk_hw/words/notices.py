"""Notices in words: a sentence or two for each, as screens show them."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.board.link.problems import LinkProblem, LossReason
from tamsk_hw.facts.notices import (
    BoardCalibration,
    BoardComplains,
    BoardConnected,
    BoardLost,
    BoardRestarted,
    BoardUnusable,
    CalibrationUnusable,
    ChipsSwapped,
    EventsUnsaved,
    GameAbandoned,
    GameOffered,
    GameOnSpeed,
    GameSetAside,
    GameSlowed,
    GlassesAlike,
    GlassesUntimed,
    LineBad,
    LineWell,
    LiveUnpublished,
    NextGameWaits,
    Notice,
    PartnerEnded,
    RecordStopped,
    RestsNotKept,
    RestsUnusable,
)
from tamsk_hw.journal.notices import GameUnreadable, JournalRemains, JournalSetAside, UnfinishedUnknown
from tamsk_hw.journal.trouble import SavedAgain, Trouble
from tamsk_hw.journal.verifying import Mismatch
from tamsk_hw.panel.troubles import ButtonStuck, PanelFailed, PanelWorks
from tamsk_hw.words.board import complaint_words, line_words, restart_words
from tamsk_hw.words.calibration import calibration_words, sand_words
from tamsk_hw.words.journal import journal_words, mismatch_words, trouble_words
from tamsk_hw.words.link import link_advice, link_cause
from tamsk_hw.words.panel import panel_words
from tamsk_hw.words.sentences import capital
from tamsk_hw.words.translating import ntr, tr


def notice_words(notice: Notice) -> str:
    """The notice as people read it."""
    match notice:
        case BoardConnected(firmware):
            return tr("The board is connected (firmware {version}).", version=".".join(map(str, firmware)))
        case BoardRestarted(cause):
            return restart_words(cause)
        case BoardComplains(flag):
            return complaint_words(flag)
        case BoardLost(reason):
            return _lost(reason)
        case BoardUnusable(reason):
            return _unusable(reason)
        case LineBad():
            return line_words(notice)
        case LineWell():
            return tr("The line to the board is well again.")
        case ChipsSwapped(first, second):
            return tr(
                "Rings show at other tubes than where they are dropped: the 74HC165s {first} and {second} "
                "seem to sit in each other's place in the chain. Stop, and look at the wiring.",
                first=first,
                second=second,
            )
        case BoardCalibration(state, unmeasured, fields):
            return tr("This board is {state}.", state=calibration_words(state, unmeasured, fields))
        case CalibrationUnusable(file, problem, backup):
            return tr(
                "{file} {problem}; calibrate again, or put {backup} in its place.",
                file=file,
                problem=problem,
                backup=backup,
            )
        case RestsUnusable(file, problem):
            return tr("{file} {problem}; the sensors begin at their calibrated rests.", file=file, problem=problem)
        case RestsNotKept(file, why):
            return tr(
                "{file}: {why}; what the sensors have drifted by is lost when the program ends.",
                file=file,
                why=why,
            )
        case GlassesUntimed() | GlassesAlike():
            return sand_words(notice)
        case GameOffered(game, other_tubes=True):
            return tr(
                "Game {game} was not finished, on a board with other tubes than the wiring map's. To resume "
                "it correct board.wiring in the configuration and restart the program.",
                game=game,
            )
        case GameOffered(game):
            return tr("Game {game} was not finished.", game=game)
        case GameSetAside(game):
            return tr("Game {game} is set aside: it cannot be resumed.", game=game)
        case GameAbandoned(game):
            return tr("Game {game} is abandoned.", game=game)
        case NextGameWaits():
            return tr("The game is over; the next one can be set up.")
        case EventsUnsaved(count, folder):
            return ntr(
                "{count} event of the game could not be saved in {folder}; see that the disk can be written to.",
                "{count} events of the game could not be saved in {folder}; see that the disk can be written to.",
                count,
                folder=folder,
            )
        case RecordStopped(file, why):
            return tr("{file}: {why}; the rest of the game is not recorded.", file=file, why=why)
        case LiveUnpublished(why):
            return tr("The game goes on without a live stream: {why}.", why=why)
        case GameSlowed(asked, kept):
            return tr(
                "This computer runs the game at {kept:.2g} times real time, not at {asked:g}: it takes longer, "
                "and nothing is skipped.",
                kept=kept,
                asked=asked,
            )
        case GameOnSpeed(asked):
            return tr("The game runs at {asked:g} times real time again.", asked=asked)
        case PartnerEnded():
            return tr("The partner has stopped thinking; he is called again, and the game goes on meanwhile.")
        case Mismatch():
            return mismatch_words(notice)
        case JournalSetAside() | JournalRemains() | GameUnreadable() | UnfinishedUnknown():
            return journal_words(notice)
        case Trouble():
            return trouble_words(notice)
        case SavedAgain():
            return tr("Everything is saved again.")
        case PanelFailed() | PanelWorks() | ButtonStuck():
            return panel_words(notice)
        case _:
            assert_never(notice)


def _lost(reason: LossReason) -> str:
    said = tr("The board is out of reach: {cause}.", cause=link_cause(reason))
    advice = link_advice(reason)
    return said if advice is None else f"{said} {capital(advice)}."


def _unusable(reason: LinkProblem) -> str:
    cause, advice = link_cause(reason), link_advice(reason)
    return tr("{Cause}.", cause=cause) if advice is None else tr("{Cause}: {advice}.", cause=cause, advice=advice)
