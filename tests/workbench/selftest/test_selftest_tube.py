"""The test of one finished tube at a simulated board: what is built wrong is found and named."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from tamsk_hw.board.wiring_map import expected_of
from tamsk_hw.commands.main import main
from tamsk_hw.facts.selftest_findings import LinkWasLost, Part, PartUnfinished
from tamsk_hw.facts.severity import Severity
from tamsk_hw.facts.tube_findings import (
    FieldTested,
    FiguresCalculated,
    HallVerdict,
    LevelTested,
    NeighbourTested,
    RingVerdict,
)
from tamsk_hw.game.tubes import CAPACITY, Tube
from tamsk_hw.simulator.faults import SensorRecess
from tamsk_hw.simulator.matter import FIRST_PLACE
from tamsk_hw.simulator.sensors import FULL_DEFLECTION, STRAY, Push
from tamsk_hw.workbench.selftest.step import IDLE, FinishedTube
from tamsk_hw.workbench.selftest.tube import Stage, StageKind, TubeStep
from tamsk_hw.workbench.selftest.walk import SelfTestWalk
from tamsk_hw.workbench.walk.prompt import Answer
from tests.workbench.boards import WIRING
from tests.workbench.selftest.selftest_bench import RED, Trial
from tests.workbench.worded import line_of

OK, WARNING, PROBLEM = Severity.OK, Severity.WARNING, Severity.PROBLEM


class TubeTrial(Trial):
    """A person who does what is asked at one tube, built in some way."""

    def __init__(
        self,
        tube: Tube = Tube.D4,
        *,
        recess: dict[int, float] | None = None,
        needs: dict[int, float] | None = None,
        magnets: tuple[float, float] = (1.0, 1.0),
        stray: float = STRAY,
    ) -> None:
        """``recess`` (mm) and ``needs`` (µs) by level from 0; all other sensors need 100 µs."""
        super().__init__()
        self.bench.finished = FinishedTube(tube, expected_of(WIRING))
        self.test = SelfTestWalk(self.bench, [Part.BOARD, Part.TUBE], "/dev/board", 0.0)
        self.tube = tube
        first = FIRST_PLACE[tube]
        for level, depth in (recess or {}).items():
            self.board.put_fault(SensorRecess(tube, level, depth))
        sensors = self.board.sensors
        sensors.bring_nearer(stray)
        for level in range(CAPACITY[tube]):
            sensors.light_needed[first + level] = (needs or {}).get(level, 100.0)
        sensors.full[tube] = FULL_DEFLECTION
        self.world.set_magnets([magnets] * len(self.world.magnets))
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
        match stage.kind:
            case StageKind.EMPTY:
                pass
            case StageKind.NEAR:
                self.do(lambda world: world.drop_ring(RED, self.tube))
                self.board.sensors.push_rings(Push.AGAINST)
            case StageKind.FAR:
                self.board.sensors.push_rings(Push.AWAY)
            case StageKind.FIRST_END:
                self.do(lambda world: world.place(RED, self.tube))
            case StageKind.SECOND_END:
                self.do(lambda world: world.lift(RED, self.tube))
                self.do(lambda world: world.seat(RED, self.tube, turned=True))
            case StageKind.BESIDE:
                (beside,) = (tube for tube in WIRING.tubes if tube.name in self.test.prompt.marks)
                self.do(lambda world: world.lift(RED, self.tube))
                self.do(lambda world: world.seat(RED, beside, turned=False))

    # ---- found

    def levels(self) -> list[LevelTested]:
        return [each for each in self.test.findings() if isinstance(each, LevelTested)]

    def verdicts(self) -> list[RingVerdict]:
        return [each.verdict for each in self.levels()]

    def field(self) -> FieldTested:
        (found,) = (each for each in self.test.findings() if isinstance(each, FieldTested))
        return found

    def beside(self) -> NeighbourTested:
        (found,) = (each for each in self.test.findings() if isinstance(each, NeighbourTested))
        return found


SOUND = RingVerdict.SOUND


@pytest.mark.parametrize("tube", [Tube.D4, Tube.A1, Tube.B2])
def test_a_sound_tube_is_within_all_that_is_expected(tube: Tube) -> None:
    trial = TubeTrial(tube)
    trial.go()
    assert trial.wrong() == []
    assert trial.verdicts() == [SOUND] * CAPACITY[tube]
    assert {(level.near, level.far) for level in trial.levels()} == {(90, 120)}
    assert trial.field().end_a == pytest.approx(67, abs=1.5)
    assert trial.field().end_b == pytest.approx(-67, abs=1.5)
    assert trial.beside().steps < 2
    assert [each for each in trial.test.findings() if isinstance(each, FiguresCalculated)]


def test_a_shallow_recess_shows_as_a_near_ring_that_is_seen_worse_than_a_far_one() -> None:
    trial = TubeTrial(recess={1: 0.3})
    trial.go()
    assert trial.verdicts() == [SOUND, RingVerdict.SHALLOW, SOUND, SOUND]
    level = trial.levels()[1]
    assert (level.near, level.far > 0, level.severity) == (0, True, PROBLEM)
    line = line_of(level)
    assert line.subject == "D4.2"
    assert "recess too shallow" in line.words
    assert "ring near: not seen (expected " in line.words
    assert "sink the sensor" in line.advice
    assert "0.8 mm" in line.advice


def test_a_recess_that_is_little_too_shallow_is_a_warning() -> None:
    trial = TubeTrial(recess={0: 0.45}, needs={0: 60.0})
    trial.go()
    level = trial.levels()[0]
    assert (level.verdict, level.severity) == (RingVerdict.SHALLOW, WARNING)
    assert level.near > level.far > 0


def test_a_deep_slot_shows_on_all_levels() -> None:
    trial = TubeTrial(recess=dict.fromkeys(range(4), 2.0), needs=dict.fromkeys(range(4), 60.0))
    trial.go()
    assert trial.verdicts() == [RingVerdict.DEEP] * 4
    assert {level.severity for level in trial.levels()} == {PROBLEM}
    assert "recess too deep" in line_of(trial.levels()[0]).words


def test_a_slot_so_deep_that_some_see_nothing_is_still_called_deep() -> None:
    trial = TubeTrial(recess=dict.fromkeys(range(4), 2.0), needs=dict.fromkeys(range(3), 60.0) | {3: 200.0})
    trial.go()
    assert trial.levels()[3].near == trial.levels()[3].far == 0
    assert trial.verdicts() == [RingVerdict.DEEP] * 4


@pytest.mark.parametrize(("need", "severity"), [(240.0, PROBLEM), (205.0, PROBLEM), (300.0, PROBLEM)])
def test_a_weak_sensor_is_named_alone(need: float, severity: Severity) -> None:
    trial = TubeTrial(needs={2: need})
    trial.go()
    assert trial.verdicts() == [SOUND, SOUND, RingVerdict.NEEDY, SOUND]
    assert trial.levels()[2].severity is severity
    assert "swap it" in line_of(trial.levels()[2]).advice


def test_a_sensor_that_needs_the_worst_expected_is_sound() -> None:
    trial = TubeTrial(needs={2: 190.0})
    trial.go()
    assert trial.verdicts() == [SOUND] * 4


def test_a_sensor_that_sees_nothing_is_not_called_weak() -> None:
    trial = TubeTrial(recess={3: 6.0})
    trial.go()
    assert trial.verdicts() == [SOUND, SOUND, SOUND, RingVerdict.BLIND]


def test_a_strong_sensor_that_sees_the_ring_below_is_found() -> None:
    trial = TubeTrial(recess={3: 0.3}, needs={3: 20.0})
    trial.go()
    assert trial.verdicts() == [SOUND, SOUND, SOUND, RingVerdict.BELOW_SEEN]
    level = trial.levels()[3]
    assert (level.severity, 0 < level.phantom <= 160) == (PROBLEM, True)
    assert "ring below" in line_of(level).words


@pytest.mark.parametrize(
    ("magnets", "verdict", "severity"),
    [
        ((0.75, 0.75), HallVerdict.AS_SS49E, WARNING),
        ((0.3, 0.3), HallVerdict.WEAK, PROBLEM),
        ((1.45, 1.45), HallVerdict.STRONG, PROBLEM),
        ((1.1, 0.9), HallVerdict.ENDS_DIFFER, WARNING),
        ((1.0, -1.0), HallVerdict.SAME_WAY, PROBLEM),
        ((0.05, 0.05), HallVerdict.UNFELT, PROBLEM),
    ],
)
def test_a_wrong_magnet_is_found(magnets: tuple[float, float], verdict: HallVerdict, severity: Severity) -> None:
    trial = TubeTrial(Tube.A1, magnets=magnets)
    trial.go()
    assert (trial.field().verdict, trial.field().severity) == (verdict, severity)
    assert line_of(trial.field()).advice


def test_the_weaker_end_is_named() -> None:
    trial = TubeTrial(Tube.A1, magnets=(0.9, 1.1))
    trial.go()
    assert trial.field().apart == pytest.approx(18, abs=3)  # 0.9 / 1.1, in whole steps
    assert line_of(trial.field()).words.startswith("end A is")


def test_a_neighbour_that_is_too_near_is_found() -> None:
    trial = TubeTrial(Tube.A1, stray=-6.0)
    trial.go()
    found = trial.beside()
    assert (found.severity, round(found.steps)) == (PROBLEM, 6)
    assert "measure the distance" in line_of(found).advice


def test_the_neighbour_may_be_left_out() -> None:
    trial = TubeTrial(Tube.A1)
    trial.go(until=Stage(StageKind.BESIDE, 1))
    trial.answer(Answer.NO)
    trial.until_over(1)
    assert trial.wrong() == []
    assert not any(isinstance(each, NeighbourTested) for each in trial.test.findings())


def test_a_measurement_is_taken_once_more() -> None:
    trial = TubeTrial(Tube.A1)
    trial.go(until=Stage(StageKind.FAR, 1))
    trial.answer(Answer.BACK)
    assert trial.step.stage == Stage(StageKind.NEAR, 1)


def test_a_cable_that_is_cut_on_the_way_is_told_and_what_was_read_is_judged() -> None:
    trial = TubeTrial(Tube.A1)
    trial.go(until=Stage(StageKind.FIRST_END, 1))
    trial.answer(Answer.YES)
    trial.board.go_silent()
    trial.until(lambda: trial.test.prompt.trouble != "", within=10)
    assert not trial.step.measures
    trial.answer(Answer.YES)
    assert not trial.step.measures
    trial.until_over(IDLE + 10)
    found = trial.test.findings()
    assert [type(each) for each in found if each.severity is not OK] == [PartUnfinished, LinkWasLost]
    assert trial.verdicts() == [SOUND]
    assert not any(isinstance(each, FieldTested) for each in found)


def test_a_board_that_does_not_sweep_is_given_up() -> None:
    trial = TubeTrial(Tube.A1)
    trial.link.session.start_self_test = lambda: None  # type: ignore[method-assign]
    trial.answer(Answer.YES)
    trial.until_over(20)
    assert any("SELF_TEST" in each.words for each in trial.wrong())
    assert trial.verdicts() == []


# ---- the command


def selftest(*arguments: str) -> Result:
    return CliRunner().invoke(main, ["selftest", *arguments])


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--tube", "D4", "rings"], "--tube stands alone"),
        (["--tube", "D4", "--no-hands"], "--tube stands alone"),
        (["--tube", "D9"], "D9; allowed is a tube"),
    ],
)
def test_what_does_not_go_together_is_refused(arguments: list[str], words: str) -> None:
    result = selftest(*arguments, "--port", "nowhere")
    assert result.exit_code == 2
    assert words in " ".join(result.output.split())


def test_a_tube_that_is_not_fitted_is_refused(configuration: Path) -> None:
    seven = Path(__file__).parents[3] / "wiring" / "seven" / "board.toml"
    configuration.write_text(f'[board]\nwiring = "{seven}"\n[ruleset]\nstart = "free"\n', encoding="utf-8")
    result = selftest("--tube", "A1", "--port", "nowhere")
    assert result.exit_code == 2
    assert "--tube: A1; allowed are" in result.output
