"""Calculations: the inlet's guard against a wrong plug, the levels of the logic, the ring holders."""

from __future__ import annotations

from dataclasses import dataclass
from math import log
from typing import Final

from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make.board import Board
from wiring.make.circuit import Circuit
from wiring.make.electrics_supply import way_in, worst_of_all
from wiring.make.electrics_values import (
    RESISTOR_TOLERANCE,
    SUPPLY,
    SUPPLY_TOLERANCE,
    Check,
    Subject,
    at_least,
    at_most,
)
from wiring.make.texts import number

#: Reference of the TL431 (V): 2.495 ± 0.5 % in grade B, up to 34 mV off over its whole range of temperature; into
#: its reference pin flow 4 µA at most, 2 typical (TI SLVS543).
REFERENCE: Final = 2.495
REFERENCE_OFF: Final = REFERENCE * 0.005 + 0.034
REFERENCE_CURRENT: Final = 4e-6

#: The same part: its reference falls by so much for each volt of its cathode above it (V); the cathode has about
#: 4.9 V before it conducts.
REFERENCE_SLOPE: Final = 2.7e-3
CATHODE_ABOVE: Final = 2.4
LEAST_REFERENCE: Final = REFERENCE - REFERENCE_OFF - REFERENCE_SLOPE * CATHODE_ABOVE

#: The same part (A, V): regulates from 1 mA on, so below its threshold it draws less; bears 10 mA into its
#: reference pin, 100 mA in all; its cathode goes down to about 2 V (section 9.2.1.2).
LEAST_CATHODE: Final = 1e-3
MOST_REFERENCE_CURRENT: Final = 10e-3
MOST_CATHODE: Final = 0.100
CONDUCTING: Final = 2.0

#: The least rating of controller and sensors (V): ATmega328P, absolute maximum; the chips bear 7. The pixels have
#: 5.3 (Worldsemi WS2812B), which no threshold can be held to that lets a right supply pass.
FRAGILE: Final = 6.0
MOST_PIXEL: Final = 5.3

#: The wrong plug (V): 12 V + 5 %, with plus or with minus inside.
WRONG_PLUG: Final = 12.0 * 1.05

#: Infineon IRF9310 (V): drain to source, gate to source; and its gate's least threshold.
MOST_DRAIN: Final = 30.0
MOST_GATE: Final = 20.0
LEAST_THRESHOLD: Final = 1.3

#: Nexperia BZX79-C15 (V): 13.8 to 15.6 with 5 mA, 30 Ω; the one on ordered boards, BZT52C15, has the same.
LEAST_ZENER: Final = 13.8
MOST_ZENER: Final = 15.6

#: Littelfuse SMBJ15CA (V): stands off 15, clamps at 24.4 with 24.6 A.
STAND_OFF: Final = 15.0
CLAMPS: Final = 24.4

#: Base to emitter of Q3 (V): below 0.45 it is surely off when warm, at 0.8 surely on; its least gain (Nexperia
#: BC807-40: 250).
BASE_OFF: Final = 0.45
BASE_ON: Final = 0.8
GAIN: Final = 250.0

#: Time (s) in which U5 and Q3 switch, and tolerance (share) of C50: customary.
SWITCHING: Final = 10e-6
CAPACITOR_TOLERANCE: Final = 0.10


def threshold(upper: float, lower: float, reference: float, reference_current: float = 0.0) -> float:
    """Volts before the divider (Ω) at which its lower part has the reference; the pin takes its current (A)."""
    return reference * (1 + upper / lower) + reference_current * upper


def time_to(resistor: float, capacitor: float, volts: float, share: float) -> float:
    """Seconds until a capacitor that charges towards ``volts`` has ``share`` of them (V)."""
    return resistor * capacitor * log(volts / (volts - share))


@dataclass(frozen=True, slots=True, kw_only=True)
class Guard(Subject):
    """The voltage at which Q2 opens: typical, least, most (V); ``lost`` mV from plug to rails at worst.

    ``clamps`` is what the suppressor lets stand in a peak (V).
    """

    typical: float
    least: float
    most: float
    lost: float
    clamps: float = CLAMPS


def guard_subject(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> Guard:
    """Thresholds, what the parts bear, and Q2's first moments."""
    circuit = board.circuit
    upper, lower = (circuit.by_ref[ref].amount for ref in ("R52", "R53"))
    off = RESISTOR_TOLERANCE
    least = threshold(upper * (1 - off), lower * (1 + off), LEAST_REFERENCE)
    most = threshold(upper * (1 + off), lower * (1 - off), REFERENCE + REFERENCE_OFF, REFERENCE_CURRENT)
    return Guard(
        checks=(*_thresholds(circuit, least, most), *_ratings(circuit), *_drive(circuit, least)),
        typical=threshold(upper, lower, REFERENCE, REFERENCE_CURRENT / 2),
        least=least,
        most=most,
        lost=worst_of_all(board, milliamp_cap) * way_in(board) * 1e3,
    )


def _thresholds(circuit: Circuit, least: float, most: float) -> tuple[Check, ...]:
    upper, lower = (number(circuit.by_ref[ref].amount / 1e3) for ref in ("R52", "R53"))
    return (
        at_least(
            "Least voltage at which the inlet is switched off",
            f"{number(LEAST_REFERENCE)} V × (1 + {upper} kΩ × 0.99 / ({lower} kΩ × 1.01))",
            least,
            SUPPLY * (1 + SUPPLY_TOLERANCE),
            "V",
            "TI SLVS543, TL431B: 2.495 V ± 0.5 %, 34 mV over temperature, 2.7 mV for each volt at its cathode; "
            "the right supply, high",
        ),
        at_most(
            "The right supply, high, against the pixels",
            f"5 V + {number(100 * SUPPLY_TOLERANCE)} %",
            SUPPLY * (1 + SUPPLY_TOLERANCE),
            MOST_PIXEL,
            "V",
            "Worldsemi WS2812B, absolute maximum 5.3 V; a higher supply that is let through is above it",
        ),
        at_most(
            "Most voltage that is let through for good, against controller and chips",
            f"{number(REFERENCE + REFERENCE_OFF)} V × (1 + {upper} kΩ × 1.01 / ({lower} kΩ × 0.99)) + "
            f"{number(REFERENCE_CURRENT * 1e6)} µA × {upper} kΩ × 1.01",
            most,
            FRAGILE,
            "V",
            "TI SLVS543; Microchip ATmega328P, absolute maximum 6 V",
        ),
    )


def _ratings(circuit: Circuit) -> tuple[Check, ...]:
    upper = circuit.by_ref["R52"].amount
    base, polarity = circuit.by_ref["R55"].amount, circuit.by_ref["R50"].amount
    through = (WRONG_PLUG - BASE_ON - CONDUCTING) / base
    return (
        at_most(
            "A plug of 12 V, plus or minus inside, against the suppressor's stand-off",
            "12 V + 5 %",
            WRONG_PLUG,
            STAND_OFF,
            "V",
            "Littelfuse SMBJ15CA, 15 V both ways: it must not conduct for good",
        ),
        at_most(
            "Peaks that the suppressor lets through, against the transistors",
            "clamping voltage at 24.6 A",
            CLAMPS,
            MOST_DRAIN,
            "V",
            "Littelfuse SMBJ15CA; Infineon IRF9310, drain to source",
        ),
        at_most(
            "Gate of Q1 with a plug of 12 V",
            "12 V + 5 %, the gate at ground",
            WRONG_PLUG,
            MOST_GATE,
            "V",
            "Infineon IRF9310, gate to source",
        ),
        at_least(
            "D2 with a plug of 12 V: it must not conduct",
            "its least voltage",
            LEAST_ZENER,
            WRONG_PLUG,
            "V",
            "Nexperia BZX79-C15",
        ),
        at_most(
            "Gate of Q1 in a peak that the suppressor lets through",
            f"what D2 lets stand; R50 takes the rest, {number((CLAMPS - MOST_ZENER) / polarity * 1e3)} mA",
            MOST_ZENER,
            MOST_GATE,
            "V",
            "Nexperia BZX79-C15, with 5 mA; Infineon IRF9310, gate to source",
        ),
        at_most(
            "Current into the reference pin of U5 with a plug of 12 V",
            f"({number(WRONG_PLUG)} V − {number(REFERENCE)} V) / {number(upper / 1e3)} kΩ",
            (WRONG_PLUG - REFERENCE) / upper * 1e3,
            MOST_REFERENCE_CURRENT * 1e3,
            "mA",
            "TI SLVS543, absolute maximum",
        ),
        at_most(
            "Power of R55 with a plug of 12 V left in",
            f"({number(WRONG_PLUG)} V − {number(BASE_ON)} V − {number(CONDUCTING)} V)² / {number(base)} Ω",
            through**2 * base,
            0.25,
            "W",
            f"metal film, 0207: 0.25 W; U5 then carries {number(through * 1e3)} mA of its 100 mA",
        ),
    )


def _drive(circuit: Circuit, least: float) -> tuple[Check, ...]:
    emitter, base, gate = (circuit.by_ref[ref].amount for ref in ("R54", "R55", "R51"))
    hold = circuit.by_ref["C50"].amount * (1 - CAPACITOR_TOLERANCE)
    driven = (least - BASE_ON - CONDUCTING) / base - BASE_ON / emitter
    waits = time_to(gate * (1 - RESISTOR_TOLERANCE), hold, WRONG_PLUG, LEAST_THRESHOLD)
    upper, lower = (circuit.by_ref[ref].amount for ref in ("R52", "R53"))
    filtering = circuit.by_ref["C51"].amount * (1 + CAPACITOR_TOLERANCE)
    divided = WRONG_PLUG * lower / (upper + lower)
    notices = time_to(upper * lower / (upper + lower), filtering, divided, REFERENCE + REFERENCE_OFF)
    return (
        at_most(
            "Base of Q3 while U5 does not conduct yet",
            f"{number(LEAST_CATHODE * 1e3)} mA × {number(emitter)} Ω × 1.01",
            LEAST_CATHODE * emitter * (1 + RESISTOR_TOLERANCE),
            BASE_OFF,
            "V",
            "TI SLVS543, regulates from 1 mA on at the latest; 0.45 V when warm is customary",
        ),
        at_least(
            "Base current of Q3 once U5 conducts, against ten times what Q2's gate resistor takes",
            f"({number(least)} V − {number(BASE_ON)} V − {number(CONDUCTING)} V) / {number(base)} Ω − "
            f"{number(BASE_ON)} V / {number(emitter)} Ω",
            driven * 1e6,
            10 * least / gate / GAIN * 1e6,
            "µA",
            "Nexperia BC807-40, gain 250 at least",
        ),
        at_least(
            "Time until Q2 could begin to conduct as a plug of 12 V goes in",
            f"{number(gate / 1e3)} kΩ × 0.99 × {number(hold * 1e9)} nF × ln({number(WRONG_PLUG)} V / "
            f"({number(WRONG_PLUG)} V − {number(LEAST_THRESHOLD)} V))",
            waits * 1e6,
            (notices + SWITCHING) * 1e6,
            "µs",
            "Infineon IRF9310, threshold 1.3 V at least; C51 charges to the reference, U5 and Q3 switch in 10 µs, "
            "customary",
        ),
    )


#: One GPIO of a Raspberry Pi (A): at most 16 mA, customary; its level (V).
PI_CURRENT: Final = 0.016
PI_HIGH: Final = 3.3

#: A piezo sounder (F), the most that parts.toml allows; a tone of 4 kHz, half a period (s).
BUZZER: Final = 40e-9
HALF_TONE: Final = 125e-6

#: The TPIC6B595 takes 0.85 of its supply for a 1 (TI, recommended conditions). Inputs leak at most 1 µA
#: (customary).
DRIVER_HIGH: Final = 0.85
LEAKAGE: Final = 1e-6

#: The ATmega328P gives at least 4.2 V at 20 mA, and the supply less 0.1 V unloaded (sheet, typical
#: characteristics).
CONTROLLER_DROP: Final = 0.1

#: A SN74HCS165 drives a 0 against 4 mA (TI).
SINK: Final = 0.004

#: The least voltage that an HCS input at 5 V surely takes for a 1: see `photo_transistors`.
HCS_HIGH: Final = 3.5


def logic_subject(board: Board) -> Subject:
    """Buzzer's resistor, pull-ups, levels."""
    circuit = board.circuit
    buzzer, dark = circuit.by_ref["R40"].amount, circuit.by_ref["R20"].amount
    registers = circuit.of_kind("chain_register")
    chain = [pull_up.amount for chip in registers for pull_up in circuit.serving(chip.ref, "resistor")]
    lowest, highest = min(*chain, dark, circuit.by_ref["R1"].amount), max(chain)
    checks: tuple[Check, ...] = (
        at_most(
            "Current of the GPIO at the buzzer's edges",
            f"{number(PI_HIGH)} V / ({number(buzzer)} Ω − 1 %)",
            PI_HIGH / (buzzer * (1 - RESISTOR_TOLERANCE)) * 1e3,
            PI_CURRENT * 1e3,
            "mA",
            "Raspberry Pi, 16 mA for each GPIO",
        ),
        at_most(
            "Time constant of buzzer and resistor against half a tone of 4 kHz",
            f"{number(buzzer)} Ω × {number(BUZZER * 1e9)} nF",
            buzzer * BUZZER * 1e6,
            HALF_TONE / 5 * 1e6,
            "µs",
            "wiring/parts.toml, to 40 nF; five time constants fit",
        ),
        at_least(
            "G/ of the bank driver while nobody drives it",
            f"{number(SUPPLY)} V − {number(dark / 1e3)} kΩ × 2 × {number(LEAKAGE * 1e6)} µA",
            SUPPLY - dark * 2 * LEAKAGE,
            DRIVER_HIGH * SUPPLY,
            "V",
            "TI SLIS032, 0.85 of the supply; leakage of driver and controller",
        ),
        at_least(
            "The controller's 1 at the bank driver",
            f"{number(SUPPLY)} V − {number(CONTROLLER_DROP)} V",
            SUPPLY - CONTROLLER_DROP,
            DRIVER_HIGH * SUPPLY,
            "V",
            "TI SLIS032, 0.85 of the supply; Microchip ATmega328P. A Pi's 3.3 V would not do",
        ),
        at_least(
            "A serial input whose wire is off",
            f"{number(SUPPLY)} V − {number(highest / 1e3)} kΩ × {number(LEAKAGE * 1e6)} µA",
            SUPPLY - highest * LEAKAGE,
            HCS_HIGH,
            "V",
            "TI HCS family, thresholds at 4.5 and 6 V, customary",
        ),
        at_most(
            "Current that a 0 has to sink against a pull-up",
            f"{number(SUPPLY)} V / {number(lowest / 1e3)} kΩ",
            SUPPLY / lowest * 1e3,
            SINK * 1e3,
            "mA",
            "TI SN74HCS165, 4 mA",
        ),
    )
    return Subject(checks=checks)


#: Load cell: full load (g), output at full load (V/V): Seeed 314990000, 500 g, 0.5 ±0.1 mV/V.
FULL_LOAD: Final = 500.0
OUTPUT: Final = 0.5e-3

#: Excitation (V) that an HX711 module gives: 4.3, customary. Its noise (V rms) at 80 readings a second: HX711
#: sheet.
EXCITATION: Final = 4.3
NOISE: Final = 90e-9

#: Noise of cheap modules (times that of a good one), and its peaks to either side (times its rms value).
CHEAP: Final = 3.0
REACH: Final = 3.3

#: Input range (V) at a gain of 128 and 5 V: HX711 sheet; it shrinks with the excitation.
RANGE: Final = 20e-3

#: One ring and a holder (g), 32 rings: estimates, weigh them.
RING: Final = 2.5
HOLDER: Final = 150.0
RINGS: Final = 32


def ring_signal(output: float = OUTPUT) -> float:
    """Volts that one ring changes the cell's output by."""
    return output * EXCITATION / FULL_LOAD * RING


@dataclass(frozen=True, slots=True, kw_only=True)
class Holders(Subject):
    """A ``ring`` in grams, and its ``signal`` in µV."""

    ring: float
    signal: float


def holder_subject(board: Board) -> Holders | None:
    """Cell and amplifier; None where the board has no holders."""
    if not board.wiring.holders:
        return None
    signal = ring_signal()
    noise = NOISE * CHEAP * REACH
    load = RINGS * RING + HOLDER
    checks: tuple[Check, ...] = (
        at_most(
            "Noise of a cheap module against half a ring",
            f"{number(NOISE * 1e9)} nV × {number(CHEAP)} × {number(REACH)} / ({number(signal * 1e6)} µV / 2)",
            noise / (signal / 2) * 100,
            50,
            "%",
            "HX711 sheet, 90 nV at 80 readings a second; three times that for cheap modules is customary",
        ),
        at_most(
            "Load of the cell, all rings of a player and the holder",
            f"{RINGS} × {number(RING)} g + {number(HOLDER)} g",
            load,
            FULL_LOAD * 0.8,
            "g",
            "Seeed 314990000, 500 g; a fifth is left for a hand, and a stop under the beam",
        ),
        at_most(
            "Output at full load within the amplifier's range",
            f"0.6 mV/V × {number(EXCITATION)} V",
            0.6e-3 * EXCITATION * 1e3,
            RANGE * EXCITATION / 5 * 1e3,
            "mV",
            "HX711 sheet, ±20 mV at 5 V and a gain of 128; cell 0.5 ± 0.1 mV/V",
        ),
        at_least(
            "A ring in the amplifier's counts, weakest cell",
            f"{number(ring_signal(0.4e-3) * 1e6)} µV / (2 × {number(RANGE * EXCITATION / 5 * 1e3)} mV / 2^24)",
            ring_signal(0.4e-3) / (2 * RANGE * EXCITATION / 5 / 2**24),
            1000,
            "counts",
            "twice the default holder deadband of 500 counts, PROTOCOL.md section 5.2",
        ),
    )
    return Holders(checks=checks, ring=RING, signal=signal * 1e6)
