"""Panels: strips or discs in a frame, mounted by a factory and snapped out along rows of small holes."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Final

from shapely import MultiPolygon, Polygon, box, unary_union
from shapely.geometry import Point as ShapelyPoint

from wiring.boards.footprints import BITE, footprint
from wiring.boards.layout import Circle, Label, Layout, Placed, Point, rectangle
from wiring.boards.placing import marks
from wiring.boards.routes import with_revision
from wiring.boards.wanted import Buffer, PadName, Wanted

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
        labels=(*(label for cell in cells for label in _labels(cell)), Label(name, width / 2, FRAME / 2, 1.2)),
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


def _labels(cell: _Cell) -> Iterator[Label]:
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
