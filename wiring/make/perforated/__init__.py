"""The hole map: where each part goes on perforated board, for boards small enough to be wired by hand."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.perforated.drawing import drawings
from wiring.make.perforated.page import page

__all__ = ["files"]


def files(board: Board) -> dict[str, str]:
    """The page, and a drawing for each perforated board that its parts fit on."""
    return {"perforated.md": page(board), **drawings(board)}
