"""The self-test at a simulated board: each part that is broken is found and named."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import pytest

from tamsk_hw.board.calibration import FIELD_NAMES, Calibration, FieldCalibration, KnownCalibration
from tamsk_hw.board.protocol import ResetCause
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
from tamsk_hw.workbench.parts import IDLE, PATIENCE, Part
from tamsk_hw.workbench.selftest import parts_of
from tamsk_hw.workbench.walk import Mark
from tests.workbench.selftest_bench import RED, Trial

BOARD, RINGS, GLASSES, HOLDERS = Part.BOARD, Part.RINGS, Part.GLASSES, Part.HOLDERS

BLACK = Player.BLACK


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
    trial.expect()
    assert trial.sweeps == 1
    subjects = [finding.subject for finding in trial.test.findings()]
    assert subjects[-4:] == ["rings", "glasses", "red holder", "black holder"]


def references(words: str) -> str:
    return f"problem board: references: {words}…→ check the multiplexers and their select lines"


def railed(names: str) -> str:
    return f"problem glasses: at an end of the scale: {names} → as if shorted … check these Hall sensors"


def silent(player: str, pins: str) -> list[str]:
    return [
        f"warning board: {player}'s ring holder does not answer → check its HX711",
        f"problem {player} holder: does not answer → check its HX711 … {pins}",
    ]


def dead(mux: int, fields: int, reads: int, reference: str) -> list[str]:
    advice = f"check its supply, its enable pin and its wire to ADC{mux}"
    return [
        references(f"{reference}"),
        f"problem multiplexer {mux}: everything on it reads {reads}, its reference, too → {advice}",
        f"problem glasses: multiplexer {mux}: all {fields} fields on it read {reads} → {advice}",
    ]


def cut(chips: str, first: int) -> str:
    return f"problem rings: {chips}: all inputs read ones, in the dark as well → check the wire from chip {first} "


@pytest.mark.parametrize(
    ("fault", "lines"),
    [
        (HallSensorOpen(Tube.D4), [railed("D4 (0)")]),
        (HallSensorOpen(None, rail=255), [railed("timer (255)")]),
        (HallSensorOpen(Tube.A1, rail=80), ["warning glasses: neither empty nor a seated glass: A1 (80)"]),
        (ReferenceStuck(0, 255), [references("1/4 reads 255, not 64")]),
        (ReferenceStuck(1, 20), [references("2/4 reads 20, not 128")]),
        (SelectLineStuck(0, True), [references("3/4 reads 0, not 191"), railed("B2 (0) C2 (0) G3 (0) G4 (0)")]),
        (
            SelectLineStuck(1, False),
            [references("2/4 reads 0, not 128, 3/4 reads 128, not 191"), railed("C4 (0)")],
        ),
        (MultiplexerDead(0), dead(0, 13, 0, "1/4 reads 0, not 64")),
        (MultiplexerDead(1, 255), dead(1, 13, 255, "3/4 reads 255, not 191")),
        (MultiplexerDead(2), dead(2, 12, 0, "2/4 reads 0, not 128")),
        (LoadCellSilent(RED), silent("red", "PD2 (clock) and PC3 (data)")),
        (LoadCellSilent(BLACK), silent("black", "PD3 (clock) and PC4 (data)")),
        (ChipMissing(3), [cut("74HC165 7", 7) + "… no chip of the chain is missing"]),
        (ChainCut(5), [cut("74HC165s 5 to 7", 5)]),
        (RingSensorStuck(Tube.A1, 0, True), []),
        (
            RingSensorStuck(Tube.D4, 2, True),
            ["problem rings: see no ring below one that is seen: D4.1 D4.2 → clean"],
        ),
    ],
    ids=str,
)
def test_a_broken_part_is_named_without_a_person(fault: Fault, lines: list[str]) -> None:
    trial = Trial(hands=False, faults=[fault])
    trial.until_over()
    trial.expect(*lines)


def calibrated(**changed: FieldCalibration) -> KnownCalibration:
    fields = [changed.get(name, FieldCalibration()) for name in FIELD_NAMES]
    return KnownCalibration(
        calibration=Calibration(fields=tuple(fields)), measured=frozenset(FIELD_NAMES), modified=0.0
    )


@pytest.mark.parametrize(
    ("known", "line"),
    [
        (
            calibrated(D4=FieldCalibration(rest=150.0)),
            "warning glasses: rest not as calibrated: D4 … was 150 → look for a magnet nearby, then tamsk-hw "
            "calibrate sensors",
        ),
        (calibrated(B3=FieldCalibration(noise=0.4)), "warning glasses: stray: B3 over 2 steps (at most 1)"),
    ],
)
def test_the_board_at_rest_is_compared_with_its_calibration(known: KnownCalibration, line: str) -> None:
    trial = Trial(GLASSES, hands=False, known=known)
    trial.until_over()
    trial.expect(line)


MUCH = KnownCalibration(light_times={"D4": (60, 200, 60, 60)})


@pytest.mark.parametrize(
    ("known", "needed", "line"),
    [
        (None, 155.0, "warning rings: see their ring only after 160 µs of light, … : A1.1"),
        (None, 190.0, "problem rings: need more light to see their ring than the 160 µs … : A1.1"),
        (MUCH, 190.0, "warning rings: see their ring only after 200 µs of light, … : A1.1"),
        (MUCH, 240.0, "problem rings: need more light to see their ring than the 200 µs … : A1.1"),
    ],
)
def test_a_sensor_that_needs_much_light(known: KnownCalibration | None, needed: float, line: str) -> None:
    trial = Trial(RINGS, hands=False, known=known)
    trial.board.sensors.light_needed[FIRST_PLACE[Tube.A1]] = needed
    trial.board.advance(trial.world.drop(RED, Tube.A1) + 0.1)
    trial.until_over()
    trial.expect(line)


UNTESTED = [
    f"warning {part}: not tested: the board is not connected → mend the link first"
    for part in ("rings", "glasses", "holders")
]
LOST = "warning link: was lost once during the test: nothing from the board for 0.5 s"


@pytest.mark.parametrize(
    ("parts", "prepare", "lines"),
    [
        ((RINGS,), lambda trial: trial.world.lamp(True), ["warning rings: light while dark: A2.1 … and 28 more"]),
        (
            (BOARD,),
            lambda trial: trial.board.reset(ResetCause.BROWN_OUT),
            ["warning reset: last reset: its"],
        ),
        (
            (),
            lambda trial: (trial.board.advance(0.2), trial.board.go_silent()),
            ["problem link: the board says nothing for 5 s → check its supply", *UNTESTED],
        ),
        (
            (),
            lambda trial: (trial.run(1.5), trial.board.go_silent()),
            ["warning rings: not tested to the end: … snapshots came within 10 s", *UNTESTED[1:], LOST],
        ),
        (
            (GLASSES,),
            lambda trial: (trial.run(1.5), trial.board.go_silent()),
            ["warning glasses: not tested to the end: … snapshots came within 10 s", LOST],
        ),
    ],
)
def test_light_resets_and_the_cable(
    parts: Sequence[Part], prepare: Callable[[Trial], object], lines: list[str]
) -> None:
    trial = Trial(*parts, hands=False)
    prepare(trial)
    trial.until_over()
    trial.expect(*lines)


# ---- with a person


def untried(part: str, words: str) -> str:
    return f"warning {part}: {words} → try these, too: tamsk-hw selftest {part}"


WEAK = calibrated(D1=FieldCalibration(end_a=110.0, end_b=110.0))


@pytest.mark.parametrize(
    ("part", "faults", "known", "script", "lines"),
    [
        (
            RINGS,
            [RingSensorStuck(Tube.A1, 0, False)],
            None,
            "empty; ring A1; ring A2; yes; no",
            [untried("rings", "1 of 64 saw something; not: A1.1 A3.1 …")],
        ),
        (
            RINGS,
            [RingSensorStuck(Tube.A1, 0, False)],
            None,
            "empty; ring A1; ring A2; yes; back; yes; yes",
            ["problem rings: 1 of 64 saw something; not: A1.1 A3.1 … → check their emitters, photo-transistors"],
        ),
        (
            RINGS,
            [RingSensorStuck(Tube.C3, 1, True)],
            None,
            "empty; ring A1; yes; no",
            [
                "problem rings: see a ring on the empty board: C3.2 → if no ring is there: look for dirt",
                untried("rings", "1 of 64 saw something; not: A2.1 …"),
            ],
        ),
        (
            RINGS,
            [],
            None,
            "empty; ring B2; no; ring A1; yes; no",
            [
                "problem rings: came when another one was tried: B2.1 → check whether sensors or chips are",
                untried("rings", "1 of 64 saw something; not: A2.1 …"),
            ],
        ),
        (RINGS, [], None, "empty; yes", ["warning rings: not tested to the end: no sensor was tried"]),
        (RINGS, [], None, "wait 2; no", ["warning rings: not tested to the end: the board was not emptied"]),
        (
            RINGS,
            [],
            None,
            "empty; ring A1; over",
            [f"warning rings: not tested to the end: nothing new was seen for {IDLE:g} s"],
        ),
        (RINGS, [], None, "over", [f"warning rings: not tested to the end: nobody answered for {PATIENCE:g} s"]),
        (
            RINGS,
            [],
            None,
            "empty; skip",
            ["warning rings: not tested to the end: it was left out → run this part again"],
        ),
        (
            GLASSES,
            [HallSensorOpen(Tube.D1)],
            None,
            "empty; glass D1; move D1 D2; yes; no",
            [railed("D1 (0)"), untried("glasses", "0 of 38 felt both ends; not: D2: …")],
        ),
        # A magnet is missing in one cap.
        (
            GLASSES,
            [],
            None,
            "empty; glass D1; move D1 D2; yes; yes",
            ["problem glasses: 0 of 38 felt both ends; not: D1:B D2:B … → end B was felt nowhere: check whether"],
        ),
        # A sensor that sits too deep: its calibration asks for more than the glass gives.
        (
            GLASSES,
            [],
            WEAK,
            "empty; glass D1; move D1 D2; turn D2; yes; yes",
            ["problem glasses: 1 of 38 … (felt, at most: D1 … of a seated glass) → calibrate them"],
        ),
        (HOLDERS, [], None, "ring red; ring black; over", []),
        (
            HOLDERS,
            [],
            None,
            "wait 5; no; ring black; over",
            ["problem red holder: does not move by a ring → check the load cell's wires"],
        ),
        (
            HOLDERS,
            [],
            None,
            "ring black; ring red; over",
            [
                "problem red holder: black's moved when red's was asked for → check whether their wires",
                "problem black holder: red's moved when black's was asked for → check whether their wires",
            ],
        ),
        # It is not asked for a ring.
        (HOLDERS, [LoadCellSilent(RED)], None, "ring black; over", silent("red", "PC3 (data)")),
    ],
)
def test_a_person_tries_the_sensors(
    part: Part, faults: list[Fault], known: KnownCalibration | None, script: str, lines: list[str]
) -> None:
    trial = Trial(part, faults=faults, known=known)
    trial.play(script)
    assert trial.test.over
    trial.expect(*lines)


def test_rings_are_ticked_off_as_they_are_seen_and_a_stuck_sensor_is_not_asked_for() -> None:
    trial = Trial(RINGS, faults=[RingSensorStuck(Tube.C3, 1, True)])
    trial.play("empty; ring A1; ring B2; ring B2")
    prompt = trial.test.prompt
    assert prompt.progress == "3 of 64 seen"
    assert (prompt.marks["A1"], prompt.marks["B2"]) == ((Mark.NOW,), (Mark.NOW, Mark.NOW))
    assert (prompt.marks["D4"], prompt.marks["C3"][1]) == ((Mark.WAITING,) * 4, Mark.BAD)
    trial.do(lambda world: world.take(RED, Tube.A1))
    assert trial.test.prompt.marks["A1"] == (Mark.GOOD,)
    trial.play("no")
    assert trial.test.prompt.marks["B2"][1] is Mark.BAD


def test_a_weak_sensor_is_found_while_it_is_tried() -> None:
    trial = Trial(RINGS)
    trial.board.sensors.light_needed[FIRST_PLACE[Tube.A1]] = 155.0
    trial.play("empty; ring A1; wait 2.5; yes; no")
    assert "all that the board gives: A1.1" in trial.wrong()[0].cause


def test_a_glass_is_ticked_off_by_both_ends() -> None:
    trial = Trial(GLASSES, faults=[HallSensorOpen(Tube.D2)])
    trial.play("empty; glass D1")
    assert trial.test.prompt.notice in ("D1 A", "D1 B")
    assert sorted(mark.value for mark in trial.test.prompt.marks["D1"]) == ["now", "waiting"]
    assert trial.test.prompt.marks["D2"] == (Mark.BAD, Mark.BAD)
    trial.play("turn D1")
    assert trial.test.prompt.progress == "1 of 38 with both ends"
    assert set(trial.test.prompt.marks["D1"]) == {Mark.NOW, Mark.GOOD}
    trial.play("timer")
    assert trial.test.prompt.notice.startswith("timer ")


def test_nobody_can_answer() -> None:
    trial = Trial(RINGS, GLASSES)
    trial.test.can_type = False
    no_pins = DriverTrouble(DriverTroubleKind.OTHER, "no pins")
    trial.test.on_panel_notice(PanelFailed(PINS, Failure.OPENING, no_pins))
    trial.until_over(5)
    trial.expect(
        *(f"warning {part}: not tested to the end: there are neither keys nor" for part in ("rings", "glasses"))
    )


def test_a_board_without_holders() -> None:
    trial = Trial(HOLDERS, holders=False)
    trial.until_over(5)
    trial.expect()
    assert trial.test.findings()[-1].cause == "none are fitted"
