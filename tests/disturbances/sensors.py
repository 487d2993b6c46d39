"""Disturbed sensors: fields and holders that scatter, fields that wander, light from outside, unlike magnets.

In light the ring sensors are judged by the firmware's own core (`tests.disturbances.light`).
"""

from collections.abc import Sequence
from random import Random

from tamsk_hw.board.protocol import FIELDS, LEAST_THRESHOLD, RING_BITS, RING_INPUTS, RingSignal
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.simulator.sensors import COUNTS_PER_GRAM, RING_GRAMS, Noise, Sensors
from tamsk_hw.simulator.world import World
from tests.disturbances.light import COUNTS, PERIOD, Light, LitRings

#: Scans after which the noise repeats: a prime, so that it does not beat with anything.
_ROWS = 1021

#: Deviations beyond which nothing scatters.
_MOST = 4.0

#: Steps by which the first reference is off when it jumps.
REFERENCE_JUMP = 20

#: Seconds from one step of a drift to the next.
DRIFT_EVERY = 1.0

#: Scans in the dark with which the core begins.
_WARM = 60

#: Glasses and timer: the magnets' places in the world.
_MAGNETS = 7


class FieldNoise:
    """Every reading of a field scatters by ``deviation`` (standard, in steps of 8 bits)."""

    def __init__(self, deviation: float, seed: int) -> None:
        chance = Random(f"{seed}/field noise")
        self._rows = [
            tuple(round(deviation * max(-_MOST, min(_MOST, chance.gauss(0.0, 1.0)))) for _ in range(FIELDS))
            for _ in range(_ROWS)
        ]

    def of_scan(self, scan: int) -> tuple[int, ...]:
        """Steps by which each field is off in the scan of that number."""
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


def own_thresholds(sensors: Sensors) -> tuple[bytes, ...]:
    """The thresholds that a calibration gives: half of what each sensor has of its own ring, in counts."""
    found = bytearray(RING_BITS)
    for place, bit in sensors.bit_of_place.items():
        of_ring = sensors.ring_counts[place] * sensors.of_ring(place)
        found[bit] = max(LEAST_THRESHOLD, round(of_ring / 2))
    return tuple(bytes(found[at : at + RING_INPUTS]) for at in range(0, RING_BITS, RING_INPUTS))


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
    """Weighing is off by ``deviation`` (standard), in shares of a ring's weight."""

    def __init__(self, deviation: float, seed: int) -> None:
        chance = Random(f"{seed}/holder noise")
        self._rows = [deviation * chance.gauss(0.0, 1.0) for _ in range(_ROWS)]

    def rings(self, index: int, conversion: int) -> float:
        """Rings by which a conversion, by number, of red's (0) or black's cell is off."""
        return self._rows[(conversion * 3 + index * 487) % _ROWS]


class DisturbedSensors(Sensors):
    """The sensors of one board, disturbed by what `disturb` was given last."""

    def __init__(self, world: World, wiring: Wiring, noise: Noise) -> None:
        super().__init__(world, wiring, noise)
        self._scatter: FieldNoise | None = None
        self._drift_of_rest: RestDrift | None = None
        self._undrifted = list(self.rest)
        self._drift_due = float("inf")
        self._weighing: HolderNoise | None = None
        self._lit: LitRings | None = None
        """The ring sensors in light; None where none shines."""
        self._lit_at = 0.0
        """Time of their last scan, and what it decided; the state in which the world was laid on them."""
        self._decided = 0, 0
        self._laid: tuple[int, int] | None = None
        self._columns = [0.0] * RING_BITS
        for tube in wiring.tubes:
            for bit in wiring.ring_bits[tube]:
                self._columns[bit] = tube.column
        self._jump = 0

    def disturb(
        self,
        *,
        scatter: FieldNoise | None = None,
        drift: RestDrift | None = None,
        weighing: HolderNoise | None = None,
        light: Sequence[Light] = (),
    ) -> None:
        """Disturb the sensors from now on; what is not given is not disturbed."""
        self._scatter, self._drift_of_rest = scatter, drift
        self._weighing = weighing
        self._shine(light)
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
        restless = self._scatter is not None or self._weighing is not None or self._lit is not None
        return restless or bool(self._jump)

    def advance(self, t: float) -> None:
        """Let weak sensors flicker, and the rest drift, up to ``t`` seconds."""
        if t >= self._drift_due and self._drift_of_rest is not None:
            self._drift_due = t + DRIFT_EVERY
            self._wander(self._drift_of_rest.at(t))
            self.version += 1
        super().advance(t)

    def rings(self) -> tuple[int, int]:
        """Ring bits and unknown bits."""
        if self._lit is None:
            return super().rings()
        now = self._world.now
        scans = round((now - self._lit_at) / PERIOD)
        if scans:
            self._lay(self._lit)
            for left in range(scans, 0, -1):
                self._decided = self._lit.scan(now - left * PERIOD)
            self._lit_at = now
        return self._decided if self._overlay is None else self._overlay.rings(*self._decided)

    def _shine(self, lights: Sequence[Light]) -> None:
        """Have these lights from now on; the core has been running before."""
        if not lights:
            self._lit = None
            return
        if self._lit is None:
            self._lit = LitRings(self._world.seed, places=self._columns)
            self._lit_at = self._world.now - _WARM * PERIOD
            self._laid = None
            self.rings()
        self._lit.shine(lights)

    def _lay(self, lit: LitRings) -> None:
        world = self._world
        if self._laid == (world.covered, self.version):
            return
        self._laid = world.covered, self.version
        reflected, covered = [0.0] * RING_BITS, 0
        for place, bit in self.bit_of_place.items():
            reflected[bit] = self.counts(place) / COUNTS
            covered |= (world.covered >> place & 1) << bit
        lit.lay(reflected, covered, ~self._absent & (1 << RING_BITS) - 1)
        lit.set_thresholds(self.thresholds)

    def _signal(self, bit: int) -> RingSignal:
        told = super()._signal(bit)
        if self._lit is None or self.silent_chips >> bit // RING_INPUTS & 1:
            return told
        mean, deviation, dark = self._lit.signal(bit)
        return RingSignal(mean, deviation, told.threshold, dark)

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
        return scattered, fixed

    def _weighed(self, index: int, conversion: int, t: float) -> float:
        counts = super()._weighed(index, conversion, t)
        if self._weighing is not None:
            counts += self._weighing.rings(index, conversion) * RING_GRAMS * COUNTS_PER_GRAM
        return counts
