"""Stored rulings read back, and ruled again: the referee gives the same rulings for the same events."""

import json
import sqlite3
from dataclasses import replace
from pathlib import Path

import pytest

from tamsk_hw.commands.replay import referee_stream
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.journal import Journal
from tamsk_hw.journal.records import Entry, UnreadableError, first_checksum, next_checksum, verify
from tamsk_hw.referee.rulings import (
    GameOver,
    Ground,
    Penalty,
    Restored,
    RingCounted,
    Violation,
    Warned,
    parse_ruling,
)
from tamsk_hw.words.notices import mismatch_words, notice_words
from tests.journal.played import NAMES, SITTING, played, write


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


def test_every_ruling_of_the_rule_book_reads_back() -> None:
    rulings = [ruling for name in NAMES for entry in played(name).entries for ruling in entry.rulings]
    assert {ruling.name for ruling in rulings} >= {"setup", "violation", "warning", "game_over", "arbiter_needed"}
    assert any(isinstance(ruling, Warned) and ruling.sensor for ruling in rulings)
    assert {ruling.ground for ruling in rulings if isinstance(ruling, Violation)} == {None, *Ground}
    assert {ruling.two_moves for ruling in rulings if isinstance(ruling, Penalty)} == {False, True}
    assert {ruling.by_arbiter for ruling in rulings if isinstance(ruling, RingCounted)} == {False, True}
    assert {ruling.of_rings for ruling in rulings if isinstance(ruling, Restored)} == {False, True}
    assert {ruling.by_sand for ruling in rulings if isinstance(ruling, GameOver)} == {False, True}
    for ruling in rulings:
        assert parse_ruling(json.loads(json.dumps(ruling.as_dict()))) == ruling


def test_every_stored_game_gives_its_rulings_again_those_by_time_alone_too(tmp_path: Path) -> None:
    """The rule book's games, with deadlines ruled as they pass: stored events alone give the same."""
    games = [played(name) for name in NAMES]
    with Journal(tmp_path) as journal:
        for game in games:
            journal.begin_game(game.header, SITTING)
            for entry in game.entries:
                journal.append(entry)
            journal.finish()
    archive = Archive(tmp_path)
    numbers = [summary.number for summary in archive.games()]
    assert len(numbers) > len(games) * 0.9  # those that stop before the start are not kept
    for number in numbers:
        stored = archive.load(number)
        assert verify(stored) is None
        replayed = referee_stream(stored.stream.encode().splitlines(keepends=True), "stream")
        assert replayed == stored.rulings()


def test_a_program_that_rules_otherwise_says_where_and_the_stored_rulings_stand(tmp_path: Path) -> None:
    game = played()
    place = game.first("move")
    entries = list(game.entries)
    moved, *rest = entries[place].rulings
    then = [replace(moved, rule="R2.99"), *rest]  # as an older version had it
    entries[place] = Entry(entries[place].event, then)
    write(tmp_path, replace(game, entries=tuple(entries)))
    stored = Archive(tmp_path).load(1)
    mismatch = verify(stored)
    assert mismatch is not None
    assert mismatch.event == place + 1
    assert json.loads(str(mismatch.stored))["rule"] == "R2.99"
    assert json.loads(str(mismatch.given)) == moved.as_dict()
    assert mismatch_words(mismatch).startswith(
        f"This version of tamsk-hw rules otherwise on game 1, event {place + 1}: "
    )
    assert mismatch_words(mismatch).endswith("The stored rulings stand.")
    assert stored.rulings()[: len(then)] != []
    assert then[0] in stored.rulings()


def test_a_ruling_more_or_less_is_a_mismatch_too(tmp_path: Path) -> None:
    game = played()
    over = game.first("game_over")
    entries = list(game.entries)
    entries[over] = Entry(entries[over].event, entries[over].rulings[:-1])
    write(tmp_path, replace(game, entries=tuple(entries)))
    mismatch = verify(Archive(tmp_path).load(1))
    assert mismatch is not None
    assert (mismatch.event, mismatch.stored) == (over + 1, None)


def test_a_game_that_this_version_refuses_is_told_and_not_resumed(tmp_path: Path) -> None:
    """An unfinished game with an event of a kind that is gone is set aside, in one line."""
    game = played()
    write(tmp_path, game, 40)
    change_line(tmp_path, 12, '{"t":1.0,"event":"clap"}')
    stored = Archive(tmp_path).load(1)
    with pytest.raises(UnreadableError, match="game 1 line 13"):
        stored.header_and_events()
    assert "clap" in str(verify(stored))
    with Journal(tmp_path) as journal:
        assert journal.unfinished is None
        (notice,) = journal.take_notices()
        assert notice_words(notice).startswith("Game 1 cannot be resumed: game 1 line 13")
        journal.begin_game(game.header, SITTING)
    (summary,) = Archive(tmp_path).games()
    assert summary.state.value == "set aside"
    assert "clap" in str(summary.note)
