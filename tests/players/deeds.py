"""Wrongs that are to be put right, as the people at the board know them."""

from dataclasses import dataclass

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.simulator.glasses import WorldGlass
from tests.players.habits import Mischief

#: Wrongs that lie in a tube's rings.
RING_KINDS = frozenset(
    {Mischief.RING_WRONG_TUBE, Mischief.RING_TOO_MANY, Mischief.RING_TOO_LATE, Mischief.RING_REMOVED}
)


@dataclass(slots=True, eq=False)
class Deed:
    """A wrong of ``player`` at ``tube``, done at ``t`` (seconds) and not yet right again.

    ``glass`` is the glass concerned, None for rings. ``ruled_at`` is when a violation was ruled on it;
    ``acted_at`` when somebody last set out to put it right. A deed that only a ruling knows of (``surprise``)
    waits until the players have understood it.
    """

    player: Player
    kind: Mischief
    tube: Tube
    t: float
    glass: WorldGlass | None = None
    ruled_at: float | None = None
    acted_at: float | None = None
    tries: int = 0
    surprise: bool = False
    is_done: bool = False
    """It has physically happened, and is not only about to."""

    @property
    def is_of_rings(self) -> bool:
        """It is the tube's rings that are wrong."""
        return self.kind in RING_KINDS
