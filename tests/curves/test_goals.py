"""Each curve's goal is met, and beyond it nothing is silent: games at one strength, judged by the world's truth.

`make soak` plays all seeds.
"""

import pytest

from tests.curves.curves import BY_NAME, CURVES, SEEDS
from tests.curves.judging import judge
from tests.curves.measuring import Point, measure
from tests.curves.played import play
from tests.disturbances.board import DisturbedBoard
from tests.disturbances.sensors import RestDrift
from tests.soak import SOAK

#: For each goal seconds of the game and seeds that are enough in ``make test``.
QUICK: dict[str, tuple[float, tuple[int, ...]]] = {
    "loss": (60.0, (1, 2)),
    "doubled": (30.0, (2,)),
    "delay": (30.0, (1,)),
    "noise": (20.0, (2,)),
    "drift": (90.0, (1,)),
    "magnets": (20.0, (1,)),
    "daylight": (20.0, (1,)),
    "mains": (20.0, (2,)),
    "ripple": (20.0, (1,)),
    "dimmed": (20.0, (3,)),
    "dimmed-own": (20.0, (4,)),
    "sun": (20.0, (2,)),
    "switched": (20.0, (1,)),
    "cloud": (20.0, (1,)),
    "shadow": (20.0, (1,)),
    "television": (20.0, (2,)),
}

#: Strengths that no program could bear, or none should have to: what is wrong there is said.
TOO_MUCH: dict[str, tuple[float, float, tuple[int, ...]]] = {
    "loss": (90.0, 30.0, (1,)),
    "flips": (90.0, 30.0, (2,)),
    "delay": (400.0, 30.0, (1,)),
    "noise": (9.0, 15.0, (1,)),
    "magnets": (50.0, 20.0, (2,)),
    "daylight": (8000.0, 20.0, (1,)),
    "mains": (4000.0, 20.0, (1,)),
    "dimmed": (300.0, 20.0, (2,)),
    "dimmed-own": (1000.0, 20.0, (3,)),
    "holders": (100.0, 20.0, (1,)),
    "stalls": (5.0, 60.0, (1,)),
}


def points(name: str, strength: float, limit: float, seeds: tuple[int, ...]) -> list[Point]:
    """The games at a strength: short and few, or all of them."""
    if SOAK:
        return [measure(name, strength, seed) for seed in SEEDS]
    return [measure(name, strength, seed, limit) for seed in seeds]


def test_an_undisturbed_game_is_told_as_it_was() -> None:
    """The measure itself: with the strength 0 nothing is wrong, and nothing is said."""
    for name in ("loss", "holders"):
        for point in points(name, 0.0, 40.0, (1, 2)):
            assert point.verdict.is_right, (point.seed, point.verdict)
            assert point.events > 20
            assert point.said is None


def test_every_goal_is_tried() -> None:
    assert [curve.name for curve in CURVES if curve.goal is not None] == list(QUICK)


# An hour of drift takes its time: `make test` has the same drift in a quarter of it.
@pytest.mark.soak(but=[name for name in QUICK if name != "drift"])
@pytest.mark.parametrize("name", QUICK)
def test_up_to_its_goal_nothing_is_wrong(name: str) -> None:
    goal = BY_NAME[name].goal
    assert goal is not None
    for point in points(name, goal, *QUICK[name]):
        assert point.verdict.is_right, (point.seed, point.verdict)


def test_a_drift_of_its_goal_within_a_quarter_of_an_hour_changes_nothing() -> None:
    goal, rest = BY_NAME["drift"].goal, (60.0, 900.0)
    assert goal is not None

    def disturb(board: DisturbedBoard) -> None:
        board.sensors.disturb(drift=RestDrift(goal, 1, seconds=rest[1], start=board.now))

    played = play(1, disturb, level=1, limit=QUICK["drift"][0] + rest[1], rest=rest)
    verdict = judge(played)
    assert verdict.is_right, verdict
    assert len(played.game.events) > 20


@pytest.mark.parametrize("name", TOO_MUCH)
def test_beyond_all_limits_it_is_said_before_a_ruling_is_wrong(name: str) -> None:
    strength, limit, seeds = TOO_MUCH[name]
    games = points(name, strength, limit, seeds)
    assert any(point.said is not None for point in games)
    for point in games:
        assert not point.is_silent, (point.seed, point.said, point.first)
