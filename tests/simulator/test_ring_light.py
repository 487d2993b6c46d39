"""Recesses and pushed rings on the simulated board: the light that a sensor then needs."""

from __future__ import annotations

from math import inf

import pytest

from tamsk_hw.board.protocol import SELF_TEST_UNSEEN
from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.faults import RingSensorStuck, SensorRecess
from tamsk_hw.simulator.sensors import QUIET, RingLight
from tamsk_hw.simulator.things import FIRST_PLACE, WorldStart
from tamsk_hw.simulator.truth import WorldError
from tamsk_hw.simulator.world import World
from tests.emulated.stimuli import BARE, Stimuli

PLACE = FIRST_PLACE[Tube.D4]
BIT = load_wiring().ring_bits[Tube.D4][0]


@pytest.mark.parametrize("need", [20.0, 40.0, 100.0, 158.0])
def test_a_sensor_as_drawn_needs_what_it_was_made_with(need: float) -> None:
    assert RingLight().is_as_drawn
    assert RingLight().needed(PLACE, need) == pytest.approx(need)


def test_a_near_ring_needs_less_light_unless_it_lies_in_the_dead_zone() -> None:
    assert RingLight(True).needed(PLACE, 100.0) < 100.0
    assert RingLight(True, {PLACE: 0.2}).needed(PLACE, 100.0) == inf
    assert RingLight(False, {PLACE: 0.2}).needed(PLACE, 100.0) < 100.0


def test_the_ring_below_is_seen_from_a_shallow_recess_by_a_strong_sensor_only() -> None:
    shallow, drawn = RingLight(True, {PLACE: 0.2}), RingLight(True)
    assert shallow.needed_from_below(PLACE, 15.0) < 160.0
    assert shallow.needed_from_below(PLACE, 100.0) == inf
    assert drawn.needed_from_below(PLACE, 15.0) == inf


def board_with_a_ring() -> SimulatedBoard:
    world = World(1, setup=WorldStart.BOX)
    board = SimulatedBoard(world, noise=QUIET)
    board.sensors.light_needed[PLACE : PLACE + 2] = [100.0, 15.0]
    board.advance(world.drop(Player.RED, Tube.D4) + 0.5)
    return board


def test_a_sunk_sensor_is_seen_in_self_test_and_snapshots_and_mended_again() -> None:
    board = board_with_a_ring()
    sensors = board.sensors
    assert (sensors.self_test()[BIT], sensors.rings()[0] >> BIT & 1) == (120, 1)
    board.put_fault(SensorRecess(Tube.D4, 0, 6.0))
    assert (sensors.self_test()[BIT], sensors.rings()[0] >> BIT & 1) == (SELF_TEST_UNSEEN, 0)
    board.clear_fault(SensorRecess(Tube.D4, 0, 6.0))
    assert (sensors.self_test()[BIT], sensors.rings()[0] >> BIT & 1) == (120, 1)


def test_the_level_above_takes_the_ring_below_for_its_own() -> None:
    board, above = board_with_a_ring(), load_wiring().ring_bits[Tube.D4][1]
    assert board.sensors.rings()[0] >> above & 1 == 0
    board.put_fault(SensorRecess(Tube.D4, 1, 0.2))
    board.sensors.push_rings(near=True)
    assert board.sensors.rings()[0] >> above & 1
    assert board.sensors.self_test()[above] != SELF_TEST_UNSEEN


def test_a_recess_on_one_tube_changes_no_other() -> None:
    board = board_with_a_ring()
    before = board.sensors.self_test()
    board.put_fault(SensorRecess(Tube.A1, 0, 3.0))
    assert board.sensors.self_test() == before


def test_the_emulated_board_gets_the_same_light() -> None:
    board = board_with_a_ring()
    stimuli = Stimuli(board.world, board.sensors, board.wiring)

    def current() -> int:
        (line,) = (each for each in stimuli.changes(board.world.now) if each.startswith(f"reflect {BIT} "))
        return int(line.split()[2])

    drawn = current()
    board.sensors.push_rings(near=True)
    assert current() > drawn
    board.put_fault(SensorRecess(Tube.D4, 0, 6.0))
    stimuli.broken(board.sensors.faults)
    assert current() == BARE


def test_a_sensor_that_is_not_there_cannot_be_sunk() -> None:
    board = SimulatedBoard(World(1))
    with pytest.raises(WorldError, match=r"A1 has no ring sensor at level 1"):
        board.put_fault(SensorRecess(Tube.A1, 1, 0.3))
    with pytest.raises(WorldError, match=r"A1 has no ring sensor at level 3"):
        board.put_fault(RingSensorStuck(Tube.A1, 3, True))
