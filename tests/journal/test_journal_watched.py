"""Time up to which a game was watched: noted beside the database, true whenever it is read."""

from dataclasses import replace
from pathlib import Path

import pytest

from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import Sitting
from tamsk_hw.journal.writer import NOTE, Watched, read_watched, write_watched
from tests.journal.played import append, begun, played

#: The stream's time of the last of the events that are written, and a later one.
LAST = played().entries[39].event.t
LATER = LAST + 7.5


def write(folder: Path, *, noted: bool = True) -> None:
    """A game that is watched for a while after its last event, and then killed."""
    journal = begun(folder, 40)
    journal.watch(LATER - 1.0)  # not all is on the disk
    journal.writer.attempt()
    if noted:
        journal.watch(LATER)
        journal.writer.attempt()
    journal.writer.join(0.0)


def watched_to(folder: Path) -> float:
    with Journal(folder, threaded=False) as journal:
        game = journal.unfinished
        assert game is not None
        return journal.watched_to(game)


def test_a_game_was_watched_until_after_its_last_event(tmp_path: Path) -> None:
    write(tmp_path)
    assert watched_to(tmp_path) == LATER


def test_what_is_not_on_the_disk_was_not_watched(tmp_path: Path) -> None:
    """Else a ruling by time could come before an event that was lost."""
    write(tmp_path, noted=False)
    assert watched_to(tmp_path) == LAST


@pytest.mark.parametrize("content", [None, "", "rubbish", "0" * 32 + " 1 99.0 00000000\n", "\xff"], ids=str)
def test_a_note_that_says_nothing_is_passed_over(content: str | None, tmp_path: Path) -> None:
    write(tmp_path)
    (tmp_path / NOTE).unlink()
    if content is not None:
        (tmp_path / NOTE).write_text(content, encoding="latin-1")
    assert watched_to(tmp_path) == LAST


@pytest.mark.parametrize("change", [{"key": "another"}, {"entries": 10_000}])
def test_a_note_on_another_game_or_on_more_of_it_is_passed_over(change: dict[str, object], tmp_path: Path) -> None:
    write(tmp_path)
    noted = read_watched(tmp_path)
    assert noted is not None
    write_watched(tmp_path, replace(noted, **change))  # type: ignore[arg-type]
    assert watched_to(tmp_path) == LAST


def test_a_longer_note_is_replaced_whole(tmp_path: Path) -> None:
    write_watched(tmp_path, Watched("k" * 32, 123456, 123456.789012345))
    write_watched(tmp_path, Watched("k", 1, 2.0))
    assert read_watched(tmp_path) == Watched("k", 1, 2.0)


def test_a_sitting_is_there_with_its_first_event_or_not_at_all(tmp_path: Path) -> None:
    """Its clock and the time away that its first event tells belong together."""
    write(tmp_path)
    journal = Journal(tmp_path, threaded=False)
    game = journal.unfinished
    assert game is not None
    journal.resume(game, Sitting(wall=1.0, monotonic_zero=99.0, boot="later"))
    journal.writer.attempt()
    assert len(Archive(tmp_path).load(1).sittings) == 1
    append(journal, 40, 41)
    journal.writer.attempt()
    assert [sitting.monotonic_zero for sitting in Archive(tmp_path).load(1).sittings][1:] == [99.0]
    journal.writer.join(0.0)
