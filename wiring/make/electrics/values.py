"""Figures that several subjects use, and the parts of a circuit that are all alike."""

from __future__ import annotations

from typing import Final

from wiring.make.circuit.model import Circuit, Part

#: The board's supply (V), and its tolerance (share): Mean Well GST25A, as usual for its 5 V type.
SUPPLY: Final = 5.0
SUPPLY_TOLERANCE: Final = 0.05

#: Tolerance (share) of the resistors: metal film, 1 %.
RESISTOR_TOLERANCE: Final = 0.01

#: One step of the fields and references: 8 bits of the supply (V). PROTOCOL.md section 4.
STEP: Final = SUPPLY / 256

#: From one scan to the next (µs); light time of a bank before it is read, default and longest (µs).
#: PROTOCOL.md sections 4 and 5.2.
SCAN: Final = 2500.0
LIGHT_TIME: Final = 160.0
MOST_LIGHT_TIME: Final = 250.0

#: Highest ambient temperature (°C): a living room, and the warmth inside the housing.
AMBIENT: Final = 40.0


def alike(circuit: Circuit, letters: str) -> Part:
    """One of the parts with these letters, which have one value. Raises `ValueError` when their values differ."""
    parts = [part for part in circuit.parts if part.letters == letters]
    values = {part.value for part in parts}
    if len(values) != 1:
        raise ValueError(f"{letters}: values {', '.join(sorted(values)) or 'none'}; needed is the same in all")
    return parts[0]
