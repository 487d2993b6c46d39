"""Calculations: light at the ring sensors, and the readings expected of a finished tube (`expected.toml`)."""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, exp, floor, inf, log, pi
from typing import Final

from wiring.make import electrics_supply as emitters
from wiring.make.board import Board
from wiring.make.electrics_fields import (
    DRV5055A3,
    N35,
    N45,
    SS49E,
    TYPICAL_SS49E,
    dipole_field,
    distance_off,
    seat_field,
    steps,
)
from wiring.make.electrics_supply import emitters_way, least_main
from wiring.make.electrics_values import (
    LIGHT_TIME,
    MOST_LIGHT_TIME,
    RESISTOR_TOLERANCE,
    SCAN,
    SUPPLY,
    SUPPLY_TOLERANCE,
    WIDE_SEPARATION,
    Check,
    Subject,
    alike,
    at_least,
    at_most,
    rating,
    share_from_below,
    share_of_ring,
)
from wiring.make.geometry import PARTS
from wiring.make.texts import number, render

_SENSOR: Final = "onsemi QRE1113/D"
_REGISTER: Final = "TI HCS family, thresholds at 4.5 and 6 V, customary"

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


@dataclass(frozen=True, slots=True, kw_only=True)
class PhotoTransistors(Subject):
    """Rings lie ``nearest`` to ``farthest`` mm from a sensor; the currents (µA) that are surely 1 and surely 0.

    ``below`` is the light (µA) from the ring below, of the weakest sensor and of the strongest.
    """

    nearest: float
    farthest: float
    high: float
    low: float
    below: tuple[float, float]


def photo_transistor_subject(board: Board) -> PhotoTransistors:
    """Pull-down, thresholds and times."""
    circuit, place = board.circuit, places(board)
    load = alike(circuit, "RP").amount
    lit = max(emitters.bank_sizes(circuit).values())
    typical = emitters.typical_bank_current(circuit, lit) / lit
    limits = thresholds(SUPPLY)
    up = share_from_below(place.nearest, place.width, place.below)
    return PhotoTransistors(
        checks=(
            *_with_a_ring(place, load, typical),
            *_without(board, place, load),
            *_times(board, place, load, typical),
        ),
        nearest=place.nearest,
        farthest=place.farthest,
        high=limits.rising_most / load * 1e6,
        low=limits.rising_least / load * 1e6,
        below=(
            light_current(WEAKEST, LEAST_REFLECTED, up, typical) * 1e6,
            light_current(STRONGEST, MOST_REFLECTED, up, typical) * 1e6,
        ),
    )


def _with_a_ring(place: Places, load: float, emitter: float) -> tuple[Check, ...]:
    one = thresholds(SUPPLY).rising_most / load
    found: list[Check] = []
    near = min(place.share(place.nearest), share_of_ring(place.nearest, place.below, place.above, WIDE_SEPARATION))
    for where, distance, share in (
        ("farthest", place.farthest, place.share(place.farthest)),
        ("nearest", place.nearest, near),
    ):
        light = light_current(WEAKEST, LEAST_REFLECTED, share, emitter)
        found.append(
            at_least(
                f"Ring at its {where} before the weakest sensor, against a sure 1",
                f"0.3 mA × {number(LEAST_REFLECTED)} × {number(share)} at {number(distance)} mm × "
                f"{number(emitter * 1e3)} mA / 20 mA / ({number(one * load)} V / {number(load / 1e3)} kΩ)",
                light / one,
                1.5,
                "times",
                f"{_REGISTER}; {_SENSOR}, 0.30 mA at 1 mm; half by the ring and the share there are estimates",
            )
        )
    return tuple(found)


def lamp_current() -> float:
    """Current (A) by a halogen lamp from the side."""
    return LAMP / (4 * pi * LAMP_DISTANCE**2) * LAMP_SEEN * LAMP_CURRENT


def _without(board: Board, place: Places, load: float) -> tuple[Check, ...]:
    """The strongest sensor with no ring before it: supply high, a ring below, one on the next tube, a lamp."""
    circuit = board.circuit
    high = SUPPLY * (1 + SUPPLY_TOLERANCE)
    lit = max(emitters.bank_sizes(circuit).values())
    emitter = emitters.worst_bank_current(circuit, lit) / lit
    limit = thresholds(high).rising_least
    others, lamp = CROSSTALK * emitter / MIRROR_CURRENT + NEXT_RING * emitter, lamp_current()
    up = share_from_below(place.nearest, place.width, place.below)
    wide = share_from_below(place.nearest, place.width, place.below, WIDE_SEPARATION)
    below, wide_below = (light_current(STRONGEST, MOST_REFLECTED, each, emitter) for each in (up, wide))
    risen = 1 - exp(-LIGHT_TIME * 1e-6 / (load * CHARGE))
    return (
        at_most(
            "No ring, but one below and one on the next tube and a halogen lamp from the side, strongest sensor",
            f"({number(below * 1e6)} + {number(others * 1e6)} + {number(lamp * 1e6)}) µA × "
            f"{number(load / 1e3)} kΩ",
            (below + others + lamp) * load,
            limit,
            "V",
            f"{_REGISTER}: a 0 up to {number(limit)} V from the dark, supply high; the ring below gives "
            f"{number(up * 100)} % of the sheet's light: reflections by Lambert's law, measured by nobody yet",
        ),
        at_most(
            "The same if emitter and photo-transistor are 1.8 mm apart, at the default light time",
            f"(({number(wide_below * 1e6)} + {number(others * 1e6)}) µA × {number(risen)} + "
            f"{number(lamp * 1e6)} µA) × {number(load / 1e3)} kΩ",
            ((wide_below + others) * risen + lamp) * load,
            limit,
            "V",
            "as before; simulated (4 nF: gain makes a large light current and a slow sensor alike)",
        ),
    )


def low_emitter(board: Board) -> float:
    """Current (A) of an emitter, everything against it: supply, fuse, way, resistor, driver, forward voltage."""
    circuit = board.circuit
    lit = max(emitters.bank_sizes(circuit).values())
    volts = least_main(board) - emitters.average_current(circuit) * rating(circuit.by_ref["FU4"]).resistance
    resistor = emitters.resistance(circuit) * (1 + RESISTOR_TOLERANCE)
    before = emitters.emitter_current(volts, MOST_FORWARD, resistor, MOST_ON, lit)
    lost = before * emitters.most_lit(circuit) * emitters_way(board)
    return emitters.emitter_current(volts - lost, MOST_FORWARD, resistor, MOST_ON, lit)


def _times(board: Board, place: Places, load: float, emitter: float) -> tuple[Check, ...]:
    limits, low = thresholds(SUPPLY), thresholds(4.5)
    share = place.share(place.farthest)
    light = light_current(WEAKEST, LEAST_REFLECTED, share, emitter)
    dim = light_current(WEAKEST, LEAST_REFLECTED, share, low_emitter(board))
    return (
        at_most(
            "Weakest sensor, farthest ring, at a sure 1",
            _rise_words(light, load, CHARGE, limits.rising_most),
            rise_time(light, load, limits.rising_most) * 1e6,
            LIGHT_TIME,
            "µs",
            "simulated (4 nF); default light time, PROTOCOL.md section 5.2",
        ),
        at_most(
            "The same, a slow sensor",
            _rise_words(light, load, SLOW_CHARGE, limits.rising_most),
            rise_time(light, load, limits.rising_most, SLOW_CHARGE) * 1e6,
            MOST_LIGHT_TIME,
            "µs",
            "simulated (6.4 nF); longest light time, which calibration chooses where a sensor needs it",
        ),
        at_most(
            "The same, supply low, everything against the emitter",
            _rise_words(dim, load, CHARGE, low.rising_most),
            rise_time(dim, load, low.rising_most) * 1e6,
            MOST_LIGHT_TIME,
            "µs",
            f"simulated (4 nF); {number(low_emitter(board) * 1e3)} mA: 1.7 V at the emitter, 5.7 Ω at the "
            "output; longest light time",
        ),
        at_most(
            "Output fallen before the dark read",
            _fall_words(load, CHARGE, limits.falling_least),
            fall_time(load, SATURATED, limits.falling_least) * 1e6,
            DARK,
            "µs",
            "simulated (4 nF); dark for 250 µs at least, firmware/avr/scan.h",
        ),
        at_most(
            "The same, a slow sensor, default light time",
            _fall_words(load, SLOW_CHARGE, limits.falling_least),
            fall_time(load, SATURATED, limits.falling_least, SLOW_CHARGE) * 1e6,
            SCAN - SCAN_TAKES,
            "µs",
            "simulated (6.4 nF); dark from the scan's end, after 1450 µs at most in the emulator, until the next",
        ),
        at_most(
            "The same, longest light time",
            _fall_words(load, SLOW_CHARGE, limits.falling_least),
            fall_time(load, SATURATED, limits.falling_least, SLOW_CHARGE) * 1e6,
            SCAN - LONGEST_SCAN,
            "µs",
            "simulated (6.4 nF); dark from the scan's end, after 2150 µs at most in the emulator, until the next",
        ),
    )


def _rise_words(light: float, load: float, charge: float, volts: float) -> str:
    return (
        f"−{number(load / 1e3)} kΩ × {number(charge * 1e9)} nF × "
        f"ln(1 − {number(volts)} V / ({number(light * 1e6)} µA × {number(load / 1e3)} kΩ))"
    )


def _fall_words(load: float, charge: float, volts: float) -> str:
    return f"{number(load / 1e3)} kΩ × {number(charge * 1e9)} nF × ln({number(SATURATED)} V / {number(volts)} V)"


#: The most sensitive SS49E of the spread (mV/mT, customary).
STRONG_SS49E = 17.5

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
        drv5055a3=list(field(board, DRV5055A3.sensitivity, DRV5055A3.sensitivity, DRV5055A3.sensitivity)),
        ss49e=list(field(board, SS49E.sensitivity, TYPICAL_SS49E, STRONG_SS49E)),
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
    geometry, off = board.wiring.geometry, distance_off()
    middle = seat_field(geometry, (N35 + N45) / 2)
    return _band(
        steps(seat_field(geometry, N35, off), weakest),
        steps(middle, typical),
        steps(seat_field(geometry, N45, -off), strongest),
    )


def ends(board: Board) -> int:
    """Percent by which the weaker end of a glass may be below the stronger one: magnets glued in the jig."""
    geometry, cap = board.wiring.geometry, PARTS.jig_tolerance
    return ceil((1 - seat_field(geometry, N35, cap) / seat_field(geometry, N35, -cap)) * 100)


def neighbour(board: Board) -> int:
    """Steps that a glass in the next tube adds at most: the strongest magnet, rounded up."""
    geometry = board.wiring.geometry
    magnet = (geometry.magnet_diameter, geometry.magnet_thickness, N45)
    return ceil(steps(abs(dipole_field(geometry.tube_pitch, *magnet, axial=False)), DRV5055A3.sensitivity))


def _band(least: float, typical: float, most: float) -> Band:
    return floor(least), round(typical), ceil(most)
