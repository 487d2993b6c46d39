"""The readings expected of a finished tube, against the calculations and data sheets that they rest on."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tamsk_hw.board.wiring_map import expected_of, parse_expected
from tests.wiring.built import BOARDS
from wiring.make import electrics_light as expected
from wiring.make import electrics_light as photo_transistors
from wiring.make.board import Board
from wiring.make.electrics import files
from wiring.make.electrics_values import Check
from wiring.make.geometry import PARTS


def check_of(board: Board, what: str) -> float:
    """The result of a check, in its unit."""
    found: list[Check] = [
        each for each in photo_transistors.photo_transistor_subject(board).checks if each.what == what
    ]
    return found[0].value


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_the_committed_file_is_the_calculation(board: Board) -> None:
    assert parse_expected(files(board)["expected.toml"], "made") == expected_of(board.wiring)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_the_most_light_is_that_of_the_checks(board: Board) -> None:
    slow = check_of(board, "The same, a slow sensor")
    dim = check_of(board, "The same, supply low, everything against the emitter")
    assert expected.far_light(board)[2] == pytest.approx(max(slow, dim), abs=1)


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_near_ring_needs_no_more_light_than_a_far_one(board: Board) -> None:
    for near, far in zip(expected.near_light(board), expected.far_light(board), strict=True):
        assert 0 < near <= far


@pytest.mark.parametrize("board", BOARDS.values(), ids=BOARDS)
def test_a_deeper_recess_needs_more_light(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    before = expected.far_light(board)
    monkeypatch.setattr(photo_transistors, "PARTS", replace(PARTS, sensor_recess=1.0))
    assert all(deep >= drawn for deep, drawn in zip(expected.far_light(board), before, strict=True))
    assert expected.far_light(board)[2] > before[2]


def test_the_field_by_hand() -> None:
    # 8 × 2 mm at 5 mm: half of 7/√65 − 5/√41, 0.04368; 1.285 T: 56.1 mT, × 25 mV/mT / 19.53 mV.
    board = BOARDS["reference"]
    assert expected.field(board, 25, 25, 25)[1] == 72
    # The neighbour at 48 mm: 1.37 T × 100.5 mm³ / (4π × 48³ mm³), 0.0991 mT: 0.13 steps.
    assert expected.neighbour(board) == 1
