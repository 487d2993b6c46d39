"""Resistance of copper from its shape: a sheet by potentials on a mesh, a net of tracks as a network."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy import sparse
from scipy.sparse.linalg import splu
from shapely import contains_xy, prepare
from shapely.geometry import Point as ShapelyPoint
from shapely.geometry.base import BaseGeometry
from shapely.ops import unary_union

from wiring.boards.checking import net_copper
from wiring.boards.layout import PadName, Point
from wiring.boards.reading import BoardFile, ReadTrack

#: Ohms of a square of copper of 35 µm, as factories make it, at 60 °C: 17.2 nΩm at 20 °C and 0.39 % more a kelvin.
SQUARE: Final = 17.2e-9 / 35e-6 * (1 + 0.0039 * 40)

#: The same inside a board of four layers, where cheap factories use foil of half the thickness.
INNER_SQUARE: Final = 2 * SQUARE

#: From a pad's edge to where the plane around it surely begins, in millimetres.
_AROUND: Final = 0.4

#: Side of the mesh's squares in millimetres, and what holds a piece of copper that is connected to nothing.
_PITCH: Final = 0.2
_BARELY: Final = 1e-12

_Cells = NDArray[np.bool_]
_Values = NDArray[np.float64]


def resistance(
    board: BoardFile, layer: str, one: set[PadName], other: set[PadName], pitch: float = _PITCH
) -> float:
    """Ohms on a layer between two sets of pads of a net, those of each as if soldered together.

    Raises `ValueError` where the layer does not connect them.
    """
    pads = {(pad.ref, pad.number): pad for pad in board.pads}
    net = pads[next(iter(one))].net
    ends = [unary_union([pads[name].area for name in names]) for names in (one, other)]
    return SQUARE * squares(net_copper(board, net, layer), ends[0], ends[1], pitch)


def squares(sheet: BaseGeometry, one: BaseGeometry, other: BaseGeometry, pitch: float = _PITCH) -> float:
    """The resistance between two areas of a sheet, in squares. Raises `ValueError` where nothing connects them."""
    copper, source, drain = _rasters(sheet, (one, other), pitch)
    mesh = _Mesh(copper)
    potential = mesh.potentials(source | drain, source.astype(np.float64), np.zeros(copper.shape))
    flow = float(mesh.outflow(potential)[source].sum())
    if flow < 1e-6:
        raise ValueError("no copper between the pads on this layer")
    return 1 / flow


def plane_drop(
    board: BoardFile, layer: str, source: set[PadName], loads: Mapping[PadName, float], pitch: float = 0.5
) -> float:
    """Volts at most between a plane at its source and at one of its loads (A), on an inner layer.

    The copper between plane and pad is taken as closed: it is as long as it is wide in all. Raises `ValueError`.
    """
    pads = {(pad.ref, pad.number): pad for pad in board.pads}
    net = pads[next(iter(source))].net
    planes = [plane.area for plane in board.planes if plane.net == net and plane.layer == layer]
    own = {name: pads[name].area.buffer(_AROUND) for name in (*source, *loads)}
    sheet = unary_union([*planes, *own.values()])
    areas = (unary_union([own[name] for name in source]), *(own[name] for name in loads))
    copper, here, *places = _rasters(sheet, areas, pitch)
    inflow = np.zeros(copper.shape)
    for place, current in zip(places, loads.values(), strict=True):
        place &= ~here
        inflow[place] += current / place.sum()
    potential = _Mesh(copper).potentials(here, np.zeros(copper.shape), inflow)
    return INNER_SQUARE * max(float(potential[place].mean()) for place in places)


def _rasters(sheet: BaseGeometry, areas: tuple[BaseGeometry, ...], pitch: float) -> list[_Cells]:
    """The mesh's cells that are on a sheet, then those of them that are in each area."""
    left, top, right, bottom = sheet.bounds
    columns, rows = int((right - left) / pitch) + 2, int((bottom - top) / pitch) + 2
    x, y = np.meshgrid(left + pitch * (np.arange(columns) - 0.5), top + pitch * (np.arange(rows) - 0.5))
    copper = _inside(sheet, x, y)
    return [copper, *(copper & _inside(area, x, y) for area in areas)]


def _inside(area: BaseGeometry, x: _Values, y: _Values) -> _Cells:
    prepare(area)
    found: _Cells = contains_xy(area, x, y)
    return found


class _Mesh:
    """Cells of copper as resistors of one square between neighbours."""

    def __init__(self, copper: _Cells) -> None:
        self._copper = copper
        number = np.cumsum(copper.ravel()).reshape(copper.shape) - 1
        across, down = copper[:, 1:] & copper[:, :-1], copper[1:, :] & copper[:-1, :]
        one = np.concatenate((number[:, :-1][across], number[:-1, :][down]))
        other = np.concatenate((number[:, 1:][across], number[1:, :][down]))
        count = int(copper.sum())
        near = sparse.coo_array((np.ones(len(one)), (one, other)), shape=(count, count)).tocsr()
        near = near + near.T
        self._matrix = (sparse.diags_array(near.sum(axis=1)) - near).tocsr()

    def outflow(self, potential: _Values) -> _Values:
        """The current out of each cell into its neighbours."""
        found = np.zeros(self._copper.shape)
        found[self._copper] = self._matrix @ potential[self._copper]
        return found

    def potentials(self, held: _Cells, volts: _Values, inflow: _Values) -> _Values:
        """The potentials at which each cell that is not ``held`` at its ``volts`` gives what flows in."""
        on = held[self._copper]
        free, fixed = np.flatnonzero(~on), np.flatnonzero(on)
        rest = inflow[self._copper][free] - self._matrix[free][:, fixed] @ volts[self._copper][fixed]
        # A piece that hangs nowhere is held, too, though only just.
        own = self._matrix[free][:, free] + _BARELY * sparse.eye_array(len(free))
        values = volts[self._copper].copy()
        values[free] = splu(own.tocsc()).solve(rest)
        found = np.zeros(self._copper.shape)
        found[self._copper] = values
        return found


#: Ohms of a via's plating: 1.6 mm long, 0.3 mm wide, 20 µm thick, at 60 °C.
VIA: Final = 17.2e-9 * (1 + 0.0039 * 40) * 1.6e-3 / (math.pi * 0.3e-3 * 20e-6)

#: A point of the network: its layer and place, rounded; a pad has no layer.
_Node = tuple[str, float, float]


class TrackNetwork:
    """The tracks, vias and pads of one net as resistors. Where a track's end lies on another track, both meet."""

    def __init__(self, board: BoardFile, net: str) -> None:
        self._parent: dict[_Node, _Node] = {}
        self._links: list[tuple[_Node, _Node, float]] = []
        self._tracks = [track for track in board.tracks if track.net == net]
        ends = {(track.layer, *end) for track in self._tracks for end in (track.a, track.b)}
        vias = [via for via in board.vias if via.net == net]
        ends |= {(layer, *via.at) for via in vias for layer in board.layers}
        for track in self._tracks:
            self._cut(track, ends)
        for via in vias:
            nodes = [(layer, *via.at) for layer in board.layers]
            self._links += [(one, other, VIA) for one, other in pairwise(nodes)]
        self._pads: dict[PadName, _Node] = {}
        for pad in board.pads:
            if pad.net == net:
                own = self._pads[pad.ref, pad.number] = ("", *pad.at)
                area = pad.area
                for end in ends:
                    if pad.copper(end[0]) and area.distance(ShapelyPoint(end[1:])) < 1e-3:
                        self._join(own, end)

    def _cut(self, track: ReadTrack, ends: set[_Node]) -> None:
        """The pieces of a track between all ends that lie on it."""
        length = math.dist(track.a, track.b)
        on = {0.0: (track.layer, *track.a), length: (track.layer, *track.b)}
        for end in ends:
            along, beside = _beside(track, end[1:])
            if end[0] == track.layer and 0 <= along <= length and beside <= track.width / 2:
                if along in on:
                    self._join(on[along], end)
                else:
                    on[along] = end
        for (one, first), (other, second) in pairwise(sorted(on.items())):
            self._links.append((first, second, SQUARE * (other - one) / track.width))

    def _root(self, node: _Node) -> _Node:
        while self._parent.get(node, node) != node:
            node = self._parent[node]
        return node

    def _join(self, one: _Node, other: _Node) -> None:
        self._parent[self._root(one)] = self._root(other)

    def resistance(self, one: set[PadName], other: set[PadName]) -> float:
        """Ohms between two sets of pads, those of each as if in one. Raises `ValueError` where no track is."""
        for name in one:
            self._join(self._pads[name], self._pads[min(one)])
        return self.drops(other, {min(one): 1.0})[min(one)]

    def drops(self, source: set[PadName], loads: Mapping[PadName, float]) -> dict[PadName, float]:
        """Volts between the source's pads, as if in one, and each load (A). Raises `ValueError` as before."""
        held = {self._root(self._pads[name]) for name in source}
        found = {self._root(node) for link in self._links for node in link[:2]}
        found |= {self._root(self._pads[name]) for name in loads}
        number = {node: place for place, node in enumerate(sorted(found - held))}
        last = len(number)
        matrix = np.zeros((last + 1, last + 1))
        for first, second, ohms in self._links:
            a, b = (number.get(self._root(node), last) for node in (first, second))
            if a != b:
                conductance = 1 / max(ohms, 1e-9)
                matrix[[a, b], [a, b]] += conductance
                matrix[[a, b], [b, a]] -= conductance
        current = np.zeros(last)
        places = {name: number.get(self._root(self._pads[name]), last) for name in loads}
        for name, amount in loads.items():
            if places[name] != last:
                current[places[name]] += amount
        # A piece that hangs nowhere is held, too, though only just.
        volts = np.append(np.linalg.solve(matrix[:last, :last] + np.eye(last) * 1e-12, current), 0.0)
        if volts.max() > 1e6:
            raise ValueError("no track connects the pads")
        return {name: float(volts[place]) for name, place in places.items()}


def _beside(track: ReadTrack, point: Point) -> tuple[float, float]:
    """The distances (mm) of a point from the track's beginning, along the track, and from its middle line."""
    (ax, ay), (bx, by) = track.a, track.b
    length = math.dist(track.a, track.b) or 1.0
    dx, dy = (bx - ax) / length, (by - ay) / length
    x, y = point[0] - ax, point[1] - ay
    return round(x * dx + y * dy, 5), abs(x * dy - y * dx)
