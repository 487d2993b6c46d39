"""Changes that people make to a journal: imports, names, remarks, deletions; beside the owner and without one."""

import sqlite3
import unicodedata
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from queue import Queue
from random import Random

import pytest

from tamsk_hw.errors import JournalError
from tamsk_hw.journal import changes
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.changes import Annotate, Change, Changed, DeleteGame, EraseName, NamePlayers, change_here
from tamsk_hw.journal.database import files_with
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import Annotation, GameState, verify
from tests.journal.killed_programs import NAME, programs
from tests.journal.played import SITTING, append, begun, played, recording, stored_lines, write
from tests.soak import in_soak

WALL = 1_764_000_000.0


def ask(journal: Journal, change: Change) -> Changed:
    """Have the owner of a journal make a change."""
    heard: Queue[Changed | JournalError] = Queue()
    journal.change(change, WALL, heard.put)
    answer = heard.get(timeout=60)
    if isinstance(answer, JournalError):
        raise answer
    return answer


def test_an_imported_game_is_whole_ruled_again_and_marked(tmp_path: Path) -> None:
    assert change_here(tmp_path, replace(recording(), red="Ann"), WALL) == Changed(1)
    game = Archive(tmp_path).load(1)
    assert [entry.line for entry in game.entries] == [line for line, _ in played().lines()]
    assert verify(game) is None
    assert (game.state, game.imported, game.red, game.black) == (GameState.FINISHED, WALL, "Ann", None)
    assert game.sittings == ()
    (summary,) = Archive(tmp_path).games()
    assert summary.over is not None
    assert (summary.imported, summary.turns) == (WALL, 64)


def test_the_same_stream_is_taken_once_and_its_game_is_named(tmp_path: Path) -> None:
    write(tmp_path, played(), red="Ann")
    own = recording()
    assert change_here(tmp_path, own, WALL) == Changed(1, already=True)  # it was played here
    assert change_here(tmp_path, recording(150), WALL) == Changed(2)
    assert change_here(tmp_path, replace(recording(150), red="Bo"), WALL) == Changed(2, already=True)
    assert [(game.number, game.red) for game in Archive(tmp_path).games()] == [(1, "Ann"), (2, None)]
    other = replace(own, key="other", header_line=f"{own.header_line} ")
    assert change_here(tmp_path, other, WALL) == Changed(3)


def test_an_import_is_never_the_unfinished_game(tmp_path: Path) -> None:
    change_here(tmp_path, recording(100), WALL)
    game = Archive(tmp_path).load(1)
    assert (game.state, game.note) == (GameState.SET_ASIDE, "the stream ends before the game")
    with Journal(tmp_path) as journal:
        assert journal.unfinished is None


def test_the_owner_takes_changes_while_a_game_is_played(tmp_path: Path) -> None:
    game = played()
    with Journal(tmp_path) as journal:
        journal.begin_game(game.header, SITTING)
        append(journal, 0, 50)
        assert ask(journal, recording()) == Changed(2)
        assert ask(journal, NamePlayers(2, red="Ann", black="Bo")) == Changed(2)
        assert ask(journal, Annotate(2, " Black dropped two. ")) == Changed(2)
        assert ask(journal, Annotate(2, "So it was a tie.")) == Changed(2)
        with pytest.raises(JournalError, match="game 1 is not over"):
            ask(journal, DeleteGame(1))
        with pytest.raises(JournalError, match="no game 7"):
            ask(journal, DeleteGame(7))
        append(journal, 50)
    archive = Archive(tmp_path)
    assert stored_lines(archive.load(1)) == game.lines()
    second = archive.load(2)
    assert (second.red, second.black, second.state) == ("Ann", "Bo", GameState.FINISHED)
    assert second.annotations == (Annotation(WALL, "Black dropped two."), Annotation(WALL, "So it was a tie."))
    assert [summary.annotations for summary in archive.games()] == [0, 2]
    assert verify(second) is None


def test_a_refused_change_takes_nothing_else_back(tmp_path: Path) -> None:
    """Both share a transaction."""
    game, answers = played(), list[Changed | JournalError]()
    journal = begun(tmp_path, 30)
    journal.change(DeleteGame(9), WALL, answers.append)
    journal.change(recording(), WALL, answers.append)
    assert answers == []  # not before the disk has it
    assert journal.writer.attempt()
    journal.close()
    assert [type(answer) for answer in answers] == [JournalError, Changed]
    assert stored_lines(Archive(tmp_path).load(1)) == game.lines(30)
    assert stored_lines(Archive(tmp_path).load(2)) == game.lines()


def test_a_change_whose_transaction_came_through_unnoticed_is_answered_as_made(tmp_path: Path) -> None:
    write(tmp_path, played())
    answers: list[Changed | JournalError] = []
    making = changes.change_games(DeleteGame(1), WALL, answers.append)
    with sqlite3.connect(tmp_path / "journal.db", isolation_level=None) as connection:
        making.write(connection)
        making.write(connection)  # SQLite said that it failed, so it is written again
    making.on_saved(None)
    assert answers == [Changed(1)]


def test_a_deletion_takes_marks_and_remarks_along(tmp_path: Path) -> None:
    change_here(tmp_path, recording(), WALL)
    change_here(tmp_path, Annotate(1, "Wrong."), WALL)
    change_here(tmp_path, DeleteGame(1), WALL)
    connection = sqlite3.connect(tmp_path / "journal.db")
    for table in ("game", "event", "ruling", "imported", "annotation"):
        assert connection.execute(f"SELECT count(*) FROM {table}").fetchone() == (0,)
    connection.close()


# ---- an erased name


def named_games(folder: Path) -> None:
    """Games with the name, one deleted, one renamed, one with a remark; and a trace in a page's free space.

    Some builds of SQLite leave such traces, others overwrite them.
    """
    for _ in range(3):
        write(folder, played(), red=NAME)
    change_here(folder, NamePlayers(1, black="Bo"), 0.0)
    change_here(folder, NamePlayers(2, red="Ann"), 0.0)
    change_here(folder, DeleteGame(3), 0.0)
    change_here(folder, Annotate(1, f"{NAME} won, says Bo."), 0.0)
    connection = sqlite3.connect(folder / "journal.db", isolation_level=None)
    connection.execute("PRAGMA secure_delete = OFF")
    connection.execute("UPDATE game SET note = ? WHERE number = 1", (10 * NAME,))
    connection.execute("UPDATE game SET note = NULL WHERE number = 1")
    connection.close()


def bytes_of(folder: Path) -> bytes:
    return b"".join(file.read_bytes() for file in sorted(folder.iterdir()))


@pytest.mark.parametrize("is_owned", [False, True], ids=["alone", "by the owner"])
def test_nothing_of_an_erased_name_is_left_in_the_files(tmp_path: Path, is_owned: bool) -> None:
    named_games(tmp_path)
    assert NAME.encode() in bytes_of(tmp_path)
    if is_owned:
        with Journal(tmp_path) as journal:
            assert ask(journal, NamePlayers(2, black=NAME)) == Changed(2)
            assert ask(journal, EraseName(NAME)) == Changed(games=2)
            assert NAME.encode() not in bytes_of(tmp_path)  # while the owner has the files open
    else:
        assert change_here(tmp_path, EraseName(NAME), 0.0) == Changed(games=1)
    assert NAME.encode() not in bytes_of(tmp_path)
    first = Archive(tmp_path).load(1)
    assert (first.red, first.black) == (None, "Bo")
    assert first.annotations[0].text == "… won, says Bo."
    assert stored_lines(first) == played().lines()
    assert Archive(tmp_path).load(2).red == "Ann"


@pytest.mark.parametrize(
    ("name", "remark", "left"),
    [
        ("José", "Jose\u0301 won.", "… won."),
        ("Jose\u0301", "José won.", "… won."),
        ("Ann", "Anna beat Ann; Joann and Ann\u0308a looked on.", "Anna beat …; Joann and Ann\u0308a looked on."),
        ("रव", "रवि and रव", "रवि and …"),
        ("A.B", "A.B or AxB", "… or AxB"),
    ],
)
def test_a_name_is_erased_however_it_is_written_and_no_longer_word(
    tmp_path: Path, name: str, remark: str, left: str
) -> None:
    write(tmp_path, played(), red=name)
    change_here(tmp_path, Annotate(1, remark), 0.0)
    connection = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    connection.execute("UPDATE game SET black = ?", (unicodedata.normalize("NFD", name),))  # in an older journal
    connection.close()
    assert change_here(tmp_path, EraseName(name), 0.0) == Changed(games=1)
    game = Archive(tmp_path).load(1)
    assert (game.red, game.black, game.annotations[0].text) == (None, None, left)
    if "\u0301" in remark:
        assert remark.split()[0].encode() not in bytes_of(tmp_path)


def alone(folder: Path, change: Change) -> Changed:
    return change_here(folder, change, WALL)


def by_the_owner(folder: Path, change: Change) -> Changed:
    with Journal(folder) as journal:
        try:
            return ask(journal, change)
        finally:
            assert journal.queue.trouble is None


@pytest.mark.parametrize("make", [alone, by_the_owner])
def test_where_a_reader_stays_the_name_is_gone_from_the_games_and_at_the_next_start_from_the_files(
    tmp_path: Path, make: Callable[[Path, Change], Changed], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The answer says that the files still contain the name; games are saved meanwhile."""
    monkeypatch.setattr("tamsk_hw.journal.database.BUSY_SECONDS", 0.05)
    named_games(tmp_path)
    reader = sqlite3.connect(tmp_path / "journal.db", isolation_level=None)
    reader.execute("BEGIN")
    reader.execute("SELECT * FROM game").fetchall()
    with pytest.raises(JournalError, match="taken from all games, but the files may still hold it"):
        make(tmp_path, EraseName(NAME))
    reader.close()
    assert Archive(tmp_path).load(1).red is None
    Journal(tmp_path).close()
    assert NAME.encode() not in bytes_of(tmp_path)


@pytest.mark.parametrize("name", ["José", "Jose\u0301"])
def test_files_that_still_have_an_erased_name_are_found(tmp_path: Path, name: str) -> None:
    named_games(tmp_path)
    aside = tmp_path / "journal-set-aside-2025-01-01-120000.db"
    for form in ("NFC", "NFD"):
        written = unicodedata.normalize(form, name).encode()
        aside.write_bytes(b"." * ((1 << 20) - 3) + written)  # across two pieces
        assert files_with(tmp_path, name) == [aside]


def test_kills_at_random_moments_leave_a_good_journal(tmp_path: Path) -> None:
    write(tmp_path, played(), red="Ann")
    with programs() as killed:
        for seed in range(in_soak(200, otherwise=8)):
            killed.kill_one("change", tmp_path, seed, lines=Random(seed).randrange(8))
            with Journal(tmp_path) as journal:
                assert (journal.take_notices(), journal.unfinished) == ([], None)
            archive = Archive(tmp_path)
            first, *others = archive.games()
            assert (first.number, first.red) == (1, "Ann")
            assert stored_lines(archive.load(1)) == played().lines()
            for game in others:
                stored = archive.load(game.number)
                assert len(stored.entries) == 150
                assert verify(stored) is None
                change_here(tmp_path, DeleteGame(game.number), 0.0)
