"""Calls KiCad under the system's Python (`drawing.py`): what it is asked to draw, its check, the project file."""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any, Final

from wiring.boards.layout import RULES, Circle, Label, Layout, Placed, Point, Rules

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


def project(name: str, factory: Rules = RULES) -> str:
    """KiCad's project file: the factory's rules, which its check obeys."""
    rules = {
        "min_clearance": factory.gap,
        "min_track_width": factory.track,
        "min_through_hole_diameter": factory.drill,
        "min_via_annular_width": factory.ring,
        "min_via_diameter": factory.drill + 2 * factory.ring,
        "min_copper_edge_clearance": factory.edge,
        "min_hole_to_hole": factory.holes,
        "min_hole_clearance": factory.hole_gap,
        "min_silk_clearance": 0.0,
        # Round gaps in the planes need no more corners than this, in millimetres.
        "max_error": 0.02,
        "allow_blind_buried_vias": False,
        "allow_microvias": False,
    }
    standard = {
        "name": "Default",
        "clearance": factory.gap,
        "track_width": 0.2,
        "via_diameter": 0.6,
        "via_drill": 0.3,
    }
    content = {
        "board": {"design_settings": {"rules": rules, "rule_severities": dict.fromkeys(_IGNORED, "ignore")}},
        "meta": {"filename": f"{name}.kicad_pro", "version": 1},
        "net_settings": {"classes": [standard], "meta": {"version": 2}},
        "text_variables": {},
    }
    return json.dumps(content, indent=2, sort_keys=True) + "\n"


#: Debian's Python, for which ``pcbnew`` is installed.
PYTHON: Final = "/usr/bin/python3"

#: Debian's packages.
PACKAGES: Final = ("kicad", "kicad-footprints", "kicad-symbols")

_DRAWING: Final = Path(__file__).with_name("drawing.py")

#: The counts in KiCad's report, and what it reports: its kind and words, with the parts or places that it is at.
_COUNT: Final = re.compile(r"\*\* Found \d+ .* \*\*")
_FOUND: Final = re.compile(r"^\[(\w+)\]: ((?:.*\n)(?: .*\n)*)", re.MULTILINE)


class KicadError(Exception):
    """KiCad is missing or failed; one line."""


@cache
def missing() -> str | None:
    """Why KiCad cannot be used here, in one line; None when it can."""
    if not Path(PYTHON).exists():
        return f"{PYTHON} is missing"
    asked = [PYTHON, "-c", "import pcbnew; print(pcbnew.GetBuildVersion())"]
    done = subprocess.run(asked, capture_output=True, text=True)
    if done.returncode:
        return f"KiCad's pcbnew is not installed for {PYTHON} (apt-get install {' '.join(PACKAGES)})"
    if not done.stdout.startswith("6."):
        return f"KiCad is {done.stdout.strip()}; boards are drawn with 6.0, as Debian 12 has it"
    return None


def call(*arguments: str | Path) -> None:
    """Run one command of `drawing.py`. Raises `KicadError`."""
    done = subprocess.run([PYTHON, _DRAWING, *arguments], capture_output=True, text=True)
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise KicadError(f"KiCad, {arguments[0]}: {said[-1] if said else f'status {done.returncode}'}")


def footprints(names: list[str], folder: Path) -> dict[str, Any]:
    """The pads of these footprints of KiCad's library."""
    request, answer = folder / "footprints-request.json", folder / "footprints-answer.json"
    request.write_text(json.dumps(names), encoding="utf-8")
    call("footprints", request, answer)
    found: dict[str, Any] = json.loads(answer.read_text(encoding="utf-8"))
    return found


def draw(layout: Layout, folder: Path) -> Path:
    """The board file in ``folder``, its project file beside it; drawn where it is not of this layout already."""
    path, request = folder / f"{layout.name}.kicad_pcb", folder / f"{layout.name}.json"
    wanted = json.dumps(job(layout))
    made = request.read_text(encoding="utf-8") if request.exists() and path.exists() else ""
    if made != wanted or path.stat().st_mtime < _DRAWING.stat().st_mtime:
        request.unlink(missing_ok=True)
        (folder / f"{layout.name}.kicad_pro").write_text(project(layout.name), encoding="utf-8")
        asked = folder / "asked.json"
        asked.write_text(wanted, encoding="utf-8")
        call("board", asked, path)
        asked.rename(request)
    return path


def interactive_bill(path: Path, folder: Path) -> bool:
    """Write ``NAME-interactive.html`` into ``folder``; False where `make boards` has not fetched its tool."""
    tool = Path(sys.prefix) / "interactive-bill"
    if not tool.is_dir():
        return False
    own = {"INTERACTIVE_HTML_BOM_NO_DISPLAY": "1", "PYTHONPATH": str(tool)}
    options = ("--no-browser", "--dest-dir", str(folder), "--name-format", "%f-interactive")
    asked = [PYTHON, "-m", "InteractiveHtmlBom.generate_interactive_bom", *options, str(path)]
    done = subprocess.run(asked, capture_output=True, text=True, env={**os.environ, **own})
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise KicadError(f"InteractiveHtmlBom: {said[-1] if said else f'status {done.returncode}'}")
    return True


def violations(path: Path, folder: Path, factory: Rules | None = None) -> list[str]:
    """KiCad's design-rule findings for a board file; the report goes to ``folder``.

    By the rules of the project file beside it, or by those of another ``factory``, with a copy in ``folder``.
    """
    if factory is not None:
        path = Path(shutil.copy(path, folder))
        path.with_suffix(".kicad_pro").write_text(project(path.stem, factory), encoding="utf-8")
    report = folder / f"{path.stem}.drc"
    call("rules", path, report)
    text = report.read_text(encoding="utf-8")
    if len(_COUNT.findall(text)) != 3:
        raise KicadError(f"{report}: not KiCad's report")
    return [f"{kind}: {words}" for kind, words in _FOUND.findall(text)]
