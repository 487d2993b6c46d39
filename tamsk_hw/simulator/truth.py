"""The truth of the simulated world: glasses, motions, what is where.

Sand in a real glass: the exact share that is above.

A glass runs at a different speed for each end that is down. It runs in the hand as on the table, but not while it
lies in the box. This model is independent of the referee's.

Motions of a magnet over its Hall sensor: the share of its full field, over time.

Figures from the reference build's field calculation: a glass lifted 1, 2, 3, 4.5, 9, 18 mm leaves 70, 50, 36,
24, 8, 2 % of the field; leaning on its cap's edge 3, 5, 8, 10, 20 degrees 80, 69, 56, 49, 26 %.

The true history of a simulated board, by which tests judge the code under test.

Every entry has ``t``, simulated seconds since the world began, and is appended when it happens, so the times never
decrease. Sensing and referee never see it.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from itertools import pairwise
from random import Random

from tamsk_hw.errors import TamskError
from tamsk_hw.game.tubes import End, Player, Tube


class SandGlass:
    """The sand of one glass."""

    __slots__ = ("_above", "_since", "down", "running", "seconds")

    def __init__(
        self, seconds: tuple[float, float], down: End, *, above: float = 0.0, running: bool = True
    ) -> None:
        """``seconds``: from full to empty with end A down, with end B down. ``above``: share of sand, 0 … 1."""
        self.seconds = seconds
        self.down = down
        self.running = running
        self._above = above
        self._since = 0.0

    def _speed(self) -> float:
        """Seconds a full upper part takes with the end that is down."""
        return self.seconds[0] if self.down is End.A else self.seconds[1]

    def above(self, t: float) -> float:
        """Share of the sand in the upper part at time ``t`` (not before the last turn)."""
        if not self.running:
            return self._above
        if t >= self._since + self._above * self._speed():
            return 0.0
        return self._above - (t - self._since) / self._speed()

    def upper_seconds(self, t: float) -> float:
        """Seconds until the upper part is empty."""
        return self.above(t) * self._speed()

    def lower_seconds(self, t: float) -> float:
        """Seconds the sand would run if the glass were turned over at ``t``."""
        return (1.0 - self.above(t)) * (self.seconds[1] if self.down is End.A else self.seconds[0])

    def runs_out_at(self, t: float) -> float | None:
        """The time at which the upper part will be empty; None if it is empty at ``t`` or the glass lies still."""
        if not self.running or self._above <= 0.0:
            return None
        end = self._since + self._above * self._speed()
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
        self.running = False

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
        self.running = True


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


class WorldError(TamskError):
    """A request to the simulated world that is physically impossible."""


class PushButton(Enum):
    """A push button beside the board. Buttons hang on the Pi, not on the board's controller."""

    START = "start"
    RED = "red"
    BLACK = "black"


class PressLength(Enum):
    """The length of a press."""

    SHORT = "short"
    LONG = "long"


@dataclass(frozen=True, slots=True)
class GlassId:
    """One of the six glasses, by its owner and its name.

    ``name`` is the tube it starts on ("D1"; free start: "red-1" …), ``index`` its place in `World.glasses` (0 …
    5).
    """

    owner: Player
    name: str
    index: int

    def __str__(self) -> str:
        return f"{self.owner} glass {self.name}"


@dataclass(frozen=True, slots=True)
class GlassLifted:
    """A glass began to rise out of a tube where it stood or leaned (first millimetre)."""

    t: float
    player: Player
    glass: GlassId
    tube: Tube


@dataclass(frozen=True, slots=True)
class GlassSeated:
    """A glass came to rest on the bottom of a tube; the bounce before it took up to 0.25 s.

    ``end_down`` is the end that is down now, ``turned`` whether that differs from the end down when it last
    stood or leaned in a tube (false for a glass from the box).
    """

    t: float
    player: Player
    glass: GlassId
    tube: Tube
    end_down: End
    turned: bool


@dataclass(frozen=True, slots=True)
class GlassLeaning:
    """A glass stays half in a tube or half out of it, and will stay so until lifted or straightened."""

    t: float
    player: Player
    glass: GlassId
    tube: Tube


@dataclass(frozen=True, slots=True)
class GlassTakenFromBox:
    """A glass off the board was taken into the hand to be placed."""

    t: float
    player: Player
    glass: GlassId


@dataclass(frozen=True, slots=True)
class GlassPutAway:
    """A glass in the hand was laid down off the board."""

    t: float
    player: Player
    glass: GlassId


@dataclass(frozen=True, slots=True)
class GlassTurned:
    """A glass was turned over in the hand: from now on the sand runs the other way."""

    t: float
    player: Player
    glass: GlassId


@dataclass(frozen=True, slots=True)
class GlassRanOut:
    """The upper part of a glass has run empty, in a tube (``tube``) or in the hand (None)."""

    t: float
    glass: GlassId
    tube: Tube | None


@dataclass(frozen=True, slots=True)
class RingTaken:
    """A ring was lifted out of a player's holder into his hand."""

    t: float
    player: Player
    left: int


@dataclass(frozen=True, slots=True)
class RingPutBack:
    """A ring was laid from the hand into a player's holder (``player``: whose holder)."""

    t: float
    player: Player
    left: int


@dataclass(frozen=True, slots=True)
class RingDropped:
    """A ring came to rest on a tube; ``count`` rings lie there now."""

    t: float
    player: Player
    tube: Tube
    count: int


@dataclass(frozen=True, slots=True)
class RingLifted:
    """The top ring of a tube began to leave it; ``count`` rings are left there."""

    t: float
    player: Player
    tube: Tube
    count: int


@dataclass(frozen=True, slots=True)
class TimerTaken:
    """The 15-second glass left its cradle; ``was_empty``: its upper part had run out by then."""

    t: float
    player: Player
    was_empty: bool


@dataclass(frozen=True, slots=True)
class TimerSet:
    """The 15-second glass came to rest in its cradle.

    ``turned``: other end down than before it was lifted. ``was_empty``: the upper part was empty when it was
    lifted (false when it came from the box).
    """

    t: float
    player: Player
    end_down: End
    turned: bool
    was_empty: bool


@dataclass(frozen=True, slots=True)
class TimerRanOut:
    """The upper part of the 15-second glass has run empty."""

    t: float


@dataclass(frozen=True, slots=True)
class ButtonPressed:
    """A button was let go after a short press, or held long enough for a long one."""

    t: float
    button: PushButton
    press: PressLength


@dataclass(frozen=True, slots=True)
class FaultBegan:
    """A fault was put into the board (`tamsk_hw.simulator.faults`); ``what`` names it."""

    t: float
    what: str


@dataclass(frozen=True, slots=True)
class FaultEnded:
    """A fault was removed."""

    t: float
    what: str


Truth = (
    GlassLifted
    | GlassSeated
    | GlassLeaning
    | GlassTakenFromBox
    | GlassPutAway
    | GlassTurned
    | GlassRanOut
    | RingTaken
    | RingPutBack
    | RingDropped
    | RingLifted
    | TimerTaken
    | TimerSet
    | TimerRanOut
    | ButtonPressed
    | FaultBegan
    | FaultEnded
)
