"""The rail that sensors and controller share: references, losses in ribbon and fuse."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tamsk_hw.board.sensor_report import SensingSettings
from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Circuit, Unit
from wiring.make.electrics import emitters
from wiring.make.electrics.check import Check, Subject, at_least, at_most
from wiring.make.electrics.converter import ERROR_STEPS
from wiring.make.electrics.currents import worst_current
from wiring.make.electrics.fuses import rating
from wiring.make.electrics.supply import (
    EMITTERS_COPPER,
    LOGIC_COPPER,
    MODULE_COPPER,
    PLANE_COPPER,
    PLANE_GROUND,
    least_main,
    least_main_words,
    module_current,
)
from wiring.make.electrics.values import RESISTOR_TOLERANCE, SUPPLY
from wiring.make.numbers import number

#: A wire of the flat cable (Ω/m): 28 AWG, 7 strands; and a contact with its mate (Ω), customary for box headers.
WIRE: Final = 0.22
CONTACT: Final = 0.02

#: Rated current (A) of a contact of the ribbon's sockets: Würth WR-BHD, sockets for flat cable.
CONTACT_CURRENT: Final = 1.0

#: The least supply (V) of controller and sensors: the controller's brown-out level of 4.3 V is 4.5 V at most
#: (Microchip ATmega328P), and the DRV5055 is made for 4.5 V and more (TI SBAS640).
LEAST_RAIL: Final = 4.5

#: The reference by which the controller measures its supply (V): LM4040-2.5, grade C ± 0.5 %, and 100 ppm/K over
#: 35 K (share); regulates from 80 µA (A) on at the latest. From this reading (steps) on the firmware calls the
#: supply low.
REFERENCE: Final = 2.5
REFERENCE_TOLERANCE: Final = 0.005 + 100e-6 * 35
REFERENCE_LEAST: Final = 80e-6
LOW_READING: Final = 144

#: The controller's brown-out level (V), typical.
BROWN_OUT: Final = 4.3


def wires_resistance(count: int, length: float) -> float:
    """Resistance (Ω) of ``count`` parallel wires of the flat cable, ``length`` metres, with both contacts."""
    return (WIRE * length + 2 * CONTACT) / count


def reading_error(share: float, supply_drop: float, ground_lift: float) -> float:
    """Error (steps of 8 bits) of a share of the far board's supply.

    The far board's supply is ``supply_drop`` volts lower and its ground ``ground_lift`` volts higher than at the
    converter.
    """
    far = SUPPLY - supply_drop - ground_lift
    return (share * far + ground_lift - share * SUPPLY) / SUPPLY * 256


def string_error(share: float) -> float:
    """Greatest error (steps) of a share from a string of four resistors, by their tolerance."""
    low, high = share * (1 + RESISTOR_TOLERANCE), (1 - share) * (1 - RESISTOR_TOLERANCE)
    return (low / (low + high) - share) * 256


def ribbon_wires(circuit: Circuit, net: str) -> int:
    """The number of the ribbon's wires on a net."""
    return list(circuit.by_ref["J2"].nets.values()).count(net)


def far_current(circuit: Circuit) -> float:
    """Worst current (A) of sensor board and tubes on the logic rail, through the ribbon."""
    return worst_current(circuit, nets.LOGIC, (Unit.SENSORS, Unit.TUBES)) * 1e-3


def emitters_way(board: Board) -> float:
    """Resistance (Ω) of the emitters' supply from ribbon to farthest tube, for the current of a bank."""
    copper = EMITTERS_COPPER.get(board.key, max(EMITTERS_COPPER.values()))
    return wires_resistance(ribbon_wires(board.circuit, nets.EMITTERS), _ribbon_length(board)) + copper


def _ribbon_length(board: Board) -> float:
    return next(cable.length for cable in board.cables if cable.ref == "W2")


def far_drops(board: Board) -> tuple[float, float]:
    """Volts lost from the ribbon to the farthest Hall sensor, of the supply and of the ground, worst.

    Both boards' planes carry what all tubes draw, a tube's cable its own part of it.
    """
    circuit = board.circuit
    cable = max(each.length for each in board.tube_cables if each.site.tube is not None)
    hall, photo = (next(circuit.of_kind(key)).kind.worst * 1e-3 for key in ("hall_sensor", "ring_sensor"))
    levels = max(len(bits) for bits in board.wiring.ring_bits)
    own = wires_resistance(1, cable)
    current, light = far_current(circuit), emitters.average_current(circuit)
    supply = current * PLANE_COPPER + (hall + levels * photo) * own
    return supply, (current + light) * PLANE_GROUND + hall * own


@dataclass(frozen=True, slots=True, kw_only=True)
class Rail(Subject):
    """FU3 after a trip: ``resistance`` (Ω), worst ``current`` (mA), ``drop`` (mV).

    ``apart`` is the error of 3/4 before the fuse, ``margin`` that of the references that the host bears, in steps.
    """

    margin: float
    resistance: float
    current: float
    drop: float
    apart: float
    supply_wires: int
    ground_wires: int


def subject(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> Rail:
    """References, ribbon, fuse."""
    circuit = board.circuit
    margin = SensingSettings().reference_margin
    length = _ribbon_length(board)
    supply_wires, ground_wires = ribbon_wires(circuit, nets.LOGIC), ribbon_wires(circuit, nets.GROUND)
    current, light = far_current(circuit), emitters.average_current(circuit)
    drop = current * wires_resistance(supply_wires, length)
    lift = (current + light) * wires_resistance(ground_wires, length)
    shares = (0.25, 0.5, 0.75)
    by_ribbon = max(abs(reading_error(share, drop, lift)) for share in shares)
    by_string = max(string_error(share) for share in shares)
    fuse = rating(circuit.by_ref["FU3"])
    all_of_it = worst_current(circuit, nets.LOGIC) * 1e-3
    apart = abs(reading_error(0.75, all_of_it * fuse.resistance, 0.0))
    string, series = circuit.by_ref["R31"].amount, circuit.by_ref["R4"].amount
    off = REFERENCE_TOLERANCE
    most_low, least_low = (
        256 * REFERENCE * (1 + sign * off) / (LOW_READING - sign * ERROR_STEPS) for sign in (1, -1)
    )
    far_supply, far_ground = far_drops(board)
    hung = emitters.worst_lit_current(circuit)
    before = fuse.resistance + LOGIC_COPPER
    at_ribbon = least_main(board, milliamp_cap) - all_of_it * before
    near = module_current(board)
    at_controller = at_ribbon - near * MODULE_COPPER
    checks: tuple[Check, ...] = (
        at_least(
            "Rail at the controller, supply low, every rail at its worst",
            f"{least_main_words(board, milliamp_cap)} − {number(all_of_it)} A × {number(before)} Ω − "
            f"{number(near * 1e3)} mA × {number(MODULE_COPPER)} Ω",
            at_controller,
            LEAST_RAIL,
            "V",
            f"{fuse.source}, after a trip; Microchip ATmega328P, brown-out level 4.3 V: 4.5 V at most",
        ),
        at_least(
            "Supply of the Hall sensors then",
            f"{number(at_ribbon)} V − {number(drop * 1e3)} mV − {number(lift * 1e3)} mV in the ribbon − "
            f"{number(far_supply * 1e3)} mV − {number(far_ground * 1e3)} mV in board and cable behind it",
            at_ribbon - drop - lift - far_supply - far_ground,
            LEAST_RAIL,
            "V",
            "TI SBAS640, 25 mV/mT at 4.5 to 5.5 V",
        ),
        at_most(
            "Supply at which it is reported as low, at the most",
            f"256 × {number(REFERENCE)} V × {number(1 + off)} / ({LOW_READING} − {number(ERROR_STEPS)})",
            most_low,
            at_controller,
            "V",
            "TI LM4040, grade C ± 0.5 %, 100 ppm/K over 35 K; ATmega328P; no rail at its worst may be called low",
        ),
        at_least(
            "Supply at which it is reported as low, at the least",
            f"256 × {number(REFERENCE)} V × {number(1 - off)} / ({LOW_READING} + {number(ERROR_STEPS)})",
            least_low,
            BROWN_OUT,
            "V",
            "as before; before the brown-out detector resets the controller, typically",
        ),
        at_least(
            "Current of the 2.5 V reference, supply low",
            f"({number(BROWN_OUT)} V − {number(REFERENCE)} V) / {number(series / 1e3)} kΩ",
            (BROWN_OUT - REFERENCE) / series * 1e6,
            REFERENCE_LEAST * 1e6,
            "µA",
            "TI LM4040, regulates from 80 µA on at the latest, customary",
        ),
        at_most(
            "References off by the ribbon, the string's tolerance and the converter",
            f"{number(by_ribbon)} + {number(by_string)} + {number(ERROR_STEPS)} steps; ribbon: "
            f"{number(drop * 1e3)} mV supply, {number(lift * 1e3)} mV ground",
            by_ribbon + by_string + ERROR_STEPS,
            margin,
            "steps",
            "28 AWG 0.22 Ω/m, contacts 20 mΩ customary; tamsk_hw/board/sensor_report.py, reference_margin",
        ),
        at_most(
            "Current of one of the ribbon's supply wires, worst",
            f"{number(current * 1e3)} mA / {supply_wires}",
            current / supply_wires,
            CONTACT_CURRENT,
            "A",
            "Würth WR-BHD, 1 A per contact",
        ),
        at_most(
            "Current of the ribbon's emitter wire, a bank lit for good, worst",
            "one wire, the largest bank",
            hung,
            CONTACT_CURRENT,
            "A",
            "Würth WR-BHD, 1 A per contact",
        ),
        at_most(
            "Drop of the emitters' supply from the ribbon to the farthest tube, a bank lit, worst",
            f"{number(hung)} A × {number(emitters_way(board))} Ω, of which "
            f"{number(EMITTERS_COPPER.get(board.key, 0.0))} Ω are the sensor board's copper",
            hung * emitters_way(board) * 1e3,
            200,
            "mV",
            "copper calculated from the board file, 17.5 µm inside; physics; 200 mV is 5 % of the light",
        ),
        at_most(
            "Current of the reference string",
            f"{number(SUPPLY)} V / (4 × {number(string)} Ω)",
            SUPPLY / (4 * string) * 1e3,
            5,
            "mA",
            "our rule: no more than one Hall sensor",
        ),
    )
    return Rail(
        checks=checks,
        margin=margin,
        resistance=fuse.resistance,
        current=all_of_it * 1e3,
        drop=all_of_it * fuse.resistance * 1e3,
        apart=apart,
        supply_wires=supply_wires,
        ground_wires=ground_wires,
    )
