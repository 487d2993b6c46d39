"""The harness of a board: WireViz' input, its drawings, tables to wire by, and a list of what to buy."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.harness.drawing import bill
from wiring.make.harness.sheets import sheets
from wiring.make.harness.source import both, harness_source, source_text, tube_source
from wiring.make.harness.tables import harness_tables


def files(board: Board) -> dict[str, str]:
    """Every file of the harness by name. Raises `wiring.make.harness.drawing.HarnessError` without graphviz."""
    return {**texts(board), **drawings(board)}


def texts(board: Board) -> dict[str, str]:
    """The files that need no graphviz."""
    harness, tubes = harness_source(board), tube_source(board)
    return {
        "harness.yml": source_text(board, "cables between the units", harness),
        "tube-cables.yml": source_text(board, "cables of the tubes", tubes),
        "harness.md": harness_tables(board),
        "harness-bom.tsv": bill(both(harness, tubes)),
    }


def drawings(board: Board) -> dict[str, str]:
    """The sheets. Raises `wiring.make.harness.drawing.HarnessError` where they cannot be drawn."""
    return sheets(board)
