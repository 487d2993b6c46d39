"""The first step of a walk: measures the empty board, its fields, ring sensors and ring holders."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from tamsk_hw.board.calibration import LEAST_DEFLECTION
from tamsk_hw.board.protocol import (
    FIELDS,
    RING_BITS,
    SELF_TEST_DARK,
    FaultFlag,
    SelfTestReport,
    Settings,
    Snapshot,
)
from tamsk_hw.board.sensor_report import SensingSettings
from tamsk_hw.board.timeline import REFERENCE_READINGS
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.facts.calibration_findings import (
    FieldFault,
    FieldTrouble,
    HolderFault,
    HolderTrouble,
    LevelFault,
    LevelTrouble,
)
from tamsk_hw.game.tubes import PLAYERS, Tube
from tamsk_hw.words.calibration_findings import field_words
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench.readings import field_sensor
from tamsk_hw.workbench.sensor_calibration.measurements import (
    MIDDLE,
    FieldFound,
    HolderFound,
    LevelFound,
    Measurements,
    marks_of,
)
from tamsk_hw.workbench.sensor_calibration.samples import Agreement, Rule
from tamsk_hw.workbench.sensor_calibration.self_tests import SelfTests
from tamsk_hw.workbench.sensor_calibration.step import MeasuringStep
from tamsk_hw.workbench.walk.prompt import Answer, Lit, Prompt

#: A field is at rest when it is quiet within four steps about its mean.
REST = Rule(readings=30, seconds=1.5, margin=8.0, drift=1.0)

#: A load cell is at rest within this many counts of its converter, less than a third of a ring.
WEIGHT = Rule(readings=30, seconds=1.5, margin=1600.0, drift=250.0)

#: Seconds to wait for a sensor that does not come to rest.
PATIENCE = 12.0

#: Seconds for which a ring sensor counts as seeing what it saw.
_REMEMBERED = 0.5

#: The converter's ends of scale: a cell that is not connected.
_HOLDER_RAILS = (-(1 << 23), (1 << 23) - 1)

_SILENT = (FaultFlag.HOLDER_RED_SILENT, FaultFlag.HOLDER_BLACK_SILENT)


class EmptyStep(MeasuringStep):
    """Waits for the start button, then measures the empty board.

    ``fields``, ``tubes`` and ``holders``: the fields, the tubes whose ring sensors, and whether the holders are
    measured. What is still on the board is named; another press of start accepts it.
    """

    def __init__(
        self,
        measurements: Measurements,
        wiring: Wiring,
        settings: SensingSettings,
        *,
        fields: Sequence[int],
        tubes: Sequence[Tube],
        holders: bool,
    ) -> None:
        super().__init__()
        self._measurements = measurements
        self._wiring = wiring
        self._settings = settings
        self._fields = tuple(fields)
        self._tubes = tuple(tubes)
        self._holders = holders
        self._rests = [Agreement(REST) for _ in range(FIELDS)]
        self._weights = [Agreement(WEIGHT) for _ in PLAYERS]
        self._tests = SelfTests()
        self._lit_at = [float("-inf")] * RING_BITS
        self._dark_at = [float("-inf")] * RING_BITS
        self._measuring = False
        self._asked: frozenset[str] = frozenset()
        self._excused: frozenset[str] = frozenset()
        self._present: set[str] = set()
        self._standing: list[int] = []
        self._ringed: list[Tube] = []
        self._blocked: str | None = None
        self._quiet_since: float | None = None
        self._silent = [False, False]

    # ---- what comes in

    def see(self, snapshot: Snapshot, t: float) -> None:
        """Take the board's readings at ``t``."""
        if self.over:
            return
        for bit in range(RING_BITS):
            if snapshot.dark >> bit & 1:
                self._dark_at[bit] = t
            elif snapshot.rings >> bit & 1:
                self._lit_at[bit] = t
        self._look(snapshot, t)
        if not self._measuring:
            return
        if self._blocked is not None or self._present - self._excused:
            self.restart()
            return
        if self._quiet_since is None:
            self._quiet_since = t
        agree = [self._rests[index].see(snapshot.fields[index], t) for index in self._measured_fields]
        self._silent = [
            bool(snapshot.faults & flag) or reading in _HOLDER_RAILS
            for flag, reading in zip(_SILENT, snapshot.holders, strict=True)
        ]
        if self._holders:
            for place, weight in enumerate(self._weights):
                if self._silent[place]:
                    weight.restart()
                agree.append(not self._silent[place] and weight.see(snapshot.holders[place], t))
        enough = t - self._quiet_since >= (PATIENCE if not all(agree) else REST.seconds)
        if enough and (self._tests.done or not self._tubes):
            self._finish()

    def restart(self) -> None:
        """Start again: frames were missed, or something moved."""
        for agreement in (*self._rests, *self._weights):
            agreement.restart()
        self._quiet_since = None
        self._tests.lost()

    def self_test_due(self, t: float) -> bool:
        """True when a self-test is to be started: with no rings on, the sensors should see nothing."""
        return bool(self._tubes) and self._quiet_since is not None and not self.over and self._tests.due(t)

    def report(self, report: SelfTestReport, t: float) -> None:
        """Take the result of a self-test."""
        self._tests.take(report.shortest)

    def answer(self, answer: Answer, t: float) -> None:
        """Begin; or accept what is still on the board."""
        present = frozenset(self._present)
        if present <= self._asked:
            self._excused = present
            self._measuring = True
        self._asked = present

    # ---- what stands there

    def _look(self, snapshot: Snapshot, t: float) -> None:
        """Find what should not be on the board; `answer` may accept it."""
        present: set[str] = set()
        self._standing, self._ringed, self._blocked = [], [], None
        if self._fields:
            readings = {index: snapshot.fields[index] for index in self._wiring.fields}
            middle = median(readings.values())
            rail = self._settings.rail
            for index, reading in readings.items():
                if rail < reading < 255 - rail and abs(reading - middle) > LEAST_DEFLECTION:
                    self._standing.append(index)
                    present.add(f"field {index}")
            self._look_at_references(snapshot)
        lights: list[str] = []
        rings: list[str] = []
        for tube in self._tubes:
            for level, bit in enumerate(self._wiring.ring_bits[tube], 1):
                if t - self._dark_at[bit] < _REMEMBERED:
                    lights.append(f"{tube}.{level}")
                    present.add(f"bit {bit}")
                elif t - self._lit_at[bit] < _REMEMBERED:
                    rings.append(f"{tube}.{level}")
                    present.add(f"bit {bit}")
                    if tube not in self._ringed:
                        self._ringed.append(tube)
        self._lights, self._rings_seen = lights, rings
        self._present = present

    def _look_at_references(self, snapshot: Snapshot) -> None:
        margin = self._settings.reference_margin
        if any(
            abs(reading - due) > margin
            for reading, due in zip(snapshot.references, REFERENCE_READINGS, strict=True)
        ):
            read = ", ".join(map(str, snapshot.references))
            due = ", ".join(map(str, REFERENCE_READINGS))
            self._blocked = (
                f"The three references read {read} and not {due}: a multiplexer or one of its select lines is "
                "broken, and no field can be believed. Mend that first."
            )

    # ---- what is shown

    def prompt(self) -> Prompt:
        """Say what to take off the board, and what is still on it."""
        title = "Empty board"
        things = ["glasses", "the timer"] if self._fields else []
        things += ["rings"] if self._tubes else []
        off = f"Take {_and(things)} off the board" if things else ""
        holders = "empty both ring holders" if self._holders else ""
        words = f"{off} and {holders}" if off and holders else off or holders.capitalize()
        marks = marks_of(dict.fromkeys([*self._standing, *self._ringed], Lit.WRONG))
        trouble = self._trouble()
        if self._measuring and not trouble:
            return Prompt(title=title, words="The empty board is measured: hands off", marks=marks)
        wait = self._present - self._excused
        return Prompt(
            title=title,
            words=f"{words}, then press start" if not self._measuring else words,
            trouble=trouble,
            marks=marks,
            awaits_start=not self._measuring or bool(wait),
        )

    def _trouble(self) -> str:
        if self._blocked is not None:
            return self._blocked
        left = self._present - self._excused
        if not left:
            return ""
        words = []
        if self._standing:
            places = [field_words(field_sensor(index)) for index in self._standing]
            words.append(f"Something is felt at {some_of(places, 6)}.")
        if self._rings_seen:
            words.append(f"A ring is seen at {some_of(self._rings_seen, 6)} (level counted from the bottom).")
        if self._lights:
            words.append(f"Light falls on {some_of(self._lights, 6)}: shade the board.")
        more = "Press start again to go on all the same: these sensors are then named as bad."
        return " ".join([*words, more] if left <= self._asked else words)

    # ---- the end

    @property
    def _measured_fields(self) -> tuple[int, ...]:
        return self._wiring.fields if self._fields else ()

    def _finish(self) -> None:
        self.over = True
        self.taken += 1
        measurements = self._measurements
        for index in self._measured_fields:
            sample = self._rests[index].sample
            if sample is not None:
                measurements.baseline[index] = sample.mean
            else:
                measurements.baseline.setdefault(index, MIDDLE)
        for index in self._fields:
            found = measurements.fields.setdefault(index, FieldFound())
            agreement = self._rests[index]
            found.rest, found.trouble = agreement.sample, None
            if agreement.sample is None:
                found.trouble = FieldTrouble(FieldFault.JUMPS_EMPTY, (agreement.unrest,))
                continue
            mean = agreement.sample.mean
            if f"field {index}" in self._excused:
                found.trouble = FieldTrouble(FieldFault.OFF_REST, (mean,))
            elif not self._settings.rail < mean < 255 - self._settings.rail:
                found.trouble = FieldTrouble(FieldFault.END_OF_SCALE, (mean,))
        for tube in self._tubes:
            measurements.levels[tube] = [self._level(bit) for bit in self._wiring.ring_bits[tube]]
        if self._holders:
            for place, player in enumerate(PLAYERS):
                holder = measurements.holders.setdefault(player, HolderFound())
                holder.empty, holder.trouble = self._weights[place].sample, None
                if self._silent[place]:
                    holder.trouble = HolderTrouble(HolderFault.SILENT)
                elif holder.empty is None:
                    holder.trouble = HolderTrouble(HolderFault.JUMPS_EMPTY, self._weights[place].unrest)

    def _level(self, bit: int) -> LevelFound:
        phantom = self._tests.phantom_of(bit)
        found = LevelFound(bare=phantom)
        if f"bit {bit}" in self._excused:
            dazzled = self._dark_at[bit] > self._lit_at[bit]
            fault = LevelFault.DAZZLED_OR_SHORTED if dazzled else LevelFault.PHANTOM
            found.bare_trouble = LevelTrouble(fault)
        elif phantom == SELF_TEST_DARK:
            found.bare_trouble = LevelTrouble(LevelFault.DAZZLED)
        elif 0 < phantom <= Settings().light_time:
            found.bare_trouble = LevelTrouble(LevelFault.PHANTOM_LIT, phantom)
        return found


def _and(things: list[str]) -> str:
    return things[0] if len(things) == 1 else f"{', '.join(things[:-1])} and {things[-1]}"
