"""The priority of each notice in systemd's journal: `journalctl -p warning` shows what people should put right."""

from __future__ import annotations

from typing import assert_never

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
from tamsk_hw.system.journald import Priority


def priority_of(notice: Notice) -> Priority:
    """`Priority.WARNING` for what people should put right or look at, `Priority.NOTICE` for the rest."""
    match notice:
        case (
            BoardComplains()
            | BoardLost()
            | BoardRestarted()
            | BoardUnusable()
            | ButtonStuck()
            | CalibrationUnusable()
            | ChipsSwapped()
            | EventsUnsaved()
            | GameSetAside()
            | GameUnreadable()
            | JournalRemains()
            | JournalSetAside()
            | LineBad()
            | LiveUnpublished()
            | Mismatch()
            | PanelFailed()
            | PartnerEnded()
            | RecordStopped()
            | RestsNotKept()
            | RestsUnusable()
            | Trouble()
            | UnfinishedUnknown()
        ):
            return Priority.WARNING
        case (
            BoardCalibration()
            | BoardConnected()
            | GameAbandoned()
            | GameOffered()
            | GameOnSpeed()
            | GameSlowed()
            | GlassesAlike()
            | GlassesUntimed()
            | LineWell()
            | NextGameWaits()
            | PanelWorks()
            | SavedAgain()
        ):
            return Priority.NOTICE
        case _:
            assert_never(notice)
