"""Sheets of the Hall sensors: one in full with its filter, the multiplexers, the table, the shares of 5 V."""

from __future__ import annotations

from wiring.make.board import Board
from wiring.make.circuit import nets
from wiring.make.circuit.assembly import in_words
from wiring.make.circuit.model import Circuit, Part
from wiring.make.schematics.finding import on_net, pull_down
from wiring.make.schematics.page import BOTTOM, LEFT, TOP, Sheet
from wiring.make.schematics.symbols import ABOVE, Place, box, one_pin, rail, through, two_leads
from wiring.make.schematics.tables import HEAD, ROW, Table, draw_table

#: Multiplexers on a sheet.
_ON_SHEET = 3


def glass_sheets(board: Board) -> list[Sheet]:
    """One sensor in full and the multiplexers, then the table of all sensors with the references."""
    circuit = board.circuit
    chips = list(circuit.of_kind("multiplexer"))
    first = Sheet("multiplexers-1", "Hall sensor in full, multiplexers")
    _one_sensor(first, circuit)
    found = [first]
    for start in range(0, len(chips), _ON_SHEET):
        if start:
            found.append(Sheet(f"multiplexers-{len(found) + 1}", "Multiplexers"))
        _chips(found[-1], circuit, chips[start : start + _ON_SHEET])
    return [*found, _table(circuit)]


def _one_sensor(sheet: Sheet, circuit: Circuit) -> None:
    """A sensor, its tube's connector, its filter, its input."""
    sensor = next(circuit.of_kind("hall_sensor"))
    plug = circuit.by_ref[f"JT-{sensor.site}"]
    upper, middle, lower = 30.0, 48.0, 66.0
    (buffer,) = circuit.serving(sensor.ref, "capacitor")
    heights = {"VCC": upper, "OUT": middle, "GND": lower}
    group = sheet.group(ref=sensor.ref)
    left, centre, right = 48.0, 60.0, 72.0
    sheet.box((left, middle - 6), (right - left, 12), group)
    sheet.text(sensor.ref, (centre + 6, upper + 5), bold=True, size=3.2, group=group)
    sheet.text(sensor.value, (centre + 6, upper + 9.3), group=group)
    sheet.wire((centre, middle - 6), (centre, upper), (98, upper))
    sheet.wire((centre, middle + 6), (centre, lower), (98, lower))
    sheet.wire((right, middle), (98, middle))
    spots = {"VCC": (centre, middle - 2.4), "OUT": (right - 1, middle + 1.0), "GND": (centre, middle + 4.8)}
    numbers = {
        "VCC": (centre + 1, middle - 7.2),
        "OUT": (right + 1, middle - ABOVE),
        "GND": (centre + 1, middle + 9.4),
    }
    for name, spot in spots.items():
        pin = sensor.kind.pin(name)
        texts = sheet.group(group, ref=sensor.ref, pin=pin.number)
        sheet.text(pin.number, numbers[name], group=texts)
        sheet.text(pin.name, spot, anchor="end" if name == "OUT" else "middle", group=texts)
        sheet.text(sensor.nets[name], (97, heights[name] - ABOVE), anchor="end", group=texts)
    two_leads(sheet, buffer, (24, upper), (24, lower), nets=("along", "along"))
    sheet.wire((24, upper), (centre, upper))
    sheet.wire((24, lower), (centre, lower))
    sheet.dot((centre, upper))
    sheet.dot((centre, lower))
    rows = {
        next(pin for pin, net in plug.nets.items() if net == sensor.net(name)): heights[name] for name in heights
    }
    through(sheet, plug, 98, rows)
    for name in ("VCC", "GND"):
        sheet.wire((108, heights[name]), (122, heights[name]))
        rail(sheet, sensor.nets[name], (122, heights[name]))
    _filter(sheet, circuit, sensor, middle)
    lines = ("Every tube and the cradle are wired like this one; which input is whose stands on the next sheet.",)
    sheet.notes(lines, (LEFT, 78.6))
    sheet.text("Seen from above:", (LEFT, 98))


def _filter(sheet: Sheet, circuit: Circuit, sensor: Part, y: float) -> None:
    """From the sensor board's end of the output to the input of the multiplexer."""
    series = on_net(circuit, sensor.nets["OUT"], "resistor").part
    filtered = series.nets["B"]
    capacitor = on_net(circuit, filtered, "capacitor").part
    opened = pull_down(circuit, filtered, nets.GROUND)
    inlet = on_net(circuit, filtered, "multiplexer")
    sheet.wire((108, y), (132, y))
    two_leads(sheet, series, (132, y), (180, y), nets=("along", "along"))
    sheet.wire((180, y), one_pin(sheet, inlet, (250, y - 3.75), 24))
    for part, x in ((capacitor, 186.0), (opened, 213.0)):
        sheet.dot((x, y))
        two_leads(sheet, part, (x, y), (x, y + 24), nets=("along", "end"))


def _chips(sheet: Sheet, circuit: Circuit, chips: list[Part]) -> None:
    for place, chip in enumerate(chips):
        x = LEFT + 91 * place
        box(sheet, chip, (x + 27, 112))
        (buffer,) = circuit.serving(chip.ref, "capacitor")
        two_leads(sheet, buffer, (x + 71, 85), (x + 71, 103))
        sheet.text(chip.where, (x + 40, 106))


def _table(circuit: Circuit) -> Sheet:
    sheet = Sheet("hall-sensors", "Hall sensors: table; fixed shares of 5 V")
    rows: list[tuple[str, ...]] = []
    for sensor in circuit.of_kind("hall_sensor"):
        output = sensor.nets["OUT"]
        series = on_net(circuit, output, "resistor").part
        filtered = series.nets["B"]
        (buffer,) = circuit.serving(sensor.ref, "capacitor")
        capacitor = on_net(circuit, filtered, "capacitor").part
        opened = pull_down(circuit, filtered, nets.GROUND)
        inlet = on_net(circuit, filtered, "multiplexer")
        sheet.nets |= {*sensor.nets.values(), filtered}
        row = (sensor.ref, buffer.ref, output, series.ref, filtered, capacitor.ref, opened.ref)
        rows.append((*row, inlet.part.ref, inlet.pin.name, inlet.pin.number))
    sample = [circuit.by_ref[ref].value for ref in (rows[0][1], rows[0][3], rows[0][5], rows[0][6])]
    heads = (
        "sensor",
        in_words(circuit.by_ref[rows[0][1]].amount, "F"),
        "pin OUT",
        sample[1],
        "filtered",
        sample[2],
        sample[3],
        "chip",
        "in",
        "pin",
    )
    table = Table("hall", heads, tuple(rows))
    draw_table(sheet, table, (LEFT - 2, TOP - 2), row=min(ROW, (BOTTOM - TOP - HEAD) / len(rows)))
    lines = (
        f"{sample[0]} from {nets.LOGIC} to {nets.GROUND}, at the sensor's pins.",
        f"{sample[1]} from pin OUT to the filtered net, {sample[2]} and {sample[3]}",
        f"from there to {nets.GROUND}, on the sensor board.",
    )
    sheet.notes(lines, (LEFT + table.width + 10, TOP + 3))
    _references(sheet, circuit, LEFT + table.width + 26)
    return sheet


def _references(sheet: Sheet, circuit: Circuit, x: float) -> None:
    """The string of equal resistors, the highest share at the top, each tap with its capacitor and its input."""
    net, y = nets.LOGIC, 42.0
    string = [part for part in circuit.of_kind("resistor") if {*part.nets.values()} & {*nets.REFERENCES}]
    while net != nets.GROUND:
        part = next(each for each in string if each.net("A") == net)
        last = part.net("B") == nets.GROUND
        places: tuple[Place, Place] = ("end" if net == nets.LOGIC else "along", "end" if last else "along")
        two_leads(sheet, part, (x, y), (x, y + 33), nets=places)
        net, y = part.nets["B"], y + 33
        if not last:
            _tap(sheet, circuit, net, x, y)


def _tap(sheet: Sheet, circuit: Circuit, net: str, x: float, y: float) -> None:
    inlet = on_net(circuit, net, "multiplexer")
    capacitor = on_net(circuit, net, "capacitor").part
    sheet.dot((x, y))
    sheet.dot((x + 26, y))
    sheet.wire((x, y), one_pin(sheet, inlet, (x + 62, y - 3.75), 14))
    two_leads(sheet, capacitor, (x + 26, y), (x + 26, y + 20), nets=("along", "end"))
