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
from tamsk_hw.words.translating import ntr, tr


def trouble_words(trouble: Trouble) -> str:
    """The sentence for events that are not saved: the cause and their number."""
    reason = reason_words(trouble.kind)
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


def reason_words(kind: TroubleKind) -> str:
    """A kind of trouble as the beginning of a sentence."""
    match kind:
        case TroubleKind.FULL:
            return tr("The disk is full")
        case TroubleKind.READ_ONLY:
            return tr("The journal cannot be written")
        case TroubleKind.NO_FOLDER:
            return tr("The journal's folder cannot be made")
        case TroubleKind.SLOW:
            return tr("The disk is slow")
        case TroubleKind.HELD:
            return tr("The journal is in use")
        case TroubleKind.FAILING:
            return tr("The journal's disk fails")
        case TroubleKind.BROKEN_OFF:
            return tr("The record of this game has broken off because too much was waiting for the disk")
        case _:
            assert_never(kind)


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


def journal_words(notice: JournalNotice) -> str:
    """A sentence on the database or its unfinished game."""
    match notice:
        case JournalSetAside(damage, aside):
            return tr(
                "{damage} It is set aside as {aside}, and a new one begun.", damage=_damage(damage), aside=aside
            )
        case JournalRemains(aside):
            return tr(
                "The journal's database is gone. What was left of it is set aside as {aside}-*.", aside=aside
            )
        case GameUnreadable(game, why):
            return tr("Game {game} cannot be resumed: {why}. It is set aside.", game=game, why=why)
        case UnfinishedUnknown(why):
            return tr("The journal cannot be searched for an unfinished game: {why}.", why=why)
        case _:
            assert_never(notice)


def _damage(damage: DatabaseDamage) -> str:
    """The sentence with the reason for which a database cannot be used."""
    match damage.kind:
        case DamageKind.DAMAGED:
            return tr("The journal was damaged ({detail}).", detail=printable(damage.detail))
        case DamageKind.NO_FILE:
            return tr("The journal was no file.")
        case DamageKind.EMPTY:
            return tr("The journal was empty.")
        case DamageKind.NO_DATABASE:
            return tr("The journal was no database.")
        case DamageKind.CUT_SHORT:
            return tr("The journal was cut short.")
        case DamageKind.OTHER_PROGRAM:
            return tr("The journal was the database of another program.")
        case DamageKind.NEWER:
            return tr(
                "The journal was written by a newer tamsk-hw (tables {version}, known are those to {newest}).",
                version=damage.version,
                newest=damage.newest,
            )
        case _:
            assert_never(damage.kind)
