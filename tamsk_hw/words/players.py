"""The situation of a player in a few words, for a picture in which he has little room."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.panel.diagnosis import PlayerSign, Stance


def stance_words(stance: Stance) -> str:
    """A player's situation; empty when there is nothing to say."""
    match stance:
        case Stance.READY:
            return "ready"
        case Stance.TO_MOVE:
            return "to move"
        case Stance.MOVING:
            return "is moving"
        case Stance.LATE:
            return "late: may finish"
        case Stance.WON:
            return "has won"
        case Stance.TIED:
            return "tie"
        case Stance.WAITING | Stance.BEATEN:
            return ""
        case _:
            assert_never(stance)


def due_words(sign: PlayerSign) -> str:
    """The rings that a player may drop now; empty without any."""
    if sign.due > 1:
        return "may drop two rings"
    if sign.penalty:
        return "may drop a penalty ring"
    return "may drop a ring" if sign.due else ""
