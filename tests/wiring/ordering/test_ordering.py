"""Bills are those of the circuit, with prices of a day and origin; every part has its step of the guide."""

from __future__ import annotations

import csv
import datetime
import io
import json
import re
from collections import Counter
from dataclasses import replace
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

import pytest

from tamsk_hw.errors import WiringError
from tests.wiring.bench import BOARDS, SEVEN, made
from tests.wiring.facts import WIRING
from wiring.boards.making import bill as boards_bill
from wiring.boards.making import wanted_boards
from wiring.make.board import Board
from wiring.make.circuit import PARTS
from wiring.make.ordering import files
from wiring.make.prices import Prices, Way, bill, designs, load_prices, total
from wiring.make.steps import Step, step_of

each_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
each_way = pytest.mark.parametrize("way", Way)

PRICES = load_prices()


def page(board: Board) -> str:
    return made(board.key, files)["ordering.md"]


def rows(text: str, columns: int) -> list[list[str]]:
    """The rows of a page's tables that have ``columns`` columns, without the tables' heads."""
    lines = [line for line in text.splitlines() if line.startswith("|")]
    cells = [[cell.strip() for cell in line[1:-1].split("|")] for line in lines]
    rules = {index for index, row in enumerate(cells) if set(row) == {"---"}}
    heads = {index - 1 for index in rules}
    return [row for index, row in enumerate(cells) if len(row) == columns and index not in rules | heads]


@each_board
@each_way
def test_every_line_has_a_price_with_its_day_and_its_origin(board: Board, way: Way) -> None:
    lines = bill(board, way, PRICES)
    for line in lines:
        source = line.price.source
        assert line.price.amount > 0, line.item
        assert datetime.date(2020, 1, 1) < source.date, line.item
        assert source.currency in PRICES.euros
        assert source.why
        assert line.quantity > 0


@each_board
def test_the_sums_of_the_page_agree(board: Board) -> None:
    """Each line is quantity times price; groups and totals are the sums of their lines."""
    text = page(board)
    rate = {"EUR": Decimal(1), "USD": Decimal(str(PRICES.euros["USD"]))}
    sums: Counter[str] = Counter()
    for part, way in zip(text.split("\n## ")[1:3], ("ordered", "wired"), strict=True):
        for quantity, _, _, price, currency, cost in rows(part, 6):
            count = Decimal(quantity.removesuffix(" m"))
            exact = count * Decimal(price) * rate[currency[:3]]
            assert Decimal(cost) == exact.quantize(Decimal("0.01"), ROUND_HALF_UP)
            sums[way] += int(Decimal(cost) * 100)
    table = rows(text.split("\n## ")[0], 3)
    assert table[-1][0] == "**sum**"
    for column, way in ((1, "wired"), (2, "ordered")):
        total_cents = int(Decimal(table[-1][column].strip("*")) * 100)
        assert sum(int(Decimal(row[column]) * 100) for row in table[:-1]) == total_cents == sums[way]


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


def test_a_price_given_twice_is_refused(tmp_path: Path) -> None:
    text = PARTS.read_text(encoding="utf-8")
    table = '[[prices]]\ncurrency = "EUR"\ndate = 2026-01-01\nseen = ""\nwhy = "x"\n'
    again = f'{table}[prices.each]\n"SC0193" = 1\n\n[mounted'
    assert "[mounted" in text
    path = tmp_path / "parts.toml"
    path.write_text(text.replace("[mounted", again, 1), encoding="utf-8")
    with pytest.raises(WiringError, match="SC0193: two prices; allowed is one"):
        load_prices(path)


def test_a_dearer_part_makes_both_builds_dearer() -> None:
    """22 sensors and two to spare by hand; a factory mounts two panels of 22 and four to spare."""
    known = dict(PRICES.known)
    known["QRE1114GR"] = replace(known["QRE1114GR"], amount=known["QRE1114GR"].amount + 1)
    dearer = Prices(PRICES.sources, known, PRICES.euros)
    more = [total(bill(SEVEN, way, dearer)) - total(bill(SEVEN, way, PRICES)) for way in Way]
    assert more == pytest.approx([22 + 2, 2 * (22 + 4)])


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
