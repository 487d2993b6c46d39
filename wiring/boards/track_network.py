"""The resistance of a net of tracks, from pad to pad through both sides of a board."""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import pairwise
from typing import Final

import numpy as np
from shapely.geometry import Point as ShapelyPoint

from wiring.boards.layout import Point
from wiring.boards.reading import BoardFile, ReadTrack
from wiring.boards.resistance import SQUARE
from wiring.boards.wanted import PadName

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
