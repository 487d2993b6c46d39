"""Events come in the order of their beginnings, soon, and never before what `settled` promised."""

from collections.abc import Callable

import pytest

from tamsk_hw.board.calibration import Calibration
from tamsk_hw.board.sensing import Sensing
from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.errors import ConfigError
from tamsk_hw.game.tubes import End, Tube
from tamsk_hw.referee.events import Holder, Lift, Rings, Seat
from tests.board.sensing_board import LEANING, Board, clear, play, stand, standing_board, told, wired

#: Steps, and events, each with the number of the step (0 is the first) that it began with.
BEGINNINGS: list[tuple[str, list[float | Callable[[Board], None]], list[tuple[str, int]]]] = [
    (
        "a seat waits for the lift of a glass on its way out",
        [stand(Tube.D1, 0.1), 0.1, stand(Tube.D2, end=End.B), 1.0],
        [("lift D1", 0), ("seat D2 B", 2)],
    ),
    (
        "a ring that began just before a seat comes before it",
        [lambda board: board.rings(Tube.A2, 1), 0.020, stand(Tube.D4), 0.5],
        [("rings A2 1", 0), ("seat D4 A", 2)],
    ),
    (
        "a lift and a seat of the same snapshot come lift first",
        [clear(Tube.G4), stand(Tube.A2, end=End.B), 0.2],
        [("lift G4", 0), ("seat A2 B", 0)],
    ),
    (
        "what ripens late is given the last time given out",
        [stand(Tube.G1, LEANING[10]), 0.1, clear(Tube.D1), 0.5],
        [("lift D1", 2), ("tilt G1", 2)],
    ),
    (
        "a glass turned between two snapshots is a lift and a seat",
        [stand(Tube.D1, end=End.B), 0.2],
        [("lift D1", 0), ("seat D1 B", 0)],
    ),
    (
        "a glass that leans is a tilt, and upright again a seat",
        [stand(Tube.G1, LEANING[8]), 3.0, stand(Tube.G1), 1.0],
        [("tilt G1", 0), ("seat G1 A", 2)],
    ),
]


@pytest.mark.parametrize(
    ("steps", "events"), [each[1:] for each in BEGINNINGS], ids=[each[0] for each in BEGINNINGS]
)
def test_an_event_has_the_time_at_which_it_began(
    steps: list[float | Callable[[Board], None]], events: list[tuple[str, int]]
) -> None:
    board = standing_board()
    begins = []
    for step in steps:
        begins.append(board.t + board.period)
        play(board, step)
    assert told(board.events) == [words for words, _ in events]
    assert [event.t for event in board.events] == [begins[step] for _, step in events]


def test_a_seat_does_not_wait_for_a_ring_that_began_after_it() -> None:
    board = standing_board()
    board.stand(Tube.D4)
    seat = board.t + board.period
    board.run(0.010)
    board.rings(Tube.A2, 1)
    board.run_until_told()
    assert board.t == pytest.approx(seat + 0.030, abs=2 * board.period)
    board.run(0.2)
    assert [type(event) for event in board.events] == [Seat, Rings]


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


def test_before_anything_is_seen_all_is_settled() -> None:
    sensing = Sensing(wired(((0,),) * 37), Calibration(), SensingSettings(), False)
    sensing.advance(5.0)
    assert sensing.settled == 5.0
