"""Stored rulings read back, and ruled again: the referee gives the same rulings for the same events."""

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from tamsk_hw.commands.replay import referee_stream
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import StoredGame, UnreadableError, first_checksum, next_checksum, verify
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.words.notices import mismatch_words, notice_words
from tests.journal.played import NAMES, SITTING, append, played, write
from tests.soak import sample


def change_line(folder: Path, event: int, line: str) -> None:
    """Another version of the program wrote this event, in good faith."""
    stored = Archive(folder).load(1)
    connection = sqlite3.connect(folder / "journal.db")
    checksum = first_checksum(stored.header_line)
    for entry in stored.entries:
        text = line if entry.number == event else entry.line
        checksum = next_checksum(checksum, text, entry.rulings)
        connection.execute(
            "UPDATE event SET line = ?, checksum = ? WHERE number = ?", (text, checksum, entry.number)
        )
    connection.commit()
    connection.close()


def test_stored_games_give_their_rulings_again_those_by_time_alone_too(tmp_path: Path) -> None:
    """The rule book's games, with deadlines ruled as they pass: stored events alone give the same."""
    games = [played(name) for name in sample(NAMES, soak=1, otherwise=7)]
    with Journal(tmp_path) as journal:
        for game in games:
            journal.begin_game(game.header, SITTING)
            append(journal, of=game)
            journal.finish()
    archive = Archive(tmp_path)
    numbers = [summary.number for summary in archive.games()]
    assert len(numbers) > len(games) * 0.9  # those that stop before the start are not kept
    for number in numbers:
        stored = archive.load(number)
        assert verify(stored) is None
        replayed = referee_stream(stored.stream.encode().splitlines(keepends=True), "stream")
        assert replayed == stored.rulings()


def written_with(folder: Path, place: int, rulings: list[Ruling]) -> StoredGame:
    """A game in which an entry has other rulings, as an older version had them."""
    entries = list(played().entries)
    entries[place] = replace(entries[place], rulings=rulings)
    write(folder, replace(played(), entries=tuple(entries)))
    return Archive(folder).load(1)


def test_a_program_that_rules_otherwise_says_where_and_the_stored_rulings_stand(tmp_path: Path) -> None:
    place = played().first("move")
    moved, *rest = played().entries[place].rulings
    older = replace(moved, rule="R2.99")
    stored = written_with(tmp_path, place, [older, *rest])
    mismatch = verify(stored)
    assert mismatch is not None
    assert json.loads(str(mismatch.stored)) == older.as_dict()
    assert json.loads(str(mismatch.given)) == moved.as_dict()
    words = mismatch_words(mismatch)
    assert words.startswith(f"This version of tamsk-hw rules otherwise on game 1, event {place + 1}: ")
    assert words.endswith("The stored rulings stand.")
    assert older in stored.rulings()


def test_a_ruling_more_or_less_is_a_mismatch_too(tmp_path: Path) -> None:
    over = played().first("game_over")
    mismatch = verify(written_with(tmp_path, over, list(played().entries[over].rulings[:-1])))
    assert mismatch is not None
    assert (mismatch.event, mismatch.stored) == (over + 1, None)


def test_a_game_that_this_version_refuses_is_told_and_not_resumed(tmp_path: Path) -> None:
    """An unfinished game with an event of a kind that is gone is set aside, in one line."""
    write(tmp_path, played(), 40)
    change_line(tmp_path, 12, '{"t":1.0,"event":"clap"}')
    stored = Archive(tmp_path).load(1)
    with pytest.raises(UnreadableError, match="game 1 line 13"):
        stored.header_and_events()
    assert "clap" in str(verify(stored))
    with Journal(tmp_path) as journal:
        assert journal.unfinished is None
        (notice,) = journal.take_notices()
        assert notice_words(notice).startswith("Game 1 cannot be resumed: game 1 line 13")
        journal.begin_game(played().header, SITTING)
    (summary,) = Archive(tmp_path).games()
    assert summary.state.value == "set aside"
    assert "clap" in str(summary.note)
