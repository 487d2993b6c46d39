"""The prints that the boards need, each once, with their dimensions."""

import math
from dataclasses import dataclass
from typing import Final

from tamsk_hw.board.wiring import Geometry
from wiring.make.board import Board
from wiring.make.geometry import (
    PARTS,
    SCREW_ANGLES,
    foot_radius,
    heights,
    layout,
    screw_circle,
    slot_top,
    tube_height,
    tubes_by_levels,
)

#: Layers in millimetres, the first like the others. With 0.15 a tube's floor over the Hall sensor comes out 0.03
#: mm too thin, with 0.2 it would be 0.13: more than the calculations allow.
TUBE_LAYER: Final = 0.15
JIG_LAYER: Final = PARTS.jig_layer

#: Notches in a jig's rim by the end of the glass that it is for: angles in degrees.
NOTCHES: Final = {"A": (0.0,), "B": (0.0, 20.0)}


@dataclass(frozen=True, slots=True)
class Tube:
    """A tube on its foot, standing on the printer's bed: heights in millimetres above the bed, x east."""

    levels: int
    ring_sensors: bool
    """False: the cradle of the 15-second glass, which has no slot."""
    foot_diameter: float
    foot_height: float
    """Also the surface on which the glass and the bottom ring stand."""
    outer_diameter: float
    bore_diameter: float
    height: float
    seat_diameter: float
    seat_height: float
    """The end of the Hall sensor's seat, to which its board is glued."""
    slot_width: float
    slot_depth: float
    slot_top: float
    groove_height: float
    screws: tuple[tuple[float, float], ...]
    """Places of the screws on the foot; none where it is glued."""


@dataclass(frozen=True, slots=True)
class Jig:
    """A jig for gluing magnets into the caps' pockets at the same depth, standing on the printer's bed."""

    end: str
    """``A`` or ``B``: the end of the glass."""
    outer_diameter: float
    bore_diameter: float
    ground: float
    """Height of the surface on which the cap's face lies."""
    boss_diameter: float
    boss_height: float
    """Above that surface: so deep the magnet comes behind the cap's face."""
    pocket_diameter: float
    pocket_height: float
    """Of the jig's own magnet, from below."""
    height: float


@dataclass(frozen=True, slots=True)
class Print:
    """A print: the ``name`` of its files, its dimensions, those of the set, and the number of copies by map."""

    name: str
    solid: Tube | Jig
    geometry: Geometry
    copies: dict[str, int]

    @property
    def layer(self) -> float:
        """The thickness of a layer in millimetres."""
        return TUBE_LAYER if isinstance(self.solid, Tube) else JIG_LAYER


def wanted_prints(boards: tuple[Board, ...]) -> tuple[Print, ...]:
    """The prints of these boards. Maps of the same dimensions share theirs; others have their map's name in front.

    Raises `WiringError` where dimensions leave no room.
    """
    found: list[Print] = []
    for geometry in dict.fromkeys(board.wiring.geometry for board in boards):
        own = [board for board in boards if board.wiring.geometry == geometry]
        front = "" if geometry == boards[0].wiring.geometry else f"{own[0].key}-"
        for board in own:
            layout(board.wiring)
        counts = {board.key: tubes_by_levels(board.wiring) for board in own}
        for levels in sorted({each for tubes in counts.values() for each in tubes}):
            copies = {key: len(tubes.get(levels, ())) for key, tubes in counts.items()}
            found.append(Print(f"{front}tube-{levels}", tube(geometry, levels), geometry, copies))
        one = dict.fromkeys(counts, 1)
        found.append(Print(f"{front}cradle", tube(geometry, 1, ring_sensors=False), geometry, one))
        found += [Print(f"{front}magnet-jig-{end}", jig(geometry, end), geometry, one) for end in NOTCHES]
    return tuple(found)


def tube(geometry: Geometry, levels: int, *, ring_sensors: bool = True) -> Tube:
    """The tube for ``levels`` rings. Raises `WiringError` where the dimensions leave no room for it."""
    high = heights(geometry)
    foot = high.foot_thickness
    circle = screw_circle(geometry)
    angles = [math.radians(angle) for angle in SCREW_ANGLES] if circle is not None else []
    return Tube(
        levels=levels,
        ring_sensors=ring_sensors,
        foot_diameter=2 * foot_radius(geometry),
        foot_height=foot,
        outer_diameter=geometry.tube_outer_diameter,
        bore_diameter=geometry.tube_inner_diameter,
        height=foot + tube_height(geometry.ring_thickness, levels),
        seat_diameter=PARTS.carrier_diameter + PARTS.fit,
        seat_height=foot - high.floor_thickness,
        slot_width=PARTS.strip_width + PARTS.slot_play,
        slot_depth=PARTS.sensor_recess + PARTS.sensor_depth + PARTS.strip_thickness,
        slot_top=foot + slot_top(geometry.ring_thickness, levels),
        groove_height=PARTS.cable_exit,
        screws=tuple(((circle or 0.0) * math.cos(angle), (circle or 0.0) * math.sin(angle)) for angle in angles),
    )


def jig(geometry: Geometry, end: str) -> Jig:
    """The jig for the magnets of one end, its ground raised to a whole layer."""
    layer = PARTS.jig_layer
    least = PARTS.jig_floor + geometry.magnet_thickness + PARTS.jig_glue
    ground = math.ceil(least / layer - 1e-9) * layer
    bore = geometry.cap_diameter + PARTS.fit
    return Jig(
        end=end,
        outer_diameter=bore + 2 * PARTS.jig_wall,
        bore_diameter=bore,
        ground=ground,
        boss_diameter=geometry.magnet_diameter - 1.0,
        boss_height=PARTS.magnet_recess,
        pocket_diameter=geometry.magnet_diameter + PARTS.fit,
        pocket_height=ground - PARTS.jig_floor,
        height=ground + PARTS.jig_rim,
    )
