"""All files of the build's mechanics."""

from __future__ import annotations

from tamsk_hw.board.wiring import Wiring
from wiring.make.mechanics.dxf import template_dxf
from wiring.make.mechanics.magnets import magnets_svg
from wiring.make.mechanics.section import section_svg
from wiring.make.mechanics.template import template_svg
from wiring.make.mechanics.tiles import tile_files


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
