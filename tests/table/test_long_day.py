"""A program that serves games for days holds no more after many games than after two."""

from pathlib import Path

import pytest

from tests.table.long_day import LongDay

#: Seconds of a day, and after which the players of one resign at the latest, were the game to go on.
DAY, EVENING = 86_400.0, 7200.0


@pytest.mark.parametrize("level", [1, 3])
def test_no_object_of_a_game_outlives_it(level: int, tmp_path: Path) -> None:
    day = LongDay(tmp_path, level=level)
    day.play_a_game(20.0)
    day.play_a_game(20.0)
    after_two = day.living()
    day.play_a_game(20.0)
    day.play_a_game(20.0)
    assert sum(after_two.values()) > 500
    assert day.living() == after_two


@pytest.mark.soak
def test_no_object_of_a_day_outlives_it(tmp_path: Path) -> None:
    """24 hours of games, one after the other."""
    day = LongDay(tmp_path, level=3)
    day.play_a_game(EVENING)
    day.play_a_game(EVENING)
    after_two = day.living()
    while day.machine < DAY:
        day.play_a_game(EVENING)
    assert day.living() == after_two
