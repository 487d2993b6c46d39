"""Calculations: light at the ring sensors, and the readings expected of a finished tube (`expected.toml`)."""

from dataclasses import dataclass
from math import ceil, exp, floor, inf, log, pi
from typing import Final

from wiring.make import electrics_fields as fields
from wiring.make import electrics_supply as emitters
from wiring.make.board import Board
from wiring.make.electrics_values import (
    LIGHT_TIME,
    RESISTOR_TOLERANCE,
    SUPPLY,
    SUPPLY_TOLERANCE,
    WIDE_SEPARATION,
    Check,
    Subject,
    alike,
    judged,
    rating,
    share_from_below,
    share_of_ring,
    subject,
)
from wiring.make.geometry import PARTS
from wiring.make.texts import number, render

#: Collector current (A) of a QRE1114GR at 20 mA, 1 mm before a mirror, least and most: QRE1113/D.
WEAKEST: Final = 0.30e-3
STRONGEST: Final = 0.60e-3
MIRROR_CURRENT: Final = 0.020

#: Share of a mirror's light that ivory plastic gives back at 940 nm, least and most (estimates, measured by nobody
#: yet).
LEAST_REFLECTED: Final = 0.5
MOST_REFLECTED: Final = 0.8

#: Without a ring (A): own crosstalk at 20 mA at most 1 µA (QRE1113/D); a white ring on the next tube about 9 µA at
#: 23.4 mA (estimate, measured by nobody yet).
CROSSTALK: Final = 1e-6
NEXT_RING: Final = 9e-6 / 0.0234

#: A halogen lamp of 50 W, bare, 2 m away, the sensor turned to it: radiated (W), the share that the sensor sees,
#: and its current for a W/m² (A); estimates.
LAMP: Final = 45.0
LAMP_DISTANCE: Final = 2.0
LAMP_SEEN: Final = 0.3
LAMP_CURRENT: Final = 36e-6

#: A printed surface may lie so far off (mm); estimate.
PRINT: Final = 0.1

#: Forward voltage (V) of the emitter at most: 1.6 at 20 mA (QRE1113/D), 0.1 more at 27 mA (estimate). Output of
#: the driver (Ω): 5.7 at most at 25 °C is customary.
MOST_FORWARD: Final = 1.7
MOST_ON: Final = 5.7

#: Gain times collector capacitance (F), which the light current has to charge. 4 nF fits the sheet's 20 µs at 1
#: kΩ in a simulation, whose spread is 2.4 to 6.4 nF; measured by nobody yet.
CHARGE: Final = 4e-9
SLOW_CHARGE: Final = 6.4e-9

#: Output of a saturated photo-transistor (V): the supply less 0.2 V.
SATURATED: Final = SUPPLY - 0.2

#: Least darkness of the banks (µs) before the dark read between two scans: ``SCAN_DARK_MICROSECONDS``.
DARK: Final = 250.0

#: Longest duration of a scan (µs), with the default and with the longest light time: firmware/avr/scan.h, by
#: emulation.
SCAN_TAKES: Final = 1450.0
LONGEST_SCAN: Final = 2150.0


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The Schmitt inputs of an SN74HCS165 (V) at one supply.

    A line that comes from 0 V is surely 1 above ``rising_most`` and surely still 0 below ``rising_least``; one
    that falls is surely 0 below ``falling_least``.
    """

    rising_least: float
    rising_most: float
    falling_least: float


def thresholds(supply: float) -> Thresholds:
    """Between the sheet's values: 1.7, 3.15 and 0.9 V at 4.5 V, 2.1, 4.2 and 1.2 V at 6 V."""
    way = (supply - 4.5) / 1.5
    return Thresholds(1.7 + 0.4 * way, 3.15 + 1.05 * way, 0.9 + 0.3 * way)


def light_current(sheet: float, reflected: float, share: float, emitter: float) -> float:
    """Light current (A) of a sensor of ``sheet`` (A) before a mirror, its emitter at ``emitter`` (A).

    ``reflected`` is what the ring gives back, ``share`` the part of the light that comes back from where it is.
    """
    return sheet * reflected * share * emitter / MIRROR_CURRENT


def rise_time(light: float, load: float, volts: float, charge: float = CHARGE) -> float:
    """Seconds from light on until the output is at ``volts``; light current (A), load (Ω), charge (F).

    The light current charges what the load does not draw: ``charge dV/dt = light - V / load``. Infinite when
    the load draws all of it before.
    """
    share = volts / (light * load)
    return -load * charge * log(1 - share) if share < 1 else inf


def fall_time(load: float, begin: float, end: float, charge: float = CHARGE) -> float:
    """Seconds from light off until the output has fallen from ``begin`` to ``end`` volts."""
    return load * charge * log(begin / end)


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Distances (mm) of rings from a sensor's face, and the edges of its ring below and above its centre (mm)."""

    nearest: float
    farthest: float
    below: float
    above: float
    width: float

    def share(self, distance: float) -> float:
        """Light from the own ring at this distance, as a share of the sheet's."""
        return share_of_ring(distance, self.below, self.above)


def places(board: Board) -> Places:
    """As map and tube have them: a ring leans on either side of its tube."""
    geometry = board.wiring.geometry
    half = geometry.ring_thickness / 2
    return Places(
        nearest=PARTS.sensor_recess - PRINT,
        farthest=PARTS.sensor_recess + geometry.ring_inner_diameter - geometry.tube_outer_diameter + PRINT,
        below=half + PARTS.sensor_raise,
        above=half - PARTS.sensor_raise,
        width=(geometry.ring_outer_diameter - geometry.ring_inner_diameter) / 2,
    )


def lamp_current() -> float:
    """Current (A) by a halogen lamp from the side."""
    return LAMP / (4 * pi * LAMP_DISTANCE**2) * LAMP_SEEN * LAMP_CURRENT


def low_emitter(board: Board) -> float:
    """Current (A) of an emitter, everything against it: supply, fuse, way, resistor, driver, forward voltage."""
    circuit = board.circuit
    lit = max(emitters.bank_sizes(circuit).values())
    volts = (
        emitters.least_main(board) - emitters.average_current(circuit) * rating(circuit.by_ref["FU4"]).resistance
    )
    resistor = emitters.resistance(circuit) * (1 + RESISTOR_TOLERANCE)
    before = emitters.emitter_current(volts, MOST_FORWARD, resistor, MOST_ON, lit)
    lost = before * emitters.most_lit(circuit) * emitters.emitters_way(board)
    return emitters.emitter_current(volts - lost, MOST_FORWARD, resistor, MOST_ON, lit)


def photo_transistor_subject(board: Board) -> Subject:
    """Pull-down, thresholds and times; light from the ring below (A) at the weakest and strongest sensor."""
    circuit, place = board.circuit, places(board)
    load = alike(circuit, "RP").amount
    lit = max(emitters.bank_sizes(circuit).values())
    emitter = emitters.typical_bank_current(circuit, lit) / lit
    limits, low = thresholds(SUPPLY), thresholds(4.5)
    one = limits.rising_most / load
    far_share = place.share(place.farthest)
    near_share = min(
        place.share(place.nearest), share_of_ring(place.nearest, place.below, place.above, WIDE_SEPARATION)
    )
    rings: list[Check] = []
    for where, distance, share in (
        ("farthest", place.farthest, far_share),
        ("nearest", place.nearest, near_share),
    ):
        light = light_current(WEAKEST, LEAST_REFLECTED, share, emitter)
        rings += judged("ring", globals(), locals() | {"where": where, "distance": distance})
    light = light_current(WEAKEST, LEAST_REFLECTED, far_share, emitter)
    least_emitter = low_emitter(board)
    dim = light_current(WEAKEST, LEAST_REFLECTED, far_share, least_emitter)
    # The strongest sensor with no ring before it: supply high, a ring below, one on the next tube, a lamp.
    strong = emitters.worst_bank_current(circuit, lit) / lit
    limit = thresholds(SUPPLY * (1 + SUPPLY_TOLERANCE)).rising_least
    others, lamp = CROSSTALK * strong / MIRROR_CURRENT + NEXT_RING * strong, lamp_current()
    up = share_from_below(place.nearest, place.width, place.below)
    wide = share_from_below(place.nearest, place.width, place.below, WIDE_SEPARATION)
    below, wide_below = (light_current(STRONGEST, MOST_REFLECTED, each, strong) for each in (up, wide))
    risen = 1 - exp(-LIGHT_TIME * 1e-6 / (load * CHARGE))
    weak_below = light_current(WEAKEST, LEAST_REFLECTED, up, emitter)
    strong_below = light_current(STRONGEST, MOST_REFLECTED, up, emitter)
    found = subject("photo_transistors", globals(), locals())
    return Subject((*rings, *found.checks), found.figures)


Band = tuple[int, int, int]


def document(board: Board) -> str:
    """The text of `expected.toml`."""
    return render(
        "expected.toml.j2",
        title=board.title,
        wiring=f"{board.wiring.hash:08x}",
        recess=number(PARTS.sensor_recess),
        near=list(near_light(board)),
        far=list(far_light(board)),
        drv5055a3=list(
            field(board, fields.DRV5055A3.sensitivity, fields.DRV5055A3.sensitivity, fields.DRV5055A3.sensitivity)
        ),
        ss49e=list(field(board, fields.SS49E.sensitivity, fields.TYPICAL_SS49E, fields.STRONG_SS49E)),
        ends=ends(board),
        neighbour=neighbour(board),
    )


def near_light(board: Board) -> Band:
    """Light (µs) that a sensor needs with its ring nearest: least, typical, most."""
    place = places(board)
    share = place.share(place.nearest)
    wide = share_of_ring(place.nearest, place.below, place.above, WIDE_SEPARATION)
    return _light(board, max(share, wide), min(share, wide))


def far_light(board: Board) -> Band:
    """The same with its ring farthest."""
    place = places(board)
    share = place.share(place.farthest)
    return _light(board, share, share)


def _light(board: Board, most_share: float, least_share: float) -> Band:
    """Light (µs) at the best, typically, and with either a slow sensor or everything against the emitter."""
    load = alike(board.circuit, "RP").amount
    lit = max(emitters.bank_sizes(board.circuit).values())
    emitter = emitters.typical_bank_current(board.circuit, lit) / lit
    strong = emitters.worst_bank_current(board.circuit, lit) / lit
    limits, low = thresholds(SUPPLY), thresholds(4.5)
    best = light_current(STRONGEST, MOST_REFLECTED, most_share, strong)
    middle = light_current(
        (WEAKEST + STRONGEST) / 2,
        (LEAST_REFLECTED + MOST_REFLECTED) / 2,
        (most_share + least_share) / 2,
        emitter,
    )
    weak = light_current(WEAKEST, LEAST_REFLECTED, least_share, emitter)
    dim = light_current(WEAKEST, LEAST_REFLECTED, least_share, low_emitter(board))
    typical = rise_time(middle, load, (limits.rising_least + limits.rising_most) / 2)
    most = max(rise_time(weak, load, limits.rising_most, SLOW_CHARGE), rise_time(dim, load, low.rising_most))
    return _band(rise_time(best, load, limits.rising_least) * 1e6, typical * 1e6, most * 1e6)


def field(board: Board, weakest: float, typical: float, strongest: float) -> Band:
    """Steps that a seated glass moves a sensor of these sensitivities (mV/mT): N35 far off to N45 near by."""
    geometry, off = board.wiring.geometry, fields.distance_off()
    middle = fields.seat_field(geometry, (fields.N35 + fields.N45) / 2)
    return _band(
        fields.steps(fields.seat_field(geometry, fields.N35, off), weakest),
        fields.steps(middle, typical),
        fields.steps(fields.seat_field(geometry, fields.N45, -off), strongest),
    )


def ends(board: Board) -> int:
    """Percent by which the weaker end of a glass may be below the stronger one: magnets glued in the jig."""
    geometry, cap = board.wiring.geometry, PARTS.jig_tolerance
    return ceil(
        (1 - fields.seat_field(geometry, fields.N35, cap) / fields.seat_field(geometry, fields.N35, -cap)) * 100
    )


def neighbour(board: Board) -> int:
    """Steps that a glass in the next tube adds at most: the strongest magnet, rounded up."""
    geometry = board.wiring.geometry
    magnet = (geometry.magnet_diameter, geometry.magnet_thickness, fields.N45)
    return ceil(
        fields.steps(
            abs(fields.dipole_field(geometry.tube_pitch, *magnet, axial=False)), fields.DRV5055A3.sensitivity
        )
    )


def _band(least: float, typical: float, most: float) -> Band:
    return floor(least), round(typical), ceil(most)
