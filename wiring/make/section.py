"""Section of a tube: the heights of its sensors."""

from __future__ import annotations

from typing import Final

from tamsk_hw.board.wiring import Geometry, Wiring
from tamsk_hw.game.tubes import CAPACITY
from wiring.make.drawing import (
    THIN,
    Circle,
    Ink,
    Line,
    Pen,
    Polygon,
    Shape,
    Text,
    arrow,
    document,
    drawn,
    moved,
    picture,
    rectangle,
)
from wiring.make.geometry import PARTS, Heights, foot_radius, heights, layout, levels_of, slot_top

#: The page; with higher glasses or rings it becomes deeper than A4.
WIDTH: Final = 297.0
DEPTH: Final = 210.0

_LEFT: Final = 12.0
_CELL: Final = 70.0
_DETAIL: Final = 3.5
_AXIS: Final = Pen(0.18, (5.0, 1.0, 1.0, 1.0))
_SIZE: Final = 3.0

#: Drawn heights of cap and plate; no measure depends on them.
_CAP: Final = 8.0
_PLATE: Final = 6.0

#: Ink of the plastic of tube and foot, and of rings.
_TUBE: Final[Ink] = "#666"
_RING: Final[Ink] = "#ccc"


def section_svg(wiring: Wiring) -> str:
    """The drawing. Raises `WiringError` where the map's dimensions leave no room."""
    layout(wiring)
    geometry = wiring.geometry
    high = heights(geometry)
    shapes: list[Shape] = [
        Text(
            "TEXT",
            _LEFT,
            -16.0,
            5.0,
            "tamsk-hw: heights of the ring sensors, and what lies under a glass",
            bold=True,
        ),
        Text(
            "TEXT",
            _LEFT,
            -22.0,
            _SIZE,
            "Heights in mm above the top of the foot, where the bottom ring rests. At 100 % tubes are 1:1.",
        ),
    ]
    ground = -30.0 - geometry.glass_height
    for place, levels in enumerate(levels_of(wiring)):
        shapes += moved(_tube(geometry, high, levels), _LEFT + 33.0 + _CELL * place, ground)
        shapes += _tube_words(wiring, high, levels, _LEFT + 33.0 + _CELL * place, ground)
    detail_ground = ground - _PLATE + high.base - 12.0 - _DETAIL * high.tubes[1]
    shapes += _detail(geometry, high, _LEFT + 16.0, detail_ground)
    depth = max(DEPTH, 12.0 - detail_ground - _DETAIL * (high.base - 2.0))
    return document(picture("Heights of the ring sensors", (0.0, -depth, WIDTH, 0.0), drawn(shapes)))


def _plastic(geometry: Geometry, high: Heights, levels: int, side: int) -> list[Shape]:
    """One half of a cut tube with its foot: the eastern (1) with the sensors, the western (-1) without."""
    inner, outer, foot = geometry.tube_inner_diameter / 2, geometry.tube_outer_diameter / 2, foot_radius(geometry)
    top = high.tubes[levels - 1]
    seat = (PARTS.carrier_diameter + PARTS.fit) / 2
    outline = [
        (0.0, 0.0),
        (inner, 0.0),
        (inner, top),
        (outer, top),
        (outer, 0.0),
        (foot, 0.0),
        (foot, high.base),
        (seat, high.base),
        (seat, high.seat),
        (0.0, high.seat),
    ]
    shapes: list[Shape] = [Polygon("TUBE", tuple((side * x, z) for x, z in outline), THIN, _TUBE)]
    if side < 0:
        return shapes
    back = outer - PARTS.sensor_recess - PARTS.sensor_depth - PARTS.strip_thickness
    highest = slot_top(geometry.ring_thickness, levels)
    shapes.append(rectangle("TUBE", back, high.base, outer, highest, None, "#fff"))
    shapes.append(rectangle("TUBE", seat, high.base, outer, high.base + PARTS.cable_exit, None, "#fff"))
    shapes.append(rectangle("STRIP", back, high.base, back + PARTS.strip_thickness, highest, None, "#000"))
    return shapes


def _tube(geometry: Geometry, high: Heights, levels: int) -> list[Shape]:
    """A tube with all its rings, its sensors and a glass; the axis at x = 0, heights as y."""
    foot = foot_radius(geometry)
    hole = PARTS.drill_diameter / 2
    shapes: list[Shape] = []
    for side in (-1, 1):
        plate = ((side * hole, high.base), (side * (foot + 2.0), high.base))
        below = ((side * (foot + 2.0), high.base - _PLATE), (side * hole, high.base - _PLATE))
        shapes.append(Polygon("PLATE", (*plate, *below), THIN))
        shapes += _plastic(geometry, high, levels, side)
        shapes += _rings(geometry, high, levels, side)
    shapes += _sensors(geometry, high, levels)
    shapes += _hall(high)
    shapes += _glass(geometry)
    shapes.append(Line("AXIS", 0.0, high.base - _PLATE - 2.0, 0.0, geometry.glass_height + 2.0, _AXIS))
    shapes.append(Circle("HALL", 0.0, high.die, 0.4, THIN, "#000"))
    return shapes


def _rings(geometry: Geometry, high: Heights, levels: int, side: int) -> list[Shape]:
    inner, outer, thick = (
        geometry.ring_inner_diameter / 2,
        geometry.ring_outer_diameter / 2,
        geometry.ring_thickness,
    )
    found: list[Shape] = []
    for level in range(levels):
        left, right = sorted((side * inner, side * outer))
        found.append(rectangle("RING", left, level * thick, right, (level + 1) * thick, THIN, _RING))
    return found


def _sensors(geometry: Geometry, high: Heights, levels: int) -> list[Shape]:
    face = geometry.tube_outer_diameter / 2 - PARTS.sensor_recess
    half = PARTS.sensor_height / 2
    return [
        rectangle("SENSOR", face - PARTS.sensor_depth, centre - half, face, centre + half, None, "#000")
        for centre in high.sensors[:levels]
    ]


def _hall(high: Heights) -> list[Shape]:
    half, carrier = PARTS.hall_length / 2, PARTS.carrier_diameter / 2
    return [
        rectangle("HALL", -carrier, high.carrier, carrier, high.seat, THIN, "#fff"),
        rectangle("HALL", -half, high.base, half, high.carrier, THIN, "#fff"),
    ]


def _glass(geometry: Geometry) -> list[Shape]:
    """A seated glass: caps with their magnets; the glass between them only as a sign."""
    radius, top = geometry.cap_diameter / 2, geometry.glass_height
    magnet, thick, recess = geometry.magnet_diameter / 2, geometry.magnet_thickness, PARTS.magnet_recess
    cap = min(_CAP, top / 4)
    waist, belly = 1.5, radius - 2.0
    low, high_end = cap, top - cap
    middle = top / 2
    outline = (
        (-belly, low),
        (-belly, low + (middle - low) * 0.6),
        (-waist, middle),
        (-belly, high_end - (middle - low) * 0.6),
        (-belly, high_end),
    )
    right = tuple((-x, z) for x, z in reversed(outline))
    return [
        Polygon("GLASS", (*outline, *right), THIN),
        rectangle("GLASS", -radius, 0.0, radius, cap, THIN, "#fff"),
        rectangle("GLASS", -radius, top - cap, radius, top, THIN, "#fff"),
        rectangle("MAGNET", -magnet, recess, magnet, recess + thick, None, "#000"),
        rectangle("MAGNET", -magnet, top - recess - thick, magnet, top - recess, None, "#000"),
    ]


def _tube_words(wiring: Wiring, high: Heights, levels: int, x: float, ground: float) -> list[Shape]:
    ring, foot = wiring.geometry.ring_outer_diameter / 2, foot_radius(wiring.geometry)
    shapes: list[Shape] = []
    for centre in high.sensors[:levels]:
        y = ground + centre
        shapes.append(Line("LEADER", x + ring + 0.8, y, x + foot + 3.0, y))
        shapes.append(Text("TEXT", x + foot + 3.8, y - 0.36 * _SIZE, _SIZE, f"{centre:.2f}"))
    for height in (0.0, high.tubes[levels - 1]):
        y = ground + height
        shapes.append(Line("LEADER", x - foot - 3.0, y, x - ring - 0.8, y))
        shapes.append(
            Text("TEXT", x - foot - 3.8, y - 0.36 * _SIZE, _SIZE, f"{height:.1f}" if height else "0", "end")
        )
    count = sum(CAPACITY[tube] == levels for tube in wiring.tubes)
    words = f"{levels} {'level' if levels == 1 else 'levels'}: {count} {'tube' if count == 1 else 'tubes'}"
    shapes.append(Text("TEXT", x, ground + high.base - _PLATE - 6.5, 3.5, words, "middle", bold=True))
    return shapes


def _detail(geometry: Geometry, high: Heights, x: float, ground: float) -> list[Shape]:
    """The eastern half of a tube of two levels, enlarged, with the names of its parts beside it."""
    levels, hole, foot = 2, PARTS.drill_diameter / 2, foot_radius(geometry)
    plate = high.base - 2.0
    small: list[Shape] = [
        Polygon("DETAIL", ((hole, high.base), (foot + 2, high.base), (foot + 2, plate), (hole, plate)), THIN),
        *_plastic(geometry, high, levels, 1),
        *_rings(geometry, high, levels, 1),
        *_sensors(geometry, high, levels),
        rectangle("DETAIL", 0.0, high.carrier, PARTS.carrier_diameter / 2, high.seat, THIN, "#fff"),
        rectangle("DETAIL", 0.0, high.base, PARTS.hall_length / 2, high.carrier, THIN, "#fff"),
        rectangle("DETAIL", 0.0, 0.0, geometry.cap_diameter / 2, high.tubes[1] - 1.0, THIN, "#fff"),
        rectangle(
            "DETAIL",
            0.0,
            high.magnet,
            geometry.magnet_diameter / 2,
            high.magnet + geometry.magnet_thickness,
            None,
            "#000",
        ),
        Circle("DETAIL", 0.0, high.die, 0.25, THIN, "#000"),
        Line("DETAIL", 0.0, plate, 0.0, high.tubes[1] + 0.8, _AXIS),
    ]
    shapes = moved(small, x, ground, scale=_DETAIL)
    shapes += _depths(high, x, ground)
    wall = geometry.tube_outer_diameter / 2
    face = wall - PARTS.sensor_recess
    strip = face - PARTS.sensor_depth - PARTS.strip_thickness / 2
    parts = (
        (geometry.ring_outer_diameter / 2 - 1.5, 1.3 * geometry.ring_thickness, "ring"),
        (
            face - PARTS.sensor_depth / 2,
            high.sensors[1],
            f"ring sensor, its face {PARTS.sensor_recess:g} behind the tube's surface",
        ),
        (strip, high.base / 3, "strip that carries the sensors; its wires leave by the groove under the foot"),
        (
            geometry.tube_inner_diameter / 2 + 0.4,
            high.tubes[1] - 0.2,
            "tube, matt black; the strip's slot is open to the outside",
        ),
        (geometry.cap_diameter / 2 - 2.0, high.sensors[0], "cap of the glass, standing on the floor of the tube"),
        (
            geometry.magnet_diameter / 2 - 1.0,
            high.magnet + geometry.magnet_thickness / 2,
            f"magnet, {geometry.magnet_diameter:g} × {geometry.magnet_thickness:g}; its face is "
            f"{PARTS.magnet_recess:g} behind the cap's",
        ),
        (
            geometry.tube_inner_diameter / 2 - 5.0,
            high.seat / 2,
            f"floor: {high.floor_thickness:.2f} of plastic over the Hall sensor's board",
        ),
        (0.0, high.die, f"Hall sensor, marked face down; its die on the axis, {-high.die:.2f} under the glass"),
        (
            PARTS.carrier_diameter / 2 - 1.2,
            (high.carrier + high.seat) / 2,
            "round board that carries the Hall sensor, glued to the end of its seat",
        ),
        (foot - 1.5, high.base / 2, f"foot: {high.foot_thickness:.2f} thick"),
        (foot, high.base - 1.0, f"plate of the board, with a hole of {PARTS.drill_diameter:g} on the axis"),
    )
    column = x + (foot + 2.0) * _DETAIL + 14.0
    top = ground + high.tubes[1] * _DETAIL
    step = (top - ground - plate * _DETAIL) / (len(parts) - 1)
    for place, (across, up, words) in enumerate(_from_top(parts)):
        y = top - step * place
        start_x, start_y = x + across * _DETAIL, ground + up * _DETAIL
        # A white edge sets the line off from dark areas.
        for pen in (Pen(0.6, ink="#fff"), Pen(0.2)):
            shapes.append(Line("CALLOUT", start_x, start_y, column - 3.0, y, pen))
        shapes.append(Circle("CALLOUT", start_x, start_y, 0.5, Pen(0.2, ink="#fff"), "#000"))
        shapes.append(Text("TEXT", column - 2.0, y - 0.36 * _SIZE, _SIZE, words))
    return shapes


def _from_top(parts: tuple[tuple[float, float, str], ...]) -> list[tuple[float, float, str]]:
    """The parts so that their leaders cross least: from the highest to the lowest, the outer first."""
    return sorted(parts, key=lambda part: (-part[1], -part[0]))


def _depths(high: Heights, x: float, ground: float) -> list[Shape]:
    """From the magnet's face to the die, left of the axis."""
    left = x - 6.0
    top, bottom = ground + high.magnet * _DETAIL, ground + high.die * _DETAIL
    shapes: list[Shape] = [Line("DIMENSION", left - 1.5, y, x - 1.0, y) for y in (top, bottom)]
    middle = (top + bottom) / 2
    for end in (top, bottom):
        shapes += arrow("DIMENSION", left, middle + (2.2 if end == top else -2.2), left, end, pen=THIN)
    words = f"{high.magnet - high.die:.1f}"
    shapes.append(Text("TEXT", left, middle - 0.36 * _SIZE, _SIZE, words, "middle"))
    return shapes
