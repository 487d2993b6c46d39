"""A magnet that is no glass: its field is that of a dipole, reckoned here, and its neighbours give it away."""

from math import dist, pi

import pytest

from tamsk_hw.game.tubes import TUBES, End, Tube
from tamsk_hw.referee.events import Fault, Lift, Seat
from tests.board.sensing_board import STANDING, Board, standing_board, told

#: What is rare, or long: `make check` leaves it out.
pytestmark = pytest.mark.slow

#: Millimetres from one tube to the next, and from the sensors to a magnet, over the tubes or under a table.
PITCH, AWAY = 48.0, 60.0

#: Steps of 8 bits that a DRV5055A3 makes of a millitesla: 25 mV at 19.5 mV a step.
STEPS = 25 / 19.5

#: A magnet of N42: remanence (T), density (g/cm³).
REMANENCE, DENSITY = 1.3, 7.5


def place_of(tube: Tube) -> tuple[float, float]:
    """Where a tube stands on the table (mm)."""
    return tube.column * PITCH * 3**0.5 / 2, tube.height * PITCH


def steps_of(grams: float, at: tuple[float, float], away: float = AWAY) -> list[float]:
    """By how many steps an upright magnet over a place moves each tube's field."""
    moment = REMANENCE * grams / DENSITY * 1e-6 / (4e-7 * pi)
    found = []
    for tube in TUBES:
        aside = dist(place_of(tube), at)
        distance = (aside**2 + away**2) ** 0.5 / 1000
        share = 3 * (away / 1000 / distance) ** 2 - 1
        found.append(1e-7 * moment * share / distance**3 * 1000 * STEPS)
    return found


def bring(board: Board, steps: list[float], seconds: float) -> None:
    """The magnet comes (or goes) evenly within this time."""
    before, count = list(board.drift), max(1, round(seconds / 0.0025))
    for number in range(1, count + 1):
        for tube, there in enumerate(steps):
            board.drift[tube] = before[tube] + (there - before[tube]) * number / count
        board.run(0.0025)


def between(*tubes: Tube) -> tuple[float, float]:
    """The place in the middle of these tubes (mm)."""
    places = [place_of(tube) for tube in tubes]
    return sum(x for x, _ in places) / len(places), sum(y for _, y in places) / len(places)


AWAY_AGAIN = [0.0] * len(TUBES)

PLACES = [
    between(Tube.D4),
    between(Tube.D1),
    between(Tube.A2),
    between(Tube.G4),
    between(Tube.D4, Tube.D5),
    between(Tube.C3, Tube.D4, Tube.C4),
    between(Tube.E1, Tube.D1),
]


@pytest.mark.soak(
    but=[
        *("at0-450-0.2", "at1-450-0.0025", "at2-450-3.0", "at3-450-0.2", "at4-450-0.0025", "at5-450-3.0"),
        *("at6-450-0.2", "at0--450-3.0", "at1--450-0.2", "at4--450-0.0025", "at3-150-0.0025", "at0-150-0.2"),
        *("at5-150-0.2", "at6-150-3.0", "at0-22-0.0025", "at4-22-3.0"),
    ]
)
@pytest.mark.parametrize("seconds", [0.0025, 0.2, 3.0])
@pytest.mark.parametrize("grams", [22, 150, 450, -450])
@pytest.mark.parametrize("at", PLACES)
def test_a_magnet_from_outside_is_never_a_glass(at: tuple[float, float], grams: float, seconds: float) -> None:
    """While it makes hardly a third of a glass its neighbours feel hardly anything, and it may be said to lean."""
    board, steps = standing_board(noise=1), steps_of(grams, at)
    board.run(3.0)
    bring(board, steps, seconds)
    board.run(6.0)
    bring(board, AWAY_AGAIN, seconds)
    board.run(4.0)
    said = [event for event in board.events if not isinstance(event, Fault)]
    if seconds > 1 or max(map(abs, steps)) < 0.37 * board.calibration.fields[0].end_a:
        stands = {event.tube for event in said if isinstance(event, Seat) and event.end is End.A}
        leaves = {event.tube for event in said if isinstance(event, Lift)}
        assert stands <= set(STANDING)
        assert not leaves & set(STANDING)
        assert not [event for event in said if isinstance(event, Seat) and event.end is End.B]
    else:
        assert said == []


@pytest.mark.parametrize("at", PLACES)
def test_a_strong_one_is_said_within_two_seconds_and_its_end_too(at: tuple[float, float]) -> None:
    board = standing_board(noise=1)
    board.run(3.0)
    begin = board.t
    bring(board, steps_of(450, at), 0.3)
    board.run(2.0)
    faults = [event for event in board.events if isinstance(event, Fault)]
    assert any("magnet" in fault.detail for fault in faults)
    assert all(fault.t < begin + 2.3 for fault in faults)
    bring(board, AWAY_AGAIN, 0.3)
    board.run(4.0)
    standing = {fault.sensor for fault in board.events if isinstance(fault, Fault) and not fault.cleared}
    cleared = {fault.sensor for fault in board.events if isinstance(fault, Fault) and fault.cleared}
    assert standing == cleared


@pytest.mark.parametrize("seconds", [1.0, 40.0])
def test_a_glass_that_was_moved_meanwhile_is_found_when_the_magnet_has_gone(seconds: float) -> None:
    board = standing_board(noise=1)
    board.run(3.0)
    bring(board, steps_of(450, between(Tube.D1)), 0.3)
    board.run(seconds)
    board.clear(Tube.D1)
    board.run(1.0)
    bring(board, AWAY_AGAIN, 0.3)
    board.run(4.0)
    assert [words for words in told(board.events) if words.startswith("lift")] == ["lift D1"]


def test_a_board_that_lies_off_feels_its_glasses_as_before() -> None:
    """Fields that have always lain off do not shift."""
    board = Board(noise=1)
    board.drift = [14.0 if number % 2 else -14.0 for number in range(len(board.drift))]
    board.run(3.0)
    for tube in (Tube.D4, Tube.D5, Tube.C3):
        board.raise_glass(tube, End.A, 0.2, down=True)
        board.run(0.5)
    assert [event.tube for event in board.events if isinstance(event, Seat)] == [Tube.D4, Tube.D5, Tube.C3]


def test_six_glasses_that_are_put_round_one_another_are_no_magnet() -> None:
    board = Board(noise=1)
    board.run(3.0)
    around = [Tube.D5, Tube.E4, Tube.E3, Tube.D3, Tube.C3, Tube.C4]
    for tube in around:
        board.raise_glass(tube, End.A, 0.15, down=True)
    board.raise_glass(Tube.D4, End.B, 0.15, down=True)
    board.run(0.2)
    assert told(board.events) == [*(f"seat {tube} A" for tube in around), "seat D4 B"]
