"""The drill and pixel template: the whole board seen from above, one to one, as SVG and DXF, with its legends."""

import io
import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from ezdxf import options  # type: ignore[attr-defined]  # public, but not marked as such
from ezdxf.enums import TextEntityAlignment
from ezdxf.filemanagement import new
from ezdxf.layouts.layout import Modelspace
from ezdxf.units import MM

from tamsk_hw.board.wiring import Geometry, Wiring
from tamsk_hw.game.tubes import Tube
from wiring.make.drawing import (
    DASHED,
    GREY,
    MEDIUM,
    THICK,
    THIN,
    Anchor,
    Circle,
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
from wiring.make.geometry import (
    PARTS,
    Layout,
    Pixel,
    Point,
    column_distance,
    foot_radius,
    layout,
    screw_circle,
    screws,
)

#: Type and line distance of the legend, and the room for a sign, millimetres.
SIZE: Final = 3.0
LINE: Final = 4.2
SIGN_WIDTH: Final = 12.0

#: The line along which sheets meet.
SEAM: Final = Pen(0.3, (6.0, 1.5, 1.0, 1.5))

_LAYER: Final = "LEGEND"


@dataclass(frozen=True, slots=True)
class Entry:
    """A sign, drawn around (0, 0) within 5 mm to each side, and the lines of words beside it."""

    sign: tuple[Shape, ...]
    lines: tuple[str, ...]

    @property
    def height(self) -> float:
        """Millimetres that the entry takes."""
        return max(7.4, LINE * len(self.lines) + 0.9)


def board_entries(geometry: Geometry) -> tuple[Entry, ...]:
    """The signs of the template."""
    steel = f"Nothing of steel within {PARTS.steel_distance:g} mm of any axis."
    screwed = screw_circle(geometry) is not None
    entries = [
        Entry(
            (Circle(_LAYER, 0, 0, 3.2, THICK),),
            (
                f"tube, ⌀ {geometry.tube_outer_diameter:g} outside, with its name;",
                "TIMER is the cradle: one level, no rings",
            ),
        ),
        Entry((Circle(_LAYER, 0, 0, 3.2, DASHED),), (f"rings, ⌀ {geometry.ring_outer_diameter:g} outside",)),
        Entry((Circle(_LAYER, 0, 0, 3.2, GREY),), (f"foot of the tube, ⌀ {2 * foot_radius(geometry):g}",)),
        Entry(
            (Circle(_LAYER, 0, 0, 2.6), Line(_LAYER, -3.8, 0, 3.8, 0), Line(_LAYER, 0, -3.8, 0, 3.8)),
            (f"drill ⌀ {PARTS.drill_diameter:g} through, on the axis,", "for the wires of the sensors"),
        ),
        Entry(
            (rectangle(_LAYER, -1.6, -1.3, 1.6, 1.3, THIN), Circle(_LAYER, 0, 0, 0.5, THIN, "#000")),
            ("Hall sensor, in the foot; the dot is its die,", "exactly on the axis"),
        ),
        Entry(
            (
                Circle(_LAYER, 0, -1.4, 2.0, MEDIUM),
                Line(_LAYER, -2.6, -1.4, 2.6, -1.4),
                Line(_LAYER, 0, -4.0, 0, 1.2),
                Text(_LAYER, 0, 1.6, SIZE, "7", "middle"),
            ),
            (
                f"drill ⌀ {PARTS.window_diameter:g} through: clear rod, pixel below;",
                "number: its place on the data line, from 0",
            ),
        ),
        Entry(
            (rectangle(_LAYER, -4.5, -1.8, -2.8, 1.8, None, "#000"), *arrow(_LAYER, -2.2, 0, 4.5, 0)),
            ("ring sensors of all levels; the arrow is", "where they look: all east, from A to G"),
        ),
        Entry(
            (Circle(_LAYER, 0, 0, 1.0, THIN), Line(_LAYER, -1.5, 0, 1.5, 0), Line(_LAYER, 0, -1.5, 0, 1.5)),
            (f"drill ⌀ {PARTS.pilot_hole:g}: brass screw M2.5 and nut.", steel),
        )
        if screwed
        else Entry((), ("The feet are glued.", steel)),
        Entry(
            (
                Line(_LAYER, 0, 1.6, 0, 4.2),
                Line(_LAYER, 0, -1.6, 0, -4.2),
                Text(_LAYER, 0, -0.36 * SIZE, SIZE, f"{geometry.tube_pitch:.1f}", "middle"),
            ),
            (
                f"axis to axis, Hall to Hall: {geometry.tube_pitch:g} mm for all",
                f"tubes that touch; columns {column_distance(geometry):.2f} mm apart",
            ),
        ),
    ]
    return tuple(entries)


def seam_entry() -> Entry:
    """The signs where sheets meet."""
    return Entry(
        (Line(_LAYER, -5.5, 0, 5.5, 0, SEAM), *cross(Point(0.0, 0.0), _LAYER)),
        ("seam: cut one sheet here, lay it on its", "neighbour's seam, cross on cross"),
    )


def cross(place: Point, layer: str = "SEAM") -> list[Shape]:
    """A mark that two neighbouring sheets have at the same place of the board."""
    return [
        Circle(layer, place.x, place.y, 2.0, THIN),
        Line(layer, place.x - 4.0, place.y, place.x + 4.0, place.y),
        Line(layer, place.x, place.y - 4.0, place.x, place.y + 4.0),
    ]


def legend_height(entries: Sequence[Entry], columns: int) -> float:
    """Millimetres that `legend` takes from its top down."""
    return max(sum(entry.height for entry in column) for column in _columns(entries, columns))


def legend(entries: Sequence[Entry], left: float, top: float, columns: int, width: float) -> list[Shape]:
    """The entries in columns, each ``width`` millimetres wide."""
    shapes: list[Shape] = []
    for place, column in enumerate(_columns(entries, columns)):
        x, y = left + place * width, top
        for entry in column:
            middle = y - entry.height / 2
            shapes += moved(entry.sign, x + SIGN_WIDTH / 2, middle)
            first = middle + LINE * (len(entry.lines) - 1) / 2 - 0.36 * SIZE
            for line, words in enumerate(entry.lines):
                shapes.append(Text(_LAYER, x + SIGN_WIDTH + 1.0, first - LINE * line, SIZE, words))
            y -= entry.height
    return shapes


def _columns(entries: Sequence[Entry], columns: int) -> list[Sequence[Entry]]:
    each = -(-len(entries) // columns)
    return [entries[start : start + each] for start in range(0, len(entries), each)]


#: Type of a tube's name, of numbers, and of the rest, millimetres.
NAME, NUMBER, WORDS = 5.0, 3.0, 3.5

#: Room for dimensions around the board on the whole template, millimetres.
_MARGIN = 14.0


def template_svg(wiring: Wiring) -> str:
    """``template.svg``: the whole board one to one, with its outer dimensions and the legend below."""
    board = layout(wiring)
    left, right, top = board.west - _MARGIN, board.east + _MARGIN, board.north + _MARGIN + 4.0
    entries, columns = board_entries(board.geometry), max(1, int((right - left) // 95))
    below = board.south - _MARGIN - 4.0
    bottom = below - 22.0 - legend_height(entries, columns)
    shapes = [*board_shapes(board), *outer_dimensions(board)]
    shapes.append(
        Text(
            "TITLE",
            board.west,
            board.north + 9.0,
            NAME,
            "tamsk-hw: drill and pixel template, seen from above",
            bold=True,
        )
    )
    shapes += ruler(board.west, below - 6.0)
    shapes += legend(entries, board.west, below - 16.0, columns, 95.0)
    return document(picture("Drill and pixel template, 1:1", (left, bottom, right, top), drawn(shapes)))


def board_shapes(board: Layout) -> list[Shape]:
    """The board itself: outline, tubes, cradle, light holes and the distances between tubes."""
    shapes: list[Shape] = [rectangle("BOARD", board.west, board.south, board.east, board.north, THICK)]
    for tube, axis in board.tubes.items():
        shapes += _tube(board, axis, tube.name, board.tube_pixels[tube])
    shapes += _cradle(board)
    for first, second in board.player_pixels.values():
        shapes += [*_pixel(first, -1), *_pixel(second, 1)]
    shapes += _distances(board)
    for y, words in ((board.south, "SOUTH: red's side"), (board.north - 14.0, "NORTH: black's side")):
        shapes.append(Text("TEXT", board.middle, y + 5.7, WORDS, words, "middle"))
    return shapes


def ruler(left: float, y: float) -> list[Shape]:
    """A scale of 100 mm, to be measured before anything is drilled; ``y`` is its line, figures stand below it."""
    shapes: list[Shape] = [Line("SCALE", left, y, left + 100.0, y, MEDIUM)]
    for step in range(11):
        shapes.append(
            Line("SCALE", left + 10.0 * step, y, left + 10.0 * step, y + (4.0 if step % 5 == 0 else 2.5), MEDIUM)
        )
    for step in (0, 5, 10):
        anchor: Anchor = "start" if step == 0 else "middle"
        shapes.append(Text("TEXT", left + 10.0 * step, y - 3.4, NUMBER, f"{10 * step}", anchor))
    shapes.append(Text("TEXT", left + 102.0, y + 0.5, NUMBER, "100 mm on paper? Else do not drill."))
    return shapes


def outer_dimensions(board: Layout) -> list[Shape]:
    """Width and depth of the board, and the distance of its columns, outside its outline."""
    layer, shapes = "DIMENSION", list[Shape]()
    y, x = board.south - 9.0, board.west - 7.0
    for end in (board.west, board.east):
        shapes.append(Line(layer, end, board.south - 1.0, end, y - 1.5))
    for end in (board.south, board.north):
        shapes.append(Line(layer, board.west - 1.0, end, x - 1.5, end))
    shapes += _measured(Point(board.west, y), Point(board.east, y), f"{board.width:.1f}", below=True)
    shapes += _measured(Point(x, board.south), Point(x, board.north), f"{board.depth:.1f}")
    for first, second in pairwise(board.columns):
        above = board.north + 1.0
        shapes += [Line(layer, end, board.north, end, above + 3.0) for end in (first, second)]
        shapes += _measured(
            Point(first, above + 1.5), Point(second, above + 1.5), f"{second - first:.2f}", inside=True
        )
    return shapes


def hall(axis: Point, layer: str = "HALL") -> list[Shape]:
    """A Hall sensor: its package, and the die as a dot exactly on the axis."""
    half_x, half_y = PARTS.hall_length / 2, PARTS.hall_width / 2
    return [
        rectangle(layer, axis.x - half_x, axis.y - half_y, axis.x + half_x, axis.y + half_y, THIN),
        Circle(layer, axis.x, axis.y, 0.5, THIN, "#000"),
    ]


def sensor(axis: Point, outer_diameter: float, layer: str = "SENSOR") -> list[Shape]:
    """The ring sensors of a tube seen from above, one over the other, and the way they look."""
    face = axis.x + outer_diameter / 2 - PARTS.sensor_recess
    half = PARTS.sensor_length / 2
    return [
        rectangle(layer, face - PARTS.sensor_depth, axis.y - half, face, axis.y + half, None, "#000"),
        *arrow(layer, face + 0.6, axis.y, face + 8.0, axis.y),
    ]


def screw(place: Point, layer: str = "SCREW") -> list[Shape]:
    """The pilot hole of a screw, with a cross."""
    reach = PARTS.pilot_hole / 2 + 0.5
    return [
        Circle(layer, place.x, place.y, PARTS.pilot_hole / 2, THIN),
        Line(layer, place.x - reach, place.y, place.x + reach, place.y),
        Line(layer, place.x, place.y - reach, place.x, place.y + reach),
    ]


def _tube(board: Layout, axis: Point, name: str, pixel: Pixel) -> list[Shape]:
    geometry = board.geometry
    return [
        Circle("RING", axis.x, axis.y, geometry.ring_outer_diameter / 2, DASHED),
        *_foot(board, axis),
        *sensor(axis, geometry.tube_outer_diameter),
        *_pixel(pixel, 0),
        Text("TEXT", axis.x - 9.2, axis.y + 5.2, NAME, name, "middle", bold=True),
    ]


def _foot(board: Layout, axis: Point) -> list[Shape]:
    """The parts that tube and cradle have in common."""
    hole = PARTS.drill_diameter / 2
    return [
        Circle("FOOT", axis.x, axis.y, foot_radius(board.geometry), GREY),
        Circle("TUBE", axis.x, axis.y, board.geometry.tube_outer_diameter / 2, THICK),
        Circle("DRILL", axis.x, axis.y, hole, MEDIUM),
        Line("DRILL", axis.x - hole - 2.0, axis.y, axis.x + hole + 2.0, axis.y),
        Line("DRILL", axis.x, axis.y - hole - 2.0, axis.x, axis.y + hole + 2.0),
        *hall(axis),
        *(shape for place in screws(board.geometry, axis) for shape in screw(place)),
    ]


def _cradle(board: Layout) -> list[Shape]:
    axis = board.cradle
    words = Text("TEXT", axis.x, axis.y - 12.4, WORDS, "TIMER", "middle")
    return [*_foot(board, axis), *_pixel(board.timer_pixel, 0), words]


def _pixel(pixel: Pixel, side: int) -> list[Shape]:
    """A light hole with its number: above it, or west (-1) or east (1) of it."""
    place, radius = pixel.place, PARTS.window_diameter / 2
    reach = radius + 0.8
    words = f"{pixel.number}"
    if side == 0:
        text = Text("TEXT", place.x, place.y + radius + 1.4, NUMBER, words, "middle")
    else:
        anchor: Anchor = "start" if side > 0 else "end"
        text = Text("TEXT", place.x + side * (radius + 1.6), place.y - 1.1, NUMBER, words, anchor)
    return [
        Circle("PIXEL", place.x, place.y, radius, MEDIUM),
        Line("PIXEL", place.x - reach, place.y, place.x + reach, place.y),
        Line("PIXEL", place.x, place.y - reach, place.x, place.y + reach),
        text,
    ]


def _distances(board: Layout) -> list[Shape]:
    """The distance of tubes that touch in a column, from axis to axis, written between them."""
    shapes: list[Shape] = []
    pitch = board.geometry.tube_pitch
    for tube, axis in board.tubes.items():
        above = _above(board, tube)
        if above is not None:
            words, gap = Point(axis.x, (axis.y + above.y) / 2), 0.5 * NUMBER + 0.4
            shapes.append(Line("DIMENSION", axis.x, axis.y, axis.x, words.y - gap))
            shapes.append(Line("DIMENSION", axis.x, words.y + gap, axis.x, above.y))
            shapes.append(Text("TEXT", words.x, words.y - 0.36 * NUMBER, NUMBER, f"{pitch:.1f}", "middle"))
    return shapes


def _above(board: Layout, tube: Tube) -> Point | None:
    """The axis of the next tube to the north in the same column, if that is fitted."""
    for other, axis in board.tubes.items():
        if other.column == tube.column and other.row == tube.row + 1:
            return axis
    return None


def _measured(
    first: Point, second: Point, words: str, *, inside: bool = False, below: bool = False
) -> list[Shape]:
    """A dimension line with heads at both ends; ``inside`` interrupts it for the words, else they stand beside."""
    middle = Point((first.x + second.x) / 2, (first.y + second.y) / 2)
    length = first.distance(second)
    along_x, along_y = (second.x - first.x) / length, (second.y - first.y) / length
    text = Text("TEXT", middle.x, middle.y - 0.36 * NUMBER, NUMBER, words, "middle")
    gap = abs(along_x) * (text.width / 2 + 0.5) + abs(along_y) * (0.5 * NUMBER + 0.4)
    if not inside:
        if math.isclose(along_x, 0.0, abs_tol=1e-9):
            gap = 0.5 * NUMBER + 1.0
        elif below:
            text = Text("TEXT", middle.x, middle.y - NUMBER - 0.8, NUMBER, words, "middle")
            gap = 0.0
    ends = (
        (middle.moved(-gap * along_x, -gap * along_y), first),
        (middle.moved(gap * along_x, gap * along_y), second),
    )
    shapes: list[Shape] = [text]
    for start, end in ends:
        shapes += arrow("DIMENSION", start.x, start.y, end.x, end.y, pen=THIN)
    return shapes


#: Height of capitals in type of size 1: DXF measures these.
_CAPITALS: Final = 0.73

_ALIGN: Final[dict[Anchor, TextEntityAlignment]] = {
    "start": TextEntityAlignment.LEFT,
    "middle": TextEntityAlignment.CENTER,
    "end": TextEntityAlignment.RIGHT,
}


def template_dxf(wiring: Wiring) -> str:
    """The board's shapes, each layer of `template` a layer of the same name; the same text for the same map.

    Layers to be cut or drilled are BOARD, DRILL, PIXEL and SCREW; all others are for the eye.
    """
    fixed = options.write_fixed_meta_data_for_testing
    options.write_fixed_meta_data_for_testing = True
    try:
        document = new("R2010", units=MM)
        document.linetypes.add("RINGS", pattern=[3.2, 2.0, -1.2], description="Rings __ __ __")
        space = document.modelspace()
        for shape in board_shapes(layout(wiring)):
            if shape.layer not in document.layers:
                document.layers.add(shape.layer, linetype="RINGS" if shape.layer == "RING" else "CONTINUOUS")
            _add(space, shape)
        # Otherwise they come in the order of a set, which differs from run to run.
        for name in sorted(document.entitydb.dxf_types_in_use()):
            document.classes.add_class(name)
        stream = io.StringIO()
        document.write(stream)
        return stream.getvalue()
    finally:
        options.write_fixed_meta_data_for_testing = fixed


def _add(space: Modelspace, shape: Shape) -> None:
    attributes = {"layer": shape.layer}
    match shape:
        case Circle():
            space.add_circle(_at(shape.x, shape.y), shape.radius, attributes)
        case Line():
            space.add_line(_at(shape.x1, shape.y1), _at(shape.x2, shape.y2), attributes)
        case Polygon():
            space.add_lwpolyline([_at(x, y) for x, y in shape.points], close=True, dxfattribs=attributes)
        case Text():
            text = space.add_text(shape.words, height=round(shape.size * _CAPITALS, 6), dxfattribs=attributes)
            text.set_placement(_at(shape.x, shape.y), align=_ALIGN[shape.anchor])


def _at(x: float, y: float) -> tuple[float, float]:
    """The place rounded to a millionth; further digits differ between computers."""
    return round(x, 6) + 0.0, round(y, 6) + 0.0
