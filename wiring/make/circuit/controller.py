"""The controller with its ribbon to the sensor board, the load cells, and the supply with its fuses."""

from __future__ import annotations

from tamsk_hw.board.wiring_map import Wiring
from tamsk_hw.errors import WiringError
from tamsk_hw.game.players import PLAYERS
from wiring.make.circuit import nets
from wiring.make.circuit.assembly import Assembly
from wiring.make.circuit.model import Unit

#: The ribbon of 20 wires has room for the outputs of so many.
MOST_MULTIPLEXERS = 3


def add_controller(assembly: Assembly, wiring: Wiring) -> None:
    """The Nano, what hangs on each of its pins, and the ribbon."""
    pins = wiring.controller
    used = {
        pins.mosi: nets.MOSI,
        pins.miso: nets.MISO,
        pins.sck: nets.CLOCK,
        pins.latch: nets.LATCH,
        pins.chain_load: nets.LOAD,
        pins.emitter_enable: nets.ENABLE,
        **{pin: nets.select(line) for line, pin in enumerate(pins.mux_selects)},
        **{pin: nets.mux(number) for number, pin in enumerate(pins.mux_inputs)},
    }
    for player, holder in wiring.holders.items():
        used[holder.clock] = nets.holder_clock(player)
        used[holder.data] = nets.holder_data(player)
    assembly.add(
        "U1",
        "nano",
        Unit.CONTROLLER,
        "controller",
        {
            "5V": nets.LOGIC,
            "GND": nets.GROUND,
            "GND2": nets.GROUND,
            **{nano_pin(p): net for p, net in used.items()},
        },
    )
    assembly.capacitor("CU1", "100 nF", Unit.CONTROLLER, "at U1", nets.LOGIC)
    assembly.resistor(
        "R1", "10 kΩ", Unit.CONTROLLER, "MISO: a chain that is not there reads as ones", nets.LOGIC, nets.MISO
    )
    ribbon = ribbon_nets(wiring)
    for ref, unit in (("J2", Unit.CONTROLLER), ("J3", Unit.SENSORS)):
        assembly.connector(ref, f"box header, {len(ribbon)} pins", unit, "ribbon, controller to sensors", ribbon)
    assembly.capacitor("CB3", "100 µF", Unit.SENSORS, "at J3, behind the ribbon", nets.LOGIC)


def nano_pin(port: str) -> str:
    """The Nano's pin of a port of the map: ``PC3`` is the same pin as ``ADC3``."""
    return f"ADC{port[2:]}" if port.startswith("PC") else port


def ribbon_nets(wiring: Wiring) -> tuple[str, ...]:
    """The 20 wires between controller and sensor board, the clock between two grounds."""
    if len(wiring.controller.mux_inputs) > MOST_MULTIPLEXERS:
        count = len(wiring.controller.mux_inputs)
        raise WiringError(
            f"controller.mux_inputs: {count} multiplexers; allowed are {MOST_MULTIPLEXERS}, for the ribbon's wires"
        )
    muxes = tuple(nets.mux(number) for number in range(len(wiring.controller.mux_inputs)))
    wires = (
        nets.EMITTERS, nets.GROUND, nets.LOGIC, nets.GROUND, nets.LOGIC, nets.GROUND, nets.CLOCK, nets.GROUND,
        nets.MOSI, nets.MISO, nets.LATCH, nets.LOAD, nets.ENABLE,
        *(nets.select(line) for line in range(4)),
        *muxes,
    )  # fmt: skip
    # What a board of fewer multiplexers does not use goes nowhere: one with more may be plugged in one day.
    return (*wires, *(nets.spare(number) for number in range(len(wires) + 1, 21)))


def add_holders(assembly: Assembly, wiring: Wiring) -> None:
    """A load cell and its amplifier for each player, where they are fitted."""
    for number, player in enumerate(player for player in PLAYERS if player in wiring.holders):
        ref, cell = f"U{3 + number}", {wire: nets.cell(player, wire) for wire in ("E+", "E-", "A-", "A+")}
        wires = (nets.LOGIC, nets.GROUND, nets.holder_clock(player), nets.holder_data(player))
        assembly.connector(
            f"J{7 + number}", "pin header, 4 pins", Unit.CONTROLLER, f"{player}'s ring holder", wires
        )
        assembly.add(
            ref,
            "load_amplifier",
            Unit.HOLDERS,
            f"{player}'s ring holder",
            {
                "VCC": nets.LOGIC,
                "GND": nets.GROUND,
                "SCK": nets.holder_clock(player),
                "DT": nets.holder_data(player),
                **cell,
            },
        )
        assembly.add(f"LC{1 + number}", "load_cell", Unit.HOLDERS, f"{player}'s ring holder", cell)


def add_power(assembly: Assembly) -> None:
    """The supply, its inlet, and a fuse for each rail."""
    assembly.add("PS1", "supply", Unit.SUPPLY, "the board's own supply", {"+": nets.INLET, "-": nets.GROUND})
    assembly.connector(
        "J1", "DC inlet 5.5 × 2.1 mm", Unit.CONTROLLER, "inlet, plus inside", (nets.INLET, nets.GROUND)
    )
    fuses = (
        ("FU1", "4 A slow", "inlet", nets.INLET, nets.FUSED),
        ("FU2", "1.85 A resettable", "pixels", nets.FUSED, nets.LIGHTS_SUPPLY),
        ("FU3", "1.1 A resettable", "sensors, logic, controller", nets.FUSED, nets.LOGIC),
        ("FU4", "0.5 A resettable", "emitters", nets.FUSED, nets.EMITTERS),
    )
    for ref, value, where, a, b in fuses:
        assembly.add(ref, "fuse", Unit.CONTROLLER, where, {"A": a, "B": b}, value=value)
