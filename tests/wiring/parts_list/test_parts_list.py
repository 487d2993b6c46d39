"""The parts list is read back and counted again; errors in one are found."""

from __future__ import annotations

import csv
import io
from collections import Counter
from dataclasses import replace

import pytest

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.board.wiring_map import Wiring
from tamsk_hw.game.tubes import CAPACITY, Tube
from tests.wiring.built import BOARDS, REFERENCE, SEVEN, made
from tests.wiring.facts import WIRING
from tests.wiring.parts_list.checking import (
    circuit_problems,
    expanded,
    expected,
    map_problems,
    read,
    row_problems,
)
from wiring.make.board import Board, Form
from wiring.make.parts_list import COLUMNS, condensed, files

MAPS = {"reference": load_wiring(), "seven": load_wiring(WIRING / "seven" / "board.toml")}

each_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)


def table(board: Board) -> str:
    return made(board.key, files)["parts.csv"]


def quantities(board: Board, item: str) -> dict[str, float]:
    return {row["value"]: float(row["quantity"]) for row in read(table(board)) if row["item"] == item}


def rewritten(text: str, number: str, column: str, value: str) -> str:
    """The list with one cell changed, in the row of an order code."""
    rows = read(text)
    out = io.StringIO()
    writer = csv.DictWriter(out, COLUMNS, lineterminator="\n")
    writer.writeheader()
    writer.writerows({**row, column: value} if row["number"] == number else row for row in rows)
    return out.getvalue()


@each_board
def test_every_part_of_the_circuit_is_in_one_row(board: Board) -> None:
    assert not circuit_problems(table(board), board.circuit)


@each_board
def test_every_row_can_be_ordered_or_says_why_not(board: Board) -> None:
    assert not row_problems(table(board))


def test_numbers_of_the_reference_board() -> None:
    wanted = expected(MAPS["reference"])
    assert [wanted[number] for number in ("QRE1114GR", "DRV5055A3QDBZR", "SN74HCS165DR")] == [64, 38, 8]
    assert [wanted[number] for number in ("CD74HC4067M96", "WS2812B", "S-08-02-N")] == [3, 42, 14]


def test_numbers_of_the_first_build() -> None:
    wanted = expected(MAPS["seven"])
    assert [wanted[number] for number in ("QRE1114GR", "DRV5055A3QDBZR", "SN74HCS165DR")] == [22, 8, 3]
    assert [wanted[number] for number in ("CD74HC4067M96", "WS2812B", "SEN-13879")] == [1, 12, 0]


@each_board
def test_tubes_and_strips_by_their_height(board: Board) -> None:
    heights = Counter(CAPACITY[tube] for tube in MAPS[board.key].tubes)
    rows = {row["item"]: float(row["quantity"]) for row in read(table(board))}
    for height, count in heights.items():
        more = "s" if height > 1 else ""
        assert rows[f"Tube for {height} ring{more}, printed, matt black"] == count
        assert rows[f"Strip of circuit board, 5.4 × 0.4 mm, for {height} ring sensor{more}"] == count
        assert rows[f"Enamelled wire, 0.2 mm, for {height} ring sensor{more}"] == count
    assert rows["Clear rod, 5 mm"] == MAPS[board.key].pixel_count


@each_board
def test_lengths_of_flat_cable(board: Board) -> None:
    heights = Counter(CAPACITY[tube] for tube in MAPS[board.key].tubes)
    lengths = {f"{4 + 2 * height} wires": 0.3 * count for height, count in heights.items()}
    assert quantities(board, "Flat cable") == pytest.approx({**lengths, "20 wires": 0.25})


@each_board
def test_lengths_of_wire(board: Board) -> None:
    """The cables' wires one by one, the cradle's three, and three from pixel to pixel."""
    hops = (MAPS[board.key].pixel_count - 1) * (MAPS[board.key].geometry.tube_pitch + 30) / 1000
    single = {"0.14 mm²": 3 * 0.4 + hops, "0.5 mm²": 2 * hops}
    for cable in board.cables:
        if cable.made_of.form is Form.SINGLE:
            single[f"{cable.made_of.gauge:g} mm²"] += cable.length * len(cable.wires)
    assert quantities(board, "Wire") == pytest.approx(single, abs=0.01)


@each_board
def test_document_has_the_rows_of_the_table(board: Board) -> None:
    text = made(board.key, files)["parts.md"]
    rows = read(table(board))
    for group in dict.fromkeys(row["group"] for row in rows):
        assert f"\n## {group}\n" in text
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    headings = sum(line.startswith("| quantity |") for line in lines)
    assert len(lines) == len(rows) + 2 * headings
    for row in rows:
        assert any(row["item"] in line and row["value"] in line and row["number"] in line for line in lines), row
    assert all(line.count(" | ") == 5 for line in lines)


@pytest.mark.parametrize(
    ("refs", "text"),
    [
        (("U10", "U11", "U12"), "U10–12"),
        (("U1",), "U1"),
        (("C1", "C2", "C20"), "C1–2 C20"),
        (("RE-D4-1", "RE-D4-2", "RE-D5-1"), "RE-D4-1–2 RE-D5-1"),
        (("HS-G4", "HS-TIMER"), "HS-G4 HS-TIMER"),
        (("C9", "C11"), "C9 C11"),
    ],
)
def test_ranges(refs: tuple[str, ...], text: str) -> None:
    assert " ".join(condensed(refs)) == text
    assert tuple(expanded(text)) == refs


@pytest.mark.parametrize("number", ["QRE1114GR", "DRV5055A3QDBZR", "MFR-25FBF52-33K", "61200621621", "S-08-02-N"])
def test_a_wrong_quantity_is_found(number: str) -> None:
    wrong = rewritten(table(REFERENCE), number, "quantity", "7")
    found = map_problems(wrong, MAPS["reference"])
    assert len(found) == 1
    assert found[0].startswith(f"{number}: 7, the map wants ")
    if number != "S-08-02-N":
        assert any("7, but" in problem for problem in circuit_problems(wrong, REFERENCE.circuit))


def without(wiring: Wiring, tube: Tube) -> Wiring:
    """The map with a tube left out."""
    return replace(wiring, tubes=tuple(other for other in wiring.tubes if other is not tube))


def test_another_map_is_found() -> None:
    found = map_problems(table(REFERENCE), without(MAPS["reference"], Tube.D4))
    assert "QRE1114GR: 64, the map wants 60" in found
    assert "61201221621: 1, the map wants 0" in found
    assert map_problems(table(SEVEN), MAPS["reference"])


def test_a_list_without_a_holder_is_found() -> None:
    bare = replace(MAPS["reference"], holders={})
    assert "SEN-13879: 2, the map wants 0" in map_problems(table(REFERENCE), bare)


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("designators", "U10–16", "U17: in no row"),
        ("designators", "U10–17 U1", "U1: in 2 rows"),
        ("designators", "U10–18", "U18: in no circuit"),
        ("sensor board", "7", "sensor board: 7, the circuit has 8"),
    ],
)
def test_wrong_places_are_found(column: str, value: str, says: str) -> None:
    found = circuit_problems(rewritten(table(REFERENCE), "SN74HCS165DR", column, value), REFERENCE.circuit)
    assert any(says in problem for problem in found), found


@pytest.mark.parametrize(
    ("column", "value", "says"),
    [
        ("number", "", "no order code"),
        ("maker", "", "no order code"),
        ("origin", "own cut", "own cut, and an order code"),
        ("origin", "", "origin ''"),
        ("quantity", "0", "quantity 0"),
        ("spares", "0", "spares 0"),
    ],
)
def test_a_row_that_cannot_be_ordered_is_found(column: str, value: str, says: str) -> None:
    found = row_problems(rewritten(table(REFERENCE), "SN74HCS165DR", column, value))
    assert any(says in problem for problem in found), found
