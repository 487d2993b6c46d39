"""The router's grid: which nets may have copper at which cells, because of pads, holes and edges."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from shapely import Polygon, contains_xy, unary_union

from wiring.boards.layout import FRONT, Circle, Layout, Point, Track, Zone

#: From one line to the next: a third of the pitch of most pins, millimetres.
PITCH: Final = 1.27 / 3

#: The router's own dimensions. Tracks on neighbouring lines, and a via diagonally beside a track, keep the gap.
TRACK: Final = 0.2
WIDE: Final = 0.5
VIA: Final = 0.6
DRILL: Final = 0.3
GAP: Final = 0.18

#: From a hole to the next, and from copper to the outline.
_HOLES: Final = 0.27
_EDGE: Final = 0.3

#: Marks of cells: free, or nobody's; else the number of the net that may be there.
FREE: Final = 0
CLOSED: Final = -1

#: Front and back.
SIDES: Final = 2


def place(column: int, row: int) -> Point:
    """The place where two lines of a grid cross."""
    return round(column * PITCH, 4), round(row * PITCH, 4)


@dataclass(frozen=True, slots=True)
class Terminal:
    """A pad as the router sees it: its cells (on both sides, if it goes through), its centre."""

    net: int
    cells: tuple[int, ...]
    at: Point
    through: bool


class Grid:
    """Cells of a board on both sides; cell numbers count along x, then y, then side."""

    def __init__(self, layout: Layout) -> None:
        assert not isinstance(layout.outline, Circle), f"{layout.name}: only boards with corners are routed"
        self.layout = layout
        _, _, right, bottom = layout.box
        self.columns = int(right / PITCH) + 2
        self.rows = int(bottom / PITCH) + 2
        self.area = self.columns * self.rows
        self.nets = {net: number for number, net in enumerate(sorted(layout.nets), 1)}
        size = SIDES * self.area
        self.track = [FREE] * size
        """Where the centre of a track may be."""
        self.wide = [FREE] * size
        """Where the centre of a wide track may be."""
        self.via = [FREE] * self.area
        """Where a via may be."""
        self.off_plane = {zone.net: frozenset(self._off_plane(zone)) for zone in layout.zones}
        """Of each net with a plane the cells of the front where a via would miss it."""
        self._close_edges()
        self.terminals = tuple(_joined([*self._pads(), *self._fixed()]) if layout.fixed else self._pads())

    def point(self, cell: int) -> Point:
        """The place of a cell on the board."""
        row, column = divmod(cell % self.area, self.columns)
        return place(column, row)

    @cached_property
    def by_net(self) -> dict[int, list[Terminal]]:
        """The terminals of each net."""
        found: dict[int, list[Terminal]] = {}
        for terminal in self.terminals:
            found.setdefault(terminal.net, []).append(terminal)
        return found

    def _off_plane(self, zone: Zone) -> Iterator[int]:
        """Give the cells where a via would miss a plane: outside of it, or where another plane is filled first."""
        reach = VIA / 2 + GAP + zone.clearance
        own = Polygon(zone.points).buffer(-reach)
        others = [each for each in self.layout.zones if each.layer == zone.layer and each.priority > zone.priority]
        own = own.difference(unary_union([Polygon(each.points).buffer(reach) for each in others]))
        places = [self.point(cell) for cell in range(self.area)]
        met = contains_xy(own, [x for x, _ in places], [y for _, y in places])
        return (cell for cell in range(self.area) if not met[cell])

    def _close_edges(self) -> None:
        _, _, right, bottom = self.layout.box
        for half, marks in ((TRACK / 2, self.track), (WIDE / 2, self.wide), (VIA / 2, self.via)):
            least = half + _EDGE
            for cell in range(self.area):
                x, y = self.point(cell)
                if not (least <= x <= right - least and least <= y <= bottom - least):
                    for place in range(cell, len(marks), self.area):
                        marks[place] = CLOSED

    def _pads(self) -> Iterator[Terminal]:
        for part in self.layout.parts:
            for pad in part.footprint.pads:
                at = part.pad_at(pad)
                width, height = part.pad_size(pad)
                half = (width / 2, height / 2)
                net, gap = self.nets.get(part.nets.get(pad.number, ""), CLOSED), max(GAP, pad.free, part.bare)
                sides = range(SIDES) if pad.through else range(1)
                for side in sides:
                    self._claim(self.track, side, at, half, TRACK / 2 + gap, net)
                    self._claim(self.wide, side, at, half, WIDE / 2 + gap, net)
                self._claim(self.via, 0, at, half, VIA / 2 + gap, net)
                if pad.through:
                    reach = pad.drill / 2 + _HOLES + DRILL / 2
                    self._claim(self.via, 0, at, (0.0, 0.0), reach, CLOSED)
                else:
                    # Solder would flow into a hole in a pad.
                    self._claim(self.via, 0, at, half, VIA / 2 + 0.05, CLOSED)
                if net != CLOSED:
                    inner = (half[0] - 0.04, half[1] - 0.04)
                    flat = list(self._near(at, inner, 0.0))
                    if pad.through and width == height:
                        # It may be round, without copper at its corners.
                        flat = [cell for cell in flat if math.dist(self.point(cell), at) < inner[0]]
                    cells = tuple(cell + side * self.area for side in sides for cell in flat)
                    assert cells, f"{part.ref} pad {pad.number}: no line of the grid crosses it"
                    yield Terminal(net, cells, at, pad.through)

    def _fixed(self) -> Iterator[Terminal]:
        """The tracks that are there before the router begins."""
        for track in self.layout.fixed:
            net, half, side = self.nets[track.net], track.width / 2, 0 if track.layer == FRONT else 1
            for marks, probe, on in ((self.track, TRACK, side), (self.wide, WIDE, side), (self.via, VIA, 0)):
                self._keep(marks, on, self._along(track, half + probe / 2 + GAP), net)
            cells = tuple(flat + side * self.area for flat in self._along(track, half - 0.04))
            assert cells, f"{track.net}: no line of the grid crosses its track at {track.a}"
            yield Terminal(net, cells, track.a, False)

    def _along(self, track: Track, reach: float) -> Iterator[int]:
        """The cells of the front nearer than ``reach`` to the middle of a track."""
        (ax, ay), (bx, by) = track.a, track.b
        dx, dy = bx - ax, by - ay
        middle, half = ((ax + bx) / 2, (ay + by) / 2), (abs(dx) / 2, abs(dy) / 2)
        for flat in self._near(middle, half, reach):
            x, y = self.point(flat)
            share = min(1.0, max(0.0, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy)))
            if math.dist((x, y), (ax + share * dx, ay + share * dy)) < reach - 1e-6:
                yield flat

    def _claim(
        self, marks: list[int], side: int, at: Point, half: tuple[float, float], reach: float, net: int
    ) -> None:
        """Keep the cells within ``reach`` of a rectangle for one net; for none, where another has them."""
        self._keep(marks, side, self._near(at, half, reach), net)

    def _keep(self, marks: list[int], side: int, cells: Iterable[int], net: int) -> None:
        for flat in cells:
            cell = flat + side * self.area
            marks[cell] = net if marks[cell] in (FREE, net) else CLOSED

    def _near(self, at: Point, half: tuple[float, float], reach: float) -> Iterator[int]:
        """The cells of the front nearer than ``reach`` to a rectangle, or on it."""
        (x, y), (dx, dy) = at, half
        for row in range(
            max(0, math.ceil((y - dy - reach) / PITCH)), min(self.rows - 1, int((y + dy + reach) / PITCH)) + 1
        ):
            down = max(abs(row * PITCH - y) - dy, 0.0)
            for column in range(
                max(0, math.ceil((x - dx - reach) / PITCH)),
                min(self.columns - 1, int((x + dx + reach) / PITCH)) + 1,
            ):
                across = max(abs(column * PITCH - x) - dx, 0.0)
                if reach == 0.0 or math.hypot(across, down) < reach - 1e-6:
                    yield row * self.columns + column


def _joined(terminals: list[Terminal]) -> list[Terminal]:
    """The terminals with those in one that tracks for currents connect already."""
    found: list[Terminal] = []
    for one in terminals:
        apart: list[Terminal] = []
        for other in found:
            if other.net == one.net and not set(other.cells).isdisjoint(one.cells):
                cells = tuple(dict.fromkeys((*other.cells, *one.cells)))
                one = Terminal(one.net, cells, other.at, one.through or other.through)
            else:
                apart.append(other)
        found = [*apart, one]
    return found


def stamps(columns: int) -> dict[tuple[str, str], tuple[int, ...]]:
    """Offsets of the cells that a piece of copper closes to others, by what it is and what the other is."""
    radii = {"track": TRACK / 2, "wide": WIDE / 2, "via": VIA / 2}
    found = {}
    for own, radius in radii.items():
        for other, probe in radii.items():
            reach = radius + probe + GAP - 1e-6
            most = int(reach / PITCH)
            found[own, other] = tuple(
                row * columns + column
                for row in range(-most, most + 1)
                for column in range(-most, most + 1)
                if math.hypot(row, column) * PITCH < reach
            )
    return found
