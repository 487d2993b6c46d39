"""Motions of a magnet over its Hall sensor: the share of its full field, over time.

Figures from the reference build's field calculation: a glass lifted 1, 2, 3, 4.5, 9, 18 mm leaves 70, 50, 36,
24, 8, 2 % of the field; leaning on its cap's edge 3, 5, 8, 10, 20 degrees 80, 69, 56, 49, 26 %.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from itertools import pairwise
from random import Random

#: Height of a glass over its seat in millimetres, and the share of the field that is left there.
SHARE_AT_HEIGHT: tuple[tuple[float, float], ...] = (
    (0.0, 1.0),
    (1.0, 0.70),
    (2.0, 0.50),
    (3.0, 0.36),
    (4.5, 0.24),
    (9.0, 0.08),
    (18.0, 0.02),
    (30.0, 0.0),
)

#: Angle of a leaning glass in degrees, and the share of the field that is left.
SHARE_AT_ANGLE: tuple[tuple[float, float], ...] = (
    (0.0, 1.0),
    (3.0, 0.80),
    (5.0, 0.69),
    (8.0, 0.56),
    (10.0, 0.49),
    (20.0, 0.26),
)

OUT_OF_REACH = SHARE_AT_HEIGHT[-1][0]  #: millimetres above which a glass is not felt


def _between(table: Sequence[tuple[float, float]], x: float) -> float:
    """Linear interpolation in a table, its ends held."""
    if x <= table[0][0]:
        return table[0][1]
    for (x0, y0), (x1, y1) in pairwise(table):
        if x <= x1:
            return y0 + (y1 - y0) * (x - x0) / (x1 - x0)
    return table[-1][1]


def share_at_height(millimetres: float) -> float:
    """Share of the full field at a height of 0 … 30 mm over the seat (0 above that)."""
    return _between(SHARE_AT_HEIGHT, millimetres)


def share_at_angle(degrees: float) -> float:
    """Share of the full field at a lean of 0 … 20 degrees on the cap's edge."""
    return _between(SHARE_AT_ANGLE, degrees)


class Motion:
    """A moving magnet: share of its field at given times, linear between them.

    ``strength`` is the magnet's own factor, positive with end A down and negative with end B down.
    """

    __slots__ = ("shares", "strength", "times")

    def __init__(self, knots: Sequence[tuple[float, float]], strength: float) -> None:
        """``knots``: (time, share) with rising times."""
        self.times = [t for t, _ in knots]
        self.shares = [share for _, share in knots]
        self.strength = strength

    @property
    def end(self) -> float:
        """The time at which the motion is over."""
        return self.times[-1]

    def field(self, t: float) -> float:
        """Signed share of a standard magnet's full field at time ``t``."""
        times = self.times
        after = bisect_right(times, t)
        if after == 0:
            return self.shares[0] * self.strength
        if after == len(times):
            return self.shares[-1] * self.strength
        t0, s0 = times[after - 1], self.shares[after - 1]
        return (s0 + (self.shares[after] - s0) * (t - t0) / (times[after] - t0)) * self.strength


Knots = list[tuple[float, float]]


def rise(start: float, seconds: float, *, share: float = 1.0) -> Knots:
    """Motion of a glass pulled out of its seat, ever faster, out of reach after ``seconds``."""
    return [
        (start + seconds * (height / OUT_OF_REACH) ** (2 / 3), part * share) for height, part in SHARE_AT_HEIGHT
    ]


def sink(start: float, seconds: float, *, share: float = 1.0) -> Knots:
    """Motion of a glass let into a tube, touching the bottom after ``seconds``."""
    return [
        (start + seconds * (1.0 - height / OUT_OF_REACH), part * share)
        for height, part in reversed(SHARE_AT_HEIGHT)
    ]


def settle(knots: Knots, chance: Random, seconds: float, *, share: float) -> None:
    """Append the bounce of a glass that has just touched the bottom: ``seconds`` until it is at rest."""
    touched = knots[-1][0]
    rest = touched + seconds
    if chance.random() < 0.15:
        # the cap catches on the tube's edge, leans a moment and drops home
        caught = touched + seconds * chance.uniform(0.15, 0.35)
        edge = share_at_angle(chance.uniform(4.0, 10.0)) * share
        knots.append((caught, edge))
        knots.append((caught + seconds * chance.uniform(0.1, 0.3), edge))
    height, at = chance.uniform(0.3, 0.9), knots[-1][0]
    gap = (rest - at) / 4.5
    for _ in range(3):
        knots.append((at + gap * 0.6, share_at_height(height) * share))
        knots.append((at + gap * 1.2, share))
        at, height, gap = at + gap * 1.2, height * 0.4, gap * 0.8
    knots.append((rest, share))


def shake(start: float, chance: Random, *, share: float) -> Knots:
    """Motion of a seated glass that is knocked: it shakes for 0.1 … 0.3 s and stays in its seat.

    Its lowest dip is below the share that counts as seated, but for a dozen milliseconds only.
    """
    knots: Knots = [(start, share)]
    dip = start + chance.uniform(0.005, 0.02)
    knots += [(dip, share * 0.9), (dip + 0.004, share * chance.uniform(0.60, 0.75)), (dip + 0.012, share * 0.9)]
    at = dip + 0.012
    for depth in (0.88, 0.92, 0.95):
        at += chance.uniform(0.02, 0.06)
        knots += [(at, share), (at + 0.012, share * depth)]
        at += 0.012
    knots.append((at + 0.03, share))
    return knots
