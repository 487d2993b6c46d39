"""Sensing on a board of seven tubes: what is not fitted is never looked at, faults are named by what is there."""

import random

import pytest

from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.game.tubes import TUBES, End, Tube
from tamsk_hw.referee.events import Fault, Lift, Seat
from tests.board.sensing_board import TIMER, Board, faults_of, standing_board, wired
from tests.boards import SEVEN

WIRING = SEVEN.wiring

#: Fields and ring sensors that this board has not.
NO_FIELDS = [int(tube) for tube in TUBES if tube not in WIRING.tubes]
NO_CONVERTERS = range(8 * WIRING.chips, 64)
SPARE = [bit for bit, sensor in enumerate(WIRING.ring_sensors) if sensor is None]


def seven_board() -> Board:
    """An empty board as its controller sends it: 0, and unknown, for what is not fitted."""
    board = Board()
    board.bits = WIRING.ring_bits
    board.sensing = Sensing(WIRING, board.calibration, SensingSettings())
    board.readings = dict.fromkeys(NO_FIELDS, 0)
    board.unknown = set(NO_CONVERTERS)
    return board


def test_whatever_comes_for_what_is_not_fitted_is_ignored() -> None:
    """Fields that jump, stand at a rail or look like glasses; ring bits that flicker."""
    board = seven_board()
    chance = random.Random(5)
    for _ in range(1200):
        board.readings = {index: chance.choice((0, 60, 128, 195, 255)) for index in NO_FIELDS}
        board.unknown = {bit for bit in (*NO_CONVERTERS, *SPARE) if chance.random() < 0.5}
        board.run(board.period)
    assert board.events == []
    board.stand(Tube.E3)
    board.run(0.5)
    assert [(type(event), event.tube) for event in board.events if isinstance(event, Seat)] == [(Seat, Tube.E3)]


def test_light_is_told_of_the_sensors_that_there_are() -> None:
    board = seven_board()
    board.light(Tube.D5, 2)
    events = board.run(12.0)
    assert faults_of(events) == [("ring light", False)]
    assert "light falls on D5:" in events[0].detail  # type: ignore[union-attr]


def standing_seven() -> Board:
    """Glasses on C3 and E4 and the timer, reported."""
    board = seven_board()
    board.stand(TIMER, End.B)
    board.stand(Tube.C3)
    board.stand(Tube.E4)
    board.run(0.5)
    board.events.clear()
    return board


@pytest.mark.parametrize("rail", [0, 255])
def test_the_only_multiplexer_takes_all_references_along(rail: int) -> None:
    board = standing_seven()
    board.references = [rail] * 3
    board.readings |= dict.fromkeys(WIRING.fields, rail)
    events = board.run(2.0)
    assert faults_of(events) == [("mux 0", False)]
    board.references = [64, 128, 191]
    board.readings = dict.fromkeys(NO_FIELDS, 0)
    assert faults_of(board.run(2.0)) == [("mux 0", True)]
    assert [event for event in board.events if not isinstance(event, Fault)] == []


def test_a_reference_off_on_a_living_multiplexer_is_the_select_lines() -> None:
    board = standing_seven()
    board.references[1] = 0
    events = board.run(2.0)
    assert faults_of(events) == [("select lines", False)]
    assert "(or multiplexer 0)" in events[0].detail  # type: ignore[union-attr]


def test_all_references_on_one_multiplexer_of_two() -> None:
    """The multiplexer without one is never blamed, and plays on when the other is dead."""
    board = standing_board(field_mux=tuple(tube % 2 for tube in range(38)))
    board.sensing = Sensing(
        wired(board.bits, [tube % 2 for tube in range(38)], (0, 0, 0)), board.calibration, SensingSettings(), False
    )
    board.run(0.4)
    board.events.clear()
    assert (Tube.D1 % 2, Tube.A1 % 2) == (1, 0)
    board.references = [0, 0, 0]
    board.readings = {index: 0 for index in range(38) if index % 2 == 0}
    board.clear(Tube.D1)
    events = board.run(2.0)
    assert faults_of(events) == [("mux 0", False)]
    assert [event.tube for event in events if isinstance(event, Lift)] == [Tube.D1]
