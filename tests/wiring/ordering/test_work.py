"""Joints, wires and hours are those of the circuit; the texts promise no weekend that the hours do not hold."""

from __future__ import annotations

import re

import pytest

from tamsk_hw.game.tubes import CAPACITY
from tests.wiring.built import BOARDS, SEVEN, made
from tests.wiring.facts import WIRING
from wiring.make.board import Board
from wiring.make.circuit import Unit
from wiring.make.hours import Act, Step, links, step_of, work
from wiring.make.ordering import files
from wiring.make.prices import Way

each_board = pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
each_way = pytest.mark.parametrize("way", Way)


def heights(board: Board) -> list[int]:
    return [CAPACITY[tube] for tube in board.wiring.tubes]


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


@each_board
def test_wires_of_a_unit_join_its_pins_net_by_net(board: Board) -> None:
    """A net of n pins wants n - 1 wires: as many as the unit has pins on nets, less one for each net there."""
    for unit in (Unit.SENSORS, Unit.CONTROLLER, Unit.PANEL, Unit.LIGHTS):
        own = [net for part in board.circuit.on(unit) for net in part.nets.values()]
        assert len(links(board.circuit, unit)) == len(own) - len(set(own))


@each_board
def test_a_tube_of_n_levels_has_so_many_joints(board: Board) -> None:
    """By hand: n sensors of 4 pins, 5 of Hall sensor and capacitor, 5 + 2n thin wires and 4 + 2n of the cable.

    Ordered: the cable's 4 + 2n wires on strip and disc, and both ends of the short wire between them. The cradle
    has 5 pins by hand, and three wires.
    """
    by_hand = sum(4 * n + 5 + (5 + 2 * n) + (4 + 2 * n) for n in heights(board)) + 5 + 3
    ordered = sum(4 + 2 * n + 2 for n in heights(board)) + 3
    joints = (Act.JOINT, Act.FLAT_JOINT, Act.WIRE_END)
    for way, wanted in ((Way.WIRED, by_hand), (Way.ORDERED, ordered)):
        tubes = work(board, way).steps[Step.TUBES]
        assert sum(tubes[act] for act in joints) == wanted
    # Of n levels 2 + 2n from the strip, 2 (n - 1) from sensor to sensor, 3 from the Hall sensor.
    enamelled = work(board, Way.WIRED).steps[Step.TUBES][Act.ENAMELLED]
    assert enamelled == sum(4 * n + 3 for n in heights(board))


@each_board
def test_contacts_and_sockets_are_those_of_the_parts_list(board: Board) -> None:
    """One contact for each wire at a pin header or the Pi; a socket on each tube's cable and two on the ribbon."""
    for way in Way:
        found = work(board, way)
        assert found.count(Act.PRESS) == len(board.wiring.tubes) + 2
        assert found.count(Act.CRIMP) == 3 + 2 + 2 + 5 + 5 + 4 * len(board.wiring.holders)


@each_board
def test_ordered_boards_are_less_work_in_every_step(board: Board) -> None:
    before, after = (work(board, way) for way in Way)
    assert before.steps.keys() == after.steps.keys()
    assert all(after.hours_of(step) <= before.hours_of(step) for step in before.steps)
    assert after.joints < before.joints / 3
    assert after.wires < before.wires / 8


@each_board
def test_the_page_has_these_counts_and_its_sums_agree(board: Board) -> None:
    text = made(board.key, files)["hours.md"]
    tables = [
        line.strip("| ").replace("**", "").split(" | ") for line in text.splitlines() if line.startswith("| ")
    ]
    steps = [row for row in tables if re.fullmatch(r"\d+|–", row[0])]
    (sums,) = [row for row in tables if row[0].strip() == "sum"]
    for place, way in ((0, Way.WIRED), (3, Way.ORDERED)):
        found = work(board, way)
        assert sum(int(row[2 + place]) for row in steps) == int(sums[1 + place]) == found.joints
        assert sum(int(row[3 + place]) for row in steps) == int(sums[2 + place]) == found.wires
        assert float(sums[3 + place]) == pytest.approx(found.hours, abs=0.05)
        assert sum(float(row[4 + place]) for row in steps) == pytest.approx(found.hours, abs=0.05 * len(steps))
    seconds = [row for row in tables if len(row) == 4 and row[1].isdigit()]
    for column, way in ((2, Way.WIRED), (3, Way.ORDERED)):
        in_all = sum(int(row[1]) * int(row[column]) for row in seconds) / 3600
        assert in_all == pytest.approx(work(board, way).hours)
