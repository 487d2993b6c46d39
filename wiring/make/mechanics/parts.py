"""Sizes of parts that are bought or chosen and are not in the wiring map, in millimetres."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """Sizes in millimetres; the remanence in millitesla."""

    sensor_length: float
    """QRE1114GR along the tube's circumference: its body stands upright, its leads point left and right (data
    sheet: body 3.6 × 2.9 × 1.7, 4.8 over the leads)."""
    sensor_height: float
    """QRE1114GR along the tube's axis: the longer side of its body."""
    sensor_depth: float
    """QRE1114GR, body from its back to the face that looks out."""
    sensor_recess: float
    """Depth of the sensor's face behind the tube's surface: a ring nearer than 0.5 mm is not seen."""
    sensor_play: float
    """Play of the sensors in the height of their slot."""
    sensor_raise: float
    """Height of a sensor's centre above its ring's middle: the ring below then throws less light up into it."""
    sensor_reach: float
    """From a sensor's centre to the farther edge of emitter and photo-transistor: all of it must face its ring."""
    strip_thickness: float
    """Thickness of the strip that carries a tube's ring sensors (thin circuit board, 0.4)."""
    strip_width: float
    """Width of that strip."""
    slot_play: float
    """Play of that strip in the width of its slot: a printed slot comes out narrower (see `print_loss`)."""
    cable_exit: float
    """Height of the groove under the foot, through which the strip's wires go to the hole on the axis."""
    wall_left: float
    """Least plastic between the strip and the tube's bore, and over the Hall sensor."""
    wall_above: float
    """Plastic above the strip's slot, a millimetre and the rim's chamfer: less would break off when a cap knocks
    against it."""
    hall_length: float
    """SOT-23: the package with its leads, along the longer side (data sheet: 2.92 × 2.37, 1.12 at most)."""
    hall_width: float
    """SOT-23: across, with the leads."""
    hall_thickness: float
    """SOT-23: height of the package."""
    hall_die_depth: float
    """From the package's marked face to the die, the spot that senses (SOT-23: as TI draws it; compare yours)."""
    carrier_diameter: float
    """Round board that carries the Hall sensor on its underside, the marked face down (see `heights`)."""
    carrier_thickness: float
    """Thickness of that board."""
    carrier_tolerance: float
    """Its tolerance: a tenth, as circuit boards are made."""
    hall_tolerance: float
    """The package's height, 0.89 to 1.12 in the data sheet, and so about its middle."""
    fit: float
    """Play of the Hall sensor's board in its seat, of cap and magnet in their jig."""
    magnet_recess: float
    """Depth of the magnet's face behind the cap's: the cap stands on its rim, not on the magnet."""
    jig_tolerance: float
    """The recess may differ by this from cap to cap, glued in the jig."""
    remanence: float
    """N35: 1170 to 1220 mT in the makers' tables."""
    foot_lip: float
    """Width of the foot beyond a ring, all around."""
    drill_diameter: float
    """Hole in the board under each tube's axis, for the wires of its sensors."""
    screw_hole: float
    """Hole for an M2.5 screw in the printed foot."""
    screw_head: float
    """Countersunk head of an M2.5 screw, with play (4.7 in ISO 2009)."""
    pilot_hole: float
    """Hole in the board for such a screw, with a nut under it."""
    steel_distance: float
    """Least distance of steel from an axis: nearer, it would bend the field that the sensor reads."""
    print_loss: float
    """A printed hole or slot comes out narrower by up to this across, a printed wall thicker (nozzle of 0.4)."""
    chamfer: float
    """Chamfer at a print's edges: on the bed, where the first layer is squeezed out; at rims, to lead in."""
    jig_rim: float
    """Height of the jig's rim, which holds the cap in the middle."""
    jig_wall: float
    """Thickness of that rim."""
    jig_floor: float
    """Plastic between the jig's own magnet and the cap's."""
    jig_glue: float
    """Least room for glue under the jig's own magnet."""
    jig_layer: float
    """Layers of the jig: its heights are whole ones, or the slicer would round the boss away."""
    window_diameter: float
    """Light hole and clear rod over a pixel; a WS2812B is 5 × 5."""
    window_gap: float
    """Between a light hole and the tube's foot."""


PARTS: Final = Parts(
    sensor_length=4.8,
    sensor_height=3.6,
    sensor_depth=1.7,
    sensor_recess=0.8,
    sensor_play=0.2,
    sensor_raise=0.9,
    sensor_reach=1.2,
    strip_thickness=0.4,
    strip_width=5.4,
    slot_play=0.5,
    cable_exit=1.2,
    wall_left=0.5,
    wall_above=1.4,
    hall_length=2.92,
    hall_width=2.37,
    hall_thickness=1.12,
    hall_die_depth=0.65,
    carrier_diameter=10.0,
    carrier_thickness=1.0,
    carrier_tolerance=0.1,
    hall_tolerance=0.12,
    fit=0.5,
    magnet_recess=0.2,
    jig_tolerance=0.1,
    remanence=1190.0,
    foot_lip=1.0,
    drill_diameter=12.0,
    screw_hole=3.0,
    screw_head=5.0,
    pilot_hole=2.7,
    steel_distance=15.0,
    print_loss=0.2,
    chamfer=0.4,
    jig_rim=5.0,
    jig_wall=2.4,
    jig_floor=1.0,
    jig_glue=0.5,
    jig_layer=0.2,
    window_diameter=5.0,
    window_gap=0.5,
)
"""The parts of the reference build."""
