"""The parts list: what to order, cut and print for a board."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.parts_list.document import document, table

__all__ = ["files"]


def files(board: Board) -> dict[str, str]:
    """The files of a board: names and texts."""
    return {"parts.csv": table(board), "parts.md": document(board)}
