"""Sheets of the ring sensors: one level in full, the table of all, the driver of the banks."""

from __future__ import annotations

import schemdraw.elements as elm

from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.model import Circuit, Part, Role
from wiring.make.schematics.finding import on_net, pull_down
from wiring.make.schematics.page import LEFT, TOP, Sheet, paper_point, unit_point
from wiring.make.schematics.symbols import ABOVE, box, one_pin, rail, row_of, through, two_leads
from wiring.make.schematics.tables import Table, draw_table

#: Rows of a table that fill a sheet.
_MOST_ROWS = 34

#: From row to row of that table: lower than usual, so that the sheet has room for its references.
_ROW = 4.1


def ring_sheets(board: Board) -> list[Sheet]:
    """One level in full, and the table."""
    return [_one_level(board.circuit), _all_levels(board.circuit)]


def bank_sheets(board: Board) -> list[Sheet]:
    """Each driver with all its pins, and the emitters on each of its outputs."""
    drivers = list(board.circuit.of_kind("bank_driver"))
    return [_bank_sheet(board.circuit, driver, number, len(drivers)) for number, driver in enumerate(drivers, 1)]


def _bank_sheet(circuit: Circuit, driver: Part, number: int, count: int) -> Sheet:
    name = f"bank-driver-{number}"
    sheet = Sheet(name, f"Bank driver ({number} of {count})" if count > 1 else "Bank driver")
    box(sheet, driver, (42, TOP + 15))
    around = [*circuit.serving(driver.ref, "resistor"), *circuit.serving(driver.ref, "capacitor")]
    row_of(sheet, around, (122, TOP + 15), step=45)
    lines = (
        f"Seen from above; it {driver.where}.",
        "The program shifts a pattern in with SCK and lights it with LATCH: one bank at a time.",
        "A bank is the same input of every 74HCS165, so that stacked levels and neighbours are not lit together.",
        f"{nets.ENABLE} is pulled up: all is dark until the program of the controller runs.",
    )
    sheet.notes((*lines, *(f"{part.ref}: {part.where}" for part in around)), (112, TOP + 48))
    rows: list[tuple[str, ...]] = []
    for pin in driver.kind.pins:
        net = driver.nets.get(pin.name, "")
        refs = [each.part.ref for each in circuit.nets.get(net, ()) if each.part.kind.key == "resistor"]
        if pin.role is Role.DRAIN:
            sheet.nets.add(net)
            rows.append((net, pin.name, pin.number, *refs))
    most = max(len(row) for row in rows)
    even = tuple((*row, *("",) * (most - len(row))) for row in rows)
    heads = ("bank", "drain", "pin", "emitter resistors", *("",) * (most - 4))
    table = Table("bank", heads, even)
    widths = [max(width, 21.0) if place > 2 else width + 3 for place, width in enumerate(table.widths)]
    if most > 3:
        widths[3] = 21.0
    draw_table(sheet, table, (LEFT, TOP + 100), widths)
    return sheet


def _one_level(circuit: Circuit) -> Sheet:
    sheet = Sheet("ring-sensor", "Ring sensor: one level in full")
    sensor = next(circuit.of_kind("ring_sensor"))
    assert sensor.site is not None
    plug = circuit.by_ref[f"JT-{sensor.site.tube}"]
    order = ("C", "A", "K", "E")
    heights = dict(zip(order, (38.0, 50.0, 98.0, 122.0), strict=True))
    _sensor(sheet, sensor, heights, 105.0)
    rows = {name: heights[pin] for pin in order for name in _first(plug, sensor.net(pin))}
    through(sheet, plug, 105, rows)
    sheet.text(f"of the tube's {len(plug.kind.pins)} wires", (105, 130), group=sheet.group())
    for pin in ("C", "A"):
        sheet.wire((115, heights[pin]), (140, heights[pin]))
        rail(sheet, sensor.nets[pin], (140, heights[pin]))
    _light_path(sheet, circuit, sensor, heights["K"])
    _signal_path(sheet, circuit, sensor, heights["E"])
    lines = (
        "With a ring at the sensor its light comes back, and the output is high: ring = 1. An open wire reads 0.",
        f"Every level is wired like this one ({sensor.ref}); what is where is in the table on the next sheet.",
        "Of the chips only the pin used here is shown; all pins are on their own sheets.",
    )
    sheet.notes(lines, (LEFT + 5, 163))
    return sheet


def _first(part: Part, net: str | None) -> list[str]:
    """The first pin on a net, as a list of one."""
    return [name for name, own in part.nets.items() if own == net][:1]


def _sensor(sheet: Sheet, sensor: Part, heights: dict[str, float], end: float) -> None:
    """Emitter and photo-transistor of a sensor, with wires to the connector."""
    group = sheet.group(ref=sensor.ref)
    sheet.box((22, 60), (66, 28), group, dashed=True)
    sheet.text(sensor.ref, (24, 65), bold=True, size=3.2, group=group)
    sheet.text(sensor.value, (24, 70), group=group)
    lamp = elm.LED()  # type: ignore[no-untyped-call]
    lamp.scale(1.8).flip().at(unit_point((75.0, 64.0))).to(unit_point((75.0, 84.0)))
    sheet.draw(lamp, group)
    eye = elm.NpnPhoto().scale(1.8).reverse().anchor("collector").at(unit_point((52.0, 68.0)))
    sheet.draw(eye, group)
    leads = {
        "C": paper_point(eye, "collector"),
        "A": paper_point(lamp, "start"),
        "K": paper_point(lamp, "end"),
        "E": paper_point(eye, "emitter"),
    }
    for name, (x, y) in leads.items():
        sheet.wire((x, y), (x, heights[name]), (end, heights[name]))
        pin, upper = sensor.kind.pin(name), heights[name] < y
        texts = sheet.group(group, ref=sensor.ref, pin=pin.number)
        at = 58.8 if upper else 91.2
        sheet.text(pin.number, (x - 1, at), anchor="end", group=texts)
        sheet.text(pin.name, (x + 1, at), group=texts)
        sheet.text(sensor.nets[name], (end - 3, heights[name] - ABOVE), anchor="end", group=texts)


def _light_path(sheet: Sheet, circuit: Circuit, sensor: Part, y: float) -> None:
    """From the emitter's cathode through its resistor to the drain of its bank."""
    cathode = sensor.nets["K"]
    resistor = on_net(circuit, cathode, "resistor").part
    bank = resistor.nets["B"]
    drain = on_net(circuit, bank, "bank_driver")
    sheet.wire((115, y), (145, y))
    two_leads(sheet, resistor, (145, y), (193, y), nets=("along", "along"))
    sheet.wire((193, y), one_pin(sheet, drain, (230, y - 3.75), 30))


def _signal_path(sheet: Sheet, circuit: Circuit, sensor: Part, y: float) -> None:
    """From the photo-transistor's emitter past its pull-down to its input."""
    output = sensor.nets["E"]
    series = _series(circuit, output)
    register = on_net(circuit, series.nets["B"], "chain_register")
    array = on_net(circuit, output, "line_guard")
    sheet.wire((115, y), (170, y))
    sheet.dot((140, y))
    down = pull_down(circuit, output, nets.GROUND)
    two_leads(sheet, down, (140, y), (140, y + 30), nets=("along", "end"))
    sheet.dot((164, y))
    sheet.wire((164, y), (164, y + 18.75), one_pin(sheet, array, (202, y + 15), 26))
    two_leads(sheet, series, (170, y), (216, y), nets=("along", "along"))
    sheet.wire((216, y), one_pin(sheet, register, (240, y - 3.75), 30))


def _series(circuit: Circuit, output: str) -> Part:
    """The resistor from a sensor's output to its register."""
    resistors = (each.part for each in circuit.nets[output] if each.part.kind.key == "resistor")
    return next(part for part in resistors if part.nets["B"] != nets.GROUND)


def _all_levels(circuit: Circuit) -> Sheet:
    sheet = Sheet("ring-sensors", "Ring sensors: table of all levels")
    rows: list[tuple[str, ...]] = []
    for sensor in circuit.of_kind("ring_sensor"):
        cathode, output = sensor.nets["K"], sensor.nets["E"]
        emitter = on_net(circuit, cathode, "resistor").part
        series = _series(circuit, output)
        register = on_net(circuit, series.nets["B"], "chain_register")
        sheet.nets |= {*sensor.nets.values(), emitter.nets["B"], series.nets["B"]}
        row = (sensor.ref, cathode, emitter.ref, emitter.nets["B"])
        rows.append(
            (
                *row,
                output,
                pull_down(circuit, output, nets.GROUND).ref,
                series.ref,
                register.part.ref,
                register.pin.name,
                register.pin.number,
            )
        )
    heads = ("sensor", "pin K", "series", "bank", "pin E", "to GND", "to chip", "chip", "in", "pin")
    x = LEFT - 2
    for table in Table("ring", heads, tuple(rows)).parts(_MOST_ROWS):
        draw_table(sheet, table, (x, TOP - 2), row=_ROW)
        x += table.width + 4
    first = next(circuit.of_kind("ring_sensor"))
    series = on_net(circuit, first.nets["K"], "resistor").part
    down = pull_down(circuit, first.nets["E"], nets.GROUND)
    to_chip = _series(circuit, first.nets["E"])
    lines = (
        f"Of every sensor pin A is on {first.nets['A']} and pin C on {first.nets['C']}. "
        f"series: {series.value} from pin K to the bank. to GND: {down.value} from pin E to ground.",
        f"to chip: {to_chip.value} from pin E to the chip; in, pin: its input there, and that pin's number. "
        "RS-D4-2 is tube D4, level 2 from the bottom.",
    )
    sheet.notes(lines, (LEFT - 1, TOP + 160))
    return sheet
