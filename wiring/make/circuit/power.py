"""The supply, the inlet's guard against a wrong plug, and the fuses of the rails."""

from __future__ import annotations

from wiring.make.circuit import nets
from wiring.make.circuit.assembly import Assembly
from wiring.make.circuit.model import Style, Unit

#: Pins of the P-channel transistors' package that are one inside.
_SOURCES = ("S", "S2", "S3")
_DRAINS = ("D", "D2", "D3", "D4")


def add_power(assembly: Assembly) -> None:
    """The supply, its inlet with the guard, and a fuse for each rail."""
    assembly.add("PS", 1, "supply", Unit.SUPPLY, "the board's own supply", {"+": nets.INLET, "-": nets.GROUND})
    wires = (nets.INLET, nets.GROUND)
    assembly.connector("J", 1, Style.INLET, Unit.CONTROLLER, "inlet, plus inside", wires)
    _add_fuse(assembly, 1, "4 A slow", "inlet", nets.INLET, nets.FUSED)
    _add_guard(assembly)
    _add_fuse(assembly, 2, "2.5 A resettable", "pixels", nets.MAIN, nets.LIGHTS_SUPPLY)
    _add_fuse(assembly, 3, "1.85 A resettable", "sensors, logic, controller", nets.MAIN, nets.LOGIC)
    _add_fuse(assembly, 4, "1.1 A resettable", "emitters", nets.MAIN, nets.EMITTERS)


def _add_fuse(assembly: Assembly, number: int, value: str, where: str, a: str, b: str) -> None:
    assembly.add("FU", number, "fuse", Unit.CONTROLLER, where, {"A": a, "B": b}, value=value)


def _add_guard(assembly: Assembly) -> None:
    """Reverse polarity is blocked by Q1, more than about 5.5 V by Q2, which Q3 and U5 switch off.

    Q1 is turned round: its body diode lets a right plug start, its gate then short-circuits it. Q2's gate waits
    for C50, so that a plug of 12 V is recognised before anything behind it has a voltage; in a peak C50 lifts
    that gate with its source. Q1's gate has no such capacitor: D2 keeps it within what it bears.
    """
    unit = Unit.CONTROLLER
    assembly.add("D", 1, "suppressor", unit, "peaks at the inlet", {"A": nets.FUSED, "B": nets.GROUND})
    pins = {"K": nets.GUARDED, "A": nets.POLARITY_GATE}
    assembly.add("D", 2, "zener", unit, "peaks at Q1's gate", pins, serves="Q1")
    transistors = (
        (1, "wrong polarity", nets.GUARDED, nets.POLARITY_GATE, nets.FUSED),
        (2, "too high a voltage", nets.GUARDED, nets.VOLTAGE_GATE, nets.MAIN),
    )
    for number, where, source, gate, drain in transistors:
        pins = {**dict.fromkeys(_SOURCES, source), "G": gate, **dict.fromkeys(_DRAINS, drain)}
        assembly.add("Q", number, "p_channel", unit, where, pins)
    pins = {"REF": nets.VOLTAGE_SENSE, "ANODE": nets.GROUND, "CATHODE": nets.VOLTAGE_TRIP}
    assembly.add("U", 5, "shunt_reference", unit, "compares with 2.495 V", pins)
    pins = {"C": nets.VOLTAGE_GATE, "B": nets.VOLTAGE_BASE, "E": nets.GUARDED}
    assembly.add("Q", 3, "pnp", unit, "switches Q2 off", pins)
    resistors = (
        (50, 10e3, "gate of Q1", nets.POLARITY_GATE, nets.GROUND, "Q1"),
        (51, 10e3, "gate of Q2", nets.VOLTAGE_GATE, nets.GROUND, "Q2"),
        (52, 12e3, "divider of U5, upper", nets.GUARDED, nets.VOLTAGE_SENSE, "U5"),
        (53, 10e3, "divider of U5, lower", nets.VOLTAGE_SENSE, nets.GROUND, "U5"),
        (54, 330, "Q3 off until U5 conducts", nets.GUARDED, nets.VOLTAGE_BASE, "Q3"),
        (55, 470, "base of Q3", nets.VOLTAGE_BASE, nets.VOLTAGE_TRIP, "Q3"),
    )
    for number, ohms, where, a, b, serves in resistors:
        assembly.resistor("R", number, ohms, unit, where, a, b, serves=serves)
    pins = {"+": nets.GUARDED, "-": nets.VOLTAGE_GATE}
    where = "holds Q2 off at first"
    assembly.add("C", 50, "capacitor", unit, where, pins, value="100 nF", amount=100e-9, serves="Q2")
    pins = {"+": nets.VOLTAGE_SENSE, "-": nets.GROUND}
    where = "spikes at U5"
    assembly.add("C", 51, "capacitor", unit, where, pins, value="10 nF", amount=10e-9, serves="U5")
