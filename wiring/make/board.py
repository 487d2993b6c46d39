"""A board: its wiring map, its circuit, its cables."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.board.wiring_map import Wiring
from wiring.make.circuit.building import build_circuit
from wiring.make.circuit.cables import Cable, TubeCable, cables_of, tube_cables_of
from wiring.make.circuit.catalogue import Catalogue, load_catalogue
from wiring.make.circuit.model import Circuit

#: The folder ``wiring/``.
FOLDER = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Board:
    """One board.

    ``key`` names its folder, ``title`` stands on every sheet, ``map_name`` is the path of its wiring map.
    """

    key: str
    title: str
    map_name: str
    wiring: Wiring
    catalogue: Catalogue

    @cached_property
    def circuit(self) -> Circuit:
        """Every part and net."""
        return build_circuit(self.key, self.wiring, self.catalogue)

    @cached_property
    def cables(self) -> tuple[Cable, ...]:
        """The cables between the units."""
        return cables_of(self.circuit, self.wiring)

    @cached_property
    def tube_cables(self) -> tuple[TubeCable, ...]:
        """The cable of each tube and the cradle."""
        return tube_cables_of(self.circuit, self.wiring)


def load_boards() -> tuple[Board, ...]:
    """The reference board and the first build of seven tubes. Raises `WiringError` for a map that is refused."""
    catalogue = load_catalogue()
    known = (
        ("reference", "TAMSK board, 37 tubes", "board.toml"),
        ("seven", "TAMSK first build, 7 tubes", "seven/board.toml"),
    )
    return tuple(
        Board(key, title, f"wiring/{name}", load_wiring(FOLDER / name), catalogue) for key, title, name in known
    )
