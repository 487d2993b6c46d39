"""Calls KiCad under the system's Python (`drawing.py`)."""

from __future__ import annotations

import json
import os
import re
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


def violations(path: Path, folder: Path) -> list[str]:
    """What KiCad's own check finds in a board file by the project file beside it; its report is in ``folder``."""
    report = folder / f"{path.stem}.drc"
    call("rules", path, report)
    text = report.read_text(encoding="utf-8")
    if len(_COUNT.findall(text)) != 3:
        raise KicadError(f"{report}: not KiCad's report")
    return [f"{kind}: {words}" for kind, words in _FOUND.findall(text)]
