"""The boards that are tested, their files, and the places of their tubes by the shape of the board."""

import math
from dataclasses import replace
from functools import cache

from tamsk_hw.board.wiring import Wiring
from tests.wiring.bench import REFERENCE, SEVEN, made
from tests.wiring.mechanics.drawings import Drawing, read
from wiring.make import mechanics

#: Tubes in the columns A to G (R1.1).
COLUMNS = {"A": 4, "B": 5, "C": 6, "D": 7, "E": 6, "F": 5, "G": 4}


def changed(wiring: Wiring, **dimensions: float) -> Wiring:
    """The board with other dimensions."""
    return replace(wiring, geometry=replace(wiring.geometry, **dimensions))


FULL = REFERENCE.wiring
BOARDS = {
    "reference": FULL,
    "seven": SEVEN.wiring,
    "wide": changed(FULL, tube_pitch=61.0, ring_outer_diameter=47.0),
}


@cache
def files(name: str) -> dict[str, str]:
    """Everything that is made for a board."""
    if name == "wide":
        return mechanics.files(replace(REFERENCE, wiring=BOARDS[name]))
    return made(name, mechanics.files)


@cache
def drawing_of(name: str, file: str) -> Drawing:
    """One of its drawings."""
    return read(files(name)[file])


def centres(wiring: Wiring) -> dict[str, tuple[float, float]]:
    """Axis of each fitted tube by its name, x east and y north of D4: columns side by side, each centred."""
    pitch = wiring.geometry.tube_pitch
    fitted = {tube.name for tube in wiring.tubes}
    found = {}
    for place, (letter, count) in enumerate(COLUMNS.items()):
        x = (place - 3) * pitch * math.sqrt(3) / 2
        for row in range(1, count + 1):
            y = (row - (count + 1) / 2) * pitch
            if f"{letter}{row}" in fitted:
                found[f"{letter}{row}"] = (x, y)
    return found
