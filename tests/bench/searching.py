"""The speed of `Position` beside python-chess: both count perft, the last ply in bulk, and remember nothing."""

import time
from collections.abc import Callable

import chess

from tamsk_hw.game.position import perft
from tests.bench.figures import Figure
from tests.game.slow_perft import slow_perft

#: Leaves a second that are asked for on the reference machine, their least share of python-chess's, and the goal.
LEAVES, SHARE, GOAL = 0.25e6, 0.7, 1.5

#: How often each is counted; the best counts.
TIMES = 3


def chess_perft(board: chess.Board, depth: int) -> int:
    """Count as python-chess's own `examples/perft` does."""
    if depth == 1:
        return board.legal_moves.count()
    lines = 0
    for move in board.legal_moves:
        board.push(move)
        lines += chess_perft(board, depth - 1)
        board.pop()
    return lines


def leaves_a_second(count: Callable[[], int], lines: int) -> float:
    """The best rate of `TIMES` counts, each of which must find ``lines`` lines of play."""
    best = 0.0
    for _ in range(TIMES):
        begin = time.process_time()
        found = count()
        best = max(best, found / (time.process_time() - begin))
        assert found == lines, (found, lines)
    return best


def searching_figures(slow: float) -> list[Figure]:
    """Measure; ``slow``: by how much this machine is slower than the reference."""
    assert perft(5) == slow_perft(5), "Position and the slow count of the tests disagree"
    ours = leaves_a_second(lambda: perft(6), 1_102_410)
    theirs = leaves_a_second(lambda: chess_perft(chess.Board(), 4), 197_281)
    share = ours / theirs
    return [
        Figure(
            "perft 6, rings always (1,102,410 leaves)",
            f"{LEAVES / slow / 1e6:.2f} M leaves/s",
            f"{ours / 1e6:.2f} M leaves/s",
            ours >= LEAVES / slow,
        ),
        Figure(
            f"python-chess {chess.__version__}, perft 4 (197,281 leaves)",
            "",
            f"{theirs / 1e6:.2f} M leaves/s",
            None,
        ),
        Figure("perft, times python-chess's", f"{SHARE} (goal {GOAL})", f"{share:.1f}", share >= SHARE),
    ]
