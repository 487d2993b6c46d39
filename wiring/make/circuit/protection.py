"""Arrays against sparks: every line from a tube is clamped where it enters the sensor board."""

from __future__ import annotations

from typing import Final

from tamsk_hw.board.wiring_map import Wiring
from wiring.make.circuit import nets
from wiring.make.circuit.assembly import Assembly
from wiring.make.circuit.model import Site, Unit

#: The pins for lines of an array.
LINES: Final = ("I/O1", "I/O2", "I/O3", "I/O4")


def add_protection(assembly: Assembly, wiring: Wiring) -> None:
    """As few arrays as the lines need, in the order of the connectors; a pin that is left over goes to ground.

    The emitters' lines need none: their resistors are between them and the driver, whose outputs bear 50 V.
    """
    lines = [
        net
        for tube in wiring.tubes
        for net in (
            nets.hall(Site(tube)),
            *(nets.ring(tube, level + 1) for level in range(len(wiring.ring_bits[tube]))),
        )
    ]
    lines.append(nets.hall(Site(None)))
    for number, start in enumerate(range(0, len(lines), len(LINES)), 1):
        own = lines[start : start + len(LINES)]
        filled = (*own, *(nets.GROUND,) * (len(LINES) - len(own)))
        pins = {"VBUS": nets.LOGIC, "GND": nets.GROUND, **dict(zip(LINES, filled, strict=True))}
        assembly.add("DA", number, "line_guard", Unit.SENSORS, "at the tubes' connectors", pins)
