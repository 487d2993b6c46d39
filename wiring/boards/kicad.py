"""Calls KiCad under the system's Python (`drawing.py`)."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any, Final

from wiring.boards.job import job, project
from wiring.boards.layout import Layout

#: Debian's Python, for which ``pcbnew`` is installed.
PYTHON: Final = "/usr/bin/python3"

#: Debian's packages.
PACKAGES: Final = ("kicad", "kicad-footprints", "kicad-symbols", "librsvg2-bin")

_DRAWING: Final = Path(__file__).with_name("drawing.py")
#: 2026-01-01, as all dates in what a factory gets.
_TIME: Final = 1_767_225_600

_FOUND: Final = re.compile(r"\*\* Found (\d+) (.*) \*\*")


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
    return None if shutil.which("rsvg-convert") else "rsvg-convert is missing (apt-get install librsvg2-bin)"


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
    """Write board file and project file into ``folder``; return the board file."""
    path, request = folder / f"{layout.name}.kicad_pcb", folder / f"{layout.name}.json"
    (folder / f"{layout.name}.kicad_pro").write_text(project(layout.name), encoding="utf-8")
    request.write_text(json.dumps(job(layout)), encoding="utf-8")
    call("board", request, path)
    request.unlink()
    (folder / f"{layout.name}.kicad_prl").unlink(missing_ok=True)
    return path


def interactive_bill(path: Path, folder: Path) -> bool:
    """Write ``NAME-interactive.html`` into ``folder``; False where `make boards` has not fetched its tool."""
    tool = Path(sys.prefix) / "interactive-bill"
    if not tool.is_dir():
        return False
    # The page shows the file's time.
    os.utime(path, (_TIME, _TIME))
    own = {"INTERACTIVE_HTML_BOM_NO_DISPLAY": "1", "PYTHONPATH": str(tool), "TZ": "UTC"}
    options = ("--no-browser", "--dest-dir", str(folder), "--name-format", "%f-interactive")
    asked = [PYTHON, "-m", "InteractiveHtmlBom.generate_interactive_bom", *options, str(path)]
    done = subprocess.run(asked, capture_output=True, text=True, env={**os.environ, **own})
    if done.returncode:
        said = done.stderr.strip().splitlines()
        raise KicadError(f"InteractiveHtmlBom: {said[-1] if said else f'status {done.returncode}'}")
    return True


def violations(path: Path, folder: Path) -> list[str]:
    """What KiCad's own check finds in a board file with its project file beside it; report in ``folder``."""
    report = folder / f"{path.stem}.drc"
    call("rules", path, report)
    text = report.read_text(encoding="utf-8")
    counts = {name: int(count) for count, name in _FOUND.findall(text)}
    if len(counts) != 3:
        raise KicadError(f"{report}: not KiCad's report, it has {len(counts)} counts")
    return [f"{count} {name}" for name, count in counts.items() if count]
