"""A board as its file has it: parts, copper, holes and outline, read without KiCad and without what wrote it."""

import math
import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from shapely import Polygon, box
from shapely.affinity import rotate, translate
from shapely.geometry import LineString
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry.base import BaseGeometry
from shapely.ops import polygonize_full

from wiring.boards.layout import Point

#: A list of words and lists.
Expression = list["str | Expression"]

_TOKEN: Final = re.compile(r'\s*(?:([()])|"((?:[^"\\]|\\.)*)"|([^\s()"]+))')


def parse(text: str) -> Expression:
    """The expression that a file consists of. Raises `ValueError` where brackets do not match."""
    stack: list[Expression] = [[]]
    place = 0
    text = text.rstrip()
    while place < len(text):
        found = _TOKEN.match(text, place)
        if found is None:
            raise ValueError(f"character {place}: neither bracket nor word")
        place = found.end()
        bracket, quoted, word = found.groups()
        if bracket == "(":
            inner: Expression = []
            stack[-1].append(inner)
            stack.append(inner)
        elif bracket == ")":
            stack.pop()
            if not stack:
                raise ValueError(f"character {place}: a bracket too many")
        else:
            stack[-1].append(word if quoted is None else quoted.replace('\\"', '"').replace("\\\\", "\\"))
    if len(stack) != 1 or len(stack[0]) != 1 or isinstance(stack[0][0], str):
        raise ValueError("the end: a bracket is missing, or more than one expression is there")
    return stack[0][0]


def named(expression: Expression, name: str) -> list[Expression]:
    """The lists in an expression that begin with this word."""
    return [each for each in expression if isinstance(each, list) and each and each[0] == name]


def numbers(expression: Expression, name: str) -> list[float]:
    """The numbers in the first list of that name; none where there is no such list."""
    for each in named(expression, name):
        return [float(word) for word in each[1:] if isinstance(word, str) and _is_number(word)]
    return []


def words(expression: Expression, name: str) -> list[str]:
    """The words in the first list of that name."""
    for each in named(expression, name):
        return [word for word in each[1:] if isinstance(word, str)]
    return []


def _is_number(word: str) -> bool:
    try:
        float(word)
    except ValueError:
        return False
    return True


@dataclass(frozen=True)
class ReadPad:
    """A pad on the board; ``size`` before it is ``turned`` (degrees); ``drill`` 0 for a surface pad."""

    ref: str
    number: str
    net: str
    at: Point
    within: Point
    """Its place in the footprint, not turned."""
    shape: str
    rounding: float
    """Radius of its corners."""
    size: tuple[float, float]
    turned: float
    drill: float
    plated: bool
    layers: tuple[str, ...]

    def copper(self, layer: str) -> bool:
        """True where it has copper on a layer."""
        return (
            layer in self.layers
            or "*.Cu" in self.layers
            or ("F&B.Cu" in self.layers and layer in ("F.Cu", "B.Cu"))
        )

    @cached_property
    def area(self) -> BaseGeometry:
        """Its copper."""
        (x, y), (width, height) = self.at, self.size
        if self.shape == "circle":
            return ShapelyPoint(x, y).buffer(width / 2)
        if self.shape == "oval":
            reach = abs(width - height) / 2
            line = LineString([(-reach, 0), (reach, 0)] if width > height else [(0, -reach), (0, reach)])
            flat: BaseGeometry = (
                line.buffer(min(width, height) / 2) if reach else ShapelyPoint(0, 0).buffer(width / 2)
            )
        else:
            corner = self.rounding
            flat = box(corner - width / 2, corner - height / 2, width / 2 - corner, height / 2 - corner)
            flat = flat.buffer(corner) if corner else flat
        return translate(rotate(flat, -self.turned, origin=(0, 0)), x, y)


@dataclass(frozen=True, slots=True)
class ReadPart:
    """A part on the board."""

    ref: str
    value: str
    footprint: str
    at: Point
    angle: float
    side: str
    pads: tuple[ReadPad, ...]


@dataclass(frozen=True)
class ReadTrack:
    """A piece of track."""

    net: str
    layer: str
    width: float
    a: Point
    b: Point

    @cached_property
    def area(self) -> BaseGeometry:
        """Its copper."""
        return LineString([self.a, self.b]).buffer(self.width / 2)


@dataclass(frozen=True)
class ReadVia:
    """A plated hole that is no part's."""

    net: str
    at: Point
    size: float
    drill: float
    layers: tuple[str, ...]

    @cached_property
    def area(self) -> BaseGeometry:
        """Its copper."""
        return ShapelyPoint(*self.at).buffer(self.size / 2)


@dataclass(frozen=True, slots=True)
class ReadPlane:
    """One connected area of a zone, as it was filled."""

    net: str
    layer: str
    area: Polygon


@dataclass(frozen=True, slots=True)
class BoardFile:
    """A board file. ``outline`` is None where its lines close no area."""

    layers: tuple[str, ...]
    thickness: float
    outline: Polygon | None
    parts: tuple[ReadPart, ...]
    tracks: tuple[ReadTrack, ...]
    vias: tuple[ReadVia, ...]
    planes: tuple[ReadPlane, ...]

    @property
    def pads(self) -> list[ReadPad]:
        """The pads of all parts."""
        return [pad for part in self.parts for pad in part.pads]


def read_board(path: Path) -> BoardFile:
    """A board file of KiCad 6. Raises `ValueError` or `OSError` for one that cannot be read."""
    return board_of(path.read_text(encoding="utf-8"))


def board_of(text: str) -> BoardFile:
    """The board in the text of a file. Raises `ValueError`."""
    tree = parse(text)
    names = {int(str(each[1])): str(each[2]) for each in named(tree, "net")}
    (layers,) = named(tree, "layers")
    copper = [str(each[1]) for each in layers if isinstance(each, list) and str(each[1]).endswith(".Cu")]
    (general,) = named(tree, "general")
    return BoardFile(
        layers=tuple(copper),
        thickness=numbers(general, "thickness")[0],
        outline=_outline(tree),
        parts=tuple(_part(each) for each in named(tree, "footprint")),
        tracks=tuple(_track(each, names) for each in named(tree, "segment")),
        vias=tuple(_via(each, names) for each in named(tree, "via")),
        planes=tuple(plane for each in named(tree, "zone") for plane in _planes(each)),
    )


def _point(expression: Expression, name: str) -> Point:
    x, y, *_ = numbers(expression, name)
    return x, y


def _track(each: Expression, names: dict[int, str]) -> ReadTrack:
    net = names[int(numbers(each, "net")[0])]
    return ReadTrack(
        net, words(each, "layer")[0], numbers(each, "width")[0], _point(each, "start"), _point(each, "end")
    )


def _via(each: Expression, names: dict[int, str]) -> ReadVia:
    net = names[int(numbers(each, "net")[0])]
    layers = tuple(words(each, "layers"))
    return ReadVia(net, _point(each, "at"), numbers(each, "size")[0], numbers(each, "drill")[0], layers)


def _part(each: Expression) -> ReadPart:
    x, y, *rest = numbers(each, "at")
    angle = rest[0] if rest else 0.0
    texts = {str(text[1]): str(text[2]) for text in named(each, "fp_text")}
    ref = texts["reference"]
    return ReadPart(
        ref=ref,
        value=texts["value"],
        footprint=str(each[1]),
        at=(x, y),
        angle=angle,
        side=words(each, "layer")[0][0],
        pads=tuple(_pad(pad, ref, x, y, angle) for pad in named(each, "pad")),
    )


def _pad(pad: Expression, ref: str, x: float, y: float, angle: float) -> ReadPad:
    dx, dy, *rest = numbers(pad, "at")
    turn = math.radians(angle)
    at = (x + dx * math.cos(turn) + dy * math.sin(turn), y - dx * math.sin(turn) + dy * math.cos(turn))
    width, height = numbers(pad, "size")
    net = named(pad, "net")
    drill = numbers(pad, "drill")
    return ReadPad(
        ref=ref,
        number=str(pad[1]),
        net=str(net[0][2]) if net else "",
        at=(round(at[0], 5), round(at[1], 5)),
        within=(dx, dy),
        shape=str(pad[3]),
        rounding=min(width, height) * sum(numbers(pad, "roundrect_rratio")),
        size=(width, height),
        turned=rest[0] if rest else 0.0,
        drill=max(drill) if drill else 0.0,
        plated=pad[2] == "thru_hole",
        layers=tuple(words(pad, "layers")),
    )


def _planes(zone: Expression) -> list[ReadPlane]:
    net = words(zone, "net_name")[0]
    found = []
    for filled in named(zone, "filled_polygon"):
        (points,) = named(filled, "pts")
        polygon = Polygon([(float(str(xy[1])), float(str(xy[2]))) for xy in named(points, "xy")])
        found.append(ReadPlane(net, words(filled, "layer")[0], polygon))
    return found


def _outline(tree: Expression) -> Polygon | None:
    for circle in named(tree, "gr_circle"):
        if words(circle, "layer") == ["Edge.Cuts"]:
            centre, end = _point(circle, "center"), _point(circle, "end")
            return ShapelyPoint(*centre).buffer(math.dist(centre, end), quad_segs=64)
    lines = [
        LineString([_point(line, "start"), _point(line, "end")])
        for line in named(tree, "gr_line")
        if words(line, "layer") == ["Edge.Cuts"]
    ]
    areas, dangling, bridging, invalid = polygonize_full(lines)
    if dangling.geoms or bridging.geoms or invalid.geoms or not areas.geoms:
        return None
    largest = max(areas.geoms, key=lambda area: area.envelope.area)
    return Polygon(largest.exterior, [hole.coords for hole in largest.interiors])
