"""The boards that are tested, and where their tubes are, worked out anew from the shape of the board."""

from __future__ import annotations

import math
from dataclasses import replace
from pathlib import Path

from tamsk_hw.board.wiring import Wiring, load_wiring

SEVEN = Path(__file__).resolve().parents[3] / "wiring" / "seven" / "board.toml"

#: Tubes in the columns A to G (R1.1).
COLUMNS = {"A": 4, "B": 5, "C": 6, "D": 7, "E": 6, "F": 5, "G": 4}


def full() -> Wiring:
    """The reference board."""
    return load_wiring()


def seven() -> Wiring:
    """The board with seven tubes."""
    return load_wiring(SEVEN)


def changed(wiring: Wiring, **dimensions: float) -> Wiring:
    """The board with other dimensions."""
    return replace(wiring, geometry=replace(wiring.geometry, **dimensions))


BOARDS = {"full": full(), "seven": seven(), "wide": changed(full(), tube_pitch=61.0, ring_outer_diameter=47.0)}


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
