"""Costs and hours of a build, once wired by hand and once with ordered circuit boards."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.ordering.page import hours_page, ordering_page

__all__ = ["files"]


def files(board: Board) -> dict[str, str]:
    """The pages of a board. Raises `WiringError` for a part without a price."""
    return {"ordering.md": ordering_page(board), "hours.md": hours_page(board)}
