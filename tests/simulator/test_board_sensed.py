"""Unruly hands at the simulated board: the sensing must tell what the world's truth says, no more and no less."""

from collections.abc import Callable
from contextlib import suppress
from random import Random

import pytest

from tamsk_hw.board.protocol import Decoder, Set, Settings, Snapshot, encode
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.game.tubes import PLAYERS, START_TUBES, TUBES, End, Tube
from tamsk_hw.referee import events
from tamsk_hw.simulator import truth
from tamsk_hw.simulator.world import World
from tamsk_hw.table.simulation import calibration_of
from tests.disturbances.board import DisturbedBoard
from tests.disturbances.hands import hover


def unruly_hand(world: World, chance: Random) -> None:
    """Something that a hand may do, whether the rules like it or not."""
    player, tube = chance.choice(PLAYERS), chance.choice(TUBES)
    standing = chance.choice([each for each in TUBES if world.glass_at[each]] or [tube])
    ringed = chance.choice([each for each in TUBES if world.rings[each]] or [tube])
    with_glass: list[Callable[[], object]] = [
        lambda: world.seat(player, tube, turned=chance.random() < 0.6),
        lambda: world.seat(player, tube, turned=chance.random() < 0.6),
        lambda: hover(world, player, tube),
        lambda: world.lean(player, tube),
    ]
    without: list[Callable[[], object]] = [
        lambda: world.lift(player, standing),
        lambda: world.lift(player, standing),
        lambda: world.knock(standing),
        lambda: world.straighten(player, standing),
        lambda: world.turn_timer(player),
        lambda: world.drop(player, tube),
        lambda: world.drop(player, tube),
        lambda: world.take(player, ringed),
        lambda: world.touch(player, tube),
        lambda: world.knock_holder(player),
    ]
    busy = world.held(player) and chance.random() < 0.7
    with suppress(truth.WorldError):  # no room, no hand free: then it is not done
        chance.choice(with_glass if busy else without)()


@pytest.mark.parametrize("seed", range(6))
def test_every_event_happened_and_everything_that_happened_is_an_event(seed: int) -> None:
    chance, board = Random(seed), DisturbedBoard(World(seed), clock_rate=1 + (seed - 3) * 0.001)
    world, decoder = board.world, Decoder()
    sensing = Sensing(
        board.wiring, calibration_of(board.sensors.calibration_values()), SensingSettings(), holders=True
    )
    told: list[events.Event] = []

    def until(t: float) -> None:
        for _, frame in board.advance(t):
            for message in decoder.feed(frame):
                if isinstance(message, Snapshot):
                    told.extend(sensing.feed(message, message.time / 1e6))

    until(0.1)
    board.receive(encode(Set(0, Settings(shortest_interval=2500 if seed % 2 else 10_000))))
    until(2.0)
    first = len(told)
    seats = {event.tube: event.end for event in told if isinstance(event, events.Seat)}
    assert seats == {tube: world.glass(str(tube)).down for player in PLAYERS for tube in START_TUBES[player]}
    while world.now < 100.0:
        unruly_hand(world, chance)
        until(world.now + chance.choice((0.05, 0.3, 1.0, 2.0)))
    until(world.now + 6.0)
    told = told[first:]

    def glass_story(tube: Tube) -> list[End | None]:
        happened = [each for each in world.truth if isinstance(each, truth.GlassLifted | truth.GlassSeated)]
        return [
            each.end_down if isinstance(each, truth.GlassSeated) else None
            for each in happened
            if each.tube is tube
        ]

    def glasses_told(tube: Tube) -> list[End | None]:
        heard = [each for each in told if isinstance(each, events.Lift | events.Seat)]
        return [each.end if isinstance(each, events.Seat) else None for each in heard if each.tube is tube]

    for tube in TUBES:
        assert glasses_told(tube) == glass_story(tube), tube
        rings = [each for each in world.truth if isinstance(each, truth.RingDropped | truth.RingLifted)]
        counts = [event.count for event in told if isinstance(event, events.Rings) and event.tube is tube]
        assert counts == [each.count for each in rings if each.tube is tube], tube
    timer = [each for each in world.truth if isinstance(each, truth.TimerTaken | truth.TimerSet)]
    timer_told = [event for event in told if isinstance(event, events.TimerLifted | events.TimerSeated)]
    seated = [isinstance(event, events.TimerSeated) for event in timer_told]
    assert seated == [isinstance(each, truth.TimerSet) for each in timer]
    for player in PLAYERS:
        held = [event.count for event in told if isinstance(event, events.Holder) and event.player is player]
        assert not held or held[-1] == world.holders[player].rings
    assert [event for event in told if isinstance(event, events.Fault)] == []
    assert len(world.truth) > 60
