"""Buzzer, pull-ups and the levels of the logic."""

from __future__ import annotations

from typing import Final

from wiring.make.board import Board
from wiring.make.electrics.check import Check, Subject, at_least, at_most
from wiring.make.electrics.values import RESISTOR_TOLERANCE, SUPPLY
from wiring.make.numbers import number

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


def subject(board: Board) -> Subject:
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
