"""The walk over a simulated board, held against the truth of its world, in simulated time."""

from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import pytest

from tamsk_hw.board.calibration import (
    FIELD_NAMES,
    Calibration,
    FieldCalibration,
    KnownCalibration,
    SandCalibration,
)
from tamsk_hw.board.protocol import FIELDS, TIMER_FIELD
from tamsk_hw.errors import Severity
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import NEIGHBOURS, PLAYERS, TUBES, End, Player, Tube
from tamsk_hw.simulator.faults import fault_of
from tamsk_hw.simulator.sensors import COUNTS_PER_GRAM, QUIET, Noise
from tamsk_hw.simulator.things import FIRST_PLACE
from tamsk_hw.workbench.board import HOLDER_RAILS
from tamsk_hw.workbench.calibrate import PATH
from tamsk_hw.workbench.findings import OK, PROBLEM, WARNING
from tamsk_hw.workbench.measurements import FieldFound, Measurements, Sample, Verdict, unmeasured
from tamsk_hw.workbench.seat_step import SeatStep
from tamsk_hw.workbench.walk import Answer, Mark, Prompt
from tests import simulation
from tests.disturbances.hands import hover
from tests.disturbances.sensors import Flicker
from tests.players.habits import Habits
from tests.players.judge import judge
from tests.players.simulated_game import SimulatedGame
from tests.soak import in_soak
from tests.workbench.boards import assert_says, cases, snapshot
from tests.workbench.walker import ME, Walker, fill_holder, lit_of, why

#: A reading is rounded to a step, its mean is as good; hands seat a glass up to 3.5 % beside.
STEP, PLAY = 1.0, 0.035


def some(*names: str) -> Measurements:
    """The fields of a few tubes alone."""
    return unmeasured(fields=[FIELD_NAMES.index(name) for name in names], tubes=())


def measured(walker: Walker, index: int) -> FieldCalibration:
    values = verdict_of(walker, index).values
    assert values is not None
    return values


def verdict_of(walker: Walker, index: int) -> Verdict[FieldCalibration]:
    return walker.walk.verdicts().fields[index]


def is_true(walker: Walker, index: int) -> None:
    """The values of a field are those of its sensor and the glass that was on it."""
    sensors, world = walker.board.sensors, walker.world
    a, b = (world.timer if index == TIMER_FIELD else walker.glass).magnets
    values = measured(walker, index)
    assert abs(values.rest - sensors.rest[index]) <= STEP
    for told, strength in ((values.end_a, a), (values.end_b, b)):
        true = abs(sensors.full[index]) * strength
        assert true * (1 - PLAY) - 2 * STEP <= told <= true + 2 * STEP, FIELD_NAMES[index]


# ---- the path


def test_the_path_is_short_for_the_hand() -> None:
    """Every tube once, each beside the one before; the timer last."""
    *tubes, last = PATH
    assert last == TIMER_FIELD
    assert sorted(tubes) == list(range(37))
    assert all(TUBES[after] in NEIGHBOURS[before] for before, after in pairwise(tubes))


# ---- what is measured is true


@pytest.mark.parametrize("seed", range(in_soak(8, otherwise=2)))
def test_a_whole_walk_measures_the_board_as_it_is(seed: int) -> None:
    noise = (Noise(field=1.0, weak_ring_sensors=6), Noise(holder_counts=130.0), Noise(), QUIET)[seed % 4]
    walker = Walker(seed, noise=noise).go()
    sensors = walker.board.sensors
    for index in range(FIELDS):
        is_true(walker, index)
        assert verdict_of(walker, index).severity is OK
    for tube, row in walker.walk.verdicts().levels.items():
        own = sensors.ring_counts[FIRST_PLACE[tube] : FIRST_PLACE[tube] + len(row)]
        assert [each.values for each in row] == pytest.approx(own, abs=0.1)
    for place, verdict in enumerate(walker.walk.verdicts().holders.values()):
        assert verdict.values is not None
        assert verdict.values.zero == pytest.approx(
            sensors._zero[place], abs=0.31 * COUNTS_PER_GRAM + noise.holder_counts
        )
        assert verdict.values.per_ring == pytest.approx(sensors._load[place][32] / 32, rel=0.012)
    assert not walker.walk.verdicts().findings(PROBLEM)
    assert walker.pressed == [Answer.YES] * 2, "one press for the empty board, one for the holders, no more"


@pytest.mark.soak(but=["1-2"])
@pytest.mark.parametrize("level", [1, 2, 3])
@pytest.mark.parametrize("seed", range(5))
def test_games_on_the_measured_board_are_ruled_as_they_were_played(
    seed: int, level: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    walker = Walker(seed).go()
    calibration = walker.walk.verdicts().merged(KnownCalibration()).calibration
    assert calibration != Calibration()
    monkeypatch.setattr(simulation, "calibration_of", lambda values: calibration)
    game = SimulatedGame(
        Ruleset(level=level), seed, holders=True, habits=Habits(mischief=0.1, pace=(1.0, 0.5)[seed % 2])
    )
    assert game.board.sensors.rest == walker.board.sensors.rest
    game.play()
    judge(game)


def test_one_tube_again_leaves_the_others_as_they_were() -> None:
    blank = KnownCalibration(ring_counts={"A1": (90.0,)})
    before = Walker(3, some("D3", "D4", "timer")).go().walk.verdicts().merged(blank)
    walker = Walker(3, some("D4"), earlier=before).go()
    after = walker.walk.verdicts().merged(before)
    is_true(walker, Tube.D4)
    others = list(before.calibration.fields)
    others[Tube.D4] = after.calibration.fields[Tube.D4]
    assert list(after.calibration.fields) == others
    assert (after.measured, after.ring_counts) == ({"D3", "D4", "timer"}, {"A1": (90.0,)})


# ---- what the person does


def troubles(walker: Walker) -> list[str]:
    return [each.trouble for each in walker.seen if each.trouble]


def into_another_tube(walker: Walker, showing: Prompt) -> bool:
    if showing.words.startswith("Set the glass into D4") and walker.glass in walker.world.in_box(ME):
        walker.act(walker.world.place(ME, Tube.D6, glass=walker.glass))
        return True
    return False


def put_back_unturned(walker: Walker, showing: Prompt) -> bool:
    if showing.words.startswith("Turn the glass over") and not showing.trouble:
        walker.act(walker.world.lift(ME, Tube.D4))
        walker.act(walker.world.seat(ME, Tube.D4, turned=False))
        return True
    return False


@pytest.mark.parametrize(
    ("habit", "trouble"),
    [
        (into_another_tube, "A glass is felt at D6: it belongs into D4"),
        (put_back_unturned, "End A is felt there: turn the glass over"),
    ],
)
def test_a_mistake_is_named_and_nothing_wrong_is_taken(
    habit: Callable[[Walker, Prompt], bool], trouble: str
) -> None:
    walker = Walker(5, some("D4"), habit=habit).go()
    assert any(trouble in each for each in troubles(walker))
    is_true(walker, Tube.D4)
    assert verdict_of(walker, Tube.D4).severity is OK


def test_a_glass_turned_over_between_two_snapshots_is_measured() -> None:
    found = Measurements(fields={Tube.D4: FieldFound(rest=Sample(128.0, 128.0, 128.0, 30))})
    step, t = SeatStep(found, Tube.D4, KnownCalibration()), 0.0
    for reading, trouble in ((128, ""), (61, "End B is felt there"), (195, ""), (61, "")):
        for _ in range(40):
            t += 0.05
            step.on_snapshot(snapshot({Tube.D4: reading}), t)
        assert step.prompt().trouble.startswith(trouble)
    assert step.over
    assert found.fields[Tube.D4].is_complete


@pytest.mark.parametrize("seed", range(2))
def test_a_hand_that_hovers_and_wobbles_is_not_taken_for_a_glass(seed: int) -> None:
    hovered: list[int] = []

    def habit(walker: Walker, showing: Prompt) -> bool:
        world = walker.world
        tube = next((TUBES[index] for index, lit in lit_of(showing).items() if lit is Mark.HERE), None)
        if tube is None or len(hovered) >= 12 or walker.glass.tube is tube:
            return False
        hovered.append(tube)
        if walker.glass in world.in_box(ME):
            walker.act(world.place(ME, Tube.A1, glass=walker.glass))
        stands = walker.glass.tube
        if stands is not None:
            walker.act(world.knock(stands))
            walker.act(world.lift(ME, stands))
        walker.act(hover(world, ME, tube))
        walker.act(world.seat(ME, tube, turned=walker.glass.down is not End.A))
        return True

    walker = Walker(seed, some("B5", "B4", "B3", "C4"), habit=habit).go()
    assert hovered
    for tube in (Tube.B5, Tube.B4, Tube.B3, Tube.C4):
        is_true(walker, tube)


def lean_in(tube: Tube) -> tuple[list[Tube], Callable[[Walker, Prompt], bool]]:
    """A habit: the glass is not pushed home there, once."""
    leant: list[Tube] = []

    def habit(walker: Walker, showing: Prompt) -> bool:
        world = walker.world
        if lit_of(showing).get(tube) is not Mark.HERE:
            return False
        if "push the glass home" in showing.trouble:
            walker.act(world.straighten(ME, tube))
            return True
        if leant:
            return False
        leant.append(tube)
        if walker.glass in world.in_box(ME):
            walker.act(world.place(ME, tube, glass=walker.glass))
        stands = walker.glass.tube
        assert stands is not None
        walker.act(world.lift(ME, stands))
        if walker.glass.down is not End.A:
            walker.act(world.seat(ME, tube, turned=True))
            walker.act(world.lift(ME, tube))
        walker.act(world.lean(ME, tube))
        return True

    return leant, habit


def test_a_leaning_glass_is_held_against_the_tubes_before() -> None:
    leant, habit = lean_in(Tube.B5)
    walker = Walker(6, some("A1", "A2", "A3", "A4", "B5"), habit=habit).go()
    assert leant
    assert any("of the other tubes' field is felt: push the glass home" in each for each in troubles(walker))
    is_true(walker, Tube.B5)


def test_the_first_tube_is_asked_for_again_when_it_falls_out_of_line() -> None:
    """Nothing was known yet that a leaning glass could be held against."""
    leant, habit = lean_in(Tube.A1)
    walker = Walker(6, some("A1", "A2", "A3", "A4"), habit=habit).go()
    assert leant
    titles = [each.title for each in walker.seen]
    assert "1 of 4" in titles[titles.index("4 of 4") :]
    is_true(walker, Tube.A1)


def test_back_measures_the_one_before_again_and_skip_leaves_one_out() -> None:
    pressed: list[str] = []

    def habit(walker: Walker, showing: Prompt) -> bool:
        for tube, answer in (("A2", Answer.BACK), ("A4", Answer.SKIP)):
            if tube not in pressed and f"into {tube}," in showing.words:
                pressed.append(tube)
                walker.press(answer)
                return True
        return False

    walker = Walker(7, some("A1", "A2", "A3", "A4"), habit=habit).go()
    titles = [each.title for each in walker.seen]
    shown = [title for before, title in pairwise([None, *titles]) if title != before]
    assert shown == ["Empty board", "1 of 4", "2 of 4", "1 of 4", "2 of 4", "3 of 4", "4 of 4"]
    assert verdict_of(walker, Tube.A4).severity is None
    assert walker.walk.verdicts().merged(KnownCalibration()).measured == {"A1", "A2", "A3"}
    walker.press(Answer.BACK)  # it is over: nothing more happens
    assert walker.walk.done


def test_the_empty_board_cannot_be_skipped() -> None:
    walker = Walker(7, some("A1"))
    for answer, trouble in ((Answer.SKIP, "cannot be left out"), (Answer.BACK, "This is the first step.")):
        walker.press(answer)
        assert trouble in walker.look().trouble
    walker.go().walk.advance(walker.now)
    assert walker.walk.tone(walker.now) is not None, "what was taken is heard"


# ---- the line


def test_frames_that_are_missing_begin_a_run_anew() -> None:
    """With every tenth frame lost there is never a run without a gap; with none lost there is."""
    walker = Walker(9, some("D4"))
    walker.press()
    until = walker.now + 20.0
    while walker.now < until:
        walker.board.drop_frames(1)
        walker.until(walker.now + 0.5)
    assert walker.look().title == "Empty board"
    walker.until(walker.now + 3.0)
    assert walker.look().title == "1 of 1"


@pytest.mark.parametrize("when", [0.6, 1.4])
def test_a_cable_that_is_pulled_costs_the_present_sample_alone(when: float) -> None:
    pulled: list[float] = []

    def habit(walker: Walker, showing: Prompt) -> bool:
        if showing.title == "2 of 3" and any(lit is Mark.TURN for lit in lit_of(showing).values()) and not pulled:
            pulled.append(walker.now)
            walker.turn(Tube.D3)
            walker.until(walker.now + when)
            session = walker.wire.session  # type: ignore[attr-defined]
            session.closed(walker.now, "pulled")
            walker.walk.step.restart()
            # Meanwhile the glass is taken away.
            walker.act(walker.world.lift(ME, Tube.D3))
            walker.until(walker.now + 5.0)
            session.opened(walker.now)
            walker.board.reset()
            walker.act(walker.world.seat(ME, Tube.D3, turned=False))
            return True
        return False

    walker = Walker(10, some("D2", "D3", "D4"), habit=habit).go()
    assert pulled
    for tube in (Tube.D2, Tube.D3, Tube.D4):
        is_true(walker, tube)


# ---- broken sensors

#: What is told of a fault in the end, and what was shown before that.
BROKEN = """
glass D4 0
  problem field of D4: reads 0, an end of the scale → look for a broken or shorted wire at its sensor
ring D4.3 0
  problem ring sensor of D4, level 3: its ring gives 0 counts; it needs 10 → … clean the sensor's window
  No ring is seen at D4.3 (tube.level, 1 is the lowest). If the rings are there, press start again
ring D4.3 1
  problem ring sensor of D4, level 3: sees a ring where there is none → look for dirt
  A ring is seen at D4.3
converter 3
  problem ring sensors D4.1 D4.2 … has no answer from its converter 3 → look at that MCP3008
  No answer from converter 3 (MCP3008): see to that first. Press start again
holder black
  problem black's ring holder: … does not answer → look at its wires and its supply
"""


@pytest.mark.parametrize(("fault", "lines"), cases(BROKEN))
def test_a_part_that_is_broken_is_named_and_not_believed(fault: str, lines: list[str]) -> None:
    walker = Walker(13, unmeasured(fields=(Tube.D3, Tube.D4), tubes=(Tube.D4,), holders=True), noise=QUIET)
    walker.board.put_fault(fault_of(fault))
    walker.go()
    told, *shown = lines
    verdicts = walker.walk.verdicts()
    assert_says(verdicts.findings(PROBLEM), told)
    assert all(any(each in trouble for trouble in troubles(walker)) for each in shown)
    known = verdicts.merged(KnownCalibration())
    assert known.measured == ({"D3"} if "glass" in fault else {"D3", "D4"})
    assert known.holders_measured is ("holder" not in fault)
    counts = known.ring_counts.get("D4", ())
    assert (len(counts) == 4 and 0 not in counts) is ("ring" not in fault and "converter" not in fault)


def full(steps: float) -> Callable[[Walker], None]:
    """The steps that a standard glass moves D4."""

    def prepare(walker: Walker) -> None:
        sensors = walker.board.sensors
        sensors.full[Tube.D4] = steps or -sensors.full[Tube.D4]

    return prepare


def mangled(change: Callable[[bytearray, int], None]) -> Callable[[Walker], None]:
    """The readings of all fields are changed on their way."""

    def prepare(walker: Walker) -> None:
        analog = walker.board.sensors.analog

        def read(fields: int, scan: int) -> tuple[bytes, bytes]:
            readings, references = analog(fields, scan)
            changed = bytearray(readings)
            change(changed, scan)
            return bytes(changed), references

        walker.board.sensors.analog = read  # type: ignore[method-assign]

    return prepare


def jump(readings: bytearray, scan: int) -> None:
    readings[Tube.D4] = (readings[Tube.D4] + (scan * 7919 % 25) - 12) & 0xFF


def swap(readings: bytearray, scan: int) -> None:
    readings[Tube.D4], readings[Tube.D5] = readings[Tube.D5], readings[Tube.D4]


@pytest.mark.parametrize(
    ("prepare", "severity", "cause", "trouble"),
    [
        (full(0.001), PROBLEM, "feels nothing of the glass", "Nothing is felt in D4"),
        (full(24.0), WARNING, "", ""),
        (full(40.0), WARNING, "of what the other tubes do", "of the other tubes' field is felt"),
        (full(117.0), PROBLEM, "the sensor lies too near", ""),
        (full(0.0), PROBLEM, "the wrong way round", "If end A is down, press start"),
        (mangled(jump), PROBLEM, "loose wire", ""),
        (mangled(swap), PROBLEM, "its glass is felt at D5", "A glass is felt at D5"),
    ],
)
def test_a_broken_sensor_is_named_and_not_believed(
    prepare: Callable[[Walker], None], severity: Severity, cause: str, trouble: str
) -> None:
    walker = Walker(13, some("D1", "D2", "D3", "D4", "D5"), noise=QUIET)
    prepare(walker)
    walker.go()
    verdict = verdict_of(walker, Tube.D4)
    assert verdict.severity is severity, verdict
    assert cause in why(verdict)
    assert any(trouble in each for each in troubles(walker)) or not trouble
    known = walker.walk.verdicts().merged(KnownCalibration())
    assert ("D4" in known.measured) is (severity is WARNING)
    for tube in (Tube.D1, Tube.D2, Tube.D3):
        is_true(walker, tube)


def test_a_glass_marked_the_wrong_way_round_is_believed_and_said() -> None:
    walker = Walker(12, some("D3", "D4", "D5"))
    for tube in (Tube.D3, Tube.D4, Tube.D5):
        walker.board.sensors.full[tube] *= -1
    walker.go()
    assert not walker.walk.verdicts().findings(PROBLEM)
    assert walker.walk.verdicts().glass_marked_wrongly
    # The referee wants A where the reading rises: that is the end with the other magnet now.
    _, b = walker.glass.magnets
    true = -walker.board.sensors.full[Tube.D4] * b
    assert true * (1 - PLAY) - 2 * STEP <= measured(walker, Tube.D4).end_a <= true + 2 * STEP


MUX, SELECT = fault_of("mux 1 0"), fault_of("select 0 high")


def take_away(walker: Walker) -> None:
    walker.act(walker.world.lift(ME, Tube.D4))
    walker.act(walker.world.put_away(ME))


@pytest.mark.parametrize(
    ("put", "remove", "trouble"),
    [
        (
            lambda it: it.board.put_fault(MUX),
            lambda it: it.board.clear_fault(MUX),
            "and not 64, 128, 191: a multi",
        ),
        (
            lambda it: it.board.put_fault(SELECT),
            lambda it: it.board.clear_fault(SELECT),
            "one of its select lines",
        ),
        (
            lambda it: it.board.disturb_supply(low=Flicker(0.001, 1)),
            lambda it: it.board.disturb_supply(),
            "5 V supply is below about 4.5 V",
        ),
        (lambda it: it.world.lamp(True), lambda it: it.world.lamp(False), "Light falls on"),
        (lambda it: it.act(it.world.place(ME, Tube.D4, glass=it.glass)), take_away, "Something is felt at D4"),
    ],
)
def test_nothing_is_measured_on_the_empty_board_before_an_obstacle_is_gone(
    put: Callable[[Walker], object], remove: Callable[[Walker], object], trouble: str
) -> None:
    walker = Walker(15, unmeasured(fields=(int(Tube.D4),)))
    put(walker)
    walker.until(walker.now + 1.0)
    walker.press()
    walker.until(walker.now + 20.0)
    assert walker.look().title == "Empty board"
    assert trouble in walker.look().trouble
    assert lit_of(walker.look()).get(Tube.D4) is (Mark.WRONG if remove is take_away else None)
    remove(walker)
    walker.go()
    is_true(walker, Tube.D4)
    assert not walker.walk.verdicts().findings(PROBLEM)


# ---- rings


def test_a_finger_while_the_bare_sensors_are_read_spoils_nothing() -> None:
    walker = Walker(18, unmeasured(fields=()))
    walker.until(0.5)
    walker.press()
    for _ in range(5):
        walker.until(walker.world.touch(Player.BLACK, Tube.D4))
    walker.go()
    assert not walker.walk.verdicts().findings(PROBLEM)


def test_weak_and_blind_sensors_and_one_with_a_wrong_threshold() -> None:
    walker = Walker(20, unmeasured(fields=()), noise=QUIET)
    first, sensors = FIRST_PLACE[Tube.D4], walker.board.sensors
    sensors.ring_counts[first : first + 4] = [64.0, 30.0, 17.0, 9.0]
    # Of an earlier calibration: snapshots never show this ring.
    sensors.thresholds[sensors.bit_of_place[first]] = 90
    walker.go()
    rows = walker.walk.verdicts().levels[Tube.D4]
    assert [each.severity for each in rows] == [OK, OK, WARNING, PROBLEM]
    assert [each.values for each in rows] == [64.0, 30.0, 17.0, 0]
    (asked,) = {each.trouble for each in walker.seen if each.trouble}
    assert "No ring is seen at D4.4 (" in asked, "the others' signals have risen"


# ---- holders


def test_a_load_cell_at_its_rail_is_named_and_neither_holder_counts() -> None:
    walker = Walker(22, unmeasured(fields=(), tubes=(), holders=True))
    walker.board.sensors.holder = lambda index, t: (0, HOLDER_RAILS[1])[index]  # type: ignore[method-assign]
    walker.go()
    assert walker.walk.verdicts().severities == [PROBLEM, PROBLEM]
    assert not walker.walk.verdicts().merged(KnownCalibration()).holders_measured


def test_a_holder_without_its_rings_is_named() -> None:
    walker = Walker(23, unmeasured(fields=(), tubes=(), holders=True))
    walker.measure_empty_board()
    fill_holder(walker.world, PLAYERS[0], 32)
    walker.until(walker.now + 1.0)
    walker.press()
    walker.until(walker.now + 20.0)
    red, black = walker.walk.verdicts().holders.values()
    assert red.severity is OK
    assert black.severity is PROBLEM
    assert "were 32 rings in it" in why(black)


def test_rings_that_are_still_laid_in_are_waited_for() -> None:
    walker = Walker(24, unmeasured(fields=(), tubes=(), holders=True))
    walker.measure_empty_board()
    walker.press()
    for count in range(1, 33):
        for player in PLAYERS:
            fill_holder(walker.world, player, count)
        walker.until(walker.now + 0.2)
    walker.until(walker.now + 5.0)
    for place, verdict in enumerate(walker.walk.verdicts().holders.values()):
        assert verdict.values is not None
        assert verdict.values.per_ring == pytest.approx(walker.board.sensors._load[place][32] / 32, rel=0.012)


# ---- what was known before


def test_what_is_bad_now_keeps_what_was_known_and_so_do_glasses_that_were_timed() -> None:
    fields = list(Calibration().fields)
    fields[Tube.D4] = FieldCalibration(rest=120.0)
    sand = SandCalibration(glasses=((Tube.D1, (170.0, 171.0)),), tolerance=0.01)
    earlier = KnownCalibration(
        calibration=Calibration(fields=tuple(fields), sand=sand),
        measured=frozenset({"D4"}),
        glasses=frozenset({"D1"}),
        timer_timed=True,
    )
    walker = Walker(25, some("D3", "D4"), earlier=earlier)
    walker.board.put_fault(fault_of("glass D4 0"))
    walker.go()
    known = walker.walk.verdicts().merged(earlier)
    assert known.calibration.fields[Tube.D4] == fields[Tube.D4]
    assert known.calibration.sand == sand
    assert known.measured == {"D3", "D4"}
    assert replace(known, measured=earlier.measured, calibration=earlier.calibration) == earlier
