"""The controller with its ribbon to the sensor board, and the load cells."""

from __future__ import annotations

from tamsk_hw.board.wiring_map import Wiring
from tamsk_hw.errors import WiringError
from tamsk_hw.game.tubes import PLAYERS
from wiring.make.circuit import nets
from wiring.make.circuit.assembly import Assembly
from wiring.make.circuit.model import Style, Unit

#: The most multiplexers whose outputs the ribbon of 20 wires has room for.
MOST_MULTIPLEXERS = 3


def add_controller(assembly: Assembly, wiring: Wiring) -> None:
    """The Nano with the net on each of its pins, and the ribbon."""
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
        pins.supply_input: nets.SUPPLY_REFERENCE,
    }
    for player, holder in wiring.holders.items():
        used[holder.clock] = nets.holder_clock(player)
        used[holder.data] = nets.holder_data(player)
    nano = assembly.add(
        "U",
        1,
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
    assembly.buffer(nano)
    absent = "MISO: a chain that is not there reads as ones"
    assembly.resistor("R", 1, 10e3, Unit.CONTROLLER, absent, nets.LOGIC, nets.MISO, serves=nano.ref)
    # The chip's own reference of 1.0 to 1.2 V would tell a supply of 4.9 V as low, or one of 4.1 V as good.
    reference = {"CATHODE": nets.SUPPLY_REFERENCE, "ANODE": nets.GROUND}
    part = assembly.add(
        "U", 6, "voltage_reference", Unit.CONTROLLER, "measures the supply", reference, serves="U1"
    )
    ends = (nets.LOGIC, nets.SUPPLY_REFERENCE)
    assembly.resistor("R", 4, 4.7e3, Unit.CONTROLLER, "current of U6", *ends, serves=part.ref)
    ribbon = ribbon_nets(wiring)
    for number, unit in ((2, Unit.CONTROLLER), (3, Unit.SENSORS)):
        assembly.connector("J", number, Style.BOX_HEADER, unit, "ribbon, controller to sensors", ribbon)
    assembly.capacitor("CB", 3, 100e-6, Unit.SENSORS, "at J3, behind the ribbon", nets.LOGIC, serves="J3")


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
    # Spare wires stay unconnected: a board with more multiplexers may be plugged in one day.
    return (*wires, *(nets.spare(number) for number in range(len(wires) + 1, 21)))


def add_holders(assembly: Assembly, wiring: Wiring) -> None:
    """A load cell and its amplifier for each player, where they are fitted."""
    for number, player in enumerate(player for player in PLAYERS if player in wiring.holders):
        cell = {wire: nets.cell(player, wire) for wire in ("E+", "E-", "A-", "A+")}
        wires = (nets.LOGIC, nets.GROUND, nets.holder_clock(player), nets.holder_data(player))
        where, amplifier = f"{player}'s ring holder", f"U{3 + number}"
        assembly.connector("J", 7 + number, Style.PIN_HEADER, Unit.CONTROLLER, where, wires, serves=amplifier)
        assembly.add(
            "U",
            3 + number,
            "load_amplifier",
            Unit.HOLDERS,
            where,
            {
                "VCC": nets.LOGIC,
                "GND": nets.GROUND,
                "SCK": nets.holder_clock(player),
                "DT": nets.holder_data(player),
                **cell,
            },
        )
        assembly.add("LC", 1 + number, "load_cell", Unit.HOLDERS, where, cell, serves=amplifier)
