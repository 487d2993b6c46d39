"""The solids, drawn by build123d (a CAD kernel): the one description of every print; and their files.

What is cut off reaches a millimetre beyond what it is cut from, so that no two surfaces lie on each other.
"""

from pathlib import Path
from typing import Any, Final, assert_never

from build123d import (
    Align,
    Axis,
    Box,
    Plane,
    Polyline,
    Pos,
    Rot,
    export_step,
    export_stl,
    import_step,
    make_face,
    revolve,
    section,
)

from wiring.make.geometry import PARTS
from wiring.prints.wanted import NOTCHES, Jig, Print, Tube

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


#: How far triangles may be from the solid (millimetres), and how much neighbours may differ (radians). The second
#: decides: it leaves a tube's bore 0.01 mm too narrow.
_DEVIATION: Final = 0.008
_TURN: Final = 0.12

#: A date for all STEP files, so that they are the same each time.
DATE: Final = "2026-01-01T00:00:00"


def write(wanted: Print, folder: Path) -> tuple[Path, Path]:
    """Write NAME.stl and NAME.step; return their paths. The same print gives the same bytes."""
    solid = solid_of(wanted.solid)
    solid.label = wanted.name
    triangles, exact = folder / f"{wanted.name}.stl", folder / f"{wanted.name}.step"
    export_stl(solid, triangles, tolerance=_DEVIATION, angular_tolerance=_TURN)
    export_step(solid, exact, timestamp=DATE)
    return triangles, exact


class Exact:
    """A solid as its STEP file has it."""

    def __init__(self, path: Path) -> None:
        self._solid: Any = import_step(path)

    @property
    def solids(self) -> int:
        """The number of bodies in the file."""
        return len(self._solid.solids())

    @property
    def volume(self) -> float:
        """Volume in cubic millimetres."""
        return float(self._solid.volume)

    @property
    def bounds(self) -> tuple[float, ...]:
        """West, south, bottom, east, north, top."""
        box = self._solid.bounding_box(optimal=True)
        return (box.min.X, box.min.Y, box.min.Z, box.max.X, box.max.Y, box.max.Z)

    def area(self, height: float) -> float:
        """Area of the cut at a height above the bed, square millimetres."""
        return float(sum(face.area for face in section(self._solid, section_by=Plane.XY, height=height).faces()))
