"""The router: a grid of cells, and the nets' ways over it.

The router: finds tracks and vias for a placed board, the same ones each time.

The router's grid: which nets may have copper at which cells, because of pads, holes and edges.

Negotiated congestion (PathFinder, McMurchie and Ebeling 1995): nets may share cells and pay ever more for it.

All nets are routed by A*; those that share copper with others are ripped up and routed again, until none does.
What was fought for keeps a price. There is no randomness: the same board gives the same tracks.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from heapq import heappop, heappush
from itertools import pairwise
from typing import Final

from shapely import Polygon, contains_xy, unary_union

from wiring.boards.layout import BACK, FRONT, Circle, Layout, Point, Track, Via, Zone

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
EDGE: Final = 0.4

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
            least = half + EDGE
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


#: Costs of a step, of a diagonal one, of a via, and of steps across the direction that a side prefers: up and down
#: on the front, left and right on the back.
_STEP, _DIAGONAL, _VIA, _ACROSS = 10, 17, 80, 6

#: What a step costs besides on a side that is a plane: each track cuts it.
_CUTS = 30

#: What the way still to go counts: more than its least cost, which makes the search far quicker.
_AHEAD = 1.5

#: What a cell of another net costs in the first round, by how much it grows, and its most.
_PRESENT, _GROWTH, _HIGHEST = 12.0, 1.5, 4000.0
_HISTORY = 8.0

#: Rounds after which it is given up.
_ROUNDS = 60


#: So many cells back a way must not have a hole beside its next one.
_LOOKED_BACK = 8


class RoutingError(Exception):
    """A board cannot be routed as it is placed; one line."""


@dataclass
class _Route:
    """The copper of a net: paths of cells, holes (cells of the front), and the cells that it closes to others."""

    wide: bool
    paths: list[list[int]] = field(default_factory=list)
    vias: set[int] = field(default_factory=set)
    track: set[int] = field(default_factory=set)
    broad: set[int] = field(default_factory=set)
    via: set[int] = field(default_factory=set)


class Router:
    """Routes a grid. ``planes`` have layers of their own, their pads need a via each; ``wide`` is for currents."""

    def __init__(self, grid: Grid, planes: Iterable[str], wide: Iterable[str]) -> None:
        self.grid = grid
        self.names = {number: name for name, number in grid.nets.items()}
        self.planes = {grid.nets[name] for name in planes if name in grid.nets}
        self.wide = {grid.nets[name] for name in wide if name in grid.nets}
        self.stamps = stamps(grid.columns)
        size = 2 * grid.area
        self.taken_track = [0] * size
        self.taken_wide = [0] * size
        self.taken_via = [0] * grid.area
        self.history = [0.0] * size
        self.routes: dict[int, _Route] = {}
        self.present = _PRESENT
        self.cuts = _CUTS if any(zone.layer == BACK for zone in grid.layout.zones) else 0

    def run(self, tell: Callable[[str], None] = lambda line: None) -> None:
        """Route all nets. Raises `RoutingError`."""
        nets = [net for net, terminals in self.grid.by_net.items() if len(terminals) > 1 or net in self.planes]
        todo = sorted(nets, key=lambda net: (net in self.planes, self._extent(net), net))
        for number in range(1, _ROUNDS + 1):
            for net in todo:
                before = self.routes.pop(net, None)
                keep = self._sound(before) if before and net in self.planes else []
                if before:
                    self._count(before, -1)
                self.routes[net] = self._route(net, keep)
                self._count(self.routes[net], 1)
            fought = self._conflicts()
            few = f": {', '.join(sorted(self.names[net] for net in fought))}" if 0 < len(fought) < 5 else ""
            tell(f"round {number}: {len(todo)} nets routed, {len(fought)} share copper{few}")
            if not fought:
                return
            todo = sorted(fought, key=lambda net: (net in self.planes, self._extent(net), net))
            self.present = min(self.present * _GROWTH, _HIGHEST)
        left = ", ".join(sorted(self.names[net] for net in todo))
        raise RoutingError(f"{self.grid.layout.name}: {left} share copper")

    def _extent(self, net: int) -> float:
        places = [terminal.at for terminal in self.grid.by_net[net]]
        xs, ys = [x for x, _ in places], [y for _, y in places]
        return round(max(xs) - min(xs) + max(ys) - min(ys), 3)

    def _count(self, route: _Route, by: int) -> None:
        for cell in route.track:
            self.taken_track[cell] += by
        for cell in route.broad:
            self.taken_wide[cell] += by
        for cell in route.via:
            self.taken_via[cell] += by

    def _conflicts(self) -> list[int]:
        """The nets whose copper is too near to another's; what they fight for gets dearer."""
        found = []
        for net, route in self.routes.items():
            taken = self.taken_wide if route.wide else self.taken_track
            fought = [cell for path in route.paths for cell in (*path, *self._corners(path)) if taken[cell] > 1]
            holes = [flat for flat in route.vias if self.taken_via[flat] > 1]
            for cell in {*fought, *holes, *(flat + self.grid.area for flat in holes)}:
                self.history[cell] += _HISTORY + self.present / 4
            if fought or holes:
                found.append(net)
        return found

    def _sound(self, route: _Route) -> list[list[int]]:
        """The paths of a route that share nothing with another net."""
        area = self.grid.area
        return [
            path
            for path in route.paths
            if all(self.taken_track[cell] < 2 for cell in (*path, *self._corners(path)))
            and self.taken_via[path[-1] % area] < 2
        ]

    def _route(self, net: int, keep: list[list[int]]) -> _Route:
        """Route a net anew. Of a net with a plane only the pads are routed whose path is not among ``keep``."""
        terminals = self.grid.by_net[net]
        route = _Route(net in self.wide)
        if net in self.planes:
            for path in keep:
                self._add(route, path)
            begun = {path[0] for path in keep}
            for terminal in terminals:
                if not terminal.through and begun.isdisjoint(terminal.cells):
                    self._add(route, self._search(net, route, set(terminal.cells), None))
        else:
            self._join(net, route, terminals)
        self._close(route)
        return route

    def _join(self, net: int, route: _Route, terminals: list[Terminal]) -> None:
        """Grow a tree from the first pad to the pad that is nearest to it, and so on."""
        tree, reached, rest = set(terminals[0].cells), [terminals[0]], list(terminals[1:])
        while rest:
            target = min(rest, key=lambda each: (min(math.dist(each.at, one.at) for one in reached), each.at))
            rest.remove(target)
            reached.append(target)
            path = self._search(net, route, tree, target)
            self._add(route, path)
            tree |= {*path, *target.cells}
            for flat in route.vias:
                tree |= {flat, flat + self.grid.area}

    def _add(self, route: _Route, path: list[int]) -> None:
        route.paths.append(path)
        area = self.grid.area
        for one, other in pairwise(path):
            if one % area == other % area:
                route.vias.add(one % area)

    def _close(self, route: _Route) -> None:
        """Note the cells that a route closes to tracks, wide tracks and vias of others."""
        area, own = self.grid.area, "wide" if route.wide else "track"
        size = 2 * area
        for cell in {cell for path in route.paths for cell in path}:
            route.track.update(cell + by for by in self.stamps[own, "track"])
            route.broad.update(cell + by for by in self.stamps[own, "wide"])
            route.via.update(cell % area + by for by in self.stamps[own, "via"])
        for path in route.paths:
            route.track.update(self._corners(path))
            route.broad.update(self._corners(path))
        for flat in route.vias:
            for side in (0, area):
                route.track.update(flat + side + by for by in self.stamps["via", "track"])
                route.broad.update(flat + side + by for by in self.stamps["via", "wide"])
            route.via.update(flat + by for by in self.stamps["via", "via"])
        route.track = {cell for cell in route.track if 0 <= cell < size}
        route.broad = {cell for cell in route.broad if 0 <= cell < size}
        route.via = {cell for cell in route.via if 0 <= cell < area}

    def _search(self, net: int, route: _Route, sources: set[int], target: Terminal | None) -> list[int]:
        """The cheapest path of cells from ``sources`` to a pad; without one, to a via, which ends the path."""
        grid, area, columns = self.grid, self.grid.area, self.grid.columns
        marks, taken = (grid.wide, self.taken_wide) if route.wide else (grid.track, self.taken_track)
        via_marks, via_taken, history, present = grid.via, self.taken_via, self.history, self.present
        own_vias, off_plane = route.vias, grid.off_plane.get(self.names[net], frozenset())
        goals = frozenset(target.cells) if target else frozenset[int]()
        if target:
            rows = [cell % area // columns for cell in target.cells]
            cols = [cell % area % columns for cell in target.cells]
            left, right, upper, lower = min(cols), max(cols), min(rows), max(rows)
        straight, diagonal = self._moves()

        def ahead(cell: int) -> float:
            if target is None:
                return 0.0
            row, column = divmod(cell % area, columns)
            across = left - column if column < left else column - right if column > right else 0
            down = upper - row if row < upper else row - lower if row > lower else 0
            return _AHEAD * (_STEP * max(across, down) + (_DIAGONAL - _STEP) * min(across, down))

        best: dict[int, float] = dict.fromkeys(sources, 0.0)
        came: dict[int, int] = {}
        heap: list[tuple[float, int]] = [(ahead(cell), cell) for cell in sorted(sources)]
        done: set[int] = set()
        ending = 2 * area
        while heap:
            _, cell = heappop(heap)
            if cell in done:
                continue
            done.add(cell)
            if cell in goals or cell >= ending:
                return self._path(came, cell, sources)
            cost = best[cell]
            for by, step in straight[cell >= area]:
                other = cell + by
                if other in done or (marks[other] != FREE and marks[other] != net):
                    continue
                price = cost + step + history[other] + taken[other] * present
                if price < best.get(other, math.inf):
                    best[other] = price
                    came[other] = cell
                    heappush(heap, (price + ahead(other), other))
            for by, across, down in diagonal:
                other, one, two = cell + by, cell + across, cell + down
                if other in done or (marks[other] != FREE and marks[other] != net):
                    continue
                if (marks[one] != FREE and marks[one] != net) or (marks[two] != FREE and marks[two] != net):
                    continue
                fought = taken[other] + taken[one] + taken[two]
                dear = _DIAGONAL + (self.cuts if cell >= area else 0)
                price = cost + dear + history[other] + history[one] + history[two] + fought * present
                if price < best.get(other, math.inf):
                    best[other] = price
                    came[other] = cell
                    heappush(heap, (price + ahead(other), other))
            flat = cell % area
            if via_marks[flat] not in (FREE, net):
                continue
            if flat not in own_vias and not own_vias.isdisjoint(
                (flat - 1, flat + 1, flat - columns, flat + columns)
            ):
                continue
            if target is None and flat in off_plane:
                continue
            if self._is_beside_hole(came, cell):
                continue
            other = ending + flat if target is None else flat + (area if cell < area else 0)
            if other in done or (target is not None and marks[other] != FREE and marks[other] != net):
                continue
            price = cost + history[flat] + via_taken[flat] * present + (0 if flat in own_vias else _VIA)
            if price < best.get(other, math.inf):
                best[other] = price
                came[other] = cell
                heappush(heap, (price + (0.0 if target is None else ahead(other)), other))
        place = target.at if target else grid.point(min(sources))
        raise RoutingError(f"{grid.layout.name}: {self.names[net]} has no way to {place}")

    def _is_beside_hole(self, came: dict[int, int], cell: int) -> bool:
        """True where the way to a cell has just been through a hole on the next cell."""
        area, columns = self.grid.area, self.grid.columns
        flat, place = cell % area, cell
        for _ in range(_LOOKED_BACK):
            before = came.get(place)
            if before is None:
                return False
            if before % area == place % area and abs(place % area - flat) in (1, columns):
                return True
            place = before
        return False

    def _moves(self) -> tuple[tuple[tuple[tuple[int, int], ...], ...], tuple[tuple[int, int, int], ...]]:
        """Straight steps with their cost for each side; diagonal ones with the two cells that they cut across."""
        columns = self.grid.columns
        straight = tuple(
            ((1, _STEP + level), (-1, _STEP + level), (columns, _STEP + upright), (-columns, _STEP + upright))
            for upright, level in ((0, _ACROSS), (_ACROSS + self.cuts, self.cuts))
        )
        diagonal = tuple((x + y, x, y) for x in (1, -1) for y in (columns, -columns))
        return straight, diagonal

    def _corners(self, path: list[int]) -> Iterator[int]:
        """The cells that the diagonal steps of a path cut across: a track is too near to their centres."""
        columns, area = self.grid.columns, self.grid.area
        for one, other in pairwise(path):
            by = other - one
            if abs(by) in (columns - 1, columns + 1) and abs(by) != area:
                down = columns if by > 0 else -columns
                yield one + down
                yield other - down

    def _path(self, came: dict[int, int], cell: int, sources: set[int]) -> list[int]:
        path = [cell]
        while path[-1] not in sources:
            path.append(came[path[-1]])
        path.reverse()
        if path[-1] >= 2 * self.grid.area:
            # A via to the planes: the same cell on the other side.
            path[-1] = path[-2] + self.grid.area if path[-2] < self.grid.area else path[-2] - self.grid.area
        return path


def copper(router: Router) -> tuple[tuple[Track, ...], tuple[Via, ...]]:
    """The tracks and vias of a routed board, straight pieces in one."""
    grid = router.grid
    names = {number: name for name, number in grid.nets.items()}
    tracks: list[Track] = []
    vias: list[Via] = []
    for net, route in sorted(router.routes.items()):
        width = WIDE if route.wide else TRACK
        pieces: dict[tuple[int, int], None] = {}
        for path in route.paths:
            for one, other in pairwise(path):
                if one % grid.area != other % grid.area:
                    pieces[min(one, other), max(one, other)] = None
        for one, other in _merged(pieces, grid):
            layer = FRONT if one < grid.area else BACK
            tracks.append(Track(names[net], layer, width, grid.point(one), grid.point(other)))
        vias += [Via(names[net], grid.point(flat), VIA, DRILL) for flat in sorted(route.vias)]
    return tuple(tracks), tuple(vias)


def _merged(pieces: dict[tuple[int, int], None], grid: Grid) -> list[tuple[int, int]]:
    """Steps of one direction that follow each other, as one piece."""
    left = dict(pieces)
    found = []
    for one, other in sorted(pieces):
        if (one, other) not in left:
            continue
        by = other - one
        del left[one, other]
        end = other
        while (end, end + by) in left:
            del left[end, end + by]
            end += by
        found.append((one, end))
    return found


def route(
    grid: Grid, planes: Iterable[str], wide: Iterable[str], tell: Callable[[str], None] = lambda line: None
) -> tuple[tuple[Track, ...], tuple[Via, ...]]:
    """Tracks and vias of a board. Raises `RoutingError`."""
    router = Router(grid, planes, wide)
    router.run(tell)
    return copper(router)
