"""Whole games through bytes: sensors, frames, codec, link, sensing, referee, judged by the world's own truth.

Everything runs in simulated time, with noise, bounce and offsets on. ``make soak`` plays many more seeds.
"""

from itertools import product
from pathlib import Path

import pytest

from tamsk_hw.commands.replay import referee_stream
from tamsk_hw.forms import to_json
from tamsk_hw.game.ruleset import LatePenalty, Ruleset, Start
from tamsk_hw.referee.events import Event
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.referee.stream import json_line
from tests.boards import SEVEN, WHOLE, PlayedBoard
from tests.players.habits import Habits
from tests.players.judge import judge
from tests.players.simulated_game import SimulatedGame
from tests.soak import in_soak

#: In ``make test`` a brisk pair that breaks rules (`habits_of`).
SEEDS = in_soak(range(400), otherwise=[3])

#: Levels and variants (R8), each played with every seed; the level-1 and level-2 games have no late penalty.
VARIANTS = [
    pytest.param(
        Ruleset(level=level, start=start, late_penalty=late), holders, id=f"L{level}-{start.value}-{name}"
    )
    for level, start, late, holders in product((1, 2, 3), Start, LatePenalty, (False, True))
    if level == 3 or late is LatePenalty.TWO_RINGS
    for name in [f"{late.value}-{'holders' if holders else 'uncounted'}"]
]

#: Those that the board of seven tubes can play: it has neither corners nor ring holders.
SEVEN_VARIANTS = [
    pytest.param(Ruleset(level=level, start=Start.FREE, late_penalty=late), id=f"L{level}-{late.value}")
    for level, late in product((1, 2, 3), LatePenalty)
    if level == 3 or late is LatePenalty.TWO_RINGS
]

BOARDS = pytest.mark.parametrize("board", [WHOLE, SEVEN], ids=str)


def habits_of(seed: int) -> Habits:
    """Players differ: every second pair is brisk, half of them break rules."""
    return Habits(
        mischief=(0.0, 0.0, 0.1, 0.3)[seed % 4], pace=(1.0, 0.5)[seed % 2], resigns=0.002, enters_full_tube=0.02
    )


# In ``make test`` any two of level, start, late penalty and load cells meet.
@pytest.mark.soak(
    but=[
        "L1-corners-two_rings-holders-3",
        "L1-free-two_rings-uncounted-3",
        "L2-corners-two_rings-uncounted-3",
        "L2-free-two_rings-holders-3",
        "L3-corners-two_rings-holders-3",
        "L3-corners-lose_turn-uncounted-3",
        "L3-free-two_rings-uncounted-3",
        "L3-free-lose_turn-holders-3",
    ]
)
@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("ruleset", "holders"), VARIANTS)
def test_the_rulings_are_what_the_world_did(ruleset: Ruleset, holders: bool, seed: int) -> None:
    game = SimulatedGame(ruleset, seed, holders=holders, habits=habits_of(seed))
    game.play()
    judge(game)


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("ruleset", SEVEN_VARIANTS)
def test_the_rulings_are_what_the_world_did_on_seven_tubes(ruleset: Ruleset, seed: int) -> None:
    game = SimulatedGame(ruleset, seed, wiring=SEVEN.wiring, habits=habits_of(seed))
    game.play()
    judge(game)


@pytest.mark.soak(but=["1-seven", "3-whole"])
@BOARDS
@pytest.mark.parametrize("level", [1, 2, 3])
def test_through_a_real_pty_and_pyserial(level: int, board: PlayedBoard, tmp_path: Path) -> None:
    recorded: list[Event] = []
    game = SimulatedGame(
        Ruleset(level=level, start=board.start),
        level,
        wiring=board.wiring,
        port=tmp_path / "board",
        habits=Habits(mischief=0.1, pace=0.5),
        record=recorded.append,
    )
    try:
        game.play()
        judge(game)
    finally:
        game.close()
    assert replayed(game, recorded) == game.refereeing.rulings


def replayed(game: SimulatedGame, recorded: list[Event]) -> list[Ruling]:
    """Rulings of ``tamsk-hw replay`` on the events as they were written to a file."""
    lines = [json_line(game.header.as_dict()), *(json_line(to_json(event)) for event in recorded)]
    lines.append(json_line({"t": game.refereeing.now, "event": "tick"}))
    return referee_stream(lines, "the recorded game")


@pytest.mark.soak(but=["seven"])
@BOARDS
def test_the_same_seed_plays_the_same_game(board: PlayedBoard) -> None:
    first, second = (
        SimulatedGame(Ruleset(level=3, start=board.start), 11, wiring=board.wiring, habits=Habits(mischief=0.2))
        for _ in range(2)
    )
    assert first.play() == second.play()
