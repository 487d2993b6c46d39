"""The ring holders: the signal of one ring, and the amplifier's resolution."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from wiring.make.board import Board
from wiring.make.electrics.check import Check, Subject, at_least, at_most
from wiring.make.numbers import number

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


def subject(board: Board) -> Holders | None:
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
