"""Dimensions of the build: parts, heights, places on the plate.

Sizes of parts that are bought or chosen and are not in the wiring map, in millimetres.

Heights along a tube's axis, in millimetres above the surface on which the bottom ring rests.

That surface is the top of the tube's foot. The tube's floor inside, on which the glass stands, is level with it.

The Hall sensor hangs under its board, its marked face down, away from the glass. DRV5055 and SS49E give more than
half of their supply for a south pole at the marked face (data sheets); a reading above the middle is to be end A,
and end A has its north pole out. Marked face up, A and B would be exchanged.

The layout of the board, seen from above: millimetres, x to the right (east), y up (north).

The origin is the axis of D4. Columns A … G run from west to east, rows from south to north; red sits in the south.

All ring sensors look east. In that direction a tube has no neighbour but a gap between two: the next tube straight
ahead is sqrt(3) pitches away, so that its rings send the least light back. Each tube's pixel lies west of it,
behind the sensors, in the same kind of gap. A pixel in the middle of that gap would be as near to three tubes and
belong to none; so it lies as near to its own tube as ring and foot allow. Under the tube the glass would hide it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from tamsk_hw.board.wiring import Geometry, Wiring
from tamsk_hw.errors import WiringError
from tamsk_hw.game.tubes import CAPACITY, TUBES, Player, Tube


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Sizes in millimetres."""

    sensor_length: float = 4.8
    """QRE1114GR along the tube's circumference: its body stands upright, its leads point left and right (data
    sheet: body 3.6 × 2.9 × 1.7, 4.8 over the leads)."""
    sensor_height: float = 3.6
    """QRE1114GR along the tube's axis: the longer side of its body."""
    sensor_depth: float = 1.7
    """QRE1114GR, body from its back to the face that looks out."""
    sensor_recess: float = 0.8
    """Depth of the sensor's face behind the tube's surface: a ring nearer than 0.5 mm is not seen."""
    sensor_play: float = 0.2
    """Play of the sensors in the height of their slot."""
    sensor_raise: float = 0.9
    """Height of a sensor's centre above its ring's middle: the ring below then throws less light up into it."""
    sensor_reach: float = 1.2
    """From a sensor's centre to the farther edge of emitter and photo-transistor: all of it must face its ring."""
    strip_thickness: float = 0.4
    """Thickness of the strip that carries a tube's ring sensors (thin circuit board, 0.4)."""
    strip_width: float = 5.4
    """Width of that strip."""
    slot_play: float = 0.5
    """Play of that strip in the width of its slot: a printed slot comes out narrower (see `print_loss`)."""
    cable_exit: float = 1.95
    """Height of the groove under the foot, through which the strip's wires go to the hole on the axis; two
    layers of wires fit, and it is printed in whole layers."""
    wall_left: float = 0.5
    """Least plastic between the strip and the tube's bore, and over the Hall sensor."""
    wall_above: float = 1.4
    """Plastic above the strip's slot, a millimetre and the rim's chamfer: less would break off when a cap knocks
    against it."""
    hall_length: float = 2.92
    """SOT-23: the package with its leads, along the longer side (data sheet: 2.92 × 2.37, 1.12 at most)."""
    hall_width: float = 2.37
    """SOT-23: across, with the leads."""
    hall_thickness: float = 1.12
    """SOT-23: height of the package."""
    hall_die_depth: float = 0.65
    """From the package's marked face to the die, the spot that senses (SOT-23: as TI draws it; compare yours)."""
    carrier_diameter: float = 10.0
    """Round board that carries the Hall sensor on its underside, the marked face down (see `heights`)."""
    carrier_thickness: float = 1.0
    """Thickness of that board."""
    carrier_tolerance: float = 0.1
    """Its tolerance: a tenth, as circuit boards are made."""
    hall_tolerance: float = 0.12
    """The package's height, 0.89 to 1.12 in the data sheet, and so about its middle."""
    fit: float = 0.5
    """Play of the Hall sensor's board in its seat, of cap and magnet in their jig."""
    magnet_recess: float = 0.2
    """Depth of the magnet's face behind the cap's: the cap stands on its rim, not on the magnet."""
    jig_tolerance: float = 0.1
    """The recess may differ by this from cap to cap, glued in the jig."""
    foot_lip: float = 1.0
    """Width of the foot beyond a ring, all around."""
    drill_diameter: float = 12.0
    """Hole in the board under each tube's axis, for the wires of its sensors."""
    screw_hole: float = 3.0
    """Hole for an M2.5 screw in the printed foot."""
    screw_head: float = 5.0
    """Countersunk head of an M2.5 screw, with play (4.7 in ISO 2009)."""
    pilot_hole: float = 2.7
    """Hole in the board for such a screw, with a nut under it."""
    steel_distance: float = 15.0
    """Least distance of steel from an axis: nearer, it would bend the field that the sensor reads."""
    print_loss: float = 0.2
    """A printed hole or slot comes out narrower by up to this across, a printed wall thicker (nozzle of 0.4)."""
    chamfer: float = 0.4
    """Chamfer at a print's edges: on the bed, where the first layer is squeezed out; at rims, to lead in."""
    jig_rim: float = 5.0
    """Height of the jig's rim, which holds the cap in the middle."""
    jig_wall: float = 2.4
    """Thickness of that rim."""
    jig_floor: float = 1.0
    """Plastic between the jig's own magnet and the cap's."""
    jig_glue: float = 0.5
    """Least room for glue under the jig's own magnet."""
    jig_layer: float = 0.2
    """Layers of the jig: its heights are whole ones, or the slicer would round the boss away."""
    window_diameter: float = 5.0
    """Light hole and clear rod over a pixel; a WS2812B is 5 × 5."""
    window_gap: float = 0.5
    """Between a light hole and the tube's foot."""


PARTS: Final = Parts()
"""The parts of the reference build."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Heights:
    """Heights in millimetres; those below the foot's top are negative."""

    sensors: tuple[float, ...]
    """Centre of each level's ring sensor, bottom up; as many as the highest tube has levels."""
    tubes: tuple[float, ...]
    """Top of a tube of 1, 2, … levels."""
    magnet: float
    """Face of the magnet in the lower cap of a seated glass."""
    die: float
    """The Hall sensor's die."""
    seat: float
    """Upper end of the Hall sensor's seat: the small board that carries it touches there."""
    carrier: float
    """Underside of that small board; the sensor's package begins there."""
    base: float
    """Underside of the foot, top of the board's plate, and the package's marked face."""

    @property
    def foot_thickness(self) -> float:
        """Thickness of the foot, millimetres."""
        return -self.base

    @property
    def floor_thickness(self) -> float:
        """Plastic between the glass and the Hall sensor, millimetres."""
        return -self.seat


def sensor_height(thickness: float, level: int) -> float:
    """Centre of the sensor of ``level`` (0 at the bottom) for rings of ``thickness`` millimetres.

    Rings lie on each other, so that a level is as high as a ring; the sensor looks at its ring a little above its
    middle, away from the ring below.
    """
    return (level + 0.5) * thickness + PARTS.sensor_raise


def slot_top(thickness: float, levels: int) -> float:
    """Height of the upper end of the slot that takes the strip of ring sensors, in a tube of ``levels`` levels."""
    return sensor_height(thickness, levels - 1) + (PARTS.sensor_height + PARTS.sensor_play) / 2


def tube_height(thickness: float, levels: int) -> float:
    """Top of a tube that holds ``levels`` rings: no lower than the topmost ring, a wall above the strip's slot."""
    return max(levels * thickness, slot_top(thickness, levels) + PARTS.wall_above)


def levels_of(wiring: Wiring) -> tuple[int, ...]:
    """The different numbers of levels of the tubes that are fitted, rising: (1, 2, 3, 4) for the whole board."""
    return tuple(sorted({CAPACITY[tube] for tube in wiring.tubes}))


def heights(geometry: Geometry) -> Heights:
    """All heights for these dimensions.

    Raises `WiringError` where a ring is too thin for a sensor, or the magnet too near for a floor.
    """
    thickness = geometry.ring_thickness
    least = max(PARTS.sensor_height + PARTS.sensor_play, 2 * (PARTS.sensor_raise + PARTS.sensor_reach))
    if thickness < least - 1e-9:
        raise WiringError(
            f"geometry.ring_thickness: {thickness:g}; allowed is {least:g} or more, "
            "or a sensor looks at the next ring, too"
        )
    die = PARTS.magnet_recess - geometry.magnet_distance
    carrier = die + PARTS.hall_thickness - PARTS.hall_die_depth
    seat = carrier + PARTS.carrier_thickness
    if -seat < PARTS.wall_left:
        nearest = PARTS.magnet_recess + seat - die + PARTS.wall_left
        raise WiringError(
            f"geometry.magnet_distance: {geometry.magnet_distance:g}; allowed is {nearest:g} or more, "
            "or no floor is left under the glass"
        )
    levels = range(max(CAPACITY))
    return Heights(
        sensors=tuple(sensor_height(thickness, level) for level in levels),
        tubes=tuple(tube_height(thickness, level + 1) for level in levels),
        magnet=PARTS.magnet_recess,
        die=die,
        seat=seat,
        carrier=carrier,
        base=die - PARTS.hall_die_depth,
    )


def tubes_by_levels(wiring: Wiring) -> dict[int, tuple[str, ...]]:
    """The names of the fitted tubes by their number of levels, in board order."""
    return {
        levels: tuple(tube.name for tube in TUBES if tube in wiring.tubes and CAPACITY[tube] == levels)
        for levels in levels_of(wiring)
    }


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


def groove_holds(wire: float) -> int:
    """The wires (mm across) that the groove under a foot holds, each layer in the gaps of the one below it."""
    width, height = PARTS.strip_width + PARTS.slot_play - PARTS.print_loss, PARTS.cable_exit - PARTS.print_loss
    layers = 1 + math.floor((height - wire) / (wire * math.sqrt(3) / 2))
    return sum(math.floor(width / wire - layer % 2 / 2) for layer in range(layers))


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
