"""The checked calculations behind the values of the circuit's parts, and the document made from them."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.electrics import expected
from wiring.make.electrics.budget import RailBudget, power_budget
from wiring.make.electrics.check import Check
from wiring.make.electrics.document import checks, document

__all__ = ["Check", "RailBudget", "checks", "files", "power_budget"]


def files(board: Board) -> dict[str, str]:
    """The files of a board: names and texts."""
    return {"electrics.md": document(board), "expected.toml": expected.document(board)}
