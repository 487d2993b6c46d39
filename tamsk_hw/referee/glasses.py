"""The glasses of a game: where each stands, lawfully and in fact, and what else stands or leans on the board.

A glass has a lawful place, `Glass.tube`, and counts either as standing there or as in its owner's hand (R2.6):

===================  ========  ==============  ==========  ====================================================
glass                ``off``   ``standing``    ``wrong``   how it came so
===================  ========  ==============  ==========  ====================================================
stands               False     ``tube``        None        set up, moved, placed, or put back
in the hand          True      None            None        lifted from its tube
stands wrong         True      a tube          a code      seated where or how it may not stand
wrong, in the hand   True      None            a code      lifted again after that; the code is still to be put
                                                           right
===================  ========  ==============  ==========  ====================================================

Whatever its place, its sand is in one of these states:

============  =======  ===========  ========  ============  ===================================================
sand          `sand`   ``started``  ``lost``  ``doubtful``  meaning
============  =======  ===========  ========  ============  ===================================================
none          None     False        False     False         level 1 (R6.5)
not started   a Sand   False        False     False         not moved yet (R2.4)
running       a Sand   True         False     False
doubtful      a Sand   True         False     True          it may have run out (R6.4)
lost          a Sand   True         True      False         it has run out (R6.2), during ``run_out``
============  =======  ===========  ========  ============  ===================================================

While a game is in play `Glasses.at` has exactly the glasses that stand, each under its ``standing``. When the sand
decides (R5.3) every glass counts as standing.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tamsk_hw.game.players import End, Player
from tamsk_hw.game.sand import Sand
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.rulings import Code


@dataclass(slots=True, eq=False, kw_only=True)
class Glass:
    """A glass of the game."""

    owner: Player
    tube: Tube
    """Its lawful place."""
    end: End
    """The end that is down there."""
    standing: Tube | None
    """The tube where it stands in fact; None while it is in a hand."""
    off: bool = False
    """It counts as in its owner's hand (R2.6)."""
    lift_order: int = 0
    """The number of the lift by which it left its lawful place."""
    hand_order: int = 0
    """The number of its last lift."""
    wrong: Code | None = None
    """The violation that is put right by it."""

    sand: Sand | None
    started: bool = False
    lost: bool = False
    doubtful: bool = False
    run_out: tuple[float, float] = (0.0, 0.0)
    """When it was lost: the earliest and the latest time at which it ran out (`Watch.unseen`)."""
    run_out_unseen: tuple[float, float] | None = None
    """The same of a glass that may have run out while nobody watched; infinite if it need not have."""

    @property
    def is_running(self) -> bool:
        """Started and not lost, wherever it is (R2.4, R6.2)."""
        return self.started and not self.lost

    def due(self) -> float | None:
        """When its sand next changes what is known of it; None while it is in a hand, unstarted or lost."""
        if self.standing is None or not self.started or self.lost:
            return None
        assert self.sand is not None
        return self.sand.empty_at() if self.doubtful else self.sand.possibly_empty_at()


@dataclass(frozen=True, slots=True)
class Stranger:
    """A glass that nobody's hand accounts for (R9.2), or one placed wrongly from off the board (R8)."""

    colour: Player | None
    code: Code


@dataclass(slots=True)
class Lean:
    """Something leaning in a tube since a time; ``ruled`` once it was called out of place (R9.2)."""

    since: float
    ruled: bool = False


@dataclass(slots=True)
class Glasses:
    """All glasses, and what else stands or leans on the board."""

    every: list[Glass] = field(default_factory=list)
    """The glasses of the game, in the order in which they came to the board."""
    at: dict[Tube, Glass] = field(default_factory=dict)
    """The glass of the game that stands in a tube."""
    strangers: dict[Tube, Stranger] = field(default_factory=dict)
    """Other glasses that stand in a tube; never one that is in ``at``."""
    leaning: dict[Tube, Lean] = field(default_factory=dict)
    lifts: int = 0
    """The number of lifts so far."""
    two_off: set[Player] = field(default_factory=set)
    """Players who have yet to put a second glass back (R2.9)."""

    def in_hands(self) -> list[Glass]:
        """The glasses that are in a hand in fact."""
        return [glass for glass in self.every if glass.standing is None]

    def off_tubes(self, player: Player) -> list[Glass]:
        """``player``'s glasses that count as in his hand (R2.6), the first lifted first."""
        off = [glass for glass in self.every if glass.off and glass.owner is player]
        off.sort(key=lambda glass: glass.lift_order)
        return off

    def home_at(self, tube: Tube) -> Glass | None:
        """The glass that lawfully stands in ``tube``."""
        for glass in self.every:
            if glass.tube is tube:
                return glass
        return None
