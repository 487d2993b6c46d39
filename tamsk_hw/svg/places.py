"""The places of things on the drawing, in its units: x to the right, y down, heights upward on the board.

The board is seen from the front and from above. On the board's plane depth is drawn `FLAT` times as long as width.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum

from tamsk_hw.game.tubes import Tube

#: Depth over width of a circle that lies on the board.
FLAT = 0.72

#: The distance of two columns, and of two tubes in a column.
COLUMN, ROW = 132.0, 107.0

#: The outer radius of a ring, that of a tube, and the height of a ring: the unit of a tube's height (R1.2).
RING, TUBE, LEVEL = 52.0, 32.0, 15.0

#: The board alone: its width and height, and the place of D4's foot in it.
BOARD_WIDTH, BOARD_HEIGHT = 980.0, 900.0
_CENTRE_X, _CENTRE_Y = BOARD_WIDTH / 2, 492.0


class Layout(Enum):
    """Arrangements of board and players."""

    WIDE = "wide"
    """Red to the left of the board, black to the right: for screens and pages."""
    TALL = "tall"
    """Both players above the board: for a phone that is held upright."""
    BOARD = "board"
    """The board alone."""


#: Room beside, above and below the outermost tubes' feet: for the board's edge, a glass and a sign.
_BESIDE, _ABOVE, _BELOW = 94.0, 171.0, 87.0

#: A board of a few tubes is drawn larger, up to this.
_LARGEST = 1.8


@dataclass(frozen=True, slots=True)
class Canvas:
    """The size of a drawing, the place of the board in it, and those of red's and black's cards."""

    width: float
    height: float
    board: tuple[float, float]
    cards: tuple[tuple[float, float], ...]


FRAMES = {
    Layout.WIDE: Canvas(1600, 900, (310, 0), ((20, 24), (1304, 24))),
    Layout.TALL: Canvas(980, 1200, (0, 300), ((16, 16), (498, 16))),
    Layout.BOARD: Canvas(BOARD_WIDTH, BOARD_HEIGHT, (0, 0), ()),
}


def foot(tube: Tube) -> tuple[float, float]:
    """The middle of a tube's foot on the board."""
    return _CENTRE_X + (tube.column - 3) * COLUMN, _CENTRE_Y - (tube.height - 3) * ROW


def fit(tubes: Iterable[Tube]) -> tuple[float, float, float]:
    """The place and the scale at which a board of these tubes fills the room of the whole one."""
    feet = [foot(tube) for tube in tubes]
    left, right = min(x for x, _ in feet) - _BESIDE, max(x for x, _ in feet) + _BESIDE
    top, bottom = min(y for _, y in feet) - _ABOVE, max(y for _, y in feet) + _BELOW
    scale = min(_LARGEST, BOARD_WIDTH / (right - left), BOARD_HEIGHT / (bottom - top))
    return (BOARD_WIDTH - scale * (left + right)) / 2, (BOARD_HEIGHT - scale * (top + bottom)) / 2, scale
