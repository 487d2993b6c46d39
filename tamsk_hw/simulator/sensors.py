"""The simulated board's sensors and their readings of the world: Hall sensors, ring sensors, load cells.

What a ring sensor's own light adds to its reading follows from its strength, the depth of its face behind the
tube's surface and from where rings lean. That was read by eye off the QRE1113's curve of collector current over
distance and shares no figure with the calculations in ``wiring/make``. Counts are those of the converter, 10 bits
at 5 V (PROTOCOL.md section 3.4). Near its threshold a sensor is unknown; how the firmware decides is not modelled.

Sensors differ from each other as real ones do, by values drawn from the world's seed: offset and gain of the
fields, weak ring sensors, zeros of load cells. Sampling is the simulation's hot path, so standing glasses are
computed once, noise comes from tables, and 38 fields are one long integer.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import sin, tau
from random import Random
from typing import Final

from tamsk_hw.board.protocol import COMMON_THRESHOLD, FIELDS, RING_BITS, RingSignal
from tamsk_hw.board.wiring import INPUTS_PER_CHIP, Wiring
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import NEIGHBOURS, PLAYERS, RINGS_EACH, TUBES, Player
from tamsk_hw.simulator.faults import BrokenPart, FaultOverlay
from tamsk_hw.simulator.glasses import between
from tamsk_hw.simulator.things import FIRST_PLACE, PLACES
from tamsk_hw.simulator.world import World

#: Recess as drawn, and the play of a ring on its tube (mm).
DRAWN: Final = 0.8
PLAY: Final = 0.6

#: Counts of a sensor's own ring: the least of a sound sensor, the usual, the most (QRE1114GR on ivory); weak ones.
RING_COUNTS: Final = (22.0, 64.0, 158.0)
WEAK_COUNTS: Final = (17.0, 19.0)

#: Share of its own ring's counts that a sensor without a ring has from next rings and its tube: the strongest has
#: at most 9 counts, 62 microamperes, with the ring below at its nearest.
STRAY_SHARE: Final = 0.024

#: Counts about the threshold within which a sensor is unknown.
UNSURE: Final = 2.0

#: Counts that a sensor reads in the dark, under a lamp that dazzles it, and where no converter answers; the mean
#: deviation of a visit.
DARK, DAZZLED, SILENT = 3, 940, 1023
DEVIATION: Final = 1.0

#: Light from a ring at these distances (mm), as a share of the most; nearer than half a millimetre emitter and
#: photo-transistor do not see the same spot.
_OF_RING: Final = (
    *((0.0, 0.0), (0.2, 0.08), (0.35, 0.35), (0.5, 0.7), (0.7, 0.92), (1.0, 1.0)),
    *((1.4, 0.72), (2.0, 0.45), (3.0, 0.22), (4.0, 0.12), (6.0, 0.05)),
)

#: The same from the ring below, by its distance from the sensor's face.
_FROM_BELOW: Final = ((0.0, 0.3), (0.2, 0.2), (0.4, 0.1), (0.7, 0.025), (1.4, 0.005), (6.0, 0.0))

#: Light from a ring that is farthest, as drawn.
_AS_MADE: Final = between(_OF_RING, DRAWN + PLAY)

#: Steps of 8 bits by which the reference build's magnet (8 × 2 mm at 5 mm) moves a DRV5055A3.
FULL_DEFLECTION = 67.0

#: Steps that a glass in a neighbouring tube adds, against its own sign: 0.12 mT.
STRAY = -0.15

#: Counts of the HX711 for one gram on the reference build's load cell.
COUNTS_PER_GRAM = 2140.0

RING_GRAMS = 2.5

#: Seconds from one conversion of a load cell to the next.
CONVERSION = 1 / 80

#: Steps between the lowest and the highest reading of a field at rest: with a smaller deadband every scan is sent.
NOISE_SPAN = 2

#: The highest that a field can be without its noise: packed fields must not overflow into each other.
_HIGHEST = 253

_FIELD_NOISE = 1021  # entries of the noise tables: primes, so that they do not beat with each other
_REFERENCE_NOISE = 61
_HOLDER_NOISE = 509

_ALL_BITS = (1 << RING_BITS) - 1

#: The ring places at the bottom of their tubes.
_LOWEST: Final = frozenset(FIRST_PLACE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """Noise of the sensors.

    ``field``: share of Hall readings that are one step off (0 … 1). ``weak_ring_sensors``: how many of the 64 see
    little light, and are unknown for 3 … 20 ms every few seconds. ``holder_counts``: standard deviation of a load
    cell's readings; ``holder_drift``: grams that its zero wanders either way within some minutes. Raises
    `ConfigError`.
    """

    field: float = 0.3
    weak_ring_sensors: int = 2
    holder_counts: float = 45.0
    holder_drift: float = 0.3

    def __post_init__(self) -> None:
        if not 0 <= self.field <= 1:
            raise ConfigError(f"noise: field: {self.field!r}; allowed are 0 to 1")
        if not 0 <= self.weak_ring_sensors <= PLACES:
            raise ConfigError(f"noise: weak_ring_sensors: {self.weak_ring_sensors!r}; allowed are 0 to {PLACES}")
        if not (0 <= self.holder_counts <= 1000 and 0 <= self.holder_drift <= 5):
            raise ConfigError("noise: holder_counts, holder_drift; allowed are 0 to 1000 counts, 0 to 5 g")


QUIET = Noise(field=0.0, weak_ring_sensors=0, holder_counts=0.0, holder_drift=0.0)
"""Sensors that differ, but do not wander: for tests that want to see one thing alone."""


@dataclass(frozen=True, slots=True)
class CalibrationValues:
    """The values that a calibration of the board would measure.

    For each of the 38 fields (tubes in board order, then the cradle), in steps: the reading at rest, and how
    far a seated glass moves it with end A down (upwards) and with end B down (downwards; both numbers are
    positive). For red's and black's holder, in counts: the reading when empty, and the counts of a ring. For
    each glass by name, and the timer, seconds from full ``(end A down, end B down)``.
    """

    rest: tuple[float, ...]
    end_a: tuple[float, ...]
    end_b: tuple[float, ...]
    holder_zero: tuple[float, float]
    holder_per_ring: tuple[float, float]
    glass_seconds: dict[str, tuple[float, float]]
    timer_seconds: tuple[float, float]


@lru_cache(maxsize=8)
def _noise_tables(
    seed: int, field: float, holder: float, fitted: frozenset[int]
) -> tuple[list[int], list[bytes], list[float]]:
    """Noise of fields, references and holders: a board is often made again, and this is most of making it."""
    table, odd = Random(f"{seed}/noise"), field / 2
    rows = ([table.random() for _ in range(FIELDS)] for _ in range(_FIELD_NOISE))
    steps = (
        bytes(place in fitted and 1 + (draw > 1 - odd) - (draw < odd) for place, draw in enumerate(row))
        for row in rows
    )
    fields = [int.from_bytes(each, "little") for each in steps]
    references = [
        bytes(level + (table.random() < odd) - (table.random() < odd) for level in (64, 128, 191))
        for _ in range(_REFERENCE_NOISE)
    ]
    return fields, references, [max(-3.0, min(3.0, table.gauss(0.0, 1.0))) * holder for _ in range(_HOLDER_NOISE)]


class Sensors:
    """The sensors of one board in one world."""

    noise_span = NOISE_SPAN
    """Steps between the lowest and the highest reading of a field at rest."""

    def __init__(self, world: World, wiring: Wiring, noise: Noise) -> None:
        self._world = world
        self._wiring = wiring
        self.noise = noise
        chance = Random(f"{world.seed}/sensors")
        #: each field's reading at rest, and by how much a standard magnet moves it, in steps
        self.rest = [128 + chance.uniform(-3.0, 3.0) for _ in range(FIELDS)]
        self.full = [FULL_DEFLECTION * chance.uniform(0.9, 1.1) for _ in range(FIELDS)]
        #: counts of its own ring, as drawn and farthest, for each ring place
        least, usual, most = RING_COUNTS
        self.ring_counts = [chance.triangular(least, most, usual) for _ in range(PLACES)]
        #: steps that a glass in the next tube adds, against its own sign
        self.stray = STRAY
        #: rings were pushed as near to their sensors as they can be; else they lie as far as they can
        self.near = False
        #: what is not as it was made, by ring place: recesses (mm), and shares of light that dust has left
        self._recess: dict[int, float] = {}
        self._left: dict[int, float] = {}
        self._shares = self._light()
        #: the bit of each ring place that has a sensor
        self.bit_of_place = {
            FIRST_PLACE[tube] + level: bit
            for tube in wiring.tubes
            for level, bit in enumerate(wiring.ring_bits[tube])
        }
        self._weak: list[int] = []
        fitted = list(self.bit_of_place)
        for place in chance.sample(fitted, min(noise.weak_ring_sensors, len(fitted))):
            self.ring_counts[place] = chance.uniform(*WEAK_COUNTS)
            self._weak.append(place)
        #: ring places whose bare sensor a lamp over the board blinds
        self.dazzled = sum(1 << place for place in range(PLACES) if chance.random() < 0.6)
        self._fitted = frozenset(wiring.fields)
        self._zero = [chance.uniform(-20000.0, 200000.0) for _ in PLAYERS]
        self._drift = [
            (noise.holder_drift * COUNTS_PER_GRAM, chance.uniform(300, 900), chance.random()) for _ in PLAYERS
        ]
        self._load = [self._loads(chance) for _ in PLAYERS]

        tables = _noise_tables(world.seed, noise.field, noise.holder_counts, self._fitted)
        self._field_noise, self._reference_noise, self._holder_noise = tables
        self._holder_now: list[tuple[int, int]] = [(-1, 0), (-1, 0)]

        #: the bits of the converters that a smaller board has not
        self._absent = _ALL_BITS & -1 << wiring.chips * INPUTS_PER_CHIP
        self._place_of_bit = {bit: place for place, bit in self.bit_of_place.items()}
        #: for each bit a threshold of its own, in counts; 0: the common one
        self.thresholds = bytearray(RING_BITS)
        self.faults: tuple[BrokenPart, ...] = ()
        self._overlay: FaultOverlay | None = None
        #: counts every change that is not the world's own (faults, thresholds, weak sensors)
        self.version = 0

        self._weak_chance = Random(f"{world.seed}/weak")
        #: ring places whose weak sensor is unknown just now
        self.missing = 0
        self._weak_change = self._weak_chance.expovariate(0.25)

        self._field_version = -1
        self._fields_standing = 0
        self._ring_key: tuple[int, int, bool, int] | None = None
        self._rings = 0
        self._unknown = 0

    @staticmethod
    def _loads(chance: Random) -> list[float]:
        """Counts for 0 … 64 rings in a holder: no two rings weigh quite the same."""
        loads, grams = [0.0], 0.0
        for _ in range(2 * RINGS_EACH):
            grams += RING_GRAMS * (1.0 + max(-0.04, min(0.04, chance.gauss(0.0, 0.02))))
            loads.append(grams * COUNTS_PER_GRAM)
        return loads

    # ---- weak sensors

    def next_change(self) -> float:
        """The next instant at which a weak sensor becomes unknown or known (infinite without weak ones)."""
        return self._weak_change if self.noise.weak_ring_sensors else float("inf")

    def advance(self, t: float) -> None:
        """Let weak sensors flicker up to ``t`` seconds."""
        if not self.noise.weak_ring_sensors:
            return
        chance = self._weak_chance
        while self._weak_change <= t:
            if self.missing:
                self.missing = 0
                self._weak_change += chance.expovariate(0.25)
            else:
                self.missing = 1 << chance.choice(self._weak)
                self._weak_change += chance.uniform(0.003, 0.02)
            self.version += 1

    # ---- faults

    def set_faults(self, faults: tuple[BrokenPart, ...]) -> None:
        """Break these parts and no others; raises `WorldError` for parts that the board does not have."""
        self._overlay = FaultOverlay(faults, self._wiring) if faults else None
        self.faults = faults
        self._recess, self._left = {}, {}
        for fault in faults:
            if fault.tube is not None and fault.kind in ("recess", "dust"):
                changed = self._recess if fault.kind == "recess" else self._left
                changed[FIRST_PLACE[fault.tube] + fault.number - 1] = fault.value
        self._shares = self._light()
        self.version += 1

    # ---- how it is built, and where rings lie

    def push_rings(self, *, near: bool) -> None:
        """Push all rings to one side of their tubes, from now on."""
        self.near = near
        self._shares = self._light()
        self.version += 1

    def of_ring(self, place: int) -> float:
        """Light from its own ring, as a share of that from one that is farthest, as drawn."""
        return self._left.get(place, 1.0) * between(_OF_RING, self._distance(place)) / _AS_MADE

    def _distance(self, place: int) -> float:
        return self._recess.get(place, DRAWN) + (0.0 if self.near else PLAY)

    def _light(self) -> list[tuple[float, float, float, float]]:
        """For each ring place the light without any ring, with the one below, with its own, and with both."""
        found = []
        for place in range(PLACES):
            left, covered = self._left.get(place, 1.0), self.of_ring(place)
            alone = STRAY_SHARE * left
            below = left * between(_FROM_BELOW, self._distance(place)) / _AS_MADE
            found.append((alone, alone + (0.0 if place in _LOWEST else below), covered, covered))
        return found

    def is_silent(self, player: Player) -> bool:
        """The load cell under the player's holder sends no readings."""
        return self._overlay is not None and player in self._overlay.silent

    # ---- readings

    def standing_level(self, field: int) -> float:
        """A field's reading in steps, without noise, rounding and moving magnets."""
        world = self._world
        level = self.rest[field]
        if field not in world.moving:
            level += world.still[field] * self.full[field]
        if field < len(TUBES):
            level += self.stray * sum(world.still[near] for near in NEIGHBOURS[field])
        return level

    def standing(self) -> int:
        """The fields without noise and moving magnets, packed as by `fields`."""
        world = self._world
        if world.field_version != self._field_version:
            self._field_version = world.field_version
            value = 0
            for field in self._fitted:
                value |= min(_HIGHEST, max(0, round(self.standing_level(field)) - 1)) << (8 * field)
            self._fields_standing = value
        return self._fields_standing

    def fields(self, t: float) -> int:
        """The fields at ``t`` without noise: 38 bytes as one little-endian integer, each one too low.

        Fields that are not fitted are 0, with noise too.
        """
        value = self.standing()
        for place, (knots, strength) in self._world.moving.items():
            if place not in self._fitted:
                continue
            still = value >> (8 * place) & 0xFF
            moved = still + round(between(knots, t) * strength * self.full[place])
            value += (min(_HIGHEST, max(0, moved)) - still) << (8 * place)
        return value

    def analog(self, fields: int, scan: int) -> tuple[bytes, bytes]:
        """Fields (from `fields`) and references with the noise of the scan of that number."""
        read, fixed = self._noisy(fields, scan)
        if self._overlay is not None and self._overlay.any_analog:
            return self._overlay.analog(read, fixed)
        return read, fixed

    def _noisy(self, fields: int, scan: int) -> tuple[bytes, bytes]:
        """Fields and references with noise, before faults."""
        read = (fields + self._field_noise[scan % _FIELD_NOISE]).to_bytes(FIELDS, "little")
        return read, self._reference_noise[scan % _REFERENCE_NOISE]

    def rings(self) -> tuple[int, int]:
        """Ring bits and unknown bits, in a scan that ends now; an unknown sensor keeps its ring bit."""
        world = self._world
        key = (world.covered, self.missing, world.lamp_on, self.version)
        if key != self._ring_key:
            self._ring_key = key
            unknown, seen = self._absent, 0
            for bit, place in self._place_of_bit.items():
                beyond = self.counts(place) - (self.thresholds[bit] or COMMON_THRESHOLD + DARK / 64)
                flickers = self.missing & self._world.covered & 1 << place
                if abs(beyond) < UNSURE or self._is_dazzled(place) or flickers:
                    unknown |= 1 << bit
                elif beyond > 0:
                    seen |= 1 << bit
            if self._overlay is not None:
                seen, unknown = self._overlay.rings(seen, unknown)
            self._rings = seen & ~unknown | self._rings & unknown & ~self._absent
            self._unknown = unknown
        return self._rings, self._unknown

    def signals(self, chip: int) -> tuple[RingSignal, ...]:
        """The signals of a converter's eight sensors now."""
        bits = range(chip * INPUTS_PER_CHIP, (chip + 1) * INPUTS_PER_CHIP)
        if self.silent_chips >> chip & 1:
            return tuple(RingSignal(0, 255, self.thresholds[bit], SILENT // 4) for bit in bits)
        return tuple(map(self._signal, bits))

    @property
    def silent_chips(self) -> int:
        """A bit for each converter that does not answer."""
        absent = self._absent.to_bytes(RING_BITS // INPUTS_PER_CHIP, "little")
        silent = self._overlay.silent_chips if self._overlay is not None else set()
        return sum(1 << chip for chip, bits in enumerate(absent) if bits or chip in silent)

    def _signal(self, bit: int) -> RingSignal:
        place = self._place_of_bit.get(bit)
        if place is None:  # a spare input, tied to ground
            return RingSignal(0, 0, self.thresholds[bit], 0)
        counts, dark = self.counts(place), DAZZLED if self._is_dazzled(place) else DARK
        if self._overlay is not None:
            counts = self._overlay.counts(bit, counts)
        return RingSignal(round(16 * counts), round(8 * DEVIATION), self.thresholds[bit], dark // 4)

    def _is_dazzled(self, place: int) -> bool:
        """A lamp shines on a bare sensor so that it cannot be read."""
        world = self._world
        return world.lamp_on and bool(self.dazzled & ~world.covered & 1 << place)

    def counts(self, place: int) -> float:
        """The signal of a ring place's sensor, in counts: of its ring, or of the one below and what strays."""
        return self.ring_counts[place] * self._shares[place][self._world.covered << 1 >> place & 3]

    def holder(self, index: int, t: float) -> int:
        """The reading of red's (0) or black's (1) load cell at ``t``, in counts: that of its last conversion."""
        player = PLAYERS[index]
        conversion = int((t + index * 0.005) / CONVERSION)
        last, reading = self._holder_now[index]
        if conversion == last or self.is_silent(player):
            return reading
        reading = round(self._weighed(index, conversion, t))
        self._holder_now[index] = (conversion, reading)
        return reading

    def _weighed(self, index: int, conversion: int, t: float) -> float:
        """Counts of the conversion of that number, under way at ``t``, with noise."""
        at = conversion * CONVERSION - index * 0.005
        return self.load(index, at) + self._holder_noise[(conversion * 7 + index * 251) % _HOLDER_NOISE]

    def load(self, index: int, t: float) -> float:
        """The load on red's (0) or black's (1) load cell at ``t``, in counts, without noise."""
        player = PLAYERS[index]
        rings = self._world.holders[player].load_at(t)
        whole = int(rings)
        loads = self._load[index]
        counts = loads[whole]
        if rings > whole:
            counts += (loads[whole + 1] - counts) * (rings - whole)
        drift, period, phase = self._drift[index]
        until, grams = self._world.holders[player].swing
        left = max(0.0, until - t)
        #: counts by which a knock moves it, dying away
        swinging = grams * COUNTS_PER_GRAM * min(1.0, left * 10) * sin(tau * left * 23)
        return self._zero[index] + counts + drift * sin(tau * (t / period + phase)) + swinging

    # ---- truth for tests and services

    def calibration_values(self) -> CalibrationValues:
        """The values that a calibration would measure: one red glass in every tube, with small errors."""
        world, walk = self._world, Random(f"{self._world.seed}/calibration")
        glass = walk.randrange(len(world.glasses))
        end_a, end_b, rest = [], [], []
        for place in range(FIELDS):
            a, b = (world.glasses[glass] if place < len(TUBES) else world.timer).magnets
            rest.append(self.rest[place] + walk.uniform(-0.3, 0.3))
            end_a.append(self.full[place] * a * walk.uniform(0.975, 1.0))
            end_b.append(self.full[place] * b * walk.uniform(0.975, 1.0))
        zero = [self._zero[index] + walk.gauss(0.0, 30.0) for index in range(len(PLAYERS))]
        per_ring = [self._load[index][RINGS_EACH] / RINGS_EACH for index in range(len(PLAYERS))]
        return CalibrationValues(
            rest=tuple(rest),
            end_a=tuple(end_a),
            end_b=tuple(end_b),
            holder_zero=(zero[0], zero[1]),
            holder_per_ring=(per_ring[0], per_ring[1]),
            glass_seconds={each.name: each.seconds for each in world.glasses},
            timer_seconds=world.timer.seconds,
        )
