"""The layout of the board, seen from above: millimetres, x to the right (east), y up (north).

The origin is the axis of D4. Columns A … G run from west to east, rows from south to north; red sits in the south.

All ring sensors look east. In that direction a tube has no neighbour but a gap between two: the next tube straight
ahead is sqrt(3) pitches away, so that its rings send the least light back. Each tube's pixel lies west of it,
behind the sensors, in the same kind of gap. A pixel in the middle of that gap would be as near to three tubes and
belong to none; so it lies as near to its own tube as ring and foot allow. Under the tube the glass would hide it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.board.wiring_map import Geometry
from tamsk_hw.errors import WiringError
from tamsk_hw.game.tubes import Player, Tube
from wiring.make.mechanics.parts import PARTS

#: From the cradle's axis to the nearest tube's, in pitches: more than one, so that it is not taken for a tube.
CRADLE_PITCHES = 1.1

#: From the outermost feet to the board's northern and southern edge: there the players' pixels lie.
STRIP = 14.0

#: Least board beyond feet and light holes in the east and the west.
EDGE = 4.0

#: From the board's middle west and east to a player's pixels, in pitches.
PLAYER_PITCHES = 0.625

#: Directions to a tube's screws, from its axis: clear of cable (east), pixel (west) and the line to its neighbour.
SCREW_ANGLES = (60.0, 230.0)

#: The least by which a pixel is nearer to its own tube's axis than to another's (mm).
PIXEL_NEARER = 3.0


@dataclass(frozen=True, slots=True)
class Point:
    """A place on the board in millimetres: ``x`` east, ``y`` north of D4's axis."""

    x: float
    y: float

    def moved(self, x: float, y: float) -> Point:
        """The place ``x`` east and ``y`` north of this one."""
        return Point(self.x + x, self.y + y)

    def distance(self, other: Point) -> float:
        """Distance in millimetres."""
        return math.hypot(self.x - other.x, self.y - other.y)


@dataclass(frozen=True, slots=True)
class Pixel:
    """A light hole: its middle, and its ``number`` on the lights' data line, counted from 0."""

    place: Point
    number: int


@dataclass(frozen=True, slots=True)
class Clearances:
    """The clearances between parts, in millimetres; all are positive on a board that can be built."""

    feet: float
    """Between the feet of tubes that touch."""
    rings: float
    """Between the rings of tubes that touch."""
    pixel_ring: float
    """From a light hole to the rings of its own tube."""
    pixel_foot: float
    """From a light hole to the foot of its own tube."""
    pixel_others: float
    """From a light hole to the nearest foot of another tube."""
    pixel_nearer: float
    """The least by which a light hole's middle is nearer to its own axis than to any other."""
    screw_axis: float
    """From the nearest edge of a screw's head to the nearest axis; infinite where there are no screws."""
    wall: float
    """Plastic between the sensors' strip and the tube's bore."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """The places of a board's parts."""

    geometry: Geometry
    tubes: dict[Tube, Point]
    """Axes of the fitted tubes, in board order."""
    cradle: Point
    """Axis of the timer's cradle."""
    tube_pixels: dict[Tube, Pixel]
    timer_pixel: Pixel
    player_pixels: dict[Player, tuple[Pixel, Pixel]]
    """West to east, as the map names them."""
    middle: float
    """x of the middle between the westernmost and the easternmost tube."""
    west: float
    south: float
    east: float
    north: float

    @property
    def width(self) -> float:
        """The board from west to east, millimetres."""
        return self.east - self.west

    @property
    def depth(self) -> float:
        """The board from south to north, millimetres."""
        return self.north - self.south

    @property
    def axes(self) -> tuple[Point, ...]:
        """Axes of the tubes in board order, then the cradle's."""
        return (*self.tubes.values(), self.cradle)

    @property
    def pixels(self) -> tuple[Pixel, ...]:
        """All pixels, in the order of the data line."""
        players = (pixel for pair in self.player_pixels.values() for pixel in pair)
        return tuple(
            sorted((*self.tube_pixels.values(), self.timer_pixel, *players), key=lambda pixel: pixel.number)
        )

    @property
    def columns(self) -> tuple[float, ...]:
        """x of each column that has a tube, west to east."""
        return tuple(sorted({point.x for point in self.tubes.values()}))


def column_distance(geometry: Geometry) -> float:
    """From one column of tubes to the next, millimetres: the height of a triangle of one pitch."""
    return geometry.tube_pitch * math.sqrt(3) / 2


def foot_radius(geometry: Geometry) -> float:
    """Radius of a tube's foot, on which its rings lie, millimetres."""
    return geometry.ring_outer_diameter / 2 + PARTS.foot_lip


def pixel_offset(geometry: Geometry) -> float:
    """From a tube's axis west to the middle of its light hole, millimetres."""
    return foot_radius(geometry) + PARTS.window_gap + PARTS.window_diameter / 2


def screw_circle(geometry: Geometry) -> float | None:
    """Distance of a foot's screws from its axis, millimetres; None where the foot lacks the room and is glued.

    Half-way between wall and rim, the heads sunk in, so that rings lie flat over them.
    """
    inner, outer = geometry.tube_outer_diameter / 2, foot_radius(geometry)
    return (inner + outer) / 2 if outer - inner >= PARTS.screw_head else None


def screws(geometry: Geometry, axis: Point) -> tuple[Point, ...]:
    """The screws of the foot at ``axis``."""
    circle = screw_circle(geometry)
    if circle is None:
        return ()
    angles = (math.radians(angle) for angle in SCREW_ANGLES)
    return tuple(axis.moved(circle * math.cos(angle), circle * math.sin(angle)) for angle in angles)


def place_of(geometry: Geometry, tube: Tube) -> Point:
    """The axis of ``tube``."""
    return Point((tube.column - Tube.D4.column) * column_distance(geometry), _rows(tube) * geometry.tube_pitch)


def layout(wiring: Wiring) -> Layout:
    """Lay the board out. Raises `WiringError` where the map's dimensions leave no room."""
    geometry = wiring.geometry
    tubes = {tube: place_of(geometry, tube) for tube in wiring.tubes}
    foot, window, offset = foot_radius(geometry), PARTS.window_diameter / 2, pixel_offset(geometry)
    xs, ys = [point.x for point in tubes.values()], [point.y for point in tubes.values()]
    middle = (min(xs) + max(xs)) / 2
    cradle = _cradle(geometry, tuple(tubes.values()))
    south, north = min(*ys, cradle.y) - foot - STRIP, max(*ys, cradle.y) + foot + STRIP
    apart = PLAYER_PITCHES * geometry.tube_pitch
    player_pixels = {}
    for player, y in ((Player.RED, south + STRIP / 2), (Player.BLACK, north - STRIP / 2)):
        first, second = wiring.player_pixels[player]
        player_pixels[player] = (Pixel(Point(middle - apart, y), first), Pixel(Point(middle + apart, y), second))
    tube_pixels = {}
    for tube, point in tubes.items():
        number = wiring.tube_pixels[tube]
        assert number is not None, f"{tube} is fitted"
        tube_pixels[tube] = Pixel(point.moved(-offset, 0.0), number)
    result = Layout(
        geometry=geometry,
        tubes=tubes,
        cradle=cradle,
        tube_pixels=tube_pixels,
        timer_pixel=Pixel(cradle.moved(-offset, 0.0), wiring.timer_pixel),
        player_pixels=player_pixels,
        middle=middle,
        west=min(min(xs) - offset - window, middle - apart - window) - EDGE,
        south=south,
        east=max(cradle.x + foot, middle + apart + window) + EDGE,
        north=north,
    )
    _check(geometry, clearances(result))
    return result


def clearances(board: Layout) -> Clearances:
    """The clearances of this board."""
    geometry, window = board.geometry, PARTS.window_diameter / 2
    foot, ring, offset = foot_radius(geometry), geometry.ring_outer_diameter / 2, pixel_offset(geometry)
    owned = [*((board.tubes[tube], pixel) for tube, pixel in board.tube_pixels.items())]
    owned.append((board.cradle, board.timer_pixel))
    others = [pixel.place.distance(axis) for own, pixel in owned for axis in board.axes if axis != own]
    others += [
        pixel.place.distance(axis)
        for pair in board.player_pixels.values()
        for pixel in pair
        for axis in board.axes
    ]
    heads = [
        screw.distance(near) for axis in board.axes for screw in screws(geometry, axis) for near in board.axes
    ]
    wall = (geometry.tube_outer_diameter - geometry.tube_inner_diameter) / 2
    return Clearances(
        feet=geometry.tube_pitch - 2 * foot,
        rings=geometry.tube_pitch - 2 * ring,
        pixel_ring=offset - window - ring,
        pixel_foot=offset - window - foot,
        pixel_others=min(others) - window - foot,
        pixel_nearer=min(others) - offset,
        screw_axis=min(heads, default=math.inf) - PARTS.screw_head / 2,
        wall=wall - PARTS.sensor_recess - PARTS.sensor_depth - PARTS.strip_thickness,
    )


def _rows(tube: Tube) -> float:
    """The distance of ``tube`` north of D4, in pitches."""
    return tube.height - Tube.D4.height


def _cradle(geometry: Geometry, tubes: tuple[Point, ...]) -> Point:
    """East of the tubes, half-way between the players: both reach it alike."""
    y = (min(point.y for point in tubes) + max(point.y for point in tubes)) / 2
    reach = CRADLE_PITCHES * geometry.tube_pitch
    near = [point for point in tubes if abs(point.y - y) < reach]
    east = max(point.x for point in tubes)
    return Point(max([east, *(point.x + math.sqrt(reach**2 - (point.y - y) ** 2) for point in near)]), y)


def _check(geometry: Geometry, found: Clearances) -> None:
    if found.feet <= 0:
        least = geometry.tube_pitch - found.feet
        raise WiringError(
            f"geometry.tube_pitch: {geometry.tube_pitch:g}; allowed is more than {least:g}, "
            "or the tubes' feet touch"
        )
    if found.pixel_others <= 0 or found.pixel_nearer < PIXEL_NEARER:
        raise WiringError(
            f"geometry.ring_outer_diameter: {geometry.ring_outer_diameter:g}; allowed is what leaves a pixel room "
            f"between the rings of three tubes {geometry.tube_pitch:g} apart"
        )
    if found.wall < PARTS.wall_left - 1e-9:
        least = geometry.tube_inner_diameter + 2 * (
            PARTS.sensor_recess + PARTS.sensor_depth + PARTS.strip_thickness + PARTS.wall_left
        )
        raise WiringError(
            f"geometry.tube_outer_diameter: {geometry.tube_outer_diameter:g}; allowed is {least:g} or more, "
            "or the ring sensors do not fit into the wall"
        )
