"""The drill and pixel template: the whole board seen from above, one to one (millimetres, as in `layout`)."""

from __future__ import annotations

import math
from itertools import pairwise

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.tubes import Tube
from wiring.make.mechanics.layout import Layout, Pixel, Point, foot_radius, layout, screws
from wiring.make.mechanics.legend import board_entries, legend, legend_height
from wiring.make.mechanics.parts import PARTS
from wiring.make.mechanics.shapes import (
    DASHED,
    GREY,
    MEDIUM,
    THICK,
    THIN,
    Anchor,
    Circle,
    Line,
    Shape,
    Text,
    arrow,
    rectangle,
)
from wiring.make.mechanics.svg import document, drawn, picture

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
