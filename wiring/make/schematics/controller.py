"""Sheets of the controller with its ribbon, and of the load cells."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.circuit.model import Circuit, Part
from wiring.make.schematics.page import LEFT, TOP, Sheet
from wiring.make.schematics.symbols import Sides, as_header, box, two_leads


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
        x = LEFT + 132 + 25 * number
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
