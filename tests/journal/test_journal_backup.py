"""The journal as one file: written beside its writer, put back whole or not at all."""

import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tamsk_hw.errors import JournalError
from tamsk_hw.journal.archive import Archive, back_up, restore
from tamsk_hw.journal.changes import NamePlayers, change_here
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.trouble import HeldError
from tests.journal.killed_programs import programs
from tests.journal.played import SITTING, append, played, stored_lines, write
from tests.journal.test_journal_damage import run_sql
from tests.soak import in_soak


def test_a_backup_is_the_journal_of_one_moment_while_a_game_is_written(tmp_path: Path) -> None:
    folder, file = tmp_path / "journal", tmp_path / "games.backup"
    game = played()
    write(folder, game, red="Ann")
    file.write_bytes(b"an older backup")
    with Journal(folder) as journal:
        journal.begin_game(game.header, SITTING)
        append(journal, 0, 60)
        journal.queue.wait_until_written(60)
        assert back_up(folder, file) == 2
        append(journal, 60)
    assert stored_lines(Archive(folder).load(2)) == game.lines()  # the writer was not disturbed
    assert [each.name for each in sorted(tmp_path.iterdir())] == ["games.backup", "journal"]  # one file
    assert file.stat().st_mode & 0o077 == 0  # names of people
    other = tmp_path / "other"
    assert restore(other, file) == (2, None)
    assert stored_lines(Archive(other).load(1)) == game.lines()
    assert stored_lines(Archive(other).load(2)) == game.lines(60)
    assert Archive(other).load(1).red == "Ann"


def test_the_journal_that_was_there_is_kept(tmp_path: Path) -> None:
    folder, file = tmp_path / "journal", tmp_path / "games.backup"
    write(folder, played())
    back_up(folder, file)
    write(folder, played(), red="Later")
    with Journal(folder), pytest.raises(HeldError):
        restore(folder, file)
    count, aside = restore(folder, file)
    assert count == 1
    assert [game.red for game in Archive(folder).games()] == [None]
    assert aside is not None
    assert aside.parent == folder
    restore(folder, aside)
    assert [game.red for game in Archive(folder).games()] == [None, "Later"]
    with Journal(folder) as journal:
        assert journal.take_notices() == []


def test_a_backup_onto_a_share_without_locks(tmp_path: Path) -> None:
    compiler = shutil.which("cc")
    if compiler is None:
        pytest.skip("no C compiler here")
    library, share = tmp_path / "nolock.so", tmp_path / "share"
    source = Path(__file__).with_name("nolock.c")
    subprocess.run([compiler, "-shared", "-fPIC", "-o", str(library), str(source), "-ldl"], check=True)
    share.mkdir()
    write(tmp_path / "journal", played())
    back_up_it = [sys.executable, "-m", "tamsk_hw.commands.main", "games", "backup", "--folder"]
    command = [*back_up_it, str(tmp_path / "journal"), str(share / "games.backup")]
    environment = {**os.environ, "LD_PRELOAD": str(library), "UNLOCKED": str(share)}
    subprocess.run(command, env=environment, check=True, timeout=60)
    assert restore(tmp_path / "other", share / "games.backup") == (1, None)


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        (lambda file: file.unlink(), "there is no such file"),
        (lambda file: file.write_bytes(b"Dear diary,\n" * 1000), "is no backup of a journal"),
        (lambda file: file.write_bytes(b""), "is no backup of a journal"),
        (lambda file: run_sql(file, "DROP TABLE sitting"), "is no backup of a journal"),
        (lambda file: run_sql(file, "PRAGMA user_version = 99"), "was written by a newer tamsk-hw"),
        (lambda file: file.write_bytes(file.read_bytes()[: 4096 * 5]), "damaged|malformed|disk image"),
    ],
    ids=["missing", "diary", "empty", "a table less", "newer", "cut"],
)
def test_what_is_no_backup_is_refused_and_nothing_is_changed(
    tmp_path: Path, damage: Callable[[Path], object], told: str
) -> None:
    folder, file = tmp_path / "journal", tmp_path / "games.backup"
    write(folder, played())
    back_up(folder, file)
    damage(file)
    before = sorted(each.name for each in folder.iterdir())
    with pytest.raises(JournalError, match=told):
        restore(folder, file)
    assert stored_lines(Archive(folder).load(1)) == played().lines()
    assert sorted(each.name for each in folder.iterdir()) == before


def test_a_backup_that_cannot_be_made_leaves_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, file = tmp_path / "journal", tmp_path / "games.backup"
    file.write_bytes(b"an older backup")
    with pytest.raises(JournalError, match="there is no journal yet"):
        back_up(folder, file)
    write(folder, played())
    with pytest.raises(JournalError, match="own folder"):
        back_up(folder, folder / "journal.db")
    with pytest.raises(JournalError, match="nowhere"):
        back_up(folder, tmp_path / "nowhere" / "games.backup")
    monkeypatch.setattr("tamsk_hw.journal.database.BUSY_SECONDS", 0)
    with closing(sqlite3.connect(folder / "journal.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(JournalError, match=r"journal\.db: database is locked"):
            back_up(folder, file)
    (folder / "journal.db").write_bytes((folder / "journal.db").read_bytes()[: 4096 * 5])
    with pytest.raises(JournalError):
        back_up(folder, file)
    assert file.read_bytes() == b"an older backup"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["games.backup", "journal"]


def test_a_kill_leaves_the_old_journal_or_the_new_one(tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    write(folder, played(), red="one")
    back_up(folder, tmp_path / "one")
    change_here(folder, NamePlayers(1, red="two"), 0.0)
    write(folder, played(), red="two")
    back_up(folder, tmp_path / "two")
    with programs() as killed:
        for seed in range(in_soak(200, otherwise=8)):
            killed.kill_one("restore", tmp_path, seed, lines=Random(seed).randrange(6))
            with Journal(folder) as journal:
                assert journal.take_notices() == []
            games = Archive(folder).games()
            assert [game.red for game in games] in (["one"], ["two", "two"])
            for game in games:
                assert stored_lines(Archive(folder).load(game.number)) == played().lines()
            for aside in folder.glob("journal-replaced-*"):
                aside.unlink()
