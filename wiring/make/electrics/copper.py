"""The copper of the ordered controller board: widths for a short, and what it takes from the rails."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.electrics import supply
from wiring.make.electrics.budget import SUPPLY_SHORT
from wiring.make.electrics.check import Check, Subject, at_most
from wiring.make.electrics.fuses import rating
from wiring.make.numbers import number

#: Width (mm) that the board keeps all along each net of the supply (wiring/boards/controller_board.py).
WIDTHS: Final = {
    nets.INLET: 4.0,
    nets.FUSED: 4.0,
    nets.GUARDED: 3.0,
    nets.MAIN: 4.0,
    nets.LIGHTS_SUPPLY: 3.6,
    nets.LOGIC: 2.4,
    nets.EMITTERS: 1.8,
}

#: Thickness of the outer copper (mm), and the warming that is allowed (K).
THICKNESS: Final = 0.035
WARMING: Final = 20.0

#: IPC-2221, outer layers: current (A) = 0.048 · warming (K) ^ 0.44 · cross section (square mils) ^ 0.725.
_FACTOR, _OF_WARMING, _OF_SECTION = 0.048, 0.44, 0.725
_MIL: Final = 0.0254


def least_width(current: float, warming: float = WARMING) -> float:
    """The width (mm) at which ``current`` (A) warms a track by ``warming`` (K), by IPC-2221."""
    section: float = (current / (_FACTOR * warming**_OF_WARMING)) ** (1 / _OF_SECTION)
    return section * _MIL**2 / THICKNESS


@dataclass(frozen=True, slots=True, kw_only=True)
class CopperOfBoard(Subject):
    """Millivolts that the copper takes from the pixels and from the controller, every rail at its worst."""

    from_lights: float
    from_logic: float


def subject(board: Board, milliamp_cap: float) -> CopperOfBoard:
    """Widths against the currents of a short; what the copper takes is in the rails' own checks."""
    way_in = (nets.INLET, nets.FUSED, nets.GUARDED, nets.MAIN)
    rows = [
        (f"{way_in[0]} to {way_in[-1]}", min(WIDTHS[net] for net in way_in), SUPPLY_SHORT),
        (nets.LIGHTS_SUPPLY, WIDTHS[nets.LIGHTS_SUPPLY], SUPPLY_SHORT),
    ]
    for net, ref in ((nets.LOGIC, "FU3"), (nets.EMITTERS, "FU4")):
        rows.append((net, WIDTHS[net], rating(board.circuit.by_ref[ref]).trip))
    drawn = supply.draws(board, milliamp_cap)
    shared = supply.worst_of_all(board, milliamp_cap) * (supply.WAY_IN_COPPER + supply.GROUND_COPPER)
    near = supply.module_current(board)
    lights = drawn[nets.LIGHTS_SUPPLY].worst * 1e-3 * supply.LIGHTS_COPPER
    logic = drawn[nets.LOGIC].worst * 1e-3 * supply.LOGIC_COPPER + near * supply.MODULE_COPPER
    return CopperOfBoard(
        checks=tuple(_width(*row) for row in rows),
        from_lights=(shared + lights) * 1e3,
        from_logic=(shared + logic) * 1e3,
    )


def _width(net: str, width: float, current: float) -> Check:
    return at_most(
        f"{net}: width that a short needs",
        f"({number(current)} A / ({_FACTOR} × {number(WARMING)}^{_OF_WARMING}))^(1 / {_OF_SECTION}) square mils / "
        f"{number(THICKNESS)} mm",
        least_width(current),
        width,
        "mm",
        f"IPC-2221, outer layer, {number(WARMING)} K warmer for good; what the supply gives before it limits "
        "itself, or the current at which the fuse trips",
    )
