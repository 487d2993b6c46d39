"""The infrared emitters of the ring sensors: current of one, of a bank, and the driver's limits."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Final

from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Circuit
from wiring.make.electrics.check import Check, Subject, at_least, at_most
from wiring.make.electrics.values import (
    AMBIENT,
    LIGHT_TIME,
    RESISTOR_TOLERANCE,
    SCAN,
    SUPPLY,
    SUPPLY_TOLERANCE,
    alike,
)
from wiring.make.numbers import number

_SENSOR: Final = "onsemi QRE1113/D"
_DRIVER: Final = "TI SLIS032"

#: Forward voltage of the emitter (V): 1.2 typical at 20 mA (QRE1113/D); 1.25 at 23 mA, at least 1.1 (estimates).
FORWARD: Final = 1.25
LEAST_FORWARD: Final = 1.1

#: The same at 40 mA (V, estimate), and the power that the emitter bears at 40 °C (W): 75 mW at 25 °C, 1 mW/K less
#: above (QRE1113/D).
HIGH_FORWARD: Final = 1.35
MOST_EMITTER_POWER: Final = 0.060

#: Continuous forward current of the emitter (A): QRE1113/D, maximum ratings.
MOST_FORWARD_CURRENT: Final = 0.050

#: One output of the TPIC6B595 switched on (Ω): 5 typical (SLIS032, features). Cold 3 and hot 9.5 are customary.
ON_RESISTANCE: Final = 5.0
COLD_RESISTANCE: Final = 3.0
HOT_RESISTANCE: Final = 9.5

#: The TPIC6B595's outputs (A): continuous with all eight on, and where one limits its own current (SLIS032,
#: features and description).
CONTINUOUS: Final = 0.150
CURRENT_LIMIT: Final = 0.500

#: Its housing (DIP-20): warming for each watt (K/W), customary; and the warmest junction that we allow (°C), below
#: the customary 150.
THERMAL_RESISTANCE: Final = 95.0
WARMEST_JUNCTION: Final = 125.0

#: Rated power of a 0207 metal film resistor (W).
RESISTOR_POWER: Final = 0.25

#: A bank is lit from one latch to the next: the light time and the time to latch and to shift on (µs). In the
#: emulator eight such parts take at most 1.45 ms; on hardware measured by nobody yet.
LATCHING: Final = 12.0


def emitter_current(supply: float, forward: float, resistor: float, on_resistance: float, lit: int) -> float:
    """Current (A) of each of ``lit`` equal emitters on one output; volts and ohms in.

    All flow through the output, so its resistance counts ``lit`` times.
    """
    return (supply - forward) / (resistor + lit * on_resistance)


def bank_sizes(circuit: Circuit) -> dict[str, int]:
    """The number of emitters on each output, by its net: the first driver's banks, then the second's."""
    sizes = Counter(part.nets["B"] for part in circuit.parts if part.letters == "RE")
    drivers = len(list(circuit.of_kind("bank_driver")))
    outputs = (nets.bank(number, driver) for driver in range(drivers) for number in range(8))
    return {net: sizes[net] for net in outputs if net in sizes}


def worst_lit_current(circuit: Circuit) -> float:
    """Current (A) of the largest bank, all drivers' parts of it together, at worst."""
    drivers = len(list(circuit.of_kind("bank_driver")))
    sizes = bank_sizes(circuit)
    return max(
        sum(worst_bank_current(circuit, sizes.get(nets.bank(number, driver), 0)) for driver in range(drivers))
        for number in range(8)
    )


def most_lit(circuit: Circuit) -> int:
    """The number of emitters in the largest bank, all drivers' parts of it together."""
    drivers, sizes = len(list(circuit.of_kind("bank_driver"))), bank_sizes(circuit)
    return max(sum(sizes.get(nets.bank(number, driver), 0) for driver in range(drivers)) for number in range(8))


def resistance(circuit: Circuit) -> float:
    """The emitters' series resistor (Ω)."""
    return alike(circuit, "RE").amount


def typical_bank_current(circuit: Circuit, lit: int) -> float:
    """Current (A) of a bank of ``lit`` emitters."""
    return lit * emitter_current(SUPPLY, FORWARD, resistance(circuit), ON_RESISTANCE, lit)


def worst_bank_current(circuit: Circuit, lit: int) -> float:
    """The same with the supply high, resistors, output and forward voltage low."""
    resistor = resistance(circuit) * (1 - RESISTOR_TOLERANCE)
    supply = SUPPLY * (1 + SUPPLY_TOLERANCE)
    return lit * emitter_current(supply, LEAST_FORWARD, resistor, COLD_RESISTANCE, lit)


def average_current(circuit: Circuit) -> float:
    """Average current of the emitters' rail (A): every output is on once a scan."""
    lit_share = (LIGHT_TIME + LATCHING) / SCAN
    return sum(typical_bank_current(circuit, lit) * lit_share for lit in bank_sizes(circuit).values())


def junction_temperature(current: float, on_resistance: float) -> float:
    """Junction (°C) of the driver with one output on for good at ``current`` (A)."""
    return AMBIENT + current**2 * on_resistance * THERMAL_RESISTANCE


@dataclass(frozen=True, slots=True, kw_only=True)
class Emitters(Subject):
    """``lit`` emitters at most hang on one output, whose resistance takes ``lost`` volts; ``hung`` mA at worst."""

    lit: int
    light_time: float
    scan: float
    lost: float
    hung: float


def subject(board: Board) -> Emitters:
    """Resistor, emitters, driver and the capacitor beside it."""
    lit = max(bank_sizes(board.circuit).values())
    current = typical_bank_current(board.circuit, lit)
    return Emitters(
        checks=_checks(board, lit),
        lit=lit,
        light_time=LIGHT_TIME,
        scan=SCAN,
        lost=current * ON_RESISTANCE,
        hung=worst_bank_current(board.circuit, lit) * 1e3,
    )


def _checks(board: Board, lit: int) -> tuple[Check, ...]:
    circuit = board.circuit
    resistor = resistance(circuit)
    typical, worst = typical_bank_current(circuit, lit), worst_bank_current(circuit, lit)
    single = worst_bank_current(circuit, 1)
    high, low = SUPPLY * (1 + SUPPLY_TOLERANCE), resistor * (1 - RESISTOR_TOLERANCE)
    hung = junction_temperature(worst, HOT_RESISTANCE)
    share = (LIGHT_TIME + LATCHING) / SCAN
    together = worst_lit_current(circuit)
    dip = together * LIGHT_TIME * 1e-6 / circuit.by_ref["CB1"].amount
    heat, rated = (worst**2 * share, CONTINUOUS**2)
    return (
        at_least(
            "Current of one emitter, so that there is light enough (the sensor is sorted at 20 mA)",
            f"({number(SUPPLY)} V − {number(FORWARD)} V) / ({number(resistor)} Ω + {lit} × "
            f"{number(ON_RESISTANCE)} Ω)",
            typical / lit * 1e3,
            20,
            "mA",
            f"{_SENSOR}, collector current at 20 mA",
        ),
        at_most(
            "Current of one emitter, worst, alone on its output and lit for good",
            f"({number(high)} V − {number(LEAST_FORWARD)} V) / ({number(low)} Ω + {number(COLD_RESISTANCE)} Ω)",
            single * 1e3,
            MOST_FORWARD_CURRENT * 1e3,
            "mA",
            f"{_SENSOR}, continuous forward current",
        ),
        at_most(
            "Current of one output while it is on, typical",
            f"{lit} × {number(typical / lit * 1e3)} mA",
            typical * 1e3,
            CONTINUOUS * 1e3,
            "mA",
            f"{_DRIVER}, 150 mA for good on each of eight outputs at once",
        ),
        at_most(
            "Current of one output while it is on, worst",
            f"{lit} × ({number(high)} V − {number(LEAST_FORWARD)} V) / ({number(low)} Ω + {lit} × "
            f"{number(COLD_RESISTANCE)} Ω)",
            worst * 1e3,
            CURRENT_LIMIT * 500,
            "mA",
            f"{_DRIVER}, an output limits itself at 500 mA, lower when warm; half of it is our rule; 3 Ω cold and "
            "1.1 V are estimates",
        ),
        at_most(
            "Heat of one output on average, worst, against that at its continuous rating",
            f"({number(worst * 1e3)} mA)² × {number(share * 100)} % / ({number(CONTINUOUS * 1e3)} mA)²",
            heat / rated * 100,
            100,
            "%",
            f"{_DRIVER}, 150 mA for good; its 500 mA in pulses are for 100 µs and 2 % of the time, and not used",
        ),
        at_most(
            "Junction of the driver when a program hangs with a bank lit",
            f"{number(AMBIENT)} °C + ({number(worst)} A)² × {number(HOT_RESISTANCE)} Ω × "
            f"{number(THERMAL_RESISTANCE)} K/W",
            hung,
            WARMEST_JUNCTION,
            "°C",
            f"150 °C allowed, 9.5 Ω hot and 95 K/W in DIP-20 are customary for {_DRIVER}",
        ),
        at_most(
            "Power of an emitter when a program hangs with a bank lit",
            f"({number(high)} V − {number(HIGH_FORWARD)} V) / ({number(low)} Ω + {lit} × "
            f"{number(COLD_RESISTANCE)} Ω) × {number(HIGH_FORWARD)} V",
            emitter_current(high, HIGH_FORWARD, low, COLD_RESISTANCE, lit) * HIGH_FORWARD * 1e3,
            MOST_EMITTER_POWER * 1e3,
            "mW",
            f"{_SENSOR}, 75 mW at 25 °C, 1 mW/K less above; 1.35 V at 40 mA is an estimate",
        ),
        at_most(
            "Power of one resistor when a program hangs",
            f"({number(single * 1e3)} mA)² × {number(resistor)} Ω",
            single**2 * resistor,
            RESISTOR_POWER,
            "W",
            "metal film, 0207: 0.25 W",
        ),
        at_most(
            "Dip of the emitters' supply in a pulse, if the capacitor gave all of it",
            f"{number(together * 1e3)} mA × {number(LIGHT_TIME)} µs / {circuit.by_ref['CB1'].value}",
            dip * 1e3,
            200,
            "mV",
            "physics; 200 mV is 5 % of the light",
        ),
    )
