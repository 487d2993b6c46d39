"""The figures of a curve: the outcome of the games at each strength."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from tests.curves.curves import Curve
from tests.curves.measuring import Point


@dataclass(frozen=True)
class Row:
    """The games at one strength, one for each seed: how many events were true, missed, invented, late.

    ``wrong``: rulings that differ; ``said``: games in which the trouble was said; ``silent``: games in which a
    ruling was wrong before it was said, or it never was.
    """

    strength: float
    seeds: tuple[int, ...]
    events: int
    missed: int
    invented: int
    late: int
    wrong: int
    said: int
    silent: int

    @property
    def is_right(self) -> bool:
        """Nothing was missed, invented or late, and every ruling was right."""
        return not (self.missed or self.invented or self.late or self.wrong)


#: For each curve that was measured its rows, by rising strength.
Figures = dict[str, tuple[Row, ...]]


def rows_of(points: Iterable[Point]) -> tuple[Row, ...]:
    """The rows of one curve's points."""
    by_strength: dict[float, list[Point]] = {}
    for point in points:
        by_strength.setdefault(point.strength, []).append(point)
    return tuple(
        Row(
            strength=strength,
            seeds=tuple(point.seed for point in games),
            events=sum(point.events for point in games),
            missed=sum(point.verdict.count("missed") for point in games),
            invented=sum(point.verdict.count("invented") for point in games),
            late=sum(point.verdict.count("late") for point in games),
            wrong=sum(len(point.verdict.rulings) for point in games),
            said=sum(point.said is not None for point in games),
            silent=sum(point.is_silent for point in games),
        )
        for strength, games in sorted(by_strength.items())
    )


def right_up_to(rows: Sequence[Row]) -> float | None:
    """The highest strength up to which everything was right; None: there is none."""
    best = None
    for row in rows:
        if not row.is_right:
            break
        best = row.strength
    return best


def said_from(rows: Sequence[Row]) -> float | None:
    """The lowest strength from which on the trouble was said in every game; None: there is none."""
    least = None
    for row in reversed(rows):
        if row.said < len(row.seeds):
            break
        least = row.strength
    return least


def silent_at(rows: Sequence[Row]) -> list[float]:
    """The strengths at which a ruling was wrong before anything was said."""
    return [row.strength for row in rows if row.silent]


def in_unit(curve: Curve, strength: float | None) -> str:
    """A strength as people read it."""
    return "–" if strength is None else curve.unit.format(strength)


def span(curve: Curve, strengths: Sequence[float]) -> str:
    """Several strengths as people read them."""
    if not strengths:
        return "never"
    return (
        curve.unit.format(strengths[0])
        if len(strengths) == 1
        else curve.unit.replace("{:g}", ", ".join(f"{s:g}" for s in strengths))
    )
