"""Games under everything at once: nobody reads what is printed, the disk hangs, a fifth of the frames is lost."""

import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random

import pytest

from tamsk_hw.journal.archive import Archive
from tamsk_hw.referee.rulings import GameOver
from tamsk_hw.system.background import BackgroundWriter, write_all
from tamsk_hw.words.rulings import line
from tests.boards import SEVEN, WHOLE
from tests.disturbances.board import DisturbedBoard
from tests.disturbances.line import LostFrames
from tests.players.judge import judge
from tests.soak import in_soak
from tests.table.test_board_table import Evening

#: Bytes that wait to be printed at most; a game says more.
MOST_WAITING = 2048


@contextmanager
def unread() -> Iterator[BackgroundWriter]:
    """A writer to a pipe that is full and that nobody reads."""
    reading, writing = os.pipe()
    os.set_blocking(writing, False)
    try:
        while True:
            os.write(writing, b"\0" * 4096)
    except BlockingIOError:
        os.set_blocking(writing, True)
    put = partial(write_all, writing)
    writer = BackgroundWriter(put, lambda lines: f"{lines} left out\n".encode(), most_waiting=MOST_WAITING)
    try:
        yield writer
    finally:
        os.close(reading)  # a thread that waits to write gets its error
        with suppress(BrokenPipeError):
            writer.close(0.0)
        os.close(writing)


@pytest.mark.soak(but=["1-1", "2-1", "3-1"])
@pytest.mark.parametrize("seed", range(1, 11))
@pytest.mark.parametrize("level", [1, 2, 3])
def test_the_rulings_are_what_the_world_did_and_all_of_it_is_saved(level: int, seed: int, tmp_path: Path) -> None:
    evening = Evening(tmp_path, level=level, seed=seed, board=in_soak(WHOLE, otherwise=SEVEN))
    game, chance, works_again = evening.simulation, Random(seed), 0.0
    assert isinstance(game.board, DisturbedBoard)
    game.board.disturb_line(LostFrames(0.2, seed))
    printed = 0
    with unread() as writer:
        while game.match.over is None:
            writes = evening.now >= works_again
            for ruling in evening.step(game.match.drain_events(), writes=writes):
                printed += len(piece := f"{line(ruling)}\n".encode())
                writer.write(piece)
            if writes:
                works_again = evening.now + chance.choice((0.0, 0.05, 2.0, 20.0))
        assert writer.waiting <= MOST_WAITING < printed
    for _ in range(20):
        evening.step()
    game.refereeing = evening.table.refereeing
    judge(game)
    assert any("of the board's messages are lost" in said for said in evening.said)
    saved = Archive(tmp_path / "1").load(1).rulings()
    assert isinstance(saved[-1], GameOver)
    assert [ruling.as_dict() for ruling in saved] == [ruling.as_dict() for ruling in game.refereeing.rulings]
