"""Mechanics of the build, from a wiring map: template, sensor heights, the magnets."""

from __future__ import annotations

from typing import TYPE_CHECKING

from wiring.make.mechanics.making import mechanics_files

if TYPE_CHECKING:
    from wiring.make.board import Board


def files(board: Board) -> dict[str, str]:
    """File names with texts. Raises `WiringError` where a part has no room."""
    return mechanics_files(board.wiring)
