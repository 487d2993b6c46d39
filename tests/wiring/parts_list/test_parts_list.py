"""The parts list is read back and counted again; errors in one are found."""

from collections import Counter

import pytest

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.game.tubes import CAPACITY
from tests.wiring.bench import BOARDS, made
from tests.wiring.facts import WIRING
from tests.wiring.parts_list.checking import circuit_problems, read
from wiring.make.board import Board, Form
from wiring.make.parts_list import files

MAPS = {"reference": load_wiring(), "seven": load_wiring(WIRING / "seven" / "board.toml")}

each_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def table(board: Board) -> str:
    return made(board.key, files)["parts.csv"]


def quantities(board: Board, item: str) -> dict[str, float]:
    return {row["value"]: float(row["quantity"]) for row in read(table(board)) if row["item"] == item}


@each_board
def test_every_part_of_the_circuit_is_in_one_row(board: Board) -> None:
    assert not circuit_problems(table(board), board.circuit)


@each_board
def test_lengths_of_flat_cable(board: Board) -> None:
    heights = Counter(CAPACITY[tube] for tube in MAPS[board.key].tubes)
    lengths = {f"{4 + 2 * height} wires": 0.3 * count for height, count in heights.items()}
    assert quantities(board, "Flat cable") == pytest.approx({**lengths, "20 wires": 0.2})


@each_board
def test_lengths_of_wire(board: Board) -> None:
    """The cables' wires one by one, the cradle's three, and three from pixel to pixel."""
    hops = (MAPS[board.key].pixel_count - 1) * (MAPS[board.key].geometry.tube_pitch + 30) / 1000
    single = {"0.14 mm²": 3 * 0.4 + hops, "0.5 mm²": 2 * hops}
    for cable in board.cables:
        if cable.made_of.form is Form.SINGLE:
            single[f"{cable.made_of.gauge:g} mm²"] += cable.length * len(cable.wires)
    assert quantities(board, "Wire") == pytest.approx(single, abs=0.01)
