"""Finds what the copper of a board file connects, by its shapes alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from shapely import STRtree, dwithin, prepare, unary_union
from shapely.geometry.base import BaseGeometry
from shapely.ops import nearest_points

from wiring.boards.layout import Point
from wiring.boards.reading import BoardFile, ReadPad, ReadVia

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
