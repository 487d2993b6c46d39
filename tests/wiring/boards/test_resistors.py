"""Resistors of ordered boards bear what the electrics reckon for them."""

from __future__ import annotations

import pytest

from tests.wiring.built import BOARDS
from wiring.make.board import Board
from wiring.make.electrics import checks

#: What a thick-film chip resistor bears at 70 °C, in watts, by the size in its footprint (Yageo RC series).
RATED = {"R_0805_2012Metric": 0.125, "R_1206_3216Metric": 0.25}

#: The electrics' rows of power in a resistor, by the parts that bear it.
ROWS = {"RE-": "Power of one resistor when a program hangs", "R55": "Power of R55 with a plug of 12 V left in"}


def rating(board: Board, beginning: str) -> float:
    """The least rating of what is mounted for the parts whose reference begins so (W)."""
    parts = [part for part in board.circuit.parts if part.ref.startswith(beginning)]
    return min(RATED[board.catalogue.mount(part).footprint.partition(":")[2]] for part in parts)


@pytest.mark.parametrize("beginning", ROWS)
@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_mounted_resistor_bears_its_power(board: Board, beginning: str) -> None:
    [power] = [check.value for check in checks(board) if check.what == ROWS[beginning]]
    assert 0.1 < power <= rating(board, beginning)
