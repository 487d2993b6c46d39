"""A disk that is full, read-only, slow or broken, and clocks that jump: the games at a board go on.

The disk is SQLite's own with what it says to each transaction, or a real small one.
"""

from pathlib import Path

import pytest

from tamsk_hw.journal.archive import Archive
from tamsk_hw.referee.rulings import Caution, Warned
from tests.soak import in_soak
from tests.table.test_board_table import plain
from tests.table.troubled_evening import TroubledEvening, assert_whole, lines, stored_rulings, undisturbed

#: Seconds that the commits of a slow disk take.
SLOW_COMMIT = 0.5

YEAR = 365 * 86400.0

#: What SQLite says to a transaction, and what is then said.
FAILURES = [
    ("SQLITE_FULL", "The disk is full: "),
    ("SQLITE_READONLY", "The journal cannot be written (as SQLITE_READONLY): "),
    ("SQLITE_IOERR_FSYNC", "The journal's disk fails (as SQLITE_IOERR_FSYNC): "),
    ("SQLITE_BUSY", "The journal is in use (as SQLITE_BUSY): "),
]


@pytest.mark.soak(but=["SQLITE_FULL-1"])
@pytest.mark.parametrize("level", [1, 3])
@pytest.mark.parametrize(("name", "words"), FAILURES, ids=[name for name, _ in FAILURES])
def test_the_game_goes_on_while_the_disk_takes_nothing(name: str, words: str, level: int, tmp_path: Path) -> None:
    """Rulings are shown at once, and once the disk takes them, all of them are saved."""
    evening = TroubledEvening(tmp_path, level=level, seed=1)
    evening.play(40.0)
    saved = evening.stored()
    before = len(evening.shown)
    evening.disk.fails = name
    evening.play(80.0)
    assert len(evening.shown) > before
    assert lines(evening.shown) == lines(evening.ruled)
    trouble = evening.journal.queue.trouble
    assert trouble is not None
    assert any(said.startswith(words) and said.endswith("not saved.") for said in evening.said)
    assert stored_rulings(evening.stored()) == stored_rulings(saved)
    evening.disk.fails = None
    evening.journal.writer.attempt()
    assert trouble.unsaved == len(evening.stored().entries) - len(saved.entries) > 10
    evening.play_until_over()
    assert evening.journal.queue.trouble is None
    assert evening.said.count("Everything is saved again.") == 1
    assert_whole(evening)


def test_after_a_kill_the_game_goes_on_from_what_was_saved(tmp_path: Path) -> None:
    """That more was played was said, and the board shows it: the players are told what differs."""
    evening = TroubledEvening(tmp_path, level=1, seed=4)
    evening.play(60.0)
    saved = stored_rulings(evening.stored())
    evening.disk.fails = "SQLITE_FULL"
    evening.play(120.0)
    assert any("not saved" in said for said in evening.said)
    assert len(evening.shown) > len(saved)
    evening.disk.fails = None
    evening.kill()
    assert evening.table.is_offered
    assert lines(evening.ruled) == saved
    evening.go_on()
    evening.steps(100)
    again = evening.ruled[len(saved) :]
    assert isinstance(again[0], Warned)
    assert again[0].code is Caution.TIME_AWAY
    assert {"violation"} <= {ruling.name for ruling in again}


def test_a_game_is_offered_and_gone_on_with_though_the_disk_fails_at_the_start(tmp_path: Path) -> None:
    """All that was saved can be read; the rest is saved when the disk takes it."""
    evening = TroubledEvening(tmp_path, level=1, seed=3)
    evening.play(40.0)
    evening.disk.fails = "SQLITE_READONLY"
    evening.kill()
    assert evening.table.is_offered
    evening.go_on()
    evening.play(80.0)
    assert lines(evening.shown) == lines(evening.ruled)
    assert evening.journal.queue.unsaved > 0
    evening.disk.fails = None
    evening.play_until_over()
    assert_whole(evening)


@pytest.mark.soak(but=["1"])
@pytest.mark.parametrize("level", [1, 3])
def test_a_disk_of_half_a_second_a_commit_delays_nothing_that_is_shown(level: int, tmp_path: Path) -> None:
    """The loop looks on while a commit goes by: what is ruled meanwhile is shown in the same look."""
    evening = TroubledEvening(tmp_path, level=level, seed=6)
    late: list[float] = []
    ahead = 0

    def half_a_second() -> None:
        nonlocal ahead
        until = evening.now + SLOW_COMMIT
        on_disk = len(stored_rulings(evening.stored())) if Archive(evening.place).games() else 0
        while evening.now < until:
            evening.look()
            ahead += len(evening.shown) > on_disk
            if len(evening.shown) < len(evening.ruled):
                late.append(evening.now)

    evening.disk.before_commit = half_a_second
    evening.play_until_over()
    evening.disk.before_commit = lambda: None
    evening.journal.writer.attempt()
    evening.look()
    assert evening.disk.commits > 50
    assert late == []
    assert ahead > 0
    assert evening.journal.queue.trouble is None
    assert any(words.startswith("The disk is slow: ") for words in evening.said)
    assert any(words.endswith("not saved yet.") for words in evening.said)
    assert_whole(evening)


@pytest.mark.soak(but=["1"])
@pytest.mark.parametrize("level", [1, 2, 3])
def test_a_time_of_day_that_jumps_in_mid_game_changes_nothing(level: int, tmp_path: Path) -> None:
    """A year forward, two back, and forward again: the game runs by another clock, and is stored whole."""
    whole = undisturbed(level, 0)
    evening = TroubledEvening(tmp_path, level=level, seed=0)
    for part, jump in enumerate((YEAR, -YEAR, 0.0), start=1):
        evening.play(whole.length * part / 4)
        evening.wall_jump = jump
    evening.play_until_over()
    assert lines(evening.shown) == lines(whole.rulings)
    assert_whole(evening)


@pytest.mark.soak(but=["0-a year on-killed", "0-a year back-rebooted"])
@pytest.mark.parametrize("rebooted", [False, True], ids=["killed", "rebooted"])
@pytest.mark.parametrize("jump", [YEAR, -YEAR], ids=["a year on", "a year back"])
@pytest.mark.parametrize("seed", range(in_soak(3, otherwise=1)))
def test_a_time_of_day_that_jumps_while_the_program_is_away_changes_no_ruling(
    seed: int, jump: float, rebooted: bool, tmp_path: Path
) -> None:
    whole = undisturbed(1, seed)
    evening = TroubledEvening(tmp_path, level=1, seed=seed)
    evening.play(whole.length / 2)
    evening.wall_jump = jump
    evening.reboot() if rebooted else evening.kill()
    assert evening.table.is_offered
    evening.go_on()
    evening.play_until_over()
    assert plain(evening.shown) == plain(whole.rulings)
    times = [ruling.t for ruling in evening.shown]
    assert times == sorted(times)
    assert_whole(evening)


def time_away(evening: TroubledEvening) -> list[str]:
    """The words about the time that nobody watched, once the players go on."""
    evening.press()
    evening.steps(5)
    (warned,) = [each for each in evening.shown if isinstance(each, Warned) and each.code is Caution.TIME_AWAY]
    words: list[str] = warned.as_dict()["detail"].split()
    return words


@pytest.mark.parametrize("jump", [YEAR, -YEAR], ids=["a year on", "a year back"])
def test_the_time_away_is_that_of_the_machine_and_never_a_jump_s(jump: float, tmp_path: Path) -> None:
    """On one start of the machine its monotonic clock tells the time away, whatever the time of day says."""
    evening = TroubledEvening(tmp_path, level=2, seed=1)
    evening.play(40.0)
    evening.wall_jump = jump
    evening.kill()
    away_from = evening.now
    while evening.now < away_from + 30.0:
        evening.step()
    *_, least, _, most, unit = time_away(evening)
    assert (float(least), float(most)) == (pytest.approx(30.0, abs=1.5), pytest.approx(30.0, abs=1.5))
    assert unit == "seconds"


def test_after_the_machine_was_off_the_time_away_is_not_known_to_the_second(tmp_path: Path) -> None:
    evening = TroubledEvening(tmp_path, level=2, seed=1)
    evening.play(40.0)
    evening.reboot()
    assert "days" in time_away(evening)
