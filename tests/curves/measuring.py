"""One point of a curve: a game at a strength and a seed, and what came of it."""

from dataclasses import dataclass

from tests.curves.curves import BY_NAME
from tests.curves.judging import Verdict, Wrong, judge
from tests.curves.said import About, said_at


@dataclass(frozen=True)
class Point:
    """The result of a game at ``strength``; ``said`` is when its trouble was first said (seconds), or None."""

    curve: str
    strength: float
    seed: int
    verdict: Verdict
    said: float | None
    events: int

    @property
    def first(self) -> Wrong | None:
        """The first wrong ruling."""
        return self.verdict.rulings[0] if self.verdict.rulings else None

    @property
    def is_silent(self) -> bool:
        """A ruling was wrong before anything was said."""
        return self.first is not None and (self.said is None or self.said > self.first.at)


def measure(curve: str, strength: float, seed: int, limit: float | None = None) -> Point:
    """Play and judge; ``limit``: seconds of the game, fewer than the curve has."""
    played = BY_NAME[curve].play(strength, seed, limit)
    patience = strength if BY_NAME[curve].about is About.HOST else 0.0
    said = said_at(played.told, BY_NAME[curve].about)
    return Point(curve, strength, seed, judge(played, patience), said, len(played.game.events))
