"""Sheets of ring sensors, the converters that read them, Hall sensors, the tubes' connectors and arrays."""

import schemdraw.elements as elm

from wiring.make import nets
from wiring.make.board import Board
from wiring.make.circuit import Circuit, Part
from wiring.make.schematic_page import LEFT, TOP, Anchor, Sheet, on_net, paper_point, pull_down, unit_point
from wiring.make.schematic_symbols import ABOVE, Place, box, one_pin, rail, row_of, through, two_leads


def ring_sheets(board: Board) -> list[Sheet]:
    """One level in full; `pins.md` has all of them."""
    return [_one_level(board.circuit)]


def bank_sheets(board: Board) -> list[Sheet]:
    """Each driver with all its pins."""
    drivers = list(board.circuit.of_kind("bank_driver"))
    return [_bank_sheet(board.circuit, driver, number, len(drivers)) for number, driver in enumerate(drivers, 1)]


def _bank_sheet(circuit: Circuit, driver: Part, number: int, count: int) -> Sheet:
    lines = (
        f"Seen from above; it {driver.where}.",
        "The program shifts a pattern in with SCK and lights it with LATCH: one bank at a time.",
        "A bank is the same input of every MCP3008, so that stacked levels and neighbours are not lit together.",
        f"{nets.ENABLE} is pulled up: all is dark until the program of the controller runs.",
    )
    title = f"Bank driver ({number} of {count})" if count > 1 else "Bank driver"
    return _with_all_around(Sheet(f"bank-driver-{number}", title), circuit, driver, lines)


def _with_all_around(sheet: Sheet, circuit: Circuit, chip: Part, lines: tuple[str, ...]) -> Sheet:
    """The sheet of one chip with the parts that belong to it, and words on both."""
    box(sheet, chip, (52, TOP + 15))
    around = [*circuit.serving(chip.ref, "resistor"), *circuit.serving(chip.ref, "capacitor")]
    row_of(sheet, around, (132, TOP + 15), step=45)
    sheet.notes((*lines, *(f"{part.ref}: {part.where}" for part in around)), (112, TOP + 48))
    return sheet


def _one_level(circuit: Circuit) -> Sheet:
    sheet = Sheet("ring-sensor", "Ring sensor: one level in full")
    sensor = next(circuit.of_kind("ring_sensor"))
    assert sensor.site is not None
    plug = circuit.by_ref[f"JT-{sensor.site.tube}"]
    order = ("C", "A", "K", "E")
    heights = dict(zip(order, (44.0, 44.0, 98.0, 122.0), strict=True))
    _sensor(sheet, sensor, heights, 105.0)
    rows = {name: heights[pin] for pin in order for name in _first(plug, sensor.net(pin))}
    through(sheet, plug, 105, rows)
    sheet.text(f"of the tube's {len(plug.kind.pins)} wires", (105, 130), group=sheet.group())
    sheet.wire((115, heights["A"]), (140, heights["A"]))
    rail(sheet, sensor.nets["A"], (140, heights["A"]))
    _light_path(sheet, circuit, sensor, heights["K"])
    _signal_path(sheet, circuit, sensor, heights["E"])
    lines = (
        "A ring throws light back: the output is higher lit than dark. An open wire reads 0.",
        f"Every level is wired like this one ({sensor.ref}); pins.md has the chip and input of each.",
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
        # The collector's wire joins that of the emitter's anode.
        side: Anchor = "start" if name == "C" else "end"
        at_net = x + 2 if name == "C" else end - 3
        sheet.text(sensor.nets[name], (at_net, heights[name] - ABOVE), anchor=side, group=texts)
    sheet.dot((leads["A"][0], heights["A"]))


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
    """From the photo-transistor's emitter past its load to its input."""
    output = sensor.nets["E"]
    series = _series(circuit, output)
    converter = on_net(circuit, series.nets["B"], "ring_converter")
    array = on_net(circuit, output, "line_guard")
    sheet.wire((115, y), (170, y))
    sheet.dot((140, y))
    down = pull_down(circuit, output, nets.GROUND)
    two_leads(sheet, down, (140, y), (140, y + 30), nets=("along", "end"))
    sheet.dot((164, y))
    sheet.wire((164, y), (164, y + 18.75), one_pin(sheet, array, (202, y + 15), 26))
    two_leads(sheet, series, (170, y), (216, y), nets=("along", "along"))
    sheet.wire((216, y), one_pin(sheet, converter, (240, y - 3.75), 30))


def _series(circuit: Circuit, output: str) -> Part:
    """The resistor from a sensor's output to its converter."""
    resistors = (each.part for each in circuit.nets[output] if each.part.kind.key == "resistor")
    return next(part for part in resistors if part.nets["B"] != nets.GROUND)


#: Chips on a sheet, and in a row of it.
_ON_SHEET, _IN_ROW = 4, 2


def converter_sheets(board: Board) -> list[Sheet]:
    """The decoder, then every MCP3008 with all its pins."""
    circuit = board.circuit
    chips = list(circuit.of_kind("ring_converter"))
    starts = range(0, len(chips), _ON_SHEET)
    found = [_decoder(circuit)]
    for number, start in enumerate(starts, 1):
        several = f" ({number} of {len(starts)})" if len(starts) > 1 else ""
        sheet = Sheet(f"ring-converters-{number}", f"Ring converters{several}")
        sheet.text(
            "Seen from above; CV10 and its like beside pin 15, CU10 and its like beside pin 16.", (LEFT, TOP + 3)
        )
        for place, chip in enumerate(chips[start : start + _ON_SHEET]):
            _chip(sheet, circuit, chip, LEFT + place % _IN_ROW * 136, 46 + place // _IN_ROW * 72)
        found.append(sheet)
    return found


def _decoder(circuit: Circuit) -> Sheet:
    """The chip that chooses a converter."""
    (decoder,) = circuit.of_kind("ring_decoder")
    lines = (
        "Seen from above. S0 to S2 hold the number of a converter while SELECT/ is low; they choose the inputs",
        "of the multiplexers, too. SELECT/ is high while they change, while the banks' pattern is shifted,",
        "and, pulled up, while the controller resets.",
    )
    return _with_all_around(Sheet("ring-decoder", "Ring decoder"), circuit, decoder, lines)


def _chip(sheet: Sheet, circuit: Circuit, chip: Part, x: float, y: float) -> None:
    """A chip, and at its right the parts that belong to it."""
    sheet.text(chip.where, (x + 42, y - 6))
    box(sheet, chip, (x + 24, y))
    row_of(sheet, list(circuit.serving(chip.ref, "capacitor")), (x + 94, y + 5), step=22, length=20)


#: Multiplexers on a sheet.
_MULTIPLEXERS = 3


def glass_sheets(board: Board) -> list[Sheet]:
    """One sensor in full and the multiplexers, then the fixed shares of 5 V."""
    circuit = board.circuit
    chips = list(circuit.of_kind("multiplexer"))
    first = Sheet("multiplexers-1", "Hall sensor in full, multiplexers")
    _one_sensor(first, circuit)
    found = [first]
    for start in range(0, len(chips), _MULTIPLEXERS):
        if start:
            found.append(Sheet(f"multiplexers-{len(found) + 1}", "Multiplexers"))
        _chips(found[-1], circuit, chips[start : start + _MULTIPLEXERS])
    return [*found, _references(circuit)]


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
    lines = ("Every tube and the cradle are wired like this one; pins.md has the input of each.",)
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


def _references(circuit: Circuit) -> Sheet:
    """The string of equal resistors, the highest share at the top, each tap with its capacitor and its input."""
    sheet = Sheet("references", "Fixed shares of 5 V")
    net, x, y = nets.LOGIC, LEFT + 60, 42.0
    string = [part for part in circuit.of_kind("resistor") if {*part.nets.values()} & {*nets.REFERENCES}]
    while net != nets.GROUND:
        part = next(each for each in string if each.net("A") == net)
        last = part.net("B") == nets.GROUND
        places: tuple[Place, Place] = ("end" if net == nets.LOGIC else "along", "end" if last else "along")
        two_leads(sheet, part, (x, y), (x, y + 33), nets=places)
        net, y = part.nets["B"], y + 33
        if not last:
            _tap(sheet, circuit, net, x, y)
    return sheet


def _tap(sheet: Sheet, circuit: Circuit, net: str, x: float, y: float) -> None:
    inlet = on_net(circuit, net, "multiplexer")
    capacitor = on_net(circuit, net, "capacitor").part
    sheet.dot((x, y))
    sheet.dot((x + 26, y))
    sheet.wire((x, y), one_pin(sheet, inlet, (x + 62, y - 3.75), 14))
    two_leads(sheet, capacitor, (x + 26, y), (x + 26, y + 20), nets=("along", "end"))
