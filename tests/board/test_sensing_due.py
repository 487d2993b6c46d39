"""Rings and fingers, where the rights to rings are known."""

from collections.abc import Mapping

import pytest

from tamsk_hw.game.tubes import End, Tube
from tamsk_hw.referee.events import Event, Rings, Seat
from tests.board.sensing_board import RING_DWELL, Board, share_at, standing_board, told

FOR_EVER = (0.0, float("inf"))

#: Longer than a ring that is due takes, shorter than any other.
SHORT = RING_DWELL + 0.015


def expect(board: Board, rights: Mapping[Tube, tuple[float, float]]) -> list[Event]:
    """Rights are open in these tubes; what counts by that."""
    events = board.sensing.expect_rings(rights)
    board.events += events
    return events


def board_with_rights(*due: Tube) -> Board:
    """A board at the start of a game, rings due in these tubes."""
    board = standing_board()
    expect(board, dict.fromkeys(due, FOR_EVER))
    return board


def test_a_finger_where_no_ring_is_due_is_nothing() -> None:
    board = board_with_rights(Tube.B1)
    for tube, seconds in ((Tube.A1, 0.070), (Tube.D4, 0.2), (Tube.C3, 0.4)):
        board.rings(tube, 1)
        board.run(seconds)
        board.rings(tube, 0)
        board.run(0.1)
    board.run(1.0)
    assert board.events == []


def test_a_ring_where_none_is_due_counts_from_its_beginning() -> None:
    board = board_with_rights(Tube.B1)
    board.rings(Tube.C3, 2)
    begin = board.t + board.period
    board.run(0.44)
    assert board.events == []
    board.run(0.02)
    assert board.events == [Rings(begin, Tube.C3, 2)]


@pytest.mark.parametrize(("threshold", "dwell"), [(32, RING_DWELL), (24, 0.085), (0, 0.085)])
def test_a_ring_that_is_due_counts_after_its_dwell(threshold: int, dwell: float) -> None:
    """Longer with a low threshold or the common one: there a finger is seen for longer."""
    board = board_with_rights(Tube.C3)
    board.thresholds = dict.fromkeys(range(64), threshold)
    board.run(1.5)
    board.rings(Tube.C3, 1)
    begin = board.t + board.period
    board.run(dwell)
    assert board.events == []
    board.run(0.005)
    assert board.events == [Rings(begin, Tube.C3, 1)]


def test_a_ring_taken_away_counts_after_its_dwell_wherever_it_lay() -> None:
    board = board_with_rights(Tube.C3)
    board.rings(Tube.C3, 2)
    board.run(1.0)
    expect(board, {})
    board.events.clear()
    board.rings(Tube.C3, 1)
    begin = board.t + board.period
    board.run(SHORT)
    assert board.events == [Rings(begin, Tube.C3, 1)]


@pytest.mark.parametrize("after", [0.0, 0.010, 0.025])
@pytest.mark.parametrize("told_after", [0.0, 0.3], ids=["known at once", "known late"])
def test_a_ring_dropped_as_the_move_is_finished_counts_after_its_dwell(after: float, told_after: float) -> None:
    """Nobody knows of the seat yet when the ring lies; its right opens with the seat."""
    board = board_with_rights()
    board.stand(Tube.D2)
    seat = board.t + board.period
    if after:
        board.run(after)
    board.rings(Tube.D2, 1)
    ring = board.t + board.period
    board.run_until_told()
    assert board.events == [Seat(seat, Tube.D2, End.A)]
    if told_after:
        board.run(told_after)
    expect(board, {Tube.D2: (seat, seat + 5.0)})
    board.run_until_told(2)
    assert board.events[1] == Rings(ring, Tube.D2, 1)
    assert board.t <= max(ring + RING_DWELL, seat + 0.030 + told_after) + 2 * board.period


def test_a_finger_that_was_there_before_the_move_was_finished_is_nothing() -> None:
    """A hand brings the glass, its finger at the ring's sensor, and lets go a moment after the glass stands."""
    board = board_with_rights()
    board.run(0.1)
    board.rings(Tube.D2, 1)
    board.raise_glass(Tube.D2, End.A, 0.15, down=True)
    board.run_until_told()
    (seat,) = board.events
    assert isinstance(seat, Seat)
    expect(board, {Tube.D2: (seat.t, seat.t + 5.0)})
    board.run(0.15)
    board.rings(Tube.D2, 0)
    board.run(1.0)
    assert board.events == [seat]


def test_a_ring_dropped_while_the_glass_still_wobbled_counts_after_its_seat() -> None:
    board = board_with_rights()
    board.raise_glass(Tube.D2, End.A, 0.1, down=True)
    board.rings(Tube.D2, 1)
    ring = board.t + board.period
    for _ in range(3):
        board.stand(Tube.D2, End.A, share_at(1.5))
        board.run(0.020)
        board.stand(Tube.D2)
        board.run(0.020)
    board.run_until_told()
    (seat,) = board.events
    assert isinstance(seat, Seat)
    assert seat.t > ring
    expect(board, {Tube.D2: (seat.t, seat.t + 5.0)})
    board.run_until_told(2)
    assert board.events == [seat, Rings(seat.t, Tube.D2, 1)]
    assert board.t == pytest.approx(ring + 0.450, abs=2 * board.period)


@pytest.mark.parametrize(("before", "short"), [(0.010, True), (-0.010, False)])
def test_a_right_that_lapses_by_time_is_judged_at_the_rings_beginning(before: float, short: bool) -> None:
    board = standing_board()
    lapses = board.t + 0.5
    expect(board, {Tube.C3: (0.0, lapses)})
    board.run(0.5 - before)
    board.rings(Tube.C3, 1)
    ring = board.t + board.period
    board.run(SHORT)
    assert bool(board.events) is short
    board.run(1.0)
    assert board.events == [Rings(ring, Tube.C3, 1)]


def test_a_right_that_ends_while_a_ring_is_looked_at() -> None:
    """The opponent's start, which began before the ring and ended the right, becomes known only now."""
    board = board_with_rights(Tube.C3)
    board.rings(Tube.C3, 1)
    board.run(0.030)
    expect(board, {})
    board.run(0.3)
    assert board.events == []
    board.rings(Tube.C3, 0)
    board.run(1.0)
    assert board.events == []


# A finger above a ring that is due


@pytest.mark.parametrize("pattern", [0b0011, 0b1001], ids=["two", "gap"])
@pytest.mark.parametrize("beside", [0.0, 0.020], ids=["with the ring", "after it"])
def test_a_finger_above_a_ring_that_is_due_neither_counts_nor_delays_it(pattern: int, beside: float) -> None:
    board = board_with_rights(Tube.D4)
    ring = board.t + board.period
    if beside:
        board.rings(Tube.D4, 1)
        board.run(beside)
    board.patterns[Tube.D4] = pattern
    board.run(SHORT - beside)
    assert board.events == [Rings(ring, Tube.D4, 1)]
    expect(board, {})
    board.run(0.2)
    board.rings(Tube.D4, 1)
    board.run(2.0)
    assert board.events == [Rings(ring, Tube.D4, 1)]


def test_a_gap_is_under_the_finger_before_the_right_is_known() -> None:
    board = board_with_rights()
    board.stand(Tube.D4)
    seat = board.t + board.period
    board.patterns[Tube.D4] = 0b101
    board.run_until_told()
    expect(board, {Tube.D4: (seat, seat + 5.0)})
    board.run(SHORT)
    expect(board, {})
    board.rings(Tube.D4, 1)
    board.run(2.0)
    assert [type(event) for event in board.events] == [Seat, Rings]
    assert board.events[1].t <= seat + 0.035


def test_a_gap_above_a_ring_that_stays_is_a_fault_all_the_same() -> None:
    board = board_with_rights(Tube.D4)
    board.patterns[Tube.D4] = 0b101
    board.run(SHORT)
    expect(board, {})
    board.run(2.0)
    assert told(board.events) == ["rings D4 1", "ring D4.2 bad"]


def test_a_second_ring_that_is_not_due_is_looked_at_for_longer() -> None:
    board = board_with_rights(Tube.D4)
    board.rings(Tube.D4, 2)
    begin = board.t + board.period
    board.run(SHORT)
    expect(board, {})
    board.run(0.435 - SHORT)
    assert board.events == [Rings(begin, Tube.D4, 1)]
    board.run(0.1)
    assert board.events == [Rings(begin, Tube.D4, 1), Rings(begin, Tube.D4, 2)]


def test_two_rings_at_once_that_are_both_due_count_at_once() -> None:
    """A move's ring and a penalty ring over the same glass."""
    board = board_with_rights(Tube.D4)
    board.rings(Tube.D4, 2)
    begin = board.t + board.period
    board.run(RING_DWELL + board.period)
    assert board.events == [Rings(begin, Tube.D4, 1)]
    assert expect(board, {Tube.D4: FOR_EVER}) == [Rings(begin, Tube.D4, 2)]


def test_a_finger_upon_a_ring_is_no_second_one_though_one_is_due() -> None:
    """The finger came a moment before the first ring counted; the second is looked at from then on."""
    board = board_with_rights(Tube.D4)
    board.rings(Tube.D4, 1)
    board.run(RING_DWELL - 0.005)
    board.rings(Tube.D4, 2)
    board.run(0.010)
    assert [type(event) for event in board.events] == [Rings]
    assert expect(board, {Tube.D4: FOR_EVER}) == []
    board.run(0.030)
    board.rings(Tube.D4, 1)
    board.run(1.0)
    assert len(board.events) == 1


# Nobody waits for a finger


def test_a_finger_holds_a_seat_elsewhere_back_no_longer_than_a_ring() -> None:
    board = board_with_rights()
    board.rings(Tube.A2, 1)
    finger = board.t + board.period
    board.run(0.0275)
    board.stand(Tube.D4)
    seat = board.t + board.period
    board.run_until_told()
    assert board.events == [Seat(seat, Tube.D4, End.A)]
    assert board.t <= finger + RING_DWELL + 2 * board.period


def test_a_finger_holds_the_clock_back_no_longer_than_it_is_looked_at() -> None:
    board = board_with_rights()
    for _ in range(20):
        for tube in (Tube.A2, Tube.B2):
            board.rings(tube, 1)
            board.run(0.35)
            assert board.sensing.settled >= board.t - 0.451
            board.rings(tube, 0)
            board.run(0.05)
            assert board.sensing.settled == board.t
    assert board.events == []
