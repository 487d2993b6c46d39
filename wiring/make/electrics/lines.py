"""The lines from the tubes: sparks on them, and what their protection takes from their levels."""

from __future__ import annotations

from typing import Final

from wiring.make.board import Board
from wiring.make.electrics.check import Check, Subject, at_most
from wiring.make.electrics.values import RESISTOR_TOLERANCE, SUPPLY, SUPPLY_TOLERANCE, alike
from wiring.make.numbers import number

_ARRAY: Final = "ST USBLC6-4, customary"

#: The array: stands off 5.25 V (V), lets 17 V through at 5 A (V), leaks 150 nA (A), adds 4 pF (F).
STANDS_OFF: Final = 5.25
LETS_THROUGH: Final = 17.0
ARRAY_LEAKS: Final = 150e-9
ARRAY_ADDS: Final = 4e-12

#: An input of the SN74HCS165: clamped to its supply by a diode that bears 20 mA (A), 0.5 V above it (V); leaks
#: 1 µA (A), has 5 pF (F): TI HCS family, customary.
CLAMP_BEARS: Final = 0.020
CLAMP_DROP: Final = 0.5
INPUT_LEAKS: Final = 1e-6
INPUT_ADDS: Final = 5e-12

#: Least time (s) between the light and the latch: PROTOCOL.md section 5.2.
LEAST_LIGHT: Final = 60e-6


def subject(board: Board) -> Subject:
    """Array and series resistor."""
    circuit = board.circuit
    series, load = alike(circuit, "RI").amount, alike(circuit, "RP").amount
    high, low = SUPPLY * (1 + SUPPLY_TOLERANCE), SUPPLY * (1 - SUPPLY_TOLERANCE)
    least = series * (1 - RESISTOR_TOLERANCE)
    leaks = ARRAY_LEAKS + INPUT_LEAKS
    checks: tuple[Check, ...] = (
        at_most("Supply against the arrays' stand-off", "the supply, high", high, STANDS_OFF, "V", _ARRAY),
        at_most(
            "Current into a register's input while the array clamps a spark",
            f"({number(LETS_THROUGH)} V − {number(low)} V − {number(CLAMP_DROP)} V) / ({number(series)} Ω − 1 %)",
            (LETS_THROUGH - low - CLAMP_DROP) / least * 1e3,
            CLAMP_BEARS * 1e3,
            "mA",
            f"{_ARRAY}, 17 V at 5 A; TI HCS family, clamp current ±20 mA",
        ),
        at_most(
            "The same without its supply, the line at 5 V for good",
            f"({number(high)} V − {number(CLAMP_DROP)} V) / ({number(series)} Ω − 1 %)",
            (high - CLAMP_DROP) / least * 1e3,
            CLAMP_BEARS * 1e3,
            "mA",
            "TI HCS family, clamp current ±20 mA",
        ),
        at_most(
            "Level of a dark line by the leakage of array and input",
            f"({number(ARRAY_LEAKS * 1e6)} µA + {number(INPUT_LEAKS * 1e6)} µA) × {number(load / 1e3)} kΩ",
            leaks * load * 1e3,
            100,
            "mV",
            f"{_ARRAY}; TI HCS family; a tenth of the least threshold is our rule",
        ),
        at_most(
            "Delay of an edge by the series resistor",
            f"{number(series)} Ω × ({number(ARRAY_ADDS * 1e12)} pF + {number(INPUT_ADDS * 1e12)} pF)",
            series * (ARRAY_ADDS + INPUT_ADDS) * 1e6,
            LEAST_LIGHT * 1e6 / 100,
            "µs",
            "a hundredth of the shortest light time is our rule",
        ),
    )
    return Subject(checks=checks)
