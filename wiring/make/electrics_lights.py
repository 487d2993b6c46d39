"""Calculations: the pixels, the power budget of each rail, the copper of the ordered controller board."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tamsk_hw.board.wiring_map import Geometry
from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make import electrics_supply as supply
from wiring.make import nets
from wiring.make.board import Board
from wiring.make.electrics_supply import LIGHTS_COPPER, draws, least_main, least_main_words
from wiring.make.electrics_values import (
    SUPPLY,
    SUPPLY_TOLERANCE,
    Check,
    Subject,
    at_least,
    at_most,
    rating,
    typical_current,
)
from wiring.make.texts import number

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


def light_subject(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> Lights:
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


#: The supply (A): Mean Well GST25A05-P1J, 5 V, 4 A, 20 W. Before it gives up on a short it may give 160 %
#: (customary).
SUPPLY_CURRENT: Final = 4.0
SUPPLY_SHORT: Final = 1.6 * SUPPLY_CURRENT

#: The inlet (A): rating of the plain CUI PJ-102A; the PJ-102AH is made for more.
INLET_CURRENT: Final = 2.5

#: Resistance (Ω) between supply and the capacitors as it is plugged in: lead 1.2 m of 0.5 mm² both ways, cold
#: fuses and the capacitors themselves (estimate).
INRUSH_RESISTANCE: Final = 0.1

#: Between the module's USB bridge and its controller (Ω): Arduino Nano, schematic. The controller's pin clamps
#: half a volt above its supply (V) and bears 40 mA (A): ATmega328P.
BRIDGE_SERIES: Final = 1000.0
CLAMP: Final = 0.5
PIN_CURRENT: Final = 0.040

#: Heat (A²s) that a slow fuse bears: ten times its rating for at least 10 ms (IEC 60127-2).
INRUSH_HEAT: Final = (10 * 4.0) ** 2 * 0.010


@dataclass(frozen=True, slots=True)
class RailBudget:
    """One rail: its currents (mA), its fuse, what it may carry for good (``limit``, mA) and the ``reason``."""

    rail: str
    feeds: str
    typical: float
    worst: float
    fuse: str
    limit: float
    reason: str

    @property
    def holds(self) -> bool:
        """True where the worst current is within the limit."""
        return self.worst <= self.limit


def power_budget(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> tuple[RailBudget, ...]:
    """The rails behind the fuses, then all of it at the inlet; the pixels' current capped at ``milliamp_cap``."""
    circuit = board.circuit
    fuses = {ref: rating(circuit.by_ref[ref]) for ref in ("FU1", "FU2", "FU3", "FU4")}
    in_play = sum(part.kind.typical for part in circuit.of_kind("pixel"))
    drawn = draws(board, milliamp_cap)
    pixels = f"pixels, capped at {number(milliamp_cap)} mA ({number(in_play)} mA in play)"
    rows = (
        (nets.LIGHTS_SUPPLY, pixels, "FU2"),
        (nets.LOGIC, "sensors, logic, controller, ring holders", "FU3"),
        (nets.EMITTERS, "emitters; at worst a bank lit for good", "FU4"),
    )
    found = [
        RailBudget(
            rail,
            feeds,
            drawn[rail].typical,
            drawn[rail].worst,
            f"{ref}, {circuit.by_ref[ref].value}",
            fuses[ref].carries * 1e3,
            f"four fifths of {number(fuses[ref].hold)} A",
        )
        for rail, feeds, ref in rows
    ]
    limit, reason = min(
        (fuses["FU1"].carries, f"three quarters of {number(fuses['FU1'].hold)} A"),
        (SUPPLY_CURRENT, f"the supply, {number(SUPPLY_CURRENT)} A"),
        (INLET_CURRENT, f"the inlet's contacts, {number(INLET_CURRENT)} A"),
    )
    typical, worst = sum(row.typical for row in found), sum(row.worst for row in found)
    fuse = f"FU1, {circuit.by_ref['FU1'].value}"
    return (*found, RailBudget(nets.INLET, "all of it", typical, worst, fuse, limit * 1e3, reason))


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget(Subject):
    """The rails, the pixels' ``cap`` (mA), and what a diode feeds to sensors and logic without the supply (mA)."""

    rails: tuple[RailBudget, ...]
    cap: float
    unprotected: float


def budget_subject(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> Budget:
    """The budget's rows as checks, short circuits, and the inrush."""
    rows = power_budget(board, milliamp_cap)
    currents = tuple(
        at_most(
            f"{row.rail}: {row.feeds}",
            f"worst of all parts together; typical {number(row.typical)} mA",
            row.worst,
            row.limit,
            "mA",
            f"{row.fuse}: {row.reason}",
        )
        for row in rows
    )
    unprotected = typical_current(board.circuit, nets.LOGIC)
    return Budget(checks=(*currents, *_faults(board)), rails=rows, cap=milliamp_cap, unprotected=unprotected)


def _faults(board: Board) -> tuple[Check, ...]:
    circuit = board.circuit
    found: list[Check] = []
    for ref, rail in (("FU2", nets.LIGHTS_SUPPLY), ("FU3", nets.LOGIC), ("FU4", nets.EMITTERS)):
        fuse = rating(circuit.by_ref[ref])
        if fuse.trip <= SUPPLY_CURRENT:
            found.append(
                at_most(
                    f"Short on {rail}: {ref} trips",
                    "its trip current against what the supply surely gives",
                    fuse.trip,
                    SUPPLY_CURRENT,
                    "A",
                    f"{fuse.source}; Mean Well GST25A05, 4 A",
                )
            )
        else:
            found.append(
                at_most(
                    f"Short on {rail}: {ref} need not trip, the supply limits itself, and the wire bears it",
                    f"160 % of {number(SUPPLY_CURRENT)} A",
                    SUPPLY_SHORT,
                    WIRE_CURRENT,
                    "A",
                    f"{fuse.source}: trips at {number(fuse.trip)} A; 0.5 mm² by DIN VDE; 160 % is customary",
                )
            )
    high = SUPPLY * (1 + SUPPLY_TOLERANCE)
    found.append(
        at_most(
            "Current from a USB bridge that has its supply into the controller that has none",
            f"({number(high)} V − {number(CLAMP)} V) / {number(BRIDGE_SERIES)} Ω",
            (high - CLAMP) / BRIDGE_SERIES * 1e3,
            PIN_CURRENT * 1e3,
            "mA",
            "Arduino Nano, 1 kΩ in the bridge's lines; Microchip ATmega328P, absolute maximum 40 mA for each pin",
        )
    )
    bulk = sum(circuit.by_ref[ref].amount for ref in ("CB2", "CB1"))
    heat = SUPPLY**2 * bulk / (2 * INRUSH_RESISTANCE)
    found.append(
        at_most(
            "Heat in the glass fuse as a live supply is plugged in",
            f"({number(SUPPLY)} V)² × {number(bulk * 1e6)} µF / (2 × {number(INRUSH_RESISTANCE)} Ω)",
            heat,
            INRUSH_HEAT,
            "A²s",
            "IEC 60127-2, slow: ten times its rating for 10 ms; 0.1 Ω is an estimate",
        )
    )
    return tuple(found)


#: Width (mm) that the board keeps all along each net of the supply (wiring/boards/controller_board.py).
WIDTHS: Final = {
    nets.INLET: 4.0,
    nets.FUSED: 4.0,
    nets.GUARDED: 3.0,
    nets.MAIN: 4.0,
    nets.LIGHTS_SUPPLY: 3.6,
    nets.LOGIC: 2.4,
    nets.EMITTERS: 1.8,
}

#: Thickness of the outer copper (mm), and the warming that is allowed (K).
THICKNESS: Final = 0.035
WARMING: Final = 20.0

#: IPC-2221, outer layers: current (A) = 0.048 · warming (K) ^ 0.44 · cross section (square mils) ^ 0.725.
_FACTOR, _OF_WARMING, _OF_SECTION = 0.048, 0.44, 0.725
_MIL: Final = 0.0254


def least_width(current: float, warming: float = WARMING) -> float:
    """The width (mm) at which ``current`` (A) warms a track by ``warming`` (K), by IPC-2221."""
    section: float = (current / (_FACTOR * warming**_OF_WARMING)) ** (1 / _OF_SECTION)
    return section * _MIL**2 / THICKNESS


@dataclass(frozen=True, slots=True, kw_only=True)
class CopperOfBoard(Subject):
    """Millivolts that the copper takes from the pixels and from the controller, every rail at its worst."""

    from_lights: float
    from_logic: float


def copper_subject(board: Board, milliamp_cap: float) -> CopperOfBoard:
    """Widths against the currents of a short; what the copper takes is in the rails' own checks."""
    way_in = (nets.INLET, nets.FUSED, nets.GUARDED, nets.MAIN)
    rows = [
        (f"{way_in[0]} to {way_in[-1]}", min(WIDTHS[net] for net in way_in), SUPPLY_SHORT),
        (nets.LIGHTS_SUPPLY, WIDTHS[nets.LIGHTS_SUPPLY], SUPPLY_SHORT),
    ]
    for net, ref in ((nets.LOGIC, "FU3"), (nets.EMITTERS, "FU4")):
        rows.append((net, WIDTHS[net], rating(board.circuit.by_ref[ref]).trip))
    drawn = supply.draws(board, milliamp_cap)
    shared = supply.worst_of_all(board, milliamp_cap) * (supply.WAY_IN_COPPER + supply.GROUND_COPPER)
    near = supply.module_current(board)
    lights = drawn[nets.LIGHTS_SUPPLY].worst * 1e-3 * supply.LIGHTS_COPPER
    logic = drawn[nets.LOGIC].worst * 1e-3 * supply.LOGIC_COPPER + near * supply.MODULE_COPPER
    return CopperOfBoard(
        checks=tuple(_width(*row) for row in rows),
        from_lights=(shared + lights) * 1e3,
        from_logic=(shared + logic) * 1e3,
    )


def _width(net: str, width: float, current: float) -> Check:
    return at_most(
        f"{net}: width that a short needs",
        f"({number(current)} A / ({_FACTOR} × {number(WARMING)}^{_OF_WARMING}))^(1 / {_OF_SECTION}) square mils / "
        f"{number(THICKNESS)} mm",
        least_width(current),
        width,
        "mm",
        f"IPC-2221, outer layer, {number(WARMING)} K warmer for good; what the supply gives before it limits "
        "itself, or the current at which the fuse trips",
    )
