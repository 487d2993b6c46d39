"""An advice: an act that somebody at the board is asked to carry out, by the partner or by a lesson.

It is a value beside the view. Nothing is ruled by it: the referee rules on what is really done.
"""

from __future__ import annotations

from dataclasses import dataclass

from tamsk_hw.game.players import Player
from tamsk_hw.partner.intention import Act


@dataclass(frozen=True, slots=True)
class Advice:
    """The ``act`` that is asked of the hand of ``player``."""

    player: Player
    act: Act
