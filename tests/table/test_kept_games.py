"""Simulated games are kept, the newest of them, beside the journal of real games and without touching it."""

from __future__ import annotations

from pathlib import Path

from tamsk_hw.game.ruleset import Ruleset, Start
from tamsk_hw.journal import Archive, GameState, Journal, verify
from tamsk_hw.journal.archive import simulated_folder
from tamsk_hw.live.stream import NO_NAMES, Names
from tamsk_hw.table.kept_games import MOST_KEPT, KeptGames
from tamsk_hw.table.simulation import Simulation
from tests.boards import SEVEN
from tests.journal.played import SITTING, played, stored_lines


def opened(folder: Path) -> KeptGames:
    kept = KeptGames.open(folder)
    assert kept is not None
    return kept


def play(kept: KeptGames, upto: int | None = None) -> None:
    kept.begin(played().header, NO_NAMES)
    for entry in played().entries[:upto]:
        kept.took(entry.event, entry.rulings)
    kept.end()


def test_a_simulated_game_is_kept_as_it_was_played(tmp_path: Path) -> None:
    kept = opened(tmp_path)
    game = Simulation(Ruleset(level=3, start=Start.FREE), 4, wiring=SEVEN.wiring, took=kept.took)
    kept.begin(game.header, Names(red="Ann"))
    game.play()
    kept.close()
    stored = Archive(simulated_folder(tmp_path)).load(1)
    assert (stored.state, stored.red) == (GameState.FINISHED, "Ann")
    assert stored.rulings() == game.refereeing.rulings
    assert verify(stored) is None
    assert Archive(tmp_path).games() == []  # none of the players' games


def test_the_newest_twenty_are_kept(tmp_path: Path) -> None:
    kept = opened(tmp_path)
    for _ in range(MOST_KEPT + 3):
        play(kept, 40)
    play(kept)
    kept.close()
    games = Archive(simulated_folder(tmp_path)).games()
    assert [game.number for game in games] == list(range(5, 25))
    assert [game.state for game in games[-2:]] == [GameState.SET_ASIDE, GameState.FINISHED]


def test_a_second_run_keeps_none_and_the_real_journal_is_free(tmp_path: Path) -> None:
    first = opened(tmp_path)
    assert KeptGames.open(tmp_path) is None
    with Journal.open(tmp_path) as journal:  # a service at a real board
        journal.begin_game(played().header, SITTING)
        for entry in played().entries:
            journal.append(entry)
    play(first)
    first.close()
    assert stored_lines(Archive(tmp_path).load(1)) == played().lines()
    opened(tmp_path).close()


def test_a_run_that_was_killed_leaves_a_game_to_look_at_and_none_to_resume(tmp_path: Path) -> None:
    with Journal.open(simulated_folder(tmp_path)) as killed:
        killed.begin_game(played().header, SITTING)
        for entry in played().entries[:40]:
            killed.append(entry)
    kept = opened(tmp_path)
    play(kept)
    kept.close()
    states = [game.state for game in Archive(simulated_folder(tmp_path)).games()]
    assert states == [GameState.SET_ASIDE, GameState.FINISHED]


def test_a_folder_that_cannot_be_written_stops_no_game(tmp_path: Path) -> None:
    (tmp_path / "simulated").write_text("in the way")
    kept = KeptGames.open(tmp_path)
    if kept is not None:
        play(kept)
        kept.close()
    assert (tmp_path / "simulated").read_text() == "in the way"
