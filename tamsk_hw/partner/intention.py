"""Intentions: what a player means to do next, for hands to carry out. Values without time or chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from tamsk_hw.game.position import Move
from tamsk_hw.game.tubes import Tube


@dataclass(frozen=True, slots=True)
class MoveGlass:
    """Make a move: a glass goes to a tube, ``turned`` over on the way (R2.2), or is placed from off the board.

    ``ring``: its ring will be dropped, which is an intention of its own once the glass stands (`DropRing`).
    """

    move: Move
    turned: bool
    ring: bool


@dataclass(frozen=True, slots=True)
class DropRing:
    """Drop the ring of the move just made (R4.1)."""

    tube: Tube


@dataclass(frozen=True, slots=True)
class DropPenaltyRing:
    """Drop the second ring that the opponent's lateness allows (R7.6)."""

    tube: Tube


@dataclass(frozen=True, slots=True)
class ClaimRing:
    """Announce a claim by button, then drop a ring in the tube that the opponent entered without one (R4.3)."""

    tube: Tube


@dataclass(frozen=True, slots=True)
class TakeRing:
    """Take a ring off that does not count (R4.7)."""

    tube: Tube


@dataclass(frozen=True, slots=True)
class PutRight:
    """Bring the glass that stands in ``at`` to ``to``, where it belongs, or turn it over there (R2.6)."""

    at: Tube
    to: Tube
    turned: bool


@dataclass(frozen=True, slots=True)
class TurnTimerOver:
    """Turn the 15-second timer against the opponent, if its upper part is seen to be empty (R7.2)."""


@dataclass(frozen=True, slots=True)
class Await:
    """Do nothing for ``seconds``, or until something is ruled; then look again."""

    seconds: float


Act: TypeAlias = MoveGlass | DropRing | DropPenaltyRing | ClaimRing | TakeRing | PutRight | TurnTimerOver

Intention: TypeAlias = Act | Await
