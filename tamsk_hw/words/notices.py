"""Notices in words: a sentence or two for each, as screens show them."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.board.link.problems import LossReason
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
from tamsk_hw.words.link import link_advice, link_cause, link_words
from tamsk_hw.words.panel import panel_words
from tamsk_hw.words.sentences import capital


def notice_words(notice: Notice) -> str:
    """The notice as people read it."""
    match notice:
        case BoardConnected(firmware):
            return f"The board is connected (firmware {'.'.join(map(str, firmware))})."
        case BoardRestarted(cause):
            return restart_words(cause)
        case BoardComplains(flag):
            return complaint_words(flag)
        case BoardLost(reason):
            return _lost(reason)
        case BoardUnusable(reason):
            return f"{capital(link_words(reason))}."
        case LineBad():
            return line_words(notice)
        case LineWell():
            return "The line to the board is well again."
        case ChipsSwapped(first, second):
            return (
                f"Rings show at other tubes than where they are dropped: the 74HC165s {first} and {second} "
                "seem to sit in each other's place in the chain. Stop, and look at the wiring."
            )
        case BoardCalibration(state, unmeasured, fields):
            return f"This board is {calibration_words(state, unmeasured, fields)}."
        case CalibrationUnusable(file, problem, backup):
            return f"{file} {problem}; calibrate again, or put {backup} in its place."
        case RestsUnusable(file, problem):
            return f"{file} {problem}; the sensors begin at their calibrated rests."
        case RestsNotKept(file, why):
            return f"{file}: {why}; what the sensors have drifted by is lost when the program ends."
        case GlassesUntimed() | GlassesAlike():
            return sand_words(notice)
        case GameOffered():
            return _offered(notice)
        case GameSetAside(game):
            return f"Game {game} is set aside: it cannot be resumed."
        case GameAbandoned(game):
            return f"Game {game} is abandoned."
        case NextGameWaits():
            return "The game is over; the next one can be set up."
        case EventsUnsaved(count, folder):
            events = "1 event" if count == 1 else f"{count} events"
            return f"{events} of the game could not be saved in {folder}; see that the disk can be written to."
        case RecordStopped(file, why):
            return f"{file}: {why}; the rest of the game is not recorded."
        case LiveUnpublished(why):
            return f"The game goes on without a live stream: {why}."
        case GameSlowed(asked, kept):
            return (
                f"This computer runs the game at {kept:.2g} times real time, not at {asked:g}: it takes longer, "
                "and nothing is skipped."
            )
        case GameOnSpeed(asked):
            return f"The game runs at {asked:g} times real time again."
        case Mismatch():
            return mismatch_words(notice)
        case JournalSetAside() | JournalRemains() | GameUnreadable() | UnfinishedUnknown():
            return journal_words(notice)
        case Trouble():
            return trouble_words(notice)
        case SavedAgain():
            return "Everything is saved again."
        case PanelFailed() | PanelWorks() | ButtonStuck():
            return panel_words(notice)
        case _:
            assert_never(notice)


def _lost(reason: LossReason) -> str:
    advice = link_advice(reason)
    said = f"The board is out of reach: {link_cause(reason)}."
    return said if advice is None else f"{said} {capital(advice)}."


def _offered(offered: GameOffered) -> str:
    if offered.other_tubes:
        return (
            f"Game {offered.game} was not finished, on a board with other tubes than the wiring map's. To resume "
            "it correct board.wiring in the configuration and restart the program."
        )
    return f"Game {offered.game} was not finished."
