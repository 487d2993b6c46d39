"""Glasses: their sand, and the motions of their magnets over Hall sensors.

The model of the sand is independent of the referee's. Figures of the fields are from the reference build's field
calculation: a glass lifted 1, 2, 3, 4.5, 9, 18 mm leaves 70, 50, 36, 24, 8, 2 % of the field; leaning on its cap's
edge 3, 5, 8, 10, 20 degrees 80, 69, 56, 49, 26 %.
"""

from bisect import bisect_right
from collections.abc import Sequence
from math import inf
from random import Random

from tamsk_hw.game.tubes import End, Player, Tube

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

_OUT_OF_REACH = SHARE_AT_HEIGHT[-1][0]  #: millimetres above which a glass is not felt


class SandGlass:
    """A glass with its sand and its magnets, such as the 15-second timer.

    Sand runs at a different speed for each end that is down; it runs in the hand as on the table, but not while
    the glass lies off the board.
    """

    def __init__(self, seconds: tuple[float, float], down: End, *, running: bool = True) -> None:
        """``seconds``: from full to empty with end A down, with end B down. Its upper part is empty."""
        self.seconds = seconds
        self.down = down
        """The end that is down."""
        self.magnets = (1.0, 1.0)
        """Strength of the magnets at ends A and B."""
        self._running = running
        self._above = 0.0
        self._since = 0.0

    @property
    def strength(self) -> float:
        """Signed strength of the magnet that is down: positive for end A."""
        return self.magnets[0] if self.down is End.A else -self.magnets[1]

    @property
    def _speed(self) -> float:
        """Seconds a full upper part takes with the end that is down."""
        return self.seconds[0] if self.down is End.A else self.seconds[1]

    def above(self, t: float) -> float:
        """Share of the sand in the upper part at time ``t`` (not before the last turn)."""
        if not self._running:
            return self._above
        if t >= self._since + self._above * self._speed:
            return 0.0
        return self._above - (t - self._since) / self._speed

    def upper_seconds(self, t: float) -> float:
        """Seconds until the upper part is empty."""
        return self.above(t) * self._speed

    def lower_seconds(self, t: float) -> float:
        """Seconds the sand would run if the glass were turned over at ``t``."""
        return (1.0 - self.above(t)) * (self.seconds[1] if self.down is End.A else self.seconds[0])

    def runs_out_at(self, t: float) -> float | None:
        """The time at which the upper part will be empty; None if it is empty at ``t`` or the glass lies still."""
        if not self._running or self._above <= 0.0:
            return None
        end = self._since + self._above * self._speed
        return end if end > t else None

    def turn(self, t: float) -> None:
        """Turn the glass over at ``t``: what was below is above."""
        self._above = 1.0 - self.above(t)
        self._since = t
        self.down = self.down.other

    def lay_down(self, t: float) -> None:
        """Lay the glass on its side at ``t``: the sand stands still."""
        self._above = self.above(t)
        self._since = t
        self._running = False

    def stand_up(self, t: float, *, full: bool | None = None, end: End | None = None) -> None:
        """Stand the glass up at ``t``; ``full`` chooses the end so that all sand is above (or below).

        Without ``full`` the sand is as it lay, with ``end`` down (by default the one that was down before).
        """
        if full is None:
            if end not in (None, self.down):
                self.down = self.down.other
                self._above = 1.0 - self._above
        else:
            if (self._above >= 0.5) is not full:
                self.down = self.down.other
            self._above = 1.0 if full else 0.0
        self._since = t
        self._running = True


class WorldGlass(SandGlass):
    """One of the six glasses.

    ``name`` is the tube it starts on ("D1"; free start: "red-1" …), ``index`` its place in `Things.glasses`.
    """

    def __init__(
        self, owner: Player, name: str, index: int, seconds: tuple[float, float], down: End, *, running: bool
    ) -> None:
        super().__init__(seconds, down, running=running)
        self.owner = owner
        self.name = name
        self.index = index
        self.tube: Tube | None = None
        """The tube in which it stands or leans; None in the hand and off the board."""
        self.leaning = False

    def __str__(self) -> str:
        return f"{self.owner} glass {self.name}"


def between(table: Sequence[tuple[float, float]], x: float) -> float:
    """Linear interpolation in a table, its ends held."""
    after = bisect_right(table, (x, inf))
    if after in (0, len(table)):
        return table[min(after, len(table) - 1)][1]
    (x0, y0), (x1, y1) = table[after - 1 : after + 1]
    return y0 + (y1 - y0) * (x - x0) / (x1 - x0)


#: Times, rising, and the share of its field that a moving magnet has then; linear between them.
Knots = list[tuple[float, float]]


def rise(start: float, seconds: float, *, share: float = 1.0) -> Knots:
    """Motion of a glass pulled out of its seat, ever faster, out of reach after ``seconds``."""
    return [
        (start + seconds * (height / _OUT_OF_REACH) ** (2 / 3), part * share) for height, part in SHARE_AT_HEIGHT
    ]


def sink(start: float, seconds: float, *, share: float = 1.0) -> Knots:
    """Motion of a glass let into a tube, touching the bottom after ``seconds``."""
    return [
        (start + seconds * (1.0 - height / _OUT_OF_REACH), part * share)
        for height, part in reversed(SHARE_AT_HEIGHT)
    ]


def settle(knots: Knots, chance: Random, seconds: float, *, share: float) -> None:
    """Append the bounce of a glass that has just touched the bottom: ``seconds`` until it is at rest."""
    touched = knots[-1][0]
    rest = touched + seconds
    if chance.random() < 0.15:
        # the cap catches on the tube's edge, leans a moment and drops home
        caught = touched + seconds * chance.uniform(0.15, 0.35)
        edge = between(SHARE_AT_ANGLE, chance.uniform(4.0, 10.0)) * share
        knots.append((caught, edge))
        knots.append((caught + seconds * chance.uniform(0.1, 0.3), edge))
    height, at = chance.uniform(0.3, 0.9), knots[-1][0]
    gap = (rest - at) / 4.5
    for _ in range(3):
        knots.append((at + gap * 0.6, between(SHARE_AT_HEIGHT, height) * share))
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
