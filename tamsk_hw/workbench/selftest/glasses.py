"""Self-test of the Hall sensors: rest and noise on the empty board, then a glass in each, both ends."""

from __future__ import annotations

from typing import Final

from tamsk_hw.board.calibration_file import FIELD_NAMES
from tamsk_hw.board.protocol.messages import FIELDS, Snapshot
from tamsk_hw.workbench.doctor.checks import Finding
from tamsk_hw.workbench.readings import Standing, standing
from tamsk_hw.workbench.selftest.board import dead_multiplexers
from tamsk_hw.workbench.selftest.live import LivePhase, LiveStep
from tamsk_hw.workbench.selftest.step import Bench, Part, listed, ok, problem, warning
from tamsk_hw.workbench.walk.prompt import Mark, Marks

#: Seconds for which a glass must stand before it is ticked off.
HOLD: Final = 0.1

#: Rests that a sensor of the reference build may have, in steps: those that a calibration may have.
LOWEST_REST, HIGHEST_REST = 90, 166

#: A rest may be off its calibration by this share of a seated glass.
REST_SHARE: Final = 0.15

#: Readings may stray over so many times the calibrated noise.
NOISE_SPAN: Final = 2

_ENDS = {Standing.SEATED_A: "A", Standing.SEATED_B: "B"}


class GlassesStep(LiveStep):
    """Fields are known by their names: the tubes', and ``"timer"``."""

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
        self._since: dict[int, tuple[str, float]] = {}
        self._seen: set[tuple[int, str]] = set()
        self._wrong: set[int] = set()
        self._last: tuple[int, str] | None = None
        self._felt = [0.0] * FIELDS
        """The largest share of a seated glass that was felt where none was seated."""

    # ---- phases

    def _stands(self, index: int, reading: int) -> Standing:
        bench = self.bench
        return standing(reading, bench.known.calibration.fields[index], bench.configuration.sensing)

    def rest(self, snapshot: Snapshot) -> None:
        """Each field's extremes and mean."""
        self._resting = snapshot
        for index in self._fields:
            reading = snapshot.fields[index]
            self._least[index] = min(self._least[index], reading)
            self._most[index] = max(self._most[index], reading)
            self._sum[index] += reading
            self._standing[index].add(self._stands(index, reading))

    def rested(self, t: float) -> None:
        """On to the glasses."""
        self._railed = {index for index in self._fields if Standing.RAIL in self._standing[index]}
        if self.bench.hands:
            self.enter(LivePhase.TRY, t)
            self.over = not self.missing()
        else:
            self.over = True

    def try_out(self, snapshot: Snapshot, t: float) -> None:
        """A glass that stands for a moment is seated."""
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
            if began is None or began[0] != end:
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
        """Another sensor was ticked off than has the glass."""
        if self._last is not None:
            index = self._last[0]
            self._wrong.add(index)
            self._seen -= {(index, "A"), (index, "B")}

    def _open(self) -> list[tuple[int, str]]:
        """The ends that can be felt and were not; first those of sensors that have felt the other."""
        ends = [
            (index, end)
            for index in self._fields
            for end in "AB"
            if (index, end) not in self._seen and index not in self._railed and index not in self._wrong
        ]
        half = {index for index, _ in self._seen}
        return sorted(ends, key=lambda each: each[0] not in half)

    def missing(self) -> list[str]:
        """Fields that have not seen a glass, or only one end of it: ``"D4"``, ``"D4:B"``."""
        return self._named(self._open())

    def _named(self, ends: list[tuple[int, str]]) -> list[str]:
        found: dict[int, str] = {}
        for index, end in ends:
            found[index] = found.get(index, "") + end
        return [
            FIELD_NAMES[index] if each == "AB" else f"{FIELD_NAMES[index]}:{each}" for index, each in found.items()
        ]

    # ---- shown

    def marks(self) -> Marks:
        """Both ends of each field."""
        return {FIELD_NAMES[index]: tuple(self._mark(index, end) for end in "AB") for index in self._fields}

    def progress(self) -> str:
        """How many fields felt both ends."""
        return f"{self._both()} of {len(self._fields)} with both ends"

    def _both(self) -> int:
        return sum((index, "A") in self._seen and (index, "B") in self._seen for index in self._fields)

    def _mark(self, index: int, end: str) -> Mark:
        if index in self._railed or index in self._wrong:
            return Mark.BAD
        began = self._since.get(index)
        if began is not None and began[0] == end and self.phase is LivePhase.TRY:
            return Mark.NOW
        return Mark.GOOD if (index, end) in self._seen else Mark.WAITING

    # ---- found

    def findings(self) -> list[Finding]:
        """The board at rest, then what was tried."""
        name = self.part.value
        found = self.unfinished()
        if self.phase is LivePhase.EMPTY or self._resting is None:
            return found
        dead = dead_multiplexers(self.bench, self._resting)
        inputs = self.bench.wiring.inputs
        pins = self.bench.wiring.controller.mux_inputs
        for mux, reading in dead.items():
            behind = [FIELD_NAMES[index] for index in self._fields if inputs[index].mux == mux]
            words = f"multiplexer {mux}: all {len(behind)} fields on it read {reading}"
            found.append(problem(name, words, f"check its supply, its enable pin and its wire to {pins[mux]}"))
        alive = [index for index in self._fields if inputs[index].mux not in dead]
        railed = [index for index in alive if index in self._railed]
        if railed:
            words = f"at an end of the scale: {self._readings(railed)}"
            advice = "as if shorted or not connected: check these Hall sensors, their 5 V and their wires"
            found.append(problem(name, words, advice))
        found += self._at_rest([index for index in alive if index not in railed])
        found += self._tried()
        if not found:
            found.append(ok(name, self._good()))
        return found

    def _good(self) -> str:
        if self.bench.hands:
            return f"{len(self._fields)} sensors: quiet at rest, and each felt both ends of a glass"
        empty = sum(self._standing[index] == {Standing.GONE} for index in self._fields)
        return f"{len(self._fields)} sensors: all quiet, {empty} without a glass"

    def _at_rest(self, sound: list[int]) -> list[Finding]:
        """Rest and noise."""
        name, found = self.part.value, []
        fields = self.bench.known.calibration.fields
        means = [total / max(1, self.snapshots) for total in self._sum]
        # Without a person nobody says that no glass stands there.
        bare = [
            index
            for index in sound
            if self.bench.hands or not self._standing[index] & {Standing.SEATED_A, Standing.SEATED_B}
        ]
        off = [index for index in bare if not LOWEST_REST <= means[index] <= HIGHEST_REST]
        if off:
            words = f"rest outside {LOWEST_REST} to {HIGHEST_REST} on an empty tube: {self._readings(off)}"
            advice = "look for a magnet nearby; else the sensor is of another kind, or its supply is wrong"
            if not self.bench.hands:
                words = f"neither empty nor a seated glass: {self._readings(off)}"
                advice = (
                    "a glass may lean there, or the board is not calibrated; try it: tamsk-hw selftest glasses"
                )
                found.append(warning(name, words, advice))
            else:
                found.append(problem(name, words, advice))
        moved = [
            index
            for index in bare
            if index not in off
            and self.bench.known.is_measured(index)
            and abs(means[index] - fields[index].rest)
            > max(fields[index].noise, REST_SHARE * min(fields[index].end_a, fields[index].end_b))
        ]
        if moved:
            each = (f"{FIELD_NAMES[index]} {means[index]:.0f}, was {fields[index].rest:.0f}" for index in moved)
            advice = "look for a magnet nearby, then tamsk-hw calibrate sensors"
            found.append(warning(name, f"rest not as calibrated: {', '.join(each)}", advice))
        noisy = [
            index for index in sound if self._most[index] - self._least[index] > NOISE_SPAN * fields[index].noise
        ]
        if noisy:
            each = (
                f"{FIELD_NAMES[index]} over {self._most[index] - self._least[index]} steps "
                f"(at most {NOISE_SPAN * fields[index].noise:.0f})"
                for index in noisy
            )
            advice = "check ground, the 1 nF at the sensor and its wires; keep hands off meanwhile"
            found.append(warning(name, f"stray: {', '.join(each)}", advice))
        return found

    def _tried(self) -> list[Finding]:
        """What the person tried."""
        name, found = self.part.value, []
        if self._wrong:
            words = f"came when another one was tried: {self._list(sorted(self._wrong))}"
            advice = "see whether their wires are in each other's place, or correct the wiring map"
            found.append(problem(name, words, advice))
        missing = self._open()
        if not missing or not self._seen:
            return found
        words = f"{self._both()} of {len(self._fields)} felt both ends; not: {listed(self._named(missing))}"
        least = self.bench.configuration.sensing.leaning
        faint = [
            f"{FIELD_NAMES[index]} {100 * self._felt[index]:.0f} %"
            for index in dict(missing)
            if self._felt[index] >= least and not {(index, "A"), (index, "B")} & self._seen
        ]
        if faint:
            words += f" (felt, at most: {', '.join(faint)} of a seated glass)"
        if not self.tried_missing:
            if self.left is None:
                found.append(warning(name, words, "try these, too: tamsk-hw selftest glasses"))
            return found
        ends = {end for _, end in self._seen}
        if len(ends) == 1:
            other = "B" if ends == {"A"} else "A"
            advice = f"end {other} was felt nowhere: see whether that cap has its magnet, and which way round"
        elif faint:
            advice = "calibrate them (tamsk-hw calibrate sensors); else the sensor sits too deep, or askew"
        else:
            advice = "check these Hall sensors, their wires and solder joints"
        found.append(problem(name, words, advice))
        return found

    def _readings(self, indices: list[int]) -> str:
        return listed(
            f"{FIELD_NAMES[index]} ({self._sum[index] / max(1, self.snapshots):.0f})" for index in indices
        )

    def _list(self, indices: list[int]) -> str:
        return listed(FIELD_NAMES[index] for index in indices)
