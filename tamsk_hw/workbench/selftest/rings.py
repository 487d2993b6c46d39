"""Self-test of the ring sensors: dark on the empty board, a light sweep, then a finger or a ring over each."""

from __future__ import annotations

from typing import Final

from tamsk_hw.board.protocol import (
    RING_BITS,
    SELF_TEST_DARK,
    SELF_TEST_LIGHT_TIMES,
    FaultFlag,
    SelfTestReport,
    Snapshot,
)
from tamsk_hw.board.wiring import INPUTS_PER_CHIP, bank_of
from tamsk_hw.facts.findings import Finding
from tamsk_hw.facts.selftest_findings import (
    ChipsCut,
    Part,
    RingFault,
    RingSensorsFinding,
    RingSensorsMissed,
    RingSensorsSound,
    SharedBy,
    SweepUnanswered,
)
from tamsk_hw.facts.severity import Severity
from tamsk_hw.referee.events import SensorId
from tamsk_hw.words.hardware import place_words
from tamsk_hw.workbench.readings import gaps, ring_code, ring_sensors
from tamsk_hw.workbench.selftest.live import LivePhase, LiveStep
from tamsk_hw.workbench.selftest.step import Bench
from tamsk_hw.workbench.walk.prompt import Mark, Marks

#: Seconds for which a sensor must see its ring before it is ticked off: longer than a flicker.
HOLD: Final = 0.03

#: Seconds that the board's self-test may take (PROTOCOL.md section 5.3 allows 0.1), and tries.
SWEEP_WITHIN: Final = 1.0
SWEEPS: Final = 2

#: Seconds from one sweep to the next while sensors are tried: they measure the light that each needs.
SWEEP_EVERY: Final = 1.0


class RingsStep(LiveStep):
    """Inside, sensors go by their chain bit."""

    part = Part.RINGS
    TITLE = "Ring sensors"
    EMPTY_IT = "Take every ring off the board, keep hands away, switch lamps over it off."
    TRY_THEM = (
        "Hold a finger or a ring to each sensor, in any order. What is seen is ticked off. Take as "
        "much time, and as many of them, as you like."
    )
    WERE_TRIED = "Did you hold something to each of these?"
    NOTHING_CAME = "they see nothing"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._bits = {tube: bench.wiring.ring_bits[tube] for tube in bench.wiring.tubes}
        self._sensors = ring_sensors(bench.wiring)
        self._always = (1 << RING_BITS) - 1
        self._ever = 0
        self._dark = 0
        self._always_dark = (1 << RING_BITS) - 1
        self._resting: Snapshot | None = None
        self._sweeps = 0
        self._sweep_due = False
        self._swept = False
        self._swept_at = 0.0
        self._early: dict[int, int] = {}
        """The light times at which bits saw a ring on the empty board."""
        self._best: dict[int, int] = {}
        """The shortest light time that saw each ring."""
        self._since: dict[int, float] = {}
        self._seen: set[int] = set()
        self._wrong: set[int] = set()
        self._last_bit: int | None = None

    # ---- phases

    def rest(self, snapshot: Snapshot) -> None:
        """Gather what the sensors see on the board at rest."""
        if snapshot.faults & FaultFlag.SELF_TEST:
            return
        self._resting = snapshot
        self._always &= snapshot.rings
        self._ever |= snapshot.rings
        self._dark |= snapshot.dark
        self._always_dark &= snapshot.dark

    def rested(self, t: float) -> None:
        """Go on to the sweep."""
        self.enter(LivePhase.SWEEP, t)
        self._sweep(t)

    def _sweep(self, t: float) -> None:
        self._sweeps += 1
        self._swept_at = t
        self._sweep_due = True

    def self_test_due(self, t: float) -> bool:
        """True when the board is to test its ring sensors now; asked for once."""
        due, self._sweep_due = self._sweep_due, False
        return due

    def report(self, report: SelfTestReport, t: float) -> None:
        """Take the result of the board's sweep of the light time."""
        times = {bit: time for bit, time in enumerate(report.shortest) if time in SELF_TEST_LIGHT_TIMES}
        if self.phase is LivePhase.SWEEP:
            self._swept = True
            self._dark |= sum(1 << bit for bit, time in enumerate(report.shortest) if time == SELF_TEST_DARK)
            self._early = times
            if self.bench.hands:
                self.enter(LivePhase.TRY, t)
                self.over = not self.missing()
            else:
                self.over = True
        for bit, time in times.items():
            self._best[bit] = min(time, self._best.get(bit, time))

    def try_out(self, snapshot: Snapshot, t: float) -> None:
        """Tick off a sensor that has seen a ring for `HOLD` seconds."""
        if snapshot.faults & FaultFlag.SELF_TEST:
            return
        lit = snapshot.rings & ~snapshot.dark
        for bit in self._sensors:
            if not lit >> bit & 1 or self._is_bad(bit):
                self._since.pop(bit, None)
            elif t - self._since.setdefault(bit, t) >= HOLD and bit not in self._seen:
                self._seen.add(bit)
                self._last_bit, self.last, self.since = bit, place_words(self._sensors[bit]), t

    def advance(self, t: float) -> None:
        """Repeat a sweep that was not answered; sweep again and again while sensors are tried."""
        super().advance(t)
        if self.over:
            return
        if self.phase is LivePhase.SWEEP and t >= self._swept_at + SWEEP_WITHIN:
            if self._sweeps < SWEEPS:
                self._sweep(t)
            elif self.bench.hands:
                self.enter(LivePhase.TRY, t)
            else:
                self.over = True
        elif self.phase is LivePhase.TRY and t >= self._swept_at + SWEEP_EVERY:
            self._sweep(t)

    def not_mine(self) -> None:
        """Mark the sensor that was ticked off last as wrong: the finger is over another."""
        if self._last_bit is not None:
            self._wrong.add(self._last_bit)
            self._seen.discard(self._last_bit)

    def _is_bad(self, bit: int) -> bool:
        return bool((self._always | self._dark) >> bit & 1) or bit in self._wrong

    def _missing_bits(self) -> list[int]:
        return [bit for bit in self._sensors if bit not in self._seen and not self._is_bad(bit)]

    def missing(self) -> list[str]:
        """The sensors that have seen nothing yet, in the tubes' order."""
        missing = set(self._missing_bits())
        return [place_words(self._sensors[bit]) for bit in self._in_board_order() if bit in missing]

    # ---- shown

    def marks(self) -> Marks:
        """Each tube's sensors, from the bottom up."""
        return {tube.name: tuple(self._mark(bit) for bit in bits) for tube, bits in self._bits.items()}

    def progress(self) -> str:
        """The number of sensors that have seen something."""
        return f"{len(self._seen)} of {len(self._sensors)} seen"

    def _mark(self, bit: int) -> Mark:
        if self._is_bad(bit):
            return Mark.BAD
        if bit in self._since and self.phase is LivePhase.TRY:
            return Mark.NOW
        return Mark.GOOD if bit in self._seen else Mark.WAITING

    # ---- found

    def findings(self) -> list[Finding]:
        """Findings on the board at rest, then on the sensors that were tried."""
        found = self.unfinished()
        if self.phase is LivePhase.EMPTY or self.snapshots == 0:
            return found
        chips = self._cut_chips()
        if chips:
            found.append(ChipsCut(chips[0], chips[-1]))
        sound = [bit for bit in self._in_board_order() if bit // INPUTS_PER_CHIP not in chips]
        dazzled = [bit for bit in sound if self._dark >> bit & 1]
        found += self._with(RingFault.DAZZLED, Severity.WARNING, dazzled)
        sound = [bit for bit in sound if bit not in dazzled]
        found += self._standing(sound) if self.bench.hands else self._whatever_stands(sound)
        if self.phase is not LivePhase.REST and not self._swept:
            found.append(SweepUnanswered())
        # The light that each sensor needs, compared with the light that the game gives.
        swept = [bit for bit in sound if bit in self._best and bit not in self._unsure()]
        given = self._given
        found += self._with(RingFault.BLIND, Severity.PROBLEM, [bit for bit in swept if self._best[bit] > given])
        found += self._with(RingFault.WEAK, Severity.WARNING, [bit for bit in swept if self._best[bit] == given])
        found += self._tried()
        if not found:
            rings = None if self.bench.hands else sum(self._always >> bit & 1 for bit in self._sensors)
            found.append(RingSensorsSound(len(self._sensors), rings))
        return found

    def _with(self, fault: RingFault, severity: Severity, bits: list[int]) -> list[Finding]:
        """The finding that these sensors have this fault; none for no sensors."""
        return [RingSensorsFinding(fault, severity, self._named(bits), self._given)] if bits else []

    @property
    def _given(self) -> int:
        """The light (µs) that a game gives: a sensor that needs as much has little margin."""
        return self.bench.known.light_time

    def _named(self, bits: list[int]) -> tuple[SensorId, ...]:
        return tuple(self._sensors[bit] for bit in bits)

    def _unsure(self) -> frozenset[int]:
        """Bits whose sweep proves nothing, since they see rings that are not there."""
        return frozenset(self._early) | self._wrong if self.bench.hands else frozenset()

    def _cut_chips(self) -> list[int]:
        """The chips at the end of the chain whose inputs all read ones, lit and dark."""
        read = (self._always & self._always_dark).to_bytes(RING_BITS // INPUTS_PER_CHIP, "little")
        stuck = read[: self.bench.wiring.chips]
        first = len(stuck)
        while first and stuck[first - 1] == 0xFF:
            first -= 1
        return list(range(first, len(stuck)))

    def _standing(self, sound: list[int]) -> list[Finding]:
        """Findings on sensors that see rings on the empty board."""
        early = [bit for bit in sound if bit in self._early and not self._ever >> bit & 1]
        return [
            *self._with(RingFault.STUCK, Severity.PROBLEM, [bit for bit in sound if self._always >> bit & 1]),
            *self._with(RingFault.UNSTEADY_EMPTY, Severity.WARNING, self._unsteady(sound)),
            *self._with(RingFault.REFLECTING, Severity.WARNING, early),
        ]

    def _whatever_stands(self, sound: list[int]) -> list[Finding]:
        """Findings that hold whatever lies on the board: gaps and unsteady sensors."""
        snapshot = self._resting
        if snapshot is None:
            return []
        below = [
            bits[level]
            for tube, bits in self._bits.items()
            if all(bit in sound for bit in bits)
            for level in gaps(ring_code(snapshot, self.bench.wiring, tube))
        ]
        return [
            *self._with(RingFault.GAP, Severity.PROBLEM, below),
            *self._with(RingFault.UNSTEADY, Severity.WARNING, self._unsteady(sound)),
        ]

    def _unsteady(self, bits: list[int]) -> list[int]:
        return [bit for bit in bits if (self._ever & ~self._always) >> bit & 1]

    def _tried(self) -> list[Finding]:
        """Findings on the sensors that the person tried."""
        wrong = [bit for bit in self._in_board_order() if bit in self._wrong]
        found = self._with(RingFault.SWAPPED, Severity.PROBLEM, wrong)
        missed = set(self._missing_bits())
        missing = [bit for bit in self._in_board_order() if bit in missed]
        if not missing or not self._seen or (not self.tried_missing and self.left is not None):
            return found
        shared, number = _shared(missing, list(self._sensors)) if self.tried_missing else (None, 0)
        severity = Severity.PROBLEM if self.tried_missing else Severity.WARNING
        sensors, seen, fitted = self._named(missing), len(self._seen), len(self._sensors)
        return [*found, RingSensorsMissed(severity, sensors, seen, fitted, shared, number)]

    def _in_board_order(self) -> list[int]:
        return [bit for bits in self._bits.values() for bit in bits]


def _shared(missing: list[int], fitted: list[int]) -> tuple[SharedBy, int]:
    """The bank or chip that the ``missing`` of the ``fitted`` bits share, and its number."""
    banks = {bank_of(bit) for bit in missing}
    chips = {bit // INPUTS_PER_CHIP for bit in missing}
    if len(missing) == len(fitted):
        return SharedBy.ALL, 0
    if len(banks) == 1 and len(missing) == sum(bank_of(bit) in banks for bit in fitted):
        return SharedBy.BANK, min(banks)
    if len(chips) == 1 and len(missing) == sum(bit // INPUTS_PER_CHIP in chips for bit in fitted):
        return SharedBy.CHIP, min(chips)
    return SharedBy.NOTHING, 0
