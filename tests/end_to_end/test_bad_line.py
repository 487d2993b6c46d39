"""A bad line between board and host: whatever comes, the rulings are still what the world did."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random

import pytest

from tamsk_hw.board.protocol import ResetCause
from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import PLAYERS
from tamsk_hw.referee.rulings import Caution, Moved, RingCounted, Violation, Warned
from tamsk_hw.table.simulation import PtyWire
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


@pytest.mark.soak(but=["1-seven"])
@pytest.mark.parametrize("board", [WHOLE, SEVEN], ids=str)
@pytest.mark.parametrize("seed", range(3))
def test_a_pulled_cable_is_said_and_the_game_goes_on(seed: int, board: PlayedBoard, tmp_path: Path) -> None:
    """The cable is out for two seconds in between moves: nothing is invented, nothing scored twice."""
    game = SimulatedGame(
        Ruleset(level=1, start=board.start),
        seed,
        wiring=board.wiring,
        port=tmp_path / "board",
        habits=Habits(pace=0.5, lifts_early=0.0),
    )
    assert isinstance(game.wire, PtyWire)
    chance = Random(seed)
    t, pulled = 0.0, 0
    while not game.is_over and t < 600:
        t += chance.uniform(5.0, 15.0)
        game.advance(t)
        still = not any(game.world.held(player) for player in PLAYERS)
        if still and not game.is_over:
            game.wire.pty.unplug()
            t += 2.0
            game.advance(t)
            game.wire.pty.replug()
            pulled += 1
    game.close()
    rulings = game.refereeing.rulings
    lost = [r for r in rulings if isinstance(r, Warned) and r.code is Caution.LINK_LOST]
    assert 0 < len(lost) <= pulled
    moves = [r for r in rulings if isinstance(r, Moved)]
    assert len(moves) > 5
    counted = Counter(r.tube for r in rulings if isinstance(r, RingCounted))
    assert all(count <= game.world.rings(tube) for tube, count in counted.items())
    assert not [r for r in rulings if isinstance(r, Violation) and r.code.value == "out_of_place"]
