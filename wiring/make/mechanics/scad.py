"""``tube.scad`` and ``magnet-jig.scad``: programs for OpenSCAD, the map's dimensions as their parameters."""

from __future__ import annotations

from tamsk_hw.board.wiring import Wiring
from wiring.make.mechanics.heights import heights, tubes_by_levels
from wiring.make.mechanics.layout import SCREW_ANGLES, foot_radius, layout, screw_circle
from wiring.make.mechanics.parts import PARTS
from wiring.make.templates import render


def tube_scad(wiring: Wiring) -> str:
    """``tube.scad``: set ``levels`` and render; for the timer's cradle 1, without ring sensors.

    Raises `WiringError` where the map's dimensions leave no room.
    """
    layout(wiring)
    geometry = wiring.geometry
    return render(
        "mechanics/tube.scad.j2",
        tubes=tubes_by_levels(wiring),
        most=len(heights(geometry).tubes),
        geometry=geometry,
        parts=PARTS,
        foot_diameter=2 * foot_radius(geometry),
        screw_circle=screw_circle(geometry) or 0.0,
        screw_angles=SCREW_ANGLES,
    )


def jig_scad(wiring: Wiring) -> str:
    """``magnet-jig.scad``: set ``end`` and render, once for each end."""
    return render("mechanics/jig.scad.j2", geometry=wiring.geometry, parts=PARTS)
