"""The strengths at which the partner plays."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


@dataclass(frozen=True, slots=True)
class Skill:
    """The bounds of one strength: nothing here is a time, so every machine plays alike."""

    nodes: int
    """Positions looked at for one decision, at most. The least computer, a Raspberry Pi Zero 2 W, has a second."""
    depth: int
    """Plies looked ahead, at most."""
    error: float = 0.0
    """The standard deviation by which a move's value is misjudged, in hundredths of a ring."""


class Strength(Enum):
    """The strengths, weakest first; `skill` has their bounds."""

    EASY = "easy"
    FAIR = "fair"
    STRONG = "strong"

    @property
    def skill(self) -> Skill:
        """What this strength may look at."""
        return _SKILLS[self]


_SKILLS = {
    Strength.EASY: Skill(nodes=200, depth=1, error=150.0),
    Strength.FAIR: Skill(nodes=600, depth=2, error=15.0),
    Strength.STRONG: Skill(nodes=3000, depth=64),
}
