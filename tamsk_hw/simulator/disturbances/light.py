"""Light that falls on ring sensors: lamps on the mains, flashes, daylight.

A sensor that a ring or a finger covers sees none of it. A scan reads all sensors in the dark first, then bank
after bank with its own light, over 1.4 ms: light that comes and goes meanwhile makes rings of what was dark.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable
from itertools import accumulate
from math import pi, sin
from random import Random
from typing import Protocol

from tamsk_hw.game.tubes import CAPACITY, TUBES, Tube
from tamsk_hw.simulator.matter import FIRST_PLACE, PLACES


class Light(Protocol):
    """Light from outside."""

    def lit(self, t: float) -> int:
        """Mask of the ring places that it makes a bare sensor see at ``t`` (seconds)."""


class MainsLamp:
    """A lamp whose light comes and goes 100 times a second.

    ``peak`` is its light at the brightest, in that which an average sensor needs to see a ring; the sensors need
    between 0.6 and 1.6 of it, as some lie in shade.
    """

    def __init__(self, peak: float, seed: int, *, hertz: float = 100.0) -> None:
        chance = Random(f"{seed}/mains lamp")
        self._peak = peak
        self._turn = pi * hertz
        self._phase = chance.uniform(0.0, pi)
        needs = sorted((chance.uniform(0.6, 1.6), place) for place in range(PLACES))
        self._needs = [need for need, _ in needs]
        #: places seen with at least so many of the needs fulfilled
        self._seen = [0, *accumulate((1 << place for _, place in needs), int.__or__)]

    def lit(self, t: float) -> int:
        """As bright as it is just then."""
        return self._seen[bisect_left(self._needs, self._peak * sin(self._turn * t + self._phase) ** 2)]


class Flashes:
    """A flash of ``seconds`` on the whole board every ``every`` seconds."""

    def __init__(self, seed: int, *, every: float = 0.2, seconds: float = 0.003) -> None:
        self._every = every
        self._seconds = seconds
        self._offset = Random(f"{seed}/flashes").uniform(0.0, every)

    def lit(self, t: float) -> int:
        """All or nothing."""
        return (1 << PLACES) - 1 if (t + self._offset) % self._every < self._seconds else 0


class Daylight:
    """Light that stays, on some tubes or on the whole board."""

    def __init__(self, tubes: Iterable[Tube] = TUBES) -> None:
        self._places = sum(((1 << CAPACITY[tube]) - 1) << FIRST_PLACE[tube] for tube in set(tubes))

    def lit(self, t: float) -> int:
        """Always the same."""
        return self._places
