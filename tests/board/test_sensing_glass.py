"""Glasses and the timer: seated, leaning, gone."""

import math
from collections.abc import Callable

import pytest

from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.errors import MisuseError
from tamsk_hw.game.tubes import End, Tube
from tamsk_hw.referee.events import Fault, Lift, Seat
from tests.board.sensing_board import LEANING, LIFTED, TIMER, Board, clear, play, share_at, stand, standing_board
from tests.soak import in_soak


def test_what_stands_at_the_start_is_reported_and_empty_tubes_are_not() -> None:
    board = Board()
    events = play(board, stand(Tube.D1), stand(Tube.G4, end=End.B), stand(TIMER, end=End.B), 1.0)
    assert events == ["seat D1 A", "seat G4 B", "timer B"]
    assert all(event.t == board.period for event in board.events)


@pytest.mark.parametrize("dwell", [0.030, 0.1])
def test_the_lift_is_given_after_its_dwell_and_carries_its_beginning(dwell: float) -> None:
    board = standing_board(settings=SensingSettings(glass_dwell=dwell))
    board.clear(Tube.A1)
    begin = board.t + board.period
    board.run_until_told()
    assert board.events == [Lift(begin, Tube.A1)]
    assert begin + dwell <= board.t + 1e-9 <= begin + dwell + 2 * board.period


@pytest.mark.parametrize(("felt", "told"), [(1, True), (2, True), (3, False)])
def test_a_reading_or_two_of_noise_do_not_keep_back_a_glass_that_is_gone(felt: int, told: bool) -> None:
    """A glass raised slowly is at the edge of the noise for a while; felt longer, it is there."""
    board = standing_board(noise=0)
    board.run(2.0)
    rest = board.calibration.fields[Tube.A1].rest
    gone, there = rest, rest + 5
    for _ in range(7):
        for reading in (gone,) * 3 + (there,) * felt:
            board.readings[Tube.A1] = round(reading)
            board.run(board.period)
    assert bool(board.events) is told


def silence(board: Board) -> None:
    board.t += 2.0
    board.sensing.advance(board.t)


STORIES: list[tuple[str, list[float | Callable[[Board], object]], list[str]]] = [
    *(
        (f"raised {height} mm and let down", [stand(Tube.D1, share_at(height)), 0.2, stand(Tube.D1), 1.0], [])
        for height in LIFTED
        if 0 < height <= 9
    ),
    *(
        (
            f"over an empty tube, {end} {height}",
            [stand(Tube.D4, share_at(height), end), 9.0, clear(Tube.D4), 1.0],
            [],
        )
        for height in (4.5, 9, 18)
        for end in End
    ),
    (
        "gone, its sensor's rest having drifted",
        [lambda board: board.raise_glass(Tube.D1, End.A, 0.1), stand(Tube.D1, 0.09), 1.0],
        ["lift D1"],
    ),
    ("leaning, then taken away", [stand(Tube.G1, LEANING[10]), 1.0, clear(Tube.G1), 1.0], ["tilt G1", "lift G1"]),
    ("leaning in an empty tube for a moment", [stand(Tube.D4, LEANING[10], End.B), 0.2], []),
    (
        "leaning in an empty tube, then seated",
        [stand(Tube.D4, LEANING[10], End.B), 0.3, stand(Tube.D4, 1.0, End.B), 0.1],
        ["tilt D4", "seat D4 B"],
    ),
    (
        "leaning, then on its other end",
        [stand(Tube.G1, LEANING[8]), 1.0, stand(Tube.G1, 1.0, End.B), 1.0],
        ["tilt G1", "lift G1", "seat G1 B"],
    ),
    (
        "the timer turned over",
        [
            lambda board: board.raise_glass(TIMER, End.B, 0.1),
            0.3,
            lambda board: board.raise_glass(TIMER, End.A, 0.1, down=True),
            0.2,
        ],
        ["timer lifted", "timer A"],
    ),
    ("the timer leaning", [stand(TIMER, LEANING[10], End.B), 3.0, stand(TIMER, 1.0, End.B), 1.0], []),
    # Silence is no proof that a state held.
    ("leaning, as if, during a silence", [stand(Tube.D1, 0.5), 0.0025, silence, stand(Tube.D1), 1.0], []),
]


@pytest.mark.parametrize(("steps", "events"), [each[1:] for each in STORIES], ids=[each[0] for each in STORIES])
def test_a_glass(steps: list[float | Callable[[Board], object]], events: list[str]) -> None:
    assert play(standing_board(), *steps) == events


@pytest.mark.parametrize("height", [9, 40])
def test_a_glass_held_away_from_its_tube_has_left_it(height: float) -> None:
    board = standing_board()
    board.stand(Tube.D1, End.A, share_at(height))
    begin = board.t + board.period
    (lift,) = board.run(1.0)
    assert lift.t == pytest.approx(begin, abs=2 * board.period)
    assert play(board, stand(Tube.D1), 0.2) == ["lift D1", "seat D1 A"]


def test_a_glass_that_stood_stands_until_below_70_percent_and_one_that_leans_leans_until_80() -> None:
    board = standing_board(noise=0)
    board.run(2.0)  # long enough for its own strength to be known
    assert play(board, stand(Tube.G1, 0.75), 3.0) == []
    assert play(board, stand(Tube.G1, 0.6), 1.0, stand(Tube.G1, 0.75), 3.0) == ["tilt G1"]


@pytest.mark.parametrize("hertz", [2.5, 5, 12])
def test_a_wobbling_glass_is_nothing(hertz: float) -> None:
    board = standing_board()
    for _ in range(800):
        angle = math.sin(2 * math.pi * hertz * board.t)
        board.stand(Tube.D7, End.A, 0.75 + 0.25 * angle)
        board.run(board.period)
    board.stand(Tube.D7)
    board.run(1.0)
    assert board.events == []


@pytest.mark.slow
@pytest.mark.parametrize("share", [0.05, 0.15, 0.20, 0.25, 0.30, 0.70, 0.80, 1.0])
@pytest.mark.parametrize("from_seated", [True, False])
def test_noise_at_a_threshold_never_makes_more_than_one_event(share: float, from_seated: bool) -> None:
    board = standing_board()
    tube = Tube.D1 if from_seated else Tube.D2
    board.stand(tube, End.A, share)
    board.run(in_soak(20.0, otherwise=5.0))
    assert sum(not isinstance(event, Fault) for event in board.events) <= 1


def taken_board() -> tuple[Board, float]:
    """A board from which the glass on D1 has just been taken, and since when."""
    board = standing_board()
    board.clear(Tube.D1)
    board.t += 0.0025
    assert board.feed() == []
    return board, board.t


def test_a_state_counts_once_a_later_snapshot_shows_that_it_held() -> None:
    board, begin = taken_board()
    board.t = begin + 0.029
    assert board.feed() == []
    board.t = begin + 0.050
    board.sensing.advance(board.t)
    assert board.sensing.settled == begin  # time alone proves nothing: the next frame may have been lost
    assert board.feed() == [Lift(begin, Tube.D1)]


@pytest.mark.parametrize("period", [0.005, 0.020, 0.100])
def test_with_every_second_frame_lost_a_state_counts_when_it_has_been_seen_for_its_dwell(period: float) -> None:
    """Lost for 5 seconds, then a perfect line: nothing that was waited for is waited for again."""
    board, begin = taken_board()
    seen = 0.0
    while not board.events and board.t < begin + 5.0:
        board.t += period
        seen += min(period, 0.010)
        board.events += board.sensing.feed(board.snapshot(), board.t, missed=True)
    assert board.events == [Lift(begin, Tube.D1)]
    assert 0.030 - 1e-9 <= seen < 0.030 + 0.010


def test_a_change_undone_in_lost_frames_is_no_event() -> None:
    board, _ = taken_board()
    board.stand(Tube.D1)
    board.t += 0.050
    assert board.sensing.feed(board.snapshot(), board.t, missed=True) == []
    board.run(1.0)
    assert board.events == []


def test_a_state_that_held_until_the_next_snapshot_counted_though_that_one_contradicts_it() -> None:
    board = standing_board()
    board.clear(Tube.D1)
    lift = board.t + board.period
    board.run(board.period)
    board.stand(Tube.D1)
    board.period = 0.05
    board.run(0.2)
    assert board.events == [Lift(lift, Tube.D1), Seat(lift + 0.05, Tube.D1, End.A)]


def test_time_must_not_run_backwards() -> None:
    board = standing_board()
    with pytest.raises(MisuseError, match="must not decrease"):
        board.sensing.advance(board.t - 0.001)
    with pytest.raises(MisuseError, match="must not decrease"):
        board.sensing.feed(board.snapshot(), math.nan)
