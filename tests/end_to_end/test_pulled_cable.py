"""The cable is pulled and put in again, and people go on at the board meanwhile: it stays the same game."""

from dataclasses import replace
from enum import Enum
from pathlib import Path
from random import Random

import pytest

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.referee.rulings import Caution, GameOver, Violation, Warned
from tests.boards import SEVEN, WHOLE, PlayedBoard
from tests.end_to_end.pulled_cable import CableGame
from tests.end_to_end.test_games import replayed
from tests.players.habits import Habits
from tests.players.judge import judge
from tests.players.match import StalledGame
from tests.soak import in_soak
from tests.table.test_board_table_kill import game_of

SEEDS = in_soak(range(60), otherwise=range(2, 3))


class Meanwhile(Enum):
    """Acts of people while the cable is out."""

    NOTHING = "they wait"
    PLAY = "they play on by the rules"
    MISCHIEF = "somebody moves what he should not"


def game_on(board: PlayedBoard, seed: int) -> tuple[Ruleset, Habits, bool]:
    """A game that the board can play."""
    ruleset, habits, holders = game_of(seed)
    return (ruleset, habits, holders) if board is WHOLE else (replace(ruleset, start=board.start), habits, False)


#: The board of seven tubes with half as many seeds: its games are short, and the cable is the same.
GAMES = [*((WHOLE, seed) for seed in SEEDS), *((SEVEN, seed) for seed in SEEDS[::2])]


@pytest.mark.soak(but=["Meanwhile.NOTHING-seven-2", "Meanwhile.PLAY-seven-2", "Meanwhile.MISCHIEF-whole-2"])
@pytest.mark.parametrize(("board", "seed"), GAMES, ids=str)
@pytest.mark.parametrize("meanwhile", Meanwhile)
def test_what_people_do_unseen_is_ruled_when_it_is_seen(
    meanwhile: Meanwhile, board: PlayedBoard, seed: int, tmp_path: Path
) -> None:
    """The cable is pulled while nobody is in the middle of anything; what follows is judged move by move."""
    ruleset, habits, holders = game_on(board, seed)
    # The 15 seconds end unseen, too, and so does the life of a glass, in a hand or not (R9.5). What was undone
    # again before it was seen is not ruled on.
    habits = replace(habits, mischief=0.0, uses_timer=0.0, lifts_early=0.0, pace=0.5)
    game = CableGame(ruleset, seed, habits, holders=holders, port=tmp_path / "board", board=board)
    chance = Random(f"{seed}/cable")
    misdeeds = 0
    while not game.is_over:
        game.play(game.now + chance.uniform(5.0, 30.0))
        while not game.is_over and not game.is_quiet():
            game.step()
        out = chance.uniform(1.0, 15.0)
        if game.is_over:
            break
        if meanwhile is not Meanwhile.NOTHING and game.least_sand() < out + 5.0:
            continue
        game.pull()
        if meanwhile is Meanwhile.MISCHIEF:
            misdeeds += game.misdeed(chance)
        people = meanwhile is Meanwhile.PLAY
        game.play(game.now + out, people=people)
        game.replug(people=people)
        if game.comes_to_rest():
            game.is_told_what_differs()
    game.end()
    game.simulation.close()
    lost = [r for r in game.refereeing.rulings if isinstance(r, Warned) and r.code is Caution.LINK_LOST]
    assert len(lost) == len(game.pulled)
    judge(game.as_reported())
    told = [r for r in game.refereeing.rulings if isinstance(r, Violation) and r.restore]
    assert len(told) >= misdeeds
    assert replayed(game.simulation, game.events) == game.refereeing.rulings


@pytest.mark.soak(but=["whole-2"])
@pytest.mark.parametrize(("board", "seed"), GAMES, ids=str)
def test_the_cable_is_pulled_in_the_middle_of_anything(board: PlayedBoard, seed: int, tmp_path: Path) -> None:
    """People go on as they would, rules or not, and put right what they are told: it stays one game.

    When both players' glasses were moved unseen the referee may take one for the other, since the board feels no
    colours (R9.3). These people would not know what to make of that, so the game is not played on. Nor is it when
    they wait for a word although the referee has nothing that is wrong.
    """
    ruleset, habits, holders = game_on(board, seed)
    habits = replace(habits, mischief=0.1)
    game = CableGame(ruleset, seed, habits, holders=holders, port=tmp_path / "board", board=board)
    chance = Random(f"{seed}/any")
    mistaken = stalled = False
    while not (mistaken or stalled or game.is_over):
        try:
            game.play(game.now + chance.uniform(1.0, 40.0))
            if game.is_over:
                break
            game.pull()
            game.play(game.now + chance.uniform(0.1, 12.0))
            game.replug(people=True)
            mistaken = game.takes_one_for_another()
            if game.comes_to_rest():
                game.is_told_what_differs()
        except StalledGame:
            stalled = True
            assert not game.refereeing.view().wrong
    game.simulation.close()
    assert game.pulled
    assert not mistaken or game.both_moved()
    assert mistaken or stalled or isinstance(game.refereeing.rulings[-1], GameOver)
    assert replayed(game.simulation, game.events) == game.refereeing.rulings
