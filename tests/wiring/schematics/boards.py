"""The boards under test and their sheets as read."""

from functools import cache

from tests.wiring.bench import made
from tests.wiring.schematics.paper import Paper, read
from wiring.make.schematics import files


@cache
def sheets_of(key: str) -> dict[str, Paper]:
    """The sheets of a board by file name."""
    return {name: read(svg) for name, svg in made(key, files).items() if name.endswith(".svg")}


def pins_of(sheets: dict[str, Paper]) -> dict[tuple[str, str], tuple[str, ...]]:
    """The texts at each pin on all sheets; a pin on several has the same on each."""
    found: dict[tuple[str, str], tuple[str, ...]] = {}
    for name, sheet in sheets.items():
        for key, words in sheet.pins().items():
            assert found.setdefault(key, words) == words, f"{key} on {name}"
    return found
