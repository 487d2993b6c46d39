"""A board that is seen again: the rings in an order that takes nobody's right away."""

import pytest

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.events import Holder, Lift, Link, Rings, Seat
from tests.board.sensing_board import Board
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


def found(board: Board) -> list[object]:
    """Events reported when the board is seen again, but for the link's."""
    board.events.clear()
    board.sensing.link_restored(board.t)
    board.run(1.0)
    return [event for event in board.events if not isinstance(event, Link)]


def test_a_ring_comes_before_a_move_that_would_end_the_right_to_it() -> None:
    """A ring on D1, where nothing moved, and black's glass gone from G1 to F2 (R4.2, R4.5)."""
    board = board_out_of_reach()
    board.rings(Tube.D1, 1)
    board.clear(Tube.G1)
    board.stand(Tube.F2)
    kinds = [type(event) for event in found(board)]
    assert kinds == [Rings, Lift, Seat]


def test_a_ring_comes_after_the_glass_that_it_was_dropped_over() -> None:
    board = board_out_of_reach()
    board.clear(Tube.D1)
    board.stand(Tube.D2)
    board.rings(Tube.D2, 1)
    kinds = [type(event) for event in found(board)]
    assert kinds == [Lift, Seat, Rings]


def test_r4_6_a_ring_comes_after_the_holder_that_it_came_from() -> None:
    """A holder takes longer to tell; without it there would be no ring in the hand."""
    board = board_out_of_reach(holders=True)
    board.clear(Tube.D1)
    board.stand(Tube.D2)
    board.rings(Tube.D2, 1)
    board.weights[0] -= RING
    events = found(board)
    assert [type(event) for event in events] == [Holder, Lift, Seat, Rings]
    (holder,) = [event for event in events if isinstance(event, Holder)]
    assert (holder.player, holder.count) == (Player.RED, 31)


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
    moved = [event for event in board.events if not isinstance(event, Link)]
    assert [(type(event), event.tube) for event in moved if isinstance(event, Lift | Seat)] == [
        (Lift, Tube.D1),
        (Seat, Tube.D2),
    ]
    assert all(event.t <= began + board.period for event in moved)
