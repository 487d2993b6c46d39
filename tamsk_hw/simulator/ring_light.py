"""The light that a ring sensor needs, by the depth of its face behind the tube's surface and by where rings lean.

The simulated board's own truth, read off the QRE1113's curve of collector current over distance by eye; it shares
no figure with the calculations in ``wiring/make``. A recess as drawn and loose rings change nothing.
"""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass, field
from enum import Enum
from itertools import pairwise
from math import exp, inf, log
from typing import Final

#: Recess as drawn, and the play of a ring on its tube (mm).
DRAWN: Final = 0.8
PLAY: Final = 0.6

#: Time constant of a sensor's output (µs).
RISE: Final = 132.0

#: Light from a ring at these distances (mm), as a share of the most; nearer than half a millimetre emitter and
#: photo-transistor do not see the same spot.
_OF_RING: Final = (
    *((0.0, 0.0), (0.2, 0.08), (0.35, 0.35), (0.5, 0.7), (0.7, 0.92), (1.0, 1.0)),
    *((1.4, 0.72), (2.0, 0.45), (3.0, 0.22), (4.0, 0.12), (6.0, 0.05)),
)

#: The same from the ring below, by its distance from the sensor's face.
_FROM_BELOW: Final = ((0.0, 0.3), (0.2, 0.2), (0.4, 0.1), (0.7, 0.025), (1.4, 0.005), (6.0, 0.0))


class Push(Enum):
    """The side to which rings are pushed."""

    LOOSE = "loose"
    """They lie as they fell: as far from their sensors as they can."""
    AGAINST = "against"
    """Against the sensors' side: as near as they can be."""
    AWAY = "away"


@dataclass(slots=True)
class RingLight:
    """Where rings were pushed, and the recesses (mm) that are not as drawn, by ring place."""

    push: Push = Push.LOOSE
    recess: dict[int, float] = field(default_factory=dict)

    @property
    def is_as_drawn(self) -> bool:
        """Every sensor needs the light that it was made with."""
        return not self.recess and self.push is not Push.AGAINST

    def needed(self, place: int, made_with: float) -> float:
        """Light (µs) to see its own ring; ``made_with``: when that is farthest, as drawn. Maybe infinite."""
        return _time(made_with, _share(_OF_RING, self._distance(place)))

    def needed_from_below(self, place: int, made_with: float) -> float:
        """Light (µs) after which the ring below is taken for one of the sensor's own; maybe infinite."""
        return _time(made_with, _share(_FROM_BELOW, self._distance(place)))

    def _distance(self, place: int) -> float:
        return self.recess.get(place, DRAWN) + (0.0 if self.push is Push.AGAINST else PLAY)


def _time(made_with: float, share: float) -> float:
    """The time in which the output, charged by this share of the light, reaches the same level."""
    level = (1 - exp(-made_with / RISE)) * _share(_OF_RING, DRAWN + PLAY)
    return -RISE * log(1 - level / share) if level < share else inf


def _share(curve: tuple[tuple[float, float], ...], distance: float) -> float:
    """The curve at a distance, straight between its points."""
    at = bisect_right(curve, (distance, inf))
    if at == len(curve):
        return curve[-1][1]
    (near, share), (far, other) = list(pairwise(curve))[at - 1]
    return share + (other - share) * (distance - near) / (far - near)
