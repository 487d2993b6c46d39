"""The footprints that boards use, as taken from KiCad's library (`drawing.py`) into ``footprints.json``."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any, Final

from wiring.boards.layout import Footprint, Pad
from wiring.make.circuit.catalogue import Catalogue

#: Their dimensions, so that boards can be placed and routed without KiCad.
DATA: Final = Path(__file__).with_name("footprints.json")

NARROW_WIRE: Final = "tamsk:WirePad_Narrow"
WIDE_WIRE: Final = "tamsk:WirePad_Wide"
BITE: Final = "tamsk:Bite"
TEST_POINT: Final = "tamsk-power:TestPoint"
HOLE: Final = "MountingHole:MountingHole_3.2mm_M3"
MARK: Final = "Fiducial:Fiducial_1mm_Mask2mm"


def needed(catalogue: Catalogue) -> list[str]:
    """The names of all footprints that boards may use, sorted."""
    own = {NARROW_WIRE, WIDE_WIRE, BITE, HOLE, MARK, TEST_POINT}
    return sorted(own | {mount.footprint for mount in catalogue.mounts.values()})


@cache
def footprint(key: str) -> Footprint:
    """The footprint of that name. Raises `KeyError`."""
    return _read()[key]


@cache
def _read() -> dict[str, Footprint]:
    return {key: _footprint(key, table) for key, table in json.loads(DATA.read_text(encoding="utf-8")).items()}


def _footprint(key: str, table: dict[str, Any]) -> Footprint:
    keys = ("number", "x", "y", "width", "height", "angle", "drill", "free")
    pads = tuple(Pad(*(pad[key] for key in keys)) for pad in table["pads"])
    left, top, right, bottom = table["courtyard"]
    return Footprint(key, pads, (left, top, right, bottom))
