"""Writes a print's files, STL and STEP, and reads a STEP file back; all of it by build123d."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Final

from build123d import Plane, export_step, export_stl, import_step, section

from wiring.prints.solids import solid_of
from wiring.prints.wanted import Print

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
