"""Events come in the order of their beginnings, soon, and never before what `settled` promised."""

from __future__ import annotations

import pytest

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import End, Tube
from tamsk_hw.referee.events import Event, Holder, Lift, Rings, Seat, Tilt
from tests.board.sensing_board import LEANING, standing_board, wired


def test_a_seat_waits_for_the_lift_of_a_glass_that_is_on_its_way_out() -> None:
    board = standing_board()
    board.stand(Tube.D1, End.A, 0.1)
    lift = board.t + board.period
    board.run(0.1)
    board.stand(Tube.D2, End.B)
    seat = board.t + board.period
    board.run(1.0)
    assert board.events == [Lift(lift, Tube.D1), Seat(seat, Tube.D2, End.B)]


def test_a_ring_that_began_just_before_a_seat_is_told_before_it() -> None:
    board = standing_board()
    board.rings(Tube.A2, 1)
    ring = board.t + board.period
    board.run(0.020)
    board.stand(Tube.D4)
    seat = board.t + board.period
    board.run(0.5)
    assert board.events == [Rings(ring, Tube.A2, 1), Seat(seat, Tube.D4, End.A)]


def test_a_seat_waits_no_longer_than_the_ring_that_began_before_it() -> None:
    board = standing_board()
    board.rings(Tube.A2, 1)
    ring = board.t + board.period
    board.run(0.0275)
    board.stand(Tube.D4)
    while len(board.events) < 2:
        board.run(board.period)
    assert board.t == pytest.approx(ring + 0.060, abs=2 * board.period)


def test_a_seat_does_not_wait_for_a_ring_that_began_after_it() -> None:
    board = standing_board()
    board.stand(Tube.D4)
    seat = board.t + board.period
    board.run(0.010)
    board.rings(Tube.A2, 1)
    while not board.events:
        board.run(board.period)
    assert board.t == pytest.approx(seat + 0.030, abs=2 * board.period)
    board.run(0.2)
    assert [type(event) for event in board.events] == [Seat, Rings]


def test_fingers_on_other_sensors_do_not_hold_a_seat_back() -> None:
    board = standing_board()
    board.stand(Tube.D4)
    seat = board.t + board.period
    for step in range(40):
        board.rings(Tube.A2, step % 2)
        board.rings(Tube.B2, (step + 1) % 2)
        board.run(0.01)
        if board.events:
            break
    assert board.events == [Seat(seat, Tube.D4, End.A)]
    assert board.t <= seat + 0.060 + 0.010


def test_a_lift_and_a_seat_of_the_same_snapshot_come_lift_first() -> None:
    board = standing_board()
    board.clear(Tube.G4)
    board.stand(Tube.A2, End.B)
    begin = board.t + board.period
    board.run(0.2)
    assert board.events == [Lift(begin, Tube.G4), Seat(begin, Tube.A2, End.B)]


def test_what_ripens_late_is_given_the_last_time_given_out() -> None:
    board = standing_board()
    board.stand(Tube.G1, End.A, LEANING[10])
    board.run(0.1)
    board.clear(Tube.D1)
    lift = board.t + board.period
    board.run(0.5)
    assert board.events == [Lift(lift, Tube.D1), Tilt(lift, Tube.G1)]


def test_a_holder_does_not_hold_the_board_up() -> None:
    board = standing_board(holders=True)
    board.weights[0] = 5344.0
    board.run(0.05)
    board.clear(Tube.D1)
    board.run(0.04)
    assert [type(event) for event in board.events] == [Lift]
    board.run(0.5)
    lift, holder = board.events
    assert isinstance(holder, Holder)
    assert holder.t == lift.t


def test_settled_goes_back_to_the_beginning_of_what_has_not_held_yet() -> None:
    board = standing_board()
    assert board.sensing.settled == board.t
    board.rings(Tube.A2, 1)
    begin = board.t + board.period
    board.run(0.050)
    assert board.sensing.settled == begin
    board.run(0.050)
    assert board.sensing.settled == board.t


def test_a_fault_told_after_a_silence_is_not_older_than_what_was_settled() -> None:
    board = standing_board()
    board.readings[Tube.D1] = 0
    board.run(0.3)
    board.t += 3.0
    board.sensing.advance(board.t)
    settled = board.sensing.settled
    board.run(0.1)
    (fault,) = board.events
    assert fault.t >= settled


def test_asking_for_the_time_in_between_changes_no_event() -> None:
    def play(step: float) -> list[Event]:
        board = standing_board()
        moves = [
            (0.0, lambda: board.stand(Tube.G1, End.A, LEANING[10])),
            (0.1, lambda: board.rings(Tube.A2, 1)),
            (0.02, lambda: board.clear(Tube.D1)),
            (0.18, lambda: board.stand(Tube.D2, End.B)),
            (0.01, lambda: board.rings(Tube.D2, 1)),
            (0.5, lambda: board.clear(Tube.G1)),
            (0.6, lambda: None),
        ]
        board.period = 0.04
        for wait, move in moves:
            until = board.t + wait
            while board.t + board.period < until:
                end = board.t + board.period
                while step and board.t + step < end:
                    board.t += step
                    board.sensing.advance(board.t)
                board.t = end
                board.feed()
            board.t = until
            move()
            board.feed()
        return board.events

    assert len(play(0)) >= 5
    assert play(0) == play(0.003) == play(0.0171)


@pytest.mark.parametrize(
    ("values", "words"),
    [
        ({"glass_dwell": 0}, "glass_dwell is 0; allowed: more than 0"),
        ({"ring_dwell": 60.0}, "ring_dwell is 60.0"),
        ({"silence": float("nan")}, "silence is nan"),
        ({"seated": 0.7}, "seated is 0.7; allowed: more than seated_until"),
        ({"gone": 0.0}, "more than gone"),
        ({"rail": 11}, "rail is 11; allowed: 0 to 10"),
        ({"reference_margin": 0}, "reference_margin is 0; allowed: 1 to 30"),
    ],
)
def test_settings_that_cannot_be_are_refused_by_name(values: dict[str, float], words: str) -> None:
    with pytest.raises(ConfigError, match=words):
        SensingSettings(**values)  # type: ignore[arg-type]


def test_dwell_times_can_be_set() -> None:
    board = standing_board(settings=SensingSettings(glass_dwell=0.1))
    board.clear(Tube.D1)
    begin = board.t
    while not board.events:
        board.run(board.period)
    assert 0.1 <= board.t - begin <= 0.11


def test_before_anything_is_seen_all_is_settled() -> None:
    sensing = Sensing(wired(((0,),) * 37), Calibration(), SensingSettings(), False)
    sensing.advance(5.0)
    assert sensing.settled == 5.0
