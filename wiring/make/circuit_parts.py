"""The circuit of a wiring map, subject by subject: power, controller, rings, glasses, sparks, lights, Pi."""

from collections.abc import Mapping
from itertools import pairwise
from typing import Final

from tamsk_hw.board.wiring import INPUTS_PER_CHIP, Channel, Wiring, bank_of
from tamsk_hw.errors import WiringError
from tamsk_hw.game.tubes import PLAYERS, TUBES, Tube
from tamsk_hw.referee.events import ButtonName
from wiring.make import nets
from wiring.make.circuit import Catalogue, Circuit, Kind, Part, Role, Site, Style, Unit, load_catalogue
from wiring.make.nets import GROUND

#: The prefixes of ohms and farads, the largest first.
_PREFIXES: Final = {"Ω": ((1e6, "M"), (1e3, "k"), (1.0, "")), "F": ((1e-6, "µ"), (1e-9, "n"))}


def in_words(amount: float, unit: str) -> str:
    """An amount of ohms (``Ω``) or farads (``F``) as it is ordered: ``1 kΩ``, ``100 nF``."""
    scale, prefix = next(each for each in _PREFIXES[unit] if amount >= 0.999 * each[0])
    return f"{amount / scale:g} {prefix}{unit}"


class Assembly:
    """Parts on their way to a circuit. Each subject adds its parts in its own module."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.parts: list[Part] = []

    def add(
        self,
        letters: str,
        mark: int | str | Site,
        kind: str | Kind,
        unit: Unit,
        where: str,
        nets: Mapping[str, str],
        *,
        value: str = "",
        amount: float = 0.0,
        style: Style | None = None,
        serves: str = "",
    ) -> Part:
        """Put in a part whose designator is ``letters`` and ``mark``; ``nets`` by pin name.

        ``value`` is needed where the kind comes in several.
        """
        known = self.catalogue.kind(kind) if isinstance(kind, str) else kind
        part = Part(
            ref=f"{letters}{mark}" if isinstance(mark, int) else f"{letters}-{mark}",
            letters=letters,
            number=mark if isinstance(mark, int) else None,
            site=mark if isinstance(mark, Site) else None,
            kind=known,
            value=value or known.number,
            amount=amount,
            style=style,
            unit=unit,
            where=where,
            serves=serves,
            nets=dict(nets),
        )
        self.parts.append(part)
        return part

    def resistor(
        self,
        letters: str,
        mark: int | Site,
        ohms: float,
        unit: Unit,
        where: str,
        a: str,
        b: str,
        *,
        serves: str = "",
    ) -> None:
        """A resistor between two nets."""
        value = in_words(ohms, "Ω")
        self.add(letters, mark, "resistor", unit, where, {"A": a, "B": b}, value=value, amount=ohms, serves=serves)

    def capacitor(
        self,
        letters: str,
        mark: int | Site,
        farads: float,
        unit: Unit,
        where: str,
        net: str,
        *,
        size: str = "",
        serves: str = "",
    ) -> None:
        """A capacitor from a net to ground; ``size`` is that of its housing, if it matters."""
        value = ", ".join(filter(None, (in_words(farads, "F"), size)))
        nets = {"+": net, "-": GROUND}
        self.add(letters, mark, "capacitor", unit, where, nets, value=value, amount=farads, serves=serves)

    def buffer(self, part: Part, *, letters: str = "CU", size: str = "") -> None:
        """The 100 nF at a part's supply pin, on the same unit."""
        mark = part.site or part.number
        assert mark is not None, part.ref
        supply = next(part.nets[pin.name] for pin in part.kind.pins if pin.role is Role.SUPPLY)
        self.capacitor(letters, mark, 100e-9, part.unit, f"at {part.ref}", supply, size=size, serves=part.ref)

    def connector(
        self,
        letters: str,
        mark: int | Site,
        style: Style,
        unit: Unit,
        where: str,
        nets: tuple[str, ...],
        *,
        serves: str = "",
    ) -> None:
        """A connector whose pins are named after their nets, with their number where a net is there twice."""
        names = tuple(f"{net}.{number}" if nets.count(net) > 1 else net for number, net in enumerate(nets, 1))
        kind = self.catalogue.connector(names, nets)
        by_pin, value = dict(zip(names, nets, strict=True)), style.value.format(len(nets))
        self.add(letters, mark, kind, unit, where, by_pin, value=value, style=style, serves=serves)

    def circuit(self, name: str) -> Circuit:
        """The circuit of all parts put in."""
        return Circuit(name, tuple(self.parts))


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


#: The most multiplexers whose outputs the ribbon of 20 wires has room for.
MOST_MULTIPLEXERS = 3


def add_controller(assembly: Assembly, wiring: Wiring) -> None:
    """The Nano with the net on each of its pins, and the ribbon."""
    pins = wiring.controller
    used = {
        pins.mosi: nets.MOSI,
        pins.miso: nets.MISO,
        pins.sck: nets.CLOCK_PIN,
        pins.latch: nets.LATCH,
        pins.ring_select: nets.RING_SELECT,
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
    absent = "MISO: converters that are not there read as ones"
    assembly.resistor("R", 1, 10e3, Unit.CONTROLLER, absent, nets.LOGIC, nets.MISO, serves=nano.ref)
    # The converters' clock inputs have no Schmitt trigger, and the line is long and branched.
    where, ends = "SCK: no ringing", (nets.CLOCK_PIN, nets.CLOCK)
    assembly.resistor("R", 5, 100, Unit.CONTROLLER, where, *ends, serves=nano.ref)
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
        nets.MOSI, nets.MISO, nets.LATCH, nets.RING_SELECT, nets.ENABLE,
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


#: Inputs 0 … 7 of a chip, by the names of its pins.
INPUT_PINS = tuple(f"CH{number}" for number in range(INPUTS_PER_CHIP))

#: Chips whose emitters hang on one driver: so many emitters on an output stay within its rating.
CHIPS_OF_A_DRIVER = 4


def add_ring_sensing(assembly: Assembly, wiring: Wiring) -> None:
    """The sensors with their resistors, a converter for eight of them, one drain for each bank."""
    outputs: dict[int, str] = {}
    for tube in TUBES:
        for level, bit in enumerate(wiring.ring_bits[tube], 1):
            outputs[bit] = _add_sensor(assembly, tube, level, nets.bank(bank_of(bit), driver_of(bit)))
    chips = wiring.chips
    _add_decoder(assembly, chips)
    for chip in range(chips):
        inputs = {
            pin: outputs.get(chip * INPUTS_PER_CHIP + number, nets.GROUND) for number, pin in enumerate(INPUT_PINS)
        }
        pins = {
            "CS/": nets.chosen(chip),
            "DIN": nets.MOSI,
            "DOUT": nets.MISO,
            "CLK": nets.CLOCK,
            **dict.fromkeys(("VDD", "VREF"), nets.LOGIC),
            **dict.fromkeys(("AGND", "DGND"), nets.GROUND),
        }
        where = f"rings, chip {chip}"
        converter = assembly.add("U", 10 + chip, "ring_converter", Unit.SENSORS, where, {**pins, **inputs})
        # In the order of the pins that they serve: the reference, the supply.
        assembly.buffer(converter, letters="CV")
        assembly.buffer(converter)
    for driver in range(-(-chips // CHIPS_OF_A_DRIVER)):
        _add_driver(assembly, driver, {bank_of(bit) for bit in outputs if driver_of(bit) == driver})
    where = "at U20, emitters' supply"
    assembly.capacitor("CB", 1, 470e-6, Unit.SENSORS, where, nets.EMITTERS, serves="U20")
    where = "G/ of the drivers: dark while the controller resets"
    assembly.resistor("R", 20, 10e3, Unit.SENSORS, where, nets.LOGIC, nets.ENABLE, serves="U20")


def _add_decoder(assembly: Assembly, chips: int) -> None:
    """The decoder that chooses a converter by the lines that choose a multiplexer's input."""
    pins = {
        **{f"A{line}": nets.select(line) for line in range(3)},
        "E1/": nets.RING_SELECT,
        "E2/": nets.GROUND,
        "E3": nets.LOGIC,
        "VCC": nets.LOGIC,
        "GND": nets.GROUND,
        **{f"Y{chip}/": nets.chosen(chip) for chip in range(chips)},
    }
    decoder = assembly.add("U", 18, "ring_decoder", Unit.SENSORS, "chooses a converter", pins)
    assembly.buffer(decoder)
    where, ends = "no converter is chosen while the controller resets", (nets.LOGIC, nets.RING_SELECT)
    assembly.resistor("R", 21, 10e3, Unit.SENSORS, where, *ends, serves=decoder.ref)


def driver_of(bit: int) -> int:
    """The driver that lights the sensor of a bit: the first for chips 0 to 3, the second for chips 4 to 7."""
    return bit // INPUTS_PER_CHIP // CHIPS_OF_A_DRIVER


def _add_driver(assembly: Assembly, number: int, banks: set[int]) -> None:
    """A driver of these banks. All get the same pattern at once, so the program knows of one alone."""
    driver = assembly.add(
        "U",
        20 + number,
        "bank_driver",
        Unit.SENSORS,
        f"lights one bank, chips {CHIPS_OF_A_DRIVER * number} to {CHIPS_OF_A_DRIVER * (number + 1) - 1}",
        {
            "VCC": nets.LOGIC,
            "SER_IN": nets.MOSI,
            "SRCK": nets.CLOCK,
            "RCK": nets.LATCH,
            "SRCLR/": nets.LOGIC,
            "G/": nets.ENABLE,
            **dict.fromkeys(("GND", "GND2", "GND3"), nets.GROUND),
            **{f"DRAIN{bank}": nets.bank(bank, number) for bank in sorted(banks)},
        },
    )
    assembly.buffer(driver)


def _add_sensor(assembly: Assembly, tube: Tube, level: int, bank: str) -> str:
    """One sensor in a tube's wall, its three resistors on the sensor board; gives the net at the converter."""
    site = Site(tube, level)
    cathode, output, behind = nets.emitter(tube, level), nets.ring(tube, level), nets.bit(tube, level)
    pins = {"A": nets.EMITTERS, "K": cathode, "C": nets.EMITTERS, "E": output}
    assembly.add("RS", site, "ring_sensor", Unit.TUBES, f"ring {site}", pins)
    assembly.resistor("RE", site, 82, Unit.SENSORS, f"emitter {site}", cathode, bank)
    assembly.resistor("RP", site, 680, Unit.SENSORS, f"ring {site}, load", output, nets.GROUND)
    # What the array lets through of a spark must not flow into the converter.
    assembly.resistor("RI", site, 1e3, Unit.SENSORS, f"ring {site}, to the converter", output, behind)
    return behind


#: Inputs of a multiplexer.
ADDRESSES = 16


def add_glass_sensing(assembly: Assembly, wiring: Wiring) -> None:
    """One sensor for each tube and the cradle, each filtered before its multiplexer; spare inputs to ground."""
    inputs: dict[Channel, str] = {}
    for tube in wiring.tubes:
        inputs[_channel(wiring, tube)] = _add_hall_sensor(assembly, Site(tube))
        _add_tube_connector(assembly, tube, len(wiring.ring_bits[tube]))
    cradle = Site(None)
    inputs[_channel(wiring, len(TUBES))] = _add_hall_sensor(assembly, cradle)
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


def _add_hall_sensor(assembly: Assembly, site: Site) -> str:
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


#: The pins for lines of an array.
LINES: Final = ("I/O1", "I/O2", "I/O3", "I/O4")


def add_protection(assembly: Assembly, wiring: Wiring) -> None:
    """As few arrays as the lines of a row of connectors need, in their order, and one for the cradle's.

    A line goes from its connector to its array before it goes anywhere else, so no array serves two rows. A pin
    that is left over goes to ground.

    The emitters' lines need none: their resistors are between them and the driver, whose outputs bear 50 V.
    """
    rows: dict[int, list[str]] = {}
    for tube in wiring.tubes:
        channel = wiring.channels[tube]
        assert channel is not None
        levels = range(1, len(wiring.ring_bits[tube]) + 1)
        rows.setdefault(channel.mux, []).extend(
            (nets.hall(Site(tube)), *(nets.ring(tube, level) for level in levels))
        )
    each = [
        lines[start : start + len(LINES)]
        for lines in (*rows.values(), [nets.hall(Site(None))])
        for start in range(0, len(lines), len(LINES))
    ]
    for number, own in enumerate(each, 1):
        filled = (*own, *(nets.GROUND,) * (len(LINES) - len(own)))
        pins = {"VBUS": nets.LOGIC, "GND": nets.GROUND, **dict(zip(LINES, filled, strict=True))}
        assembly.add("DA", number, "line_guard", Unit.SENSORS, "at the tubes' connectors", pins)


#: Grounds of the header: beside the light's pin, and for the panel.
LIGHTS_GROUND, PANEL_GROUND = "GND.14", "GND.20"


def add_pi(assembly: Assembly, wiring: Wiring) -> None:
    """The Pi's header, its buttons and buzzer, and the USB cable's two ports."""
    usb = {"VBUS": nets.USB_SUPPLY, "D-": "USB_D-", "D+": "USB_D+", "GND": nets.USB_GROUND}
    assembly.add("J", 4, "usb_mini_b", Unit.CONTROLLER, "USB Mini-B of U1", usb)
    assembly.add("J", 10, "usb_port", Unit.PI, "USB-A of PI1", usb)
    assembly.add(
        "PI",
        1,
        "pi",
        Unit.PI,
        "referee; on a supply of its own",
        {
            f"GPIO{wiring.lights_pin}": nets.LIGHTS_PI,
            f"GPIO{wiring.buzzer_pin}": nets.BUZZER_PI,
            **{f"GPIO{pin}": nets.button(name) for name, pin in wiring.buttons.items()},
            LIGHTS_GROUND: nets.GROUND,
            PANEL_GROUND: nets.GROUND,
        },
    )
    for name in ButtonName:
        pins = {"A": nets.button(name), "B": nets.GROUND}
        assembly.add("SW", name.name, "button", Unit.PANEL, f"button {name.value}", pins)
    assembly.resistor("R", 40, 220, Unit.PANEL, "buzzer", nets.BUZZER_PI, nets.BUZZER)
    assembly.add("BZ", 1, "buzzer", Unit.PANEL, "buzzer", {"+": nets.BUZZER, "-": nets.GROUND})
    wires = (*(nets.button(name) for name in ButtonName), nets.BUZZER_PI, nets.GROUND)
    assembly.connector("J", 9, Style.PIN_HEADER, Unit.PANEL, "buttons and buzzer", wires)


def add_lights(assembly: Assembly, wiring: Wiring) -> None:
    """The level shifter on the pixels' own 5 V, its series resistor, the pixels in the order of their data."""
    wires = (nets.LIGHTS_PI, nets.GROUND)
    assembly.connector("J", 5, Style.PIN_HEADER, Unit.CONTROLLER, "light data from the Pi", wires)
    shifter = assembly.add(
        "U",
        2,
        "level_shifter",
        Unit.CONTROLLER,
        "light data to 5 V",
        {
            "1OE/": nets.GROUND,
            "1A": nets.LIGHTS_PI,
            "1Y": nets.LIGHTS_SHIFTED,
            "VCC": nets.LIGHTS_SUPPLY,
            "GND": nets.GROUND,
            # The other three are off, their inputs at a level.
            **{f"{gate}OE/": nets.LIGHTS_SUPPLY for gate in (2, 3, 4)},
            **{f"{gate}A": nets.GROUND for gate in (2, 3, 4)},
        },
    )
    assembly.buffer(shifter)
    # With the Pi unplugged the pixels stay as they are.
    assembly.resistor("R", 3, 10e3, Unit.CONTROLLER, "light data, when open", nets.LIGHTS_PI, nets.GROUND)
    assembly.resistor("R", 2, 330, Unit.CONTROLLER, "light data", nets.LIGHTS_SHIFTED, nets.pixel(0))
    line = (nets.LIGHTS_SUPPLY, nets.GROUND, nets.pixel(0))
    assembly.connector("J", 6, Style.SCREW_TERMINAL, Unit.CONTROLLER, "lights", line)
    assembly.capacitor("CB", 2, 1000e-6, Unit.LIGHTS, "at the first pixel", nets.LIGHTS_SUPPLY)
    places = pixel_places(wiring)
    for number in range(len(places)):
        data = {"DIN": nets.pixel(number)}
        if number + 1 < len(places):
            data["DOUT"] = nets.pixel(number + 1)
        supply = {"VDD": nets.LIGHTS_SUPPLY, "GND": nets.GROUND}
        assembly.add("LED", number, "pixel", Unit.LIGHTS, places[number], {**supply, **data})


def pixel_places(wiring: Wiring) -> dict[int, str]:
    """The place of each pixel, by its number on the data line."""
    places = {wiring.timer_pixel: "cradle"}
    for tube in wiring.tubes:
        number = wiring.tube_pixels[tube]
        assert number is not None
        places[number] = f"tube {tube}"
    for player in PLAYERS:
        for count, pixel in enumerate(wiring.player_pixels[player], 1):
            places[pixel] = f"{player}'s side, {count}"
    return dict(sorted(places.items()))


def build_circuit(name: str, wiring: Wiring, catalogue: Catalogue | None = None) -> Circuit:
    """All parts and nets of the board ``name`` that ``wiring`` maps."""
    assembly = Assembly(catalogue or load_catalogue())
    add_power(assembly)
    add_controller(assembly, wiring)
    add_holders(assembly, wiring)
    add_ring_sensing(assembly, wiring)
    add_glass_sensing(assembly, wiring)
    add_protection(assembly, wiring)
    add_lights(assembly, wiring)
    add_pi(assembly, wiring)
    return assembly.circuit(name)
