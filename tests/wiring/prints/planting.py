"""Faults to be planted in the triangles of a print: corners moved, triangles taken out or turned."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import trimesh

from tests.wiring.bench import stl

#: Numbers as an array.
Numbers = Any


def spoiled(name: str, folder: Path, spoil: Callable[[Any], Any]) -> Path:
    """The file of a print, spoiled and written to ``folder``."""
    mesh = trimesh.load_mesh(stl(name))
    path = folder / f"{name}.stl"
    spoil(mesh).export(path)
    return path


def without(count: int) -> Callable[[Any], Any]:
    """Take the last triangles out."""

    def spoil(mesh: Any) -> Any:
        mesh.update_faces(numpy.arange(len(mesh.faces)) < len(mesh.faces) - count)
        return mesh

    return spoil


def turned(where: Callable[[Numbers, Numbers, Numbers], Numbers]) -> Callable[[Any], Any]:
    """Turn the triangles whose middles are at these places."""

    def spoil(mesh: Any) -> Any:
        chosen = where(*mesh.triangles_center.T)
        assert chosen.any()
        faces = mesh.faces.copy()
        faces[chosen] = faces[chosen][:, ::-1]
        return trimesh.Trimesh(mesh.vertices, faces, process=False)

    return spoil


def moved(
    where: Callable[[Numbers, Numbers, Numbers], Numbers],
    x: Callable[[Numbers], Numbers] = lambda x: x,
    y: Callable[[Numbers], Numbers] = lambda y: y,
    z: Callable[[Numbers], Numbers] = lambda z: z,
) -> Callable[[Any], Any]:
    """Move the corners at these places."""

    def spoil(mesh: Any) -> Any:
        places = numpy.array(mesh.vertices)
        chosen = where(*places.T)
        assert chosen.any()
        for axis, change in enumerate((x, y, z)):
            places[chosen, axis] = change(places[chosen, axis])
        return trimesh.Trimesh(places, mesh.faces, process=False)

    return spoil


def widened(
    low: float, high: float, share: float, bottom: float = -1.0, top: float = 99.0
) -> Callable[[Any], Any]:
    """Move the corners between these distances and heights away from the axis by a share."""

    def spoil(mesh: Any) -> Any:
        places = numpy.array(mesh.vertices)
        radius = numpy.hypot(places[:, 0], places[:, 1])
        chosen = (low < radius) & (radius < high) & (bottom < places[:, 2]) & (places[:, 2] < top)
        assert chosen.any()
        places[chosen, :2] *= share
        return trimesh.Trimesh(places, mesh.faces, process=False)

    return spoil


def filled(x: float, y: float, radius: float) -> Callable[[Any], Any]:
    """Draw the corners of an upright hole together to its axis, so that the hole is gone."""

    def spoil(mesh: Any) -> Any:
        places = numpy.array(mesh.vertices)
        chosen = numpy.hypot(places[:, 0] - x, places[:, 1] - y) < radius
        assert chosen.any()
        places[chosen, :2] = (x, y)
        # Level triangles fill the hole; what was its wall has no area left.
        places[chosen, 2] = numpy.where(places[chosen, 2] < 2.0, 0.0, places[chosen, 2].max())
        together = trimesh.Trimesh(places, mesh.faces)
        together.update_faces(together.nondegenerate_faces())
        return together

    return spoil


def exchanged(other: str) -> Callable[[Any], Any]:
    """Take the file of another print."""
    return lambda mesh: trimesh.load_mesh(stl(other))


def transformed(*rows: tuple[float, float, float, float]) -> Callable[[Any], Any]:
    """Turn, scale or move the whole print by the upper rows of a matrix."""

    def spoil(mesh: Any) -> Any:
        mesh.apply_transform(numpy.array([*rows, (0.0, 0.0, 0.0, 1.0)]))
        return mesh

    return spoil
