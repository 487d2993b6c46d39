"""The fuses: holding and trip currents, resistance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from wiring.make.circuit.model import Part

#: Share of its rating at 23 °C that a resettable fuse holds at 40 °C: customary; compare the sheet's table.
WARM: Final = 0.80

#: Share of its rating that a glass fuse carries for good: Littelfuse, selection guide.
FOR_GOOD: Final = 0.75


@dataclass(frozen=True, slots=True)
class FuseRating:
    """One fuse: holds ``hold`` A at 23 °C, surely trips at ``trip`` A, ``resistance`` Ω at most (after a trip).

    ``carries`` is what it may carry for good (A) where the board stands.
    """

    hold: float
    trip: float
    resistance: float
    carries: float
    source: str


def _resettable(hold: float, trip: float, resistance: float) -> FuseRating:
    return FuseRating(hold, trip, resistance, hold * WARM, "Bourns MF-R series")


#: By value: hold and trip current, most resistance an hour after a trip (Bourns MF-R; the 4 A one IEC 60127-2, and
#: 17 mΩ cold by Littelfuse's sheet of the like 213 004, 20 mΩ at half of its current).
RATINGS: Final = {
    "0.5 A resettable": _resettable(0.5, 1.0, 1.17),
    "1.1 A resettable": _resettable(1.1, 2.2, 0.27),
    "1.85 A resettable": _resettable(1.85, 3.7, 0.11),
    "2.5 A resettable": _resettable(2.5, 5.0, 0.07),
    "3 A resettable": _resettable(3.0, 6.0, 0.08),
    "4 A slow": FuseRating(4.0, 8.4, 0.02, 4.0 * FOR_GOOD, "IEC 60127-2: breaks at 2.1 times its rating"),
}


def rating(fuse: Part) -> FuseRating:
    """The rating of a fuse of the circuit. Raises `KeyError` for a value that is not known."""
    return RATINGS[fuse.value]
