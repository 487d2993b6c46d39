"""Sheets of the controller, the load cells, the inlet, the rails, the panel and the lights."""

from collections.abc import Sequence

from wiring.make import nets
from wiring.make.board import Board
from wiring.make.circuit import Circuit, Part, Role, Unit
from wiring.make.schematic_page import LEFT, MIDDLE, TOP, Sheet, on_net, pull_down
from wiring.make.schematic_symbols import Sides, as_header, box, rail, row_of, through, two_leads


def controller_sheets(board: Board) -> list[Sheet]:
    """The Nano with all its pins, the ribbon's two connectors, the USB cable's port."""
    circuit = board.circuit
    sheet = Sheet("controller", "Controller and ribbon")
    nano = next(circuit.of_kind("nano"))
    box(sheet, nano, (LEFT + 26, TOP + 12))
    lines = (
        f"{nano.ref}: {nano.kind.description}.",
        "Seen from above, the USB port at the lower end.",
        "Printed on the module: PD0, PD1 are RX0, TX1; PD2 … PD7 are D2 … D7;",
        "PB0 … PB5 are D8 … D13; ADC0 … ADC7 are A0 … A7.",
        "USB_VBUS ends at the module's USB bridge: its diode to 5V is taken off. USB_GND is its GND.",
    )
    sheet.notes(lines, (LEFT, TOP + 140))
    ribbon = [circuit.by_ref["J2"], circuit.by_ref["J3"]]
    for number, part in enumerate(ribbon):
        box(sheet, part, (LEFT + 143 + 72 * number, TOP + 12), as_header(part.kind))
        sheet.text(f"on the {part.unit.value}", (LEFT + 153 + 72 * number, TOP + 6))
    sheet.text("The ribbon joins each pin of one with the same pin of the other.", (LEFT + 126, TOP + 76))
    around = [*circuit.serving(nano.ref, "capacitor", "resistor"), *circuit.serving("J3", "capacitor")]
    reference = next(circuit.of_kind("voltage_reference"))
    around += circuit.serving(reference.ref, "resistor")
    for number, part in enumerate(around):
        x = LEFT + 107 + 24 * number
        two_leads(sheet, part, (x, TOP + 92), (x, TOP + 114))
    notes = [f"{part.ref}: {part.where}" for part in around]
    sheet.notes(notes, (LEFT + 126, TOP + 128))
    port = next(circuit.of_kind("usb_mini_b"))
    names = tuple(pin.name for pin in port.kind.pins)
    box(sheet, port, (LEFT + 250, TOP + 95), Sides(names, ()), width=15)
    sheet.text(port.where, (LEFT + 222, TOP + 89))
    box(sheet, reference, (LEFT + 238, TOP + 140), Sides(("CATHODE", "ANODE", "NC"), ()), width=22)
    sheet.text(reference.where, (LEFT + 232, TOP + 163))
    return [sheet]


def holder_sheets(board: Board) -> list[Sheet]:
    """Load cells and their amplifiers; none where no holders are fitted."""
    circuit = board.circuit
    amplifiers = list(circuit.of_kind("load_amplifier"))
    if not amplifiers:
        return []
    sheet = Sheet("load-cells", "Load cells of the ring holders")
    for number, amplifier in enumerate(amplifiers):
        _holder(sheet, circuit, amplifier, TOP + 24 + 68 * number)
    cells = list(circuit.of_kind("load_cell"))
    lines = [
        f"{', '.join(part.ref for part in parts)}: {parts[0].kind.description}." for parts in (amplifiers, cells)
    ]
    sheet.notes(lines, (LEFT + 5, TOP + 154))
    return [sheet]


def _holder(sheet: Sheet, circuit: Circuit, amplifier: Part, y: float) -> None:
    """One holder: controller, connector, amplifier, cell."""
    sheet.text(f"{amplifier.where}:", (LEFT + 5, y - 14), bold=True)
    wires = {net: name for name, net in amplifier.nets.items() if _is_wire(circuit, net)}
    others = tuple(name for name, net in amplifier.nets.items() if net not in wires)
    (plug,) = circuit.serving(amplifier.ref, "connector")
    (cell,) = circuit.serving(amplifier.ref, "load_cell")
    names = tuple(pin.name for pin in plug.kind.pins)
    size = 34.0
    left = box(sheet, plug, (LEFT + 20, y), Sides((), names), wired=names, width=16)
    order = tuple(wires[plug.nets[name]] for name in names)
    right = box(sheet, amplifier, (LEFT + 102, y), Sides(order, others), wired=(*order, *others), width=size)
    for name, own in zip(names, order, strict=True):
        sheet.wire(left[name], right[own])
    far = box(sheet, cell, (LEFT + 222, y), Sides(others, ()), wired=others, width=size)
    for name in others:
        sheet.wire(right[name], far[name])


def _is_wire(circuit: Circuit, net: str) -> bool:
    """True for a net of an amplifier that goes to the controller board."""
    return any(each.part.kind.key == "connector" for each in circuit.nets[net])


#: Sources and gate at one side of a transistor's box, drains at the other.
_SOURCES = ("S", "S2", "S3", "G")
_DRAINS = ("D", "D2", "D3", "D4")


def inlet_sheets(board: Board) -> list[Sheet]:
    """From the supply to the net that the rails' fuses feed on."""
    circuit = board.circuit
    sheet = Sheet("inlet", "Inlet: supply, slow fuse, guard")
    _plug(sheet, circuit, TOP + 18)
    _guard(sheet, circuit, TOP + 56)
    sheet.notes(
        (
            f"Q1 stops a plug with minus inside: its body diode lets a right one start, then its gate at "
            f"{nets.GROUND} short-circuits the diode.",
            f"Q2 stops more than about 5.5 V: U5 compares {nets.VOLTAGE_SENSE} with its own 2.495 V; above it "
            "draws current, Q3 joins the gate of Q2 to its sources, and Q2 opens. D2 guards the gate of Q1.",
            "C50 holds Q2 off as a plug goes in, so that U5 is sooner; then Q2 closes slowly, and the capacitors "
            "behind it charge slowly. C51 keeps spikes from U5.",
            "S, S2 and S3 are one inside, D to D4 too; all of them are soldered.",
        ),
        (LEFT, TOP + 154),
    )
    return [sheet]


def _plug(sheet: Sheet, circuit: Circuit, y: float) -> None:
    """The supply, its plug and the slow fuse with the suppressor behind it."""
    supply = next(circuit.of_kind("supply"))
    inlet = on_net(circuit, nets.INLET, "connector").part
    fuse, suppressor = circuit.by_ref["FU1"], next(circuit.of_kind("suppressor"))
    ends = box(sheet, supply, (LEFT + 3, y), Sides((), ("+", "-")), wired=("+", "-"), width=22)
    rows = {name: ends["+" if net == nets.INLET else "-"][1] for name, net in inlet.nets.items()}
    through(sheet, inlet, LEFT + 54, rows)
    for height in rows.values():
        sheet.wire((LEFT + 32, height), (LEFT + 54, height))
    plus, minus = ends["+"][1], ends["-"][1]
    sheet.wire((LEFT + 64, minus), (LEFT + 80, minus))
    rail(sheet, nets.GROUND, (LEFT + 80, minus))
    sheet.wire((LEFT + 64, plus), (LEFT + 84, plus))
    two_leads(sheet, fuse, (LEFT + 84, plus), (LEFT + 140, plus), nets=("along", "along"))
    sheet.dot((LEFT + 146, plus))
    two_leads(sheet, suppressor, (LEFT + 146, plus), (LEFT + 146, plus + 26), nets=("along", "end"))
    sheet.wire((LEFT + 140, plus), (LEFT + 190, plus))
    rail(sheet, fuse.nets["B"], (LEFT + 190, plus))


def _guard(sheet: Sheet, circuit: Circuit, y: float) -> None:
    """Both transistors in the way of the current, and what drives their gates."""
    polarity, voltage = circuit.by_ref["Q1"], circuit.by_ref["Q2"]
    left = box(sheet, polarity, (LEFT + 40, y), Sides(_DRAINS, _SOURCES), wired=("S",), width=24)
    right = box(sheet, voltage, (LEFT + 176, y), Sides(_SOURCES, _DRAINS), wired=("S",), width=24)
    sheet.wire(left["S"], right["S"])
    _words(sheet, polarity, (LEFT + 40, y + 29))
    _words(sheet, voltage, (LEFT + 176, y + 29))
    below = y + 44
    comparator, switch = circuit.by_ref["U5"], circuit.by_ref["Q3"]
    box(sheet, comparator, (LEFT + 28, below), Sides(("REF",), ("CATHODE", "ANODE")), width=32)
    box(sheet, switch, (LEFT + 128, below), Sides(("B",), ("E", "C")), width=20)
    _words(sheet, comparator, (LEFT + 28, below + 18))
    _words(sheet, switch, (LEFT + 128, below + 18))
    beside = [circuit.by_ref[ref] for ref in ("R50", "R51", "C50")]
    row_of(sheet, beside, (LEFT + 196, below - 2), step=26)
    row_of(sheet, [circuit.by_ref["C51"]], (LEFT + 92, below - 2))
    under = [circuit.by_ref[ref] for ref in ("R52", "R53", "R54", "R55", "D2")]
    row_of(sheet, under, (LEFT + 12, below + 27), step=52)
    for number, part in enumerate(under):
        sheet.text(part.where, (LEFT + 16 + 52 * number, below + 42))


def _words(sheet: Sheet, part: Part, at: tuple[float, float]) -> None:
    sheet.text(part.where, at)


#: From one fuse of a rail down to the next.
_STEP = 20.0


def power_sheets(board: Board) -> list[Sheet]:
    """From the guarded inlet to the rails."""
    circuit = board.circuit
    sheet = Sheet("power", "Power: fuses and rails")
    branches = [part for part in circuit.of_kind("fuse") if part.net("A") == nets.MAIN]
    _fuses(sheet, branches, (LEFT + 60, TOP + 22))
    pi_plug = on_net(circuit, nets.LIGHTS_PI, "connector").part
    lines = (
        f"There is one ground, {nets.GROUND}: every ground pin of every unit is on it.",
        f"The Pi has a supply of its own; its ground joins at {pi_plug.ref}.",
        f"{nets.LOGIC} is also the reference of the controller's converter.",
    )
    sheet.notes(lines, (LEFT + 150, TOP + 6))
    return [sheet]


def _fuses(sheet: Sheet, branches: Sequence[Part], at: tuple[float, float]) -> None:
    """From what the inlet's sheet gives, a fuse for each rail."""
    x, y = at
    sheet.text("from the inlet's sheet", (x - 57, y - 4))
    rail(sheet, nets.MAIN, (x - 34, y), left=True)
    sheet.wire((x - 34, y), (x, y))
    for number, fuse in enumerate(branches):
        height = y + _STEP * number
        two_leads(sheet, fuse, (x, height), (x + 60, height), nets=("along", "end"))
        sheet.text(f"for {fuse.where}", (x + 84, height + MIDDLE))
        if number < len(branches) - 1:
            sheet.dot((x, height))
            sheet.wire((x, height), (x, height + _STEP))


def panel_sheets(board: Board) -> list[Sheet]:
    """The whole header with what is used of it, and the panel."""
    circuit = board.circuit
    sheet = Sheet("panel", "Pi header, buttons, buzzer")
    pi = next(circuit.of_kind("pi"))
    box(sheet, pi, (LEFT + 34, TOP + 12), as_header(pi.kind))
    lines = (
        "The number is that of the header's pin, the name after GPIO is the BCM number.",
        "Pin 1 is at the end of the board where the memory card is.",
        "Open pins carry nothing of this board's; the Pi has a supply of its own.",
    )
    sheet.notes(lines, (LEFT, TOP + 126))
    plug = next(part for part in circuit.of_kind("connector") if part.unit is Unit.PANEL)
    names = [pin.name for pin in plug.kind.pins]
    heights = {name: TOP + 24 + 16 * row for row, name in enumerate(names)}
    through(sheet, plug, 162, heights)
    sounder = next(circuit.of_kind("buzzer"))
    series = next(part for part in circuit.of_kind("resistor") if part.net("B") == sounder.net("+"))
    for name, y in heights.items():
        net = plug.nets[name]
        sheet.wire((152, y), (162, y))
        rail(sheet, net, (152, y), left=True)
        button = next((part for part in circuit.of_kind("button") if part.net("A") == net), None)
        if button is not None:
            sheet.wire((172, y), (199, y))
            two_leads(sheet, button, (199, y), (261, y), nets=("along", "end"))
        elif series.net("A") == net:
            sheet.wire((172, y), (196, y))
            two_leads(sheet, series, (196, y), (240, y), nets=("along", "along"))
            ends = box(sheet, sounder, (268, y - 3.75), Sides(("+", "-"), ()), wired=("+",), title="end")
            sheet.wire((240, y), ends["+"])
        else:
            sheet.wire((172, y), (186, y))
            rail(sheet, net, (186, y))
    port = next(circuit.of_kind("usb_port"))
    box(sheet, port, (162, TOP + 126), Sides((), tuple(pin.name for pin in port.kind.pins)), width=18)
    sheet.text(port.where, (172, TOP + 120))
    return [sheet]


def light_sheets(board: Board) -> list[Sheet]:
    """The level shifter and the data line."""
    circuit = board.circuit
    sheet = Sheet("lights", "Lights: from the Pi to the pixels")
    shifter = next(circuit.of_kind("level_shifter"))
    _to_shifter(sheet, circuit, shifter, 34.0)
    _pixels(sheet, circuit, list(circuit.of_kind("pixel")), 112.0)
    return [sheet]


def _to_shifter(sheet: Sheet, circuit: Circuit, shifter: Part, y: float) -> None:
    """From the Pi through the level shifter and its series resistor."""
    raw, shifted = shifter.nets["1A"], shifter.nets["1Y"]
    plug = on_net(circuit, raw, "connector").part
    pi = next(circuit.of_kind("pi"))
    near = [next(name for name, net in pi.nets.items() if net == own) for own in plug.nets.values()]
    ends = box(sheet, pi, (LEFT + 3, y), Sides((), tuple(near)), wired=near, width=22)
    rows = {name: ends[pin][1] for name, pin in zip(plug.nets, near, strict=True)}
    through(sheet, plug, LEFT + 62, rows)
    for y_row in rows.values():
        sheet.wire((LEFT + 32, y_row), (LEFT + 62, y_row))
    name, net = list(plug.nets.items())[-1]
    sheet.wire((LEFT + 72, rows[name]), (LEFT + 86, rows[name]))
    rail(sheet, net, (LEFT + 86, rows[name]))
    inputs = tuple(sorted(pin.name for pin in shifter.kind.pins if pin.role is Role.INPUT))
    others = tuple(pin.name for pin in shifter.kind.pins if pin.role is Role.OUTPUT)
    others += tuple(pin.name for pin in shifter.kind.pins if pin.role in (Role.SUPPLY, Role.GROUND))
    far = box(sheet, shifter, (LEFT + 130, y), Sides(inputs, others), wired=("1A", "1Y"))
    sheet.wire((LEFT + 72, next(iter(rows.values()))), far["1A"])
    series = next(part for part in circuit.of_kind("resistor") if part.net("A") == shifted)
    start, at = far["1Y"]
    sheet.wire((start, at), (start + 22, at))
    two_leads(sheet, series, (start + 22, at), (start + 66, at), nets=("along", "end"))
    (buffer,) = circuit.serving(shifter.ref, "capacitor")
    row_of(sheet, [buffer, pull_down(circuit, raw, nets.GROUND)], (start + 22, at + 18), step=45)
    for number, part in enumerate((buffer, pull_down(circuit, raw, nets.GROUND))):
        sheet.text(part.where, (start + 22 + 45 * number, at + 44), anchor="middle")


def _pixels(sheet: Sheet, circuit: Circuit, pixels: list[Part], y: float) -> None:
    """The first two pixels of the line and the last."""
    first = pixels[0]
    outlet = on_net(circuit, first.nets["DIN"], "connector").part
    left = ("DIN", "VDD", "GND")
    names = tuple(next(pin for pin, net in outlet.nets.items() if net == first.net(name)) for name in left)
    start = box(sheet, outlet, (16, y), Sides((), names), wired=names)
    data: tuple[float, float] | None = None
    for place, pixel in enumerate((first, pixels[1], pixels[-1])):
        wired = (*left, "DOUT") if place == 0 else ("DIN", "DOUT") if place == 1 else ("DIN",)
        x = (79.0, 147.0, 243.0)[place]
        ends = box(sheet, pixel, (x, y), Sides(left, ("DOUT",)), wired=wired, width=20)
        sheet.text(pixel.where, (x, y + 22))
        if place == 0:
            for name, own in zip(names, left, strict=True):
                sheet.wire(start[name], ends[own])
        elif data and place == 1:
            sheet.wire(data, ends["DIN"])
        elif data:
            sheet.wire((data[0], data[1]), (data[0] + 16, data[1]))
            sheet.wire((data[0] + 16, data[1]), (ends["DIN"][0] - 16, data[1]), dashed=True)
            sheet.wire((ends["DIN"][0] - 16, data[1]), ends["DIN"])
        data = ends["DOUT"]
    reservoir = next(part for part in circuit.of_kind("capacitor") if part.unit is Unit.LIGHTS)
    row_of(sheet, [reservoir], (30, y + 34))
    sheet.text(reservoir.where, (22, y + 60))
    lines = (
        f"{pixels[0].ref} … {pixels[-1].ref}: {pixels[0].kind.description}.",
        "Data goes from DOUT of each pixel to DIN of the next; pins.md has the place of each.",
        f"Supply and ground of all pixels come from {outlet.ref}, not through the Pi.",
    )
    sheet.notes(lines, (79, y + 40))
