"""The journal's troubles and what became of its games, in words."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.errors import printable
from tamsk_hw.journal.notices import (
    DamageKind,
    DatabaseDamage,
    GameUnreadable,
    JournalNotice,
    JournalRemains,
    JournalSetAside,
    UnfinishedUnknown,
)
from tamsk_hw.journal.trouble import Trouble, TroubleKind
from tamsk_hw.journal.verifying import Mismatch


def trouble_words(trouble: Trouble) -> str:
    """The sentence for events that are not saved: the cause and their number."""
    reason = reason_words(trouble.kind)
    if trouble.detail:
        reason = f"{reason} ({printable(trouble.detail)})"
    if not trouble.unsaved:
        return f"{reason}: nothing can be saved."
    events = "1 event is" if trouble.unsaved == 1 else f"{trouble.unsaved} events are"
    return f"{reason}: {events} not saved{' yet' if trouble.kind is TroubleKind.SLOW else ''}."


def reason_words(kind: TroubleKind) -> str:
    """A kind of trouble as the beginning of a sentence."""
    match kind:
        case TroubleKind.FULL:
            return "The disk is full"
        case TroubleKind.READ_ONLY:
            return "The journal cannot be written"
        case TroubleKind.NO_FOLDER:
            return "The journal's folder cannot be made"
        case TroubleKind.SLOW:
            return "The disk is slow"
        case TroubleKind.HELD:
            return "The journal is in use"
        case TroubleKind.FAILING:
            return "The journal's disk fails"
        case TroubleKind.BROKEN_OFF:
            return "The record of this game has broken off because too much was waiting for the disk"
        case _:
            assert_never(kind)


def mismatch_words(mismatch: Mismatch) -> str:
    """The sentence for a stored game on which this version rules otherwise."""
    if mismatch.refused:
        return f"This version of tamsk-hw refuses {mismatch.refused}. The stored rulings stand."
    return (
        f"This version of tamsk-hw rules otherwise on game {mismatch.game}, event {mismatch.event}: "
        f"{mismatch.given or 'nothing'} for {mismatch.stored or 'nothing'}. The stored rulings stand."
    )


def journal_words(notice: JournalNotice) -> str:
    """A sentence on the database or its unfinished game."""
    match notice:
        case JournalSetAside(damage, aside):
            return f"The journal {_damage(damage)}. It is set aside as {aside}, and a new one begun."
        case JournalRemains(aside):
            return f"The journal's database is gone. What was left of it is set aside as {aside}-*."
        case GameUnreadable(game, why):
            return f"Game {game} cannot be resumed: {why}. It is set aside."
        case UnfinishedUnknown(why):
            return f"The journal cannot be searched for an unfinished game: {why}."
        case _:
            assert_never(notice)


def _damage(damage: DatabaseDamage) -> str:
    """The reason for which a database cannot be used; it continues "the journal"."""
    match damage.kind:
        case DamageKind.DAMAGED:
            return f"was damaged ({printable(damage.detail)})"
        case DamageKind.NO_FILE:
            return "was no file"
        case DamageKind.EMPTY:
            return "was empty"
        case DamageKind.NO_DATABASE:
            return "was no database"
        case DamageKind.CUT_SHORT:
            return "was cut short"
        case DamageKind.OTHER_PROGRAM:
            return "was the database of another program"
        case DamageKind.NEWER:
            return f"was written by a newer tamsk-hw (tables {damage.version}, known are those to {damage.newest})"
        case _:
            assert_never(damage.kind)
