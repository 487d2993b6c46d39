"""Answers of the controller's real program to a change at a sensor, in exact cycles of the emulated controller.

A change is put at a chosen phase of the scan grid (a scan begins every 40 000 cycles). What counts is when the
first snapshot that shows it is on the line: the start bit of its first byte, the end of its last one's stop bit.
The current of a sensor changes at once; what its photo-transistor makes of it takes the time that the emulator
models. The program's own marks say when each scan begins and ends (firmware/avr/mark.h).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from math import gcd

from tamsk_hw.board.protocol import Decoder, Heartbeat, Message, Snapshot, encode
from tamsk_hw.board.wiring import load_wiring
from tests.emulated.process import CYCLES_PER_SECOND, Check, Emulator

WIRING = load_wiring()

#: Cycles from one scan to the next, 2.5 ms.
PERIOD = CYCLES_PER_SECOND // 400

#: Cycles that a byte takes on the line, from its start bit to the end of its stop bit.
BYTE = CYCLES_PER_SECOND // 50_000

#: What the program's marks mean (firmware/avr/mark.h).
SCAN_BEGINS, SCAN_ENDS = 1, 2

#: Currents in µA that a lit sensor gives: without a ring; with one, about the least and the most that the spread
#: of parts allows. The least is seen last, the most is forgotten last.
NO_RING, WEAK_RING, STRONG_RING = 9, 170, 550

#: Thousandths of a count by which a conversion of a ring sensor scatters (standard).
RING_NOISE = 500

#: Millivolts of a Hall sensor under an empty tube, and under a seated glass.
EMPTY, SEATED = 2500, 3800

#: Cycles before the beginning of a scan in which the board does not send: the last frame is on the host's side.
GAP = PERIOD // 16

#: Periods after which a change that no snapshot shows is given up.
PATIENCE = 10


class Kind(Enum):
    """Thing that comes or goes."""

    RING = "ring"
    FIELD = "glass"


@dataclass(frozen=True)
class Sensor:
    """A sensor, and what changes there: number of the ring sensor's bit or of the field in a snapshot."""

    kind: Kind
    number: int

    def set(self, on: bool) -> list[str]:
        """The emulator's commands for the change."""
        if self.kind is Kind.RING:
            return [f"reflect {self.number} {WEAK_RING if on else NO_RING}"]
        channel = WIRING.channels[self.number]
        return [f"field {channel.mux} {channel.address} {SEATED if on else EMPTY}"]

    def after(self, on: bool) -> list[str]:
        """The commands for what goes unseen after a change: a weak ring came, a strong one will go."""
        return [f"reflect {self.number} {STRONG_RING}"] if self.kind is Kind.RING and on else []

    def seen(self, snapshot: Snapshot) -> bool:
        """True when the snapshot shows it on."""
        if self.kind is Kind.RING:
            return bool(snapshot.rings & ~snapshot.unknown & 1 << self.number)
        return snapshot.fields[self.number] > 128 + (SEATED - EMPTY) * 64 // 2500


def rings() -> list[Sensor]:
    """All ring sensors, bank by bank."""
    return [Sensor(Kind.RING, chip * 8 + bank) for bank in range(8) for chip in range(8)]


def fields() -> list[Sensor]:
    """All fields, in the order of the rounds in which a scan converts them; chance orders those of a round."""
    places = range(len(WIRING.channels))
    return [Sensor(Kind.FIELD, place) for place in sorted(places, key=round_of)]


def round_of(place: int) -> int:
    """The round of a scan in which a field is converted, 0 to 5."""
    channel = WIRING.channels[place]
    return 2 * channel.mux + (channel.address >= 8)


@dataclass(frozen=True)
class Reaction:
    """A change and its snapshot."""

    sensor: Sensor
    on: bool
    #: cycles from the beginning of a scan to the change
    phase: int
    #: cycles from the change to the snapshot's first start bit, and to the end of its last stop bit
    first: int
    last: int


class Board:
    """An emulated board at rest: no rings, no glasses, both holders empty. Its scans are noted."""

    def __init__(self, emulator: Emulator) -> None:
        self._emulator = emulator
        self._decoder = Decoder()
        self._frame: list[tuple[int, int]] = []
        self._begun = 0
        self._last_gap = 0
        self._moved = False
        #: cycles that each whole scan took
        self.scans: list[int] = []
        #: cycles in which snapshots began on the line
        self.snapshots: list[int] = []
        #: all fault flags that snapshots showed
        self.faults = 0
        emulator.ask("reflect all 9")
        emulator.ask(f"noise ring {RING_NOISE}")
        for channel in WIRING.channels:
            emulator.ask(f"field {channel.mux} {channel.address} {EMPTY}")
        for quarter, channel in enumerate(WIRING.references, start=1):
            emulator.ask(f"field {channel.mux} {channel.address} {1250 * quarter}")
        for holder in range(len(WIRING.holders)):
            emulator.ask(f"holder {holder} 0")
        self.run(CYCLES_PER_SECOND // 2)
        self.scans.clear()

    def checks(self) -> list[Check]:
        """Faults of the firmware since the last call."""
        return self._emulator.checks()

    def send(self, data: bytes) -> None:
        """Put bytes from the host on the line."""
        self._emulator.send(data)

    def run(self, cycles: int) -> list[tuple[int, int, Message]]:
        """Let so many cycles pass: (first start bit, end of the last stop bit, message) for each frame sent."""
        return self._run_to(self._emulator.time() + cycles)

    def _run_to(self, cycle: int) -> list[tuple[int, int, Message]]:
        self._emulator.run_to(cycle)
        for at, mark in self._emulator.marks():
            if mark == SCAN_BEGINS:
                self._begun = at
            elif mark == SCAN_ENDS:
                self.scans.append(at - self._begun)
        return list(self._messages(self._emulator.sent()))

    def _messages(self, sent: list[tuple[int, int]]) -> Iterator[tuple[int, int, Message]]:
        for ended, byte in sent:
            self._frame.append((ended, byte))
            if byte == 0:
                for message in self._decoder.feed(bytes(value for _, value in self._frame)):
                    first = self._frame[0][0] - BYTE
                    if isinstance(message, Snapshot):
                        self.snapshots.append(first)
                        self.faults |= message.faults
                    yield first, ended, message
                self._frame.clear()

    def react(self, sensor: Sensor, on: bool, phase: int, *, moving: Sensor | None = None) -> Reaction:
        """Change a sensor so many cycles after a scan has begun (0 to `PERIOD` - 1), and wait for the snapshot.

        ``moving``: another sensor, which changes for every scan: a snapshot is then on the line during each, and a
        HEARTBEAT of the host comes in.
        """
        target = self._begun + PERIOD + phase
        while self._next_gap() <= target:
            self._to_next_gap(moving)
        self._run_to(target)
        changed = int(self._emulator.ask_all(sensor.set(on))[-1])
        begun = self._begun
        for _ in range(PATIENCE):
            for first, last, message in self._to_next_gap(moving):
                if isinstance(message, Snapshot) and first > changed and sensor.seen(message) is on:
                    self._put(sensor.after(on))
                    return Reaction(sensor, on, changed - begun, first - changed, last - changed)
        raise RuntimeError(f"no snapshot shows the change of {sensor}")

    def reactions(self, sensors: Sequence[Sensor], phases: int, *, moving: Sensor | None = None) -> list[Reaction]:
        """Each of so many phases, spread evenly over the scan grid, once with a change to on, once to off.

        The sensors take turns, so that with as many phases as sensors, or a multiple, each has its share of all
        phases.
        """
        # Neighbours in a scan far from each other in phase: a step that has no factor in common with the number.
        stride = next(step for step in range(round(len(sensors) * 0.38) + 1, 2000) if gcd(step, len(sensors)) == 1)
        found = []
        for place in range(phases):
            sensor, phase = sensors[place * stride % len(sensors)], place * PERIOD // phases
            found += [self.react(sensor, on, phase, moving=moving) for on in (True, False)]
        return found

    def _next_gap(self) -> int:
        """The next instant shortly before a scan begins: the frame of the one before has been sent by then."""
        gap = self._begun + PERIOD - GAP
        # A scan begins up to a few microseconds off the grid: the same gap must not come twice.
        return gap if gap > max(self._emulator.time(), self._last_gap + PERIOD // 2) else gap + PERIOD

    def _to_next_gap(self, moving: Sensor | None) -> list[tuple[int, int, Message]]:
        """Run there. Another sensor moves, and the host begins to send a HEARTBEAT that comes in with the scan."""
        self._last_gap = self._next_gap()
        messages = self._run_to(self._last_gap)
        if moving is not None:
            self._moved = not self._moved
            self._put(moving.set(self._moved))
            self.send(bytes(GAP // BYTE + 3) + encode(Heartbeat(0)))
        return messages

    def _put(self, commands: Sequence[str]) -> None:
        if commands:
            self._emulator.ask_all(commands)
