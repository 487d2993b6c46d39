"""Heights along a tube's axis, in millimetres above the surface on which the bottom ring rests.

That surface is the top of the tube's foot. The tube's floor inside, on which the glass stands, is level with it.

The Hall sensor hangs under its board, its marked face down, away from the glass. DRV5055 and SS49E give more than
half of their supply for a south pole at the marked face (data sheets); a reading above the middle is to be end A,
and end A has its north pole out. Marked face up, A and B would be exchanged.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.board.wiring_map import Geometry
from tamsk_hw.errors import WiringError
from tamsk_hw.game.tubes import CAPACITY, TUBES
from wiring.make.mechanics.parts import PARTS


@dataclass(frozen=True, slots=True, kw_only=True)
class Heights:
    """Heights in millimetres; those below the foot's top are negative."""

    sensors: tuple[float, ...]
    """Centre of each level's ring sensor, bottom up; as many as the highest tube has levels."""
    tubes: tuple[float, ...]
    """Top of a tube of 1, 2, … levels."""
    magnet: float
    """Face of the magnet in the lower cap of a seated glass."""
    die: float
    """The Hall sensor's die."""
    seat: float
    """Upper end of the Hall sensor's seat: the small board that carries it touches there."""
    carrier: float
    """Underside of that small board; the sensor's package begins there."""
    base: float
    """Underside of the foot, top of the board's plate, and the package's marked face."""

    @property
    def foot_thickness(self) -> float:
        """Thickness of the foot, millimetres."""
        return -self.base

    @property
    def floor_thickness(self) -> float:
        """Plastic between the glass and the Hall sensor, millimetres."""
        return -self.seat


def sensor_height(thickness: float, level: int) -> float:
    """Centre of the sensor of ``level`` (0 at the bottom) for rings of ``thickness`` millimetres.

    Rings lie on each other, so that a level is as high as a ring; the sensor looks at its ring a little above its
    middle, away from the ring below.
    """
    return (level + 0.5) * thickness + PARTS.sensor_raise


def slot_top(thickness: float, levels: int) -> float:
    """Height of the upper end of the slot that takes the strip of ring sensors, in a tube of ``levels`` levels."""
    return sensor_height(thickness, levels - 1) + (PARTS.sensor_height + PARTS.sensor_play) / 2


def tube_height(thickness: float, levels: int) -> float:
    """Top of a tube that holds ``levels`` rings: no lower than the topmost ring, a wall above the strip's slot."""
    return max(levels * thickness, slot_top(thickness, levels) + PARTS.wall_above)


def levels_of(wiring: Wiring) -> tuple[int, ...]:
    """The different numbers of levels of the tubes that are fitted, rising: (1, 2, 3, 4) for the whole board."""
    return tuple(sorted({CAPACITY[tube] for tube in wiring.tubes}))


def heights(geometry: Geometry) -> Heights:
    """All heights for these dimensions.

    Raises `WiringError` where a ring is too thin for a sensor, or the magnet too near for a floor.
    """
    thickness = geometry.ring_thickness
    least = max(PARTS.sensor_height + PARTS.sensor_play, 2 * (PARTS.sensor_raise + PARTS.sensor_reach))
    if thickness < least - 1e-9:
        raise WiringError(
            f"geometry.ring_thickness: {thickness:g}; allowed is {least:g} or more, "
            "or a sensor looks at the next ring, too"
        )
    die = PARTS.magnet_recess - geometry.magnet_distance
    carrier = die + PARTS.hall_thickness - PARTS.hall_die_depth
    seat = carrier + PARTS.carrier_thickness
    if -seat < PARTS.wall_left:
        nearest = PARTS.magnet_recess + seat - die + PARTS.wall_left
        raise WiringError(
            f"geometry.magnet_distance: {geometry.magnet_distance:g}; allowed is {nearest:g} or more, "
            "or no floor is left under the glass"
        )
    levels = range(max(CAPACITY))
    return Heights(
        sensors=tuple(sensor_height(thickness, level) for level in levels),
        tubes=tuple(tube_height(thickness, level + 1) for level in levels),
        magnet=PARTS.magnet_recess,
        die=die,
        seat=seat,
        carrier=carrier,
        base=die - PARTS.hall_die_depth,
    )


def field_at_die(geometry: Geometry) -> float:
    """Field of a seated glass at the die in millitesla: on the axis of a disc magnet of N35.

    The closed form for a cylinder that is magnetised along its axis.
    """
    radius, near = geometry.magnet_diameter / 2, geometry.magnet_distance
    far = near + geometry.magnet_thickness
    return PARTS.remanence / 2 * (far / math.hypot(far, radius) - near / math.hypot(near, radius))


def tubes_by_levels(wiring: Wiring) -> dict[int, tuple[str, ...]]:
    """The names of the fitted tubes by their number of levels, in board order."""
    return {
        levels: tuple(tube.name for tube in TUBES if tube in wiring.tubes and CAPACITY[tube] == levels)
        for levels in levels_of(wiring)
    }
