"""Strips of ring sensors, discs of Hall sensors, and panels of both.

The strip of ring sensors that slides into a tube's slot: two layers, routed by construction.

It is seen from outside the tube, its top upward. The ring sensors' outputs run down on the front, the cathodes and
the supply on the back; so no two cross. The collectors hang on a lane of the front, which joins the supply above
the highest cathode. Its tail reaches through the tube's foot and
carries two rows of pads for the wires of the tube's flat cable.

The round board of a Hall sensor, glued under a tube's floor: everything on the side that looks down.

Panels: strips or discs in a frame, mounted by a factory and snapped out along rows of small holes.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from shapely import MultiPolygon, Polygon, box, unary_union
from shapely.geometry import Point as ShapelyPoint

from tamsk_hw.game.tubes import CAPACITY
from wiring.boards.layout import (
    BACK,
    BITE,
    FRONT,
    WIDE_WIRE,
    Buffer,
    Circle,
    Label,
    Layout,
    PadName,
    Placed,
    Point,
    Track,
    Via,
    Wanted,
    footprint,
    marks,
    path,
    put,
    rectangle,
    wire,
)
from wiring.boards.routes import with_revision
from wiring.make import nets
from wiring.make.board import Board
from wiring.make.circuit import Site
from wiring.make.geometry import PARTS, heights, levels_of, sensor_height

#: Supplies and outputs; only one emitter of a tube is lit at a time.
_WIDTH: Final = 0.25
_NARROW: Final = 0.2

#: From one pad for a wire to the next, and their rows' heights below the foot's top.
_PITCH: Final = 1.05
_ROWS: Final = (0.39, 2.41)
_BETWEEN: Final = 1.4

#: Lanes of the outputs on the front (of level 1 first), of the collectors there, of the cathodes on the back.
_OUTPUT_LANES: Final = (-1.15, -0.79, -0.43, -0.07)
_COLLECTOR_LANE: Final = 1.15

#: Heights at which the outputs leave their lanes: outward from the left, inward from the right.
_TURNS: Final = (-1.35, -0.6, -0.85, -1.35)

_CATHODE_LANES: Final = (1.95, 1.35, 0.95, 0.55)

#: From a sensor's centre down to the hole of its cathode.
_CATHODE_HOLE: Final = 1.75


def strip_layouts(board: Board) -> tuple[Layout, ...]:
    """A strip for each number of levels that the board's tubes have."""
    return tuple(_strip(board, levels) for levels in levels_of(board.wiring))


def _strip(board: Board, levels: int) -> Layout:
    tube = next(tube for tube in board.wiring.tubes if CAPACITY[tube] == levels)
    thickness = board.wiring.geometry.ring_thickness
    sensors: list[Placed] = []
    tracks: list[Track] = []
    vias: list[Via] = []
    columns = [_PITCH * (place - 2) for place in range(5)]
    names = {nets.emitter(tube, level): f"IR_{level}" for level in range(1, levels + 1)}
    names |= {nets.ring(tube, level): f"RING_{level}" for level in range(1, levels + 1)}
    upper, lower = _ROWS
    pads: list[Placed] = []
    for level in range(1, levels + 1):
        y = -sensor_height(thickness, level - 1)
        part = board.circuit.by_ref[f"RS-{Site(tube, level)}"]
        sensor = put(board.catalogue, part, 0.0, y, ref=f"RS{level}", nets=names)
        sensors.append(sensor)
        supply, cathode, collector, output = (sensor.pad(number) for number in "1234")
        # The output, inward and down to the upper row.
        net, lane, end = f"RING_{level}", _OUTPUT_LANES[level - 1], columns[level - 1]
        turn = _TURNS[level - 1]
        bend = (end, turn + abs(end - lane))
        tracks += path(net, FRONT, _NARROW, output, (lane, output[1]), (lane, turn), bend, (end, upper))
        pads.append(wire(net, end, upper))
        # The emitter's supply: a hole between the pads, and the back.
        hole = (supply[0], y)
        tracks += path(nets.EMITTERS, FRONT, _WIDTH, supply, hole)
        vias.append(Via(nets.EMITTERS, hole))
        # The collector, to its lane.
        tracks += path(nets.EMITTERS, FRONT, _WIDTH, collector, (_COLLECTOR_LANE, collector[1]))
        # The cathode: a hole below its pad, inward and down on the back.
        net, lane = f"IR_{level}", _CATHODE_LANES[level - 1]
        hole, end = (cathode[0], y + _CATHODE_HOLE), columns[5 - level]
        tracks += path(net, FRONT, _NARROW, cathode, hole)
        vias += [Via(net, hole), Via(net, (end, _BETWEEN))]
        turn = 0.3 - 0.25 * level
        way = (hole, (lane, hole[1]), (lane, turn), (end, turn + abs(end - lane)), (end, _BETWEEN))
        tracks += path(net, BACK, _NARROW, *way)
        tracks += path(net, FRONT, _NARROW, (end, _BETWEEN), (end, lower))
        pads.append(wire(net, end, lower))
    lowest, highest = sensors[0], sensors[-1]
    left, rail = columns[0], lowest.pad("1")[0]
    joined = (_COLLECTOR_LANE, highest.pad("3")[1])
    tracks += path(nets.EMITTERS, FRONT, _WIDTH, joined, (_COLLECTOR_LANE, lowest.pad("3")[1]))
    tracks += path(nets.EMITTERS, BACK, _WIDTH, joined, (rail, joined[1]), (rail, highest.y))
    vias.append(Via(nets.EMITTERS, joined))
    tracks += path(nets.EMITTERS, BACK, _WIDTH, (rail, highest.y), (rail, 0.5), (left, 0.5 + abs(left - rail)))
    tracks += path(nets.EMITTERS, BACK, _WIDTH, (left, 0.5 + abs(left - rail)), (left, _BETWEEN))
    tracks += path(nets.EMITTERS, FRONT, _WIDTH, (left, _BETWEEN), (left, lower))
    vias.append(Via(nets.EMITTERS, (left, _BETWEEN)))
    pads.append(wire(nets.EMITTERS, left, lower))
    width, top = PARTS.strip_width, highest.y - PARTS.sensor_height / 2
    return Layout(
        name=f"strip-{levels}",
        title=f"Ring sensors of a tube of {levels}",
        outline=rectangle(-width / 2, top, width / 2, tail(board)),
        thickness=PARTS.strip_thickness,
        parts=(*sensors, *pads),
        tracks=tuple(tracks),
        vias=tuple(vias),
        labels=tuple(_labels(pads, levels)),
    )


def tail(board: Board) -> float:
    """The length of a strip's tail below its foot's top: to the groove for the wires, less the slot's play."""
    return round(-heights(board.wiring.geometry).base - PARTS.cable_exit - PARTS.sensor_play, 2)


def _labels(pads: list[Placed], levels: int) -> list[Label]:
    """On the back, behind each pad, the wire that belongs on it."""
    found = []
    for pad in pads:
        net = pad.nets["1"]
        text = "IR" if net == nets.EMITTERS else net.replace("RING_", "O").replace("IR_", "K")
        found.append(Label(text, pad.x, pad.y + (0.1 if pad.y == _ROWS[1] else -0.1), 0.8, 90.0, "B"))
    return [*found, Label(f"{levels}", 0.0, -1.3, 0.8, 0.0, "B")]


_DISC_TRACK: Final = 0.4

#: The disc's name of the sensor's output.
OUTPUT: Final = "HALL"


def disc_layout(board: Board) -> Layout:
    """The disc. Its sensor is on its centre."""
    site = Site(board.wiring.tubes[0])
    names = {nets.hall(site): OUTPUT}
    by_ref = board.circuit.by_ref
    sensor = put(board.catalogue, by_ref[f"HS-{site}"], 0.0, 0.0, 0.0, ref="HS1", nets=names)
    capacitor = put(board.catalogue, by_ref[f"CS-{site}"], 0.0, -3.2, 0.0, ref="CS1", nets=names)
    supply, output, ground = (sensor.pad(number) for number in "123")
    plus, minus = capacitor.pad("1"), capacitor.pad("2")
    pads = (
        wire(nets.LOGIC, -3.4, 0.95, key=WIDE_WIRE),
        wire(OUTPUT, 0.0, 3.1, key=WIDE_WIRE),
        wire(nets.GROUND, 1.75, 3.1, key=WIDE_WIRE),
    )
    feed, out, earth = (pad.pad("1") for pad in pads)
    tracks = (
        *path(nets.LOGIC, FRONT, _DISC_TRACK, plus, (plus[0], -1.6), supply),
        *path(nets.LOGIC, FRONT, _DISC_TRACK, (-3.4, -1.6 + 0.65), feed),
        *path(nets.LOGIC, FRONT, _DISC_TRACK, supply, (-3.4, -0.95), feed),
        *path(OUTPUT, FRONT, _DISC_TRACK, output, (0.0, 1.9), out),
        *path(nets.GROUND, FRONT, _DISC_TRACK, minus, (2.4, -2.2), (2.4, 2.0), earth),
        *path(nets.GROUND, FRONT, _DISC_TRACK, ground, (2.4, 0.0)),
    )
    return Layout(
        name="hall-disc",
        title="Hall sensor of a tube",
        outline=Circle((0.0, 0.0), PARTS.carrier_diameter / 2),
        thickness=PARTS.carrier_thickness,
        parts=(sensor, capacitor, *pads),
        tracks=tracks,
        labels=(Label("5V", -3.4, -1.6), Label("O", 1.35, 1.45, 0.8), Label("G", 3.3, 2.6, 0.8)),
    )


#: Width of what is milled away around a board, of the tabs that hold it, and of the frame.
MILLED: Final = 2.0
TAB: Final = 2.8
FRAME: Final = 5.0

#: From the panel's edges to the marks in its corners: clear of what holds it in a machine.
_MARK: Final = 3.85

#: The holes of a tab: how many, from one to the next, and how far from the board's end.
_HOLES: Final = 3
_NEXT: Final = 0.8

#: Above a strip and below it: clear of the sensor's courtyard, and of the pads for wires.
_ABOVE: Final = 0.26
_BELOW: Final = 0.1

#: Tabs of a disc, degrees: no copper is near, and its capacitor, at 90, is not bent as it is snapped off.
_ANGLES: Final = (30, 150, 270)


@dataclass(frozen=True, slots=True)
class _Cell:
    """A board in its place: how far it is moved, its number."""

    wanted: Wanted
    number: int
    by: Point

    def named(self, name: str) -> str:
        """A designator or a net of this board among the others."""
        return f"{name}_{self.number}"

    def moved(self, point: Point) -> Point:
        """A place of the board on the panel."""
        return round(point[0] + self.by[0], 4), round(point[1] + self.by[1], 4)


def panel(name: str, title: str, boards: list[Wanted], columns: int) -> Wanted:
    """A panel of boards of one thickness, at most ``columns`` in a row."""
    cells, width, height = _arranged(boards, columns)
    shapes = [_shape(cell) for cell in cells]
    tabs = [tab for cell in cells for tab in _tabs(cell)]
    milled = unary_union([shape.buffer(MILLED, join_style="mitre") for shape in shapes])
    rest = milled.difference(unary_union([*shapes, *(area for area, _ in tabs)]))
    pieces = rest.geoms if isinstance(rest, MultiPolygon) else [rest]
    cutouts = tuple(_corners(piece) for piece in sorted(pieces, key=lambda piece: piece.bounds))
    holes = [hole for _, own in tabs for hole in own]
    bites = (
        Placed(ref=f"B{number}", value="bite", footprint=footprint(BITE), x=x, y=y, nets={})
        for number, (x, y) in enumerate(holes, 1)
    )
    own = [cell.wanted.layout for cell in cells]
    layout = Layout(
        name=name,
        title=title,
        outline=rectangle(0.0, 0.0, width, height),
        cutouts=cutouts,
        thickness=own[0].thickness,
        layers=own[0].layers,
        parts=(
            *(part for cell in cells for part in _parts(cell)),
            *bites,
            *marks((_MARK, _MARK), (width - _MARK, _MARK), (_MARK, height - _MARK)),
        ),
        tracks=tuple(
            replace(track, net=cell.named(track.net), a=cell.moved(track.a), b=cell.moved(track.b))
            for cell in cells
            for track in cell.wanted.layout.tracks
        ),
        vias=tuple(
            replace(via, net=cell.named(via.net), at=cell.moved(via.at))
            for cell in cells
            for via in cell.wanted.layout.vias
        ),
        labels=(
            *(label for cell in cells for label in _cell_labels(cell)),
            Label(name, width / 2, FRAME / 2, 1.2),
        ),
    )
    layout = with_revision(layout, width - 2 * FRAME, height - FRAME / 2)
    return Wanted(layout, (_nets(cells),), tuple(_buffers(cells)))


def _arranged(boards: list[Wanted], columns: int) -> tuple[list[_Cell], float, float]:
    """The boards in rows, the upper ends of a row level; width and height of the panel."""
    cells: list[_Cell] = []
    top, widest = FRAME, 0.0
    for start in range(0, len(boards), columns):
        x, lowest = FRAME + MILLED, 0.0
        for wanted in boards[start : start + columns]:
            left, upper, right, lower = wanted.layout.box
            cells.append(_Cell(wanted, len(cells) + 1, (x - left, top + MILLED - upper)))
            x += right - left + MILLED
            lowest = max(lowest, lower - upper)
        widest = max(widest, x + FRAME)
        top += lowest + 2 * MILLED + FRAME
    return cells, round(widest, 3), round(top, 3)


def _shape(cell: _Cell) -> Polygon:
    match cell.wanted.layout.outline:
        case Circle(centre, radius):
            return ShapelyPoint(*cell.moved(centre)).buffer(radius, quad_segs=24)
        case points:
            return Polygon([cell.moved(point) for point in points])


def _tabs(cell: _Cell) -> Iterator[tuple[Polygon, list[Point]]]:
    """What is left standing, and the holes across it: at both ends of a strip, at three places of a disc."""
    spread = [(place - (_HOLES - 1) / 2) * _NEXT for place in range(_HOLES)]
    match cell.wanted.layout.outline:
        case Circle(centre, radius):
            x, y = cell.moved(centre)
            for angle in _ANGLES:
                turn = math.radians(angle)
                ahead, aside = (math.cos(turn), -math.sin(turn)), (math.sin(turn), math.cos(turn))
                corners = [
                    (x + far * ahead[0] + wide * aside[0], y + far * ahead[1] + wide * aside[1])
                    for far, wide in (
                        (radius - 1, -TAB / 2), (radius - 1, TAB / 2),
                        (radius + 3, TAB / 2), (radius + 3, -TAB / 2),
                    )
                ]  # fmt: skip
                holes = [
                    (
                        round(x + radius * ahead[0] + by * aside[0], 4),
                        round(y + radius * ahead[1] + by * aside[1], 4),
                    )
                    for by in spread
                ]
                yield Polygon(corners), holes
        case points:
            left, upper, right, lower = Polygon([cell.moved(point) for point in points]).bounds
            middle = (left + right) / 2
            yield (
                box(middle - TAB / 2, upper - MILLED - 0.1, middle + TAB / 2, upper),
                [(round(middle + by, 4), round(upper - _ABOVE, 4)) for by in spread],
            )
            yield (
                box(middle - TAB / 2, lower, middle + TAB / 2, lower + MILLED + 0.1),
                [(round(middle + by, 4), round(lower + _BELOW, 4)) for by in spread],
            )


def _corners(piece: Polygon) -> tuple[Point, ...]:
    assert not piece.interiors, "a board without a tab would fall out"
    return tuple((round(x, 4), round(y, 4)) for x, y in list(piece.exterior.coords)[:-1])


def _parts(cell: _Cell) -> Iterator[Placed]:
    for part in cell.wanted.layout.parts:
        x, y = cell.moved((part.x, part.y))
        nets = {pad: cell.named(net) for pad, net in part.nets.items()}
        yield replace(part, ref=cell.named(part.ref), x=x, y=y, nets=nets)


def _cell_labels(cell: _Cell) -> Iterator[Label]:
    for label in cell.wanted.layout.labels:
        x, y = cell.moved((label.x, label.y))
        yield replace(label, x=x, y=y)


def _nets(cells: list[_Cell]) -> dict[str, frozenset[PadName]]:
    return {
        cell.named(net): frozenset((cell.named(ref), pad) for ref, pad in pads)
        for cell in cells
        for net, pads in cell.wanted.nets[0].items()
    }


def _buffers(cells: list[_Cell]) -> Iterator[Buffer]:
    for cell in cells:
        for buffer in cell.wanted.buffers:
            (one, pad), (other, its) = buffer.capacitor, buffer.supply
            yield Buffer((cell.named(one), pad), (cell.named(other), its))
