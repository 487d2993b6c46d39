"""Self-test of the Hall sensors: rest and noise on the empty board, then a glass in each, both ends."""

from __future__ import annotations

from typing import Final

from tamsk_hw.board.calibration import FIELD_NAMES
from tamsk_hw.board.protocol import FIELDS, Snapshot
from tamsk_hw.facts.findings import Finding
from tamsk_hw.facts.selftest_findings import (
    DeadMultiplexer,
    FieldMissed,
    FieldReading,
    FieldsFault,
    FieldsFinding,
    FieldsMissed,
    FieldsSound,
    Part,
)
from tamsk_hw.facts.severity import Severity
from tamsk_hw.game.tubes import End
from tamsk_hw.words.selftest_findings import missed_words
from tamsk_hw.workbench.readings import Standing, field_sensor, standing
from tamsk_hw.workbench.selftest.board import dead_multiplexers
from tamsk_hw.workbench.selftest.live import LivePhase, LiveStep
from tamsk_hw.workbench.selftest.step import Bench
from tamsk_hw.workbench.walk.prompt import Mark, Marks

#: Seconds for which a glass must stand before it is ticked off.
HOLD: Final = 0.1

#: Rests that a sensor of the reference build may have, in steps: those that a calibration may have.
LOWEST_REST, HIGHEST_REST = 90, 166

#: A rest may be off its calibration by this share of a seated glass.
REST_SHARE: Final = 0.15

#: Readings may stray over this multiple of the calibrated noise.
NOISE_SPAN: Final = 2

_ENDS = {Standing.SEATED_A: End.A, Standing.SEATED_B: End.B}


class GlassesStep(LiveStep):
    """Inside, sensors go by the index of their field."""

    part = Part.GLASSES
    REST_SECONDS = 3.0
    TITLE = "Glass sensors"
    EMPTY_IT = "Take every glass off the board, the 15-second one, too; magnets well away."
    TRY_THEM = (
        "Stand a glass in each tube, first on one end, then on the other; the 15-second glass in its "
        "cradle. What is seen is ticked off. Take as many of them as you like."
    )
    WERE_TRIED = "Did a glass stand in each of these?"
    NOTHING_CAME = "they feel nothing"

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        self._fields = bench.wiring.fields
        self._least = [255] * FIELDS
        self._most = [0] * FIELDS
        self._sum = [0] * FIELDS
        self._standing: list[set[Standing]] = [set() for _ in range(FIELDS)]
        self._resting: Snapshot | None = None
        self._railed: set[int] = set()
        self._since: dict[int, tuple[End, float]] = {}
        self._seen: set[tuple[int, End]] = set()
        self._wrong: set[int] = set()
        self._last: tuple[int, End] | None = None
        self._felt = [0.0] * FIELDS
        """The largest share of a seated glass that was felt where none was seated."""

    # ---- phases

    def _stands(self, index: int, reading: int) -> Standing:
        bench = self.bench
        return standing(reading, bench.known.calibration.fields[index], bench.configuration.sensing)

    def rest(self, snapshot: Snapshot) -> None:
        """Take each field's extremes and sum."""
        self._resting = snapshot
        for index in self._fields:
            reading = snapshot.fields[index]
            self._least[index] = min(self._least[index], reading)
            self._most[index] = max(self._most[index], reading)
            self._sum[index] += reading
            self._standing[index].add(self._stands(index, reading))

    def rested(self, t: float) -> None:
        """Go on to the glasses."""
        self._railed = {index for index in self._fields if Standing.RAIL in self._standing[index]}
        if self.bench.hands:
            self.enter(LivePhase.TRY, t)
            self.over = not self.missing()
        else:
            self.over = True

    def try_out(self, snapshot: Snapshot, t: float) -> None:
        """Tick off an end once its glass has stood for `HOLD` seconds."""
        for index in self._fields:
            reading = snapshot.fields[index]
            if index in self._railed or index in self._wrong:
                continue
            end = _ENDS.get(self._stands(index, reading))
            if end is None:
                self._since.pop(index, None)
                self._felt[index] = max(self._felt[index], abs(self._share(index, reading)))
                continue
            began = self._since.get(index)
            if began is None or began[0] is not end:
                self._since[index] = (end, t)
            elif t - began[1] >= HOLD and (index, end) not in self._seen:
                self._seen.add((index, end))
                self._last, self.since = (index, end), t
                self.last = f"{FIELD_NAMES[index]} {end}"

    def _share(self, index: int, reading: int) -> float:
        calibration = self.bench.known.calibration.fields[index]
        full = calibration.end_a if reading >= calibration.rest else calibration.end_b
        return (reading - calibration.rest) / full

    def not_mine(self) -> None:
        """Mark the sensor that was ticked off last as wrong: the glass stands elsewhere."""
        if self._last is not None:
            index = self._last[0]
            self._wrong.add(index)
            self._seen -= {(index, end) for end in End}

    def _open(self) -> list[tuple[int, End]]:
        """The ends not felt yet; first those of sensors that have felt the other end."""
        ends = [
            (index, end)
            for index in self._fields
            for end in End
            if (index, end) not in self._seen and index not in self._railed and index not in self._wrong
        ]
        half = {index for index, _ in self._seen}
        return sorted(ends, key=lambda each: each[0] not in half)

    def missing(self) -> list[str]:
        """Fields that have not felt both ends of a glass: ``"D4"``, ``"D4:B"``."""
        return [missed_words(each) for each in self._missed()]

    def _missed(self) -> list[FieldMissed]:
        """The same as facts, each with the largest share that was felt, where it is more than noise."""
        ends: dict[int, tuple[End, ...]] = {}
        for index, end in self._open():
            ends[index] = (*ends.get(index, ()), end)
        least = self.bench.configuration.sensing.leaning
        return [
            FieldMissed(
                field_sensor(index),
                each,
                self._felt[index] if len(each) == len(End) and self._felt[index] >= least else None,
            )
            for index, each in ends.items()
        ]

    # ---- shown

    def marks(self) -> Marks:
        """Both ends of each field."""
        return {FIELD_NAMES[index]: tuple(self._mark(index, end) for end in End) for index in self._fields}

    def progress(self) -> str:
        """The number of fields that have felt both ends."""
        return f"{self._both()} of {len(self._fields)} with both ends"

    def _both(self) -> int:
        return sum(all((index, end) in self._seen for end in End) for index in self._fields)

    def _mark(self, index: int, end: End) -> Mark:
        if index in self._railed or index in self._wrong:
            return Mark.BAD
        began = self._since.get(index)
        if began is not None and began[0] is end and self.phase is LivePhase.TRY:
            return Mark.NOW
        return Mark.GOOD if (index, end) in self._seen else Mark.WAITING

    # ---- found

    def findings(self) -> list[Finding]:
        """Findings on the board at rest, then on the sensors that were tried."""
        found = self.unfinished()
        if self.phase is LivePhase.EMPTY or self._resting is None:
            return found
        dead = dead_multiplexers(self.bench, self._resting)
        inputs = self.bench.wiring.inputs
        pins = self.bench.wiring.controller.mux_inputs
        for mux, reading in dead.items():
            behind = sum(inputs[index].mux == mux for index in self._fields)
            found.append(DeadMultiplexer(mux, reading, pins[mux], behind))
        alive = [index for index in self._fields if inputs[index].mux not in dead]
        found += self._with(FieldsFault.RAIL, Severity.PROBLEM, [each for each in alive if each in self._railed])
        found += self._at_rest([index for index in alive if index not in self._railed])
        found += self._tried()
        if not found:
            empty = sum(self._standing[index] == {Standing.GONE} for index in self._fields)
            found.append(FieldsSound(len(self._fields), None if self.bench.hands else empty))
        return found

    def _at_rest(self, sound: list[int]) -> list[Finding]:
        """Findings on rest and noise."""
        fields, hands = self.bench.known.calibration.fields, self.bench.hands
        # Without a person a glass may stand anywhere.
        bare = [
            index for index in sound if hands or not self._standing[index] & {Standing.SEATED_A, Standing.SEATED_B}
        ]
        off = [index for index in bare if not LOWEST_REST <= self._mean(index) <= HIGHEST_REST]
        moved = [
            index
            for index in bare
            if index not in off
            and self.bench.known.is_measured(index)
            and abs(self._mean(index) - fields[index].rest)
            > max(fields[index].noise, REST_SHARE * min(fields[index].end_a, fields[index].end_b))
        ]
        noisy = tuple(
            FieldReading(field_sensor(index), span, NOISE_SPAN * fields[index].noise)
            for index in sound
            if (span := self._most[index] - self._least[index]) > NOISE_SPAN * fields[index].noise
        )
        found = self._with(
            FieldsFault.REST if hands else FieldsFault.UNCLEAR,
            Severity.PROBLEM if hands else Severity.WARNING,
            off,
        )
        found += self._with(FieldsFault.MOVED, Severity.WARNING, moved)
        if noisy:
            found.append(FieldsFinding(FieldsFault.NOISY, Severity.WARNING, noisy))
        return found

    def _tried(self) -> list[Finding]:
        """Findings on the sensors that the person tried."""
        found = self._with(FieldsFault.SWAPPED, Severity.PROBLEM, sorted(self._wrong))
        missed = tuple(self._missed())
        if not missed or not self._seen or (not self.tried_missing and self.left is not None):
            return found
        nowhere = set(End) - {end for _, end in self._seen}
        missing = FieldsMissed(
            Severity.PROBLEM if self.tried_missing else Severity.WARNING,
            missed,
            self._both(),
            len(self._fields),
            bool(self.tried_missing),
            nowhere.pop() if nowhere else None,
        )
        return [*found, missing]

    def _with(self, fault: FieldsFault, severity: Severity, indices: list[int]) -> list[Finding]:
        """The finding that these fields have this fault; none for no fields."""
        fields = self.bench.known.calibration.fields
        readings = tuple(
            FieldReading(field_sensor(index), self._mean(index), fields[index].rest) for index in indices
        )
        return [FieldsFinding(fault, severity, readings, LOWEST_REST, HIGHEST_REST)] if readings else []

    def _mean(self, index: int) -> float:
        return self._sum[index] / max(1, self.snapshots)
