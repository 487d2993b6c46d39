"""The test of one finished tube at a simulated board: what is built wrong is found and named."""

import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from tamsk_hw.board.wiring import expected_of
from tamsk_hw.commands.main import main
from tamsk_hw.errors import Finding, Severity
from tamsk_hw.game.tubes import CAPACITY, Tube
from tamsk_hw.simulator.faults import fault_of
from tamsk_hw.simulator.sensors import FULL_DEFLECTION, STRAY
from tamsk_hw.simulator.things import FIRST_PLACE
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING
from tamsk_hw.workbench.parts import IDLE, Part
from tamsk_hw.workbench.ring_step import NO_SIGNALS
from tamsk_hw.workbench.selftest import SelfTestWalk
from tamsk_hw.workbench.tube import Stage, TubeStep
from tamsk_hw.workbench.walk import Answer
from tests.boards import SEVEN_MAP
from tests.disturbances.sensors import set_magnets
from tests.workbench.boards import WIRING, setup_of
from tests.workbench.selftest_bench import RED, Trial


class TubeTrial(Trial):
    """A person who does what is asked at one tube, built in some way."""

    def __init__(
        self,
        tube: Tube = Tube.D4,
        *,
        recess: dict[int, float] | None = None,
        counts: dict[int, float] | None = None,
        magnets: tuple[float, float] = (1.0, 1.0),
        stray: float = STRAY,
    ) -> None:
        """``recess`` (mm) and ``counts`` of a ring that is far by level from 0; all other sensors give 48."""
        super().__init__()
        finished = tube, expected_of(WIRING)
        self.test = SelfTestWalk(setup_of(), [Part.BOARD, Part.TUBE], 0.0, finished=finished)
        self.tube = tube
        first = FIRST_PLACE[tube]
        for level, depth in (recess or {}).items():
            self.board.put_fault(fault_of(f"recess {tube}.{level + 1} {depth:g}"))
        sensors = self.board.sensors
        sensors.stray = stray
        for level in range(CAPACITY[tube]):
            sensors.ring_counts[first + level] = (counts or {}).get(level, 48.0)
        sensors.full[tube] = FULL_DEFLECTION
        set_magnets(self.world, [magnets] * 7)
        self.until(lambda: isinstance(self.test.step, TubeStep))

    @property
    def step(self) -> TubeStep:
        assert isinstance(self.test.step, TubeStep)
        return self.test.step

    def go(self, *, until: Stage | None = None) -> None:
        """Do all that is asked, up to this stage."""
        while not self.test.over and self.step.stage != until:
            stage = self.step.stage
            self.do_stage(stage)
            self.answer(Answer.YES)
            self.until(lambda stage=stage: self.test.over or self.step.stage != stage)

    def do_stage(self, stage: Stage) -> None:
        match stage[0]:
            case "empty":
                pass
            case "near":
                self.do(lambda world: world.drop(RED, self.tube))
                self.board.sensors.push_rings(near=True)
            case "far":
                self.board.sensors.push_rings(near=False)
            case "first_end":
                self.do(lambda world: world.place(RED, self.tube))
            case "second_end":
                self.do(lambda world: world.lift(RED, self.tube))
                self.do(lambda world: world.seat(RED, self.tube, turned=True))
            case "beside":
                (beside,) = (tube for tube in WIRING.tubes if tube.name in self.test.prompt.marks)
                self.do(lambda world: world.lift(RED, self.tube))
                self.do(lambda world: world.seat(RED, beside, turned=False))

    # ---- found

    def found(self, subject: str) -> Finding:
        """The last finding on a subject that is no sound one, else the sound one."""
        found = [each for each in self.test.findings() if each.subject == subject]
        return next((each for each in reversed(found) if each.severity is not OK), found[-1])

    def causes(self) -> list[str]:
        """The verdict on each level, with what was read."""
        levels = [f"{self.tube}.{level}" for level in range(1, CAPACITY[self.tube] + 1)]
        return [each.cause for each in self.test.findings() if each.subject in levels]


SEEN = "ring near: 63 counts (expected 22 to 160, typically 71); far: 48 counts (expected 18 to 97"


def test_a_sound_tube_is_within_all_that_is_expected() -> None:
    trial = TubeTrial(Tube.D4)
    trial.go()
    assert trial.wrong() == []
    causes = trial.causes()
    assert len(causes) == CAPACITY[Tube.D4]
    assert all(each.startswith(SEEN) for each in causes)
    fields = [each.cause for each in trial.test.findings() if each.subject == "glass D4"]
    steps = re.match(r"rest \d+, end A \+(\d+), end B -(\d+) steps", fields[0])
    assert steps
    assert [int(each) for each in steps.groups()] == pytest.approx([67, 67], abs=1.5)
    assert "moves it by" in fields[1]
    assert "measured by nobody yet" in trial.found("tube D4").cause


WEAK = dict.fromkeys(range(4), 24.0)
DEEP = dict.fromkeys(range(4), 2.0)


@pytest.mark.parametrize(
    ("built", "level", "severity", "cause", "advice"),
    [
        (
            {"recess": {1: 0.25}, "counts": {1: 30.0}},
            2,
            PROBLEM,
            "recess too shallow, a near ring",
            "sink the sensor",
        ),
        ({"recess": {0: 0.45}}, 1, WARNING, "recess too shallow", "until it is 0.8 mm"),
        ({"recess": DEEP, "counts": WEAK | {3: 10.0}}, 4, PROBLEM, "recess too deep", "bring it forward"),
        ({"counts": {2: 17.0}}, 3, WARNING, "sees less light than the weakest", ""),
        ({"counts": {2: 12.0}}, 3, PROBLEM, "sees less light than the weakest", "swap it"),
        ({"counts": {2: 19.0}}, 3, OK, "ring near: 25 counts", ""),
        ({"recess": {3: 6.0}}, 4, PROBLEM, "sees its ring neither near nor far", "recess (0.8 mm)"),
        ({"recess": {3: 0.3}}, 4, PROBLEM, "sees the ring below, ", "raise"),
    ],
)
def test_a_level_that_is_built_wrong_is_found_and_named(
    built: dict[str, Any], level: int, severity: Severity, cause: str, advice: str
) -> None:
    trial = TubeTrial(**built)
    trial.go()
    finding = trial.found(f"D4.{level}")
    assert finding.severity is severity
    assert finding.cause.startswith(cause)
    assert advice in finding.advice
    sound = [each.startswith("ring near: ") for each in trial.causes()]
    if built.get("recess") is DEEP:
        assert not any(sound), "all levels of a slot that is too deep are called so"
    elif severity is not OK:
        assert sound.count(False) == 1, "the others are sound"


@pytest.mark.parametrize(
    ("built", "severity", "cause", "advice"),
    [
        ({"magnets": (0.75, 0.75)}, WARNING, "right for an SS49E only", "with an SS49E nothing"),
        ({"magnets": (0.3, 0.3)}, PROBLEM, "field too weak", "as weak, measure the floor"),
        ({"magnets": (1.45, 1.45)}, PROBLEM, "field too strong", "as strong, measure the floor"),
        ({"magnets": (1.1, 0.9)}, WARNING, "end B is ", "glue this glass's magnets again"),
        ({"magnets": (1.0, -1.0)}, PROBLEM, "both ends move it the same way", "turn one cap's magnet over"),
        ({"magnets": (0.05, 0.05)}, PROBLEM, "the glass is not felt", "a magnet in each cap"),
        ({"stray": -6.0}, PROBLEM, "a glass in ", "measure the distance"),
    ],
)
def test_a_wrong_magnet_and_a_neighbour_that_is_too_near_are_found(
    built: dict[str, Any], severity: Severity, cause: str, advice: str
) -> None:
    trial = TubeTrial(Tube.A1, **built)
    trial.go()
    finding = trial.found("glass A1")
    assert (finding.severity, finding.cause.startswith(cause)) == (severity, True)
    assert advice in finding.advice


def test_the_neighbour_may_be_left_out_and_a_measurement_taken_once_more() -> None:
    trial = TubeTrial(Tube.A1)
    trial.go(until=("far", 1))
    trial.answer(Answer.BACK)
    assert trial.step.stage == ("near", 1)
    trial.answer(Answer.YES)
    trial.until(lambda: trial.step.stage == ("far", 1))
    trial.go(until=("beside", 1))
    trial.answer(Answer.NO)
    trial.until_over(1)
    assert trial.wrong() == []
    assert not any("moves it by" in each.cause for each in trial.test.findings())


def test_a_cable_that_is_cut_on_the_way_is_told_and_what_was_read_is_judged() -> None:
    trial = TubeTrial(Tube.A1)
    trial.go(until=("first_end", 1))
    trial.answer(Answer.YES)
    trial.board.go_silent()
    trial.until(lambda: trial.test.prompt.trouble != "", within=10)
    assert not trial.step.measures
    trial.answer(Answer.YES)
    assert not trial.step.measures
    trial.until_over(IDLE + 10)
    assert [each.subject for each in trial.wrong()] == ["tube", "link"]
    assert trial.causes()[0].startswith(SEEN)
    assert not any(each.subject == "glass A1" for each in trial.test.findings())


def test_a_board_that_reports_no_signals_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    trial = TubeTrial(Tube.A1)
    monkeypatch.setattr(trial.step, "on_signals", lambda told: None)
    trial.answer(Answer.YES)
    trial.until_over(20)
    assert NO_SIGNALS in trial.wrong()
    assert trial.causes() == []


# ---- the command


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--tube", "D4", "rings"], "--tube stands alone"),
        (["--tube", "D4", "--no-hands"], "--tube stands alone"),
        (["--tube", "D9"], "D9; allowed is a tube"),
        (["--tube", "A1"], "--tube: A1; allowed are C3"),
    ],
)
def test_what_cannot_be_tested_is_refused(arguments: list[str], words: str, configuration: Path) -> None:
    """The board has seven tubes."""
    configuration.write_text(f'[board]\nwiring = "{SEVEN_MAP}"\n[ruleset]\nstart = "free"\n', encoding="utf-8")
    result = CliRunner().invoke(main, ["selftest", *arguments, "--port", "nowhere"])
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())
