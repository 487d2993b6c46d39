"""The resistance of a net of tracks, from pad to pad through both sides of a board."""

from __future__ import annotations

import math
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
        source, drain = ({self._root(self._pads[name]) for name in names} for names in (one, other))
        found = {self._root(node) for link in self._links for node in link[:2]} | source | drain
        number = {node: 2 + place for place, node in enumerate(sorted(found - source - drain))}
        number |= dict.fromkeys(source, 0) | dict.fromkeys(drain, 1)
        matrix = np.zeros((2 + len(found - source - drain),) * 2)
        for first, second, ohms in self._links:
            a, b = number[self._root(first)], number[self._root(second)]
            if a != b:
                conductance = 1 / max(ohms, 1e-9)
                matrix[[a, b], [a, b]] += conductance
                matrix[[a, b], [b, a]] -= conductance
        current = np.zeros(len(matrix))
        current[0] = 1.0
        # The drain is at zero volts; a piece that hangs on neither end is held there as well.
        matrix = np.delete(np.delete(matrix, 1, 0), 1, 1) + np.eye(len(matrix) - 1) * 1e-12
        volts = float(np.linalg.solve(matrix, np.delete(current, 1))[0])
        if volts > 1e6:
            raise ValueError("no track connects the pads")
        return volts


def _beside(track: ReadTrack, point: Point) -> tuple[float, float]:
    """How far along a track a point is, and how far beside its middle."""
    (ax, ay), (bx, by) = track.a, track.b
    length = math.dist(track.a, track.b) or 1.0
    dx, dy = (bx - ax) / length, (by - ay) / length
    x, y = point[0] - ax, point[1] - ay
    return round(x * dx + y * dy, 5), abs(x * dy - y * dx)
