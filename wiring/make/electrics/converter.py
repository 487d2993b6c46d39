"""From the Hall sensor to the converter: filter, multiplexer, sampling, reading of an open wire."""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, log
from typing import Final

from tamsk_hw.board.sensor_report import SensingSettings
from wiring.make.board import Board
from wiring.make.electrics.check import Check, Subject, at_most
from wiring.make.electrics.lines import ARRAY_LEAKS
from wiring.make.electrics.values import LIGHT_TIME, STEP, SUPPLY, alike
from wiring.make.numbers import number

_CONTROLLER: Final = "Microchip ATmega328P"

#: One switch of a CD74HC4067 (Ω): 70 typical at 4.5 V (SCHS209); 160 is the customary most.
SWITCH: Final = 160.0

#: Capacitance (F) of a multiplexer's common side: its pin about 50 pF, the ribbon 6 pF, the controller's sample
#: capacitor and pin 24 pF (customary figures).
COMMON: Final = 80e-12

#: The sources that the converter is made for (Ω), and its sampling (clocks): ATmega328P, analog input circuitry.
MOST_SOURCE: Final = 10e3

#: The converter's clock (Hz), clocks of a conversion: firmware/avr/converter.c. Its error at 1 MHz: 4.5 steps of
#: 10 bits (ATmega328P, characteristics), which is more than at 500 kHz.
CLOCK: Final = 500e3
CLOCKS: Final = 13
ERROR_STEPS: Final = 4.5 / 4

#: The firmware's wait (s) after a change of the select lines: firmware/avr/converter.c.
WAIT: Final = 5e-6

#: Leakage into a multiplexer's input and the converter (A): 10 nA is customary at room temperature. The sheets
#: only promise 1 µA.
LEAKAGE: Final = 10e-9

#: What a reading may be less for the resistor for an open wire (steps): the default deadband.
MOST_TAKEN: Final = 2.0


def settling_time(resistor: float, capacitor: float, common: float, swing: float, rest: float) -> float:
    """Seconds until the multiplexer's common side is within ``rest`` volts of its new input.

    The common side (``common`` farad) comes from ``swing`` volts away. Through the switch it shares its charge
    with the filter's capacitor almost at once; what is left then flows through the resistor (Ω).
    """
    both = capacitor + common
    left = swing * common / both
    return resistor * both * log(left / rest) if left > rest else 0.0


def drooping_time(resistor: float, capacitor: float, begin: float, end: float) -> float:
    """Seconds until a capacitor has fallen from ``begin`` to ``end`` volts through a resistor."""
    return resistor * capacitor * log(begin / end) if end > 0 else inf


@dataclass(frozen=True, slots=True, kw_only=True)
class Converter(Subject):
    """The firmware's ``wait`` before a conversion, and the time that a filter of ``ten`` nF would take, in µs."""

    wait: float
    ten: float


def subject(board: Board) -> Converter:
    """Filter, multiplexer, clock of the converter, the resistor for an open wire."""
    circuit = board.circuit
    resistor, capacitor = alike(circuit, "RF").amount, alike(circuit, "CF").amount
    open_resistor = alike(circuit, "RO").amount
    conversions = len(board.wiring.inputs)
    scan = conversions * CLOCKS / CLOCK
    open_volts = (LEAKAGE + ARRAY_LEAKS) * open_resistor
    rail = SensingSettings().rail
    checks: tuple[Check, ...] = (
        at_most(
            "Common side settled to half a step after a swing over the whole supply",
            f"{number(resistor / 1e3)} kΩ × {number((capacitor + COMMON) * 1e9)} nF × ln({number(SUPPLY)} V × "
            f"{number(COMMON * 1e12)} pF / {number((capacitor + COMMON) * 1e9)} nF / {number(STEP * 500)} mV)",
            settling_time(resistor, capacitor, COMMON, SUPPLY, STEP / 2) * 1e6,
            WAIT * 1e6,
            "µs",
            "80 pF on the common side is an estimate; firmware/avr/converter.c waits 5 µs",
        ),
        at_most(
            "Source that the converter sees",
            f"{number(resistor)} Ω + {number(SWITCH)} Ω",
            resistor + SWITCH,
            MOST_SOURCE,
            "Ω",
            f"{_CONTROLLER}, sources of 10 kΩ or less; TI SCHS209, switch 70 Ω typical, 160 Ω customary most",
        ),
        at_most(
            "Sample capacitor of 14 pF charged to half a step within 1.5 clocks",
            f"({number(resistor)} Ω + {number(SWITCH)} Ω) × 14 pF × ln({number(SUPPLY)} V / "
            f"{number(STEP * 500)} mV)",
            (resistor + SWITCH) * 14e-12 * log(SUPPLY / (STEP / 2)) * 1e6,
            1.5 / CLOCK * 1e6,
            "µs",
            f"{_CONTROLLER}, 14 pF, sample and hold 1.5 clocks",
        ),
        at_most(
            "Error of the converter at its clock",
            "4.5 steps of 10 bits at 1 MHz, at 500 kHz less, / 4",
            ERROR_STEPS,
            2,
            "steps",
            f"{_CONTROLLER}, characteristics; two steps are our rule, as the default deadband",
        ),
        at_most(
            "All conversions of a scan within the time that the eight banks are lit",
            f"{conversions} × {CLOCKS} clocks / 500 kHz",
            scan * 1e6,
            8 * LIGHT_TIME,
            "µs",
            "PROTOCOL.md section 5.2; the conversions run while the photo-transistors settle",
        ),
        at_most(
            "What the resistor for an open wire takes from a reading",
            f"256 steps × {number(resistor)} Ω / {number(open_resistor)} Ω",
            256 * resistor / (resistor + open_resistor),
            MOST_TAKEN,
            "steps",
            "physics; two steps are our rule, as the default deadband: it is the same share of every reading, and "
            "calibrated away",
        ),
        at_most(
            "Reading of a sensor that has come off",
            f"({number(LEAKAGE * 1e9)} + {number(ARRAY_LEAKS * 1e9)}) nA × {number(open_resistor / 1e3)} kΩ / "
            f"{number(STEP * 1e3)} mV",
            open_volts / STEP,
            rail,
            "steps",
            "multiplexer customary at room temperature; ST USBLC6-4, 150 nA at 5.25 V; "
            "tamsk_hw/board/sensor_report.py, rail",
        ),
        at_most(
            "Time until a sensor that has come off reads so",
            f"{number(open_resistor / 1e3)} kΩ × {number(capacitor * 1e9)} nF × "
            f"ln({number(SUPPLY)} V / {number(rail * STEP * 1e3)} mV)",
            drooping_time(open_resistor, capacitor, SUPPLY, rail * STEP) * 1e3,
            SensingSettings().fault_dwell * 1e3,
            "ms",
            "physics; tamsk_hw/board/sensor_report.py, fault_dwell",
        ),
    )
    return Converter(
        checks=checks,
        wait=WAIT * 1e6,
        ten=settling_time(resistor, 10e-9, COMMON, SUPPLY, STEP / 2) * 1e6,
    )
