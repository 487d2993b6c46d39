"""The journal as one file: written beside its writer, put back whole or not at all."""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from tamsk_hw.errors import JournalError
from tamsk_hw.journal.archive import Archive, back_up, restore
from tamsk_hw.journal.changes import NamePlayers, change_here
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.trouble import HeldError
from tests.journal.played import SITTING, played, stored_lines, write
from tests.soak import in_soak


def test_a_backup_is_the_journal_of_one_moment_while_a_game_is_written(tmp_path: Path) -> None:
    folder, file = tmp_path / "journal", tmp_path / "games.backup"
    game = played()
    write(folder, game, red="Ann")
    file.write_bytes(b"an older backup")
    with Journal(folder) as journal:
        journal.begin_game(game.header, SITTING)
        for entry in game.entries[:60]:
            journal.append(entry)
        journal.queue.wait_until_written(60)
        assert back_up(folder, file) == 2
        for entry in game.entries[60:]:
            journal.append(entry)
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


def test_a_journal_that_stays_locked_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder, file = tmp_path / "journal", tmp_path / "games.backup"
    write(folder, played())
    monkeypatch.setattr("tamsk_hw.journal.database.BUSY_SECONDS", 0)
    with closing(sqlite3.connect(folder / "journal.db", isolation_level=None)) as other:
        other.execute("PRAGMA locking_mode = EXCLUSIVE")
        other.execute("BEGIN EXCLUSIVE")
        with pytest.raises(JournalError, match=r"journal\.db: database is locked"):
            back_up(folder, file)
    assert [each.name for each in sorted(tmp_path.iterdir())] == ["journal"]


def test_a_journal_that_is_held_is_not_restored(tmp_path: Path) -> None:
    folder, file = tmp_path / "journal", tmp_path / "games.backup"
    write(folder, played())
    back_up(folder, file)
    write(folder, played())
    with Journal(folder), pytest.raises(HeldError):
        restore(folder, file)
    assert len(Archive(folder).games()) == 2


@pytest.mark.parametrize(
    ("damage", "told"),
    [
        ("missing", "there is no such file"),
        ("diary", "is no backup of a journal"),
        ("empty", "is no backup of a journal"),
        ("other", "is no backup of a journal"),
        ("newer", "was written by a newer tamsk-hw"),
        ("cut", "damaged|malformed|disk image"),
        ("folder", "there is no such file"),
    ],
)
def test_what_is_no_backup_is_refused_and_nothing_is_changed(tmp_path: Path, damage: str, told: str) -> None:
    folder, file = tmp_path / "journal", tmp_path / "games.backup"
    write(folder, played())
    back_up(folder, file)
    match damage:
        case "missing":
            file.unlink()
        case "diary":
            file.write_bytes(b"Dear diary,\n" * 1000)
        case "empty":
            file.write_bytes(b"")
        case "other" | "newer":
            connection = sqlite3.connect(file)
            connection.execute("PRAGMA application_id = 7" if damage == "other" else "PRAGMA user_version = 99")
            connection.commit()
            connection.close()
        case "cut":
            file.write_bytes(file.read_bytes()[: 4096 * 5])
        case _:
            file.unlink()
            file.mkdir()
    before = sorted(each.name for each in folder.iterdir())
    with pytest.raises(JournalError, match=told):
        restore(folder, file)
    assert stored_lines(Archive(folder).load(1)) == played().lines()
    assert sorted(each.name for each in folder.iterdir()) == before


def test_a_backup_that_cannot_be_made_leaves_the_file(tmp_path: Path) -> None:
    folder, file = tmp_path / "journal", tmp_path / "games.backup"
    file.write_bytes(b"an older backup")
    with pytest.raises(JournalError, match="there is no journal yet"):
        back_up(folder, file)
    write(folder, played())
    with pytest.raises(JournalError, match="own folder"):
        back_up(folder, folder / "journal.db")
    with pytest.raises(JournalError, match="nowhere"):
        back_up(folder, tmp_path / "nowhere" / "games.backup")
    (folder / "journal.db").write_bytes((folder / "journal.db").read_bytes()[: 4096 * 5])
    with pytest.raises(JournalError):
        back_up(folder, file)
    assert file.read_bytes() == b"an older backup"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["games.backup", "journal"]


PROGRAM = """
import os, sys
from pathlib import Path
from tamsk_hw.journal.archive import restore
while True:
    for name in ("one", "two"):
        os.write(1, b".")
        restore(Path(sys.argv[1]) / "journal", Path(sys.argv[1]) / name)
"""


def test_a_kill_leaves_the_old_journal_or_the_new_one(tmp_path: Path) -> None:
    folder = tmp_path / "journal"
    write(folder, played(), red="one")
    back_up(folder, tmp_path / "one")
    change_here(folder, NamePlayers(1, red="two"), 0.0)
    write(folder, played(), red="two")
    back_up(folder, tmp_path / "two")
    for seed in range(in_soak(200, otherwise=8)):
        with subprocess.Popen([sys.executable, "-c", PROGRAM, str(tmp_path)], stdout=subprocess.PIPE) as program:
            assert program.stdout is not None
            program.stdout.read(Random(seed).randrange(1, 6))
            program.send_signal(signal.SIGKILL)
            program.wait()
        with Journal(folder) as journal:
            assert journal.take_notices() == []
        games = Archive(folder).games()
        assert [game.red for game in games] in (["one"], ["two", "two"])
        for game in games:
            assert stored_lines(Archive(folder).load(game.number)) == played().lines()
        for aside in folder.glob("journal-replaced-*"):
            aside.unlink()
