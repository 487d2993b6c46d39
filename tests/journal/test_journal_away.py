"""Time that a game stood still: certain while the machine ran, else by times of day that can be true."""

from dataclasses import replace
from pathlib import Path

import pytest

from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.journal import Away, time_away
from tamsk_hw.journal.records import Sitting, StoredGame
from tests.journal.played import SITTING, played, write

#: The stream's time, and the time of day, of the last stored event.
LAST = played().entries[39].event.t
WALL = played().entries[39].wall or 0.0


@pytest.fixture
def game(tmp_path: Path) -> StoredGame:
    write(tmp_path, played(), 40)
    return Archive(tmp_path).load(1)


def test_a_machine_that_ran_all_the_while_knows_to_the_second_by_the_last_sitting(game: StoredGame) -> None:
    now = SITTING.monotonic_zero + LAST + 61.5
    assert time_away(game, since=LAST, monotonic=now, wall=0.0, boot=SITTING.boot) == Away(61.5, True)
    again = Sitting(wall=0.0, monotonic_zero=-30.0, boot="later")
    game = replace(game, sittings=(SITTING, again))
    assert time_away(game, since=LAST, monotonic=LAST, wall=0.0, boot="later") == Away(30.0, True)


def test_a_machine_that_was_off_has_only_the_times_of_day(game: StoredGame) -> None:
    assert time_away(game, since=LAST, monotonic=3.0, wall=WALL + 600.0, boot="other") == Away(600.0, False)
    assert time_away(game, since=LAST, monotonic=3.0, wall=WALL + 600.0, boot=None) == Away(600.0, False)


def test_a_clock_that_went_back_or_an_event_without_its_time_of_day_tells_nothing(game: StoredGame) -> None:
    assert time_away(game, since=LAST, monotonic=3.0, wall=WALL - 1.0, boot="other") == Away(None, False)
    timeless = replace(game, entries=(*game.entries[:-1], replace(game.entries[-1], wall=None)))
    assert time_away(timeless, since=LAST, monotonic=3.0, wall=WALL + 1.0, boot="other") == Away(None, False)
