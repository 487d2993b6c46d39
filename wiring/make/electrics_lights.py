"""Calculations: the pixels, the power budget of each rail, the copper of the ordered controller board."""

from dataclasses import dataclass
from typing import Final

from tamsk_hw.board.wiring import Geometry
from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make import electrics_supply as supply
from wiring.make import nets
from wiring.make.board import Board
from wiring.make.electrics_supply import draws
from wiring.make.electrics_values import (
    SUPPLY,
    SUPPLY_TOLERANCE,
    Check,
    Subject,
    judged,
    rating,
    subject,
    typical_current,
)
from wiring.make.texts import number

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

#: The guide's test of the module's diode: a load (Ω) that without the diode only the bridge's line feeds (V), and
#: with it USB's least voltage less its own; below the last of these it is off.
TEST_LOAD: Final = 100.0
BRIDGE_HIGH: Final = 4.5
BEHIND_DIODE: Final = 4.4 - 0.5
DIODE_OFF: Final = 1.0

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
        (nets.LOGIC, "Hall sensors, logic, controller, ring holders", "FU3"),
        (nets.EMITTERS, "ring sensors; at worst a bank lit for good and full sun", "FU4"),
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


def light_subject(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> Subject:
    """Data level, shifter, resistor, capacitor and wire, with the pixels' current capped (mA)."""
    circuit = board.circuit
    resistor, capacitor = (circuit.by_ref[ref].amount for ref in ("R2", "CB2"))
    pixels = list(circuit.of_kind("pixel"))
    white = sum(part.kind.worst for part in pixels)
    most = min(milliamp_cap, white) * 1e-3
    high = SUPPLY * (1 + SUPPLY_TOLERANCE)
    length = next(cable.length for cable in board.cables if cable.ref == "W5")
    fuse = rating(circuit.by_ref["FU2"]).resistance
    first = supply.least_main(board, milliamp_cap) - most * (2 * WIRE * length + fuse + supply.LIGHTS_COPPER)
    hop = hop_length(board.wiring.geometry)
    return subject("lights", globals(), locals())


def budget_subject(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> Subject:
    """The rails, short circuits, the inrush; ``unprotected`` mA through a diode without the supply."""
    rails, circuit = power_budget(board, milliamp_cap), board.circuit
    unprotected = typical_current(circuit, nets.LOGIC)
    found: list[Check] = []
    for row in rails:
        found += judged("rails", globals(), {"row": row})
    for ref, rail in (("FU2", nets.LIGHTS_SUPPLY), ("FU3", nets.LOGIC), ("FU4", nets.EMITTERS)):
        fuse = rating(circuit.by_ref[ref])
        key = "short_trips" if fuse.trip <= SUPPLY_CURRENT else "short_limited"
        found += judged(key, globals(), {"ref": ref, "rail": rail, "fuse": fuse})
    high = SUPPLY * (1 + SUPPLY_TOLERANCE)
    bulk = sum(circuit.by_ref[ref].amount for ref in ("CB2", "CB1"))
    faults = subject("faults", globals(), locals())
    return Subject((*found, *faults.checks), faults.figures)


def copper_subject(board: Board, milliamp_cap: float) -> Subject:
    """Widths against the currents of a short; mV that the copper takes from lights and controller at worst."""
    way_in = (nets.INLET, nets.FUSED, nets.GUARDED, nets.MAIN)
    rows = [
        (f"{way_in[0]} to {way_in[-1]}", min(WIDTHS[net] for net in way_in), SUPPLY_SHORT),
        (nets.LIGHTS_SUPPLY, WIDTHS[nets.LIGHTS_SUPPLY], SUPPLY_SHORT),
    ]
    for net, ref in ((nets.LOGIC, "FU3"), (nets.EMITTERS, "FU4")):
        rows.append((net, WIDTHS[net], rating(board.circuit.by_ref[ref]).trip))
    widths: list[Check] = []
    for net, width, current in rows:
        widths += judged("copper", globals(), {"net": net, "width": width, "current": current})
    drawn = supply.draws(board, milliamp_cap)
    shared = supply.worst_of_all(board, milliamp_cap) * (supply.WAY_IN_COPPER + supply.GROUND_COPPER)
    lights = drawn[nets.LIGHTS_SUPPLY].worst * 1e-3 * supply.LIGHTS_COPPER
    logic = drawn[nets.LOGIC].worst * 1e-3 * supply.LOGIC_COPPER
    from_lights = (shared + lights) * 1e3
    from_logic = (shared + logic + supply.module_current(board) * supply.MODULE_COPPER) * 1e3
    return Subject(tuple(widths), locals())
