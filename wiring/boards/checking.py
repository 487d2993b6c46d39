"""Finds what the copper of a board file connects, by its shapes alone, and each fault by its name and place.

Gaps, widths, holes, edges and overlaps are KiCad's to check (`kicad.violations`): it finds each that is planted.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Final

from shapely import MultiPolygon, Polygon, STRtree, dwithin, prepare, unary_union
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from wiring.boards.kicad import OFFSET
from wiring.boards.layout import BACK, FRONT, Circle, Footprint, Layout, PadName, Placed, Point, Wanted
from wiring.boards.reading import BoardFile, ReadPad, ReadPart, ReadVia

#: Shapes that overlap by less, in millimetres, do not touch.
_TOUCH = 1e-4


@dataclass(frozen=True, slots=True)
class Piece:
    """A piece of copper on one layer; ``body`` is the same for all pieces of one pad or via."""

    body: int
    layer: str
    net: str
    area: BaseGeometry
    name: str
    plane: bool = False


@dataclass(frozen=True, slots=True)
class Short:
    """Two pieces of copper of different nets that touch: their names, their nets, and where."""

    names: tuple[str, str]
    nets: tuple[str, str]
    at: Point


@dataclass(frozen=True, slots=True)
class Copper:
    """The copper of a board: ``islands`` are the sets of pads (designator, number) that it connects."""

    islands: tuple[frozenset[tuple[str, str]], ...]
    shorts: tuple[Short, ...]


def copper_of(board: BoardFile) -> Copper:
    """The pads that are connected, and pieces of two nets that touch."""
    pieces = list(_pieces(board))
    parent = list(range(1 + max((piece.body for piece in pieces), default=0)))

    def root(body: int) -> int:
        while parent[body] != body:
            parent[body] = parent[parent[body]]
            body = parent[body]
        return body

    shorts: list[Short] = []
    for layer in board.layers:
        for one, other in _touching([piece for piece in pieces if piece.layer == layer]):
            parent[root(one.body)] = root(other.body)
            if one.net != other.net:
                place = nearest_points(one.area, other.area)[0]
                at = (round(place.x, 3), round(place.y, 3))
                shorts.append(Short((one.name, other.name), (one.net, other.net), at))
    islands: dict[int, set[tuple[str, str]]] = {}
    for number, pad in enumerate(board.pads):
        islands.setdefault(root(number), set()).add((pad.ref, pad.number))
    return Copper(tuple(map(frozenset, islands.values())), tuple(shorts))


def net_copper(board: BoardFile, net: str, layer: str) -> BaseGeometry:
    """All copper of a net on a layer, pads with it, as one shape."""
    tracks = [track.area for track in board.tracks if track.net == net and track.layer == layer]
    planes = [plane.area for plane in board.planes if plane.net == net and plane.layer == layer]
    pads = [pad.area for pad in board.pads if pad.net == net and pad.copper(layer)]
    return unary_union([*tracks, *planes, *pads])


def _touching(pieces: list[Piece]) -> Iterator[tuple[Piece, Piece]]:
    """The pairs of pieces of two bodies that touch; a plane, of many corners, comes first."""
    planes = [piece for piece in pieces if piece.plane]
    small = [piece for piece in pieces if not piece.plane]
    areas = [piece.area for piece in small]
    if small:
        tree = STRtree(areas)
        first, second = tree.query(areas, predicate="dwithin", distance=_TOUCH)
        for a, b in zip(first.tolist(), second.tolist(), strict=True):
            if a < b and small[a].body != small[b].body:
                yield small[a], small[b]
    for number, plane in enumerate(planes):
        prepare(plane.area)
        near = dwithin(plane.area, areas, _TOUCH).tolist() if small else []
        yield from ((plane, piece) for piece, is_near in zip(small, near, strict=True) if is_near)
        for other in planes[number + 1 :]:
            if dwithin(plane.area, other.area, _TOUCH):
                yield plane, other


def _pieces(board: BoardFile) -> Iterator[Piece]:
    """All copper of a board. Pads, vias, tracks and planes are bodies; the pads come first, in their order."""
    body = -1
    for pad in board.pads:
        body += 1
        yield from _on_layers(board, body, pad, f"{pad.ref} pad {pad.number}")
    for via in board.vias:
        body += 1
        yield from _on_layers(board, body, via, f"a via of {via.net}")
    for track in board.tracks:
        body += 1
        yield Piece(body, track.layer, track.net, track.area, f"a track of {track.net}")
    for plane in board.planes:
        body += 1
        yield Piece(body, plane.layer, plane.net, plane.area, f"the plane of {plane.net}", plane=True)


def _on_layers(board: BoardFile, body: int, item: ReadPad | ReadVia, name: str) -> Iterator[Piece]:
    area = item.area
    for layer in board.layers:
        if isinstance(item, ReadVia) or (item.copper(layer) and (not item.drill or item.plated)):
            yield Piece(body, layer, item.net, area, name)


#: Rounding of a file, in millimetres.
_ROUND: Final = 0.002

#: The farthest that a capacitor of 100 nF may be from the pin that it serves, pad to pad.
DECOUPLING: Final = 5.0


class Fault(Enum):
    """The faults that are looked for; the value is how a report names each."""

    LAYERS = "layers of copper"
    THICKNESS = "thickness"
    OUTLINE = "outline"
    MISSING = "part missing"
    STRANGE = "part that the circuit has not"
    FOOTPRINT = "wrong footprint"
    VALUE = "wrong value"
    MIRRORED = "mirrored"
    TURNED = "turned"
    MOVED = "not in its place"
    PAD = "pad not as in the library"
    PAD_LAYERS = "pad's layers not as they must be"
    DRILL = "wrong drill"
    NET = "pad marked with a wrong net"
    CUT = "net cut"
    SHORT = "nets touch"
    THIN = "copper too narrow for its current"
    DECOUPLING = "capacitor too far from its pin"
    BARE = "copper beside a mark or under a screw"


@dataclass(frozen=True, slots=True)
class Problem:
    """A fault, the part, net or place that it is at, and what is there."""

    fault: Fault
    subject: str
    detail: str

    def __str__(self) -> str:
        return f"{self.subject}: {self.fault.value}; {self.detail}"


def problems(board: BoardFile, wanted: Wanted) -> list[Problem]:
    """Everything that is wrong with a board file; empty when it may be ordered."""
    return [
        *_form(board, wanted.layout),
        *_parts(board, wanted.layout),
        *_nets(board, copper_of(board), wanted),
        *_buffers(board, wanted),
        *_ways(board, wanted),
        *_bare(board, wanted.layout),
    ]


def _form(board: BoardFile, layout: Layout) -> Iterator[Problem]:
    for via in board.vias:
        if via.layers != ("F.Cu", "B.Cu"):
            yield Problem(Fault.LAYERS, f"via of {via.net}", f"{' to '.join(via.layers)}; it must go through")
    if board.layers != layout.copper:
        yield Problem(
            Fault.LAYERS, layout.name, f"{', '.join(board.layers)}; wanted are {', '.join(layout.copper)}"
        )
    if abs(board.thickness - layout.thickness) > _ROUND:
        yield Problem(Fault.THICKNESS, layout.name, f"{board.thickness:g} mm; wanted are {layout.thickness:g} mm")
    shape = _outline(layout)
    if board.outline is None:
        yield Problem(Fault.OUTLINE, layout.name, "its lines do not close")
    elif board.outline.symmetric_difference(shape).area > _ROUND * shape.length:
        size = "{2:g} × {3:g}".format(*_size(board.outline))
        yield Problem(
            Fault.OUTLINE, layout.name, f"{size} mm; wanted are {'{2:g} × {3:g}'.format(*_size(shape))} mm"
        )


def _size(shape: Polygon) -> tuple[float, float, float, float]:
    left, top, right, bottom = shape.bounds
    return left, top, round(right - left, 3), round(bottom - top, 3)


def _outline(layout: Layout) -> Polygon:
    match layout.outline:
        case Circle((x, y), radius):
            return ShapelyPoint(x + OFFSET[0], y + OFFSET[1]).buffer(radius, quad_segs=64)
        case points:
            return Polygon(_offset(points), [_offset(cutout) for cutout in layout.cutouts])


def _offset(points: tuple[Point, ...]) -> list[Point]:
    return [(x + OFFSET[0], y + OFFSET[1]) for x, y in points]


def _parts(board: BoardFile, layout: Layout) -> Iterator[Problem]:
    there, want = {part.ref: part for part in board.parts}, {part.ref: part for part in layout.parts}
    for ref in sorted(want.keys() - there.keys()):
        yield Problem(Fault.MISSING, ref, f"wanted is {want[ref].value}")
    for ref in sorted(there.keys() - want.keys()):
        yield Problem(Fault.STRANGE, ref, f"{there[ref].value} is there")
    for ref in sorted(there.keys() & want.keys()):
        yield from _part(there[ref], want[ref])


def _part(there: ReadPart, want: Placed) -> Iterator[Problem]:
    ref = there.ref
    if there.footprint.split(":")[-1] != want.footprint.key.split(":")[-1]:
        yield Problem(Fault.FOOTPRINT, ref, f"{there.footprint}; wanted is {want.footprint.key}")
        return
    if there.value != want.value:
        yield Problem(Fault.VALUE, ref, f"{there.value}; wanted is {want.value}")
    fits = _fits(there, want.footprint, 1)
    if there.side != "F" or (
        not fits and (_fits(there, want.footprint, -1) or _fits(there, want.footprint, -1, -1))
    ):
        yield Problem(Fault.MIRRORED, ref, "it must lie on the front as it is seen from above")
        return
    if not fits:
        yield Problem(Fault.PAD, ref, f"its pads are not those of {want.footprint.key}")
    distance = math.dist(there.at, (want.x + OFFSET[0], want.y + OFFSET[1]))
    if distance > _ROUND:
        yield Problem(Fault.MOVED, ref, f"{distance:.2f} mm away from it")
    if (there.angle - want.angle) % 360 > 0.01:
        yield Problem(Fault.TURNED, ref, f"by {(there.angle - want.angle) % 360:g} degrees")
    for pad, own in zip(there.pads, want.footprint.pads, strict=False):
        name = f"{ref} pad {pad.number}"
        if abs(pad.drill - own.drill) > _ROUND:
            yield Problem(Fault.DRILL, name, f"{pad.drill:g} mm; wanted are {own.drill:g} mm")
        missing = sorted({"F.Mask"} - {layer.replace("*.Mask", "F.Mask") for layer in pad.layers})
        if missing or not (pad.copper("F.Cu") or not pad.number):
            yield Problem(Fault.PAD_LAYERS, name, f"{', '.join(pad.layers)}; it must be solderable from the front")
        elif not own.drill and want.order is not None and "F.Paste" not in pad.layers:
            yield Problem(Fault.PAD_LAYERS, name, "no paste is printed on it")


def _fits(there: ReadPart, footprint: Footprint, across: int, down: int = 1) -> bool:
    """True where a part's pads are those of its footprint, mirrored by signs of minus one."""
    if len(there.pads) != len(footprint.pads):
        return False
    return all(
        pad.number == own.number
        and math.dist(pad.within, (across * own.x, down * own.y)) < _ROUND
        and math.dist(pad.size, (own.width, own.height)) < _ROUND
        for pad, own in zip(there.pads, footprint.pads, strict=True)
    ) or (
        across < 0 < down
        and all(
            pad.number == own.number and math.dist(pad.within, (own.x, -own.y)) < _ROUND
            for pad, own in zip(there.pads, footprint.pads, strict=True)
        )
    )


def _nets(board: BoardFile, copper: Copper, wanted: Wanted) -> Iterator[Problem]:
    marked = {(pad.ref, pad.number): pad.net for pad in board.pads if pad.number}
    nets = wanted.nets[0]
    belongs = {pad: net for net, pads in nets.items() for pad in pads}
    for answer in wanted.nets[1:]:
        if answer != nets:
            wrong = sorted(net for net in nets.keys() | answer.keys() if nets.get(net) != answer.get(net))
            yield Problem(Fault.NET, ", ".join(wrong), "not the same at every place that this board is made for")
    for pad, net in sorted(marked.items()):
        if belongs.get(pad, "") != net:
            detail = f"marked {net or 'open'}; the circuit has {belongs.get(pad) or 'nothing'} there"
            yield Problem(Fault.NET, f"{pad[0]} pad {pad[1]}", detail)
    island = {pad: number for number, pads in enumerate(copper.islands) for pad in pads}
    for net, pads in nets.items():
        pieces: dict[int, list[PadName]] = {}
        for pad in sorted(pads & island.keys()):
            pieces.setdefault(island[pad], []).append(pad)
        if len(pieces) > 1:
            ends = " | ".join(", ".join(map(".".join, each[:4])) for each in pieces.values())
            yield Problem(Fault.CUT, net, f"{len(pieces)} pieces: {ends}")
    for each in copper.islands:
        on = sorted({belongs.get(pad, "") for pad in each if pad[1]} - {""})
        if len(on) > 1:
            yield Problem(
                Fault.SHORT, " and ".join(on), f"connected: {', '.join(map('.'.join, sorted(each)[:6]))}"
            )
    for short in copper.shorts:
        yield Problem(
            Fault.SHORT, " and ".join(sorted(short.nets)), f"{' and '.join(short.names)} at {_place(short.at)}"
        )


def _place(point: Point) -> str:
    """A place as the board's own coordinates have it."""
    return f"({point[0] - OFFSET[0]:.2f}, {point[1] - OFFSET[1]:.2f})"


def _buffers(board: BoardFile, wanted: Wanted) -> Iterator[Problem]:
    pads = {(pad.ref, pad.number): pad for pad in board.pads}
    for buffer in wanted.buffers:
        one, other = pads.get(buffer.capacitor), pads.get(buffer.supply)
        if one is None or other is None:
            continue
        distance = one.area.distance(other.area)
        if distance > DECOUPLING:
            detail = f"{distance:.1f} mm from {'.'.join(buffer.supply)}; allowed are {DECOUPLING:g} mm"
            yield Problem(Fault.DECOUPLING, buffer.capacitor[0], detail)


def _ways(board: BoardFile, wanted: Wanted) -> Iterator[Problem]:
    pads = {(pad.ref, pad.number): pad for pad in board.pads}
    bodies: dict[tuple[str, str], BaseGeometry] = {}
    for way in wanted.ways:
        one, other = pads.get(way.a), pads.get(way.b)
        if one is None or other is None:
            continue
        reach = way.width / 2
        for layer in board.layers:
            if (one.net, layer) not in bodies:
                bodies[one.net, layer] = net_copper(board, one.net, layer)
            # What is left of the copper when its edges are taken off is as far from them as the pads are at most.
            core = bodies[one.net, layer].buffer(_ROUND - reach)
            cores = core.geoms if isinstance(core, MultiPolygon) else [core]
            if any(max(each.distance(one.area), each.distance(other.area)) <= reach for each in cores if each):
                break
        else:
            ends = f"from {'.'.join(way.a)} to {'.'.join(way.b)}"
            yield Problem(Fault.THIN, one.net, f"{ends} it is narrower than {way.width:g} mm")


def _bare(board: BoardFile, layout: Layout) -> Iterator[Problem]:
    """Around a mark, which a camera knows by the bare board, and under the head of a screw, on both sides."""
    vias = [(f"a via of {via.net}", via.area) for via in board.vias]
    for part in layout.parts:
        for own in part.footprint.pads:
            if not (part.bare or own.free):
                continue
            x, y = part.pad_at(own)
            reach = own.width / 2 + max(own.free, part.bare)
            bare = ShapelyPoint(x + OFFSET[0], y + OFFSET[1]).buffer(reach - _ROUND)
            for layer in (FRONT, BACK) if part.bare else (FRONT,):
                near = [(f"a track of {track.net}", track.area) for track in board.tracks if track.layer == layer]
                # A plane of ground may lie under a screw.
                near += [
                    (f"the plane of {plane.net}", plane.area)
                    for plane in board.planes
                    if plane.layer == layer and own.free
                ]
                near += [
                    (f"{pad.ref} pad {pad.number}", pad.area)
                    for pad in board.pads
                    if pad.copper(layer) and pad.ref != part.ref
                ]
                for name, area in (*near, *vias):
                    if area.intersects(bare):
                        yield Problem(Fault.BARE, part.ref, f"{name} within {reach:g} mm of its centre, {layer}")
