"""Disturbed sensors: fields that scatter and wander, holders that creep, light from outside, magnets that differ.

A sensor that a ring or a finger covers sees no light. A scan reads all sensors in the dark first, then bank
after bank with its own light, over 1.4 ms: light that comes and goes meanwhile makes rings of what was dark.
"""

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from itertools import accumulate
from math import pi, sin
from random import Random
from typing import Protocol

from tamsk_hw.board.protocol import FIELDS, REFERENCES
from tamsk_hw.board.wiring import INPUTS_PER_CHIP, Wiring
from tamsk_hw.game.tubes import CAPACITY, PLAYERS, TUBES, Tube
from tamsk_hw.simulator.sensors import COUNTS_PER_GRAM, NOISE_SPAN, RING_GRAMS, Noise, Sensors
from tamsk_hw.simulator.things import FIRST_PLACE, PLACES
from tamsk_hw.simulator.world import World

#: Scans after which the noise repeats: a prime, so that it does not beat with anything.
_ROWS = 1021

#: Deviations beyond which nothing scatters.
_MOST = 4.0

#: Steps by which the first reference is off when it jumps.
REFERENCE_JUMP = 20

#: Seconds from one step of a drift to the next.
DRIFT_EVERY = 1.0

#: Microseconds from the end of a bank's light time to the next bank's light.
_BETWEEN_BANKS = 10

#: Glasses and timer: the magnets' places in the world.
_MAGNETS = 7


class FieldNoise:
    """Every reading of a field scatters by ``deviation`` (standard, in steps of 8 bits).

    ``references``: they scatter, too, as when the controller's supply is not clean.
    """

    def __init__(self, deviation: float, seed: int, *, references: bool = False) -> None:
        chance = Random(f"{seed}/field noise")
        noisy = FIELDS + (REFERENCES if references else 0)
        self._rows = [
            tuple(
                round(deviation * max(-_MOST, min(_MOST, chance.gauss(0.0, 1.0)))) if place < noisy else 0
                for place in range(FIELDS + REFERENCES)
            )
            for _ in range(_ROWS)
        ]

    def of_scan(self, scan: int) -> tuple[int, ...]:
        """Steps by which each field, then each reference, is off in the scan of that number."""
        return self._rows[scan % _ROWS]


class RestDrift:
    """The rest of each field wanders by ``steps`` within ``seconds``, up or down, evenly; then it stays there."""

    def __init__(self, steps: float, seed: int, *, seconds: float = 3600.0, start: float = 0.0) -> None:
        chance = Random(f"{seed}/drift of rest")
        self._ends = [steps * chance.choice((-1.0, 1.0)) for _ in range(FIELDS)]
        self._seconds = seconds
        self._start = start

    def at(self, t: float) -> list[float]:
        """Steps by which the rest of each field is off at ``t`` (seconds)."""
        share = max(0.0, min(1.0, (t - self._start) / self._seconds))
        return [share * end for end in self._ends]


def unequal_magnets(spread: float, seed: int) -> list[tuple[float, float]]:
    """Strengths within 1 ± ``spread`` for ends A and B of each glass and the timer (`set_magnets`)."""
    chance = Random(f"{seed}/strength of magnets")
    least, most = 1.0 - spread, 1.0 + spread
    return [(chance.uniform(least, most), chance.uniform(least, most)) for _ in range(_MAGNETS)]


def set_magnets(world: World, strengths: Sequence[tuple[float, float]]) -> None:
    """Give the glasses (the timer last), none of which moves, magnets of other strengths, for ends A and B."""
    assert not world.moving
    for glass, magnets in zip((*world.glasses, world.timer), strengths, strict=True):
        glass.magnets = magnets
    world._set_fields()


class Flicker:
    """Something that is there in one scan every ``every`` seconds, at a phase that the seed chooses."""

    def __init__(self, every: float, seed: int, *, start: float = 0.0) -> None:
        self.next = start + Random(f"{seed}/flicker").uniform(0.0, every)
        """When it comes next (seconds)."""
        self._every = every

    def take(self, t: float) -> bool:
        """It is there in the scan of time ``t``; asked once a scan."""
        if t < self.next:
            return False
        while self.next <= t:
            self.next += self._every
        return True


class HolderNoise:
    """Weighing is off by ``deviation`` (standard) and by ``creep`` an hour, both in shares of a ring's weight."""

    def __init__(self, deviation: float, seed: int, *, creep: float = 0.0) -> None:
        chance = Random(f"{seed}/holder noise")
        self._rows = [deviation * chance.gauss(0.0, 1.0) for _ in range(_ROWS)]
        self._creep = [creep * chance.choice((-1.0, 1.0)) for _ in PLAYERS]

    def rings(self, index: int, conversion: int, t: float) -> float:
        """Rings by which a conversion, by number and time (seconds), of red's (0) or black's cell is off."""
        return self._rows[(conversion * 3 + index * 487) % _ROWS] + self._creep[index] * t / 3600


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


class DisturbedSensors(Sensors):
    """The sensors of one board, disturbed by what `disturb` was given last."""

    def __init__(self, world: World, wiring: Wiring, noise: Noise) -> None:
        super().__init__(world, wiring, noise)
        self._scatter: FieldNoise | None = None
        self._drift_of_rest: RestDrift | None = None
        self._undrifted = list(self.rest)
        self._drift_due = float("inf")
        self._weighing: HolderNoise | None = None
        self._light: Light | None = None
        self._jump = 0
        self._bank = [
            sum(1 << place for place, bit in self.bit_of_place.items() if bit % INPUTS_PER_CHIP == bank)
            for bank in range(INPUTS_PER_CHIP)
        ]

    def disturb(
        self,
        *,
        scatter: FieldNoise | None = None,
        drift: RestDrift | None = None,
        weighing: HolderNoise | None = None,
        light: Light | None = None,
    ) -> None:
        """Disturb the sensors from now on; what is not given is not disturbed."""
        self._scatter, self._drift_of_rest = scatter, drift
        self._weighing, self._light = weighing, light
        self._drift_due = -1.0 if drift is not None else float("inf")
        if drift is None:
            self._wander([0.0] * FIELDS)
        self.version += 1

    def let_reference_jump(self, jumps: bool) -> None:
        """Let the first reference be off in the next scan, or be as it should be again."""
        jump = REFERENCE_JUMP if jumps else 0
        if jump != self._jump:
            self._jump = jump
            self.version += 1

    @property
    def is_restless(self) -> bool:
        """Every scan may differ from the last one, though nothing happens in the world."""
        restless = self._scatter is not None or self._weighing is not None or self._light is not None
        return restless or bool(self._jump)

    @property
    def noise_span(self) -> int:
        """Steps between the lowest and the highest reading of a field at rest."""
        return NOISE_SPAN if self._scatter is None else 255

    def advance(self, t: float) -> None:
        """Let weak sensors flicker, and the rest drift, up to ``t`` seconds."""
        if t >= self._drift_due and self._drift_of_rest is not None:
            self._drift_due = t + DRIFT_EVERY
            self._wander(self._drift_of_rest.at(t))
            self.version += 1
        super().advance(t)

    def rings(self) -> tuple[int, int]:
        """Ring bits and dark bits; in light dark first, then bank after bank with its own light."""
        light = self._light
        if light is None:
            return super().rings()
        bank_seconds = (self.light_time + _BETWEEN_BANKS) * 1e-6
        at = self._world.now - INPUTS_PER_CHIP * bank_seconds
        bare = ~self._world.covered
        dark = light.lit(at) & bare
        seen = self._world.covered & ~self.missing & ~self._too_weak()
        for bank in self._bank:
            at += bank_seconds
            seen |= light.lit(at) & bank & bare
        rings, dark = self._in_chain(seen), self._in_chain(dark)
        return self._overlay.rings(rings, dark) if self._overlay is not None else (rings, dark)

    def _wander(self, steps: list[float]) -> None:
        self.rest = [rest + step for rest, step in zip(self._undrifted, steps, strict=True)]
        self._field_version = -1

    def _noisy(self, fields: int, scan: int) -> tuple[bytes, bytes]:
        read, (first, *others) = super()._noisy(fields, scan)
        fixed = bytes((first + self._jump, *others))
        if self._scatter is None:
            return read, fixed
        off = self._scatter.of_scan(scan)
        scattered = bytes(
            min(255, max(0, reading + off[field])) if field in self._fitted else 0
            for field, reading in enumerate(read)
        )
        return scattered, bytes(reading + more for reading, more in zip(fixed, off[FIELDS:], strict=True))

    def _weighed(self, index: int, conversion: int, t: float) -> float:
        counts = super()._weighed(index, conversion, t)
        if self._weighing is not None:
            counts += self._weighing.rings(index, conversion, t) * RING_GRAMS * COUNTS_PER_GRAM
        return counts
