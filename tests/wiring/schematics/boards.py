"""The boards under test and their sheets as read."""

import re
from functools import cache
from pathlib import Path

from tamsk_hw.board.wiring import load_wiring
from tests.wiring.bench import BOARDS, made
from tests.wiring.schematics.paper import Paper, read
from wiring.make.board import FOLDER, Board
from wiring.make.schematics import files


@cache
def sheets_of(key: str) -> dict[str, Paper]:
    """The sheets of a board by file name."""
    return {name: read(svg) for name, svg in made(key, files).items() if name.endswith(".svg")}


def changed(tmp_path: Path, texts: dict[str, str]) -> Board:
    """The reference board by a map in which these texts are replaced; each must be there once."""
    text = (FOLDER / "board.toml").read_text(encoding="utf-8")
    for old in texts:
        assert text.count(old) == 1, f"{old} is there {text.count(old)} times"
    text = re.sub("|".join(map(re.escape, texts)), lambda found: texts[found[0]], text)
    path = tmp_path / "board.toml"
    path.write_text(text, encoding="utf-8")
    known = BOARDS["reference"]
    return Board(known.key, known.title, known.map_name, load_wiring(path), known.catalogue)


def pins_of(sheets: dict[str, Paper]) -> dict[tuple[str, str], tuple[str, ...]]:
    """The texts at each pin on all sheets; a pin on several has the same on each."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for name, sheet in sheets.items():
        for key, words in sheet.pins().items():
            assert found.setdefault(key, words) == words, f"{key} on {name}"
    return found
