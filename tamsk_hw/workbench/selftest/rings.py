"""Self-test of the ring sensors: dark on the empty board, a light sweep, then a finger or a ring over each."""

from __future__ import annotations

from typing import Final

from tamsk_hw.board.protocol.messages import (
    RING_BITS,
    SELF_TEST_DARK,
    SELF_TEST_LIGHT_TIMES,
    FaultFlag,
    SelfTestReport,
    Settings,
    Snapshot,
)
from tamsk_hw.board.wiring import INPUTS_PER_CHIP, bank_of
from tamsk_hw.workbench.doctor.checks import Finding
from tamsk_hw.workbench.readings import gaps, ring_code
from tamsk_hw.workbench.selftest.live import LivePhase, LiveStep
from tamsk_hw.workbench.selftest.step import Bench, Part, listed, ok, problem, warning
from tamsk_hw.workbench.walk.prompt import Mark, Marks

#: Seconds for which a sensor must see its ring before it is ticked off: longer than a flicker.
HOLD: Final = 0.03

#: Seconds that the board's self-test may take (PROTOCOL.md section 5.3 allows 0.1), and tries.
SWEEP_WITHIN: Final = 1.0
SWEEPS: Final = 2

#: Seconds from one sweep to the next while sensors are tried: they tell how much light each needs.
SWEEP_EVERY: Final = 1.0

#: A sensor that needs as much light (µs) as the game gives it has little margin.
WEAK: Final = Settings().light_time


class RingsStep(LiveStep):
    """Sensors are known by chain bit; people know them by tube and level, counted from 1 at the bottom."""

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
        self._names = {
            bit: f"{sensor[0]}.{sensor[1] + 1}"
            for bit, sensor in enumerate(bench.wiring.ring_sensors)
            if sensor is not None
        }
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
        """Light times of the sweep at rest, of bits that saw a ring by it."""
        self._best: dict[int, int] = {}
        """The shortest light time that saw each ring."""
        self._since: dict[int, float] = {}
        self._seen: set[int] = set()
        self._wrong: set[int] = set()
        self._last_bit: int | None = None

    # ---- phases

    def rest(self, snapshot: Snapshot) -> None:
        """All should be dark and still."""
        if snapshot.faults & FaultFlag.SELF_TEST:
            return
        self._resting = snapshot
        self._always &= snapshot.rings
        self._ever |= snapshot.rings
        self._dark |= snapshot.dark
        self._always_dark &= snapshot.dark

    def rested(self, t: float) -> None:
        """On to the sweep."""
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
        """The board's own sweep of the light time."""
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
        """A ring that stays is one; a flicker is not."""
        if snapshot.faults & FaultFlag.SELF_TEST:
            return
        lit = snapshot.rings & ~snapshot.dark
        for bit in self._names:
            if not lit >> bit & 1 or self._is_bad(bit):
                self._since.pop(bit, None)
            elif t - self._since.setdefault(bit, t) >= HOLD and bit not in self._seen:
                self._seen.add(bit)
                self._last_bit, self.last, self.since = bit, self._names[bit], t

    def advance(self, t: float) -> None:
        """A sweep that is not answered is tried once more; while sensors are tried one follows the other."""
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
        """Another sensor was ticked off than has a finger over it."""
        if self._last_bit is not None:
            self._wrong.add(self._last_bit)
            self._seen.discard(self._last_bit)

    def _is_bad(self, bit: int) -> bool:
        return bool((self._always | self._dark) >> bit & 1) or bit in self._wrong

    def _missing_bits(self) -> list[int]:
        return [bit for bit in self._names if bit not in self._seen and not self._is_bad(bit)]

    def missing(self) -> list[str]:
        """Sensors that saw nothing yet, in the tubes' order."""
        missing = set(self._missing_bits())
        return [self._names[bit] for bits in self._bits.values() for bit in bits if bit in missing]

    # ---- shown

    def marks(self) -> Marks:
        """Each tube's sensors, from the bottom up."""
        return {tube.name: tuple(self._mark(bit) for bit in bits) for tube, bits in self._bits.items()}

    def progress(self) -> str:
        """How many sensors saw something."""
        return f"{len(self._seen)} of {len(self._names)} seen"

    def _mark(self, bit: int) -> Mark:
        if self._is_bad(bit):
            return Mark.BAD
        if bit in self._since and self.phase is LivePhase.TRY:
            return Mark.NOW
        return Mark.GOOD if bit in self._seen else Mark.WAITING

    # ---- found

    def findings(self) -> list[Finding]:
        """The empty board, or what stands there, then what was tried."""
        name = self.part.value
        found = self.unfinished()
        if self.phase is LivePhase.EMPTY or self.snapshots == 0:
            return found
        chips = self._cut_chips()
        broken = [bit for bit in self._names if bit // INPUTS_PER_CHIP in chips]
        if chips:
            which = f"74HC165 {chips[0]}" if len(chips) == 1 else f"74HC165s {chips[0]} to {chips[-1]}"
            advice = (
                f"check the wire from chip {chips[0]} towards the controller, and that no chip of the chain is "
                "missing (chip 0 is the nearest)"
            )
            found.append(problem(name, f"{which}: all inputs read ones, in the dark as well", advice))
        sound = [bit for bit in self._in_board_order() if bit not in broken]
        dark = [bit for bit in sound if self._dark >> bit & 1]
        if dark:
            words = f"light while dark: {self._list(dark)}"
            advice = "keep sun and lamps off the board; a sensor that stays so in the dark is shorted"
            found.append(warning(name, words, advice))
        sound = [bit for bit in sound if bit not in dark]
        found += self._standing(sound) if self.bench.hands else self._whatever_stands(sound)
        if self.phase is not LivePhase.REST and not self._swept:
            advice = "flash the board anew (tamsk-hw flash)"
            found.append(warning(name, "the board does not answer to SELF_TEST", advice))
        found += self._light([bit for bit in sound if bit in self._best and bit not in self._unsure()])
        found += self._tried()
        if not found:
            found.append(ok(name, self._good()))
        return found

    def _good(self) -> str:
        if self.bench.hands:
            return f"{len(self._names)} sensors: dark on the empty board, and each saw a ring"
        standing = sum(self._always >> bit & 1 for bit in self._names)
        return f"{len(self._names)} sensors: {standing} see a ring with margin, {len(self._names) - standing} none"

    def _light(self, swept: list[int]) -> list[Finding]:
        """How much light each ring takes to be seen, against what the game gives."""
        name, found = self.part.value, []
        blind = [bit for bit in swept if self._best[bit] > WEAK]
        if blind:
            words = f"need more light to see their ring than the {WEAK} µs that the board gives: "
            found.append(problem(name, words + self._list(blind), "clean their windows, else replace them"))
        weak = [bit for bit in swept if self._best[bit] == WEAK]
        if weak:
            words = f"see their ring only after {WEAK} µs of light, all that the board gives: "
            found.append(warning(name, words + self._list(weak), "clean their windows; watch them"))
        return found

    def _unsure(self) -> frozenset[int]:
        """Bits of which a sweep says nothing, since they see what is not there."""
        return frozenset(self._early) | self._wrong if self.bench.hands else frozenset()

    def _cut_chips(self) -> list[int]:
        """The chips at the chain's end whose inputs all read ones, lit and dark."""
        read = (self._always & self._always_dark).to_bytes(RING_BITS // INPUTS_PER_CHIP, "little")
        stuck = read[: self.bench.wiring.chips]
        first = len(stuck)
        while first and stuck[first - 1] == 0xFF:
            first -= 1
        return list(range(first, len(stuck)))

    def _standing(self, sound: list[int]) -> list[Finding]:
        """Rings on the empty board."""
        name, found = self.part.value, []
        stuck = [bit for bit in sound if self._always >> bit & 1]
        if stuck:
            advice = "if no ring is there: look for dirt, a wrong emitter resistor, or a short to 5 V"
            found.append(problem(name, f"see a ring on the empty board: {self._list(stuck)}", advice))
        unsteady = [bit for bit in sound if (self._ever & ~self._always) >> bit & 1]
        if unsteady:
            advice = "keep hands away; else check the sensor's wires and its pull-down"
            found.append(warning(name, f"come and go on the empty board: {self._list(unsteady)}", advice))
        early = [bit for bit in sound if bit in self._early and not self._ever >> bit & 1]
        if early:
            words = f"see a ring on the empty board once they are lit for longer than {WEAK} µs: "
            advice = "something reflects, or light leaks from emitter to sensor: clean and shield it"
            found.append(warning(name, words + self._list(early), advice))
        return found

    def _whatever_stands(self, sound: list[int]) -> list[Finding]:
        """Contradictions between sensors of one tube, whatever lies there."""
        snapshot = self._resting
        if snapshot is None:
            return []
        name, found, missing = self.part.value, [], []
        for tube, bits in self._bits.items():
            if all(bit in sound for bit in bits):
                missing += [f"{tube}.{level + 1}" for level in gaps(ring_code(snapshot, self.bench.wiring, tube))]
        if missing:
            advice = "clean or replace these sensors; or one above sees a ring that is not there"
            found.append(problem(name, f"see no ring below one that is seen: {listed(missing)}", advice))
        unsteady = [bit for bit in sound if (self._ever & ~self._always) >> bit & 1]
        if unsteady:
            advice = "keep hands away; else clean the sensor and check its wires"
            found.append(warning(name, f"come and go: {self._list(unsteady)}", advice))
        return found

    def _tried(self) -> list[Finding]:
        """What the person tried."""
        name, found = self.part.value, []
        wrong = [bit for bit in self._in_board_order() if bit in self._wrong]
        if wrong:
            words = f"came when another one was tried: {self._list(wrong)}"
            advice = "see whether sensors or chips are in each other's place, or correct the wiring map"
            found.append(problem(name, words, advice))
        missing = self._missing_bits()
        if not missing or not self._seen:
            return found
        words = f"{len(self._seen)} of {len(self._names)} saw something; not: {listed(self.missing())}"
        if self.tried_missing:
            found.append(problem(name, words, _advice_on(missing, list(self._names))))
        elif self.left is None:
            found.append(warning(name, words, "try these, too: tamsk-hw selftest rings"))
        return found

    def _in_board_order(self) -> list[int]:
        return [bit for bits in self._bits.values() for bit in bits]

    def _list(self, bits: list[int]) -> str:
        return listed(self._names[bit] for bit in bits)


def _advice_on(missing: list[int], fitted: list[int]) -> str:
    """What to look at when these of the bits ``fitted`` see nothing: what they have in common, if anything."""
    banks = {bank_of(bit) for bit in missing}
    chips = {bit // INPUTS_PER_CHIP for bit in missing}
    if len(missing) == len(fitted):
        return "check the emitters' supply and the enable pin of the TPIC6B595"
    if len(banks) == 1 and len(missing) == sum(bank_of(bit) in banks for bit in fitted):
        return f"they are bank {min(banks)}: check that output of the TPIC6B595 and its resistors"
    if len(chips) == 1 and len(missing) == sum(bit // INPUTS_PER_CHIP in chips for bit in fitted):
        return f"they are all of 74HC165 {min(chips)}: check its supply and its latch pin"
    return "check their emitters, photo-transistors and solder joints"
