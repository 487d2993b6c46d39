"""The power budget: each rail's current against its fuse, the supply and the inlet."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from tamsk_hw.panel.lights import DEFAULT_MILLIAMPS
from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.electrics.check import Check, Subject, at_most
from wiring.make.electrics.currents import typical_current
from wiring.make.electrics.fuses import rating
from wiring.make.electrics.lights import WIRE_CURRENT
from wiring.make.electrics.supply import draws
from wiring.make.electrics.values import SUPPLY, SUPPLY_TOLERANCE
from wiring.make.numbers import number

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


def subject(board: Board, milliamp_cap: float = DEFAULT_MILLIAMPS) -> Budget:
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
