"""Electrical rules that every circuit must keep, whatever map it was made from.

The wiring map's reader refuses faults of the map alone (a pin used twice, an impossible port). These rules find
pins without a net, two outputs on one net, inputs that nothing drives, and pins of controller and Pi that are used
beyond their capabilities.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from wiring.make.circuit import nets
from wiring.make.circuit.cables import Cable
from wiring.make.circuit.model import USB_PORTS, Circuit, Part, Role, Terminal

#: Kinds that may leave pins open: the rest of their pins is not needed.
_MAY_BE_OPEN: Final = {"nano", "pi"}

#: Outputs that nothing needs.
_SPARE_OUTPUTS: Final = {("chain_register", "QH/"), ("bank_driver", "SER_OUT"), ("level_shifter", "2Y"),
                         ("level_shifter", "3Y"), ("level_shifter", "4Y"), ("pixel", "DOUT")}  # fmt: skip

#: Pins of the ATmega328P that the SPI hardware is on, with the only net that each can carry.
_SPI: Final = {"PB3": nets.MOSI, "PB4": nets.MISO, "PB5": nets.CLOCK}

#: GPIOs of the Pi that belong to something else: the boards' EEPROM, the serial console, the SPI of the lights.
_RESERVED: Final = {0: "EEPROM", 1: "EEPROM", 14: "serial console", 15: "serial console",
                    7: "SPI0", 8: "SPI0", 9: "SPI0", 10: "SPI0", 11: "SPI0"}  # fmt: skip

#: SPI0's data output, where the lights may be without root.
_SPI0_MOSI: Final = 10


def problems(circuit: Circuit, cables: tuple[Cable, ...] = ()) -> list[str]:
    """Everything that is wrong, a line each; empty when the circuit is sound."""
    return [
        *_pin_problems(circuit),
        *(problem for net in circuit.nets for problem in _net_problems(net, circuit.nets[net])),
        *_controller_problems(circuit),
        *_pi_problems(circuit),
        *_cable_problems(circuit, cables),
    ]


def _pin_problems(circuit: Circuit) -> Iterator[str]:
    for part in circuit.parts:
        for pin in part.kind.pins:
            net, terminal = part.nets.get(pin.name), Terminal(part, pin)
            if net is None:
                if not _may_be_open(part, pin.name, pin.role):
                    yield f"{terminal}: open; allowed is a net"
            elif pin.role is Role.SPARE:
                yield f"{terminal}: on {net}; allowed is nothing, the pin has no connection inside"
            elif pin.role is Role.SUPPLY and part.kind.key != "pi" and net not in nets.SUPPLIES:
                yield f"{terminal}: on {net}; allowed is a supply: {', '.join(nets.SUPPLIES)}"
            elif pin.role is Role.GROUND and net != nets.GROUND:
                yield f"{terminal}: on {net}; allowed is {nets.GROUND}"


def _may_be_open(part: Part, name: str, role: Role) -> bool:
    return (
        role in (Role.SPARE, Role.DRAIN)
        or part.kind.key in _MAY_BE_OPEN
        or (part.kind.key, name) in _SPARE_OUTPUTS
    )


def _net_problems(net: str, terminals: tuple[Terminal, ...]) -> Iterator[str]:
    if len(terminals) < 2:
        yield f"net {net}: only {terminals[0]} is on it; allowed are two pins and more"
    outputs = [each for each in terminals if each.pin.role is Role.OUTPUT]
    if len(outputs) > 1:
        yield f"net {net}: driven by {' and by '.join(map(str, outputs))}; allowed is one output"
    is_rail = net in nets.SUPPLIES or net == nets.GROUND
    if is_rail and any(each.part.kind.key != "supply" for each in outputs):
        yield f"net {net}: {outputs[0]} drives it; allowed is no output on a rail"
    if is_rail:
        return
    grounded = [each for each in terminals if each.pin.role in (Role.SUPPLY, Role.GROUND)]
    if grounded:
        yield f"net {net}: {grounded[0]} is on it; allowed is a rail there"
    listens = [each for each in terminals if each.pin.role in (Role.INPUT, Role.ANALOG)]
    # A connector or a test point drives nothing by itself.
    drives = [
        each
        for each in terminals
        if each.pin.role in (Role.OUTPUT, Role.ANY, Role.DRAIN)
        or (each.pin.role is Role.PASSIVE and each.part.kind.key not in ("connector", *USB_PORTS))
    ]
    if listens and not drives:
        yield f"net {net}: nothing drives {listens[0]}; allowed is an output or a resistor to a rail"


def _controller_problems(circuit: Circuit) -> Iterator[str]:
    outputs = {part.net("COM") for part in circuit.of_kind("multiplexer")}
    for part in circuit.of_kind("nano"):
        for pin in part.kind.pins:
            net = part.nets.get(pin.name)
            if net is None:
                continue
            analog = net in outputs
            if pin.role is Role.ANALOG and not analog and net != nets.SUPPLY_REFERENCE:
                yield f"{part.ref} {pin.name}: {net}; allowed is a multiplexer's output, it is analog only"
            if analog and not pin.name.startswith("ADC"):
                yield f"{part.ref} {pin.name}: {net}; allowed is a pin of the converter, ADC0 to ADC7"
            if pin.name in _SPI and net != _SPI[pin.name]:
                yield f"{part.ref} {pin.name}: {net}; allowed is {_SPI[pin.name]}, the SPI's own pin"
            if net in _SPI.values() and _SPI.get(pin.name) != net:
                yield f"{part.ref} {pin.name}: {net}; allowed is {net} on the SPI's own pin"
            if pin.name in ("PD0", "PD1"):
                yield f"{part.ref} {pin.name}: {net}; allowed is nothing, it is the serial line to the host"


def _pi_problems(circuit: Circuit) -> Iterator[str]:
    for part in circuit.of_kind("pi"):
        for pin in part.kind.pins:
            net = part.nets.get(pin.name)
            if net is None or pin.gpio is None:
                continue
            if net == nets.LIGHTS_PI:
                if pin.gpio != _SPI0_MOSI and not pin.interfaces & {"pwm", "pcm"}:
                    yield f"{part.ref} {pin.name}: {net}; allowed is a pin with PWM or PCM, or GPIO10 of SPI0"
            elif pin.gpio in _RESERVED:
                yield f"{part.ref} {pin.name}: {net}; allowed is another pin, this is the {_RESERVED[pin.gpio]}'s"


def _cable_problems(circuit: Circuit, cables: tuple[Cable, ...]) -> Iterator[str]:
    users: dict[tuple[str, str], str] = {}
    for cable in cables:
        for wire in cable.wires:
            for ref, number in ((cable.a, wire.a), (cable.b, wire.b)):
                part = circuit.by_ref[ref]
                name = next(pin.name for pin in part.kind.pins if pin.number == number)
                if part.nets.get(name) != wire.net:
                    yield f"{cable.ref}: {wire.net} on {ref} pin {number}, which carries {part.nets.get(name)}"
                if (ref, number) in users:
                    yield f"{cable.ref}: {ref} pin {number} is taken by {users[ref, number]}; allowed is one wire"
                users[ref, number] = cable.ref
