"""Everything that lies at hand at a simulated board: what the page lets people take."""

from __future__ import annotations

from dataclasses import dataclass

from tamsk_hw.game.tubes import Tube
from tamsk_hw.hands.eyes import GlassSeen, Look
from tamsk_hw.referee.view import GlassView


@dataclass(frozen=True, slots=True)
class SeenGlass:
    """A glass as eyes see it, and what the page calls it."""

    seen: GlassSeen
    number: int
    """1 … 3 among its owner's glasses."""
    view: GlassView
    is_known: bool
    """The referee knows it: it has been on the board."""

    @property
    def drawn(self) -> str:
        """The id of its drawing."""
        return f"glass-{self.seen.owner.value}-{self.number}"


@dataclass(frozen=True, slots=True)
class TableAtHand:
    """All that can be taken in the hand: the look, and its glasses."""

    look: Look
    glasses: tuple[SeenGlass, ...]

    @property
    def leaning(self) -> frozenset[Tube]:
        """The tubes whose glass leans."""
        return frozenset(
            glass.seen.tube for glass in self.glasses if glass.seen.leaning and glass.seen.tube is not None
        )

    def standing(self, tube: Tube) -> SeenGlass | None:
        """The glass that stands or leans in a tube."""
        return next((glass for glass in self.glasses if glass.seen.tube is tube), None)

    @property
    def held(self) -> tuple[SeenGlass, ...]:
        """The glasses in hands."""
        return tuple(glass for glass in self.glasses if glass.seen.hand is not None)

    @property
    def off(self) -> tuple[SeenGlass, ...]:
        """The glasses that lie off the board."""
        return tuple(glass for glass in self.glasses if glass.seen.hand is None and glass.seen.tube is None)
