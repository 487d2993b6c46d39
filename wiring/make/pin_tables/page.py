"""``pins.md``: which wire is on which pin, at what voltage and current, in what colour."""

from __future__ import annotations

from tamsk_hw.board.wiring_map import INPUTS_PER_CHIP
from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Circuit, Part
from wiring.make.circuit.pi_side import pixel_places
from wiring.make.circuit.ring_sensing import INPUT_PINS
from wiring.make.markdown import table
from wiring.make.pin_tables.levels import level_of


def pins_page(board: Board) -> str:
    """The whole page."""
    return "\n".join(
        [
            f"# Pins: {board.title}",
            "",
            f"Made from `{board.map_name}` by `make wiring`: change the map, not this page. Nets are named as on",
            "the schematics; a colour is the wire's in the harness (IEC 60757: BK black, BN brown, RD red, OG",
            "orange, YE yellow, GN green, BU blue, VT violet, GY grey, WH white, PK pink).",
            "",
            *_pi(board),
            *_controller(board),
            *_ribbon(board),
            *_chain(board),
            *_multiplexers(board),
            *_pixels(board),
        ]
    )


def _pi(board: Board) -> list[str]:
    (pi,) = board.circuit.of_kind("pi")
    colours = {
        wire.b: f"{wire.colour}, {cable.ref} to {cable.a} pin {wire.a}"
        for cable in board.cables
        if cable.b == pi.ref
        for wire in cable.wires
    }
    rows = [
        (pin.number, pin.name.partition(".")[0], net, *level_of(net), colours.get(pin.number, "free"))
        for pin in pi.kind.pins
        if (net := pi.nets.get(pin.name)) is not None
    ]
    return [
        "## Raspberry Pi, 40-pin header",
        "",
        "Physical pin and GPIO (BCM) number. A button connects its pin to ground; the Pi's own pull-up holds it.",
        'With `lights.route = "spi"` (a service that is not root) the wire of LIGHTS_3V3 goes to pin 19, GPIO10.',
        "",
        *table(("pin", "GPIO", "net", "voltage", "current", "wire"), rows),
        "",
    ]


def _controller(board: Board) -> list[str]:
    (nano,) = board.circuit.of_kind("nano")
    rows = [
        (
            pin.number,
            _printed(pin.name),
            pin.name,
            net or "–",
            *level_of(net),
            _other_ends(board.circuit, nano, net),
        )
        for pin in nano.kind.pins
        for net in [nano.nets.get(pin.name)]
    ]
    return [
        "## Controller (Arduino Nano)",
        "",
        "Pin of the module, what is printed beside it, the port of the ATmega328P. PD0 and PD1 are the USB line",
        "to the Pi. ADC6 and ADC7 can only be read by the converter.",
        "",
        *table(("pin", "printed", "port", "net", "voltage", "current", "goes to"), rows),
        "",
    ]


def _printed(port: str) -> str:
    """What a Nano has printed beside a port."""
    if port.startswith("ADC"):
        return f"A{port[3:]}"
    if port.startswith("PD"):
        return {"PD0": "RX0", "PD1": "TX1"}.get(port, f"D{port[2:]}")
    if port.startswith("PB"):
        return f"D{8 + int(port[2:])}"
    return port.removesuffix("2") if port in ("GND2", "RESET2") else port


def _other_ends(circuit: Circuit, part: Part, net: str | None) -> str:
    if net is None or net in (*nets.SUPPLIES, nets.GROUND):
        return ""
    ends = [f"{each.part.ref}.{each.pin.number}" for each in circuit.nets[net] if each.part is not part]
    return ", ".join(ends)


def _ribbon(board: Board) -> list[str]:
    connector = board.circuit.by_ref["J2"]
    rows = [
        (pin.number, net or "–", *level_of(net))
        for pin in connector.kind.pins
        for net in [connector.nets.get(pin.name)]
    ]
    return [
        "## Ribbon W2, J2 on the controller board to J3 on the sensor board",
        "",
        "Wire 1 is the marked edge. Both connectors have the same pins.",
        "",
        *table(("pin", "net", "voltage", "current"), rows),
        "",
    ]


def _chain(board: Board) -> list[str]:
    rows = []
    for chip in board.circuit.of_kind("chain_register"):
        number = int(chip.ref[1:]) - 10
        for place, pin in enumerate(INPUT_PINS):
            bit = number * INPUTS_PER_CHIP + place
            sensor = board.wiring.ring_sensors[bit]
            if sensor is None:
                rows.append((str(bit), chip.ref, pin, chip.kind.pin(pin).number, "–", "–", "to ground", "", ""))
                continue
            tube, level = sensor[0], sensor[1] + 1
            connector = board.circuit.by_ref[f"JT-{tube}"]
            ends = [
                next(each.number for each in connector.kind.pins if connector.nets[each.name] == net)
                for net in (nets.emitter(tube, level), nets.ring(tube, level))
            ]
            net = nets.ring(tube, level)
            rows.append(
                (str(bit), chip.ref, pin, chip.kind.pin(pin).number, str(tube), str(level), net, f"bank {place}",
                 f"JT-{tube}: {ends[0]} cathode, {ends[1]} output")
            )  # fmt: skip
    return [
        "## Ring sensors: chain bits",
        "",
        "Level 1 is the bottom ring. Chip U10 is the one nearest to the controller. 0 V without a ring, up to",
        "5 V with one; at most 0.6 mA. The emitter of a level is lit by its bank (electrics.md has the current).",
        "",
        *table(("bit", "chip", "input", "pin", "tube", "level", "net", "bank", "tube connector"), rows),
        "",
    ]


def _multiplexers(board: Board) -> list[str]:
    rows = []
    for chip in board.circuit.of_kind("multiplexer"):
        for address in range(16):
            pin = chip.kind.pin(f"I{address}")
            net = chip.nets[pin.name]
            rows.append((chip.ref, str(address), pin.number, net if net != nets.GROUND else "to ground"))
    return [
        "## Multiplexer inputs",
        "",
        "A field is the Hall sensor of a tube behind its filter: about 2.5 V at rest, 1.0 to 4.0 V with a glass",
        "seated.",
        "",
        *table(("chip", "address", "pin", "net"), rows),
        "",
    ]


def _pixels(board: Board) -> list[str]:
    rows = [(f"LED{number}", str(number), where) for number, where in pixel_places(board.wiring).items()]
    return [
        "## Pixels, in the order of the data line",
        "",
        "5 V; 1 mA dark, at most 60 mA at full white. The program keeps all together under the configured limit.",
        "",
        *table(("part", "number", "where"), rows),
        "",
    ]
