"""A board: its wiring map, its circuit and cables, and the electrical rules that every circuit must keep.

The wiring map's reader refuses faults of the map alone (a pin used twice, an impossible port). These rules find
pins without a net, two outputs on one net, inputs that nothing drives, and pins of controller and Pi that are used
beyond their capabilities.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Final

from tamsk_hw.board.wiring import Wiring, load_wiring
from wiring.make import nets
from wiring.make.circuit import USB_PORTS, Catalogue, Circuit, Part, Role, Site, Terminal, load_catalogue
from wiring.make.circuit_parts import build_circuit
from wiring.make.geometry import groove_holds

#: The colours by IEC 60757 in words.
COLOURS: Final = {
    "BK": "black", "BN": "brown", "RD": "red", "OG": "orange", "YE": "yellow", "GN": "green", "BU": "blue",
    "VT": "violet", "GY": "grey", "WH": "white", "PK": "pink",
}  # fmt: skip

#: Signals take the next of these colours, supplies are red or orange, ground is black.
SIGNAL_COLOURS: Final = ("YE", "GN", "BU", "WH", "VT", "BN", "GY", "PK")

#: The data wires of a USB cable.
_USB_COLOURS: Final = {"USB_D-": "WH", "USB_D+": "GN"}

_SUPPLY_COLOURS: Final = {
    **dict.fromkeys((*nets.SUPPLIES, nets.USB_SUPPLY), "RD"),
    nets.EMITTERS: "OG",
    **dict.fromkeys((nets.GROUND, nets.USB_GROUND), "BK"),
}


class Form(Enum):
    """The forms of cables."""

    FLAT = "flat cable"
    SINGLE = "wire"
    """Single wires, cut to length."""
    READY = "ready made"
    LEAD = "lead"
    """Comes with a part that is ordered."""


@dataclass(frozen=True, slots=True)
class Material:
    """The material of a cable: a flat cable with a number of ``wires``, or single wires of a ``gauge`` in mm²."""

    form: Form
    wires: int = 0
    gauge: float = 0.0

    def __str__(self) -> str:
        """As in `wiring/parts.toml`."""
        match self.form:
            case Form.FLAT:
                return f"flat cable, {self.wires} wires"
            case Form.SINGLE:
                return f"wire {self.gauge:g} mm²"
            case Form.READY:
                return "USB-A to USB Mini-B, data"
            case Form.LEAD:
                return "lead of the part"


#: Wire for signals and for supplies.
SIGNAL_WIRE: Final = Material(Form.SINGLE, gauge=0.14)
SUPPLY_WIRE: Final = Material(Form.SINGLE, gauge=0.5)

_USB: Final = Material(Form.READY)

#: Length (m) of a tube's cable. The farthest connector of the 37 is 0.19 m from its tube if the sensor board lies
#: as the guide says; the split ends, the plate and the way down take 0.07 m.
TUBE_CABLE: Final = 0.30
_LEAD: Final = Material(Form.LEAD)


@dataclass(frozen=True, slots=True)
class Wire:
    """One wire: its net, its pin (by number) on either end, its colour (IEC 60757)."""

    net: str
    a: str
    b: str
    colour: str


@dataclass(frozen=True, slots=True)
class Cable:
    """A cable between two parts with pins; ``length`` in metres."""

    ref: str
    a: str
    b: str
    made_of: Material
    length: float
    wires: tuple[Wire, ...]


@dataclass(frozen=True, slots=True)
class TubeCable:
    """The cable of a tube's strip, soldered there and plugged in at ``connector``.

    ``wires`` are the nets in the order of its wires, the marked edge first; ``length`` in metres.
    """

    site: Site
    made_of: Material
    length: float
    wires: tuple[str, ...]

    @property
    def ref(self) -> str:
        """Its designator."""
        return f"WT-{self.site}"

    @property
    def connector(self) -> str:
        """The designator of its connector."""
        return f"JT-{self.site}"

    @property
    def colours(self) -> list[str]:
        """The colours of its wires: grey with a red edge, or by net where the wires are single (the cradle's)."""
        if self.made_of.form is Form.FLAT:
            return [flat_colour(place) for place in range(len(self.wires))]
        return [wire_colour(net, 0) for net in self.wires]


def cables_of(circuit: Circuit, wiring: Wiring) -> tuple[Cable, ...]:
    """The cables between supply, controller board, sensor board, Pi, lights, panel and holders."""
    plan = [
        ("W1", "PS1", "J1", _LEAD, 1.2),
        ("W2", "J2", "J3", Material(Form.FLAT, wires=20), 0.2),
        ("W3", "J4", "J10", _USB, 1.0),
        ("W4", "J5", "PI1", SIGNAL_WIRE, 0.3),
        ("W5", "J6", "LED0", SUPPLY_WIRE, 0.15),
    ]
    for number in range(len(wiring.holders)):
        plan.append((f"W{6 + number}", f"J{7 + number}", f"U{3 + number}", SIGNAL_WIRE, 0.5))
        plan.append((f"W{8 + number}", f"U{3 + number}", f"LC{1 + number}", _LEAD, 0.2))
    plan.append(("W10", "J9", "PI1", SIGNAL_WIRE, 0.5))
    taken: set[tuple[str, str]] = set()
    return tuple(_cable(circuit, taken, *entry) for entry in plan)


#: A wire of the flat cable, split off (mm across): 28 AWG.
SPLIT_WIRE: Final = 0.89


def groove_problems(cables: tuple[TubeCable, ...]) -> Iterator[str]:
    """The tubes' cables whose wires to the strip do not fit into the groove under the foot, a line each."""
    room = groove_holds(SPLIT_WIRE)
    for cable in cables:
        to_strip = [net for net in cable.wires if net not in (nets.LOGIC, nets.GROUND, nets.hall(cable.site))]
        if len(to_strip) > room:
            wires = f"{len(to_strip)} wires to the strip"
            yield f"{cable.ref}: {wires}; allowed are {room}, for the groove under the foot"


def tube_cables_of(circuit: Circuit, wiring: Wiring) -> tuple[TubeCable, ...]:
    """The cable of each tube, then the cradle's."""
    found: list[TubeCable] = []
    for site in (*map(Site, wiring.tubes), Site(None)):
        wires = tuple(circuit.by_ref[f"JT-{site}"].nets.values())
        if site.tube is None:
            found.append(TubeCable(site, SIGNAL_WIRE, 0.4, wires))
        else:
            found.append(TubeCable(site, Material(Form.FLAT, wires=len(wires)), TUBE_CABLE, wires))
    return tuple(found)


def _cable(
    circuit: Circuit, taken: set[tuple[str, str]], ref: str, a: str, b: str, made_of: Material, length: float
) -> Cable:
    """Each pin of ``a`` to the first pin of ``b`` on the same net that no wire has ``taken``."""
    one, other = circuit.by_ref[a], circuit.by_ref[b]
    wires: list[Wire] = []
    for number, pin in enumerate(one.kind.pins):
        net = one.nets.get(pin.name)
        free = [each for each in other.kind.pins if (b, each.number) not in taken]
        match = next((each for each in free if net is not None and other.nets.get(each.name) == net), None)
        if net is None or match is None:
            continue
        taken |= {(a, pin.number), (b, match.number)}
        colour = flat_colour(number) if made_of.form is Form.FLAT else wire_colour(net, len(wires))
        wires.append(Wire(net, pin.number, match.number, _cell_colour(one, pin.name) or colour))
    if not wires:
        raise ValueError(f"{ref}: {a} and {b} have no net in common")
    return Cable(ref, a, b, made_of, length, tuple(wires))


def flat_colour(place: int) -> str:
    """The colour of a flat cable's wire: grey, the first, at the marked edge, red."""
    return "GY" if place else "RD"


def wire_colour(net: str, place: int) -> str:
    """The colour of a single wire: by its net, else by its ``place`` in the cable. USB's are as cables come."""
    return _SUPPLY_COLOURS.get(net) or _USB_COLOURS.get(net) or SIGNAL_COLOURS[place % len(SIGNAL_COLOURS)]


def _cell_colour(part: Part, pin: str) -> str | None:
    """The colours that load cells usually have."""
    if part.kind.key != "load_amplifier":
        return None
    return {"E+": "RD", "E-": "BK", "A-": "WH", "A+": "GN"}.get(pin)


#: The folder ``wiring/``.
FOLDER = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Board:
    """One board.

    ``key`` names its folder, ``title`` stands on every sheet, ``map_name`` is the path of its wiring map.
    """

    key: str
    title: str
    map_name: str
    wiring: Wiring
    catalogue: Catalogue

    @cached_property
    def circuit(self) -> Circuit:
        """Every part and net."""
        return build_circuit(self.key, self.wiring, self.catalogue)

    @cached_property
    def cables(self) -> tuple[Cable, ...]:
        """The cables between the units."""
        return cables_of(self.circuit, self.wiring)

    @cached_property
    def tube_cables(self) -> tuple[TubeCable, ...]:
        """The cable of each tube and the cradle."""
        return tube_cables_of(self.circuit, self.wiring)


def load_boards() -> tuple[Board, ...]:
    """The reference board and the first build of seven tubes. Raises `WiringError` for a map that is refused."""
    catalogue = load_catalogue()
    known = (
        ("reference", "TAMSK board, 37 tubes", "board.toml"),
        ("seven", "TAMSK first build, 7 tubes", "seven/board.toml"),
    )
    return tuple(
        Board(key, title, f"wiring/{name}", load_wiring(FOLDER / name), catalogue) for key, title, name in known
    )


#: Kinds that may leave pins open: the rest of their pins is not needed.
_MAY_BE_OPEN: Final = {"nano", "pi"}

#: Outputs that nothing needs.
_SPARE_OUTPUTS: Final = {*(("ring_decoder", f"Y{chip}/") for chip in range(8)), ("bank_driver", "SER_OUT"),
                         *(("level_shifter", f"{gate}Y") for gate in (2, 3, 4)), ("pixel", "DOUT")}  # fmt: skip

#: Pins of the ATmega328P that the SPI hardware is on, with the only net that each can carry.
_SPI: Final = {"PB3": nets.MOSI, "PB4": nets.MISO, "PB5": nets.CLOCK_PIN}

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
    shared = [each for each in terminals if each.pin.role is Role.SHARED]
    if outputs and shared:
        outputs += shared
    if len(outputs) > 1:
        yield f"net {net}: driven by {' and by '.join(map(str, outputs))}; allowed is one output"
    is_rail = net in nets.SUPPLIES or net == nets.GROUND
    if is_rail and any(each.part.kind.key != "supply" for each in (*outputs, *shared)):
        yield f"net {net}: {(*outputs, *shared)[0]} drives it; allowed is no output on a rail"
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
        if each.pin.role in (Role.OUTPUT, Role.SHARED, Role.ANY, Role.DRAIN)
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
