"""What KiCad is asked to draw (`drawing.py`), and the project file with the rules beside a board file."""

from __future__ import annotations

import json
from itertools import pairwise
from typing import Any, Final

from wiring.boards.layout import RULES, Circle, Label, Layout, Placed, Point

#: Where a board lies on KiCad's sheet.
OFFSET: Final = (100.0, 100.0)

#: Print over copper or over other print is cut off by the factory; no reason to refuse a board.
_IGNORED: Final = ("silk_overlap", "silk_over_copper", "text_height", "text_thickness", "track_dangling")


def job(layout: Layout) -> dict[str, Any]:
    """The board as `drawing.py` takes it."""
    _, _, _, bottom = layout.box
    left = layout.box[0]
    return {
        "copper_layers": layout.layers,
        "thickness": layout.thickness,
        "origin": _moved((left, bottom)),
        "outline": _outline(layout),
        "nets": sorted(layout.nets),
        "parts": [_part(part) for part in layout.parts],
        "tracks": [
            [track.net, track.layer, track.width, *_moved(track.a), *_moved(track.b)] for track in layout.tracks
        ],
        "vias": [[via.net, *_moved(via.at), via.size, via.drill] for via in layout.vias],
        "zones": [
            {
                "net": zone.net,
                "layer": zone.layer,
                "points": [_moved(point) for point in zone.points],
                "clearance": zone.clearance,
                "priority": zone.priority,
            }
            for zone in layout.zones
        ],
        "spoke": layout.spoke,
        "texts": [_label(label) for label in layout.labels],
    }


def _moved(point: Point) -> list[float]:
    return [round(point[0] + OFFSET[0], 4), round(point[1] + OFFSET[1], 4)]


def _outline(layout: Layout) -> list[dict[str, list[float]]]:
    inner = [piece for points in layout.cutouts for piece in _lines(points)]
    match layout.outline:
        case Circle(centre, radius):
            return [{"circle": [*_moved(centre), radius]}, *inner]
        case points:
            return [*_lines(points), *inner]


def _lines(points: tuple[Point, ...]) -> list[dict[str, list[float]]]:
    return [{"line": [*_moved(a), *_moved(b)]} for a, b in pairwise((*points, points[0]))]


def _label(label: Label) -> dict[str, Any]:
    x, y = _moved((label.x, label.y))
    return {"text": label.text, "x": x, "y": y, "size": label.size, "angle": label.angle, "side": label.side}


def _part(part: Placed) -> dict[str, Any]:
    x, y = _moved((part.x, part.y))
    return {
        "ref": part.ref,
        "value": part.value,
        "footprint": part.footprint.key,
        "x": x,
        "y": y,
        "angle": part.angle,
        "side": "F",
        "pads": dict(part.nets),
        "label": _label(part.label) if part.label else None,
    }


def project(name: str) -> str:
    """KiCad's project file: the factory's rules, which its check obeys."""
    rules = {
        "min_clearance": RULES.gap,
        "min_track_width": RULES.track,
        "min_through_hole_diameter": RULES.drill,
        "min_via_annular_width": RULES.ring,
        "min_via_diameter": RULES.drill + 2 * RULES.ring,
        "min_copper_edge_clearance": RULES.edge,
        "min_hole_to_hole": RULES.holes,
        "min_hole_clearance": RULES.hole_gap,
        "min_silk_clearance": 0.0,
        # Round gaps in the planes need no more corners than this, in millimetres.
        "max_error": 0.02,
        "allow_blind_buried_vias": False,
        "allow_microvias": False,
    }
    standard = {
        "name": "Default",
        "clearance": RULES.gap,
        "track_width": 0.2,
        "via_diameter": 0.6,
        "via_drill": 0.3,
    }
    content = {
        "board": {
            "design_settings": {"rules": rules, "rule_severities": dict.fromkeys(_IGNORED, "ignore")},
        },
        "meta": {"filename": f"{name}.kicad_pro", "version": 1},
        "net_settings": {"classes": [standard], "meta": {"version": 2}},
        "text_variables": {},
    }
    return json.dumps(content, indent=2, sort_keys=True) + "\n"
