"""The figures of a curve: what its games came to at each strength."""

from collections.abc import Iterable

from tests.curves.curves import Curve
from tests.curves.measuring import Point

#: The games of a curve by strength, which rises.
Games = dict[float, list[Point]]


def by_strength(points: Iterable[Point]) -> Games:
    """The games of one curve."""
    games: Games = {}
    for point in sorted(points, key=lambda point: point.strength):
        games.setdefault(point.strength, []).append(point)
    return games


def right_up_to(games: Games) -> float | None:
    """The highest strength up to which all was right: events, their times, rulings; None: there is none."""
    best = None
    for strength, points in games.items():
        if not all(point.verdict.is_right for point in points):
            break
        best = strength
    return best


def said_from(games: Games) -> float | None:
    """The lowest strength from which on the trouble was said in every game; None: there is none."""
    least = None
    for strength in reversed(games):
        if any(point.said is None for point in games[strength]):
            break
        least = strength
    return least


def silent_at(games: Games) -> list[float]:
    """The strengths at which a ruling was wrong before anything was said."""
    return [strength for strength, points in games.items() if any(point.is_silent for point in points)]


def in_unit(curve: Curve, strength: float | None) -> str:
    """A strength as people read it."""
    return "–" if strength is None else curve.unit.format(strength)
