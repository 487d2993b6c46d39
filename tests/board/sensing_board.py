"""A board on the bench for the tests of sensing: what stands where, as the sensors would read it.

Its physics are the table of docs/design.md, Glasses, written down here a second time, apart from the code
under test.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache
from itertools import pairwise
from typing import Any, Generic, TypeVar

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.protocol.messages import Snapshot
from tamsk_hw.board.sensing import Sensing, SensingSettings
from tamsk_hw.game.players import End
from tamsk_hw.game.tubes import CAPACITY, TUBES, Tube
from tamsk_hw.referee.events import Event
from tamsk_hw.words.faults import as_event

#: Share of the seated field when lifted by so many millimetres.
LIFTED = {0: 1.0, 1: 0.70, 2: 0.50, 3: 0.36, 4.5: 0.24, 9: 0.08, 18: 0.02, 40: 0.0}

#: Share of the seated field when leaning on the cap's edge by so many degrees.
LEANING = {3: 0.80, 5: 0.69, 8: 0.56, 10: 0.49, 20: 0.26}

TIMER = 37

Read = TypeVar("Read")


def share_at(height: float) -> float:
    """Share of the seated field at a height in millimetres."""
    for (low, upper), (high, lower) in pairwise(LIFTED.items()):
        if low <= height <= high:
            return upper + (lower - upper) * (height - low) / (high - low)
    return 0.0


def chain_bits() -> tuple[tuple[int, ...], ...]:
    """A chain in no simple order: level and tube do not follow from the bit's number."""
    numbers = iter(random.Random(7).sample(range(64), 64))
    return tuple(tuple(next(numbers) for _ in range(capacity)) for capacity in CAPACITY)


#: A reading as the converter gives it, by its value with noise; negative places count from the list's end.
CLIPPED = [*range(256), *[255] * 512, *[0] * 512]


#: Places in a list of strays at which the fields of a snapshot may begin.
STRAYS = 4096


@cache
def strays(noise: int) -> list[int]:
    """Steps by which readings stray, evenly from ``-noise`` to ``noise``; read from any of `STRAYS` places on."""
    return random.Random(noise).choices(range(-noise, noise + 1), k=STRAYS + 38)


class Unchanged(Generic[Read]):
    """Reads a list of a board's state again only when it has changed: most snapshots are of a still board."""

    def __init__(self, read: Callable[[list[Any]], Read]) -> None:
        self._read = read
        self._of: list[Any] | None = None
        self._value: Read

    def __call__(self, state: list[Any]) -> Read:
        if state != self._of:
            self._of = list(state)
            self._value = self._read(state)
        return self._value


class Board:
    """Feeds snapshots of a board to a `Sensing` and keeps the events."""

    def __init__(
        self,
        *,
        calibration: Calibration | None = None,
        settings: SensingSettings | None = None,
        holders: bool = False,
        field_mux: tuple[int, ...] | None = None,
        noise: int = 2,
        seed: int = 1,
    ) -> None:
        self.bits = chain_bits()
        self.calibration = calibration or Calibration.nominal()
        self.sensing = Sensing(
            self.bits, self.calibration, settings or SensingSettings(), holders, field_mux=field_mux
        )
        self.t = 0.0
        self.noise = noise
        self.random = random.Random(seed)
        self.events: list[Event] = []
        self.shares = [0.0] * 38
        self.readings: dict[int, int] = {}
        self.patterns = [0] * 37
        self.dark: set[int] = set()
        self.references = [64, 128, 191]
        self.weights = [0.0, 0.0]
        self.flags = 0
        self.period = 0.0025
        self._without_noise = Unchanged(self._read_without_noise)
        self._lit = Unchanged(self._rings_of)

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
        self.dark.add(self.bits[tube][level - 1])

    # Time.

    def snapshot(self) -> Snapshot:
        """What the sensors read now."""
        still = self._without_noise(self.shares)
        first = self.random.randrange(STRAYS)
        noise = strays(self.noise)[first : first + len(still)]
        fields = [CLIPPED[reading + stray] for reading, stray in zip(still, noise, strict=True)]
        for index, reading in self.readings.items():
            fields[index] = min(255, max(0, round(reading)))
        dark = sum(1 << bit for bit in self.dark)
        rings = self._lit(self.patterns) | dark
        stray = self.random.choices((-1, 0, 1), k=len(self.references))
        references = bytes(r if r in (0, 255) else r + s for r, s in zip(self.references, stray, strict=True))
        holders = [round(weight + self.random.gauss(0, 45)) for weight in self.weights]
        return Snapshot(
            seq=0,
            time=round(self.t * 1e6) % 2**32,
            rings=rings,
            dark=dark,
            fields=bytes(fields),
            references=references,
            holders=(holders[0], holders[1]),
            faults=self.flags,
        )

    def _read_without_noise(self, shares: list[float]) -> list[int]:
        return [
            round(field.rest + share * (field.end_a if share > 0 else field.end_b))
            for field, share in zip(self.calibration.fields, shares, strict=True)
        ]

    def _rings_of(self, patterns: list[int]) -> int:
        return sum(
            (patterns[tube] >> level & 1) << bit for tube in TUBES for level, bit in enumerate(self.bits[tube])
        )

    def feed(self) -> list[Event]:
        """One snapshot now."""
        events = [as_event(each) for each in self.sensing.feed(self.snapshot(), self.t)]
        self.events += events
        return events

    def run(self, seconds: float) -> list[Event]:
        """Snapshots for so long; the events of that time."""
        events = []
        for _ in range(max(1, round(seconds / self.period))):
            self.t += self.period
            events += self.feed()
        return events

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


def standing_board(**options: object) -> Board:
    """A board with the six glasses of a start (R1.3), end A down, and the timer, end B down; already reported."""
    board = Board(**options)  # type: ignore[arg-type]
    for tube in (Tube.D1, Tube.G4, Tube.A4, Tube.G1, Tube.D7, Tube.A1):
        board.stand(tube)
    board.stand(TIMER, End.B)
    board.run(0.4)
    board.events.clear()
    return board
