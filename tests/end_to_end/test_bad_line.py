"""A bad line between board and host: whatever comes, the rulings are still what the world did."""

from random import Random

import pytest

from tamsk_hw.board.protocol import ResetCause
from tamsk_hw.game.ruleset import Ruleset
from tests.boards import SEVEN, WHOLE, PlayedBoard
from tests.players.habits import Habits
from tests.players.judge import judge
from tests.players.simulated_game import SimulatedGame


@pytest.mark.soak(but=["whole-0", "seven-1", "whole-2"])
@pytest.mark.parametrize(
    ("board", "seed"), [*((WHOLE, seed) for seed in range(12)), *((SEVEN, seed) for seed in range(6))], ids=str
)
def test_noise_lost_and_damaged_frames_change_nothing(board: PlayedBoard, seed: int) -> None:
    ruleset = Ruleset(level=1 + seed % 3, start=board.start)
    game = SimulatedGame(ruleset, seed, wiring=board.wiring, habits=Habits(mischief=0.1, pace=0.5))
    chance = Random(seed)
    t = 0.0
    while not game.is_over:
        t += chance.uniform(0.2, 1.5)
        game.advance(t)
        match chance.randrange(4):
            case 0:
                game.board.inject(chance.randbytes(chance.randrange(1, 200)))
            case 1:
                game.board.corrupt_frames(chance.randrange(1, 4))
            case 2:
                # Fewer than would make the link call the board lost.
                game.board.drop_frames(chance.randrange(1, 4))
    game.advance(t + 1.0)
    judge(game)
    statistics = game.wire.session.statistics  # type: ignore[union-attr]
    assert statistics.crc_errors + statistics.malformed > 10
    assert statistics.gaps > 10


@pytest.mark.soak(but=["whole-0", "seven-0"])
@pytest.mark.parametrize(
    ("board", "seed"), [*((WHOLE, seed) for seed in range(6)), *((SEVEN, seed) for seed in range(3))], ids=str
)
def test_a_board_that_resets_in_mid_game_changes_nothing(board: PlayedBoard, seed: int) -> None:
    ruleset = Ruleset(level=3, start=board.start)
    game = SimulatedGame(ruleset, seed, wiring=board.wiring, habits=Habits(pace=0.5))
    chance = Random(seed)
    t, resets = 0.0, 0
    while not game.is_over:
        t += chance.uniform(10.0, 40.0)
        game.advance(t)
        if not game.is_over:
            game.board.reset(ResetCause.WATCHDOG)
            resets += 1
    game.advance(t + 1.0)
    judge(game)
    assert game.wire.session.statistics.board_resets == resets  # type: ignore[union-attr]
