"""The circuit of a wiring map."""

from __future__ import annotations

from tamsk_hw.board.wiring_map import Wiring
from wiring.make.circuit.assembly import Assembly
from wiring.make.circuit.catalogue import Catalogue, load_catalogue
from wiring.make.circuit.controller import add_controller, add_holders
from wiring.make.circuit.glass_sensing import add_glass_sensing
from wiring.make.circuit.model import Circuit
from wiring.make.circuit.pi_side import add_lights, add_pi
from wiring.make.circuit.power import add_power
from wiring.make.circuit.protection import add_protection
from wiring.make.circuit.ring_sensing import add_ring_sensing


def build_circuit(name: str, wiring: Wiring, catalogue: Catalogue | None = None) -> Circuit:
    """All parts and nets of the board ``name`` that ``wiring`` maps."""
    assembly = Assembly(catalogue or load_catalogue())
    add_power(assembly)
    add_controller(assembly, wiring)
    add_holders(assembly, wiring)
    add_ring_sensing(assembly, wiring)
    add_glass_sensing(assembly, wiring)
    add_protection(assembly, wiring)
    add_lights(assembly, wiring)
    add_pi(assembly, wiring)
    return assembly.circuit(name)
