"""The self-test's core at a simulated board: each part that is broken is found and named."""

from __future__ import annotations

import pytest

from tamsk_hw.board.calibration import FIELD_NAMES, Calibration, FieldCalibration, KnownCalibration
from tamsk_hw.board.protocol import ResetCause
from tamsk_hw.errors import Severity
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.panel.hardware import PINS, DriverTrouble, DriverTroubleKind, Failure, PanelFailed
from tamsk_hw.simulator.faults import (
    ChainCut,
    ChipMissing,
    Fault,
    HallSensorOpen,
    LoadCellSilent,
    MultiplexerDead,
    ReferenceStuck,
    RingSensorStuck,
    SelectLineStuck,
)
from tamsk_hw.simulator.things import FIRST_PLACE, WorldStart
from tamsk_hw.workbench.parts import IDLE, PATIENCE, LivePhase, Part
from tamsk_hw.workbench.selftest import parts_of
from tamsk_hw.workbench.walk import Answer, Mark
from tests.workbench.boards import WIRING
from tests.workbench.selftest_bench import RED, Trial

PROBLEM, WARNING = Severity.PROBLEM, Severity.WARNING

BOARD, RINGS, GLASSES, HOLDERS = Part.BOARD, Part.RINGS, Part.GLASSES, Part.HOLDERS


# ---- which parts


def test_all_parts_come_in_their_order_and_the_link_before_what_needs_it() -> None:
    assert parts_of((), hands=True) == [part for part in Part if part is not Part.TUBE]
    assert parts_of((), hands=False) == [BOARD, RINGS, GLASSES, HOLDERS]
    assert parts_of([Part.BUTTONS, Part.LIGHTS], hands=True) == [Part.LIGHTS, Part.BUTTONS]
    assert parts_of([HOLDERS], hands=True) == [BOARD, HOLDERS]


# ---- without a person


@pytest.mark.parametrize("setup", [WorldStart.BOX, WorldStart.CORNERS])
def test_a_sound_board_has_nothing_wrong(setup: WorldStart) -> None:
    trial = Trial(hands=False, setup=setup)
    trial.until_over()
    assert trial.wrong() == []
    assert trial.sweeps == 1
    subjects = [finding.subject for finding in trial.test.findings()]
    assert subjects[-4:] == ["rings", "glasses", "red holder", "black holder"]


MUX = WIRING.channels[Tube.D4].mux
REFERENCE_MUX = WIRING.references[1].mux


@pytest.mark.parametrize(
    ("fault", "subject", "words", "advice"),
    [
        (HallSensorOpen(Tube.D4), "glasses", "at an end of the scale: D4 (0)", "Hall sensor"),
        (HallSensorOpen(None, rail=255), "glasses", "at an end of the scale: timer (255)", "Hall sensor"),
        (ReferenceStuck(1, 20), "board", "2/4 reads 20, not 128", "multiplexers"),
        (LoadCellSilent(Player.BLACK), "black holder", "does not answer", "HX711"),
        (ChipMissing(3), "rings", "74HC165 7: all inputs read ones", "missing"),
        (ChainCut(5), "rings", "74HC165s 5 to 7: all inputs read ones", "chip 5"),
        (RingSensorStuck(Tube.D4, 2, True), "rings", "no ring below one that is seen: D4.1 D4.2", "clean"),
    ],
    ids=str,
)
def test_a_broken_part_is_named_without_a_person(fault: Fault, subject: str, words: str, advice: str) -> None:
    trial = Trial(hands=False, faults=[fault])
    trial.until_over()
    found = [each for each in trial.wrong() if each.subject == subject and words in each.cause]
    assert [each.severity for each in found] == [PROBLEM], trial.wrong()
    assert advice in found[0].advice


def test_a_dead_multiplexer_is_named_and_its_sensors_are_not_told_one_by_one() -> None:
    trial = Trial(hands=False, faults=[MultiplexerDead(MUX)])
    trial.until_over()
    words = {finding.cause for finding in trial.wrong()}
    assert (
        f"multiplexer {MUX}: all {sum(each.mux == MUX for each in WIRING.channels)} fields on it read 0" in words
    )
    assert not any("at an end of the scale" in each for each in words)
    assert f"multiplexer {MUX}" in {finding.subject for finding in trial.wrong()}


def test_a_stuck_select_line_shows_at_the_references() -> None:
    trial = Trial(BOARD, hands=False, faults=[SelectLineStuck(0, True)])
    trial.until_over()
    assert trial.only_wrong().subject == "board"
    assert "select lines" in trial.only_wrong().advice


def test_light_while_dark_is_told_and_nothing_else_of_these_sensors() -> None:
    trial = Trial(RINGS, hands=False)
    trial.world.lamp(True)
    trial.until_over()
    finding = trial.only_wrong()
    assert (finding.severity, finding.cause.startswith("light while dark")) == (WARNING, True)


@pytest.mark.parametrize(
    ("needed", "severity", "words"),
    [(155.0, WARNING, "only after 160 µs of light"), (190.0, PROBLEM, "need more light")],
)
def test_a_sensor_that_needs_much_light_is_told(needed: float, severity: Severity, words: str) -> None:
    needy(Trial(RINGS, hands=False), needed, severity, words)


@pytest.mark.parametrize(
    ("needed", "severity", "words"),
    [
        (190.0, WARNING, "only after 200 µs of light"),
        (240.0, PROBLEM, "need more light to see their ring than the 200 µs"),
    ],
)
def test_light_is_compared_with_what_the_calibration_gives(needed: float, severity: Severity, words: str) -> None:
    known = KnownCalibration(light_times={"D4": (60, 200, 60, 60)})
    needy(Trial(RINGS, hands=False, known=known), needed, severity, words)


def needy(trial: Trial, needed: float, severity: Severity, words: str) -> None:
    """The finding on a sensor that needs so much light (µs)."""
    trial.board.sensors.light_needed[FIRST_PLACE[Tube.A1]] = needed
    done = trial.world.drop(RED, Tube.A1)
    trial.board.advance(done + 0.1)
    trial.until_over()
    finding = trial.only_wrong()
    assert (finding.severity, words in finding.cause) == (severity, True)
    assert finding.cause.endswith(": A1.1")


def test_a_board_that_says_nothing_is_given_up_and_its_parts_are_not_tested() -> None:
    trial = Trial(hands=False)
    trial.board.advance(0.2)
    trial.board.go_silent()
    trial.until_over(10)
    found = trial.wrong()
    assert (found[0].subject, found[0].severity) == ("link", PROBLEM)
    assert [each.subject for each in found[1:]] == ["rings", "glasses", "holders"]
    assert all("not connected" in each.cause for each in found[1:])


def test_a_board_that_is_lost_on_the_way_is_told() -> None:
    trial = Trial(GLASSES, hands=False)
    trial.until(lambda: trial.test.step.part is GLASSES)
    trial.board.go_silent()
    trial.until(lambda: trial.test.prompt.trouble != "")
    trial.until_over()
    words = {finding.subject: finding.cause for finding in trial.wrong()}
    assert "not tested to the end" in words["glasses"]
    assert "was lost once" in words["link"]


def test_the_last_reset_is_told() -> None:
    trial = Trial(BOARD, hands=False)
    trial.board.reset(ResetCause.BROWN_OUT)
    trial.until_over()
    assert [each.subject for each in trial.wrong()] == ["reset"]


def calibrated(**changed: FieldCalibration) -> KnownCalibration:
    fields = [changed.get(name, FieldCalibration()) for name in FIELD_NAMES]
    return KnownCalibration(
        calibration=Calibration(fields=tuple(fields)), measured=frozenset(FIELD_NAMES), modified=0.0
    )


def test_a_rest_that_has_wandered_from_its_calibration_is_told() -> None:
    trial = Trial(GLASSES, hands=False, known=calibrated(D4=FieldCalibration(rest=150.0)))
    trial.until_over()
    assert "D4" in trial.only_wrong().cause
    assert "was 150" in trial.only_wrong().cause
    assert "calibrate sensors" in trial.only_wrong().advice


def test_a_noisy_field_is_told() -> None:
    trial = Trial(GLASSES, hands=False, known=calibrated(B3=FieldCalibration(noise=0.4)))
    trial.until_over()
    assert trial.only_wrong().cause.startswith("stray: B3 over 2 steps")


# ---- ring sensors, tried


def ring_over(trial: Trial, tube: Tube) -> None:
    trial.do(lambda world: world.drop(RED, tube))


def test_rings_are_ticked_off_as_they_are_seen() -> None:
    trial = Trial(RINGS)
    trial.empty_board_seen()
    for tube in (Tube.A1, Tube.B2, Tube.B2):
        ring_over(trial, tube)
    prompt = trial.test.prompt
    assert prompt.progress == "3 of 64 seen"
    assert (prompt.marks["A1"], prompt.marks["B2"]) == ((Mark.NOW,), (Mark.NOW, Mark.NOW))
    assert prompt.marks["D4"] == (Mark.WAITING,) * 4
    trial.do(lambda world: world.take(RED, Tube.A1))
    assert trial.test.prompt.marks["A1"] == (Mark.GOOD,)


def test_what_was_not_tried_is_a_warning_and_what_was_is_a_problem() -> None:
    for answer, severity in ((Answer.NO, WARNING), (Answer.YES, PROBLEM)):
        trial = Trial(RINGS, faults=[RingSensorStuck(Tube.A1, 0, False)])
        trial.empty_board_seen()
        ring_over(trial, Tube.A1)
        ring_over(trial, Tube.A2)
        trial.answer(Answer.YES)
        assert trial.phase() is LivePhase.CONFIRM
        trial.answer(answer)
        assert trial.test.over
        finding = trial.only_wrong()
        assert finding.severity is severity
        assert "1 of 64 saw something; not: A1.1 A3.1" in finding.cause


def test_a_sensor_that_sees_a_ring_on_the_empty_board_is_stuck_and_not_asked_for() -> None:
    trial = Trial(RINGS, faults=[RingSensorStuck(Tube.C3, 1, True)])
    trial.empty_board_seen()
    assert trial.test.prompt.marks["C3"][1] is Mark.BAD
    ring_over(trial, Tube.A1)
    trial.answer(Answer.YES)
    trial.answer(Answer.NO)
    stuck, untried = trial.wrong()
    assert (stuck.severity, stuck.cause) == (PROBLEM, "see a ring on the empty board: C3.2")
    assert "C3.2" not in untried.cause


def test_another_sensor_than_the_one_that_is_tried() -> None:
    trial = Trial(RINGS)
    trial.empty_board_seen()
    ring_over(trial, Tube.B2)
    trial.answer(Answer.NO)
    assert trial.test.prompt.marks["B2"][0] is Mark.BAD
    ring_over(trial, Tube.A1)
    trial.answer(Answer.YES)
    trial.answer(Answer.NO)
    assert trial.wrong()[0].cause == "came when another one was tried: B2.1"


def test_a_weak_sensor_is_found_while_it_is_tried() -> None:
    trial = Trial(RINGS)
    trial.board.sensors.light_needed[FIRST_PLACE[Tube.A1]] = 155.0
    trial.empty_board_seen()
    ring_over(trial, Tube.A1)
    trial.run(2.5)
    trial.answer(Answer.YES)
    trial.answer(Answer.NO)
    assert any("all that the board gives: A1.1" in each.cause for each in trial.wrong())


def test_nobody_goes_on() -> None:
    trial = Trial(RINGS)
    trial.empty_board_seen()
    ring_over(trial, Tube.A1)
    began = trial.now
    trial.until_over(IDLE + 5)
    assert trial.now - began > IDLE - 5
    assert "nothing new was seen" in trial.wrong()[0].cause


def test_nobody_answers() -> None:
    trial = Trial(RINGS)
    trial.until(lambda: trial.phase() is LivePhase.EMPTY)
    trial.until_over(PATIENCE + 5)
    assert "nobody answered" in trial.only_wrong().cause


def test_nobody_can_answer() -> None:
    trial = Trial(RINGS, GLASSES)
    trial.test.can_type = False
    no_pins = DriverTrouble(DriverTroubleKind.OTHER, "no pins")
    trial.test.on_panel_notice(PanelFailed(PINS, Failure.OPENING, no_pins))
    trial.until_over(5)
    wrong = trial.wrong()
    assert len(wrong) == 2  # one for each part
    assert all("neither keys nor buttons" in each.cause for each in wrong)


# ---- glasses, tried


def test_a_glass_is_ticked_off_by_both_ends() -> None:
    trial = Trial(GLASSES)
    trial.empty_board_seen()
    trial.do(lambda world: world.place(RED, Tube.D1))
    assert trial.test.prompt.notice in ("D1 A", "D1 B")
    first = trial.test.prompt.marks["D1"]
    assert sorted(mark.value for mark in first) == ["now", "waiting"]
    trial.do(lambda world: world.lift(RED, Tube.D1))
    trial.do(lambda world: world.seat(RED, Tube.D1, turned=True))
    assert trial.test.prompt.progress == "1 of 38 with both ends"
    assert set(trial.test.prompt.marks["D1"]) == {Mark.NOW, Mark.GOOD}
    trial.do(lambda world: world.place_timer(RED))
    assert trial.test.prompt.notice.startswith("timer ")


def test_a_dead_hall_sensor_is_named_and_not_asked_for() -> None:
    trial = Trial(GLASSES, faults=[HallSensorOpen(Tube.D1)])
    trial.empty_board_seen()
    trial.do(lambda world: world.place(RED, Tube.D1))
    assert trial.test.prompt.marks["D1"] == (Mark.BAD, Mark.BAD)
    trial.do(lambda world: world.lift(RED, Tube.D1))
    trial.do(lambda world: world.seat(RED, Tube.D2, turned=False))
    trial.answer(Answer.YES)
    trial.answer(Answer.NO)
    dead, untried = trial.wrong()
    assert (dead.severity, "D1" in dead.cause) == (PROBLEM, True)
    assert (untried.severity, "D1" in untried.cause) == (WARNING, False)


def test_a_magnet_that_is_missing_in_one_cap() -> None:
    trial = Trial(GLASSES)
    trial.empty_board_seen()
    for tube in (Tube.D1, Tube.D2):
        if tube is Tube.D1:
            trial.do(lambda world: world.place(RED, Tube.D1))
            continue
        trial.do(lambda world: world.lift(RED, Tube.D1))
        trial.do(lambda world: world.seat(RED, Tube.D2, turned=False))
    trial.answer(Answer.YES)
    trial.answer(Answer.YES)
    finding = trial.only_wrong()
    felt = trial.test.prompt.notice[-1]
    other = "B" if felt == "A" else "A"
    assert f"D1:{other} D2:{other}" in finding.cause
    assert f"end {other} was felt nowhere" in finding.advice


def test_a_glass_that_is_only_half_felt() -> None:
    """A sensor that sits too deep: its calibration asks for more than the glass gives."""
    known = calibrated(D1=FieldCalibration(end_a=110.0, end_b=110.0))
    trial = Trial(GLASSES, known=known)
    trial.empty_board_seen()
    trial.do(lambda world: world.place(RED, Tube.D1))
    trial.do(lambda world: world.lift(RED, Tube.D1))
    trial.do(lambda world: world.seat(RED, Tube.D2, turned=False))
    trial.do(lambda world: world.lift(RED, Tube.D2))
    trial.do(lambda world: world.seat(RED, Tube.D2, turned=True))
    trial.answer(Answer.YES)
    trial.answer(Answer.YES)
    assert "felt, at most: D1 " in trial.only_wrong().cause
    assert "calibrate" in trial.only_wrong().advice


# ---- ring holders


def test_a_ring_moves_each_holder() -> None:
    trial = Trial(HOLDERS)
    trial.until(lambda: "red's holder" in trial.test.prompt.words)
    trial.do(lambda world: world.take_up(RED))
    trial.until(lambda: "black's holder" in trial.test.prompt.words)
    trial.do(lambda world: world.take_up(Player.BLACK))
    trial.until_over(5)
    assert trial.wrong() == []
    assert [each.subject for each in trial.test.findings()][-2:] == ["red holder", "black holder"]


def test_a_holder_that_does_not_move() -> None:
    trial = Trial(HOLDERS)
    trial.until(lambda: "red's holder" in trial.test.prompt.words)
    trial.answer(Answer.NO)
    trial.do(lambda world: world.take_up(Player.BLACK))
    trial.until_over(5)
    assert (trial.only_wrong().subject, trial.only_wrong().cause) == ("red holder", "does not move by a ring")


def test_holders_in_each_others_place() -> None:
    trial = Trial(HOLDERS)
    trial.until(lambda: "red's holder" in trial.test.prompt.words)
    trial.do(lambda world: world.take_up(Player.BLACK))
    trial.do(lambda world: world.take_up(RED))
    trial.until_over(5)
    assert [each.cause for each in trial.wrong()] == [
        "black's moved when red's was asked for",
        "red's moved when black's was asked for",
    ]


def test_a_silent_load_cell_is_not_asked_for_a_ring() -> None:
    trial = Trial(HOLDERS, faults=[LoadCellSilent(RED)])
    trial.until(lambda: "black's holder" in trial.test.prompt.words)
    trial.do(lambda world: world.take_up(Player.BLACK))
    trial.until_over(5)
    told = [(each.subject, each.cause) for each in trial.wrong()]
    assert told == [("board", "red's ring holder does not answer"), ("red holder", "does not answer")]


def test_a_board_without_holders() -> None:
    trial = Trial(HOLDERS, holders=False)
    trial.until_over(5)
    assert trial.wrong() == []
    assert trial.test.findings()[-1].cause == "none are fitted"
