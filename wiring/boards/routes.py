"""The committed routes of the boards. They are made anew only when parts, nets or places have changed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from dataclasses import asdict, replace
from pathlib import Path
from typing import Final

from wiring.boards.layout import Label, Layout, Track, Via
from wiring.boards.routing import grid
from wiring.boards.routing.pathfinder import route

#: The committed routes, a file a board.
ROUTES: Final = Path(__file__).with_name("routed")


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
    sizes = [grid.PITCH, grid.TRACK, grid.WIDE, grid.VIA, grid.DRILL, grid.GAP]
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
    """A line for each net."""
    lines = []
    for net in sorted(layout.nets):
        own = [[each.layer, each.width, *each.a, *each.b] for each in tracks if each.net == net]
        holes = [[*via.at, via.size, via.drill] for via in vias if via.net == net]
        if own or holes:
            lines.append(f"{json.dumps(net)}: {json.dumps({'tracks': own, 'vias': holes}, separators=(',', ':'))}")
    whole = ",\n".join(lines)
    return f'{{"board": "{fingerprint(layout)}", "nets": {{\n{whole}\n}}}}\n'


def _read(layout: Layout, folder: Path) -> Layout:
    content = json.loads((folder / f"{layout.name}.json").read_text(encoding="utf-8"))["nets"]
    tracks = tuple(
        Track(net, layer, width, (x, y), (x2, y2))
        for net, own in content.items()
        for layer, width, x, y, x2, y2 in own["tracks"]
    )
    vias = tuple(
        Via(net, (x, y), size, drill) for net, own in content.items() for x, y, size, drill in own["vias"]
    )
    return replace(layout, tracks=(*layout.fixed, *tracks), vias=vias)
