"""A board that is seen again: the rings in an order that takes nobody's right away."""

import pytest

from tamsk_hw.game.tubes import Tube
from tests.board.sensing_board import Board, play, told
from tests.board.test_sensing_holders import RING


def board_out_of_reach(*, holders: bool = False) -> Board:
    """A board with glasses on D1 and G1, lost."""
    board = Board(holders=holders)
    board.stand(Tube.D1)
    board.stand(Tube.G1)
    if holders:
        board.weights = [32 * RING, 32 * RING]
    board.run(1.0)
    board.sensing.link_lost(board.t)
    board.t += 5.0
    return board


def found(board: Board) -> list[str]:
    """What is told when the board is seen again."""
    board.events.clear()
    board.sensing.link_restored(board.t)
    return play(board, 1.0)


def test_a_ring_comes_before_a_move_that_would_end_the_right_to_it() -> None:
    """A ring on D1, where nothing moved, and black's glass gone from G1 to F2 (R4.2, R4.5)."""
    board = board_out_of_reach()
    board.rings(Tube.D1, 1)
    board.clear(Tube.G1)
    board.stand(Tube.F2)
    assert found(board) == ["rings D1 1", "lift G1", "seat F2 A"]


def test_r4_6_a_ring_comes_after_the_holder_that_it_came_from() -> None:
    """A holder takes longer to tell; without it there would be no ring in the hand."""
    board = board_out_of_reach(holders=True)
    board.clear(Tube.D1)
    board.stand(Tube.D2)
    board.rings(Tube.D2, 1)
    board.weights[0] -= RING
    assert found(board) == ["holder red 31", "lift D1", "seat D2 A", "rings D2 1"]


@pytest.mark.parametrize("wavers", [0.05, 0.3, 5.0])
def test_a_glass_comes_after_the_lift_of_one_whose_field_wavers(wavers: float) -> None:
    """The field left at D1 is a little more than nothing at first: no glass appears from nowhere."""
    board = board_out_of_reach()
    board.readings[Tube.D1] = board.calibration.fields[Tube.D1].rest + 4
    board.stand(Tube.D2)
    began = board.t
    board.events.clear()
    board.sensing.link_restored(board.t)
    board.run(wavers)
    board.readings.clear()
    board.clear(Tube.D1)
    board.run(1.0)
    assert told(board.events) == ["lift D1", "seat D2 A"]
    assert all(event.t <= began + board.period for event in board.events)
