"""Sensors that drift, glasses stronger or weaker than the calibration's, and noise that it did not have."""

from collections.abc import Sequence
from random import Random

import pytest

from tamsk_hw.errors import MisuseError
from tamsk_hw.game.tubes import End, Tube
from tamsk_hw.referee.events import Fault
from tests.board.sensing_board import STANDING, TIMER, Board, clear, play, stand, standing_board, told
from tests.soak import in_soak

#: What is rare, or long: `make check` leaves it out.
pytestmark = pytest.mark.slow

#: Seconds between snapshots of a board on which nothing happens.
QUIET = in_soak(0.05, otherwise=0.2)


def rest(board: Board, seconds: float) -> None:
    """Nobody touches the board."""
    board.period, period = QUIET, board.period
    board.run(seconds)
    board.period = period


def drift(board: Board, steps: float, seconds: float) -> None:
    """Each sensor drifts by ``steps``, up or down, evenly over this time."""
    draw = Random(3)
    signs = [draw.choice((-1, 1)) for _ in board.drift]
    pieces = 120
    for _ in range(pieces):
        board.drift = [at + sign * steps / pieces for at, sign in zip(board.drift, signs, strict=True)]
        rest(board, seconds / pieces)


def test_twelve_steps_within_an_hour_change_nothing_and_are_known_after_a_restart() -> None:
    before = standing_board()
    drift(before, 12.0, 3600.0)
    after = restarted(before, before.drift, before.sensing.baselines)
    for rest, drifted in zip(after.sensing.baselines, before.drift, strict=True):
        assert rest == pytest.approx(128.0 + drifted, abs=3.0)
    for board in (before, after):
        moves_are_seen(board)
        board.events.clear()
        assert play(board, clear(TIMER), 0.2) == ["timer lifted"]


def test_a_drift_beyond_what_is_usual_is_said_before_it_matters() -> None:
    board = standing_board()
    drift(board, 20.0, 6000.0)
    faults = [event for event in board.events if isinstance(event, Fault)]
    assert len(faults) == len(board.drift)
    assert len(board.events) == len(faults)
    assert all("has drifted by" in fault.detail for fault in faults)


def test_a_glass_held_over_an_empty_tube_for_seconds_moves_no_threshold_that_matters() -> None:
    board = standing_board()
    play(board, stand(Tube.D4, 0.1), 5.0, clear(Tube.D4), 1.0)
    board.raise_glass(Tube.D4, End.B, 0.2, down=True)
    board.run(0.5)
    board.raise_glass(Tube.D4, End.B, 0.2)
    assert play(board, 0.5) == ["seat D4 B", "lift D4"]


@pytest.mark.parametrize("strength", [0.72, 0.75, 0.9, 1.1, 1.25])
def test_a_glass_of_any_strength_is_seated_and_lifted(strength: float) -> None:
    """±25 %, and a little more: each end its own."""
    board = standing_board()
    other = 2.0 - strength
    for end, share in ((End.A, strength), (End.B, other)) * 2:
        board.events.clear()
        begin = board.t + board.period
        events = play(board, stand(Tube.C3, share, end), 2.0, clear(Tube.C3), 1.0)
        assert events == [f"seat C3 {end.value}", "lift C3"]
        assert board.events[0].t == pytest.approx(begin, abs=0.03)


@pytest.mark.parametrize("strength", [0.75, 1.0, 1.25])
def test_a_glass_that_stood_firm_leans_when_it_has_less_than_its_own_field(strength: float) -> None:
    board = standing_board()
    firm, leaning = stand(Tube.C3, strength), stand(Tube.C3, 0.56 * strength)
    assert play(board, firm, 2.0, leaning, 1.0, firm, 1.0) == ["seat C3 A", "tilt C3", "seat C3 A"]


def test_a_glass_that_bounces_as_it_is_seated_is_not_measured_while_it_does() -> None:
    board = standing_board()
    for share in (0.82, 1.0, 0.74, 0.98, 0.76, 0.80):
        board.stand(Tube.C3, End.A, share)
        board.run(0.1)
    assert play(board, stand(Tube.C3), 3.0, stand(Tube.C3, 0.58), 1.0) == ["seat C3 A", "tilt C3"]


def test_a_glass_put_down_slowly_is_seated_once() -> None:
    board = standing_board()
    for share in (0.3, 0.5, 0.66, 0.72, 0.78):
        board.stand(Tube.C3, End.A, share)
        board.run(0.08)
    assert play(board, stand(Tube.C3), 1.0) == ["seat C3 A"]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_noise_of_three_steps_neither_hides_nor_makes_an_event(seed: int) -> None:
    """Normal noise of 3 steps, with a calibration made while the board was quiet."""
    board = standing_board(noise=1)
    draw = Random(seed)

    def shake(seconds: float) -> None:
        for _ in range(round(seconds / board.period)):
            board.drift = [draw.gauss(0, 3) for _ in board.drift]
            board.run(board.period)

    shake(5.0)
    for tube, to in ((Tube.D1, Tube.D2), (Tube.G1, Tube.F1)):
        board.events.clear()
        lifted = board.t
        board.clear(tube)
        shake(1.0)
        seated = board.t
        board.stand(to, End.B)
        shake(1.0)
        assert told(board.events) == [f"lift {tube}", f"seat {to} B"]
        lift, seat = board.events
        assert lift.t == pytest.approx(lifted, abs=0.3)
        assert seat.t == pytest.approx(seated, abs=0.1)


def moves_are_seen(board: Board) -> None:
    """Sensing reports each quick move, and no event besides."""
    assert board.events == []
    for tube, to in ((Tube.D1, Tube.D2), (Tube.G1, Tube.F1), (Tube.A4, Tube.B4)):
        board.events.clear()
        board.raise_glass(tube, End.A, 0.15)
        board.raise_glass(to, End.B, 0.15, down=True)
        board.stand(to, End.B)
        assert play(board, 0.2) == [f"lift {tube}", f"seat {to} B"]


def restarted(before: Board, now: list[float], rests: Sequence[float]) -> Board:
    """The program started again at a board whose sensors have drifted by ``now``, its six glasses standing."""
    board = Board()
    board.drift = list(now)
    board.sensing.restore_baselines(rests)
    for tube, share in enumerate(before.shares):
        board.shares[tube] = share
    board.run(2.0)
    assert sorted(told(board.events)) == [*(f"seat {tube} A" for tube in sorted(STANDING, key=str)), "timer B"]
    board.events.clear()
    return board


@pytest.mark.parametrize("kept", [24.0, 100.0])
def test_rests_of_a_warm_evening_do_no_harm_to_a_board_that_has_cooled_down(kept: float) -> None:
    """A drift that no sensor can have counts as the most that is followed, 24 steps."""
    cold = standing_board()
    board = restarted(cold, cold.drift, [128.0 + kept] * len(cold.drift))
    moves_are_seen(board)


@pytest.mark.parametrize("kept", [-18.0, 12.0])
def test_a_glass_that_stood_on_a_rest_long_past_is_found_lifted_once(kept: float) -> None:
    """Under a glass nobody knows which rest holds; a lift in the first place may be told late, but is told."""
    cold = standing_board()
    board = restarted(cold, cold.drift, [128.0 + kept] * len(cold.drift))
    for _ in range(2):
        board.events.clear()
        board.raise_glass(Tube.D1, End.A, 0.15)
        board.clear(Tube.D1)
        assert [words for words in play(board, 3.0) if words != "tilt D1"] == ["lift D1"]
        board.stand(Tube.D1)
        board.run(2.0)
    assert board.sensing.baselines[Tube.D1] == pytest.approx(128.0, abs=2.0)


@pytest.mark.parametrize("offset", [-18.0, 10.0])
def test_a_board_whose_fields_are_all_off_says_so_before_a_game(offset: float) -> None:
    """As with another board's calibration, or on a table of steel: lifts would be missed."""
    board = Board()
    board.drift = [offset] * len(board.drift)
    board.run(9.0)
    assert board.events == []
    board.run(3.0)
    (fault,) = [event for event in board.events if isinstance(event, Fault)]
    assert "38 of 38 fields read up to" in fault.detail
    assert "not calibrated" in fault.detail
    board.drift = [0.0] * len(board.drift)
    assert play(board, 12.0) == ["fields bad", "fields well"]


def test_a_magnet_beside_a_few_tubes_is_named_by_them_standing_glasses_too() -> None:
    board = standing_board()
    board.run(3.0)
    for tube, steps in ((Tube.D1, 14.0), (Tube.D2, 12.0), (Tube.E1, -9.0), (Tube.C1, 7.0)):
        board.drift[tube] = steps
    board.run(12.0)
    (fault,) = [event for event in board.events if isinstance(event, Fault)]
    assert fault.detail.startswith("D1 D2 E1 read up to 14 steps beside what they should;")
    assert "a magnet or steel is near" in fault.detail


def test_a_kept_drift_that_is_far_is_said_again() -> None:
    before = standing_board()
    board = Board()
    board.drift = [20.0] * len(before.drift)
    board.sensing.restore_baselines([148.0] * len(before.drift))
    board.run(3.0)
    faults = [event for event in board.events if isinstance(event, Fault)]
    assert len(faults) == len(board.events) == len(before.drift)


def test_what_was_known_earlier_comes_before_the_first_snapshot_and_for_every_field() -> None:
    board = Board()
    with pytest.raises(MisuseError, match="37 fields"):
        board.sensing.restore_baselines([128.0] * 37)
    board.run(0.1)
    with pytest.raises(MisuseError, match="first snapshot"):
        board.sensing.restore_baselines([128.0] * 38)
    with pytest.raises(MisuseError, match="first snapshot"):
        board.sensing.restore([])
