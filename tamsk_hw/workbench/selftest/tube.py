"""Test of one finished tube: rings near and far, a glass on both ends, a glass beside it. Nothing is saved."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final, assert_never

from tamsk_hw.board.protocol import FaultFlag, SelfTestReport, Snapshot
from tamsk_hw.facts.findings import Finding
from tamsk_hw.facts.selftest_findings import LeftBecause, Part, SweepUnanswered
from tamsk_hw.facts.tube_findings import FiguresCalculated
from tamsk_hw.game.tubes import CAPACITY, NEIGHBOURS
from tamsk_hw.workbench.selftest.step import IDLE, Bench, PartStep
from tamsk_hw.workbench.selftest.tube_judging import TubeReadings, judge_field, judge_levels, judge_neighbour
from tamsk_hw.workbench.sensor_calibration.self_tests import SelfTests
from tamsk_hw.workbench.walk.prompt import Answer, Lit, Mark, Marks, Prompt

#: Seconds of which a field's mean is taken, and snapshots that it needs.
MEAN_SECONDS: Final = 1.0
LEAST_SNAPSHOTS: Final = 5

#: Seconds that one measurement may take.
MEASURED_WITHIN: Final = 10.0


class StageKind(Enum):
    """The stages of the test."""

    EMPTY = "empty"
    NEAR = "near"
    """Some rings on the tube, pushed against the sensors' side."""
    FAR = "far"
    """All rings, pushed away from it."""
    FIRST_END = "first_end"
    SECOND_END = "second_end"
    BESIDE = "beside"


#: Stages that measure light, and stages that measure the field.
_LIGHT: Final = frozenset({StageKind.EMPTY, StageKind.NEAR, StageKind.FAR})
_FIELD: Final = frozenset(StageKind) - {StageKind.NEAR, StageKind.FAR}


@dataclass(frozen=True, slots=True)
class Stage:
    """One request to the person, and a measurement; ``rings`` lie on the tube."""

    kind: StageKind
    rings: int = 0


class TubeStep(PartStep):
    """Leads through the stages of `FinishedTube`; each begins when the person says that all is as asked."""

    part = Part.TUBE

    def __init__(self, bench: Bench) -> None:
        super().__init__(bench)
        if bench.finished is None:
            raise ValueError("the part TUBE needs a finished tube")
        self._tube, self._expected = bench.finished.tube, bench.finished.expected
        self._bits = bench.wiring.ring_bits[self._tube]
        self._levels = CAPACITY[self._tube]
        fitted = [tube for tube in NEIGHBOURS[self._tube] if tube in bench.wiring.tubes]
        self._neighbour = fitted[0] if fitted else None
        self._stages = [
            Stage(StageKind.EMPTY),
            *(Stage(StageKind.NEAR, rings) for rings in range(1, self._levels + 1)),
            Stage(StageKind.FAR, self._levels),
            Stage(StageKind.FIRST_END, self._levels),
            Stage(StageKind.SECOND_END, self._levels),
            *([Stage(StageKind.BESIDE, self._levels)] if fitted else []),
        ]
        self._at = 0
        self.readings = TubeReadings()
        self._unanswered = False
        self._measures_since: float | None = None
        self._tests = SelfTests()
        self._fields: list[int] = []

    @property
    def stage(self) -> Stage:
        """The present stage."""
        return self._stages[min(self._at, len(self._stages) - 1)]

    @property
    def measures(self) -> bool:
        """A measurement runs; otherwise the person is asked."""
        return self._measures_since is not None

    # ---- what comes in

    def see(self, snapshot: Snapshot, t: float) -> None:
        """Take the tube's field."""
        if self.measures and not snapshot.faults & FaultFlag.SELF_TEST:
            self._fields.append(snapshot.fields[self._tube])

    def self_test_due(self, t: float) -> bool:
        """True when the board is to test its ring sensors now; asked for once."""
        return self.measures and self.stage.kind in _LIGHT and self._tests.due(t)

    def report(self, report: SelfTestReport, t: float) -> None:
        """Take the result of the board's sweep of the light time."""
        if self.measures:
            self._tests.take(report.shortest)

    def answer(self, answer: Answer, t: float) -> None:
        """Measure, leave the neighbour out, or go back to the stage before."""
        if self.measures or not self.bench.board.connected:
            return
        self.since = t
        match answer:
            case Answer.YES:
                self._measures_since, self._fields, self._tests = t, [], SelfTests()
            case Answer.NO if self.stage.kind is StageKind.BESIDE:
                self.over = True
            case Answer.BACK:
                self._at = max(0, self._at - 1)
            case _:
                pass

    def advance(self, t: float) -> None:
        """End a measurement, or give the part up."""
        if self.over:
            return
        if self.bench.board.away is not None:
            self._measures_since = None  # things may have changed meanwhile: the person is asked again
        if self._measures_since is None:
            if not self.bench.can_answer:
                self.leave(LeftBecause.NOBODY_CAN_ANSWER)
            elif t >= self.since + IDLE:
                self.leave(LeftBecause.NOBODY_ANSWERED, seconds=IDLE)
            return
        kind = self.stage.kind
        swept = kind not in _LIGHT or self._tests.done
        felt = kind not in _FIELD or (
            t >= self._measures_since + MEAN_SECONDS and len(self._fields) >= LEAST_SNAPSHOTS
        )
        if swept and felt:
            self._take(self.stage)
            self._measures_since, self.since = None, t
            self._at += 1
            self.over = self._at == len(self._stages)
        elif t >= self._measures_since + MEASURED_WITHIN:
            self._unanswered = not swept
            self.leave(LeftBecause.FEW_SNAPSHOTS, seconds=MEASURED_WITHIN, snapshots=len(self._fields))

    def _take(self, stage: Stage) -> None:
        """Keep what the stage measured."""
        readings, tests = self.readings, self._tests
        moved = 0.0 if readings.rest is None else self._mean() - readings.rest
        match stage.kind:
            case StageKind.EMPTY:
                readings.empty = [tests.phantom_of(bit) for bit in self._bits]
                readings.rest = self._mean()
            case StageKind.NEAR if stage.rings < self._levels:
                readings.above[stage.rings] = tests.phantom_of(self._bits[stage.rings])
            case StageKind.NEAR:
                readings.near = [tests.seen_by(bit) for bit in self._bits]
            case StageKind.FAR:
                readings.far = [tests.seen_by(bit) for bit in self._bits]
            case StageKind.FIRST_END:
                readings.first = moved
            case StageKind.SECOND_END:
                readings.second = moved
            case StageKind.BESIDE:
                readings.beside = moved
            case _:
                assert_never(stage.kind)

    def _mean(self) -> float:
        return sum(self._fields) / max(1, len(self._fields))

    # ---- what comes out

    def prompt(self) -> Prompt:
        """Ask for what the stage measures."""
        title = f"Tube {self._tube}"
        progress = f"{min(self._at + 1, len(self._stages))} of {len(self._stages)}"
        if self.measures:
            return Prompt(title=title, words="Measuring: hands off.", marks=self._marks(), progress=progress)
        answers = {Answer.YES: "it is so, measure"}
        if self.stage.kind is StageKind.BESIDE:
            answers[Answer.NO] = f"there is no tube at {self._neighbour}, end"
        if self._at:
            answers[Answer.BACK] = "the measurement before once more"
        return Prompt(title=title, words=self._words(), answers=answers, marks=self._marks(), progress=progress)

    def _words(self) -> str:
        tube, stage = self._tube, self.stage
        match stage.kind:
            case StageKind.EMPTY:
                return f"Take rings and glass off {tube}, and glasses from around it. Switch lamps over it off."
            case StageKind.NEAR:
                rings = "a ring" if stage.rings == 1 else "another ring"
                return (
                    f"Put {rings} on {tube}, so that {stage.rings} of {self._levels} are there. Push all against "
                    "the side of the sensors (east, towards column G); no finger above them."
                )
            case StageKind.FAR:
                return f"Push all rings on {tube} the other way, away from the sensors."
            case StageKind.FIRST_END:
                return f"Stand a glass in {tube}, any end down."
            case StageKind.SECOND_END:
                return f"Turn the glass in {tube} over and stand it there again."
            case StageKind.BESIDE:
                return f"Take the glass out of {tube} and stand it in {self._neighbour}."
            case _:
                assert_never(stage.kind)

    def _marks(self) -> Marks:
        """The level whose ring is missing, or where the glass goes."""
        stage = self.stage
        if stage.kind is StageKind.BESIDE and self._neighbour is not None:
            return {self._neighbour.name: (Lit.HERE,)}
        if stage.kind in (StageKind.FIRST_END, StageKind.SECOND_END):
            return {self._tube.name: (Lit.HERE if stage.kind is StageKind.FIRST_END else Lit.TURN,)}
        wanted = stage.rings - 1 if stage.kind is StageKind.NEAR and not self.measures else None
        rest = Mark.NOW if self.measures else Mark.WAITING
        return {self._tube.name: tuple(Lit.MISSING if at == wanted else rest for at in range(self._levels))}

    def findings(self) -> list[Finding]:
        """The judgement on all that was measured."""
        readings, expected = self.readings, self._expected
        found: list[Finding] = [*self.unfinished(), FiguresCalculated(self._tube)]
        if self._unanswered:
            found.append(SweepUnanswered())
        found += judge_levels(self._tube, readings, expected, self.bench.known.light_time)
        found += judge_field(self._tube, readings, expected)
        found += judge_neighbour(self._tube, self._neighbour, readings, expected)
        return found
