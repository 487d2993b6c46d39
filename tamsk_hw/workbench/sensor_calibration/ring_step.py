"""The rings' step of a walk: all tubes are filled, and self-tests measure the light that each sensor needs."""

from __future__ import annotations

from collections.abc import Sequence

from tamsk_hw.board.protocol import (
    RING_BITS,
    SELF_TEST_DARK,
    SELF_TEST_UNSEEN,
    FaultFlag,
    SelfTestReport,
    Settings,
    Snapshot,
)
from tamsk_hw.board.wiring import Wiring
from tamsk_hw.facts.calibration_findings import LevelFault, LevelTrouble
from tamsk_hw.game.tubes import CAPACITY, TUBES, Tube
from tamsk_hw.words.translating import some_of
from tamsk_hw.workbench.sensor_calibration.measurements import LevelFound, Measurements, marks_of
from tamsk_hw.workbench.sensor_calibration.self_tests import SelfTests
from tamsk_hw.workbench.sensor_calibration.step import MeasuringStep
from tamsk_hw.workbench.walk.prompt import Answer, Lit, Prompt

#: Seconds for which a ring counts as seen: a weak sensor loses it for a moment.
_REMEMBERED = 0.3

#: Seconds for which all rings must be seen before the self-tests begin by themselves.
STEADY = 1.0


class RingStep(MeasuringStep):
    """Waits until every sensor of ``tubes`` sees a ring, or start is pressed, then has the light time swept."""

    def __init__(self, measurements: Measurements, wiring: Wiring, tubes: Sequence[Tube]) -> None:
        super().__init__()
        self._measurements = measurements
        self._wiring = wiring
        self._tubes = tuple(tubes)
        self._seen_at = [float("-inf")] * RING_BITS
        self._missing: dict[Tube, list[int]] = {tube: list(range(CAPACITY[tube])) for tube in self._tubes}
        self._full_since: float | None = None
        self._asked = False
        self._testing = False
        self._tests = SelfTests()

    def see(self, snapshot: Snapshot, t: float) -> None:
        """Take the board's readings at ``t``."""
        if self.over:
            return
        if not snapshot.faults & FaultFlag.SELF_TEST:
            self._look(snapshot, t)
        if self._tests.done:
            self._finish()

    def restart(self) -> None:
        """Start again: frames were missed, and the self-tests must follow one another."""
        self._full_since = None
        self._tests.lost()

    def self_test_due(self, t: float) -> bool:
        """True when a self-test is to be started."""
        return self._testing and not self.over and self._tests.due(t)

    def report(self, report: SelfTestReport, t: float) -> None:
        """Take the result of a self-test."""
        self._tests.take(report.shortest)

    def answer(self, answer: Answer, t: float) -> None:
        """Go on: the rings are there, seen or not."""
        if not any(self._missing.values()) or self._asked:
            self._testing = True
        self._asked = True

    def prompt(self) -> Prompt:
        """Ask for the rings that are missing."""
        title = "Rings"
        missing = {int(tube): Lit.MISSING for tube, levels in self._missing.items() if levels}
        marks = marks_of({int(tube): Lit.DONE for tube in self._tubes} | missing)
        if self._testing:
            return Prompt(title=title, words="The ring sensors are tested: hands off", marks=marks)
        if self._tubes == TUBES:
            words = "Fill all tubes with the 64 rings: 1 on each tube of the edge, then 2, 3, and 4 in the middle"
        else:
            words = "Fill with rings: " + " ".join(f"{tube} ({CAPACITY[tube]})" for tube in self._tubes)
        if not self._asked:
            return Prompt(title=title, words=words, marks=marks)
        names = [f"{tube}.{level + 1}" for tube, levels in self._missing.items() for level in levels]
        trouble = ""
        if names:
            trouble = (
                f"No ring is seen at {some_of(names, 8)} (tube.level, 1 is the lowest). If the rings are "
                "there, press start again: these sensors are then tried with more light."
            )
        return Prompt(title=title, words=words, trouble=trouble, marks=marks, awaits_start=bool(trouble))

    def _look(self, snapshot: Snapshot, t: float) -> None:
        for bit in range(RING_BITS):
            if snapshot.rings >> bit & 1 and not snapshot.dark >> bit & 1:
                self._seen_at[bit] = t
        for tube in self._tubes:
            bits = self._wiring.ring_bits[tube]
            self._missing[tube] = [level for level, bit in enumerate(bits) if t - self._seen_at[bit] > _REMEMBERED]
        if any(self._missing.values()):
            self._full_since = None
        elif self._full_since is None:
            self._full_since = t
        if self._full_since is not None and t - self._full_since >= STEADY:
            self._testing = True

    def _finish(self) -> None:
        # What needs more than the snapshots' light is not in them; the self-tests have given it.
        given = Settings().light_time
        self.over = True
        self.taken += 1
        for tube in self._tubes:
            bits = self._wiring.ring_bits[tube]
            levels = self._measurements.levels.setdefault(tube, [LevelFound() for _ in bits])
            for level, (found, bit) in enumerate(zip(levels, bits, strict=True)):
                found.covered = self._tests.seen_by(bit)
                found.covered_trouble = None
                if found.covered == SELF_TEST_DARK:
                    found.covered_trouble = LevelTrouble(LevelFault.DAZZLED_WITH_RING)
                elif found.covered == SELF_TEST_UNSEEN or (
                    level in self._missing[tube] and found.covered <= given
                ):
                    found.covered = SELF_TEST_UNSEEN
                    found.covered_trouble = LevelTrouble(LevelFault.UNSEEING)
