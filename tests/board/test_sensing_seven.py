"""Sensing on a board of seven tubes: what is not fitted is never looked at, faults are named by what is there."""

import random

import pytest

from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.game.tubes import TUBES, Tube
from tests.board.sensing_board import Board, clear, play, ring_bits, stand, standing_on, wired
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
    assert play(board, stand(Tube.E3), 0.5) == ["seat E3 A"]


def test_light_is_told_of_the_sensors_that_there_are() -> None:
    board = seven_board()
    board.light(Tube.D5, 2)
    (fault,) = board.run(12.0)
    assert "light falls on D5:" in fault.detail  # type: ignore[union-attr]


@pytest.mark.parametrize("rail", [0, 255])
def test_the_only_multiplexer_takes_all_references_along(rail: int) -> None:
    board = standing_on(WIRING, Tube.C3, Tube.E4)
    board.references = [rail] * 3
    board.readings |= dict.fromkeys(WIRING.fields, rail)
    board.run(2.0)
    board.references = [64, 128, 191]
    board.readings.clear()
    assert play(board, 2.0) == ["mux 0 bad", "mux 0 well"]


def test_all_references_on_one_multiplexer_of_two() -> None:
    """The multiplexer without one is never blamed, and plays on when the other is dead."""
    board = standing_on(wired(ring_bits(), [tube % 2 for tube in range(38)], (0, 0, 0)), Tube.D1, Tube.A1)
    assert (Tube.D1 % 2, Tube.A1 % 2) == (1, 0)
    board.references = [0, 0, 0]
    board.readings = {index: 0 for index in range(38) if index % 2 == 0}
    assert play(board, clear(Tube.D1), 2.0) == ["lift D1", "mux 0 bad"]
