"""A board on the bench for the tests of sensing: what stands where, as the sensors would read it.

Its physics are the table of docs/design.md, Glasses, written down here a second time, apart from the code
under test.
"""

import random
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from functools import cache
from itertools import pairwise

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.protocol import RingSignal, RingSignals, Snapshot
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.wiring import Channel, Wiring, load_wiring
from tamsk_hw.game.tubes import CAPACITY, TUBES, End, Tube
from tamsk_hw.referee.events import Event, Fault, Holder, Lift, Link, Rings, Seat, Tilt, TimerLifted, TimerSeated

#: Share of the seated field when lifted by so many millimetres.
LIFTED = {0: 1.0, 1: 0.70, 2: 0.50, 3: 0.36, 4.5: 0.24, 9: 0.08, 18: 0.02, 40: 0.0}

#: Share of the seated field when leaning on the cap's edge by so many degrees.
LEANING = {3: 0.80, 5: 0.69, 8: 0.56, 10: 0.49, 20: 0.26}

TIMER = 37

#: Seconds after which a ring that is due counts.
RING_DWELL = 0.060

#: The tubes of a start (R1.3).
STANDING = (Tube.D1, Tube.G4, Tube.A4, Tube.G1, Tube.D7, Tube.A1)


def share_at(height: float) -> float:
    """Share of the seated field at a height in millimetres."""
    for (low, upper), (high, lower) in pairwise(LIFTED.items()):
        if low <= height <= high:
            return upper + (lower - upper) * (height - low) / (high - low)
    return 0.0


def ring_bits() -> tuple[tuple[int, ...], ...]:
    """Ring sensors in no simple order: level and tube do not follow from the bit's number."""
    numbers = iter(random.Random(7).sample(range(64), 64))
    return tuple(tuple(next(numbers) for _ in range(capacity)) for capacity in CAPACITY)


#: The reference board's map, read once.
reference_wiring = cache(load_wiring)


def wired(
    bits: Sequence[Sequence[int]], field_mux: Sequence[int] | None = None, reference_mux: Sequence[int] = (0, 1, 2)
) -> Wiring:
    """The reference board's map, with other ring bits and multiplexers."""
    wiring = reference_wiring()
    return replace(
        wiring,
        ring_bits=tuple(map(tuple, bits)),
        channels=wiring.channels if field_mux is None else tuple(Channel(mux, 0) for mux in field_mux),
        references=tuple(Channel(mux, 0) for mux in reference_mux),
    )


#: Fields of a board.
FIELDS = 38

#: Each snapshot has one of so many draws of noise.
DRAWS = 256

#: By how much the load cells stray in each draw, of their standard deviation.
WEIGHT_STRAYS = [random.Random(f"weight/{draw}").gauss(0, 1) for draw in range(DRAWS)]


@cache
def strays(noise: int, draw: int) -> list[int]:
    """The steps by which each field strays in a draw, evenly from ``-noise`` to ``noise``."""
    return random.Random(f"{noise}/{draw}").choices(range(-noise, noise + 1), k=FIELDS)


class Board:
    """Feeds snapshots of a board to a `Sensing` and keeps the events."""

    def __init__(
        self,
        *,
        calibration: Calibration | None = None,
        settings: SensingSettings | None = None,
        holders: bool = False,
        noise: int = 2,
        seed: int = 1,
    ) -> None:
        self.bits = ring_bits()
        self.calibration = calibration or Calibration()
        self.sensing = Sensing(wired(self.bits), self.calibration, settings or SensingSettings(), holders)
        self.t = 0.0
        self.noise = noise
        self.random = random.Random(seed)
        self.events: list[Event] = []
        self.shares = [0.0] * 38
        self.readings: dict[int, int] = {}
        self.patterns = [0] * 37
        self.unknown: set[int] = set()
        """Bits of the sensors of which nothing is known, ``bright`` by light from outside."""
        self.bright = True
        self.silent: set[int] = set()
        """Converters that do not answer."""
        self.counts: dict[int, float] = {}
        """Signals of ring sensors, by bit, that are not the usual ones."""
        self.thresholds: dict[int, int] = {}
        """Thresholds of their own."""
        #: By how many steps each field's rest lies above the calibrated one.
        self.drift = [0.0] * FIELDS
        self.references = [64, 128, 191]
        self.weights = [0.0, 0.0]
        self.weight_noise = 45.0
        self.flags = 0
        self.period = 0.0025
        # What a board that has not changed since the last snapshot read then, by draw.
        self._still: tuple[list[float], dict[int, int], list[float]] = ([], {}, [])
        self._without_noise: list[int] = []
        self._still_fields: dict[int, bytes] = {}
        self._still_patterns: list[int] = []
        self._still_rings = self._decided = self._signals = 0

    # The world.

    def stand(self, tube: int, end: End = End.A, share: float = 1.0) -> None:
        """A glass with this share of a seated one's field."""
        self.shares[tube] = share if end is End.A else -share

    def clear(self, tube: int) -> None:
        """Nothing there."""
        self.shares[tube] = 0.0

    def rings(self, tube: Tube, count: int) -> None:
        """So many rings from the bottom."""
        self.patterns[tube] = (1 << count) - 1

    def light(self, tube: Tube, level: int) -> None:
        """Light from outside falls on a level (1 is the bottom)."""
        self.unknown.add(self.bits[tube][level - 1])

    # Time.

    def snapshot(self) -> Snapshot:
        """Readings of the sensors now."""
        draw = self.random.randrange(DRAWS)
        unknown = sum(1 << bit for bit in self.unknown) | sum(0xFF << 8 * chip for chip in self.silent)
        self._decided = self._rings() & ~unknown | self._decided & unknown
        stray = strays(1, draw)
        return Snapshot(
            seq=0,
            time=round(self.t * 1e6) % 2**32,
            rings=self._decided,
            unknown=unknown,
            fields=self._fields(draw),
            references=bytes(r if r in (0, 255) else r + s for r, s in zip(self.references, stray, strict=False)),
            holders=(
                round(self.weights[0] + self.weight_noise * WEIGHT_STRAYS[draw]),
                round(self.weights[1] + self.weight_noise * WEIGHT_STRAYS[draw - 1]),
            ),
            faults=self.flags,
        )

    def _fields(self, draw: int) -> bytes:
        if (self.shares, self.readings, self.drift) != self._still:
            self._still = (list(self.shares), dict(self.readings), list(self.drift))
            self._without_noise = [
                round(field.rest + drift + share * (field.end_a if share > 0 else field.end_b))
                for field, share, drift in zip(self.calibration.fields, self.shares, self.drift, strict=True)
            ]
            self._still_fields = {}
        if draw not in self._still_fields:
            noisy = [
                min(255, max(0, reading + stray))
                for reading, stray in zip(self._without_noise, strays(self.noise, draw), strict=True)
            ]
            for index, reading in self.readings.items():
                noisy[index] = min(255, max(0, round(reading)))
            self._still_fields[draw] = bytes(noisy)
        return self._still_fields[draw]

    def _rings(self) -> int:
        if self.patterns != self._still_patterns:
            self._still_patterns = list(self.patterns)
            self._still_rings = sum(
                (self.patterns[tube] >> level & 1) << bit
                for tube in TUBES
                for level, bit in enumerate(self.bits[tube])
            )
        return self._still_rings

    def signals(self, chip: int) -> RingSignals:
        """How clearly a converter's sensors see now: light that is too bright reads 940 counts, none 12."""
        found, rings = [], self._rings()
        for bit in range(8 * chip, 8 * chip + 8):
            counts = self.counts.get(bit, 64 if rings >> bit & 1 else 3)
            dark = 255 if chip in self.silent else 235 if bit in self.unknown and self.bright else 3
            found.append(RingSignal(round(16 * counts), 8, self.thresholds.get(bit, 32), dark))
        return RingSignals(0, chip, tuple(found))

    def feed(self) -> list[Event]:
        """One snapshot now; eight times a second the signals of the next converter before it."""
        if self.t * 8 >= self._signals:
            self.sensing.take_signals(self.signals(self._signals % 8))
            self._signals += 1
        events = self.sensing.feed(self.snapshot(), self.t)
        self.events += events
        return events

    def run(self, seconds: float) -> list[Event]:
        """Snapshots for so long; the events of that time."""
        events = []
        for _ in range(max(1, round(seconds / self.period))):
            self.t += self.period
            events += self.feed()
        return events

    def run_until_told(self, events: int = 1) -> None:
        """Feed snapshots until there are ``events`` events in all."""
        begin = self.t
        while len(self.events) < events:
            assert self.t < begin + 5.0, "nothing is told"
            self.run(self.period)

    def raise_glass(self, tube: int, end: End, seconds: float, *, down: bool = False) -> list[Event]:
        """A hand moves a glass straight up 40 mm out of a tube, or down into it, at an even speed."""
        steps = max(1, round(seconds / self.period))
        events = []
        for step in range(1, steps + 1):
            way = step / steps
            self.stand(tube, end, share_at(40 * (1 - way if down else way)))
            self.t += self.period
            events += self.feed()
        return events


def told(events: Iterable[Event]) -> list[str]:
    """Each event in a few words, without its time: ``seat D1 B``, ``rings D4 2``, ``ring D4.2 bad``."""
    return [_words(event) for event in events]


def _words(event: Event) -> str:
    match event:
        case Seat(_, tube, end):
            return f"seat {tube} {end.value}"
        case Lift(_, tube):
            return f"lift {tube}"
        case Tilt(_, tube):
            return f"tilt {tube}"
        case Rings(_, tube, count):
            return f"rings {tube} {count}"
        case Holder(_, player, count):
            return f"holder {player} {count}"
        case TimerSeated(_, end):
            return f"timer {end.value}"
        case TimerLifted():
            return "timer lifted"
        case Fault(_, sensor, _, cleared):
            return f"{sensor.name} {'well' if cleared else 'bad'}"
        case Link(_, state):
            return f"link {state.value}"
        case _:
            raise AssertionError(event)


def unread_of(events: Iterable[Event]) -> list[tuple[str, set[Tube]]]:
    """The sensor of each fault, and the tubes whose rings cannot be read for it."""
    return [(event.sensor.name, set(event.unread)) for event in events if isinstance(event, Fault)]


def play(board: Board, *steps: float | Callable[[Board], object]) -> list[str]:
    """Take the steps in turn, calls or seconds that pass; the board's events since it was set up, as `told`."""
    for step in steps:
        if isinstance(step, float):
            board.run(step)
        else:
            step(board)
    return told(board.events)


def stand(tube: int, share: float = 1.0, end: End = End.A) -> Callable[[Board], None]:
    return lambda board: board.stand(tube, end, share)


def clear(tube: int) -> Callable[[Board], None]:
    return lambda board: board.clear(tube)


def standing_board(**options: object) -> Board:
    """A board with the six glasses of a start (R1.3), end A down, and the timer, end B down; already reported."""
    return _standing(Board(**options), STANDING)  # type: ignore[arg-type]


def standing_on(wiring: Wiring, *tubes: Tube) -> Board:
    """A board of this map with a glass in each of these tubes, end A down, and the timer; already reported."""
    board = Board()
    board.bits = wiring.ring_bits
    board.sensing = Sensing(wiring, board.calibration, SensingSettings())
    return _standing(board, tubes)


def _standing(board: Board, tubes: Iterable[int]) -> Board:
    """The board with glasses in these tubes, end A down, and the timer, end B down; already reported."""
    for tube in tubes:
        board.stand(tube)
    board.stand(TIMER, End.B)
    board.run(0.4)
    board.events.clear()
    return board
