"""Disks that are full, read-only, slow or broken: the game goes on, and what is not saved is said."""

import os
import shutil
import sqlite3
import subprocess
import threading
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from unittest.mock import patch

import pytest

from tamsk_hw.errors import JournalError
from tamsk_hw.journal import writer
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.changes import NamePlayers, change_here
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import Entry, GameState
from tamsk_hw.journal.trouble import TroubleKind
from tamsk_hw.journal.writer import NEVER
from tamsk_hw.referee.events import Tick
from tamsk_hw.words.notices import trouble_words
from tests.journal.disks import Disk
from tests.journal.played import SITTING, Clock, append, begun, is_durable, played, stored_lines, write


@pytest.fixture
def mounted(tmp_path: Path) -> Iterator[Path]:
    """A disk of 600 kB, a file system of its own in memory, where the tests may make one."""
    folder = tmp_path / "disk"
    folder.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=600k", "tmpfs", str(folder)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("no file system may be made here")
    yield folder
    subprocess.run(["umount", "--lazy", str(folder)], check=True)


def remount(folder: Path, how: str) -> None:
    """Make the file system read-only (``ro``) or not (``rw``)."""
    subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)


def words_of(journal: Journal) -> str:
    assert journal.queue.trouble is not None
    return trouble_words(journal.queue.trouble)


def fill(file: Path) -> None:
    """Leave no room on the disk."""
    with suppress(OSError), file.open("wb", buffering=0) as filler:
        while True:
            filler.write(b"x" * 512)


def test_a_full_disk_is_told_and_all_is_written_when_there_is_room_again(mounted: Path) -> None:
    journal = begun(mounted / "journal")
    early = append(journal, 0, 20)
    assert journal.writer.attempt()
    fill(mounted / "photographs")
    ticket = early
    for number in range(20, 180):  # what room there is beside the photographs runs out sooner or later
        ticket = append(journal, number, number + 1)
        journal.writer.attempt()
    assert is_durable(journal, early)
    assert not is_durable(journal, ticket)
    trouble = journal.queue.trouble
    assert trouble is not None
    assert trouble.kind is TroubleKind.FULL
    assert 0 < trouble.unsaved <= 160
    assert trouble_words(trouble) == f"The disk is full: {trouble.unsaved} events are not saved."
    saved = 180 - trouble.unsaved
    assert stored_lines(Archive(mounted / "journal").load(1)) == played().lines(saved)
    (mounted / "photographs").unlink()
    assert journal.writer.attempt()
    assert (journal.queue.trouble, is_durable(journal, ticket)) == (None, True)
    append(journal, 180)
    assert journal.close() == 0
    assert stored_lines(Archive(mounted / "journal").load(1)) == played().lines()


def test_a_journal_is_begun_when_a_disk_that_was_full_from_the_start_has_room(mounted: Path) -> None:
    fill(mounted / "photographs")
    journal = Journal(mounted, threaded=False)
    assert words_of(journal) == "The disk is full: nothing can be saved."
    assert journal.unfinished is None
    record = journal.begin_game(played().header, SITTING)
    append(journal, 0, 199)
    assert not journal.writer.attempt()
    assert record.number is None
    assert words_of(journal) == "The disk is full: 199 events are not saved."
    (mounted / "photographs").unlink()
    assert journal.writer.attempt()
    assert (record.number, journal.queue.trouble, journal.close()) == (1, None, 0)
    assert stored_lines(Archive(mounted).load(1)) == played().lines()


def test_a_game_is_gone_on_with_though_its_disk_is_read_only(mounted: Path) -> None:
    write(mounted, played(), 40)
    remount(mounted, "ro")
    with pytest.raises(JournalError, match=r"use the account of tamsk-hw run, or sudo; nothing was changed"):
        change_here(mounted, NamePlayers(1, red="Bo"), 0.0)
    journal = Journal(mounted, threaded=False)
    assert journal.queue.trouble is not None
    assert journal.queue.trouble.kind is TroubleKind.READ_ONLY
    assert words_of(journal).endswith(": nothing can be saved.")
    unfinished = journal.unfinished
    assert unfinished is not None
    assert stored_lines(unfinished) == played().lines(40)
    journal.resume(unfinished, SITTING)
    append(journal, 40, 100)
    assert not journal.writer.attempt()
    assert journal.queue.unsaved == 60
    remount(mounted, "rw")
    assert journal.writer.attempt()
    assert (journal.queue.trouble, journal.close()) == (None, 0)
    assert stored_lines(Archive(mounted).load(1)) == played().lines(100)


def test_a_folder_that_may_not_be_written(tmp_path: Path) -> None:
    """Root may write everywhere but in the kernel's folders; others not in a folder of their own that says so."""
    folder = Path("/proc/tamsk") if os.geteuid() == 0 else tmp_path / "closed" / "journal"
    if os.geteuid():
        folder.parent.mkdir(mode=0o500)
    journal = begun(folder, 5)
    assert not journal.writer.attempt()
    assert words_of(journal).endswith("): 5 events are not saved.")
    assert journal.close() == 5


@pytest.mark.parametrize("fails_at_commit", [False, True])
@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("SQLITE_FULL", TroubleKind.FULL),
        ("SQLITE_READONLY", TroubleKind.READ_ONLY),
        ("SQLITE_IOERR_FSYNC", TroubleKind.FAILING),
        ("SQLITE_CANTOPEN", TroubleKind.READ_ONLY),
        ("SQLITE_BUSY", TroubleKind.HELD),
    ],
)
def test_whatever_the_disk_says_nothing_is_lost_and_nothing_is_there_twice(
    tmp_path: Path, name: str, kind: TroubleKind, fails_at_commit: bool
) -> None:
    disk = Disk(fails_at_commit=fails_at_commit)
    journal = begun(tmp_path, 30, connect=disk.connect)
    assert journal.writer.attempt()
    disk.fails = name
    ticket = append(journal, 30, 31)
    for _ in range(3):
        assert not journal.writer.attempt()
    assert journal.queue.trouble is not None
    assert (journal.queue.trouble.kind, journal.queue.trouble.unsaved) == (kind, 1)
    append(journal, 31, 40)
    assert journal.queue.trouble.unsaved == 10
    assert not is_durable(journal, ticket)
    disk.fails = None
    assert journal.writer.attempt()
    assert (journal.queue.trouble, is_durable(journal, ticket)) == (None, True)
    append(journal, 40, 199)
    assert journal.close() == 0
    assert stored_lines(Archive(tmp_path).load(1)) == played().lines()
    assert len(Archive(tmp_path).load(1).sittings) == 1


def test_a_commit_that_failed_and_yet_took_effect_writes_nothing_twice(tmp_path: Path) -> None:
    disk = Disk()
    journal = Journal(tmp_path, threaded=False, connect=disk.connect)

    def commit_and_fail() -> None:
        disk.before_commit = lambda: None
        sqlite3.Connection.execute(disk.connections[-1], "COMMIT")
        raise OSError(5, "Input/output error")

    disk.before_commit = commit_and_fail
    journal.begin_game(played().header, SITTING)
    append(journal, 0, 50)
    assert not journal.writer.attempt()
    assert len(Archive(tmp_path).load(1).entries) == 50
    assert words_of(journal) == "The journal's disk fails (Input/output error): 50 events are not saved."
    append(journal, 50, 199)
    assert journal.writer.attempt()
    assert journal.close() == 0
    assert [game.number for game in Archive(tmp_path).games()] == [1]
    assert stored_lines(Archive(tmp_path).load(1)) == played().lines()


def test_a_slow_disk_is_told_while_something_waits_for_it(tmp_path: Path) -> None:
    """Half a second a commit: the loop looks on while it goes by."""
    clock, disk, seen = Clock(), Disk(), []
    journal = Journal(tmp_path, threaded=False, connect=disk.connect, monotonic=clock.monotonic)

    def half_a_second() -> None:
        for passed in (0.0, 0.25, 0.25):
            clock.now += passed
            trouble = journal.queue.trouble
            seen.append((journal.queue.unsaved, None if trouble is None else trouble_words(trouble)))

    disk.before_commit = half_a_second
    journal.begin_game(played().header, SITTING)
    append(journal, 0, 3)
    assert journal.writer.attempt()
    assert seen == [(3, None), (3, None), (3, "The disk is slow: 3 events are not saved yet.")]
    assert journal.queue.trouble is None
    journal.close()


def test_the_loop_never_waits_for_a_disk_that_hangs(tmp_path: Path) -> None:
    """While one commit does not return, a whole game is handed in and trouble is told."""
    clock, disk, hangs, goes_on = Clock(), Disk(), threading.Event(), threading.Event()
    in_time = []

    def hang() -> None:
        hangs.set()
        in_time.append(goes_on.wait(60))

    journal = Journal(tmp_path, connect=disk.connect, monotonic=clock.monotonic)
    disk.before_commit = hang
    journal.begin_game(played().header, SITTING)
    assert hangs.wait(60)
    ticket = append(journal, 0, 199)
    clock.now = 30.0
    assert words_of(journal) == "The disk is slow: 199 events are not saved yet."
    assert not is_durable(journal, ticket)
    disk.before_commit = lambda: None
    goes_on.set()
    assert journal.queue.wait_until_written(60)
    assert (is_durable(journal, ticket), journal.queue.trouble, in_time) == (True, None, [True])
    journal.close()
    assert stored_lines(Archive(tmp_path).load(1)) == played().lines()


def test_closing_does_not_wait_for_a_disk_that_hangs(tmp_path: Path) -> None:
    disk, goes_on = Disk(), threading.Event()
    journal = Journal(tmp_path, connect=disk.connect)
    disk.before_commit = lambda: goes_on.wait(60) and None
    journal.begin_game(played().header, SITTING)
    append(journal, 0, 7)
    assert journal.close(seconds=0.0) == 7
    goes_on.set()
    journal.writer.join(60)


@patch.object(writer, "RETRY_SECONDS", 0.0)
def test_the_thread_writes_by_itself_what_a_disk_takes_again(tmp_path: Path) -> None:
    disk = Disk(fails="SQLITE_FULL")
    journal = Journal(tmp_path, connect=disk.connect)
    journal.begin_game(played().header, SITTING)
    append(journal, 0, 199)
    assert not journal.queue.wait_until_written(0.0)
    disk.fails = None
    assert journal.queue.wait_until_written(60)
    assert journal.queue.trouble is None
    journal.close()
    assert stored_lines(Archive(tmp_path).load(1)) == played().lines()


def test_memory_is_bounded_and_what_is_kept_has_no_gap(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MOST_WAITING", 50)
    disk = Disk(fails="SQLITE_FULL")
    journal = begun(tmp_path, connect=disk.connect)
    tickets = [journal.append(entry) for entry in played().entries]
    assert [ticket == NEVER for ticket in tickets] == [False] * 50 + [True] * 149
    assert journal.queue.trouble is not None
    assert journal.queue.trouble.kind is TroubleKind.BROKEN_OFF
    assert words_of(journal).endswith(": 199 events are not saved.")
    disk.fails = None
    assert journal.writer.attempt()
    assert [is_durable(journal, ticket) for ticket in tickets] == [True] * 50 + [False] * 149
    assert journal.append(Entry(Tick(10_000.0), ())) == NEVER  # there would be a gap before it
    assert words_of(journal).endswith(": 150 events are not saved.")
    stored = Archive(tmp_path).load(1)
    assert stored_lines(stored) == played().lines(50)
    assert (stored.state, stored.note) == (
        GameState.SET_ASIDE,
        "the record breaks off after event 50: the disk took no more",
    )
    journal.begin_game(played().header, SITTING)
    assert journal.queue.trouble is None
    ticket = append(journal, 0, 40)
    assert journal.writer.attempt()
    assert is_durable(journal, ticket)
    journal.close()


def test_a_resumed_game_whose_database_is_taken_away_is_made_anew_from_its_first_event(tmp_path: Path) -> None:
    write(tmp_path, played())
    write(tmp_path, played(), 60, red="Anna")
    journal = Journal(tmp_path, threaded=False)
    unfinished = journal.unfinished
    assert unfinished is not None
    record = journal.resume(unfinished, SITTING)
    append(journal, 60, 100)
    assert journal.writer.attempt()
    for file in tmp_path.glob("journal.db*"):
        file.unlink()
    ticket = append(journal, 100)
    assert journal.writer.attempt()
    journal.writer.attempt()
    assert (is_durable(journal, ticket), journal.queue.trouble, journal.close()) == (True, None, 0)
    assert record.number == 2
    stored = Archive(tmp_path).load(2)
    assert stored_lines(stored) == played().lines()
    assert (stored.red, stored.state, len(stored.sittings)) == ("Anna", GameState.FINISHED, 2)
