"""All files made for a board, as texts by file name, and their comparison with the board's folder."""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from pathlib import Path
from typing import Final

from tamsk_hw.errors import WiringError
from wiring.make import (
    electrics,
    harness,
    mechanics,
    ordering,
    parts_list,
    perforated,
    pin_tables,
    schematics,
)
from wiring.make.board import Board
from wiring.make.circuit.checking import problems
from wiring.make.harness.drawing import HarnessError

#: The files of a board's folder that people write; all others are made.
WRITTEN_BY_HAND: Final = frozenset({"board.toml"})

#: The makers, each with the folder of its files; first those that may refuse a map.
MAKERS: Final[tuple[tuple[str, Callable[[Board], dict[str, str]]], ...]] = (
    ("mechanics/", mechanics.files),
    ("", pin_tables.files),
    ("", parts_list.files),
    ("", ordering.files),
    ("", perforated.files),
    ("", electrics.files),
    ("schematics/", schematics.files),
    ("harness/", harness.files),
)

#: The note of what drew a sheet that graphviz has laid out, and the sheet's words.
_DRAWN_BY: Final = re.compile(r"^<!-- Drawn by .* -->$", re.MULTILINE)
_TEXT: Final = re.compile(r"<text [^>]*>([^<]*)</text>")


class MakingError(Exception):
    """A circuit breaks a rule or draws too much, or a tool is missing; one line."""


def made_for(board: Board) -> dict[str, str]:
    """All files of a board. Raises `MakingError`."""
    try:
        return _made_for(board)
    except (HarnessError, WiringError) as error:
        raise MakingError(f"{board.map_name}: {error}") from error


def _made_for(board: Board) -> dict[str, str]:
    wrong = problems(board.circuit, board.cables)
    wrong += [
        f"{rail.rail}: {rail.worst:.0f} mA at worst; allowed are {rail.limit:.0f} mA, {rail.reason}"
        for rail in electrics.power_budget(board)
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


def stale(folder: Path, files: dict[str, str]) -> dict[str, str]:
    """The files in ``folder`` that are missing, out of date or superfluous, with the problem of each."""
    there = {str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()} - WRITTEN_BY_HAND
    found = dict.fromkeys(sorted(files.keys() - there), "is missing")
    found |= dict.fromkeys(sorted(there - files.keys()), "is not made any more")
    for name in sorted(there & files.keys()):
        if not same((folder / name).read_bytes().decode("utf-8", errors="replace"), files[name]):
            found[name] = "is not as the wiring map has it"
    return found


def same(there: str, made: str) -> bool:
    """True where a file has the content that would be written.

    Of a whole sheet that graphviz has laid out, only the words are compared: another graphviz, or other fonts, lay
    out the same harness differently. To have such a sheet drawn again, delete it.
    """
    if there == made:
        return True
    whole = there.rstrip().endswith("</svg>") and "<path" in there
    if not whole or not all(map(_DRAWN_BY.search, (there, made))):
        return False
    return sorted(_TEXT.findall(there)) == sorted(_TEXT.findall(made))


def write(folder: Path, files: dict[str, str]) -> None:
    """Write the files that are out of date; remove those in ``folder`` that are not made any more."""
    for name, why in stale(folder, files).items():
        path = folder / name
        if why == "is not made any more":
            path.unlink(missing_ok=True)
            continue
        path.parent.mkdir(parents=True, exist_ok=True)
        # Write and rename: a file is replaced whole or not at all.
        beside = path.with_name(f"{path.name}.{os.getpid()}.new")
        beside.write_text(files[name], encoding="utf-8")
        beside.replace(path)
