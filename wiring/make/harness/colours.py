"""The colours of wires by IEC 60757, and those of the tubes' cables."""

from __future__ import annotations

from typing import Final

from wiring.make.circuit.cables import SIGNAL_COLOURS
from wiring.make.circuit.nets import GROUND, SUPPLIES

#: In words.
COLOURS: Final = {
    "BK": "black", "BN": "brown", "RD": "red", "OG": "orange", "YE": "yellow", "GN": "green", "BU": "blue",
    "VT": "violet", "GY": "grey", "WH": "white", "PK": "pink",
}  # fmt: skip

#: Single wires up to here; more are a flat cable.
_SINGLE = 3


def tube_colours(wires: tuple[str, ...]) -> list[str]:
    """The colours of a tube's cable: grey with a red edge, or by net where the wires are single (the cradle's)."""
    if len(wires) > _SINGLE:
        return ["RD", *("GY" for _ in wires[1:])]
    return ["BK" if net == GROUND else "RD" if net in SUPPLIES else SIGNAL_COLOURS[0] for net in wires]
