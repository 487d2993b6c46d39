"""Faults in mid-game: judged by the board outside, by what was promised, and by the journal."""

import random
import time
from typing import Final

import pytest

from tests.machine.faults import FAULTS, after, begin_game, to_the_end
from tests.machine.table import OverMeanwhileError, Table

#: Faults in one game; with two turns for each, a game on seven tubes has some turns left after the last.
IN_ONE_GAME: Final = 5


def took(what: str, began: float) -> None:
    """Print how long something took."""
    print(f"{what}: {time.monotonic() - began:.1f} s")


@pytest.mark.parametrize("fault", FAULTS)
def test_the_game_goes_on_after(fault: str, table: Table) -> None:
    begin_game(table, seed=3)
    table.play(turns=2)
    FAULTS[fault](table, took)
    after(table)


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(1, 41))
def test_a_game_with_several_faults_is_played_to_its_end(seed: int, table: Table) -> None:
    chance = random.Random(seed)
    begin_game(table, seed=chance.randrange(1, 1_000_000))
    for fault in chance.sample([*FAULTS], IN_ONE_GAME):
        phase = table.play(turns=chance.randint(1, 2))["phase"]
        time.sleep(chance.uniform(0.0, 3.0))
        if "over" in (phase, table.state()["phase"]):
            break
        print(fault)
        try:
            FAULTS[fault](table, took)
        except OverMeanwhileError:
            return
        after(table)
    to_the_end(table)
