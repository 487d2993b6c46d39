"""Hall sensors with their filters, the multiplexers and the fixed shares of 5 V, and each tube's connector."""

from __future__ import annotations

from itertools import pairwise

from tamsk_hw.board.wiring_map import Channel, Wiring
from tamsk_hw.game.tubes import TUBES, Tube
from wiring.make.circuit import nets
from wiring.make.circuit.assembly import Assembly
from wiring.make.circuit.model import Unit

#: Inputs of a multiplexer.
ADDRESSES = 16


def add_glass_sensing(assembly: Assembly, wiring: Wiring) -> None:
    """One sensor for each tube and the cradle, each filtered before its multiplexer; spare inputs to ground."""
    inputs: dict[Channel, str] = {}
    for tube in wiring.tubes:
        inputs[_channel(wiring, tube)] = _add_sensor(assembly, tube)
        _add_tube_connector(assembly, tube, len(wiring.ring_bits[tube]))
    inputs[_channel(wiring, len(TUBES))] = _add_sensor(assembly, None)
    assembly.connector(
        "JT-TIMER", "pin header, 3 pins", Unit.SENSORS, "cradle", (nets.LOGIC, nets.GROUND, nets.hall(None))
    )
    _add_references(assembly, wiring, inputs)
    for number in range(len(wiring.controller.mux_inputs)):
        ref = f"U{30 + number}"
        assembly.add(
            ref,
            "multiplexer",
            Unit.SENSORS,
            f"multiplexer {number}",
            {
                "COM": nets.mux(number),
                "E/": nets.GROUND,
                "VCC": nets.LOGIC,
                "GND": nets.GROUND,
                **{f"S{line}": nets.select(line) for line in range(4)},
                **{
                    f"I{address}": inputs.get(Channel(number, address), nets.GROUND)
                    for address in range(ADDRESSES)
                },
            },
        )
        assembly.capacitor(f"CU{30 + number}", "100 nF", Unit.SENSORS, f"at {ref}", nets.LOGIC)


def _channel(wiring: Wiring, field: int) -> Channel:
    """The multiplexer input of a field that is fitted."""
    channel = wiring.channels[field]
    assert channel is not None
    return channel


def _add_sensor(assembly: Assembly, tube: Tube | None) -> str:
    """A sensor, its filter, its supply's capacitor; gives the net at the multiplexer."""
    place = nets.place(tube)
    raw, filtered = nets.hall(tube), nets.field(tube)
    where = "glass in the cradle" if tube is None else f"glass {place}"
    assembly.add(
        f"HS-{place}",
        "hall_sensor",
        Unit.TUBES,
        where,
        {"VCC": nets.LOGIC, "OUT": raw, "GND": nets.GROUND},
    )
    assembly.capacitor(f"CS-{place}", "100 nF, 1206", Unit.TUBES, f"at HS-{place}", nets.LOGIC)
    assembly.resistor(f"RF-{place}", "1 kΩ", Unit.SENSORS, f"{where}, filter", raw, filtered)
    assembly.capacitor(f"CF-{place}", "1 nF", Unit.SENSORS, f"{where}, filter", filtered)
    # A sensor that has come off reads as 0 V, which no sensor gives.
    assembly.resistor(f"RO-{place}", "1 MΩ", Unit.SENSORS, f"{where}, when open", filtered, nets.GROUND)
    return filtered


def _add_tube_connector(assembly: Assembly, tube: Tube, levels: int) -> None:
    """From the tube's strip to the sensor board: supplies, Hall output, then cathode and output of each level."""
    pairs = [(nets.emitter(tube, level), nets.ring(tube, level)) for level in range(1, levels + 1)]
    wires = (nets.LOGIC, nets.GROUND, nets.hall(tube), nets.EMITTERS, *(net for pair in pairs for net in pair))
    assembly.connector(f"JT-{tube}", f"box header, {len(wires)} pins", Unit.SENSORS, f"tube {tube}", wires)


def _add_references(assembly: Assembly, wiring: Wiring, inputs: dict[Channel, str]) -> None:
    """1/4, 1/2 and 3/4 of 5 V from one string of four equal resistors."""
    string = (nets.GROUND, *nets.REFERENCES, nets.LOGIC)
    for number, (low, high) in enumerate(pairwise(string), 1):
        assembly.resistor(f"R{30 + number}", "1 kΩ", Unit.SENSORS, "references", high, low)
    for number, (net, channel) in enumerate(zip(nets.REFERENCES, wiring.references, strict=True), 1):
        assembly.capacitor(f"CR{number}", "1 nF", Unit.SENSORS, "references", net)
        inputs[channel] = net
