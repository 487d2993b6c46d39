"""Sheets of the lights: from the Pi's pin to the last pixel, and the place of each pixel."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Circuit, Part, Role, Unit
from wiring.make.schematics.finding import on_net, pull_down
from wiring.make.schematics.page import LEFT, TOP, Sheet
from wiring.make.schematics.symbols import Sides, box, rail, row_of, through, two_leads
from wiring.make.schematics.tables import Table, draw_table

#: Rows in a column of the table of pixels.
_MOST_ROWS = 32


def light_sheets(board: Board) -> list[Sheet]:
    """The level shifter and the data line, then the table of pixels."""
    circuit = board.circuit
    sheet = Sheet("lights", "Lights: from the Pi to the pixels")
    shifter = next(circuit.of_kind("level_shifter"))
    _to_shifter(sheet, circuit, shifter, 34.0)
    _pixels(sheet, circuit, list(circuit.of_kind("pixel")), 112.0)
    return [sheet, _places(circuit)]


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
        "Data goes from DOUT of each pixel to DIN of the next; where each pixel is stands on the next sheet.",
        f"Supply and ground of all pixels come from {outlet.ref}, not through the Pi.",
    )
    sheet.notes(lines, (79, y + 40))


def _places(circuit: Circuit) -> Sheet:
    sheet = Sheet("pixels", "Pixels: table in the order of their data")
    rows = tuple(
        (part.ref, str(number), part.where, part.nets["DIN"], part.net("DOUT") or "open")
        for number, part in enumerate(circuit.of_kind("pixel"))
    )
    sheet.nets |= {net for part in circuit.of_kind("pixel") for net in part.nets.values()}
    kind = next(circuit.of_kind("pixel")).kind
    data = (f"{name} (pin {kind.pin(name).number})" for name in ("DIN", "DOUT"))
    heads = ("part", "number", "place", *data)
    x = LEFT
    for part in Table("pixel", heads, rows).parts(_MOST_ROWS):
        widths = [width + 3 for width in part.widths]
        draw_table(sheet, part, (x, TOP), widths)
        x += sum(widths) + 10
    return sheet
