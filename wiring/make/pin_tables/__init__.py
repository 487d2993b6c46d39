"""The pin tables of a board (``pins.md``): header, controller, every chain bit, multiplexer input and pixel."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.pin_tables.page import pins_page


def files(board: Board) -> dict[str, str]:
    """File names with their texts."""
    return {"pins.md": pins_page(board)}
