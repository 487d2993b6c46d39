"""Values of parts as numbers, as they stand in the circuit, and figures that several subjects use."""

from __future__ import annotations

from typing import Final

from wiring.make.circuit.model import Circuit

#: The board's supply (V), and how far it may be off (share): Mean Well GST25A, the usual tolerance of its 5 V
#: type.
SUPPLY: Final = 5.0
SUPPLY_TOLERANCE: Final = 0.05

#: Tolerance (share) of the resistors: metal film, 1 %.
RESISTOR_TOLERANCE: Final = 0.01

#: One step of the fields and references: 8 bits of the supply (V). PROTOCOL.md section 4.
STEP: Final = SUPPLY / 256

#: A scan starts so often (µs), and a bank is lit so long before it is read: default and most (µs).
#: PROTOCOL.md sections 4 and 5.2.
SCAN: Final = 2500.0
LIGHT_TIME: Final = 160.0
MOST_LIGHT_TIME: Final = 250.0

#: Warmest surroundings that are reckoned with (°C): a living room, and the warmth inside the housing.
AMBIENT: Final = 40.0

_SCALES: Final = {
    "Ω": 1.0,
    "kΩ": 1e3,
    "MΩ": 1e6,
    "pF": 1e-12,
    "nF": 1e-9,
    "µF": 1e-6,
}


def quantity(value: str) -> float:
    """``"33 kΩ"`` as 33000.0 ohm, ``"1 nF"`` as 1e-9 farad. Raises `ValueError` for anything else."""
    figure, _, unit = value.partition(" ")
    if unit not in _SCALES:
        raise ValueError(f"{value!r}; allowed is a number and one of {', '.join(_SCALES)}")
    return float(figure) * _SCALES[unit]


def value_of(circuit: Circuit, prefix: str) -> str:
    """The value of all parts whose designators begin so (``RE-``). Raises `ValueError` when they differ."""
    values = {part.value for part in circuit.parts if part.ref.startswith(prefix)}
    if len(values) != 1:
        raise ValueError(f"{prefix}: values {', '.join(sorted(values)) or 'none'}; needed is the same in all")
    return values.pop()
