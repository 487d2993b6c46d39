"""Disk space that `make install` takes. No budget is set; what is large is named."""

import importlib.metadata
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.bench.figures import Figure

PROJECT = Path(__file__).parents[2]

#: How many parts are named.
NAMED = 5


def megabytes(file: Path) -> float:
    """Disk space of a file, in MB; a link takes next to nothing."""
    return 0.0 if file.is_symlink() else file.stat().st_blocks * 512 / 1e6


def size_of(folder: Path) -> float:
    """Disk space of all files below a folder, in MB."""
    return sum(megabytes(Path(place, name)) for place, _, names in os.walk(folder) for name in names)


def parts_of(venv: Path) -> dict[str, float]:
    """Disk space of each installed package, in MB."""
    (libraries,) = venv.glob("lib/python*/site-packages")
    packages = importlib.metadata.distributions(path=[str(libraries)])
    files = {package.name: {Path(str(file.locate())) for file in package.files or ()} for package in packages}
    return {name: sum(megabytes(file) for file in each if file.is_file()) for name, each in files.items()}


def installed_figures() -> tuple[list[Figure], list[str]]:
    """Install below a folder of its own and measure: the row, and what there is to say about it.

    Where that cannot be, as without the package index, there is no row, and one line says so.
    """
    with tempfile.TemporaryDirectory() as folder:
        plain = {name: value for name, value in os.environ.items() if not name.startswith(("MAKE", "MFLAGS"))}
        command = ["make", "-C", str(PROJECT), "install", f"DESTDIR={folder}", f"PYTHON={sys.executable}"]
        done = subprocess.run(command, env=plain, capture_output=True, text=True, check=False)
        if done.returncode:
            said = done.stderr.strip().splitlines() or ["make install failed"]
            return [], [f"The installed size is not measured: {said[-1]}"]
        venv = Path(folder, "opt/tamsk-hw/venv")
        whole, parts = size_of(venv), parts_of(venv)
    largest = sorted(parts, key=lambda name: parts[name], reverse=True)[:NAMED]
    named = ", ".join(f"{name} {parts[name]:.1f}" for name in largest)
    return [Figure("installed: the virtual environment with all it pulls in", "", f"{whole:.0f} MB", None)], [
        f"Of {len(parts)} packages the largest, in MB: {named}."
    ]
