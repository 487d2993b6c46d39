"""Mechanics of the build, from a wiring map: template, sensor heights, the magnets.

All files of the build's mechanics.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from tamsk_hw.board.wiring import Wiring
from wiring.make.magnets import magnets_svg
from wiring.make.section import section_svg
from wiring.make.template import template_dxf, template_svg
from wiring.make.tiles import tile_files

if TYPE_CHECKING:
    from wiring.make.board import Board


def mechanics_files(wiring: Wiring) -> dict[str, str]:
    """File name to content (UTF-8, lines end in a line feed); the same map gives the same bytes.

    Raises `WiringError` where the map's dimensions leave no room for a part.
    """
    return {
        "template.svg": template_svg(wiring),
        "template.dxf": template_dxf(wiring),
        **tile_files(wiring),
        "sensor-heights.svg": section_svg(wiring),
        "magnets.svg": magnets_svg(wiring),
    }


def files(board: Board) -> dict[str, str]:
    """File names with texts. Raises `WiringError` where a part has no room."""
    return mechanics_files(board.wiring)
