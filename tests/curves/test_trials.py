"""Disturbances without a curve: games in which hands, light, supply and line do a thing that boards suffer."""

from collections.abc import Callable

import pytest

from tamsk_hw.referee.rulings import Started
from tamsk_hw.table.loop import LOOK_SECONDS
from tests.curves.curves import SEEDS
from tests.curves.judging import Verdict, judge
from tests.curves.played import PlayedGame, play
from tests.curves.said import About, said_at
from tests.disturbances.board import DisturbedBoard
from tests.disturbances.light import Light, patch, pwm, steady
from tests.disturbances.line import Flood, Hiccups
from tests.disturbances.sensors import Flicker
from tests.soak import in_soak

Disturb = Callable[[DisturbedBoard, int], None]

#: A window, the sun that comes through it, and the board's own pixels.
WINDOW = (steady(1000), patch(4000, speed=0.2), pwm(10, 430.0, 0.3))


def games(disturb: Disturb, limit: float) -> list[tuple[int, PlayedGame, Verdict]]:
    """Games of some seeds."""

    def played(seed: int) -> PlayedGame:
        return play(
            seed,
            lambda board: disturb(board, seed),  # type: ignore[func-returns-value]
            level=(3, 1)[seed % 2],
            limit=in_soak(150.0, otherwise=limit),
        )

    found = [(seed, played(seed)) for seed in in_soak(SEEDS, otherwise=(1, 2))]
    return [(seed, game, judge(game)) for seed, game in found]


def fingers(most: float) -> Disturb:
    def disturb(board: DisturbedBoard, seed: int) -> None:
        board.world.fingers = (1.0, 0.02, most)

    return disturb


def hiccups(board: DisturbedBoard, seed: int) -> None:
    board.disturb_line(Hiccups(0.1, seed))


def flood(*, stale: bool) -> Disturb:
    def disturb(board: DisturbedBoard, seed: int) -> None:
        board.disturb_line(Flood(10_000.0, seed, stale=stale, start=board.now + 5.0, end=board.now + 6.0))

    return disturb


def supply(board: DisturbedBoard, seed: int) -> None:
    board.disturb_supply(low=Flicker(0.03, seed, start=board.now))


def reference(board: DisturbedBoard, seed: int) -> None:
    board.disturb_supply(reference=Flicker(0.03, seed, start=board.now))


def shine(*lights: Light) -> Disturb:
    def disturb(board: DisturbedBoard, seed: int) -> None:
        board.sensors.disturb(light=lights)

    return disturb


@pytest.mark.parametrize(
    ("disturb", "limit"),
    [
        pytest.param(fingers(0.045), 30.0, id="short fingers"),
        pytest.param(fingers(0.07), 40.0, id="fingers"),
        pytest.param(
            fingers(0.5),
            20.0,
            id="long fingers",
            marks=pytest.mark.xfail(strict=True, reason="where a ring is due it reads like one: uncount (R9.7)"),
        ),
        pytest.param(hiccups, 40.0, id="hiccups"),
        pytest.param(shine(*WINDOW), 30.0, id="window"),
        pytest.param(shine(patch(5000, width=1.0, speed=8.0)), 30.0, id="torch"),
    ],
)
def test_nothing_is_wrong(disturb: Disturb, limit: float) -> None:
    for seed, _, verdict in games(disturb, limit):
        assert verdict.is_right, (seed, verdict)


@pytest.mark.parametrize(
    ("disturb", "about", "limit"),
    [
        pytest.param(flood(stale=True), About.LINE, 20.0, id="flood of stale frames"),
        pytest.param(flood(stale=False), About.LINE, 20.0, id="flood of doubled frames"),
        pytest.param(supply, About.FIELDS, 20.0, id="supply"),
        pytest.param(reference, About.FIELDS, 20.0, id="reference"),
        pytest.param(shine(pwm(9000, 5.0, 0.015)), About.LIGHT, 20.0, id="flashes"),
        pytest.param(shine(patch(9000, speed=0.1)), About.LIGHT, 40.0, id="sun too bright on some tubes"),
    ],
)
def test_what_is_wrong_is_said_before(disturb: Disturb, about: About, limit: float) -> None:
    for seed, game, verdict in games(disturb, limit):
        said = said_at(game.told, about)
        first = verdict.rulings[0] if verdict.rulings else None
        assert first is None or (said is not None and said <= first.at), (seed, said, first)


@pytest.mark.parametrize(
    "light", [steady(9000), patch(9000, width=2.0, speed=0.0), pwm(2000, 400.1, 0.3)], ids=["glare", "sun", "PWM"]
)
def test_light_in_which_nothing_is_known_is_reported_within_two_seconds(light: Light) -> None:
    played = play(1, lambda board: board.sensors.disturb(light=[light]), level=1, limit=12.0)
    began = next(ruling.t for ruling in played.game.rulings if isinstance(ruling, Started))
    said = said_at(played.told, About.LIGHT)
    assert said is not None
    assert said <= began + 2.0 + LOOK_SECONDS
