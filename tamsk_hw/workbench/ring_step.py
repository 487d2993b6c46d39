"""Self-test of sensors that are ticked off as a person tries them, and of the ring sensors among them.

The empty board is looked at; then a finger or a ring is held over each ring sensor.
"""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Literal

from tamsk_hw.board import protocol
from tamsk_hw.board.ring_sensing import is_near
from tamsk_hw.board.wiring import bank_of
from tamsk_hw.errors import Finding, Severity
from tamsk_hw.game.tubes import End
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench import parts
from tamsk_hw.workbench.board import gaps, ring_code, ring_places
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING
from tamsk_hw.workbench.walk import Answer, Mark, Prompt

#: A thing that is ticked off: a sensor, and of a Hall sensor the end of the glass.
Item = tuple[int, End | None]

NO_SIGNALS = Finding(
    WARNING,
    "rings",
    "the board tells nothing of its ring sensors' signals",
    "flash the board again (tamsk-hw flash)",
)


#: The phases of a live step: the person is asked to empty the board; it is watched at rest; sensors are tried.
LivePhase = Literal["empty", "rest", "try"]


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

    def __init__(
        self, bench: parts.Bench, t: float, names: Mapping[int, str], places: Mapping[str, Sequence[int]]
    ) -> None:
        """``names`` of the sensors, and the sensors of each place that is marked."""
        super().__init__(bench, t)
        self.names, self._places = names, places
        self.phase: LivePhase = "empty" if bench.hands else "rest"
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
        if self.phase == "rest":
            self.rest.append(snapshot)
        elif self.phase == "try":
            felt = self.felt(snapshot)
            for item in itertools.product(self.names, self.ENDS):
                # It counts once it has been felt for `HOLD` seconds.
                if item not in felt or self.is_bad(item[0]):
                    self.since_felt.pop(item, None)
                elif t - self.since_felt.setdefault(item, t) >= self.HOLD and item not in self.seen:
                    self.seen.add(item)
                    self.last, self.since = item, t
            self.over = not self.open()

    def go_on(self, t: float) -> None:
        """Go on to the trying, if there is a person to try and a sensor that can be tried."""
        if self.bench.hands:
            self.phase, self.since = "try", t
        self.over = not self.bench.hands or not self.open()

    def all_told(self, t: float) -> bool:
        """True once the board has told of itself what only comes now and then."""
        return True

    def felt(self, snapshot: protocol.Snapshot) -> set[Item]:
        """The items that are felt in a snapshot of a board whose sensors are tried."""
        raise NotImplementedError

    def is_bad(self, sensor: int) -> bool:
        """True for a sensor that cannot be tried, since something is wrong with it."""
        raise NotImplementedError

    def _mark(self, item: Item) -> Mark:
        """The mark of an item."""
        if self.is_bad(item[0]):
            return Mark.FAULTY
        if item in self.since_felt and self.phase == "try":
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

    def prompt(self) -> Prompt:
        """Say what to do, and show which sensors have been ticked off."""
        match self.phase:
            case "empty":
                answers = {Answer.YES: "it is empty, go on", Answer.NO: "leave this part out"}
                return Prompt(title=f"{self.TITLE}: empty board", words=self.EMPTY_IT, answers=answers)
            case "rest":
                return Prompt(title=f"{self.TITLE}: at rest", words="Looking at the board: hands off.")
            case "try":
                seen = "" if self.last is None else f"{self.names[self.last[0]]} {self.last[1] or ''}".rstrip()
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
                    notice=seen,
                )

    def answer(self, answer: Answer, t: float) -> None:
        """Take an answer."""
        match self.phase, answer:
            case "empty", Answer.YES:
                self.phase, self.since = "rest", t
            case "empty", Answer.NO:
                self.leave("the board was not emptied")
            case "try", (Answer.YES | Answer.BACK) if self.last is None:
                self.leave("no sensor was tried")
            case "try", Answer.YES | Answer.BACK:
                self.tried_missing, self.over = answer is Answer.YES, True
            case "try", Answer.NO:
                # The person tried another one than the sensor that was ticked off last.
                if self.last is not None:
                    self.wrong.add(self.last[0])
                    self.seen = {item for item in self.seen if item[0] != self.last[0]}
                self.since = t

    def advance(self, t: float) -> None:
        """End a phase, or give the step up."""
        if self.over:
            return
        if self.phase == "empty":
            self.give_up_when_nobody_answers(t)
        elif self.phase == "rest":
            if self.has_rested(t, self.REST_SECONDS, len(self.rest)) and self.all_told(t):
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
    """Inside, sensors go by their bits."""

    part = parts.Part.RINGS
    HOLD = 0.03
    TITLE = "Ring sensors"
    COUNTED, FELT = "seen", "saw something"
    IF_SWAPPED = "check whether sensors or converters are swapped, or correct the wiring map"
    EMPTY_IT = "Take every ring off the board, keep hands away, switch lamps over it off."
    TRY_THEM = (
        "Hold a finger or a ring to each sensor, in any order. What is seen is ticked off. Take as "
        "much time, and as many of them, as you like."
    )

    def __init__(self, bench: parts.Bench, t: float) -> None:
        self._bits = {tube: bench.wiring.ring_bits[tube] for tube in bench.wiring.tubes}
        places = ring_places(bench.wiring)
        names = {bit: places[bit] for bits in self._bits.values() for bit in bits}
        super().__init__(bench, t, names, {tube.name: bits for tube, bits in self._bits.items()})
        self._always = (1 << protocol.RING_BITS) - 1
        self._ever = self._unknown = 0
        self._told = False
        self._best: dict[int, protocol.RingSignal] = {}
        """Each sensor's clearest signal, as it was tried."""

    # ---- phases

    def on_snapshot(self, snapshot: protocol.Snapshot, t: float) -> None:
        """Take the board's readings; at rest, what the sensors see always and ever, and which are unknown."""
        if self.phase == "rest":
            self._always &= snapshot.rings
            self._ever |= snapshot.rings
            self._unknown |= snapshot.unknown
        super().on_snapshot(snapshot, t)

    def on_signals(self, told: protocol.RingSignals) -> None:
        """Take the signals of a converter's ring sensors, while sensors are tried the clearest."""
        if self.phase == "rest":
            super().on_signals(told)
            return
        for bit, signal in told.by_bit.items():
            best = self._best.get(bit)
            if signal.counts is not None and (best is None or signal.mean > best.mean):
                self._best[bit] = signal

    def all_told(self, t: float) -> bool:
        """True once every sensor's signal was told of, or none was for long."""
        self._told = self.signals.are_complete(self.names)
        return self._told or t >= self.since + parts.NO_SNAPSHOTS

    def felt(self, snapshot: protocol.Snapshot) -> set[Item]:
        """The sensors that see a ring."""
        lit = snapshot.rings & ~snapshot.unknown
        return {(bit, None) for bit in self.names if lit >> bit & 1}

    def is_bad(self, sensor: int) -> bool:
        """True for a sensor that saw something on the empty board, or came when another one was tried."""
        return bool((self._always | self._unknown) >> sensor & 1) or sensor in self.wrong

    # ---- found

    def judge(self, found: list[Finding]) -> list[Finding]:
        """Findings on the board at rest, then on the sensors that were tried."""
        if self.phase == "empty" or not self.rest:
            return found
        silent = self.signals.silent_converters(self.names)
        for chip in silent:
            advice = "check its place, its supply, and its line from the select chip (0 to 7)"
            found.append(self.finding(PROBLEM, f"no answer from converter {chip} (MCP3008)", advice))
        sound = [bit for bit in self.names if bit // protocol.RING_INPUTS not in silent]
        bright = [bit for bit in sound if self.signals.is_bright(bit)]
        advice = "keep sun and lamps off the board; a sensor that stays so in the dark is shorted"
        found += self.of(WARNING, bright, "too bright to be read", advice)
        unknown = [bit for bit in sound if bit not in bright and self._unknown >> bit & 1]
        advice = "keep lamps that flicker off the board; else check the sensor's wires"
        found += self.of(WARNING, unknown, "unknown at times", advice)
        sound = [bit for bit in sound if bit not in bright and bit not in unknown]
        found += self._at_rest(sound)
        if not self._told and self.left is None:
            found.append(NO_SIGNALS)
        found += self._little_to_spare(sound)
        found += self.tried()
        if not found:
            how = "no ring on the empty board, and each saw one"
            if not self.bench.hands:
                rings = sum(self._always >> bit & 1 for bit in self.names)
                how = f"{rings} see a ring with margin, {len(self.names) - rings} none"
            found.append(self.finding(OK, f"{len(self.names)} sensors: {how}{self._weakest()}"))
        return found

    def _little_to_spare(self, sound: list[int]) -> list[Finding]:
        """Findings on signals that are near to their threshold, with their counts."""
        near = [
            f"{self.names[bit]} {counts:.0f}/{threshold:.0f}"
            for bit in sound
            for counts, threshold, ring in self._figures(bit)
            if is_near(counts, threshold, ring)
        ]
        advice = "clean the windows, look for dirt; the figures are counts and the threshold"
        return self.about(WARNING, some_of(near), "little to spare", advice)

    def _figures(self, bit: int) -> Iterator[tuple[float, float, bool]]:
        """Counts and threshold of a sensor at rest, and with what was held over it; with a ring or without."""
        for signal, ring in ((self.signals.last.get(bit), self._always >> bit & 1), (self._best.get(bit), 1)):
            if signal is None or signal.counts is None:
                continue
            # A finger that came or went while the board measured its signal shows no ring.
            if not ring or signal.counts > signal.threshold_counts:
                yield signal.counts, signal.threshold_counts, bool(ring)

    def _weakest(self) -> str:
        """The ring whose counts exceed the threshold least; empty where none was measured."""
        rings = [
            (counts / threshold, f"; the weakest at {name}: {counts:.0f} counts, {threshold:.0f} are needed")
            for bit, name in self.names.items()
            for counts, threshold, ring in self._figures(bit)
            if ring
        ]
        return min(rings, default=(0.0, ""))[1]

    def _at_rest(self, sound: list[int]) -> list[Finding]:
        """Findings on unsteady sensors, on those that see rings on the empty board, else on gaps."""
        unsteady = [bit for bit in sound if (self._ever & ~self._always) >> bit & 1]
        if self.bench.hands:
            always = [bit for bit in sound if self._always >> bit & 1]
            dirt = "if no ring is there: look for dirt, a wrong load, or a short to 5 V"
            loose = "keep hands away; else look for what reflects, check the sensor's wires and its load"
            return [
                *self.of(PROBLEM, always, "see a ring on the empty board", dirt),
                *self.of(WARNING, unsteady, "come and go on the empty board", loose),
            ]
        below = [
            bits[level]
            for tube, bits in self._bits.items()
            if all(bit in sound for bit in bits)
            for level in gaps(ring_code(self.rest[-1], self.bench.wiring, tube))
        ]
        gap = "clean or replace these sensors; or one above sees a ring that is not there"
        loose = "keep hands away; else clean the sensor and check its wires"
        return [
            *self.of(PROBLEM, below, "see no ring below one that is seen", gap),
            *self.of(WARNING, unsteady, "come and go", loose),
        ]

    def suspect(self, missed: Mapping[int, Sequence[End | None]]) -> tuple[str, str]:
        """Advice by what the sensors share."""
        return "", _shared(list(missed), list(self.names))


def _shared(missing: list[int], fitted: list[int]) -> str:
    """Advice on the ``missing`` of the ``fitted`` bits, by the bank or converter that they share."""
    banks = {bank_of(bit) for bit in missing}
    chips = {bit // protocol.RING_INPUTS for bit in missing}
    if len(missing) == len(fitted):
        return "check the emitters' supply and the enable pin of the TPIC6B595"
    if len(banks) == 1 and len(missing) == sum(bank_of(bit) in banks for bit in fitted):
        return f"they are bank {min(banks)}: check that output of the TPIC6B595 and its resistors"
    if len(chips) == 1 and len(missing) == sum(bit // protocol.RING_INPUTS in chips for bit in fitted):
        return f"they are all of converter {min(chips)}: check the loads at its inputs, and its ground"
    return "check their emitters, photo-transistors and solder joints"
