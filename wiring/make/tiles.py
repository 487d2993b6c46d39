"""The template on sheets of A4."""

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from tamsk_hw.board.wiring import Geometry, Wiring
from wiring.make.drawing import (
    MEDIUM,
    THIN,
    Bounds,
    Circle,
    Line,
    Shape,
    Text,
    bounds,
    document,
    drawn,
    opening,
    picture,
    rectangle,
    within,
)
from wiring.make.geometry import Layout, Point, layout
from wiring.make.template import SEAM, board_entries, board_shapes, cross, legend, legend_height, ruler, seam_entry
from wiring.make.texts import render

#: A4, upright, millimetres.
A4: Final = (210.0, 297.0)

#: Nothing is printed nearer to the paper's edge, line widths included: printers cannot.
UNPRINTED: Final = 10.0

#: Frame of the window, from the paper's edge.
_FRAME: Final = 10.5

#: Overlap of neighbouring sheets, the seam in its middle.
OVERLAP: Final = 10.0

#: Least paper between the board's outline and the frame.
_SLACK: Final = 0.5

#: Room around a cross that is enough.
_ROOM: Final = 5.0

#: Height of what stands above the window, and of the scale below it.
_HEAD: Final = 17.0
_SCALE: Final = 13.5

_LEGEND_WIDTH: Final = 94.0


@dataclass(frozen=True, slots=True)
class Tiling:
    """The sheets of one format that a board is cut into: ``columns`` by ``rows``, counted from north-west."""

    paper: tuple[float, float]
    columns: int
    rows: int
    window: tuple[float, float]
    """Width and height of what a sheet shows, millimetres."""
    west: float
    north: float
    """The north-western corner of the first sheet."""

    @property
    def count(self) -> int:
        """Sheets."""
        return self.columns * self.rows

    def view(self, sheet: int) -> Bounds:
        """The part of the board that ``sheet`` (from 0) shows: west, south, east, north."""
        row, column = divmod(sheet, self.columns)
        width, height = self.window
        west = self.west + column * (width - OVERLAP)
        north = self.north - row * (height - OVERLAP)
        return west, north - height, west + width, north

    @property
    def upright_seams(self) -> tuple[float, ...]:
        """x of the seams between the columns."""
        step = self.window[0] - OVERLAP
        return tuple(self.west + step * number + OVERLAP / 2 for number in range(1, self.columns))

    @property
    def level_seams(self) -> tuple[float, ...]:
        """y of the seams between the rows."""
        step = self.window[1] - OVERLAP
        return tuple(self.north - step * number - OVERLAP / 2 for number in range(1, self.rows))

    def neighbours(self, sheet: int) -> dict[str, int]:
        """The sheets beside ``sheet``, by the side on which they lie."""
        row, column = divmod(sheet, self.columns)
        found = {}
        for side, across, down in (("left", -1, 0), ("right", 1, 0), ("above", 0, -1), ("below", 0, 1)):
            if 0 <= column + across < self.columns and 0 <= row + down < self.rows:
                found[side] = sheet + across + down * self.columns
        return found


def tiling(board: Layout) -> Tiling:
    """The fewest sheets that show the whole board; upright where lying ones are not fewer."""
    width, height = A4
    return min(
        (_tiling(board, paper) for paper in ((width, height), (height, width))), key=lambda found: found.count
    )


def tile_files(wiring: Wiring) -> dict[str, str]:
    """``template-a4-1.svg`` …: the sheets, each exactly one page of A4.

    ``template-a4.html`` has all of them, to be printed from a browser at 100 %.
    """
    board = layout(wiring)
    tiles = tiling(board)
    width, height = tiles.paper
    # From 0 at the left of a page to its width, from minus its height at its foot up to 0.
    page, shapes = (0.0, -height, width, 0.0), board_shapes(board)
    titles = [
        f"Drill and pixel template, sheet {n} of {tiles.count}, 1:1 on A4" for n in range(1, tiles.count + 1)
    ]
    sheets = [_sheet(board.geometry, shapes, tiles, sheet) for sheet in range(tiles.count)]
    pictures = [picture(title, page, sheet) for title, sheet in zip(titles, sheets, strict=True)]
    found = {f"template-a4-{number}.svg": document(each) for number, each in enumerate(pictures, 1)}
    html = render("template-a4.html.j2", width=width, height=height, sheets=pictures)
    return {**found, "template-a4.html": html}


def _tiling(board: Layout, paper: tuple[float, float]) -> Tiling:
    width, height = paper[0] - 2 * _FRAME, paper[1] - 2 * _FRAME
    # Seams may have to be explained; that is not known yet, so room is kept for it.
    below = _SCALE + legend_height((*board_entries(board.geometry), seam_entry()), _legend_columns(paper))
    window = (width, height - _HEAD - below)
    columns, rows = (
        max(1, math.ceil((extent + 2 * _SLACK - OVERLAP) / (room - OVERLAP)))
        for extent, room in zip((board.width, board.depth), window, strict=True)
    )
    shown = [room + (number - 1) * (room - OVERLAP) for number, room in zip((columns, rows), window, strict=True)]
    plain = Tiling(
        paper,
        columns,
        rows,
        window,
        west=(board.west + board.east - shown[0]) / 2,
        north=(board.south + board.north + shown[1]) / 2,
    )
    return _beside(board, plain, (shown[0] - board.width) / 2 - _SLACK, (shown[1] - board.depth) / 2 - _SLACK)


def _beside(board: Layout, plain: Tiling, across: float, up: float) -> Tiling:
    """The tiling moved within these spare lengths, so that seams cut the fewest holes and words."""
    spare = _not_to_be_cut(board_shapes(board))

    def cut(places: Sequence[float], low: int, high: int) -> int:
        return sum(box[low] < place < box[high] for box in spare for place in places)

    wests = [plain.west + move for move in _moves(across)]
    norths = [plain.north + move for move in _moves(up)]
    west = min(wests, key=lambda west: cut(replace(plain, west=west).upright_seams, 0, 2))
    north = min(norths, key=lambda north: cut(replace(plain, north=north).level_seams, 1, 3))
    return replace(plain, west=west, north=north)


def _moves(most: float) -> list[float]:
    """0, then lengths in steps of half a millimetre to both sides, up to ``most``."""
    return [sign * step / 2 for step in range(int(2 * most) + 1) for sign in (1, -1)]


def _not_to_be_cut(board: Sequence[Shape]) -> list[Bounds]:
    """The rectangles around holes and words."""
    return [
        bounds(shape)
        for shape in board
        if isinstance(shape, Text) or (isinstance(shape, Circle) and shape.layer in ("DRILL", "PIXEL", "SCREW"))
    ]


def _legend_columns(paper: tuple[float, float]) -> int:
    return int((paper[0] - 2 * _FRAME) // _LEGEND_WIDTH)


def _sheet(geometry: Geometry, board: Sequence[Shape], tiles: Tiling, sheet: int) -> list[str]:
    """The content of a page."""
    view = tiles.view(sheet)
    width, height = tiles.window
    top = -_FRAME - _HEAD
    shapes = within([*board, *_seams(board, tiles, sheet)], *view)
    page: list[Shape] = [rectangle("FRAME", _FRAME, top - height, _FRAME + width, top, MEDIUM)]
    page += _head(tiles, sheet)
    page += ruler(_FRAME, top - height - 7.0)
    entries = board_entries(geometry)
    if tiles.count > 1:
        entries = (*entries, seam_entry())
    page += legend(entries, _FRAME, top - height - _SCALE, _legend_columns(tiles.paper), _LEGEND_WIDTH)
    return [*opening(_FRAME, top, view, drawn(shapes)), *drawn(page)]


def _seams(board: Sequence[Shape], tiles: Tiling, sheet: int) -> list[Shape]:
    """The seams with their crosses, on this sheet; neighbours have them at the same places of the board."""
    west, south, east, north = tiles.view(sheet)
    upright = [x for x in tiles.upright_seams if west < x < east]
    level = [y for y in tiles.level_seams if south < y < north]
    shapes: list[Shape] = [Line("SEAM", x, south, x, north, SEAM) for x in upright]
    shapes += [Line("SEAM", west, y, east, y, SEAM) for y in level]
    places = [Point(x, y) for x in upright for y in level]
    spare = [
        box
        for box in _not_to_be_cut(board)
        if box[0] < east + _ROOM and box[2] > west - _ROOM and box[1] < north + _ROOM and box[3] > south - _ROOM
    ]
    for low, high in ((0.1, 0.35), (0.65, 0.9)):
        shares = [low + (high - low) * step / 40 for step in range(41)]
        places += [
            _clearest([Point(x, south + share * (north - south)) for share in shares], spare) for x in upright
        ]
        places += [_clearest([Point(west + share * (east - west), y) for share in shares], spare) for y in level]
    for place in places:
        shapes += cross(place)
    return shapes


def _clearest(places: Sequence[Point], spare: Sequence[Bounds]) -> Point:
    """The first place with the most room around it, as far as that counts."""

    def room(place: Point) -> float:
        distances = (
            max(west - place.x, place.x - east, south - place.y, place.y - north)
            for west, south, east, north in spare
        )
        return min((_ROOM, *distances))

    return max(places, key=lambda place: round(room(place), 3))


def _head(tiles: Tiling, sheet: int) -> list[Shape]:
    top = -_FRAME
    beside = "; ".join(f"{side}: sheet {other + 1}" for side, other in tiles.neighbours(sheet).items())
    words = f"{beside[0].upper()}{beside[1:]}." if beside else "The whole board is on this sheet."
    shapes: list[Shape] = [
        Text("HEAD", _FRAME, top - 4.4, 5.0, f"Sheet {sheet + 1} of {tiles.count}", bold=True),
        Text("HEAD", _FRAME + 42.0, top - 4.4, 3.5, "tamsk-hw: drill and pixel template, from above"),
        Text(
            "HEAD",
            _FRAME,
            top - 10.0,
            3.2,
            "Print at 100 %, not fitted to the page. Measure the scale below before drilling.",
        ),
        Text("HEAD", _FRAME, top - 15.0, 3.2, words),
    ]
    # A small map of the sheets, this one framed twice.
    size = 5.5
    left = tiles.paper[0] - _FRAME - size * tiles.columns - 0.5
    box = min(size, (_HEAD - 1.0) / tiles.rows)
    for other in range(tiles.count):
        row, column = divmod(other, tiles.columns)
        x, y = left + size * column, top - 0.5 - box * row
        shapes.append(rectangle("HEAD", x, y - box, x + size, y, THIN))
        if other == sheet:
            shapes.append(rectangle("HEAD", x + 0.5, y - box + 0.5, x + size - 0.5, y - 0.5, MEDIUM))
        shapes.append(Text("HEAD", x + size / 2, y - box / 2 - 1.1, 3.0, f"{other + 1}", "middle"))
    return shapes
