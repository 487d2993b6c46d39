"""Mechanics of the build, from a wiring map: template, sensor heights, the magnets."""

from wiring.make.board import Board
from wiring.make.electrics_fields import N35, seat_field
from wiring.make.geometry import PARTS, heights, layout, levels_of, tubes_by_levels
from wiring.make.template import template_dxf, template_svg
from wiring.make.texts import render
from wiring.make.tiles import tile_files


def files(board: Board) -> dict[str, str]:
    """File names with texts; the same map gives the same bytes. Raises `WiringError` where a part has no room."""
    wiring = board.wiring
    layout(wiring)
    geometry = wiring.geometry
    facts = {
        "geometry": geometry,
        "parts": PARTS,
        "high": heights(geometry),
        "magnet": f"{geometry.magnet_diameter:g} × {geometry.magnet_thickness:g}",
        "pocket": geometry.magnet_thickness + PARTS.magnet_recess,
        "field": seat_field(geometry, N35),
        "levels": levels_of(wiring),
        "tubes": tubes_by_levels(wiring),
    }
    return {
        "template.svg": template_svg(wiring),
        "template.dxf": template_dxf(wiring),
        **tile_files(wiring),
        "sensor-heights.svg": render("sensor-heights.svg.j2", **facts),
        "magnets.svg": render("magnets.svg.j2", **facts),
    }
