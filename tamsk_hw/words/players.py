"""The situation of a player in a few words, for a picture in which he has little room."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.panel.diagnosis import PlayerSign, Stance
from tamsk_hw.words.translating import tr_in


def stance_words(stance: Stance) -> str:
    """A player's situation; empty when there is nothing to say."""
    match stance:
        case Stance.READY:
            return tr_in("beside a player", "ready")
        case Stance.TO_MOVE:
            return tr_in("beside a player", "to move")
        case Stance.MOVING:
            return tr_in("beside a player", "is moving")
        case Stance.LATE:
            return tr_in("beside a player", "finishes late")
        case Stance.WON:
            return tr_in("beside a player", "has won")
        case Stance.TIED:
            return tr_in("beside a player", "tie")
        case Stance.WAITING | Stance.BEATEN:
            return ""
        case _:
            assert_never(stance)


def due_words(sign: PlayerSign) -> str:
    """The rings that a player may drop now, or the claim that he is advised to announce; empty without any."""
    if sign.claim:
        return tr_in("beside a player", "button, then a ring")
    if sign.due > 1:
        return tr_in("beside a player", "may drop two rings")
    if sign.penalty:
        return tr_in("beside a player", "may drop a penalty ring")
    return tr_in("beside a player", "may drop a ring") if sign.due else ""
