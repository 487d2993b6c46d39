"""Calculations: emitters, lines from the tubes, rails, converter."""

from collections import Counter
from dataclasses import dataclass
from math import inf, log
from typing import Final

from tamsk_hw.board.sensing_settings import SensingSettings
from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make import nets
from wiring.make.board import Board
from wiring.make.circuit import Circuit, Unit
from wiring.make.electrics_values import (
    AMBIENT,
    LIT_IN_ROUND,
    RESISTOR_TOLERANCE,
    ROUND,
    STEP,
    SUPPLY,
    SUPPLY_TOLERANCE,
    Subject,
    alike,
    rating,
    subject,
    typical_current,
    worst_current,
)

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
    """Average current of the emitters (A)."""
    return sum(typical_bank_current(circuit, lit) for lit in bank_sizes(circuit).values()) * LIT_IN_ROUND / ROUND


#: Volts of the emitters' rail behind its fuse in full sun, supply high and supply low, and what a saturated
#: photo-transistor keeps of them: QRE1113/D.
SUN_HIGH: Final = 5.0
SUN_LOW: Final = 4.5
SUN_KEEPS: Final = 0.3


def sun_current(circuit: Circuit) -> float:
    """Current (A) of all photo-transistors in full sun, from the emitters' rail, supply high."""
    return worst_current(circuit, nets.EMITTERS) * 1e-3


def low_sun_current(circuit: Circuit) -> float:
    """The same, supply low."""
    return sun_current(circuit) * (SUN_LOW - SUN_KEEPS) / (SUN_HIGH - SUN_KEEPS)


def junction_temperature(current: float, on_resistance: float) -> float:
    """Junction (°C) of the driver with one output on for good at ``current`` (A)."""
    return AMBIENT + current**2 * on_resistance * THERMAL_RESISTANCE


#: The array: stands off 5.25 V (V), lets 17 V through at 5 A (V), leaks 150 nA (A), adds 4 pF (F).
STANDS_OFF: Final = 5.25
LETS_THROUGH: Final = 17.0
ARRAY_LEAKS: Final = 150e-9
ARRAY_ADDS: Final = 4e-12

#: An input of the MCP3008: clamped to its supply by a diode that bears 20 mA (A), 0.5 V above it (V): customary;
#: the sheet has 4 kV of the human body. It leaks 1 µA at most (A); 1 kΩ and 20 pF sample within 1.5 clocks (Ω, F):
#: Microchip DS21295.
CLAMP_BEARS: Final = 0.020
CLAMP_DROP: Final = 0.5
INPUT_LEAKS: Final = 1e-6
SAMPLE_SWITCH: Final = 1e3
SAMPLE: Final = 20e-12
SAMPLE_CLOCKS: Final = 1.5

#: Its clock by the firmware (Hz), and the fastest that the sheet allows at 2.7 and at 5 V.
RING_CLOCK: Final = 2e6
FASTEST_LOW: Final = 1.35e6
FASTEST: Final = 3.6e6


#: Both contacts of plug and inlet (Ω): at most 30 mΩ is customary for such inlets.
CONTACTS: Final = 0.030

#: One transistor of the guard (Ω): at most 6.8 mΩ at a gate of 4.5 V and 25 °C, a fifth more at 60 °C (Infineon
#: IRF9310).
TRANSISTOR: Final = 0.0068 * 1.2


#: Copper of the ordered controller board (Ω), 35 µm thick at 60 °C: from the inlet to the pixels' fuse, from the
#: boards' grounds back to the inlet, from the fuses to lights and ribbon, and from there to the module. Calculated
#: from the shapes of the routed copper and rounded up; other routes want it again. Wires of 0.5 mm² do to 5 cm.
WAY_IN_COPPER: Final = 0.0025
GROUND_COPPER: Final = 0.0018
LIGHTS_COPPER: Final = 0.0013
LOGIC_COPPER: Final = 0.0028
MODULE_COPPER: Final = 0.100


#: Copper of the ordered sensor boards (Ω): planes of 5 V and of ground, 17.5 µm thick, from the ribbon to the
#: farthest tube, for a current that all tubes share; and by map the emitters' supply within the plane of 5 V, as
#: far, for the current of a bank, whose emitters are in several tubes. Calculated likewise.
PLANE_COPPER: Final = 0.012
PLANE_GROUND: Final = 0.0025
EMITTERS_COPPER: Final = {"reference": 0.098, "seven": 0.105}


@dataclass(frozen=True, slots=True)
class Draw:
    """Current of a rail (mA), typical and worst."""

    typical: float
    worst: float


def draws(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> dict[str, Draw]:
    """The current of each rail by its net, the pixels' capped (mA).

    The emitters' worst is a bank lit for good, and all photo-transistors in full sun.
    """
    circuit = board.circuit
    pixels = sum(part.kind.worst for part in circuit.of_kind("pixel"))
    shifter = worst_current(circuit, nets.LIGHTS_SUPPLY) - pixels
    hung = worst_lit_current(circuit) + sun_current(circuit)
    average = average_current(circuit) * 1e3 + typical_current(circuit, nets.EMITTERS)
    return {
        nets.LIGHTS_SUPPLY: Draw(
            min(typical_current(circuit, nets.LIGHTS_SUPPLY), milliamp_cap), min(pixels, milliamp_cap) + shifter
        ),
        nets.LOGIC: Draw(typical_current(circuit, nets.LOGIC), worst_current(circuit, nets.LOGIC)),
        nets.EMITTERS: Draw(average, hung * 1e3),
    }


def worst_of_all(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> float:
    """Current through the inlet (A) with every rail at its worst."""
    return sum(draw.worst for draw in draws(board, milliamp_cap).values()) * 1e-3


def module_current(board: Board) -> float:
    """Worst current (A) of the controller and of what hangs on its board."""
    return worst_current(board.circuit, nets.LOGIC, (Unit.CONTROLLER, Unit.HOLDERS)) * 1e-3


def way_in(board: Board) -> float:
    """Resistance (Ω) from the plug to the rails' fuses, and of the ground back."""
    copper = WAY_IN_COPPER + GROUND_COPPER
    return CONTACTS + rating(board.circuit.by_ref["FU1"]).resistance + 2 * TRANSISTOR + copper


def most_for_good(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> float:
    """Current (A) through the inlet, supply low: sun on all sensors, or a bank lit until the watchdog acts."""
    circuit, drawn = board.circuit, draws(board, milliamp_cap)
    light = max(worst_lit_current(circuit), average_current(circuit) + low_sun_current(circuit))
    return (drawn[nets.LIGHTS_SUPPLY].worst + drawn[nets.LOGIC].worst) * 1e-3 + light


def least_main(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> float:
    """Volts before the rails' fuses: supply low, every rail at its worst."""
    return SUPPLY * (1 - SUPPLY_TOLERANCE) - most_for_good(board, milliamp_cap) * way_in(board)


#: One switch of a CD74HC4067 (Ω): 70 typical at 4.5 V (SCHS209); 160 is the customary most.
SWITCH: Final = 160.0

#: Capacitance (F) of a multiplexer's common side: its pin about 50 pF, the ribbon 6 pF, the controller's sample
#: capacitor and pin 24 pF (customary figures).
COMMON: Final = 80e-12

#: The sources that the converter is made for (Ω), and its sampling (clocks): ATmega328P, analog input circuitry.
MOST_SOURCE: Final = 10e3

#: The converter's clock (Hz), clocks of a conversion: firmware/avr/converter.c. Its error at that clock: 4.5 steps
#: of 10 bits (ATmega328P, characteristics).
CLOCK: Final = 1e6
CLOCKS: Final = 13
ERROR_STEPS: Final = 4.5 / 4

#: Between two scans judging, frame and supply take so long at most (µs): by emulation.
BETWEEN: Final = 530.0

#: From a change of the select lines to the sample (s): firmware/avr/ring_sensors.c and converter.c.
WAIT: Final = 6.5e-6

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

    Both boards' planes carry what all tubes draw, that of ground the rings' light and sun, too; a tube's cable
    carries its Hall sensor's.
    """
    circuit = board.circuit
    cable = max(each.length for each in board.tube_cables if each.site.tube is not None)
    own = next(circuit.of_kind("hall_sensor")).kind.worst * 1e-3 * wires_resistance(1, cable)
    current, light = far_current(circuit), average_current(circuit) + low_sun_current(circuit)
    return current * PLANE_COPPER + own, (current + light) * PLANE_GROUND + own


def emitter_subject(board: Board) -> Subject:
    """Resistor, emitters, driver and the capacitor beside it; ``hung`` and ``lost`` in mA and V."""
    circuit = board.circuit
    lit = max(bank_sizes(circuit).values())
    resistor = resistance(circuit)
    typical, worst = typical_bank_current(circuit, lit), worst_bank_current(circuit, lit)
    single, together = worst_bank_current(circuit, 1), worst_lit_current(circuit)
    high, low = SUPPLY * (1 + SUPPLY_TOLERANCE), resistor * (1 - RESISTOR_TOLERANCE)
    share = LIT_IN_ROUND / ROUND
    lost, hung = typical * ON_RESISTANCE, worst * 1e3
    return subject("emitters", globals(), locals())


def line_subject(board: Board) -> Subject:
    """Array, series resistor, and the converter's input behind it."""
    series, load = alike(board.circuit, "RI").amount, alike(board.circuit, "RP").amount
    high, low = SUPPLY * (1 + SUPPLY_TOLERANCE), SUPPLY * (1 - SUPPLY_TOLERANCE)
    least = series * (1 - RESISTOR_TOLERANCE)
    fastest = FASTEST_LOW + (LEAST_RAIL - 2.7) / (5.0 - 2.7) * (FASTEST - FASTEST_LOW)
    return subject("lines", globals(), locals())


def converter_subject(board: Board) -> Subject:
    """Filter, multiplexer, clock, the resistor for an open wire; ``ten``: µs that a filter of 10 nF would take."""
    circuit = board.circuit
    resistor, capacitor = alike(circuit, "RF").amount, alike(circuit, "CF").amount
    open_resistor = alike(circuit, "RO").amount
    conversions = len(board.wiring.inputs)
    settings = SensingSettings()
    ten = settling_time(resistor, 10e-9, COMMON, SUPPLY, STEP / 2) * 1e6
    return subject("converter", globals(), locals())


def rail_subject(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> Subject:
    """References, ribbon, FU3 after a trip; ``apart`` is the error of 3/4 (steps) if it were before the fuse."""
    circuit = board.circuit
    margin = SensingSettings().reference_margin
    length = _ribbon_length(board)
    supply_wires, ground_wires = ribbon_wires(circuit, nets.LOGIC), ribbon_wires(circuit, nets.GROUND)
    sun = sun_current(circuit)
    current, light = far_current(circuit), average_current(circuit) + low_sun_current(circuit)
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
    far_supply, far_ground = far_drops(board)
    hung = worst_lit_current(circuit)
    before = fuse.resistance + LOGIC_COPPER
    at_ribbon = least_main(board, milliamp_cap) - all_of_it * before
    near = module_current(board)
    at_controller = at_ribbon - near * MODULE_COPPER
    return subject("rail", globals(), locals())
