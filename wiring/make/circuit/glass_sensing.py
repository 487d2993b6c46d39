"""Hall sensors with their filters, the multiplexers and the fixed shares of 5 V, and each tube's connector."""

from __future__ import annotations

from itertools import pairwise

from tamsk_hw.board.wiring_map import Channel, Wiring
from tamsk_hw.game.tubes import TUBES, Tube
from wiring.make.circuit import nets
from wiring.make.circuit.assembly import Assembly
from wiring.make.circuit.model import Site, Style, Unit

#: Inputs of a multiplexer.
ADDRESSES = 16


def add_glass_sensing(assembly: Assembly, wiring: Wiring) -> None:
    """One sensor for each tube and the cradle, each filtered before its multiplexer; spare inputs to ground."""
    inputs: dict[Channel, str] = {}
    for tube in wiring.tubes:
        inputs[_channel(wiring, tube)] = _add_sensor(assembly, Site(tube))
        _add_tube_connector(assembly, tube, len(wiring.ring_bits[tube]))
    cradle = Site(None)
    inputs[_channel(wiring, len(TUBES))] = _add_sensor(assembly, cradle)
    wires = (nets.LOGIC, nets.GROUND, nets.hall(cradle))
    assembly.connector("JT", cradle, Style.PIN_HEADER, Unit.SENSORS, "cradle", wires)
    _add_references(assembly, wiring, inputs)
    for number in range(len(wiring.controller.mux_inputs)):
        chip = assembly.add(
            "U",
            30 + number,
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
        assembly.buffer(chip)


def _channel(wiring: Wiring, field: int) -> Channel:
    """The multiplexer input of a field that is fitted."""
    channel = wiring.channels[field]
    assert channel is not None
    return channel


def _add_sensor(assembly: Assembly, site: Site) -> str:
    """A sensor, its filter, its supply's capacitor; gives the net at the multiplexer."""
    raw, filtered = nets.hall(site), nets.field(site)
    where = "glass in the cradle" if site.tube is None else f"glass {site}"
    pins = {"VCC": nets.LOGIC, "OUT": raw, "GND": nets.GROUND}
    sensor = assembly.add("HS", site, "hall_sensor", Unit.TUBES, where, pins)
    assembly.buffer(sensor, letters="CS", size="1206")
    assembly.resistor("RF", site, 1e3, Unit.SENSORS, f"{where}, filter", raw, filtered)
    assembly.capacitor("CF", site, 1e-9, Unit.SENSORS, f"{where}, filter", filtered)
    # A sensor that has come off reads as 0 V, which no sensor gives.
    assembly.resistor("RO", site, 220e3, Unit.SENSORS, f"{where}, when open", filtered, nets.GROUND)
    return filtered


def _add_tube_connector(assembly: Assembly, tube: Tube, levels: int) -> None:
    """From the tube's strip to the sensor board: supplies, Hall output, then cathode and output of each level."""
    pairs = [(nets.emitter(tube, level), nets.ring(tube, level)) for level in range(1, levels + 1)]
    site = Site(tube)
    wires = (nets.LOGIC, nets.GROUND, nets.hall(site), nets.EMITTERS, *(net for pair in pairs for net in pair))
    assembly.connector("JT", site, Style.BOX_HEADER, Unit.SENSORS, f"tube {tube}", wires)


def _add_references(assembly: Assembly, wiring: Wiring, inputs: dict[Channel, str]) -> None:
    """1/4, 1/2 and 3/4 of 5 V from one string of four equal resistors."""
    string = (nets.GROUND, *nets.REFERENCES, nets.LOGIC)
    for number, (low, high) in enumerate(pairwise(string), 1):
        assembly.resistor("R", 30 + number, 1e3, Unit.SENSORS, "references", high, low)
    for number, (net, channel) in enumerate(zip(nets.REFERENCES, wiring.references, strict=True), 1):
        assembly.capacitor("CR", number, 1e-9, Unit.SENSORS, "references", net)
        inputs[channel] = net
