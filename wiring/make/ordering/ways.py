"""The two ways to build a board, and who mounts a part in each."""

from __future__ import annotations

import json
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Final

from wiring.make.board import FOLDER, Board
from wiring.make.circuit.model import Part, Unit

#: The footprints' dimensions, as `wiring.boards` took them from KiCad's library.
_FOOTPRINTS: Final = FOLDER / "boards" / "footprints.json"

#: The units that a circuit board replaces.
ORDERED_UNITS: Final = (Unit.TUBES, Unit.SENSORS, Unit.CONTROLLER)


class Way(Enum):
    """A way to build."""

    WIRED = "perforated board"
    """Everything is wired by hand: perforated boards, enamelled wires."""
    ORDERED = "ordered boards"
    """A factory makes the circuit boards and mounts what is flat."""


def mounted(board: Board, way: Way, part: Part) -> bool:
    """True where a factory mounts the part: it lies flat on a board that is ordered.

    A part without a footprint in parts.toml, or with pins that go through, is soldered by hand.
    """
    if way is Way.WIRED or part.unit not in ORDERED_UNITS:
        return False
    mounts = board.catalogue.mounts
    mount = mounts.get((part.kind.key, "")) or mounts.get((part.kind.key, part.value))
    return mount is not None and mount.footprint in _flat()


@cache
def _flat(path: Path = _FOOTPRINTS) -> frozenset[str]:
    """The footprints without a drilled pad."""
    known = json.loads(path.read_text(encoding="utf-8"))
    return frozenset(key for key, table in known.items() if not any(pad["drill"] for pad in table["pads"]))
