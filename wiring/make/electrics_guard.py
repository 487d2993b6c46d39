"""Calculations: the inlet's guard against a wrong plug, the levels of the logic, the ring holders."""

from math import log
from typing import Final

from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make.board import Board
from wiring.make.electrics_supply import way_in, worst_of_all
from wiring.make.electrics_values import RESISTOR_TOLERANCE, Subject, subject

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

#: Littelfuse SMBJ15CA and P6KE18CA (V): the former stands off less, 15, the latter clamps higher, at 25.2.
STAND_OFF: Final = 15.0
CLAMPS: Final = 25.2

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

#: An MCP3008 drives a 0 of 0.4 V against 1 mA; switched off its output leaks 10 µA at most (A): Microchip DS21295.
SINK: Final = 0.001
SHARED_LEAKS: Final = 10e-6

#: The clock's line (F): ten inputs of 10 pF, ribbon and board 80 pF (estimate). Its longest rise (s): a tenth of a
#: cycle of 2 MHz, of whose 250 ns at each level the converters want 125.
CLOCK_LOAD: Final = 180e-12
CLOCK_RISE: Final = 50e-9

#: The decoder takes 0.7 of its supply for a 1 (TI, SN74HC138), the controller 0.6 (ATmega328P).
DECODER_HIGH: Final = 0.7
CONTROLLER_HIGH: Final = 0.6


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


def guard_subject(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> Subject:
    """Thresholds at which Q2 opens (V), the parts' ratings, Q2's first moments; ``lost`` mV to the rails."""
    amount = {ref: part.amount for ref, part in board.circuit.by_ref.items()}
    upper, lower, off = amount["R52"], amount["R53"], RESISTOR_TOLERANCE
    typical = threshold(upper, lower, REFERENCE, REFERENCE_CURRENT / 2)
    least = threshold(upper * (1 - off), lower * (1 + off), LEAST_REFERENCE)
    most = threshold(upper * (1 + off), lower * (1 - off), REFERENCE + REFERENCE_OFF, REFERENCE_CURRENT)
    polarity, gate, emitter, base = amount["R50"], amount["R51"], amount["R54"], amount["R55"]
    through = (WRONG_PLUG - BASE_ON - CONDUCTING) / base
    hold = amount["C50"] * (1 - CAPACITOR_TOLERANCE)
    waits = time_to(gate * (1 - off), hold, WRONG_PLUG, LEAST_THRESHOLD)
    filtering = amount["C51"] * (1 + CAPACITOR_TOLERANCE)
    divided = WRONG_PLUG * lower / (upper + lower)
    notices = time_to(upper * lower / (upper + lower), filtering, divided, REFERENCE + REFERENCE_OFF)
    lost = worst_of_all(board, milliamp_cap) * way_in(board) * 1e3
    return subject("guard", globals(), locals())


def logic_subject(board: Board) -> Subject:
    """Buzzer's resistor, pull-ups, levels."""
    circuit = board.circuit
    buzzer, dark = circuit.by_ref["R40"].amount, circuit.by_ref["R20"].amount
    clock = circuit.by_ref["R5"].amount
    idle, silent = circuit.by_ref["R21"].amount, circuit.by_ref["R1"].amount
    converters = len(list(circuit.of_kind("ring_converter")))
    return subject("logic", globals(), locals())


def holder_subject(board: Board) -> Subject | None:
    """Cell and amplifier; None where the board has no holders."""
    if not board.wiring.holders:
        return None
    signal = ring_signal()
    return subject("holders", globals(), locals())
