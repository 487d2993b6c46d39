"""The speed of a simulated game is reported when the computer cannot keep it: once, and when it changes much."""

from __future__ import annotations

import pytest

from tamsk_hw.facts.notices import GameOnSpeed, GameSlowed
from tamsk_hw.table.simulation import WINDOW, SpeedWatch

#: Real seconds between two rounds of a slow program.
ROUND = 0.25


class Game:
    """A game that asked for a speed, on a computer that keeps another."""

    def __init__(self, asked: float) -> None:
        self.watch = SpeedWatch(asked)
        self.real, self.own = 1000.0, 0.0
        self.said: list[GameSlowed | GameOnSpeed] = []

    def run(self, seconds: float, speed: float) -> list[GameSlowed | GameOnSpeed]:
        """The notices that come while a game runs at a constant speed for some real seconds."""
        before = len(self.said)
        for _ in range(round(seconds / ROUND)):
            notice = self.watch.hear(self.real, self.own)
            if notice is not None:
                self.said.append(notice)
            self.real += ROUND
            self.own += ROUND * speed
        return self.said[before:]


@pytest.mark.parametrize("asked", [0.5, 1.0, 20.0])
def test_a_speed_that_is_kept_is_no_news(asked: float) -> None:
    assert Game(asked).run(100.0, asked) == []


def test_a_speed_that_is_not_kept_is_reported_once() -> None:
    game = Game(1.0)
    assert game.run(WINDOW, 0.4) == []
    assert game.run(100.0, 0.4) == [GameSlowed(1.0, pytest.approx(0.4))]


def test_reported_again_when_it_changes_much_and_when_all_is_well() -> None:
    game = Game(10.0)
    game.run(20.0, 4.0)
    assert game.run(40.0, 4.8) == []
    assert [notice.kept for notice in game.run(40.0, 8.0) if isinstance(notice, GameSlowed)][-1] == pytest.approx(
        8
    )
    assert game.run(40.0, 10.0)[-1] == GameOnSpeed(10.0)
    assert game.run(40.0, 10.0) == []


def test_a_suspended_program_is_not_slow() -> None:
    game = Game(1.0)
    for _ in range(10):
        assert game.run(4.0, 1.0) == []
        game.real += 60.0
