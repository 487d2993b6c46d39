"""The committed routes of the boards. They are found again only when parts, nets or places have changed."""

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from wiring.boards import routing as grid
from wiring.boards.layout import BACK, FRONT, Label, Layout, Point, Track, Via
from wiring.boards.routing import route

#: The committed routes, a file a board.
ROUTES: Final = Path(__file__).with_name("routed")

_SIDES: Final = (FRONT, BACK)


def is_routed(layout: Layout) -> bool:
    """True for a board whose tracks are found by the router, not by construction."""
    return not layout.tracks


def fingerprint(layout: Layout) -> str:
    """A hash of what routes depend on: outline, layers, planes, tracks that are there, pads, nets, dimensions."""
    parts = [
        [part.ref, part.x, part.y, part.angle, sorted(part.nets.items()), asdict(part.footprint)]
        for part in layout.parts
    ]
    zones = [asdict(zone) for zone in layout.zones]
    sizes = [grid.PITCH, grid.TRACK, grid.WIDE, grid.VIA, grid.DRILL, grid.GAP, grid.EDGE]
    content: list[object] = [layout.box, layout.layers, parts, zones, sizes, layout.wide]
    if layout.fixed:
        content.append([asdict(track) for track in layout.fixed])
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()[:16]


def with_revision(layout: Layout, x: float, y: float) -> Layout:
    """Print the beginning of the board's fingerprint at a place; it changes with the copper."""
    return replace(layout, labels=(*layout.labels, Label(fingerprint(layout)[:6], round(x, 3), y, 1.0)))


def is_stale(layout: Layout, folder: Path = ROUTES) -> bool:
    """True when the committed routes are not those of this board, or there are none."""
    path = folder / f"{layout.name}.json"
    return not path.exists() or json.loads(path.read_text(encoding="utf-8"))["board"] != fingerprint(layout)


def with_routes(layout: Layout, tell: Callable[[str], None], folder: Path = ROUTES) -> Layout:
    """The board with its tracks: the committed ones, or new ones, which are then kept. Raises `RoutingError`."""
    if not is_routed(layout):
        return layout
    if is_stale(layout, folder):
        tracks, vias = route(grid.Grid(layout), {zone.net for zone in layout.zones}, layout.wide, tell)
        folder.mkdir(exist_ok=True)
        (folder / f"{layout.name}.json").write_text(_written(layout, tracks, vias), encoding="utf-8")
    return _read(layout, folder)


def _written(layout: Layout, tracks: tuple[Track, ...], vias: tuple[Via, ...]) -> str:
    """A line for each net: its tracks on the front, on the back, its vias, all in lines of the grid."""
    lines = []
    for net in sorted(layout.nets):
        own = [each for each in tracks if each.net == net]
        sides = [[_lines(each.a, each.b) for each in own if each.layer == side] for side in _SIDES]
        holes = [_lines(via.at) for via in vias if via.net == net]
        if any(sides) or holes:
            lines.append(f"{json.dumps(net)}:{json.dumps([*sides, holes], separators=(',', ':'))}")
    whole = ",\n".join(lines)
    return f'{{"board": "{fingerprint(layout)}", "nets": {{\n{whole}\n}}}}\n'


def _lines(*points: Point) -> list[int]:
    return [round(value / grid.PITCH) for point in points for value in point]


def _read(layout: Layout, folder: Path) -> Layout:
    content = json.loads((folder / f"{layout.name}.json").read_text(encoding="utf-8"))["nets"]
    tracks = tuple(
        Track(net, layer, grid.WIDE if net in layout.wide else grid.TRACK, grid.place(x, y), grid.place(x2, y2))
        for net, own in content.items()
        for layer, pieces in zip(_SIDES, own, strict=False)
        for x, y, x2, y2 in pieces
    )
    vias = tuple(
        Via(net, grid.place(x, y), grid.VIA, grid.DRILL) for net, own in content.items() for x, y in own[-1]
    )
    return replace(layout, tracks=(*layout.fixed, *tracks), vias=vias)
