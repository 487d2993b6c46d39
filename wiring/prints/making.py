"""Makes all prints: files that are committed, each measured as it was written."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Final

from wiring.make.board import load_boards
from wiring.prints import checking, measuring
from wiring.prints.wanted import Print, wanted_prints

#: STL, STEP and picture of each print, which are committed.
MADE: Final = Path(__file__).with_name("made")

#: The endings of a print's files.
ENDINGS: Final = (".stl", ".step", ".png")

#: Volumes of triangles and of the exact solid may differ by this share, areas of cuts by this (mm²).
_VOLUMES: Final = 0.003
_AREAS: Final = 1.5


class PrintError(Exception):
    """A print breaks a rule; a line each."""


def all_prints() -> tuple[Print, ...]:
    """The prints of all maps."""
    return wanted_prints(load_boards())


def problems(wanted: Print, folder: Path = MADE) -> list[checking.Problem]:
    """What is wrong with a print's STL file. Raises `OSError` or `ValueError` where it cannot be read."""
    return checking.problems(wanted, measuring.read(folder / f"{wanted.name}.stl"))


def differences(wanted: Print, folder: Path = MADE) -> list[checking.Problem]:
    """Differences between STL and STEP: bodies, size, volume, cuts through every millimetre. Needs build123d."""
    from wiring.prints.writing import Exact

    body, exact = measuring.read(folder / f"{wanted.name}.stl"), Exact(folder / f"{wanted.name}.step")
    wrong = []
    if exact.solids != 1:
        wrong.append(f"the STEP file has {exact.solids} bodies")
    if abs(body.volume - exact.volume) > _VOLUMES * exact.volume:
        wrong.append(f"volume {body.volume:.0f} mm³ in the STL file, {exact.volume:.0f} in the STEP file")
    for side, here, there in zip(
        ("west", "south", "bottom", "east", "north", "top"), body.bounds, exact.bounds, strict=True
    ):
        if abs(here - there) > checking.TOLERANCE:
            wrong.append(f"{side}: {here:.2f} mm in the STL file, {there:.2f} in the STEP file")
    for height in range(1, int(exact.bounds[5])):
        here, there = float(body.level(height + 0.03).area), exact.area(height + 0.03)
        if abs(here - there) > _AREAS:
            wrong.append(f"cut at {height} mm: {here:.1f} mm² in the STL file, {there:.1f} in the STEP file")
    return [checking.Problem(wanted.name, fault) for fault in wrong]


def make(wanted: Print, folder: Path = MADE) -> None:
    """Write a print's files and measure them. Raises `PrintError`. Needs build123d."""
    from wiring.prints.pictures import picture
    from wiring.prints.writing import write

    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as name:
        beside = Path(name)
        write(wanted, beside)
        wrong = problems(wanted, beside) + differences(wanted, beside)
        if wrong:
            raise PrintError("\n".join(map(str, wrong)))
        picture(measuring.read(beside / f"{wanted.name}.stl"), beside / f"{wanted.name}.png")
        for ending in ENDINGS:
            shutil.copy(beside / f"{wanted.name}{ending}", folder)


def superfluous(folder: Path = MADE) -> list[Path]:
    """Files in the folder that belong to no print any more."""
    known = {f"{wanted.name}{ending}" for wanted in all_prints() for ending in ENDINGS}
    return sorted(path for path in folder.iterdir() if path.name not in known)
