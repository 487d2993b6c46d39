"""The solids, drawn by build123d (a CAD kernel): the one description of every print.

What is cut off reaches a millimetre beyond what it is cut from, so that no two surfaces lie on each other.
"""

from __future__ import annotations

from typing import Any, Final, assert_never

from build123d import Align, Axis, Box, Polyline, Pos, Rot, make_face, revolve

from wiring.make.mechanics.parts import PARTS
from wiring.prints.wanted import NOTCHES, Jig, Tube

_BEYOND: Final = 1.0


def solid_of(wanted: Tube | Jig) -> Any:
    """The solid of a print, a ``build123d.Part``."""
    match wanted:
        case Tube():
            return _tube(wanted)
        case Jig():
            return _jig(wanted)
        case never:
            assert_never(never)


def _turned(*profile: tuple[float, float]) -> Any:
    """The solid that a profile of radii and heights describes around the axis."""
    outline = Polyline(*((radius, 0, height) for radius, height in profile), close=True)
    return revolve(make_face(outline), Axis.Z)


def _block(west: float, east: float, width: float, bottom: float, top: float) -> Any:
    """A block along the x axis, ``width`` across it."""
    box = Box(east - west, width, top - bottom, align=(Align.MIN, Align.CENTER, Align.MIN))
    return Pos(west, 0, bottom) * box


def _from_below(radius: float, height: float) -> Any:
    """A round hole from the bed up, widened at the bed, where the first layer is squeezed out."""
    wide = radius + PARTS.chamfer
    return _turned(
        (0, -_BEYOND), (wide, -_BEYOND), (wide, 0), (radius, PARTS.chamfer), (radius, height), (0, height)
    )


def _tube(wanted: Tube) -> Any:
    foot, outer, bore = wanted.foot_diameter / 2, wanted.outer_diameter / 2, wanted.bore_diameter / 2
    floor, top, edge = wanted.foot_height, wanted.height, PARTS.chamfer
    solid = _turned(
        (0, 0),
        (foot - edge, 0),
        (foot, edge),
        (foot, floor),
        (outer, floor),
        (outer, top - edge),
        (outer - edge, top),
        (bore + edge, top),
        (bore, top - edge),
        (bore, floor),
        (0, floor),
    )
    solid -= _from_below(wanted.seat_diameter / 2, wanted.seat_height)
    if wanted.ring_sensors:
        back, width = outer - wanted.slot_depth, wanted.slot_width
        # Above the foot open to the outside, through the foot for the wires, under it to the hole in the board.
        solid -= _block(back, outer + _BEYOND, width, floor, wanted.slot_top)
        solid -= _block(back, outer, width, -_BEYOND, floor + _BEYOND)
        solid -= _block(0, outer, width, -_BEYOND, wanted.groove_height)
    hole, head = PARTS.screw_hole / 2, PARTS.screw_head / 2
    for x, y in wanted.screws:
        sunk = _turned(
            (0, floor - (head - hole)),
            (hole, floor - (head - hole)),
            (head, floor),
            (head, floor + 1),
            (0, floor + 1),
        )
        solid -= Pos(x, y, 0) * (_from_below(hole, floor + _BEYOND) + sunk)
    return solid


def _jig(wanted: Jig) -> Any:
    outer, bore, boss = wanted.outer_diameter / 2, wanted.bore_diameter / 2, wanted.boss_diameter / 2
    ground, top, edge = wanted.ground, wanted.height, PARTS.chamfer
    solid = _turned(
        (0, 0),
        (outer - edge, 0),
        (outer, edge),
        (outer, top),
        (bore + edge, top),
        (bore, top - edge),
        (bore, ground),
        (boss, ground),
        (boss, ground + wanted.boss_height),
        (0, ground + wanted.boss_height),
    )
    solid -= _from_below(wanted.pocket_diameter / 2, wanted.pocket_height)
    for angle in NOTCHES[wanted.end]:
        solid -= Rot(0, 0, angle) * _block(bore - 0.5, outer + _BEYOND, 2.0, top - 2.0, top + _BEYOND)
    return solid
