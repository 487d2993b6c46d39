"""Calculations: the magnets' fields at the Hall sensors."""

from dataclasses import dataclass
from math import hypot, pi
from typing import Final

from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.board.wiring import Geometry
from wiring.make.board import Board
from wiring.make.electrics_values import STEP, Check, Subject, judged, subject
from wiring.make.geometry import PARTS

#: Remanence (T) of sintered NdFeB: N35 1.17 to 1.21, N45 1.32 to 1.37 (customary grades). A magnet sold as 8 × 2
#: mm is often N45.
N35: Final = 1.20
N45: Final = 1.37

#: Play of a seated glass (mm): standing off or tilted by this much it still counts as seated.
PLAY: Final = 0.3

#: A printed floor may be so much off (mm); estimate.
PRINT: Final = 0.1


@dataclass(frozen=True, slots=True)
class HallSensor:
    """A linear Hall sensor at 5 V.

    ``sensitivity`` in mV/mT; linear to ``reach`` (mT); its output comes as near to a rail as ``swing`` (V).
    """

    name: str
    sensitivity: float
    reach: float
    swing: float
    source: str


DRV5055A3: Final = HallSensor("DRV5055A3", 25.0, 85.0, 0.2, "TI SBAS640: 25 mV/mT, ±85 mT; 0.2 V is customary")

#: Sensitivity (mV/mT) of a typical SS49E.
TYPICAL_SS49E: Final = 14.0

#: The most sensitive SS49E of the spread (mV/mT, customary).
STRONG_SS49E: Final = 17.5

#: The weakest of its spread (10 to 17.5 mV/mT, 14 typical), and its surest reach.
SS49E: Final = HallSensor("SS49E", 10.0, 65.0, 0.8, "Honeywell SS49E: spread 10 to 17.5 mV/mT, ±65 mT, customary")


def disc_field(distance: float, diameter: float, thickness: float, remanence: float) -> float:
    """Field (mT) on the axis of an axially magnetised disc, ``distance`` mm before its face.

    Closed form of two charged faces: ``B/2 · ((z+t)/√((z+t)²+r²) − z/√(z²+r²))``; millimetres and tesla in.
    """
    radius, far = diameter / 2, distance + thickness
    return remanence * 500 * (far / hypot(far, radius) - distance / hypot(distance, radius))


def dipole_field(distance: float, diameter: float, thickness: float, remanence: float, *, axial: bool) -> float:
    """Field (mT) far away (mm), its part along the magnet's axis: on that axis, or else beside the magnet."""
    volume = pi * diameter**2 / 4 * thickness
    field = remanence * 1000 * volume / (4 * pi * distance**3)
    return 2 * field if axial else -field


def share(lifted: float, geometry: Geometry) -> float:
    """Share of a seated glass's field, 0 … 1, that is left when it is lifted by this distance (mm)."""
    return seat_field(geometry, N35, lifted) / seat_field(geometry, N35)


def seat_field(geometry: Geometry, remanence: float, lifted: float = 0.0) -> float:
    """Field (mT) at the die of a glass lifted by this distance (mm)."""
    return disc_field(
        geometry.magnet_distance + lifted, geometry.magnet_diameter, geometry.magnet_thickness, remanence
    )


def steps(field: float, sensitivity: float) -> float:
    """Steps of 8 bits that a field (mT) makes with a sensor of this sensitivity (mV/mT)."""
    return field * sensitivity * 1e-3 / STEP


def nearest(reach: float, geometry: Geometry, remanence: float) -> float:
    """The distance (mm) at which the field is at the sensor's ``reach`` (mT): no nearer, or it saturates."""
    near, far = 0.0, 100.0
    for _ in range(60):
        middle = (near + far) / 2
        if disc_field(middle, geometry.magnet_diameter, geometry.magnet_thickness, remanence) > reach:
            near = middle
        else:
            far = middle
    return far


def distance_off() -> float:
    """Millimetres by which the distance from magnet to die may be off in a tube."""
    return PARTS.carrier_tolerance + PARTS.hall_tolerance + PRINT + PARTS.jig_tolerance


def field_subject(board: Board) -> Subject:
    """The magnets, their distance and the sensors; fields in mT, tolerances by tube and by glass in mm."""
    geometry, shares = board.wiring.geometry, SensingSettings()
    magnet = (geometry.magnet_diameter, geometry.magnet_thickness, N35)
    before, radius = geometry.magnet_distance, geometry.magnet_diameter / 2
    behind = before + geometry.magnet_thickness
    own, strong = seat_field(geometry, N35), seat_field(geometry, N45)
    own_steps, own_steps_ss49e = steps(own, DRV5055A3.sensitivity), steps(own, TYPICAL_SS49E)
    band = shares.seated - shares.seated_until
    sensors: list[Check] = []
    for sensor, typical in ((DRV5055A3, DRV5055A3.sensitivity), (SS49E, STRONG_SS49E)):
        sensors += judged("hall_sensor", globals(), locals() | {"sensor": sensor, "typical": typical})
    left = {lifted: share(lifted, geometry) * 100 for lifted in (1, 3, 9, 18)}
    no_nearer = max(nearest(DRV5055A3.reach, geometry, remanence) for remanence in (N35, N45))
    around = abs(6 * dipole_field(geometry.tube_pitch, *magnet, axial=False))
    upper = dipole_field(geometry.glass_height - before, *magnet, axial=True)
    off, cap = distance_off(), PARTS.jig_tolerance
    near, far = seat_field(geometry, N45, -off), seat_field(geometry, N35, off)
    deep = seat_field(geometry, N35, cap + PLAY) / seat_field(geometry, N35, -cap)
    found = subject("fields", globals(), locals())
    return Subject((*sensors, *found.checks), found.figures)
