"""The schematic of a board: a sheet of paper for each subject, as SVG.

All of a sheet comes from the circuit (`wiring.make.circuit`): a change of the wiring map changes it.
"""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.schematics.block_diagram import block_diagram
from wiring.make.schematics.chain import chain_sheets
from wiring.make.schematics.controller import controller_sheets, holder_sheets
from wiring.make.schematics.glass_sensing import glass_sheets
from wiring.make.schematics.inlet import inlet_sheets
from wiring.make.schematics.lights import light_sheets
from wiring.make.schematics.page import pages
from wiring.make.schematics.panel import panel_sheets
from wiring.make.schematics.power import power_sheets
from wiring.make.schematics.protection import protection_sheets
from wiring.make.schematics.references import refer
from wiring.make.schematics.ring_sensing import bank_sheets, ring_sheets
from wiring.make.schematics.tube_connectors import tube_connector_sheets

_SUBJECTS = (
    ring_sheets,
    bank_sheets,
    chain_sheets,
    glass_sheets,
    tube_connector_sheets,
    protection_sheets,
    controller_sheets,
    holder_sheets,
    light_sheets,
    panel_sheets,
    inlet_sheets,
    power_sheets,
)


def files(board: Board) -> dict[str, str]:
    """The sheets of a board: file name → SVG, in the order of their numbers."""
    sheets = [sheet for subject in _SUBJECTS for sheet in subject(board)]
    refer(board.circuit, sheets, first=2)
    return pages(board, [block_diagram(board, sheets), *sheets])
