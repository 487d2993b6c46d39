"""The self-test at a simulated board: each part that is broken is found and named."""

from collections.abc import Callable

import pytest

from tamsk_hw.board.calibration import FIELD_NAMES, Calibration, FieldCalibration, KnownCalibration
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.simulator.faults import fault_of
from tamsk_hw.simulator.things import FIRST_PLACE
from tamsk_hw.workbench.parts import Part
from tamsk_hw.workbench.selftest import parts_of
from tamsk_hw.workbench.walk import Mark
from tests.workbench.boards import WIRING, cases
from tests.workbench.selftest_bench import RED, Trial

BOARD, RINGS, GLASSES, HOLDERS = Part.BOARD, Part.RINGS, Part.GLASSES, Part.HOLDERS

BLACK = Player.BLACK


def test_all_parts_come_in_their_order_and_the_link_before_what_needs_it() -> None:
    assert parts_of((), hands=True) == [part for part in Part if part is not Part.TUBE]
    assert parts_of((), hands=False) == [BOARD, RINGS, GLASSES, HOLDERS]
    assert parts_of([Part.BUTTONS, Part.LIGHTS], hands=True) == [Part.LIGHTS, Part.BUTTONS]
    assert parts_of([HOLDERS], hands=True) == [BOARD, HOLDERS]


# ---- without a person


#: What is found without a person, by the fault; ``…`` stands for anything.
BROKEN = """
glass D4 0
  problem glasses: at an end of the scale: D4 (0) → as if shorted … check these Hall sensors
timer 255
  problem glasses: at an end of the scale: timer (255) → as if shorted … check these Hall sensors
reference 1 255
  problem board: references: 1/4 reads 255, not 64 … check the multiplexers
select 0 high
  problem board: references: 3/4 reads 0, not 191 … check the multiplexers
  problem glasses: at an end of the scale: B2 (0) C2 (0) G3 (0) G4 (0) → as if shorted … check these Hall sensors
select 1 low
  problem board: references: 2/4 reads 0, not 128, 3/4 reads 128, not 191 … check the multiplexers
  problem glasses: at an end of the scale: C4 (0) → as if shorted … check these Hall sensors
mux 0 0
  problem board: references: 1/4 reads 0, not 64 … check the multiplexers
  problem multiplexer 0: everything on it reads 0, its reference, too → check its supply … to ADC0
  problem glasses: multiplexer 0: all 13 fields on it read 0 → check its supply … to ADC0
mux 1 255
  problem board: references: 3/4 reads 255, not 191 … check the multiplexers
  problem multiplexer 1: everything on it reads 255, its reference, too → check its supply … to ADC1
  problem glasses: multiplexer 1: all 13 fields on it read 255 → check its supply … to ADC1
holder red
  warning board: red's ring holder does not answer → check its HX711
  problem red holder: does not answer → check its HX711 … PD2 (clock) and PC3 (data)
holder black
  warning board: black's ring holder does not answer → check its HX711
  problem black holder: does not answer → check its HX711 … PD3 (clock) and PC4 (data)
converter 3
  problem rings: no answer from converter 3 (MCP3008) → check its place, its supply
ring A1.1 1
ring D4.3 1
  problem rings: see no ring below one that is seen: D4.1 D4.2 → clean
"""


@pytest.mark.parametrize(("fault", "lines"), cases(BROKEN))
def test_a_broken_part_is_named_without_a_person(fault: str, lines: list[str]) -> None:
    trial = Trial(hands=False, faults=[fault_of(fault)])
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


@pytest.mark.parametrize(
    ("counts", "threshold", "lines"),
    [
        (16.0, 0, []),
        (15.0, 0, ["warning rings: little to spare: A1.1 15/12 → clean the windows"]),
        (64.0, 58, ["warning rings: little to spare: A1.1 64/58 → clean the windows"]),
        (64.0, 32, []),
        (13.0, 0, ["warning rings: unknown at times: A1.1 → keep lamps that flicker off"]),
    ],
)
def test_a_ring_that_is_seen_with_little_to_spare(counts: float, threshold: int, lines: list[str]) -> None:
    """A ring is clear of its threshold, 12 without one of its own, by 3 counts and by 30 of 100 at least."""
    trial = Trial(RINGS, hands=False)
    sensors = trial.board.sensors
    sensors.ring_counts[FIRST_PLACE[Tube.A1]] = counts
    sensors.thresholds[WIRING.ring_bits[Tube.A1][0]] = threshold
    trial.board.advance(trial.world.drop(RED, Tube.A1) + 0.1)
    trial.until_over()
    trial.expect(*lines)
    if not lines:
        weakest = f"the weakest at A1.1: {counts:.0f} counts, {threshold or 12} are needed"
        assert trial.test.findings()[-1].cause.endswith(weakest)


UNTESTED = [
    f"warning {part}: not tested: the board is not connected → mend the link first"
    for part in ("rings", "glasses", "holders")
]
LOST = "warning link: was lost once during the test: nothing from the board for 0.5 s"


@pytest.mark.parametrize(
    ("prepare", "lines"),
    [
        (lambda trial: trial.world.lamp(True), ["warning rings: too bright to be read: A2.1 … and 28 more"]),
        (
            lambda trial: (trial.board.advance(0.2), trial.board.go_silent()),
            ["problem link: the board says nothing for 5 s → check its supply", *UNTESTED],
        ),
        (
            lambda trial: (trial.run(1.5), trial.board.go_silent()),
            ["warning rings: not tested to the end: … snapshots came within 10 s", *UNTESTED[1:], LOST],
        ),
    ],
)
def test_light_and_the_cable(prepare: Callable[[Trial], object], lines: list[str]) -> None:
    trial = Trial(hands=False)
    prepare(trial)
    trial.until_over()
    trial.expect(*lines)


# ---- with a person


#: The part with its faults, what a person does (see `Trial.play`), and what is found.
TRIED = """
rings, ring A1.1 0: empty; ring A1; ring A2; back
  warning rings: 1 of 64 saw something; not: A1.1 A3.1 … → try these, too: tamsk-hw selftest rings
rings, ring A1.1 0: empty; ring A1; ring A2; yes
  problem rings: 1 of 64 saw something; not: A1.1 A3.1 … → check their emitters, photo-transistors
rings, ring C3.2 1: empty; ring A1; back
  problem rings: see a ring on the empty board: C3.2 → if no ring is there: look for dirt
  warning rings: 1 of 64 saw something; not: A2.1 … → try these, too: tamsk-hw selftest rings
rings: empty; ring B2; no; ring A1; back
  problem rings: came when another one was tried: B2.1 → check whether sensors or converters are
  warning rings: 1 of 64 saw something; not: A2.1 … → try these, too: tamsk-hw selftest rings
rings: empty; yes
  warning rings: not tested to the end: no sensor was tried
rings: wait 2; no
  warning rings: not tested to the end: the board was not emptied
rings: empty; ring A1; over
  warning rings: not tested to the end: nothing new was seen for 120 s
rings: over
  warning rings: not tested to the end: nobody answered for 60 s
rings: empty; skip
  warning rings: not tested to the end: it was left out → run this part again
glasses, glass D1 0: empty; glass D1; move D1 D2; back
  problem glasses: at an end of the scale: D1 (0) → as if shorted … check these Hall sensors
  warning glasses: 0 of 38 felt both ends; not: D2: … → try these, too: tamsk-hw selftest glasses
glasses: empty; glass D1; move D1 D2; yes
  problem glasses: 0 of 38 felt both ends; not: D1:B D2:B … → end B was felt nowhere: check whether
glasses too deep: empty; glass D1; move D1 D2; turn D2; yes
  problem glasses: 1 of 38 … (felt, at most: D1 … of a seated glass) → calibrate them
holders: ring red; ring black; over
holders: wait 5; no; ring black; over
  problem red holder: does not move by a ring → check the load cell's wires
holders: ring black; ring red; over
  problem red holder: black's moved when red's was asked for → check whether their wires
  problem black holder: red's moved when black's was asked for → check whether their wires
holders, holder red: ring black; over
  warning board: red's ring holder does not answer → check its HX711
  problem red holder: does not answer → check its HX711 … PC3 (data)
"""


@pytest.mark.parametrize(("head", "lines"), cases(TRIED))
def test_a_person_tries_the_sensors(head: str, lines: list[str]) -> None:
    what, _, script = head.partition(": ")
    part, *faults = what.split(", ")
    deep = FieldCalibration(end_a=110.0, end_b=110.0)
    known = calibrated(D1=deep) if "too deep" in part else None
    trial = Trial(Part(part.split()[0]), faults=[fault_of(fault) for fault in faults], known=known)
    trial.play(script)
    assert trial.test.over
    trial.expect(*lines)


def test_rings_are_ticked_off_as_they_are_seen_and_a_stuck_sensor_is_not_asked_for() -> None:
    trial = Trial(RINGS, faults=[fault_of("ring C3.2 1")])
    trial.play("empty; ring A1; ring B2; ring B2")
    prompt = trial.test.prompt
    assert prompt.progress == "3 of 64 seen"
    assert (prompt.marks["A1"], prompt.marks["B2"]) == ((Mark.NOW,), (Mark.NOW, Mark.NOW))
    assert (prompt.marks["D4"], prompt.marks["C3"][1]) == ((Mark.WAITING,) * 4, Mark.FAULTY)
    trial.do(lambda world: world.take(RED, Tube.A1))
    assert trial.test.prompt.marks["A1"] == (Mark.SEEN,)
    trial.play("no")
    assert trial.test.prompt.marks["B2"][1] is Mark.FAULTY


def test_a_weak_sensor_is_found_while_it_is_tried() -> None:
    trial = Trial(RINGS)
    trial.board.sensors.ring_counts[FIRST_PLACE[Tube.A1]] = 15.0
    trial.play("empty; ring A1; wait 1.5; back")
    assert trial.wrong()[0].cause == "little to spare: A1.1 15/12"


def test_a_board_without_holders() -> None:
    trial = Trial(HOLDERS, holders=False)
    trial.until_over(5)
    trial.expect()
    assert trial.test.findings()[-1].cause == "none are fitted"
