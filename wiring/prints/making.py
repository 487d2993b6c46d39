"""Makes all prints, each measured as it was written."""

from pathlib import Path
from typing import Final

from wiring.make.board import FOLDER, load_boards
from wiring.prints import checking
from wiring.prints.wanted import Print, wanted_prints

#: Where STL and STEP of each print are made; git ignores it.
BUILD: Final = FOLDER.parent / "build" / "prints"

#: Volumes of triangles and of the exact solid may differ by this share, areas of cuts by this (mm²).
_VOLUMES: Final = 0.003
_AREAS: Final = 1.5


class PrintError(Exception):
    """A print breaks a rule; a line each."""


def all_prints() -> tuple[Print, ...]:
    """The prints of all maps."""
    return wanted_prints(load_boards())


def problems(wanted: Print, folder: Path = BUILD) -> list[checking.Problem]:
    """What is wrong with a print's STL file. Raises `OSError` or `ValueError` where it cannot be read."""
    return checking.problems(wanted, checking.read(folder / f"{wanted.name}.stl"))


def differences(wanted: Print, folder: Path = BUILD) -> list[checking.Problem]:
    """Differences between STL and STEP: bodies, size, volume, cuts through every millimetre. Needs build123d."""
    from wiring.prints.solids import Exact

    body, exact = checking.read(folder / f"{wanted.name}.stl"), Exact(folder / f"{wanted.name}.step")
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


def written(wanted: Print, folder: Path = BUILD) -> Path:
    """The STL file of a print, the STEP file beside it; written, by build123d, where they are of another print."""
    path, note = folder / f"{wanted.name}.stl", folder / f"{wanted.name}.txt"
    if not (path.exists() and note.exists() and note.read_text(encoding="utf-8") == f"{wanted}\n"):
        from wiring.prints.solids import write

        folder.mkdir(parents=True, exist_ok=True)
        note.unlink(missing_ok=True)
        write(wanted, folder)
        note.write_text(f"{wanted}\n", encoding="utf-8")
    return path


def make(wanted: Print, folder: Path = BUILD) -> None:
    """Write a print's files and measure them; of one with a fault none is left. Raises `PrintError`."""
    written(wanted, folder)
    wrong = problems(wanted, folder) + differences(wanted, folder)
    if wrong:
        for file in folder.glob(f"{wanted.name}.*"):
            file.unlink()
        raise PrintError("\n".join(map(str, wrong)))
