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
    """As few arrays as the lines of a row of connectors need, in their order, and one for the cradle's.

    A line goes from its connector to its array before it goes anywhere else, so no array serves two rows. A pin
    that is left over goes to ground.

    The emitters' lines need none: their resistors are between them and the driver, whose outputs bear 50 V.
    """
    rows: dict[int, list[str]] = {}
    for tube in wiring.tubes:
        channel = wiring.channels[tube]
        assert channel is not None
        levels = range(1, len(wiring.ring_bits[tube]) + 1)
        rows.setdefault(channel.mux, []).extend(
            (nets.hall(Site(tube)), *(nets.ring(tube, level) for level in levels))
        )
    each = [
        lines[start : start + len(LINES)]
        for lines in (*rows.values(), [nets.hall(Site(None))])
        for start in range(0, len(lines), len(LINES))
    ]
    for number, own in enumerate(each, 1):
        filled = (*own, *(nets.GROUND,) * (len(LINES) - len(own)))
        pins = {"VBUS": nets.LOGIC, "GND": nets.GROUND, **dict(zip(LINES, filled, strict=True))}
        assembly.add("DA", number, "line_guard", Unit.SENSORS, "at the tubes' connectors", pins)
