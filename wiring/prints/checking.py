"""Measures a print's triangles, knowing nothing of how they were made, and finds what is wrong with them."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final, assert_never

import numpy
import shapely
import trimesh

from wiring.make.geometry import PARTS, SCREW_ANGLES, foot_radius, heights, screw_circle, sensor_height
from wiring.prints.wanted import Jig, Print, Tube

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


#: A measure may be off by this (mm): twice what triangles cut off a circle, and a little.
TOLERANCE: Final = 0.03

#: The thinnest wall that a nozzle of 0.4 mm prints: one line.
THINNEST: Final = 0.45

#: The widest gap (mm) that filament bridges without support, and the steepest overhang, in degrees from upright.
WIDEST_BRIDGE: Final = 12.0
STEEPEST: Final = 45.0

#: Half of a line that reaches beyond any print.
_FAR: Final = 100.0


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault of a print."""

    name: str
    fault: str

    def __str__(self) -> str:
        return f"{self.name}: {self.fault}"


@dataclass(frozen=True, slots=True)
class Measure:
    """A length that was found in a file and the one that the mechanics have, millimetres.

    With ``at_least`` what is found may be more.
    """

    what: str
    found: float
    expected: float
    at_least: bool = False

    @property
    def holds(self) -> bool:
        """True for a length that is right."""
        if self.at_least:
            return self.found >= self.expected - 1e-3
        return abs(self.found - self.expected) <= TOLERANCE

    def __str__(self) -> str:
        least = "at least " if self.at_least else ""
        return f"{self.what} is {self.found:.2f} mm; the mechanics have {least}{self.expected:.2f}"


def problems(wanted: Print, body: Body) -> list[Problem]:
    """All faults; of a body that is not closed only that is said, since nothing else can be measured."""
    wrong = list(_open(body))
    if not wrong:
        wrong += [str(measure) for measure in measures(wanted, body) if not measure.holds]
        wrong += _overhangs(wanted, body)
    return [Problem(wanted.name, fault) for fault in wrong]


def _open(body: Body) -> Iterator[str]:
    if body.open_edges:
        yield f"not closed: {body.open_edges} edges do not belong to two triangles"
    elif body.turned_edges:
        yield f"turned inward: at {body.turned_edges} edges two triangles look to different sides"
    elif body.volume <= 0:
        yield "inside out: its volume is not positive"


def measures(wanted: Print, body: Body) -> list[Measure]:
    """Everything that is measured in a print."""
    match wanted.solid:
        case Tube():
            return [*_placed(body), *_tube(wanted, wanted.solid, body)]
        case Jig():
            return [*_placed(body), *_jig(wanted, wanted.solid, body)]
        case never:
            assert_never(never)


def _placed(body: Body) -> Iterator[Measure]:
    """It stands on the bed, its axis in the middle."""
    west, south, bottom, east, north, _ = body.bounds
    yield Measure("height of the underside above the bed", bottom, 0.0)
    yield Measure("the axis' distance from the middle, x", (west + east) / 2, 0.0)
    yield Measure("the axis' distance from the middle, y", (south + north) / 2, 0.0)


def _diameter(cut: shapely.Geometry, angle: float, middle: Place = (0.0, 0.0)) -> float:
    """The width of the hole around ``middle``, along a direction in degrees."""
    return gap(cut, *_line(angle, middle))


def _across(cut: shapely.Geometry, angle: float) -> float:
    """The width of all material along a direction in degrees through the axis."""
    found = material(cut, *_line(angle))
    return found[-1][1] - found[0][0] if found else 0.0


def _line(angle: float, middle: Place = (0.0, 0.0)) -> tuple[Place, Place]:
    x, y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return (middle[0] - _FAR * x, middle[1] - _FAR * y), (middle[0] + _FAR * x, middle[1] + _FAR * y)


def _above(cut: shapely.Geometry, distance: float) -> list[tuple[float, float]]:
    """The stretches of material upward from the bed at a distance from the axis; begins a little under the bed."""
    return [(low - 1.0, high - 1.0) for low, high in material(cut, (distance, -1.0), (distance, _FAR))]


def _tube(wanted: Print, tube: Tube, body: Body) -> Iterator[Measure]:
    geometry, high = wanted.geometry, heights(wanted.geometry)
    floor, thickness = high.foot_thickness, geometry.ring_thickness
    top = body.bounds[5]
    yield Measure("height", top, floor + high.tubes[tube.levels - 1])
    foot = body.level(floor - 0.5)
    edge = body.level(PARTS.chamfer / 2)
    for angle in (93.0, 120.0):
        yield Measure("diameter of the foot", _across(foot, angle), 2 * foot_radius(geometry))
        yield Measure("the foot's chamfer", _across(foot, angle) - _across(edge, angle), PARTS.chamfer)
        seat = body.level(-high.base + high.seat - 0.3)
        yield Measure(
            "diameter of the Hall sensor's seat", _diameter(seat, angle), PARTS.carrier_diameter + PARTS.fit
        )
    for level in range(tube.levels):
        cut = body.level(floor + sensor_height(thickness, level))
        number = level + 1
        for angle in (93.0, 155.0):
            bore, outer = _diameter(cut, angle), _across(cut, angle)
            yield Measure(f"bore at level {number}", bore, geometry.tube_inner_diameter)
            yield Measure(f"outside at level {number}", outer, geometry.tube_outer_diameter)
            play = bore - geometry.cap_diameter - PARTS.print_loss
            yield Measure(f"play of a glass at level {number}, printed", play, 0.2, at_least=True)
            play = geometry.ring_inner_diameter - outer - PARTS.print_loss
            yield Measure(f"play of a ring at level {number}, printed", play, 0.2, at_least=True)
    yield from _floor(wanted, body)
    yield from _screws(wanted, body)
    east = material(body.level(floor + sensor_height(thickness, 0)), (0.0, 0.0), (_FAR, 0.0))
    if tube.ring_sensors:
        yield from _slot(wanted, tube, body)
    else:
        wall = (geometry.tube_outer_diameter - geometry.tube_inner_diameter) / 2
        yield Measure("wall in the east, where no slot is", east[0][1] - east[0][0] if east else 0.0, wall)


def _floor(wanted: Print, body: Body) -> Iterator[Measure]:
    """The foot on the axis: seat from below, then the floor on which the glass stands."""
    high = heights(wanted.geometry)
    stretches = _above(body.upright(93.0), 0.0)
    low, ground = stretches[0] if stretches else (0.0, 0.0)
    yield Measure("depth of the Hall sensor's seat", low, high.foot_thickness - high.floor_thickness)
    yield Measure("height of the floor under the glass", ground, high.foot_thickness)
    # The disc hangs from the seat's end, the package under it, the die in the package.
    below = PARTS.carrier_thickness + PARTS.hall_thickness - PARTS.hall_die_depth
    yield Measure(
        "distance from the magnet to the die",
        ground + PARTS.magnet_recess - low + below,
        wanted.geometry.magnet_distance,
    )
    seat = _diameter(body.level(low - 0.3), 93.0) if low > 0.3 else 0.0
    play = seat - PARTS.carrier_diameter - PARTS.carrier_tolerance - PARTS.print_loss
    yield Measure("play of the Hall sensor's board, printed", play, 0.1, at_least=True)
    yield Measure("floor over the Hall sensor's board", ground - low, PARTS.wall_left, at_least=True)


def _screws(wanted: Print, body: Body) -> Iterator[Measure]:
    geometry, high = wanted.geometry, heights(wanted.geometry)
    circle = screw_circle(geometry)
    if circle is None:
        return
    for number, angle in enumerate(SCREW_ANGLES, start=1):
        x, y = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        middle = (circle * x, circle * y)
        hole = _diameter(body.level(high.foot_thickness / 2), angle + 90.0, middle)
        head = _diameter(body.level(high.foot_thickness - 0.05), angle + 90.0, middle)
        yield Measure(f"hole of screw {number}", hole, PARTS.screw_hole)
        yield Measure(f"sink of screw {number}", head, PARTS.screw_head - 0.1)


def _slot(wanted: Print, tube: Tube, body: Body) -> Iterator[Measure]:
    geometry, high = wanted.geometry, heights(wanted.geometry)
    floor, thickness = high.foot_thickness, geometry.ring_thickness
    depth = PARTS.sensor_recess + PARTS.sensor_depth + PARTS.strip_thickness
    outer = geometry.tube_outer_diameter / 2
    middle, width = outer - depth / 2, PARTS.strip_width + PARTS.slot_play
    for level in range(tube.levels):
        centre, number = floor + sensor_height(thickness, level), level + 1
        for height in (centre - 1.5, centre, centre + 1.5):
            cut = body.level(height)
            found = gap(cut, (middle, -_FAR), (middle, _FAR))
            yield Measure(f"width of the strip's slot at level {number}", found, width)
            yield Measure(
                f"play of the strip at level {number}, printed",
                found - PARTS.strip_width - PARTS.print_loss,
                0.2,
                at_least=True,
            )
            stretches = material(cut, (0.0, 0.0), (_FAR, 0.0))
            back = stretches[0] if stretches else (0.0, 0.0)
            yield Measure(
                f"recess of the sensor's face at level {number}",
                outer - back[1] - PARTS.sensor_depth - PARTS.strip_thickness,
                PARTS.sensor_recess,
            )
            yield Measure(f"wall behind the strip at level {number}", back[1] - back[0], THINNEST, at_least=True)
    upright = body.upright(0.0)
    stretches = _above(upright, middle)
    low, top = stretches[-1] if stretches else (0.0, 0.0)
    last = floor + sensor_height(thickness, tube.levels - 1)
    yield Measure("upper end of the strip's slot", low, last + (PARTS.sensor_height + PARTS.sensor_play) / 2)
    yield Measure("wall above the strip's slot", top - low, PARTS.wall_above)
    edge = _above(upright, outer - 0.02)
    yield Measure("the same wall at the rim", edge[-1][1] - edge[-1][0] if edge else 0.0, 1.0, at_least=True)
    # Through the foot, and under it to the hole on the axis.
    foot = body.level(floor - 0.5)
    yield Measure("width of the slot in the foot", gap(foot, (middle, -_FAR), (middle, _FAR)), width)
    yield Measure("depth of the slot in the foot", gap(foot, (middle - _FAR, 0.0), (middle + _FAR, 0.0)), depth)
    groove = body.level(PARTS.cable_exit / 2)
    half = (PARTS.carrier_diameter / 2 + outer) / 2
    yield Measure("width of the groove under the foot", gap(groove, (half, -_FAR), (half, _FAR)), width)
    roof = _above(upright, half)
    yield Measure("height of the groove under the foot", roof[0][0] if roof else 0.0, PARTS.cable_exit)


def _jig(wanted: Print, jig: Jig, body: Body) -> Iterator[Measure]:
    geometry = wanted.geometry
    upright = body.upright(93.0)
    stretches = _above(upright, 0.0)
    low, boss = stretches[0] if stretches else (0.0, 0.0)
    ring = _above(upright, (geometry.magnet_diameter + geometry.cap_diameter) / 4)
    ground = ring[0][1] if ring else 0.0
    yield Measure("height of the boss", boss - ground, PARTS.magnet_recess)
    yield Measure("plastic between the magnets", boss - low, PARTS.jig_floor + PARTS.magnet_recess)
    yield Measure("depth of the jig's own pocket", low, geometry.magnet_thickness + PARTS.jig_glue, at_least=True)
    yield Measure("height of the rim", body.bounds[5] - ground, PARTS.jig_rim)
    cut = body.level(ground + 1.0)
    bore = _diameter(cut, 93.0)
    yield Measure("bore for the cap", bore, geometry.cap_diameter + PARTS.fit)
    play = bore - geometry.cap_diameter - PARTS.print_loss
    yield Measure("play of the cap, printed", play, 0.1, at_least=True)
    pocket = _diameter(body.level(low / 2), 93.0)
    yield Measure("diameter of the jig's own pocket", pocket, geometry.magnet_diameter + PARTS.fit)
    around = material(body.level(boss - 0.05), *_line(93.0))
    width = next((high - low for low, high in around if low < _FAR < high), 0.0)
    yield Measure("diameter of the boss", width, geometry.magnet_diameter - 1.0)
    rim = body.level(body.bounds[5] - 1.0)
    walls = (geometry.cap_diameter + PARTS.fit + PARTS.jig_wall) / 2
    for angle, notched in ((0.0, True), (20.0, jig.end == "B"), (180.0, False)):
        x, y = walls * math.cos(math.radians(angle)), walls * math.sin(math.radians(angle))
        cut_out = not shapely.contains_xy(rim, x, y)
        yield Measure(f"notch at {angle:g}° (1: there, 0: not)", float(cut_out), float(notched))


def _overhangs(wanted: Print, body: Body) -> Iterator[str]:
    """Surfaces that would need a support: all but the bridges that are meant, none of them too wide."""
    bridges: dict[str, tuple[float, float]]
    match wanted.solid:
        case Tube() as tube:
            bridges = {"the seat's end": (tube.seat_height, tube.seat_diameter)}
            if tube.ring_sensors:
                bridges["the slot's upper end"] = (tube.slot_top, tube.slot_width)
                bridges["the groove's roof"] = (tube.groove_height, tube.slot_width)
        case Jig() as jig:
            bridges = {"the pocket's end": (jig.pocket_height, jig.pocket_diameter)}
        case never:
            assert_never(never)
    for what, (_, width) in bridges.items():
        if width > WIDEST_BRIDGE:
            yield f"{what} is {width:g} mm wide; without support at most {WIDEST_BRIDGE:g} can be bridged"
    for height, area in sorted(body.hanging(STEEPEST).items()):
        if all(abs(height - meant) > TOLERANCE for meant, _ in bridges.values()):
            yield f"hangs over by {area:.1f} mm² at {height:g} mm: needs a support"
