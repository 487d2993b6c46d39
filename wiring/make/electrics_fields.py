"""Calculations: the magnets' fields at the Hall sensors."""

from __future__ import annotations

from dataclasses import dataclass
from math import hypot, pi
from typing import Final

from tamsk_hw.board.sensor_report import SensingSettings
from tamsk_hw.board.wiring_map import Geometry
from wiring.make.board import Board
from wiring.make.electrics_values import STEP, SUPPLY, Check, Subject, at_least, at_most
from wiring.make.geometry import PARTS
from wiring.make.texts import number

#: Remanence (T) of sintered NdFeB: N35 1.17 to 1.21, N45 1.32 to 1.37 (customary grades). A magnet sold as 8 × 2
#: mm is often N45.
N35: Final = 1.20
N45: Final = 1.37

#: Play of a seated glass (mm): standing off or tilted by this much it still counts as seated.
PLAY: Final = 0.3

#: A printed floor may be so much off (mm); estimate.
PRINT: Final = 0.1

_SHARES: Final = "tamsk_hw/board/sensor_report.py"


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


@dataclass(frozen=True, slots=True, kw_only=True)
class Fields(Subject):
    """A seated glass's field in mT and steps, its shares (%) by millimetres lifted, the nearest distance in mm.

    ``off``: millimetres by which the distance may be off in a tube.
    """

    geometry: Geometry
    field: float
    steps: float
    steps_ss49e: float
    left: dict[int, float]
    nearest: float
    off: float


def field_subject(board: Board) -> Fields:
    """The magnets, their distance and the sensors."""
    geometry = board.wiring.geometry
    field = seat_field(geometry, N35)
    return Fields(
        checks=(*_sensor_checks(geometry), *_share_checks(geometry), *_build_checks(geometry)),
        geometry=geometry,
        field=field,
        steps=steps(field, DRV5055A3.sensitivity),
        steps_ss49e=steps(field, TYPICAL_SS49E),
        left={lifted: share(lifted, geometry) * 100 for lifted in (1, 3, 9, 18)},
        off=distance_off(),
        nearest=max(nearest(DRV5055A3.reach, geometry, remanence) for remanence in (N35, N45)),
    )


def _sensor_checks(geometry: Geometry) -> tuple[Check, ...]:
    shares = SensingSettings()
    weak, strong = seat_field(geometry, N35), seat_field(geometry, N45)
    band = shares.seated - shares.seated_until
    found: list[Check] = []
    for sensor in (DRV5055A3, SS49E):
        most = SUPPLY / 2 - sensor.swing
        typical = sensor.sensitivity if sensor is DRV5055A3 else 17.5
        found += (
            at_most(
                f"Field of a seated glass, strongest magnet, within the linear range of the {sensor.name}",
                _field_words(geometry, N45),
                strong,
                sensor.reach,
                "mT",
                sensor.source,
            ),
            at_most(
                f"The output then stays off the rails, {sensor.name}",
                f"{number(strong)} mT × {number(typical)} mV/mT",
                strong * typical * 1e-3,
                most,
                "V from half the supply",
                sensor.source,
            ),
            at_least(
                f"Steps between seated and no longer seated, weakest magnet, {sensor.name}",
                f"{number(steps(weak, sensor.sensitivity))} steps × ({number(shares.seated)} − "
                f"{number(shares.seated_until)})",
                steps(weak, sensor.sensitivity) * band,
                2,
                "steps",
                f"{sensor.source}; {_SHARES}; two steps are our rule",
            ),
        )
    return tuple(found)


def _share_checks(geometry: Geometry) -> tuple[Check, ...]:
    shares = SensingSettings()
    magnet = (geometry.magnet_diameter, geometry.magnet_thickness, N35)
    own = seat_field(geometry, N35)
    around = abs(6 * dipole_field(geometry.tube_pitch, *magnet, axial=False))
    far = dipole_field(geometry.glass_height - geometry.magnet_distance, *magnet, axial=True)
    return (
        at_least(
            f"Share of a glass {PLAY} mm too high: still seated",
            _share_words(geometry, PLAY),
            share(PLAY, geometry) * 100,
            shares.seated * 100,
            "%",
            f"{_SHARES}, seated",
        ),
        at_most(
            "Share of a glass lifted 3 mm: no longer seated",
            _share_words(geometry, 3),
            share(3, geometry) * 100,
            shares.seated_until * 100,
            "%",
            f"{_SHARES}, seated_until",
        ),
        at_most(
            "Share of a glass lifted 9 mm, two rings high: away",
            _share_words(geometry, 9),
            share(9, geometry) * 100,
            shares.away * 100,
            "%",
            f"{_SHARES}, away",
        ),
        at_most(
            "Share of a glass held 18 mm above: gone",
            _share_words(geometry, 18),
            share(18, geometry) * 100,
            shares.gone * 100,
            "%",
            f"{_SHARES}, gone",
        ),
        at_most(
            "Six glasses around an empty tube, felt there",
            f"6 × {number(around / 6)} mT at {number(geometry.tube_pitch)} mm / {number(own)} mT",
            around / own * 100,
            shares.gone * 50,
            "%",
            f"field of a dipole; half of {_SHARES}, gone",
        ),
        at_most(
            "The magnet in the glass's upper cap, felt below",
            f"{number(far)} mT at {number(geometry.glass_height - geometry.magnet_distance)} mm / "
            f"{number(own)} mT",
            far / own * 100,
            1,
            "%",
            "field of a dipole; 1 % is less than a step",
        ),
    )


def _build_checks(geometry: Geometry) -> tuple[Check, ...]:
    """The disc's, the package's, the floor's and the jig's tolerances, by tube and by glass."""
    shares, off, cap = SensingSettings(), distance_off(), PARTS.jig_tolerance
    words = (
        f"{number(PARTS.carrier_tolerance)} + {number(PARTS.hall_tolerance)} + {number(PRINT)} + {number(cap)} mm"
    )
    near, far = seat_field(geometry, N45, -off), seat_field(geometry, N35, off)
    deep = seat_field(geometry, N35, cap + PLAY) / seat_field(geometry, N35, -cap)
    band = shares.seated - shares.seated_until
    return (
        at_most(
            "Strongest magnet, everything between it and the die as thin as it may be, DRV5055A3",
            f"{number(near)} mT at {number(geometry.magnet_distance)} mm − ({words})",
            near,
            DRV5055A3.reach,
            "mT",
            f"{DRV5055A3.source}; disc of 1.0 mm ± 10 %, SOT-23 0.89 to 1.12 mm; print and jig are estimates",
        ),
        at_least(
            "Steps from seated to not seated, weakest magnet, everything as thick as it may be, DRV5055A3",
            f"{number(steps(far, DRV5055A3.sensitivity))} steps at {number(geometry.magnet_distance)} mm + "
            f"{number(off)} mm × ({number(shares.seated)} − {number(shares.seated_until)})",
            steps(far, DRV5055A3.sensitivity) * band,
            2,
            "steps",
            "as before; two steps are our rule",
        ),
        at_least(
            f"Share of a glass whose magnet is deepest, {PLAY} mm too high, calibrated with the shallowest",
            f"{number(seat_field(geometry, N35, cap + PLAY))} mT / {number(seat_field(geometry, N35, -cap))} mT, "
            f"± {number(cap)} mm by the jig",
            deep * 100,
            shares.seated * 100,
            "%",
            f"{_SHARES}, seated; ± 0.5 mm by hand would not do",
        ),
    )


def distance_off() -> float:
    """Millimetres by which the distance from magnet to die may be off in a tube."""
    return PARTS.carrier_tolerance + PARTS.hall_tolerance + PRINT + PARTS.jig_tolerance


def _field_words(geometry: Geometry, remanence: float) -> str:
    near, radius = geometry.magnet_distance, geometry.magnet_diameter / 2
    far = near + geometry.magnet_thickness
    return (
        f"{number(remanence)} T / 2 × ({number(far)} / √({number(far)}² + {number(radius)}²) − "
        f"{number(near)} / √({number(near)}² + {number(radius)}²))"
    )


def _share_words(geometry: Geometry, lifted: float) -> str:
    return (
        f"{number(seat_field(geometry, N35, lifted))} mT at {number(geometry.magnet_distance + lifted)} mm / "
        f"{number(seat_field(geometry, N35))} mT at {number(geometry.magnet_distance)} mm"
    )
