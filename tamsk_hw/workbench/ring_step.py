"""Self-test of sensors that are ticked off as a person tries them, and of the ring sensors among them.

The empty board is dark, then swept with light; then a finger or a ring is held over each ring sensor.
"""

import itertools
from collections.abc import Iterable, Mapping, Sequence
from enum import Enum
from typing import Final

from tamsk_hw.board import protocol
from tamsk_hw.board.wiring import INPUTS_PER_CHIP, bank_of
from tamsk_hw.errors import Finding, Severity
from tamsk_hw.game.tubes import End
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench import parts
from tamsk_hw.workbench.board import gaps, ring_code, ring_places
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING
from tamsk_hw.workbench.walk import Answer, Mark, Prompt

#: A thing that is ticked off: a sensor, and of a Hall sensor the end of the glass.
Item = tuple[int, End | None]

#: Seconds from one sweep to the next: until one of the empty board is answered (PROTOCOL.md section 5.3 allows
#: 0.1), and while sensors are tried, to measure the light that each needs.
SWEEP_EVERY: Final = 1.0

NO_SWEEP = Finding(
    WARNING, "rings", "the board does not answer to SELF_TEST", "flash the board again (tamsk-hw flash)"
)


class LivePhase(Enum):
    """The phases of a live step."""

    EMPTY = "empty"
    """The person is asked to empty the board."""
    REST = "rest"
    """The board at rest is watched; the board's own self-test runs meanwhile."""
    TRY = "try"
    """Sensors are tried."""


class LiveStep(parts.PartStep):
    """The base of the steps in which sensors are ticked off as a person tries them.

    The person empties the board, the empty board is watched, then the sensors are tried in any order. The person
    ends it, and says whether all were tried. Without a person only the board at rest is watched.
    """

    #: Seconds for which the board at rest is watched, and for which an item must be felt: longer than a flicker.
    REST_SECONDS = 1.5
    HOLD: float

    #: The title of the prompts.
    TITLE: str

    #: Requests to empty the board and to try the sensors.
    EMPTY_IT: str
    TRY_THEM: str

    #: What a sensor has done when it is ticked off, in the count and in the finding; advice on those that came
    #: when another one was tried.
    COUNTED: str
    FELT: str
    IF_SWAPPED: str

    #: What is ticked off of each sensor.
    ENDS: tuple[End | None, ...] = (None,)

    def __init__(self, bench: parts.Bench, names: Mapping[int, str], places: Mapping[str, Sequence[int]]) -> None:
        """``names`` of the sensors, and the sensors of each place that is marked."""
        super().__init__(bench)
        self.names, self._places = names, places
        self.phase = LivePhase.EMPTY if bench.hands else LivePhase.REST
        self.rest: list[protocol.Snapshot] = []
        """The snapshots of the board at rest."""
        self.tried_missing = False
        """The person said that the sensors that saw nothing were tried."""
        self.last: Item | None = None
        """The item that was ticked off last."""
        self.since_felt: dict[Item, float] = {}
        """Items that are felt now, and since when."""
        self.seen: set[Item] = set()
        self.wrong: set[int] = set()
        """Sensors that came when another one was tried."""

    def on_snapshot(self, snapshot: protocol.Snapshot, t: float) -> None:
        """Take the board's readings."""
        if snapshot.faults & protocol.FaultFlag.SELF_TEST:
            return
        if self.phase is LivePhase.REST:
            self.rest.append(snapshot)
        elif self.phase is LivePhase.TRY:
            self._try_out(snapshot, t)
            self.over = not self.open()

    def go_on(self, t: float) -> None:
        """Go on to the trying, if there is a person to try and a sensor that can be tried."""
        if self.bench.hands:
            self.phase, self.since = LivePhase.TRY, t
        self.over = not self.bench.hands or not self.open()

    def felt(self, snapshot: protocol.Snapshot) -> set[Item]:
        """The items that are felt in a snapshot of a board whose sensors are tried."""
        raise NotImplementedError

    def is_bad(self, sensor: int) -> bool:
        """True for a sensor that cannot be tried, since something is wrong with it."""
        raise NotImplementedError

    def _try_out(self, snapshot: protocol.Snapshot, t: float) -> None:
        """Tick off the items that have been felt for `HOLD` seconds."""
        felt = self.felt(snapshot)
        for item in itertools.product(self.names, self.ENDS):
            if item not in felt or self.is_bad(item[0]):
                self.since_felt.pop(item, None)
            elif t - self.since_felt.setdefault(item, t) >= self.HOLD and item not in self.seen:
                self.seen.add(item)
                self.last, self.since = item, t

    def _mark(self, item: Item) -> Mark:
        """The mark of an item."""
        if self.is_bad(item[0]):
            return Mark.FAULTY
        if item in self.since_felt and self.phase is LivePhase.TRY:
            return Mark.NOW
        return Mark.SEEN if item in self.seen else Mark.WAITING

    def open(self) -> dict[int, list[End | None]]:
        """The ends still to be felt, by sensor; half-done sensors come first, bad ones are left out."""
        left = {
            sensor: [end for end in self.ENDS if (sensor, end) not in self.seen]
            for sensor in self.names
            if not self.is_bad(sensor)
        }
        return {sensor: left[sensor] for sensor in sorted(left, key=lambda each: len(left[each])) if left[sensor]}

    @property
    def _complete(self) -> int:
        """The number of sensors that have felt all their ends."""
        return sum(all((sensor, end) in self.seen for end in self.ENDS) for sensor in self.names)

    def _item_name(self, item: Item) -> str:
        sensor, end = item
        return self.names[sensor] if end is None else f"{self.names[sensor]} {end}"

    def prompt(self) -> Prompt:
        """Say what to do, and show which sensors have been ticked off."""
        match self.phase:
            case LivePhase.EMPTY:
                answers = {Answer.YES: "it is empty, go on", Answer.NO: "leave this part out"}
                return Prompt(title=f"{self.TITLE}: empty board", words=self.EMPTY_IT, answers=answers)
            case LivePhase.REST:
                return Prompt(title=f"{self.TITLE}: at rest", words="Looking at the board: hands off.")
            case LivePhase.TRY:
                return Prompt(
                    title=self.TITLE,
                    words=self.TRY_THEM,
                    answers={
                        Answer.YES: "that is all, and all were tried",
                        Answer.BACK: "that is all, but not all were tried",
                        Answer.NO: "the one ticked off last is not the one I tried",
                    },
                    marks={
                        place: tuple(map(self._mark, itertools.product(sensors, self.ENDS)))
                        for place, sensors in self._places.items()
                    },
                    progress=f"{self._complete} of {len(self.names)} {self.COUNTED}",
                    notice="" if self.last is None else self._item_name(self.last),
                )

    def answer(self, answer: Answer, t: float) -> None:
        """Take an answer."""
        match self.phase, answer:
            case LivePhase.EMPTY, Answer.YES:
                self.phase, self.since = LivePhase.REST, t
            case LivePhase.EMPTY, Answer.NO:
                self.leave("the board was not emptied")
            case LivePhase.TRY, (Answer.YES | Answer.BACK) if self.last is None:
                self.leave("no sensor was tried")
            case LivePhase.TRY, Answer.YES | Answer.BACK:
                self.tried_missing, self.over = answer is Answer.YES, True
            case LivePhase.TRY, Answer.NO:
                # The person tried another one than the sensor that was ticked off last.
                if self.last is not None:
                    self.wrong.add(self.last[0])
                    self.seen = {item for item in self.seen if item[0] != self.last[0]}
                self.since = t
            case _:
                pass

    def advance(self, t: float) -> None:
        """End a phase, or give the step up."""
        if self.over:
            return
        if self.phase is LivePhase.EMPTY:
            self.give_up_when_nobody_answers(t)
        elif self.phase is LivePhase.REST:
            if self.has_rested(t, self.REST_SECONDS, len(self.rest)):
                self.go_on(t)
        elif not self.bench.can_answer and self.last is None:
            self.leave(parts.NOBODY_CAN_ANSWER)
        elif t >= self.since + (patience := parts.PATIENCE if self.last is None else parts.IDLE):
            self.leave(f"nothing new was seen for {patience:g} s")

    # ---- found

    def of(self, severity: Severity, sensors: Iterable[int], cause: str, advice: str) -> list[Finding]:
        """The finding on these sensors; none for no sensors."""
        return self.about(severity, some_of(self.names[sensor] for sensor in sensors), cause, advice)

    def tried(self) -> list[Finding]:
        """Findings on the sensors that the person tried."""
        wrong = [sensor for sensor in self.names if sensor in self.wrong]
        found = self.of(PROBLEM, wrong, "came when another one was tried", self.IF_SWAPPED)
        missed = self.open()
        if not missed or not self.seen or self.left is not None:
            return found
        severity, (aside, advice) = PROBLEM, self.suspect(missed)
        if not self.tried_missing:
            severity, advice = WARNING, f"try these, too: tamsk-hw selftest {self.part.value}"
        names = some_of(
            self.names[sensor] if len(ends) == len(self.ENDS) else f"{self.names[sensor]}:{ends[0]}"
            for sensor, ends in missed.items()
        )
        cause = f"{self._complete} of {len(self.names)} {self.FELT}; not: {names}{aside}"
        return [*found, self.finding(severity, cause, advice)]

    def suspect(self, missed: Mapping[int, Sequence[End | None]]) -> tuple[str, str]:
        """A remark on the sensors that missed these ends (it may be empty), and advice on them."""
        raise NotImplementedError


class RingsStep(LiveStep):
    """Inside, sensors go by their chain bit."""

    part = parts.Part.RINGS
    HOLD = 0.03
    TITLE = "Ring sensors"
    COUNTED, FELT = "seen", "saw something"
    IF_SWAPPED = "check whether sensors or chips are swapped, or correct the wiring map"
    EMPTY_IT = "Take every ring off the board, keep hands away, switch lamps over it off."
    TRY_THEM = (
        "Hold a finger or a ring to each sensor, in any order. What is seen is ticked off. Take as "
        "much time, and as many of them, as you like."
    )

    def __init__(self, bench: parts.Bench) -> None:
        self._bits = {tube: bench.wiring.ring_bits[tube] for tube in bench.wiring.tubes}
        names = ring_places(bench.wiring)
        super().__init__(
            bench,
            {bit: names[bit] for bits in self._bits.values() for bit in bits},
            {tube.name: bits for tube, bits in self._bits.items()},
        )
        self._always = self._always_dark = (1 << protocol.RING_BITS) - 1
        self._ever = self._dark = 0
        self._swept = False
        self._swept_at = float("-inf")
        self._best: dict[int, int] = {}
        """The shortest light time that saw each ring."""

    # ---- phases

    def on_snapshot(self, snapshot: protocol.Snapshot, t: float) -> None:
        """Take the board's readings; at rest, what the sensors see always, ever and while dark."""
        if self.phase is LivePhase.REST and not snapshot.faults & protocol.FaultFlag.SELF_TEST:
            self._always &= snapshot.rings
            self._ever |= snapshot.rings
            self._dark |= snapshot.dark
            self._always_dark &= snapshot.dark
        super().on_snapshot(snapshot, t)

    def self_test_due(self, t: float) -> bool:
        """True when the board must test its ring sensors now; one call returns True for each test."""
        wanted = self.phase is LivePhase.TRY or (self.phase is LivePhase.REST and not self._swept)
        due = wanted and t >= self._swept_at + SWEEP_EVERY
        self._swept_at = t if due else self._swept_at
        return due

    def on_self_test(self, report: protocol.SelfTestReport, t: float) -> None:
        """Take the result of the board's sweep of the light time."""
        times = {bit: time for bit, time in enumerate(report.shortest) if time in protocol.SELF_TEST_LIGHT_TIMES}
        if self.phase is LivePhase.REST:
            self._swept = True
            self._dark |= sum(
                1 << bit for bit, time in enumerate(report.shortest) if time == protocol.SELF_TEST_DARK
            )
            if self.bench.hands:  # the board is empty
                self._ever |= sum(1 << bit for bit in times)
        for bit, time in times.items():
            self._best[bit] = min(time, self._best.get(bit, time))

    def felt(self, snapshot: protocol.Snapshot) -> set[Item]:
        """The sensors that see a ring."""
        lit = snapshot.rings & ~snapshot.dark
        return {(bit, None) for bit in self.names if lit >> bit & 1}

    def is_bad(self, sensor: int) -> bool:
        """True for a sensor that saw something on the empty board, or came when another one was tried."""
        return bool((self._always | self._dark) >> sensor & 1) or sensor in self.wrong

    # ---- found

    def judge(self, found: list[Finding]) -> list[Finding]:
        """Findings on the board at rest, then on the sensors that were tried."""
        if self.phase is LivePhase.EMPTY or not self.rest:
            return found
        given = self.bench.known.light_time  # a sensor that needs as much light has little margin
        chips = self._cut_chips()
        if chips:
            which = f"74HC165 {chips[0]}" if len(chips) == 1 else f"74HC165s {chips[0]} to {chips[-1]}"
            advice = (
                f"check the wire from chip {chips[0]} towards the controller, and that no chip of the chain is "
                "missing (chip 0 is the nearest)"
            )
            found.append(self.finding(PROBLEM, f"{which}: all inputs read ones, in the dark as well", advice))
        sound = [bit for bit in self.names if bit // INPUTS_PER_CHIP not in chips]
        dazzled = [bit for bit in sound if self._dark >> bit & 1]
        advice = "keep sun and lamps off the board; a sensor that stays so in the dark is shorted"
        found += self.of(WARNING, dazzled, "light while dark", advice)
        sound = [bit for bit in sound if bit not in dazzled]
        found += self._at_rest(sound) if self.bench.hands else self._whatever_stands(sound)
        if not self._swept and (self.phase is LivePhase.TRY or self.left is None):
            found.append(NO_SWEEP)
        # On the empty board, a sensor that sees rings that are not there proves nothing by its sweep.
        unsure = self._ever if self.bench.hands else 0
        swept = [bit for bit in sound if bit in self._best and not unsure >> bit & 1 and bit not in self.wrong]
        cause = f"need more light to see their ring than the {given} µs that the board gives"
        advice = "clean their windows; else `tamsk-hw calibrate sensors` has the board give more, up to 250 µs"
        found += self.of(PROBLEM, [bit for bit in swept if self._best[bit] > given], cause, advice)
        cause = f"see their ring only after {given} µs of light, all that the board gives"
        advice = "clean their windows; watch them"
        found += self.of(WARNING, [bit for bit in swept if self._best[bit] == given], cause, advice)
        found += self.tried()
        if not found:
            how = "dark on the empty board, and each saw a ring"
            if not self.bench.hands:
                rings = sum(self._always >> bit & 1 for bit in self.names)
                how = f"{rings} see a ring with margin, {len(self.names) - rings} none"
            found.append(self.finding(OK, f"{len(self.names)} sensors: {how}"))
        return found

    def _cut_chips(self) -> list[int]:
        """The chips at the end of the chain whose inputs all read ones, lit and dark."""
        read = (self._always & self._always_dark).to_bytes(protocol.RING_BITS // INPUTS_PER_CHIP, "little")
        stuck = read[: self.bench.wiring.chips]
        return list(range(len(stuck.rstrip(b"\xff")), len(stuck)))

    def _at_rest(self, sound: list[int]) -> list[Finding]:
        """Findings on sensors that see rings on the empty board."""
        always = [bit for bit in sound if self._always >> bit & 1]
        dirt = "if no ring is there: look for dirt, a wrong emitter resistor, or a short to 5 V"
        loose = "keep hands away; else look for what reflects, check the sensor's wires and its pull-down"
        return [
            *self.of(PROBLEM, always, "see a ring on the empty board", dirt),
            *self.of(WARNING, self._unsteady(sound), "come and go on the empty board", loose),
        ]

    def _whatever_stands(self, sound: list[int]) -> list[Finding]:
        """Findings that do not depend on the things on the board: gaps and unsteady sensors."""
        below = [
            bits[level]
            for tube, bits in self._bits.items()
            if all(bit in sound for bit in bits)
            for level in gaps(ring_code(self.rest[-1], self.bench.wiring, tube))
        ]
        gap = "clean or replace these sensors; or one above sees a ring that is not there"
        unsteady = "keep hands away; else clean the sensor and check its wires"
        return [
            *self.of(PROBLEM, below, "see no ring below one that is seen", gap),
            *self.of(WARNING, self._unsteady(sound), "come and go", unsteady),
        ]

    def _unsteady(self, bits: list[int]) -> list[int]:
        return [bit for bit in bits if (self._ever & ~self._always) >> bit & 1]

    def suspect(self, missed: Mapping[int, Sequence[End | None]]) -> tuple[str, str]:
        """Advice by what the sensors share."""
        return "", _shared(list(missed), list(self.names))


def _shared(missing: list[int], fitted: list[int]) -> str:
    """Advice on the ``missing`` of the ``fitted`` bits, by the bank or chip that they share."""
    banks = {bank_of(bit) for bit in missing}
    chips = {bit // INPUTS_PER_CHIP for bit in missing}
    if len(missing) == len(fitted):
        return "check the emitters' supply and the enable pin of the TPIC6B595"
    if len(banks) == 1 and len(missing) == sum(bank_of(bit) in banks for bit in fitted):
        return f"they are bank {min(banks)}: check that output of the TPIC6B595 and its resistors"
    if len(chips) == 1 and len(missing) == sum(bit // INPUTS_PER_CHIP in chips for bit in fitted):
        return f"they are all of 74HC165 {min(chips)}: check its supply and its latch pin"
    return "check their emitters, photo-transistors and solder joints"
