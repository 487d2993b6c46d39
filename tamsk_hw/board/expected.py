"""Reads what the calculations expect of a finished tube (``wiring/reference/expected.toml``, made by make wiring).

Nobody has measured these figures yet.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from tamsk_hw.board.strict_toml import Table
from tamsk_hw.board.wiring_map import Wiring
from tamsk_hw.errors import WiringError
from tamsk_hw.system.bounded_toml import TomlError, parse_toml

#: The folders of the boards whose tubes are calculated.
BOARDS: Final = ("reference", "seven")

_FILE: Final = "expected.toml"


@dataclass(frozen=True, slots=True)
class Band:
    """The least, the typical and the greatest reading that is expected."""

    least: int
    typical: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The readings that are expected of a tube.

    ``wiring``: hash of the map. ``recess``: of a ring sensor's face behind the tube's surface, in mm. ``near``,
    ``far``: microseconds of light with the rings against the sensors' side and away from it. ``drv5055a3``,
    ``ss49e``: steps by which a seated glass moves either Hall sensor. ``ends``: percent by which one end of a
    glass may be weaker. ``neighbour``: steps that a glass in the next tube adds at most.
    """

    wiring: int
    recess: float
    near: Band
    far: Band
    drv5055a3: Band
    ss49e: Band
    ends: int
    neighbour: int


def expected_of(wiring: Wiring) -> Expected:
    """The readings expected of the tubes of a board with this map.

    Raises:
        WiringError: nothing was calculated for this map, or a file of the package is damaged.
    """
    for board in BOARDS:
        found = parse_expected(_text(board), f"wiring/{board}/{_FILE}")
        if found.wiring == wiring.hash:
            return found
    raise WiringError(
        f"no readings are calculated for a board of wiring {wiring.hash:08x}; allowed are the maps that come with "
        f"the program ({', '.join(BOARDS)}), and after a change of theirs make wiring"
    )


def parse_expected(text: str, file: str) -> Expected:
    """The readings in ``text``; ``file`` is its name in messages. Raises `WiringError`, one line."""
    try:
        root = Table(file, "", parse_toml(text))
    except TomlError as error:
        raise WiringError(f"{file}: {error}; allowed is TOML") from error
    root.only(("wiring", "recess", "light", "field"))
    light, field = root.table("light"), root.table("field")
    light.only(("near", "far"))
    field.only(("drv5055a3", "ss49e", "ends", "neighbour"))
    return Expected(
        wiring=_hash(root),
        recess=root.length("recess"),
        near=_band(light, "near"),
        far=_band(light, "far"),
        drv5055a3=_band(field, "drv5055a3"),
        ss49e=_band(field, "ss49e"),
        ends=field.integer("ends", 0, 100),
        neighbour=field.integer("neighbour", 0, 255),
    )


def _hash(root: Table) -> int:
    text = root.text("wiring")
    if len(text) != 8 or not set(text) <= set("0123456789abcdef"):
        raise root.refuse("wiring", f'"{text[:20]}"; allowed are eight hexadecimal digits')
    return int(text, 16)


def _band(table: Table, name: str) -> Band:
    band = Band(*table.integers(name, 3, 0, 255))
    if not band.least <= band.typical <= band.most:
        raise table.refuse(name, f"{band.least}, {band.typical}, {band.most}; allowed are rising numbers")
    return band


def _text(board: str) -> str:
    """The text of a board's file: from the installed package, else from the checkout."""
    places: list[Traversable] = [Path(__file__).resolve().parents[2] / "wiring"]
    with suppress(ModuleNotFoundError):
        places.insert(0, resources.files("tamsk_hw.wiring"))
    for place in places:
        try:
            return place.joinpath(board, _FILE).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
    raise WiringError(f"wiring/{board}/{_FILE}: cannot be read; the package is incomplete: install it again")
