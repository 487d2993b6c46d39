"""The rails' currents, and the volts that are left of the supply behind inlet, slow fuse and guard."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Unit
from wiring.make.electrics import emitters
from wiring.make.electrics.currents import typical_current, worst_current
from wiring.make.electrics.fuses import rating
from wiring.make.electrics.values import SUPPLY, SUPPLY_TOLERANCE
from wiring.make.numbers import number

#: Both contacts of plug and inlet (Ω): at most 30 mΩ is customary for such inlets.
CONTACTS: Final = 0.030

#: One transistor of the guard (Ω): at most 6.8 mΩ at a gate of 4.5 V and 25 °C, a fifth more at 60 °C (Infineon
#: IRF9310).
TRANSISTOR: Final = 0.0068 * 1.2


#: Copper of the ordered controller board (Ω), 35 µm thick at 60 °C: from the inlet to the pixels' fuse, from the
#: boards' grounds back to the inlet, from the fuses to lights and ribbon, and from there to the module. Calculated
#: from the board file and rounded up (wiring/boards/resistance.py); wires of 0.5 mm² are no worse up to 5 cm each.
WAY_IN_COPPER: Final = 0.0025
GROUND_COPPER: Final = 0.0018
LIGHTS_COPPER: Final = 0.0013
LOGIC_COPPER: Final = 0.0028
MODULE_COPPER: Final = 0.100


#: Copper of the ordered sensor boards (Ω): planes of 5 V and of ground, 17.5 µm thick, from the ribbon to the
#: farthest tube, for a current that all tubes share; and by map the emitters' supply within the plane of 5 V, as
#: far, for the current of a bank, whose emitters are in several tubes. Calculated likewise.
PLANE_COPPER: Final = 0.0115
PLANE_GROUND: Final = 0.0025
EMITTERS_COPPER: Final = {"reference": 0.095, "seven": 0.105}


@dataclass(frozen=True, slots=True)
class Draw:
    """Current of a rail (mA), typical and worst."""

    typical: float
    worst: float


def draws(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> dict[str, Draw]:
    """The current of each rail by its net, the pixels' capped (mA); the emitters' worst is a bank lit for good."""
    circuit = board.circuit
    pixels = sum(part.kind.worst for part in circuit.of_kind("pixel"))
    shifter = worst_current(circuit, nets.LIGHTS_SUPPLY) - pixels
    hung = emitters.worst_lit_current(circuit)
    return {
        nets.LIGHTS_SUPPLY: Draw(
            min(typical_current(circuit, nets.LIGHTS_SUPPLY), milliamp_cap), min(pixels, milliamp_cap) + shifter
        ),
        nets.LOGIC: Draw(typical_current(circuit, nets.LOGIC), worst_current(circuit, nets.LOGIC)),
        nets.EMITTERS: Draw(emitters.average_current(circuit) * 1e3, hung * 1e3),
    }


def worst_of_all(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> float:
    """Current through the inlet (A) with every rail at its worst."""
    return sum(draw.worst for draw in draws(board, milliamp_cap).values()) * 1e-3


def module_current(board: Board) -> float:
    """Worst current (A) of the controller and of what hangs on its board."""
    return worst_current(board.circuit, nets.LOGIC, (Unit.CONTROLLER, Unit.HOLDERS)) * 1e-3


def way_in(board: Board) -> float:
    """Resistance (Ω) from the plug to the rails' fuses, and of the ground back."""
    copper = WAY_IN_COPPER + GROUND_COPPER
    return CONTACTS + rating(board.circuit.by_ref["FU1"]).resistance + 2 * TRANSISTOR + copper


def least_main(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> float:
    """Volts before the rails' fuses: supply low, every rail at its worst."""
    return SUPPLY * (1 - SUPPLY_TOLERANCE) - worst_of_all(board, milliamp_cap) * way_in(board)


def least_main_words(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> str:
    """The calculation of `least_main`."""
    return (
        f"{number(SUPPLY * (1 - SUPPLY_TOLERANCE))} V − {number(worst_of_all(board, milliamp_cap))} A × "
        f"{number(way_in(board) * 1e3)} mΩ"
    )
