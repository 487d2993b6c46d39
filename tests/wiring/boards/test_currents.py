"""Copper for currents: its width by the standard, and the ways along which the controller board keeps it."""

import pytest

from tests.wiring import bench as drawn
from wiring.boards.controller_board import ways
from wiring.make import nets
from wiring.make.electrics_lights import WIDTHS, least_width


def test_width_by_the_standard() -> None:
    """IPC-2221 by hand: 1 A, 10 K, 35 µm outside is 0.30 mm (11.8 mils), 2 A 0.78 mm."""
    assert least_width(1.0, 10.0) == pytest.approx(0.30, abs=0.01)
    assert least_width(2.0, 10.0) == pytest.approx(0.78, abs=0.01)


def test_every_supply_keeps_its_width_somewhere() -> None:
    board = drawn.board("controller")
    kept = {(pad.ref, pad.number): pad.net for pad in board.pads}
    assert {kept[way.a] for way in ways()} == {*nets.SUPPLIES} == set(WIDTHS)
    assert all(kept[way.a] == kept[way.b] for way in ways())
