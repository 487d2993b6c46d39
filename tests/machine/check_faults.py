"""One fault of each kind in mid-game: judged by the board outside, by what was promised, and by the journal."""

from __future__ import annotations

import time

import pytest

from tests.machine.faults import FAULTS, after, begin_game
from tests.machine.table import Table


@pytest.mark.parametrize("fault", FAULTS)
def test_the_game_goes_on_after(fault: str, table: Table) -> None:
    def took(what: str, began: float) -> None:
        print(f"{what}: {time.monotonic() - began:.1f} s")

    begin_game(table, seed=3)
    table.play(turns=2)
    FAULTS[fault](table, took)
    after(table)
