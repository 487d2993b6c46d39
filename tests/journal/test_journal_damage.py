"""Databases that cannot be used: set aside under a new name, said in one line, a new one begun, never a crash."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from random import Random
from unittest.mock import patch

import pytest

from tamsk_hw.errors import JournalError
from tamsk_hw.journal import database
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.changes import DeleteGame, change_here
from tamsk_hw.journal.database import VERSION
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.trouble import GameUnreadable
from tamsk_hw.words.notices import notice_words
from tests.journal.disks import Disk, error
from tests.journal.played import SITTING, Clock, append, begun, is_durable, played, stored_lines, write
from tests.soak import in_soak

ASIDE = "journal-set-aside-2025-11-21-120000.db"


def open_at_noon(folder: Path, *, thorough_size: int = 1 << 30) -> Journal:
    with patch.object(database, "THOROUGH_SIZE", thorough_size):
        return Journal(folder, threaded=False, now=Clock().today)


def play_on(journal: Journal) -> None:
    """A game can be written down, whatever was found."""
    if journal.unfinished is not None:
        journal.abandon()
    journal.begin_game(played().header, SITTING)
    ticket = append(journal, last=40)
    if not journal.writer.attempt():  # damage that shows only now
        assert journal.queue.trouble is not None
        assert journal.writer.attempt()
        assert len(journal.take_notices()) == 1
    assert is_durable(journal, ticket)
    assert journal.queue.trouble is None
    number = journal.game.number if journal.game else None
    assert number is not None
    assert journal.close() == 0
    assert stored_lines(Archive(journal.archive._database.parent).load(number)) == played().lines(40)


def change(file: Path, at: int, content: bytes) -> None:
    with file.open("r+b") as opened:
        opened.seek(at)
        opened.write(content)


def run_sql(file: Path, *statements: str) -> None:
    connection = sqlite3.connect(file, isolation_level=None)
    for statement in statements:
        connection.execute(statement)
    connection.close()


def truncated(file: Path, size: int) -> None:
    with file.open("r+b") as opened:
        opened.truncate(size)


DAMAGES: list[tuple[str, Callable[[Path], object], str]] = [
    ("zero length", lambda file: truncated(file, 0), "The journal was empty."),
    ("no database", lambda file: file.write_bytes(b"Dear diary,\n" * 2000), "The journal was no database."),
    ("some bytes", lambda file: file.write_bytes(b"SQLite format 3\0\x10"), "The journal was cut short."),
    ("a page and a half", lambda file: truncated(file, 6000), "The journal was damaged ("),
    ("read-only by damage", lambda file: change(file, 18, b"\x07\x07"), "The journal was damaged (its header)."),
    ("unknown encoding", lambda file: change(file, 56, b"\0\0\0\x02"), "The journal was damaged ("),
    ("tables", lambda file: change(file, 100, bytes(600)), "The journal was damaged ("),
    (
        "another program's",
        lambda file: run_sql(file, "PRAGMA application_id = 7"),
        "The journal was the database of another program.",
    ),
    (
        "no version",
        lambda file: run_sql(file, "PRAGMA user_version = 0"),
        "The journal was damaged (its version).",
    ),
    ("a table less", lambda file: run_sql(file, "DROP TABLE sitting"), "The journal was damaged (its tables)."),
    (
        "newer",
        lambda file: run_sql(file, f"PRAGMA user_version = {VERSION + 2}"),
        f"The journal was written by a newer tamsk-hw (tables {VERSION + 2}, known are those to {VERSION}).",
    ),
    ("a folder", lambda file: (file.unlink(), file.mkdir(), (file / "x").touch()), "The journal was no file."),
]


@pytest.mark.parametrize(("damage", "words"), [row[1:] for row in DAMAGES], ids=[row[0] for row in DAMAGES])
def test_what_cannot_be_used_is_set_aside(tmp_path: Path, damage: Callable[[Path], object], words: str) -> None:
    write(tmp_path, played())
    write(tmp_path, played(), 40)
    damage(tmp_path / "journal.db")
    with suppress(JournalError):  # who only reads is not helped, but does not crash either
        Archive(tmp_path).games()
    journal = open_at_noon(tmp_path)
    (said,) = map(notice_words, journal.take_notices())
    assert said.startswith(words)
    assert said.endswith(f" It is set aside as {ASIDE}, and a new one begun.")
    assert "\n" not in said
    assert (tmp_path / ASIDE).exists()
    assert journal.unfinished is None
    play_on(journal)
    assert open_at_noon(tmp_path).take_notices() == []


def test_the_database_is_set_aside_last_so_that_a_kill_leaves_no_changes_without_it(tmp_path: Path) -> None:
    (tmp_path / "journal.db").touch()
    (tmp_path / "journal.db-wal").write_bytes(b"changes")
    with patch.object(os, "rename", wraps=os.rename) as rename:
        open_at_noon(tmp_path)
    names = [Path(call.args[0]).name for call in rename.call_args_list]
    assert names[:4] == [f"journal.db{end}" for end in (*database.BESIDE, "")]


def test_two_in_the_same_second_do_not_overwrite_each_other(tmp_path: Path) -> None:
    for content in (b"first", b"second"):
        (tmp_path / "journal.db").write_bytes(content)
        open_at_noon(tmp_path).close()
    assert (tmp_path / ASIDE).read_bytes() == b"first"
    assert (tmp_path / "journal-set-aside-2025-11-21-120000-2.db").read_bytes() == b"second"


def test_random_bytes_anywhere(tmp_path: Path) -> None:
    """Whatever is damaged: no crash, and what can still be read is what was written, or is said to be damaged."""
    original = tmp_path / "original"
    write(original, played())
    write(original, played(), 100)
    content = (original / "journal.db").read_bytes()
    outcomes = {"set aside": 0, "damaged": 0, "unharmed": 0}
    for seed in range(in_soak(1000, otherwise=40)):
        chance = Random(seed)
        folder = tmp_path / str(seed)
        folder.mkdir()
        harmed = bytearray(content)
        for _ in range(chance.choice((1, 1, 3, 20))):
            length = chance.choice((1, 2, 16, 500, 4096))
            at = chance.randrange(len(content) - length)
            harmed[at : at + length] = chance.randbytes(length)
        if chance.random() < 0.1:
            del harmed[chance.randrange(len(content)) :]
        (folder / "journal.db").write_bytes(harmed)
        journal = open_at_noon(folder, thorough_size=chance.choice((0, 1 << 30)))
        outcome = "set aside" if (folder / ASIDE).exists() else "unharmed"
        assert len(journal.take_notices()) <= 1 or outcome == "set aside"
        for number, upto in ((1, None), (2, 100)):
            try:
                assert stored_lines(Archive(folder).load(number)) == played().lines(upto)
            except JournalError:
                outcome = "damaged" if outcome == "unharmed" else outcome
        outcomes[outcome] += 1
        play_on(journal)
    assert all(count > 2 for count in outcomes.values()), outcomes


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE event SET line = replace(line, 'D2', 'D3') WHERE game = 2 AND number = 10",
        "DELETE FROM event WHERE game = 2 AND number = 9",
        "DELETE FROM ruling WHERE game = 2 AND name = 'move'",
        "UPDATE ruling SET event = 1 WHERE game = 2 AND name = 'started'",
        "UPDATE event SET number = 500 WHERE game = 2 AND number = 9",
        "UPDATE game SET header = '{\"tamsk\":1}' WHERE number = 2",
        "INSERT INTO ruling VALUES (2, 300, 0, 'turn', '{}')",
    ],
)
def test_an_unfinished_game_that_is_damaged_is_set_aside_alone(tmp_path: Path, harm: str) -> None:
    write(tmp_path, played())
    write(tmp_path, played(), 60)
    run_sql(tmp_path / "journal.db", "PRAGMA foreign_keys = OFF", harm)
    journal = open_at_noon(tmp_path)
    assert journal.unfinished is None
    (notice,) = journal.take_notices()
    assert isinstance(notice, GameUnreadable)
    assert notice.game == 2
    assert notice_words(notice).startswith("Game 2 cannot be resumed: ")
    play_on(journal)
    assert [game.state.value for game in Archive(tmp_path).games()] == ["finished", "set aside", "running"]


def test_a_table_that_somebody_added_does_no_harm(tmp_path: Path) -> None:
    write(tmp_path, played())
    run_sql(tmp_path / "journal.db", "CREATE TABLE diary (line TEXT)", "ANALYZE")
    journal = open_at_noon(tmp_path)
    assert journal.take_notices() == []
    play_on(journal)


@pytest.mark.parametrize("index", [b"", b"\xff" * 32768])
def test_an_index_of_changes_that_is_wrong_is_made_again(tmp_path: Path, index: bytes) -> None:
    write(tmp_path, played(), 40)
    (tmp_path / "journal.db-shm").write_bytes(index)
    journal = open_at_noon(tmp_path)
    unfinished = journal.unfinished
    assert unfinished is not None
    assert stored_lines(unfinished) == played().lines(40)
    play_on(journal)


def test_changes_without_their_database_do_not_get_into_a_new_one(tmp_path: Path) -> None:
    journal = begun(tmp_path / "first", 50)
    journal.writer.attempt()
    orphaned = tmp_path / "orphaned"
    orphaned.mkdir()
    changes = (tmp_path / "first" / "journal.db-wal").read_bytes()
    (orphaned / "journal.db-wal").write_bytes(changes)
    journal.close()
    again = open_at_noon(orphaned)
    assert [notice_words(notice) for notice in again.take_notices()] == [
        "The journal's database is gone. What was left of it is set aside as "
        "journal-remains-2025-11-21-120000.db-*."
    ]
    assert (orphaned / "journal-remains-2025-11-21-120000.db-wal").read_bytes() == changes
    assert Archive(orphaned).games() == []
    play_on(again)


def test_a_database_that_was_not_finished_being_made_is_made_again(tmp_path: Path) -> None:
    (tmp_path / "journal.db.new").write_bytes(b"SQLite format 3\0 and no more")
    (tmp_path / "journal.db.new-wal").write_bytes(b"?")
    journal = open_at_noon(tmp_path)
    assert journal.take_notices() == []
    assert not list(tmp_path.glob("*.new*"))
    play_on(journal)


def test_damage_that_shows_in_mid_game_costs_nothing_of_that_game(tmp_path: Path) -> None:
    disk = Disk()
    journal = begun(tmp_path, 100, connect=disk.connect, now=Clock().today, red="Anna")
    assert journal.writer.attempt()

    def damaged() -> None:
        disk.before_commit = lambda: None
        raise error("SQLITE_CORRUPT")

    disk.before_commit = damaged
    ticket = append(journal, 100)
    assert not journal.writer.attempt()
    assert journal.queue.trouble is not None
    assert journal.queue.trouble.unsaved == 99
    assert journal.writer.attempt()
    assert is_durable(journal, ticket)
    assert [notice_words(notice) for notice in journal.take_notices()] == [
        f"The journal was damaged (as SQLITE_CORRUPT). It is set aside as {ASIDE}, and a new one begun."
    ]
    assert (journal.queue.trouble, journal.close()) == (None, 0)
    stored = Archive(tmp_path).load(1)
    assert stored_lines(stored) == played().lines()
    assert stored.red == "Anna"


def test_an_archive_says_what_it_cannot_read(tmp_path: Path) -> None:
    file = tmp_path / "journal.db"
    write(tmp_path, played())
    run_sql(file, f"PRAGMA user_version = {VERSION + 1}")
    with pytest.raises(JournalError, match="was written by a newer tamsk-hw"):
        Archive(tmp_path).games()
    file.write_bytes(b"no")
    with pytest.raises(JournalError, match="file is not a database"):
        Archive(tmp_path).load(1)
    with pytest.raises(
        JournalError, match="is damaged, or no journal of this version: tamsk-hw run sets it aside"
    ):
        change_here(tmp_path, DeleteGame(1), 0.0)
    assert file.read_bytes() == b"no"
    file.unlink()
    with pytest.raises(JournalError, match=r"no game 1; see tamsk-hw games list"):
        Archive(tmp_path).load(1)


def test_a_large_journal_is_looked_through_by_the_writer_before_anything_counts_as_saved(tmp_path: Path) -> None:
    """Damage in an old game shows only there; the game that was resumed meanwhile goes into the new journal."""
    for _ in range(4):
        write(tmp_path, played())
    write(tmp_path, played(), 60)
    change(tmp_path / "journal.db", 30 * 4096, Random(2).randbytes(4096))
    journal = open_at_noon(tmp_path, thorough_size=0)
    assert journal.take_notices() == []
    unfinished = journal.unfinished
    assert unfinished is not None
    journal.resume(unfinished, SITTING)
    tickets = [journal.append(entry) for entry in played().entries[60:]]
    assert not journal.writer.attempt()
    assert not any(is_durable(journal, ticket) for ticket in tickets)
    assert journal.writer.attempt()
    assert all(is_durable(journal, ticket) for ticket in tickets)
    (said,) = map(notice_words, journal.take_notices())
    assert said.endswith(f"It is set aside as {ASIDE}, and a new one begun.")
    assert journal.close() == 0
    assert [game.number for game in Archive(tmp_path).games()] == [5]
    assert stored_lines(Archive(tmp_path).load(5)) == played().lines()


def test_a_folder_that_may_not_be_entered_is_told_and_stops_no_game(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As another user's journal is; as root nothing is refused, so the refusal is a stand-in's."""

    def refused(path: Path, **_: object) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    monkeypatch.setattr(Path, "stat", refused)
    with pytest.raises(JournalError, match="permission denied for this user; use the account of tamsk-hw run"):
        Archive(tmp_path).games()
