"""Distances: from a line's connector to its array, and from a tube to its connector on the sensor board."""

from __future__ import annotations

import math

import pytest

from tests.wiring.boards.drawn import board
from wiring.boards.reading import BoardFile
from wiring.make import nets
from wiring.make.board import TUBE_CABLE, Board, load_boards
from wiring.make.circuit import Site
from wiring.make.geometry import place_of

each_board = pytest.mark.parametrize("own", load_boards(), ids=lambda own: own.key)

#: What a tube's cable needs beyond the straight way (mm): split ends, plate, the way down to the sensor board.
BESIDES = 70.0


def on_board(own: Board) -> BoardFile:
    return board(f"sensors-{own.key}")


@each_board
def test_a_line_meets_its_array_beside_its_connector(own: Board) -> None:
    """A clamp behind a hand's width of track does not clamp the front of a spark."""
    pads = on_board(own).pads
    clamps = [pad for pad in pads if pad.ref.startswith("DA") and pad.number in "1346"]
    arrays = {pad.net: pad.at for pad in clamps if pad.net != nets.GROUND}
    lines = [(pad, arrays[pad.net]) for pad in pads if pad.ref.startswith("JT-") and pad.net in arrays]
    rings = sum(len(own.wiring.ring_bits[tube]) for tube in own.wiring.tubes)
    assert len(lines) == rings + len(own.wiring.tubes) + 1
    assert max(math.dist(pad.at, array) for pad, array in lines) <= 35.0


@each_board
def test_a_tubes_cable_reaches_its_connector(own: Board) -> None:
    """The board lies under the plate's middle, its parts up, its upper edge to the west, as the guide says."""
    whole = on_board(own)
    assert whole.outline is not None
    left, upper, right, lower = whole.outline.bounds
    middle = ((left + right) / 2, (upper + lower) / 2)
    for tube in own.wiring.tubes:
        pins = [pad.at for pad in whole.pads if pad.ref == f"JT-{Site(tube)}"]
        x, y = (sum(each[axis] for each in pins) / len(pins) - middle[axis] for axis in (0, 1))
        # Seen from above, right on the board is north, and down is east.
        east, north = y, x
        place = place_of(own.wiring.geometry, tube)
        away = math.dist((place.x, place.y), (east, north))
        assert away + BESIDES <= TUBE_CABLE * 1000, f"{tube}: {away:.0f} mm"
