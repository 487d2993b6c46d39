"""Pictures of a print from its STL file: whole, from below, and cut open along the strip's slot.

Each point of a picture shows what is nearest. In front of the cut nothing is drawn; where a surface's back is the
nearest, one looks into material: it is drawn as cut.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Final

import numpy
from PIL import Image

from wiring.prints.checking import Body

#: Points a millimetre, drawn twice as fine and made smaller; border in millimetres.
_SCALE: Final = 12
_FINER: Final = 2
_MARGIN: Final = 2.0

_PLASTIC: Final = (112.0, 122.0, 138.0)
_CUT: Final = (232.0, 150.0, 60.0)
_LIGHT: Final = (-0.35, -0.55, 0.76)


def picture(body: Body, path: Path) -> None:
    """Write a PNG with three views side by side: from above in the south-east, from below, cut open."""
    views = (
        _view(body, turn=-60.0, lift=35.0, cut=False),
        _view(body, turn=-60.0, lift=-40.0, cut=False),
        _view(body, turn=-90.0, lift=0.0, cut=True),
    )
    height = max(view.height for view in views)
    sheet = Image.new("RGB", (sum(view.width for view in views), height), "white")
    left = 0
    for view in views:
        sheet.paste(view, (left, (height - view.height) // 2))
        left += view.width
    sheet.quantize(48).save(path, optimize=True)


def _view(body: Body, *, turn: float, lift: float, cut: bool) -> Image.Image:
    """A view from the direction ``turn`` (degrees from east), ``lift`` degrees above the horizon."""
    around, up = math.radians(turn), math.radians(lift)
    toward = numpy.array([math.cos(around) * math.cos(up), math.sin(around) * math.cos(up), math.sin(up)])
    right = numpy.array([-math.sin(around), math.cos(around), 0.0])
    axes = numpy.stack([right, numpy.cross(toward, right), toward], axis=1)
    triangles = numpy.asarray(body.mesh.triangles)
    seen = triangles @ axes
    scale = _SCALE * _FINER
    low = seen.reshape(-1, 3).min(axis=0)[:2] - _MARGIN
    width, height = (numpy.ceil((seen.reshape(-1, 3).max(axis=0)[:2] + _MARGIN - low) * scale)).astype(int)
    facing = numpy.asarray(body.mesh.face_normals) @ toward
    shades = 0.7 + 0.4 * numpy.clip(numpy.asarray(body.mesh.face_normals) @ numpy.array(_LIGHT), -0.7, 1.0)
    depths = numpy.full((height, width), -numpy.inf)
    colours = numpy.full((height, width, 3), 255.0)
    # The plane of the cut runs through the axis, a hair aside, across the direction of the eye.
    limit = 1e-3 if cut else numpy.inf
    for corners, face, shade in zip(seen, facing, shades, strict=True):
        if abs(face) > 1e-9:
            colour = numpy.array(_PLASTIC) * shade if face > 0 or not cut else numpy.array(_CUT)
            _draw(corners - [*low, 0.0], scale, limit, colour, depths, colours)
    image = Image.fromarray(numpy.clip(colours[::-1], 0, 255).astype(numpy.uint8))
    return image.resize((width // _FINER, height // _FINER), Image.Resampling.BOX)


def _draw(corners: Any, scale: float, limit: float, colour: Any, depths: Any, colours: Any) -> None:
    """Draw a triangle where it is nearer than what is there and not in front of the cut."""
    places = corners[:, :2] * scale
    (left, bottom), (right, top) = (
        numpy.floor(places.min(axis=0)).astype(int),
        numpy.ceil(places.max(axis=0)).astype(int),
    )
    ys, xs = numpy.mgrid[max(bottom, 0) : top + 1, max(left, 0) : right + 1]
    (ax, ay), (bx, by), (cx, cy) = places
    whole = (bx - ax) * (cy - ay) - (cx - ax) * (by - ay)
    if abs(whole) < 1e-9 or ys.size == 0:
        return
    second = ((xs + 0.5 - ax) * (cy - ay) - (cx - ax) * (ys + 0.5 - ay)) / whole
    third = ((bx - ax) * (ys + 0.5 - ay) - (xs + 0.5 - ax) * (by - ay)) / whole
    depth = corners[0, 2] + second * (corners[1, 2] - corners[0, 2]) + third * (corners[2, 2] - corners[0, 2])
    part = (slice(ys[0, 0], ys[-1, 0] + 1), slice(xs[0, 0], xs[0, -1] + 1))
    inside = (second >= -1e-9) & (third >= -1e-9) & (second + third <= 1 + 1e-9) & (depth <= limit)
    inside &= depth > depths[part]
    depths[part][inside] = depth[inside]
    colours[part][inside] = colour
