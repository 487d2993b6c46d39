"""The colours of wires by IEC 60757, and those of the tubes' cables."""

from __future__ import annotations

from typing import Final

from wiring.make.circuit.cables import flat_colour, wire_colour

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
        return [flat_colour(place) for place in range(len(wires))]
    return [wire_colour(net, 0) for net in wires]
