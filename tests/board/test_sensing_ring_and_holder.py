"""A ring waits for the holder that it may have come from."""

import pytest

from tamsk_hw.game.tubes import End, Player, Tube
from tamsk_hw.referee.events import Holder, Lift, Rings, Seat
from tests.board.sensing_board import Board, play
from tests.board.test_sensing_due import FOR_EVER, SHORT, expect
from tests.board.test_sensing_holders import GRAM, RING, board_with

#: What is rare, or long: `make check` leaves it out.
pytestmark = pytest.mark.slow


def board_with_a_ring_due() -> Board:
    board = board_with(32, 32)
    board.stand(Tube.D1)
    board.run(0.5)
    expect(board, {Tube.D2: FOR_EVER})
    board.events.clear()
    return board


def fiddle(board: Board, seconds: float, holder: int = 0) -> None:
    """A hand at a holder."""
    rest = board.weights[holder]
    for step in range(round(seconds / 0.0125)):
        board.weights[holder] = rest + (3 if step % 2 else -2) * GRAM
        board.run(0.0125)
    board.weights[holder] = rest


@pytest.mark.parametrize("before", [0.1, 0.2, 0.3])
def test_r4_6_a_ring_that_lands_soon_after_it_was_taken_comes_after_its_holder(before: float) -> None:
    """Nothing else moves, so a snapshot comes every 50 ms, and 8 readings take 0.4 s."""
    board = board_with_a_ring_due()
    board.period = 0.05
    board.weights[0] -= RING
    taken = board.t + board.period
    board.run(before)
    board.rings(Tube.D2, 1)
    ring = board.t + board.period
    board.run(1.0)
    assert board.events == [Holder(taken, Player.RED, 31), Rings(ring, Tube.D2, 1)]


def test_a_holder_whose_hand_goes_on_fetching_has_lost_the_ring_by_the_time_it_lies() -> None:
    board = board_with_a_ring_due()
    fiddle(board, 0.2)
    board.weights[0] -= RING
    board.rings(Tube.D2, 1)
    ring = board.t + board.period
    fiddle(board, 0.2)
    board.weights[0] -= RING
    board.run(1.0)
    assert board.events == [Holder(ring, Player.RED, 30), Rings(ring, Tube.D2, 1)]


@pytest.mark.parametrize("hands", [(0,), (1,), (0, 1)])
def test_a_hand_that_rests_on_a_holder_keeps_a_ring_back_for_600_ms_at_most(hands: tuple[int, ...]) -> None:
    board = board_with_a_ring_due()
    for holder in hands:
        fiddle(board, 0.1, holder)
    board.rings(Tube.D2, 1)
    ring = board.t + board.period
    while not board.events:
        for holder in hands:
            board.weights[holder] += 30 * GRAM * board.random.uniform(-1, 1)
        board.run(0.0125)
    assert board.events == [Rings(ring, Tube.D2, 1)]
    assert board.t == pytest.approx(ring + 0.600, abs=0.0125 + board.period)
    board.events.clear()
    board.weights[hands[0]] = 32 * RING - RING
    at_rest = board.t + board.period
    board.run(1.0)
    (holder,) = [event for event in board.events if isinstance(event, Holder) and event.count == 31]
    assert at_rest <= holder.t <= at_rest + 0.05, "the ring waits no more: the weight counts from its own time"


def test_a_ring_waits_for_the_slower_of_two_holders() -> None:
    board = board_with_a_ring_due()
    fiddle(board, 0.1, 0)
    board.weights[0] -= RING
    fiddle(board, 0.1, 1)
    board.weights[1] -= RING
    board.rings(Tube.D2, 1)
    assert play(board, 0.5) == ["holder red 31", "holder black 31", "rings D2 1"]


def test_a_ring_waits_for_no_holder_at_which_a_hand_comes_later() -> None:
    """A holder that was at rest as the ring landed cannot have lost it just then."""
    board = board_with_a_ring_due()
    board.rings(Tube.D2, 1)
    ring = board.t + board.period
    board.run(0.010)
    board.weights[0] -= RING
    board.run(SHORT)
    assert board.events == [Rings(ring, Tube.D2, 1)]


def test_a_ring_waits_for_no_holder_that_is_at_fault() -> None:
    board = board_with_a_ring_due()
    board.weight_noise = 5 * GRAM
    board.run(7.0)
    board.events.clear()
    board.rings(Tube.D2, 1)
    ring = board.t + board.period
    board.run(SHORT)
    assert board.events == [Rings(ring, Tube.D2, 1)]


def test_r4_5_a_start_after_a_claim_that_waits_does_not_overtake_it() -> None:
    """The opponent drops his claim's ring, then lifts his glass, while his holder still trembles."""
    board = board_with_a_ring_due()
    fiddle(board, 0.1)
    board.weights[0] -= RING
    board.rings(Tube.D2, 1)
    ring = board.t + board.period
    board.run(0.05)
    board.clear(Tube.D1)
    lift = board.t + board.period
    board.run(0.5)
    holder, *others = board.events
    assert isinstance(holder, Holder)
    assert holder.t <= ring
    assert others == [Rings(ring, Tube.D2, 1), Lift(lift, Tube.D1)]


def test_what_began_before_the_ring_does_not_wait_with_it() -> None:
    board = board_with_a_ring_due()
    fiddle(board, 0.1)
    board.stand(Tube.E4)
    seat = board.t + board.period
    board.run(0.010)
    board.rings(Tube.D2, 1)
    fiddle(board, SHORT)
    assert board.events == [Seat(seat, Tube.E4, End.A)]


def test_a_finger_waits_for_no_holder() -> None:
    """Where no ring is due it is looked at for 450 ms, no more."""
    board = board_with_a_ring_due()
    fiddle(board, 0.1)
    board.rings(Tube.C3, 1)
    ring = board.t + board.period
    fiddle(board, 0.44)
    assert board.events == []
    fiddle(board, 0.025)
    assert board.events == [Rings(ring, Tube.C3, 1)]
