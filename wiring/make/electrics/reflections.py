"""Light from a ring back to the sensors: from the ring before the sensor, and from the one below it.

Emitter and photo-transistor are two points, one above the other in the sensor's face, that send and see by
Lambert's law; a ring reflects alike in all directions. How far apart the two points are is chosen so that the
light falls with the distance as the data sheet's curve does.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Final

#: From the emitter to the photo-transistor (mm): gives 1.0, 0.46, 0.23, 0.13 at 1, 2, 3, 4 mm, where the sheet's
#: curve has about 1.0, 0.45, 0.2, 0.12 (read off by eye: customary).
SEPARATION: Final = 1.3

#: The same, if they were half of the body's length apart: the other end of what is likely.
WIDE_SEPARATION: Final = 1.8

#: The distance (mm) at which the data sheet states the light current, and half the size (mm) of a large mirror.
SHEET_DISTANCE: Final = 1.0
LARGE: Final = 8.0

#: Steps of the sums along each side.
_STEPS: Final = 120


@cache
def facing(distance: float, below: float, above: float, separation: float = SEPARATION) -> float:
    """Light from an upright surface, ``distance`` mm away, from ``below`` to ``above`` the sensor's centre (mm).

    In units of its own: only ratios mean something.
    """
    half = separation / 2
    total = 0.0
    for z, high in _middles(-below, above):
        for y, wide in _middles(-LARGE, LARGE):
            sent = distance**2 + y**2 + (z + half) ** 2
            seen = distance**2 + y**2 + (z - half) ** 2
            # Two angles at either end, each a cosine of distance over way.
            total += (distance**2 / sent / seen) ** 2 * high * wide
    return total


@cache
def from_below(gap: float, width: float, height: float, separation: float = SEPARATION) -> float:
    """Light from a level surface ``height`` mm below the sensor's centre, in the units of `facing`.

    It begins ``gap`` mm before the sensor's face and is ``width`` mm wide: the upper side of the ring below.
    """
    half = separation / 2
    total = 0.0
    for x, deep in _middles(gap, gap + width):
        for y, wide in _middles(-LARGE, LARGE):
            sent = x**2 + y**2 + (height - half) ** 2
            seen = x**2 + y**2 + (height + half) ** 2
            total += x * (height - half) / sent**2 * x * (height + half) / seen**2 * deep * wide
    return total


def share_of_ring(distance: float, below: float, above: float, separation: float = SEPARATION) -> float:
    """Light from a ring's bore there, as a share of that from a large surface at the sheet's distance."""
    return facing(distance, below, above, separation) / facing(SHEET_DISTANCE, LARGE, LARGE, separation)


def share_from_below(gap: float, width: float, height: float, separation: float = SEPARATION) -> float:
    """Light from the ring below, as the same share."""
    return from_below(gap, width, height, separation) / facing(SHEET_DISTANCE, LARGE, LARGE, separation)


def _middles(begin: float, end: float) -> Iterator[tuple[float, float]]:
    """The middles of equal steps from one end to the other, each with the step's size."""
    step = (end - begin) / _STEPS
    return ((begin + (place + 0.5) * step, step) for place in range(_STEPS))
