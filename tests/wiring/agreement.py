"""Reads tables and map back and compares them with the facts of a map: a line for each problem."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from tamsk_hw.board.wiring_map import Wiring
from tamsk_hw.game.tubes import TUBES
from tests.wiring.facts import CHAIN_INPUT_PINS, MUX_INPUT_PINS, Fact, Facts

#: Places among the controller's readings: the tubes, the cradle, the three references.
_PLACES = [*(f"FIELD_{tube.name}" for tube in TUBES), "FIELD_TIMER", "REF_1/4", "REF_1/2", "REF_3/4"]

_PORTS = {0x10: "PB", 0x20: "PC", 0x30: "PD", 0x40: "ADC"}


def differences(what: str, found: Iterable[Fact], wanted: Iterable[Fact]) -> list[str]:
    """The facts that should not be there, and those that are missing."""
    there, should = set(found), set(wanted)
    return [
        *(f"{what}: {fact}; the map has it otherwise" for fact in sorted(there - should)),
        *(f"{what}: lacks {fact}" for fact in sorted(should - there)),
    ]


# The reader's map


def map_problems(wiring: Wiring, facts: Facts) -> list[str]:
    """`Wiring`, as the program uses it, against the file."""
    return list(_map_problems(wiring, facts))


def _map_problems(wiring: Wiring, facts: Facts) -> Iterator[str]:
    for tube in TUBES:
        levels = tuple(
            chip * 8 + number
            for level in range(1, 5)
            for (chip, number), sensor in facts.rings.items()
            if sensor == (tube.name, level)
        )
        if wiring.ring_bits[tube] != levels:
            yield f"map: rings of {tube} are {wiring.ring_bits[tube]}; the file has {levels}"
    channels = {
        name: None if channel is None else (channel.mux, channel.address)
        for name, channel in zip(_PLACES, (*wiring.channels, *wiring.references), strict=True)
    }
    inputs = {name: place for place, name in facts.fields.items()}
    for name, channel in channels.items():
        if channel != inputs.get(name):
            yield f"map: {name} is at {channel}; the file has {inputs.get(name)}"
    pixels = {f"tube {tube}": wiring.tube_pixels[tube] for tube in TUBES if wiring.ring_bits[tube]}
    pixels["cradle"] = wiring.timer_pixel
    for player, numbers in wiring.player_pixels.items():
        pixels |= {f"{player}'s side, {place}": number for place, number in enumerate(numbers, 1)}
    if pixels != {where: number for number, where in facts.pixels.items()}:
        yield "map: pixels are not those of the file"
    pins = wiring.controller
    own = {name: getattr(pins, name) for name in ("mosi", "miso", "sck", "latch", "chain_load", "emitter_enable")}
    own |= {"mux_selects": list(pins.mux_selects), "mux_inputs": list(pins.mux_inputs)}
    if own != facts.values["controller"]:
        yield "map: controller pins are not those of the file"
    holders = {player.value: {"clock": pins.clock, "data": pins.data} for player, pins in wiring.holders.items()}
    if holders != facts.values.get("holders", {}):
        yield "map: the holders' pins are not those of the file"
    pi = facts.values["pi"]
    buttons = {name.value: pin for name, pin in wiring.buttons.items()}
    if (wiring.lights_pin, wiring.buzzer_pin, buttons) != (pi["lights"], pi["buzzer"], pi["buttons"]):
        yield "map: the Pi's pins are not those of the file"


# The firmware's tables


def firmware_problems(header: str, facts: Facts) -> list[str]:
    """``tables.h`` against the file."""
    codes = {name: int(code, 16) for name, code in re.findall(r"#define PIN_(\w+) (0x[0-9A-F]+)", header)}
    names = {name: _PORTS.get(code & 0xF0, "?") + str(code & 0x0F) for name, code in codes.items() if code != 0xFF}
    pins = facts.values["controller"]
    wanted = {
        name.upper(): pins[name] for name in ("mosi", "miso", "sck", "latch", "chain_load", "emitter_enable")
    }
    wanted |= {f"SELECT_{line}": pin for line, pin in enumerate(pins["mux_selects"])}
    for player, holder in facts.values.get("holders", {}).items():
        wanted |= {f"HOLDER_{player.upper()}_{what.upper()}": pin for what, pin in holder.items()}
    found = [f"firmware: PIN_{name} is {pin}; the map has {wanted.get(name)}"
             for name, pin in sorted(names.items()) if wanted.get(name) != pin]  # fmt: skip
    found += [f"firmware: lacks PIN_{name}" for name in sorted(wanted.keys() - names.keys())]
    body = header.split("#define WIRING_CONVERSIONS", 1)[-1].split("\n\n", 1)[0]
    triples = re.findall(r"\{(\d+), (\d+), (\d+)\}", body)
    there = {(int(adc), int(address)): _PLACES[int(place)] for address, adc, place in triples}
    adc = [int(name.removeprefix("ADC")) for name in pins["mux_inputs"]]
    should = {(adc[mux], address): name for (mux, address), name in facts.fields.items()}
    for place in sorted(there.keys() | should.keys()):
        if there.get(place) != should.get(place):
            where = f"ADC{place[0]} address {place[1]}"
            found.append(f"firmware: {where} is {there.get(place)}; the map has {should.get(place)}")
    if len(triples) != len(there):
        found.append("firmware: an input is converted twice")
    return found


# The pin tables


def pins_page_problems(page: str, facts: Facts) -> list[str]:
    """``pins.md`` against the file."""
    tables = {
        name: _rows(section) for name, section in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    }
    pi = [Fact("PI1", int(row[0]), row[2]) for row in _table(tables, "Raspberry Pi") if row[2] != "GND"]
    rails = ("–", "GND", "5V")
    nano = [Fact("U1", int(row[0]), row[3]) for row in _table(tables, "Controller") if row[3] not in rails]
    chain = _table(tables, "Ring sensors")
    inputs = [Fact(row[1], int(row[3]), "GND" if row[6] == "to ground" else row[6]) for row in chain]
    muxes = _table(tables, "Multiplexer")
    fields = [Fact(row[0], int(row[2]), "GND" if row[3] == "to ground" else row[3]) for row in muxes]
    chain_pins = {fact for fact in facts.chain if fact.pin in CHAIN_INPUT_PINS}
    mux_pins = {fact for fact in facts.muxes if fact.pin in MUX_INPUT_PINS}
    found = differences("pins.md, Pi", pi, facts.pi)
    found += differences("pins.md, controller", nano, facts.controller)
    found += differences("pins.md, chain", inputs, chain_pins)
    found += differences("pins.md, multiplexers", fields, mux_pins)
    for row in chain:
        bit = int(row[0])
        sensor = facts.rings.get((bit // 8, bit % 8))
        if sensor is not None and (row[4], int(row[5]), row[7]) != (*sensor, f"bank {bit % 8}"):
            found.append(f"pins.md: bit {bit} is {row[4]} level {row[5]}, {row[7]}; the map has {sensor}")
    pixels = {int(row[1]): row[2] for row in _table(tables, "Pixels")}
    if pixels != facts.pixels:
        found.append("pins.md: pixels are not those of the map")
    return found


def _table(tables: dict[str, list[list[str]]], beginning: str) -> list[list[str]]:
    return next((rows for name, rows in tables.items() if name.startswith(beginning)), [])


def _rows(section: str) -> list[list[str]]:
    """The rows of a Markdown table, without its head."""
    lines = [line for line in section.splitlines() if line.startswith("|")]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in lines[2:]]
