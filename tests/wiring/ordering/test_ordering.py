"""Bills are those of the circuit, with prices of a day and origin; every part has its step of the guide."""

import csv
import io
import json
import re
from collections import Counter
from dataclasses import replace

import pytest

from tamsk_hw.errors import WiringError
from tests.wiring.bench import BOARDS, SEVEN
from tests.wiring.facts import WIRING
from wiring.boards.making import bill as boards_bill
from wiring.boards.making import wanted_boards
from wiring.make.board import Board
from wiring.make.prices import Way, bill, designs, load_prices
from wiring.make.steps import Step, step_of

each_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
each_way = pytest.mark.parametrize("way", Way)

PRICES = load_prices()


@each_board
@each_way
def test_every_part_of_the_circuit_is_paid_for(board: Board, way: Way) -> None:
    """Pieces of the bill that come from the circuit are no fewer than its parts, in either way."""
    bought = sum(
        line.quantity
        for line in bill(board, way, PRICES)
        if line.order and not line.metres and "own cut" not in line.order
    )
    wanted = sum(
        1 for part in board.circuit.parts if part.kind.number or part.kind.key in ("resistor", "capacitor")
    )
    assert bought >= wanted


def test_a_part_without_a_price_is_refused() -> None:
    known = {key: price for key, price in PRICES.known.items() if key != "QRE1114GR"}
    for way in Way:
        with pytest.raises(WiringError, match="QRE1114GR: no price; add it to a table of prices"):
            bill(SEVEN, way, replace(PRICES, known=known))


@each_board
def test_a_factory_mounts_what_the_boards_files_say(board: Board) -> None:
    """By order code, as the list of each board has it, but for what goes through."""
    known = json.loads((WIRING / "boards" / "footprints.json").read_text(encoding="utf-8"))
    flat = {name.split(":")[1] for name, each in known.items() if not any(pad["drill"] for pad in each["pads"])}
    compared = 0
    layouts = {each.layout.name: each.layout for each in wanted_boards()}
    for design in designs(board):
        if design.name not in layouts:
            continue
        rows = csv.DictReader(io.StringIO(boards_bill(layouts[design.name])))
        listed = {row["Part Number"]: int(row["Quantity"]) for row in rows if row["Footprint"] in flat}
        counted = Counter(board.catalogue.mount(part).order.number for part in design.parts)
        assert counted == listed, design.name
        compared += 1
    assert compared >= 3


@each_board
def test_every_part_has_a_step_of_the_guide(board: Board) -> None:
    guide = (WIRING / "build.md").read_text(encoding="utf-8")
    numbers = {int(number) for number in re.findall(r"^## (\d+) ", guide, re.MULTILINE)}
    assert numbers == {step.value for step in Step if step.value}
    assert {step_of(board.circuit, part).value for part in board.circuit.parts} <= numbers


@pytest.mark.parametrize(
    ("ref", "step"),
    [
        ("CB3", 4),
        ("RI-D4-2", 4),
        ("RE-D4-2", 5),
        ("DA1", 5),
        ("R20", 5),
        ("CR1", 6),
        ("CU1", 3),
        ("R4", 3),
        ("J6", 8),
    ],
)
def test_parts_are_built_in_where_the_guide_says_so(ref: str, step: int) -> None:
    assert step_of(SEVEN.circuit, SEVEN.circuit.by_ref[ref]).value == step
