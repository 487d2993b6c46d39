"""The harness by the wiring map and the Pi's header, worked out without `wiring.make`."""

from __future__ import annotations

from collections import Counter

from gpiozero.pins.pi import PiBoardInfo

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.game.tubes import PLAYERS, TUBES
from tamsk_hw.referee.events import ButtonName
from tests.wiring.harness.reading import Harness

#: Revision codes of a Zero 2 W and of a Pi 4: the header is the same.
REVISIONS = (0x902120, 0xC03111)


def header(revision: int = REVISIONS[0]) -> dict[int, str]:
    """The names of the 40 pins by number."""
    pins = PiBoardInfo.from_revision(revision).headers["J8"].pins
    return {number: pin.name for number, pin in pins.items()}


def map_problems(harness: Harness, wiring: Wiring) -> list[str]:
    """Every wire between the units, from one end to the other."""
    return [
        *pi_problems(harness, wiring),
        *light_problems(harness, wiring),
        *ribbon_problems(harness, wiring),
        *holder_problems(harness, wiring),
        *_missing(harness, _power() + _usb()),
    ]


def pi_problems(harness: Harness, wiring: Wiring) -> list[str]:
    """Buttons, buzzer and light data are on the pins of their GPIO; nothing else is, but ground."""
    names = header()
    by_name = {name: number for number, name in names.items() if name.startswith("GPIO")}
    found = [
        f"PI1 pin {number} is {label!r}, the header has {names.get(number)}"
        for number, label in harness.labels("PI1").items()
        if label.partition(" = ")[0] != names.get(number)
    ]
    if set(harness.labels("PI1")) != set(names):
        found.append("PI1 has not the header's pins")
    signals = {f"BUTTON_{name.name}": wiring.buttons[name] for name in ButtonName}
    signals |= {"BUZZER_PI": wiring.buzzer_pin, "LIGHTS_3V3": wiring.lights_pin}
    at = {by_name[f"GPIO{bcm}"]: net for net, bcm in signals.items()}
    wired = {end.pin: end.net for wire in harness.wires for end in (wire.a, wire.b) if end.connector == "PI1"}
    for number, net in wired.items():
        expected = at.pop(number, "GND" if names.get(number) == "GND" else "nothing")
        if net != expected:
            found.append(f"PI1 pin {number} has {net}; by the map it has {expected}")
    found += [f"PI1 pin {number} has no wire; by the map it has {net}" for number, net in at.items()]
    joined = harness.joined()
    panel = [f"BUTTON_{name.name}" for name in ButtonName] + ["BUZZER_PI"]
    for pin, net in enumerate(panel, 1):
        place = "PI1", by_name[f"GPIO{signals[net]}"]
        if joined.get(("J9", pin)) != place:
            found.append(f"J9 pin {pin} ({net}) does not end at {place}")
    for place in (("J9", 5), ("J5", 2)):
        there = joined.get(place, ("nothing", 0))
        if there[0] != "PI1" or names.get(there[1]) != "GND":
            found.append(f"{place} ends at {there}, not at a ground of PI1")
    if joined.get(("J5", 1)) != ("PI1", by_name[f"GPIO{wiring.lights_pin}"]):
        found.append(f"J5 pin 1 does not end at GPIO{wiring.lights_pin}")
    return found


def light_problems(harness: Harness, wiring: Wiring) -> list[str]:
    """Supply, ground and data of the first pixel; the pins are those of a WS2812B's data sheet."""
    expected = [
        ("5V_LIGHTS", ("J6", 1), ("LED0", 1)),
        ("GND", ("J6", 2), ("LED0", 3)),
        ("PIXEL0", ("J6", 3), ("LED0", 4)),
    ]
    found = _missing(harness, expected)
    names = [label.partition(" = ")[0] for _, label in sorted(harness.labels("LED0").items())]
    if names != ["VDD", "DOUT", "GND", "DIN"]:
        found.append(f"LED0 has pins {names}")
    places = {wiring.timer_pixel: "cradle"} | {wiring.tube_pixels[tube]: f"tube {tube}" for tube in wiring.tubes}
    for player in PLAYERS:
        places |= dict.fromkeys(wiring.player_pixels[player], f"{player}'s side")
    if not str(harness.connectors["LED0"]["notes"]).startswith(places[0]):
        found.append(f"LED0 is the pixel of {harness.connectors['LED0']['notes']}, by the map of {places[0]}")
    return found


def ribbon_problems(harness: Harness, wiring: Wiring) -> list[str]:
    """20 wires on equal pins, all signals there, a ground beside the clock."""
    joined = harness.joined()
    found = [f"J2 pin {n} is not on J3 pin {n}" for n in range(1, 21) if joined.get(("J2", n)) != ("J3", n)]
    nets = {wire.a.pin: wire.net for wire in harness.wires if wire.a.connector == "J2"}
    muxes = [f"MUX{number}" for number in range(len(wiring.controller.mux_inputs))]
    selects = [f"S{line}" for line in range(len(wiring.controller.mux_selects))]
    needed = Counter(["5V_IR", "5V", "5V", "SCK", "MOSI", "MISO", "LATCH", "LOAD", "ENABLE/", *selects, *muxes])
    needed["GND"] = 4
    needed.update(f"SPARE{number}" for number in range(needed.total() + 1, 21))
    if Counter(nets.values()) != needed:
        found.append(f"the ribbon has {nets}")
    clock = [number for number, net in nets.items() if net == "SCK"]
    if any(nets.get(number + side) != "GND" for number in clock for side in (-1, 1)):
        found.append("the clock is not between grounds")
    return found


def holder_problems(harness: Harness, wiring: Wiring) -> list[str]:
    """Clock to clock and data to data, the four wires of each load cell; none where none are fitted."""
    found: list[str] = []
    fitted = [player for player in PLAYERS if player in wiring.holders]
    connectors = {f"J{7 + number}" for number in range(2)}
    if connectors & set(harness.connectors) != {f"J{7 + number}" for number in range(len(fitted))}:
        found.append("connectors of ring holders that are not fitted, or none of those that are")
    for number, player in enumerate(fitted):
        module, cell = f"U{3 + number}", f"LC{1 + number}"
        own = {"VCC": "5V", "GND": "GND", "SCK": f"CLK_{player.name}", "DT": f"DT_{player.name}"}
        for end in (end for wire in harness.wires for end in (wire.a, wire.b) if end.connector == module):
            expected = own.get(end.name, f"CELL_{player.name}_{end.name}")
            if end.net != expected:
                found.append(f"{module} {end.name} has {end.net}, not {expected}")
        ends = {(wire.a.connector, wire.b.connector, wire.a.name, wire.b.name) for wire in harness.wires}
        for name in ("E+", "E-", "A-", "A+"):
            if (module, cell, name, name) not in ends:
                found.append(f"{module} {name} is not on {cell} {name}")
        for name in own:
            if not any((a, b, last) == (f"J{7 + number}", module, name) for a, b, _, last in ends):
                found.append(f"{module} {name} has no wire from J{7 + number}")
    return found


def tube_problems(tubes: Harness, wiring: Wiring) -> list[str]:
    """Each tube's cable: 5 V, ground, Hall output, emitters' supply, then cathode and output, bottom up."""
    expected = {"TIMER": ["5V", "GND", "HALL_TIMER"]}
    for tube in TUBES:
        levels = range(1, len(wiring.ring_bits[tube]) + 1)
        if tube in wiring.tubes:
            pairs = [net for level in levels for net in (f"IR_{tube}_{level}", f"RING_{tube}_{level}")]
            expected[tube.name] = ["5V", "GND", f"HALL_{tube}", "5V_IR", *pairs]
    found = [f"WT-{place} is missing" for place in expected if f"WT-{place}" not in tubes.cables]
    found += [f"{ref} is too many" for ref in tubes.cables if ref.removeprefix("WT-") not in expected]
    for ref in tubes.cables:
        place = ref.removeprefix("WT-")
        wires = sorted((wire for wire in tubes.wires if wire.cable == ref), key=lambda wire: wire.number)
        if [wire.net for wire in wires] != expected.get(place):
            found.append(f"{ref} has {[wire.net for wire in wires]}, by the map {expected.get(place)}")
        for wire in wires:
            if (wire.a.place, wire.b.place) != ((f"JT-{place}", wire.number), (f"STRIP-{place}", wire.number)):
                found.append(f"{ref}.{wire.number} goes from {wire.a.place} to {wire.b.place}")
        found += _strip_problems(tubes, place, [wire.net for wire in wires])
    return found


def _strip_problems(tubes: Harness, place: str, nets: list[str]) -> list[str]:
    """The pins of the sensors that the wires are soldered to."""
    levels = (len(nets) - 4) // 2
    expected = {"5V": {f"HS-{place} VCC", f"CS-{place} +"}, "GND": {f"HS-{place} GND", f"CS-{place} -"}}
    expected[f"HALL_{place}"] = {f"HS-{place} OUT"}
    for level in range(1, levels + 1):
        expected["5V"].add(f"RS-{place}-{level} C")
        expected.setdefault("5V_IR", set()).add(f"RS-{place}-{level} A")
        expected[f"IR_{place}_{level}"] = {f"RS-{place}-{level} K"}
        expected[f"RING_{place}_{level}"] = {f"RS-{place}-{level} E"}
    notes = str(tubes.connectors[f"STRIP-{place}"]["notes"]).splitlines()
    stated = {net: set(points.split(", ")) for net, _, points in (note.partition(": ") for note in notes)}
    return [] if stated == expected else [f"STRIP-{place} is soldered at {stated}, not {expected}"]


def _power() -> list[tuple[str, tuple[str, int], tuple[str, int]]]:
    """The plug's inside is the plus, on pin 1 at both ends."""
    return [("5V_IN", ("PS1", 1), ("J1", 1)), ("GND", ("PS1", 2), ("J1", 2))]


def _usb() -> list[tuple[str, tuple[str, int], tuple[str, int]]]:
    """As the plugs are numbered: VBUS, D-, D+, ground, which is pin 5 of a Mini-B: its pin 4 is open.

    The USB ground is no net of the board's own.
    """
    pins = {"USB_VBUS": (1, 1), "USB_D-": (2, 2), "USB_D+": (3, 3), "USB_GND": (5, 4)}
    return [(net, ("J4", mini), ("J10", large)) for net, (mini, large) in pins.items()]


def _missing(harness: Harness, expected: list[tuple[str, tuple[str, int], tuple[str, int]]]) -> list[str]:
    stated = {(wire.net, wire.a.place, wire.b.place) for wire in harness.wires}
    return [f"no wire {net} from {a} to {b}" for net, a, b in expected if (net, a, b) not in stated]
