"""The pixels: level of their data, series resistor, supply at the far end, capacitor."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tamsk_hw.board.wiring_map import Geometry
from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make.board import Board
from wiring.make.electrics.check import Check, Subject, at_least, at_most
from wiring.make.electrics.fuses import rating
from wiring.make.electrics.supply import LIGHTS_COPPER, least_main, least_main_words
from wiring.make.electrics.values import SUPPLY, SUPPLY_TOLERANCE
from wiring.make.numbers import number

_PIXEL: Final = "Worldsemi WS2812B"
_SHIFTER: Final = "TI SN74AHCT125"

#: The least share of the supply that surely is a 1, and the least supply (V): WS2812B sheet.
HIGH_SHARE: Final = 0.7
LEAST_SUPPLY: Final = 4.5

#: A Pi's output at no load (V), and at least (V), customary.
PI_HIGH: Final = 3.3
PI_LEAST_HIGH: Final = 2.7

#: The shifter takes this for 1 (V), and gives at least the supply less 0.1 V unloaded: SN74AHCT125 sheet.
SHIFTER_HIGH: Final = 2.0
SHIFTER_DROP: Final = 0.1

#: A pixel's input and 0.3 m of wire (F): 15 pF by the WS2812B sheet, wire 50 pF/m. A bit may be 150 ns off: same
#: sheet.
DATA_LOAD: Final = 30e-12
BIT_TOLERANCE: Final = 150e-9

#: 0.5 mm² of copper (Ω/m), and what it carries for good (A): DIN VDE 0276, customary 9 A.
WIRE: Final = 0.037
WIRE_CURRENT: Final = 9.0

#: Wire from one pixel to the next beyond a tube's pitch (mm), two wires of 0.5 mm².
SLACK: Final = 30.0

#: The least supply (V) at which blue has its full current: 3.4 V for itself, 0.8 V for the driver (estimate).
LEAST_FAR_SUPPLY: Final = 4.2

#: Time (s) in which a supply of this kind answers a step of its load: estimate.
ANSWER: Final = 200e-6


def hop_length(geometry: Geometry) -> float:
    """Length (m) of the wires from one pixel to the next."""
    return (geometry.tube_pitch + SLACK) / 1000


def line_drop(pixels: int, current: float, hop: float) -> float:
    """Volts lost in both supply wires from the first pixel to the last, all alike; all current (A), hop (m).

    The first hop carries all pixels' current but one's, the last hop one's.
    """
    hops = pixels - 1
    return 2 * WIRE * hop * current / pixels * hops * pixels / 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Lights(Subject):
    """Volts that a pixel wants for a 1 and a Pi gives; the pixels' current in full ``white`` (A), ``cap`` (mA)."""

    high: float
    pi_high: float
    pixels: int
    white: float
    cap: float


def subject(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> Lights:
    """Data level, shifter, resistor, capacitor and wire, with the pixels' current capped (mA)."""
    circuit = board.circuit
    resistor, capacitor = (circuit.by_ref[ref].amount for ref in ("R2", "CB2"))
    pixels = list(circuit.of_kind("pixel"))
    white = sum(part.kind.worst for part in pixels)
    most = min(milliamp_cap, white) * 1e-3
    high = SUPPLY * (1 + SUPPLY_TOLERANCE)
    length = next(cable.length for cable in board.cables if cable.ref == "W5")
    fuse = rating(circuit.by_ref["FU2"]).resistance
    first = least_main(board, milliamp_cap) - most * (2 * WIRE * length + fuse + LIGHTS_COPPER)
    hop = hop_length(board.wiring.geometry)
    along = line_drop(len(pixels), most, hop)
    checks: tuple[Check, ...] = (
        at_least(
            "Data behind the shifter, supply high",
            f"{number(high)} V − {number(SHIFTER_DROP)} V",
            high - SHIFTER_DROP,
            HIGH_SHARE * high,
            "V",
            f"{_PIXEL}, 0.7 of the supply; {_SHIFTER}, 0.1 V below its supply",
        ),
        at_least(
            "Data from the Pi at the shifter",
            "a Pi's output, at least",
            PI_LEAST_HIGH,
            SHIFTER_HIGH,
            "V",
            f"{_SHIFTER}, 2.0 V; 2.7 V from a Pi is customary",
        ),
        at_most(
            "Delay of an edge of the data by its series resistor",
            f"{number(resistor)} Ω × {number(DATA_LOAD * 1e12)} pF × ln 2",
            resistor * DATA_LOAD * 0.693 * 1e9,
            BIT_TOLERANCE * 1e9,
            "ns",
            f"{_PIXEL}, input 15 pF, bits ± 150 ns",
        ),
        at_most(
            "Current into the shifter's output from a data line shorted to ground",
            f"{number(high)} V / {number(resistor)} Ω",
            high / resistor * 1e3,
            25,
            "mA",
            f"{_SHIFTER}, ±25 mA output current",
        ),
        at_most(
            "Dip of the pixels' supply as all go bright, until the supply answers",
            f"{number(most * 1e3)} mA × {number(ANSWER * 1e6)} µs / {circuit.by_ref['CB2'].value}",
            most * ANSWER / capacitor,
            SUPPLY * (1 - SUPPLY_TOLERANCE) - LEAST_SUPPLY,
            "V",
            f"200 µs is an estimate; {_PIXEL}, 4.5 V",
        ),
        at_least(
            "Supply of the first pixel, supply low, every rail at its worst",
            f"{least_main_words(board, milliamp_cap)} − {number(most)} A × (2 × {number(length)} m × "
            f"{number(WIRE)} Ω/m + {number(fuse)} Ω + {number(LIGHTS_COPPER * 1e3)} mΩ)",
            first,
            LEAST_SUPPLY,
            "V",
            f"{_PIXEL}, data sheet for 4.5 V and more; Bourns MF-R, resistance after a trip",
        ),
        at_least(
            "Supply of the last pixel, the line fed at its beginning only",
            f"{number(first)} V − half of {number(most)} A × 2 × {len(pixels) - 1} × {number(hop)} m × "
            f"{number(WIRE)} Ω/m",
            first - along,
            LEAST_FAR_SUPPLY,
            "V",
            f"{_PIXEL} works from 3.5 V on; below 4.2 V (estimate) white turns yellow: then feed the far end, too",
        ),
    )
    return Lights(
        checks=checks,
        high=HIGH_SHARE * SUPPLY,
        pi_high=PI_HIGH,
        pixels=len(pixels),
        white=white / 1e3,
        cap=milliamp_cap,
    )
