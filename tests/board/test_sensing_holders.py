"""The ring holders: steps between stable weights."""

import pytest

from tamsk_hw.board.calibration import Calibration, HolderCalibration
from tamsk_hw.board.protocol import FaultFlag
from tamsk_hw.game.tubes import Player
from tamsk_hw.referee.events import Fault, Holder
from tests.board.sensing_board import Board, play, told
from tests.soak import in_soak

#: What is rare, or long: `make check` leaves it out.
pytestmark = pytest.mark.slow

RING = 5344.0
GRAM = RING / 2.5


def board_with(red: float = 32, black: float = 32) -> Board:
    """A board whose holders have been weighed and found so; the first stable weight is the count."""
    board = Board(holders=True)
    board.weights = [red * RING, black * RING]
    board.run(1.0)
    assert board.events == [Holder(0.0025, Player.RED, round(red)), Holder(0.0025, Player.BLACK, round(black))]
    board.events.clear()
    return board


def test_without_holders_their_readings_are_nothing() -> None:
    board = Board()
    board.weights = [32 * RING, 1e6]
    board.run(2.0)
    assert board.events == []


def test_rings_taken_and_put_back_one_by_one() -> None:
    board = board_with()
    expected = []
    count = 32
    for step in [-1] * 32 + [1] * 5:
        count += step
        board.weights[0] += step * RING
        expected.append(Holder(board.t + board.period, Player.RED, count))
        board.run(0.3)
    assert board.events == expected


def test_many_rings_at_once_though_each_weighs_a_little_more() -> None:
    board = board_with(32, 0)
    board.weights[1] = 20 * RING * 1.012
    assert play(board, 0.5) == ["holder black 20"]


@pytest.mark.parametrize(("period", "seconds"), [(0.0025, 0.25), (0.05, 0.35)], ids=["250 ms", "8 readings"])
def test_a_count_takes_250_ms_of_agreeing_readings_and_8_of_them(period: float, seconds: float) -> None:
    board = board_with()
    board.period = period
    board.weights[0] -= RING
    board.run(seconds - 0.005)
    assert board.events == []
    board.run(0.02)
    assert len(board.events) == 1


def test_knocks_are_nothing() -> None:
    board = board_with()
    rest = board.weights[0]
    for strength in (3.0, -8.0, 60.0):
        for _ in range(40):
            board.weights[0] = rest + strength * GRAM * board.random.uniform(-1, 1)
            board.run(0.0125)
        board.weights[0] = rest
        board.run(0.6)
    assert board.events == []


def test_an_hour_of_drift_never_becomes_a_ring() -> None:
    board = board_with()
    board.period = 0.05
    for _ in range(5000):
        board.weights[0] += 3 * RING / 5000
        board.run(0.05)
    assert board.events == []
    board.weights[0] -= RING
    assert play(board, 1.0) == ["holder red 31"]


def test_a_weight_that_is_no_ring_is_held_told_when_it_stays_and_cleared() -> None:
    board = board_with()
    rest = board.weights[0]
    board.weights[0] = rest + 1.3 * GRAM
    board.run(1.0)
    assert board.events == []
    board.run(3.0)
    board.weights[0] = rest - RING
    assert play(board, 2.0) == ["holder red bad", "holder red 31", "holder red well"]


def test_a_holder_lifted_off_and_put_back_is_nothing() -> None:
    board = board_with()
    rest = board.weights[0]
    board.weights[0] = -100 * GRAM
    board.run(1.5)
    board.weights[0] = rest
    board.run(2.0)
    assert board.events == []


@pytest.mark.parametrize("how", ["silent", "rail"])
def test_a_cell_that_does_not_answer_is_a_fault_and_the_step_follows_its_recovery(how: str) -> None:
    board = board_with()
    rest = board.weights[1]
    if how == "silent":
        board.flags = int(FaultFlag.HOLDER_BLACK_SILENT)
        board.weights[1] = 0
    else:
        board.weight_noise = 0.0
        board.weights[1] = 2**23 - 1
    board.run(2.0)
    board.flags = 0
    board.weights[1] = rest - 2 * RING
    assert play(board, 2.0) == ["holder black bad", "holder black well", "holder black 30"]


def test_a_cell_mounted_upside_down_counts_the_same() -> None:
    upside_down = HolderCalibration(zero=-1000.0, per_ring=-4000.0, margin=800.0)
    board = Board(holders=True, calibration=Calibration(holders=(upside_down, upside_down)))
    board.weights = [-1000 - 32 * 4000.0, -1000 - 5 * 4000.0]
    board.run(1.0)
    board.weights[0] += 4000
    assert play(board, 1.0) == ["holder red 32", "holder black 5", "holder red 31"]


# A weight that does not come to rest


@pytest.mark.parametrize("period", [0.0025, 0.05])
@pytest.mark.parametrize("grams", [0.5, 3.0])
def test_a_weight_that_never_rests_is_a_fault_until_it_does(grams: float, period: float) -> None:
    """Noise whose standard deviation is the margin, and six times that; a ring taken meanwhile counts after it."""
    board = board_with()
    board.period = period
    board.weight_noise = grams * GRAM
    begin = board.t
    board.run(in_soak(60.0, otherwise=15.0))
    board.weights[0] -= RING
    board.run(5.0)
    assert sorted(told(board.events)) == ["holder black bad", "holder red bad"]
    assert all(begin + 4.5 < event.t < begin + 8.0 for event in board.events)
    assert all("not come to rest" in event.detail for event in board.events if isinstance(event, Fault))
    board.events.clear()
    board.weight_noise = 45.0
    board.run(3.0)
    assert sorted(told(board.events)) == ["holder black well", "holder red 31", "holder red well"]


def test_a_weight_that_never_was_at_rest_is_a_fault_and_no_count() -> None:
    board = Board(holders=True)
    board.weights = [32 * RING, 31 * RING]
    board.weight_noise = 3 * GRAM
    board.run(10.0)
    assert sorted(told(board.events)) == ["holder black bad", "holder red bad"]
    board.weight_noise = 45.0
    board.run(3.0)
    assert {"holder red 32", "holder black 31"} <= set(told(board.events))


def test_a_hand_that_fetches_rings_for_four_seconds_is_no_fault() -> None:
    board = board_with()
    rest = board.weights[0]
    for _ in range(320):
        board.weights[0] = rest + 20 * GRAM * board.random.uniform(-1, 1)
        board.run(0.0125)
    board.weights[0] = rest - RING
    assert play(board, 3.0) == ["holder red 31"]
