"""All files made for a board, as texts by file name, and where they are written."""

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tamsk_hw.errors import WiringError
from wiring.make import (
    breadboard,
    electrics,
    harness,
    mechanics,
    ordering,
    parts_list,
    perforated,
    pin_tables,
    schematics,
)
from wiring.make.board import FOLDER, Board, groove_problems, problems
from wiring.make.electrics_lights import power_budget
from wiring.make.harness import HarnessError

#: Where the files are made, a folder a board; git ignores it.
BUILD: Final = FOLDER.parent / "build" / "wiring"

#: Made files that are kept below ``wiring/``, by board and name: the program reads them, or a page shows them.
KEPT: Final = {
    ("reference", "expected.toml"): "expected.toml",
    ("seven", "expected.toml"): "seven/expected.toml",
    ("reference", "breadboard.svg"): "pictures/breadboard.svg",
    ("seven", "schematics/block-diagram.svg"): "pictures/block-diagram.svg",
    ("seven", "mechanics/template.svg"): "pictures/template.svg",
}

#: The makers, each with the folder of its files; first those that may refuse a map.
MAKERS: Final[tuple[tuple[str, Callable[[Board], dict[str, str]]], ...]] = (
    ("mechanics/", mechanics.files),
    ("", pin_tables.files),
    ("", breadboard.files),
    ("", parts_list.files),
    ("", ordering.files),
    ("", perforated.files),
    ("", electrics.files),
    ("schematics/", schematics.files),
    ("harness/", harness.files),
)


class MakingError(Exception):
    """A circuit breaks a rule or draws too much, or a tool is missing; one line."""


def made_for(board: Board) -> dict[str, str]:
    """All files of a board. Raises `MakingError`."""
    try:
        return _made_for(board)
    except (HarnessError, WiringError) as error:
        raise MakingError(f"{board.map_name}: {error}") from error


def _made_for(board: Board) -> dict[str, str]:
    wrong = [*problems(board.circuit, board.cables), *groove_problems(board.tube_cables)]
    wrong += [
        f"{rail.rail}: {rail.worst:.0f} mA at worst; allowed are {rail.limit:.0f} mA, {rail.reason}"
        for rail in power_budget(board)
        if not rail.holds
    ]
    if wrong:
        more = f" (and {len(wrong) - 1} more)" if len(wrong) > 1 else ""
        raise MakingError(f"{board.map_name}: {wrong[0]}{more}")
    found: dict[str, str] = {}
    for within, maker in MAKERS:
        files = {f"{within}{name}": text for name, text in maker(board).items()}
        assert not found.keys() & files.keys(), f"{maker.__module__}: a file of another maker's"
        found |= files
    return found


def write(key: str, files: dict[str, str], build: Path = BUILD, source: Path = FOLDER) -> None:
    """Write a board's files into its folder, which holds nothing else, and those that are kept beside the maps."""
    shutil.rmtree(build / key, ignore_errors=True)
    for name, text in files.items():
        _write(build / key / name, text)
        if (key, name) in KEPT:
            _write(source / KEPT[key, name], text)


def _write(path: Path, text: str) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
