"""Measures a print by the triangles of its STL file: trimesh reads it, shapely joins what a plane cuts.

Nothing here knows how the file was made.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy
import shapely
import trimesh

#: Heights and angles are moved by this (millimetres, radians), so that no plane runs through corners of triangles.
_ASIDE: Final = 1.7e-4

#: Triangles of a cone lean more than the cone itself, by less than this (degrees).
_LEAN: Final = 2.0

#: Not typed in trimesh.
_MESH_PLANE: Final[Any] = trimesh.intersections.mesh_plane

#: A place in a cut: x and y, or distance from the axis and height.
Place = tuple[float, float]

#: Lengths from the start of a line, where material begins and where it ends.
Stretch = tuple[float, float]


@dataclass(frozen=True)
class Body:
    """The triangles of a file, in millimetres."""

    mesh: Any

    @property
    def volume(self) -> float:
        """Volume in cubic millimetres; negative for a body whose inside is turned out."""
        return float(self.mesh.volume)

    @property
    def open_edges(self) -> int:
        """The number of edges that do not belong to exactly two triangles."""
        counts = numpy.bincount(self.mesh.edges_unique_inverse)
        return int((counts != 2).sum())

    @property
    def turned_edges(self) -> int:
        """The number of edges along which two triangles run the same way: one of them looks inward."""
        edges = numpy.asarray(self.mesh.edges)
        _, counts = numpy.unique(edges, axis=0, return_counts=True)
        return int((counts > 1).sum())

    @cached_property
    def bounds(self) -> tuple[float, ...]:
        """West, south, bottom, east, north, top."""
        return tuple(float(value) for value in numpy.asarray(self.mesh.bounds).ravel())

    def level(self, height: float) -> shapely.Geometry:
        """The cut at a height above the bed, in x and y."""
        return self._cut((0.0, 0.0, 1.0), (0.0, 0.0, height + _ASIDE), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0))

    def upright(self, angle: float, middle: Place = (0.0, 0.0)) -> shapely.Geometry:
        """The cut upright through ``middle``, in degrees from east: places are distance and height."""
        turn = math.radians(angle) + _ASIDE
        along = (math.cos(turn), math.sin(turn), 0.0)
        return self._cut((-along[1], along[0], 0.0), (*middle, 0.0), along, (0.0, 0.0, 1.0))

    def hanging(self, steepest: float) -> dict[float, float]:
        """Areas (mm²) that look down and lean more than ``steepest`` degrees from upright, by their height."""
        normals, centres = numpy.asarray(self.mesh.face_normals), numpy.asarray(self.mesh.triangles_center)
        bottom = self.bounds[2]
        down = (normals[:, 2] < -math.sin(math.radians(steepest + _LEAN))) & (centres[:, 2] > bottom + 0.01)
        found: dict[float, float] = {}
        for height, area in zip(centres[down, 2], numpy.asarray(self.mesh.area_faces)[down], strict=True):
            key = round(float(height) - bottom, 2)
            found[key] = found.get(key, 0.0) + float(area)
        return found

    def _cut(self, normal: Any, origin: Any, first: Any, second: Any) -> shapely.Geometry:
        lines = _MESH_PLANE(self.mesh, normal, origin)
        from_origin = numpy.asarray(lines) - numpy.asarray(origin)
        flat = numpy.stack([from_origin @ numpy.asarray(first), from_origin @ numpy.asarray(second)], axis=-1)
        if normal != (0.0, 0.0, 1.0):
            flat[..., 1] += origin[2]
        pieces = shapely.linestrings(numpy.round(flat, 6))
        return shapely.build_area(shapely.union_all(pieces)) if len(pieces) else shapely.Polygon()


def read(path: Path) -> Body:
    """The body of an STL file. Raises `OSError` or `ValueError` for one that cannot be read."""
    with path.open("rb") as file:
        mesh = trimesh.load_mesh(file, file_type="stl")
    if len(mesh.faces) == 0:
        raise ValueError(f"{path.name}: has no triangles")
    return Body(mesh)


def material(cut: shapely.Geometry, start: Place, end: Place) -> list[Stretch]:
    """The stretches of a straight line through a cut that lie in material, from its start on."""
    line = shapely.LineString([start, end])
    parts = shapely.get_parts(shapely.intersection(cut, line))
    found = []
    for part in parts:
        if part.length > 1e-4:
            ends = sorted(math.dist(start, place) for place in (part.coords[0], part.coords[-1]))
            found.append((ends[0], ends[1]))
    return sorted(found)


def gap(cut: shapely.Geometry, start: Place, end: Place) -> float:
    """The width of the gap in which a line's middle lies, along the line; 0 in material, infinite with no wall."""
    half = math.dist(start, end) / 2
    stretches = material(cut, start, end)
    if any(low < half < high for low, high in stretches):
        return 0.0
    before = max((high for _, high in stretches if high <= half), default=-math.inf)
    after = min((low for low, _ in stretches if low >= half), default=math.inf)
    return after - before
