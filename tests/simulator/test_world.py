"""Acts that hands can and cannot do, the sand, and the account that the world gives of them."""

import pytest

from tamsk_hw.game.tubes import TUBES, End, Player, Tube
from tamsk_hw.referee.events import ButtonName, Press
from tamsk_hw.simulator import truth
from tamsk_hw.simulator.glasses import SandGlass
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.truth import WorldError
from tamsk_hw.simulator.world import PressKind, World

RED, BLACK = Player.RED, Player.BLACK


def test_a_move_takes_human_time_and_is_told_in_order() -> None:
    world = World(11)
    before = world.glass("D1").down
    lifted = world.lift(RED, Tube.D1)
    assert 0.2 < lifted < 0.7
    world.advance(lifted)
    assert world.held(RED) == (world.glass("D1"),)
    assert world.glass_at[Tube.D1] is None
    seated = world.seat(RED, Tube.D2, turned=True)
    assert 0.3 + 0.06 + 0.08 < seated - lifted < 1.2 + 0.15 + 0.25 + 1e-9
    world.advance(seated)
    first, last = world.truth[0], world.truth[-1]
    assert isinstance(first, truth.GlassLifted)
    assert (first.tube, first.glass.name) == (Tube.D1, "D1")
    assert isinstance(last, truth.GlassSeated)
    assert (last.tube, last.end_down, last.turned, last.t) == (Tube.D2, before.other, True, seated)
    assert [entry.t for entry in world.truth] == sorted(entry.t for entry in world.truth)
    assert world.glass("D1").tube is Tube.D2
    assert len(world.free_hands(RED)) == 2


def test_two_hands_hold_two_glasses_and_the_one_that_is_named_goes_first() -> None:
    world = World(12)
    lifted = world.lift(RED, Tube.D1)
    with pytest.raises(WorldError, match="red does not hold a glass"):
        world.seat(RED, Tube.D2, turned=True)  # the hand has not got it yet
    world.advance(lifted)
    world.advance(world.lift(RED, Tube.G4))
    assert [glass.name for glass in world.held(RED)] == ["D1", "G4"]
    with pytest.raises(WorldError, match="red has no free hand"):
        world.drop(RED, Tube.D1)
    world.seat(RED, Tube.D4, turned=False, glass=world.glass("G4"))
    assert not world.can_seat(Tube.D4)
    with pytest.raises(WorldError, match="on its way"):
        world.seat(RED, Tube.D4, turned=True)
    world.advance(world.now + 2.0)
    assert [glass.name for glass in world.held(RED)] == ["D1"]


def test_rings_fit_up_to_the_capacity_and_come_off_the_top() -> None:
    world = World(16)
    for count in (1, 2, 3, 4):
        done = world.drop(RED, Tube.D4)
        if count == 4:
            assert not world.can_drop(Tube.D4)
        world.advance(done)
        assert world.rings[Tube.D4] == count
    with pytest.raises(WorldError, match="no ring fits on D4: 4 of 4"):
        world.drop(BLACK, Tube.D4)
    taken = world.take(BLACK, Tube.D4, to=RED)
    with pytest.raises(WorldError, match="another hand is at the rings of D4"):
        world.take(RED, Tube.D4)
    world.advance(taken)
    assert world.rings[Tube.D4] == 3
    assert (world.holders[RED].rings, world.holders[BLACK].rings) == (29, 32)
    lifted = [entry.count for entry in world.truth if isinstance(entry, truth.RingLifted)]
    assert lifted == [3]
    with pytest.raises(WorldError, match="no ring on D1"):
        world.take(RED, Tube.D1)


def test_a_ring_leaves_the_holder_well_before_it_lies_on_the_tube() -> None:
    for seed in range(20):
        world = World(seed)
        world.advance(world.drop(RED, Tube.D4))
        taken = next(entry for entry in world.truth if isinstance(entry, truth.HolderChanged))
        dropped = next(entry for entry in world.truth if isinstance(entry, truth.RingDropped))
        assert 0.5 + 0.15 <= dropped.t - taken.t <= 1.2 + 0.5
        assert (taken.left, dropped.count) == (31, 1)


def test_a_ring_in_the_hand_may_be_given_to_the_other() -> None:
    world = World(18)
    world.advance(world.take_up(BLACK))
    world.advance(world.put_back(BLACK, to=RED))
    assert (world.holders[RED].rings, world.holders[BLACK].rings, world.rings_in_hand(BLACK)) == (33, 31, 0)
    assert [world.holders[player].load_at(world.now + 1) for player in (RED, BLACK)] == [33, 31]
    assert world.truth[-1] == truth.HolderChanged(world.now, RED, 33)


def test_leaning_stays_until_it_is_straightened() -> None:
    world = World(20)
    world.advance(world.lift(RED, Tube.D1))
    world.advance(world.lean(RED, Tube.D2))
    glass = world.glass("D1")
    assert glass.leaning
    assert glass.tube is Tube.D2
    world.advance(world.now + 30)
    world.advance(world.straighten(RED, Tube.D2))
    assert not glass.leaning
    # half out and lifted from there
    world.advance(world.lean(BLACK, Tube.D2))
    world.advance(world.lift(BLACK, Tube.D2))
    assert world.held(BLACK) == (glass,)
    kinds = [type(entry) for entry in world.truth]
    assert kinds == [
        truth.GlassLifted,
        truth.GlassLeaning,
        truth.GlassSeated,
        truth.GlassLeaning,
        truth.GlassLifted,
    ]


@pytest.mark.parametrize("full", [True, False])
def test_placing_from_off_the_board(full: bool) -> None:
    world = World(21, setup=WorldStart.FREE)
    assert [glass.name for glass in world.in_box(BLACK)] == ["black-1", "black-2", "black-3"]
    assert all(world.glass_at[tube] is None for tube in TUBES)
    world.advance(world.place(BLACK, Tube.C3, full=full))
    glass = world.glass("black-1")
    assert glass.tube is Tube.C3
    speed = glass.seconds[0 if glass.down is End.A else 1]
    taken = 0.35  # it is in the hand after 0.2 to 0.5 s
    assert glass.runs_out_at(world.now) == (pytest.approx(taken + speed, abs=0.15) if full else None)
    world.advance(world.lift(BLACK, Tube.C3))
    world.advance(world.put_away(BLACK))
    assert glass in world.in_box(BLACK)


def test_turned_over_twice_is_not_turned() -> None:
    world = World(25)
    before = world.glass("D1").down
    world.advance(world.lift(RED, Tube.D1))
    world.advance(world.turn(RED))
    world.advance(world.seat(RED, Tube.D2, turned=True))
    seated = world.truth[-1]
    assert isinstance(seated, truth.GlassSeated)
    assert (seated.end_down, seated.turned) == (before, False)


def test_a_button_is_held_until_it_is_let_go() -> None:
    world = World(29)
    world.press(ButtonName.BLACK, PressKind.DOWN)
    with pytest.raises(WorldError, match="held down already"):
        world.press(ButtonName.BLACK, PressKind.DOWN)
    world.advance(world.press(ButtonName.BLACK))
    assert world.is_down(ButtonName.BLACK)
    world.advance(5.0)
    world.press(ButtonName.BLACK, PressKind.UP)
    assert not world.is_down(ButtonName.BLACK)
    assert world.truth[-1] == truth.ButtonPressed(5.0, ButtonName.BLACK, Press.LONG)
    with pytest.raises(WorldError, match="nobody holds"):
        world.press(ButtonName.BLACK, PressKind.UP)


def test_turning_reverses_the_time_at_each_ends_own_speed() -> None:
    # 100 s with A down, 200 s with B down; empty above, A down
    sand = SandGlass((100.0, 200.0), End.A)
    assert sand.runs_out_at(0.0) is None
    assert sand.lower_seconds(0.0) == 200.0
    sand.turn(10.0)  # all above, B down
    assert sand.runs_out_at(10.0) == 210.0
    assert sand.upper_seconds(60.0) == pytest.approx(150.0)  # a quarter has run
    sand.turn(60.0)  # a quarter above, A down: 25 s
    assert sand.upper_seconds(60.0) == pytest.approx(25.0)
    assert sand.above(70.0) == pytest.approx(0.15)
    assert sand.runs_out_at(70.0) == pytest.approx(85.0)
    assert sand.above(85.0) == pytest.approx(0.0, abs=1e-12)
    assert sand.runs_out_at(85.1) is None
    sand.turn(300.0)
    assert sand.upper_seconds(300.0) == 200.0


def test_lying_in_the_box_sand_stands_still() -> None:
    sand = SandGlass((100.0, 100.0), End.A)
    sand.stand_up(0.0, full=True)
    sand.lay_down(40.0)
    assert sand.above(500.0) == pytest.approx(0.6)
    assert sand.runs_out_at(500.0) is None
    sand.stand_up(500.0)
    assert sand.runs_out_at(500.0) == pytest.approx(560.0)


def turnings_of(glass: SandGlass) -> list[float]:
    """A list to which the time of each turn of this glass is added from now on."""
    turns: list[float] = []
    turn = glass.turn
    glass.turn = lambda t: turns.append(t) or turn(t)
    return turns


def test_sand_runs_in_the_hand_by_the_instant_of_turning() -> None:
    world = World(3)
    glass = world.glass("D1")
    glass.seconds, turned = (50.0, 80.0), turnings_of(glass)
    assert glass.upper_seconds(world.now) == 0.0
    world.advance(world.lift(Player.RED, Tube.D1))
    world.advance(world.seat(Player.RED, Tube.D2, turned=True))
    full = 50.0 if glass.down is End.A else 80.0
    assert glass.runs_out_at(world.now) == pytest.approx(turned[0] + full)
    world.advance(200.0)
    (empty,) = [entry for entry in world.truth if isinstance(entry, truth.GlassRanOut)]
    assert (empty.glass, empty.tube) == (glass, Tube.D2)
    assert empty.t == pytest.approx(turned[0] + full)
    assert glass.upper_seconds(world.now) == 0.0


def test_a_glass_turned_before_it_ran_out_is_not_said_to_have_run_out() -> None:
    world = World(4)
    glass = world.glass("D1")
    glass.seconds, turns = (20.0, 20.0), turnings_of(glass)
    for origin, target, start in ((Tube.D1, Tube.D2, 0.0), (Tube.D2, Tube.D3, 15.0)):
        world.advance(max(start, world.now))
        world.advance(world.lift(Player.RED, origin))
        world.advance(world.seat(Player.RED, target, turned=True))
    world.advance(100.0)
    ran_out = [entry.t for entry in world.truth if isinstance(entry, truth.GlassRanOut)]
    # full at the first turn; what had run through by the second is what was above then
    assert ran_out == [pytest.approx(turns[1] + (turns[1] - turns[0]))]


def test_timer_tells_whether_it_was_empty_when_it_was_taken() -> None:
    world = World(5)
    world.advance(world.turn_timer(Player.RED))
    world.advance(5.0)
    world.advance(world.turn_timer(Player.BLACK))
    world.advance(60.0)
    lifted = [entry.was_empty for entry in world.truth if isinstance(entry, truth.TimerTaken)]
    seated = [(entry.turned, entry.was_empty) for entry in world.truth if isinstance(entry, truth.TimerSet)]
    assert lifted == [True, False]
    assert seated == [(True, True), (True, False)]
    assert len([entry for entry in world.truth if isinstance(entry, truth.TimerRanOut)]) == 1
    assert world.timer.upper_seconds(world.now) == 0.0


def test_durations_differ_by_the_spread_and_no_more() -> None:
    drawn = [
        seconds
        for seed in range(60)
        for world in [World(seed)]
        for glass in world.glasses
        for seconds in glass.seconds
    ]
    mean = sum(drawn) / len(drawn)
    deviation = (sum((each - mean) ** 2 for each in drawn) / len(drawn)) ** 0.5
    # 720 draws of N(180, 2.7): four standard errors
    assert mean == pytest.approx(180.0, abs=0.41)
    assert deviation == pytest.approx(2.7, rel=0.11)
