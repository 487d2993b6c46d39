"""The photo-transistors of the ring sensors: pull-down, thresholds, rise and fall against the scan's times."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import Final

from wiring.make.board import Board
from wiring.make.electrics import emitters
from wiring.make.electrics.check import Check, Subject, at_least, at_most
from wiring.make.electrics.values import LIGHT_TIME, MOST_LIGHT_TIME, SCAN, SUPPLY, alike
from wiring.make.numbers import number

#: Collector current (A) of the weakest QRE1114GR at 20 mA, before a mirror: QRE1113/D. Ivory plastic gives at
#: least half of a mirror at 940 nm (estimate, measured by nobody yet).
WEAKEST: Final = 0.30e-3
MIRROR_CURRENT: Final = 0.020
RING_REFLECTS: Final = 0.5

#: Without a ring (A): own crosstalk at 20 mA at most 1 µA (QRE1113/D); a white ring on the next tube about 9 µA
#: (estimate, measured by nobody yet).
CROSSTALK: Final = 1e-6
NEXT_RING: Final = 9e-6

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
LONGEST_SCAN: Final = 2100.0


@dataclass(frozen=True, slots=True)
class Thresholds:
    """A register's inputs at 5 V: surely 0 up to ``low``, surely 1 from ``high`` on (V)."""

    name: str
    low: float
    high: float
    source: str


#: Schmitt inputs: 0.9 and 3.15 V at 4.5 V, 1.2 and 4.2 V at 6 V, between them at 5 V.
HCS: Final = Thresholds("SN74HCS165", 1.0, 3.5, "TI HCS family, thresholds at 4.5 and 6 V, customary")
HCT: Final = Thresholds("CD74HCT165", 0.8, 2.0, "TI, TTL levels")


def light_current(emitter: float) -> float:
    """Current (A) that the weakest sensor gives with a ring before it, its emitter at ``emitter`` (A)."""
    return WEAKEST * RING_REFLECTS * emitter / MIRROR_CURRENT


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
class PhotoTransistors(Subject):
    """The currents (µA) from which on an output is surely 1, and below which it is surely 0, by register."""

    high_hcs: float
    high_hct: float
    low_hcs: float
    low_hct: float


def subject(board: Board) -> PhotoTransistors:
    """Pull-down, thresholds and times."""
    circuit = board.circuit
    load = alike(circuit, "RP").amount
    lit = max(emitters.bank_sizes(circuit).values())
    emitter = emitters.typical_bank_current(circuit, lit) / lit
    light = light_current(emitter)
    dark = CROSSTALK * emitter / MIRROR_CURRENT + NEXT_RING
    checks = (
        *_currents(light, dark, load),
        *_times(light, load),
        at_most(
            "Output fallen before the dark read, a slow sensor, longest light time",
            _fall_words(load, SLOW_CHARGE, HCT.low),
            fall_time(load, SATURATED, HCT.low, SLOW_CHARGE) * 1e6,
            SCAN - LONGEST_SCAN,
            "µs",
            "simulated (6.4 nF); dark from the scan's end, after 2100 µs at most in the emulator, until the next",
        ),
    )
    high_hcs, high_hct, low_hcs, low_hct = (volts / load * 1e6 for volts in (HCS.high, HCT.high, HCS.low, HCT.low))
    return PhotoTransistors(checks=checks, high_hcs=high_hcs, high_hct=high_hct, low_hcs=low_hcs, low_hct=low_hct)


def _currents(light: float, dark: float, load: float) -> tuple[Check, ...]:
    found: list[Check] = []
    for inputs in (HCS, HCT):
        one, zero = inputs.high / load, inputs.low / load
        found += (
            at_least(
                f"Ring before the weakest sensor against a sure 1, {inputs.name}",
                f"{number(light * 1e6)} µA / ({number(inputs.high)} V / {number(load / 1e3)} kΩ = "
                f"{number(one * 1e6)} µA)",
                light / one,
                1.5,
                "times",
                f"{inputs.source}; onsemi QRE1113/D, 0.30 mA at least; half by the ring is an estimate",
            ),
            at_most(
                f"No ring, but one on the next tube, against a sure 0, {inputs.name}",
                f"{number(dark * 1e6)} µA / ({number(inputs.low)} V / {number(load / 1e3)} kΩ = "
                f"{number(zero * 1e6)} µA)",
                dark / zero,
                0.5,
                "of it",
                f"{inputs.source}; QRE1113/D, crosstalk 1 µA; 9 µA from the next tube is an estimate",
            ),
        )
    return tuple(found)


def _times(light: float, load: float) -> tuple[Check, ...]:
    found: list[Check] = []
    for inputs in (HCS, HCT):
        found += (
            at_most(
                f"Weakest sensor at a sure 1, {inputs.name}",
                _rise_words(light, load, CHARGE, inputs.high),
                rise_time(light, load, inputs.high) * 1e6,
                LIGHT_TIME,
                "µs",
                "simulated (4 nF); default light time, PROTOCOL.md section 5.2",
            ),
            at_most(
                f"The same, a slow sensor, {inputs.name}",
                _rise_words(light, load, SLOW_CHARGE, inputs.high),
                rise_time(light, load, inputs.high, SLOW_CHARGE) * 1e6,
                MOST_LIGHT_TIME,
                "µs",
                "simulated (6.4 nF); longest light time",
            ),
            at_most(
                f"Output fallen before the dark read, {inputs.name}",
                _fall_words(load, CHARGE, inputs.low),
                fall_time(load, SATURATED, inputs.low) * 1e6,
                DARK,
                "µs",
                "simulated (4 nF); dark for 250 µs at least, firmware/avr/scan.h",
            ),
            at_most(
                f"The same, a slow sensor, default light time, {inputs.name}",
                _fall_words(load, SLOW_CHARGE, inputs.low),
                fall_time(load, SATURATED, inputs.low, SLOW_CHARGE) * 1e6,
                SCAN - SCAN_TAKES,
                "µs",
                "simulated (6.4 nF); dark from the scan's end, after 1450 µs at most in the emulator, "
                "until the next",
            ),
        )
    return tuple(found)


def _rise_words(light: float, load: float, charge: float, volts: float) -> str:
    return (
        f"−{number(load / 1e3)} kΩ × {number(charge * 1e9)} nF × "
        f"ln(1 − {number(volts)} V / ({number(light * 1e6)} µA × {number(load / 1e3)} kΩ))"
    )


def _fall_words(load: float, charge: float, volts: float) -> str:
    return f"{number(load / 1e3)} kΩ × {number(charge * 1e9)} nF × ln({number(SATURATED)} V / {number(volts)} V)"
