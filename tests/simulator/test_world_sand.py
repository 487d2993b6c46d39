"""Sand against numbers worked out by hand."""

from __future__ import annotations

import pytest

from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.simulator.glasses import SandGlass
from tamsk_hw.simulator.things import WorldStart
from tamsk_hw.simulator.truth import GlassRanOut, GlassTurned, TimerRanOut, TimerSet, TimerTaken, WorldError
from tamsk_hw.simulator.world import World


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


@pytest.mark.parametrize("full", [True, False])
def test_stood_up_by_the_end_that_is_wanted(full: bool) -> None:
    sand = SandGlass((100.0, 100.0), End.A, running=False)
    sand.stand_up(0.0, full=full)
    assert sand.above(0.0) == float(full)
    assert sand.down is (End.B if full else End.A)


def test_sand_runs_in_the_hand_by_the_instant_of_turning() -> None:
    seconds = dict.fromkeys(("D1", "G4", "A4", "G1", "D7", "A1"), (50.0, 80.0))
    world = World(3, glass_seconds=seconds)
    glass = world.glass("D1")
    assert glass.upper_seconds(world.now) == 0.0
    world.advance(world.lift(Player.RED, Tube.D1))
    world.advance(world.seat(Player.RED, Tube.D2, turned=True))
    (turned,) = [entry for entry in world.truth if isinstance(entry, GlassTurned)]
    full = 50.0 if glass.down is End.A else 80.0
    assert glass.runs_out_at(world.now) == pytest.approx(turned.t + full)
    world.advance(200.0)
    (empty,) = [entry for entry in world.truth if isinstance(entry, GlassRanOut)]
    assert (empty.glass, empty.tube) == (glass, Tube.D2)
    assert empty.t == pytest.approx(turned.t + full)
    assert glass.upper_seconds(world.now) == 0.0


def test_a_glass_turned_before_it_ran_out_is_not_said_to_have_run_out() -> None:
    seconds = dict.fromkeys(("D1", "G4", "A4", "G1", "D7", "A1"), (20.0, 20.0))
    world = World(4, glass_seconds=seconds)
    for origin, target, start in ((Tube.D1, Tube.D2, 0.0), (Tube.D2, Tube.D3, 15.0)):
        world.advance(max(start, world.now))
        world.advance(world.lift(Player.RED, origin))
        world.advance(world.seat(Player.RED, target, turned=True))
    turns = [entry.t for entry in world.truth if isinstance(entry, GlassTurned)]
    world.advance(100.0)
    ran_out = [entry.t for entry in world.truth if isinstance(entry, GlassRanOut)]
    # full at the first turn; what had run through by the second is what was above then
    assert ran_out == [pytest.approx(turns[1] + (turns[1] - turns[0]))]


def test_timer_tells_whether_it_was_empty_when_it_was_taken() -> None:
    world = World(5, timer_seconds=(15.0, 15.0))
    world.advance(world.turn_timer(Player.RED))
    world.advance(5.0)
    world.advance(world.turn_timer(Player.BLACK))
    world.advance(60.0)
    lifted = [entry.was_empty for entry in world.truth if isinstance(entry, TimerTaken)]
    seated = [(entry.turned, entry.was_empty) for entry in world.truth if isinstance(entry, TimerSet)]
    assert lifted == [True, False]
    assert seated == [(True, True), (True, False)]
    assert len([entry for entry in world.truth if isinstance(entry, TimerRanOut)]) == 1
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


def test_missing_seconds_are_refused_by_name() -> None:
    with pytest.raises(WorldError, match="no seconds for glass red-1"):
        World(1, setup=WorldStart.FREE, glass_seconds={"D1": (180.0, 180.0)})
