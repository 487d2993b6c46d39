"""The facts of a wiring map for a builder, worked out from its TOML and data sheets alone, and what disagrees.

Neither `wiring.make` nor the map's reader is used: this is the second opinion on drawings, lists and tables.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from gpiozero.pins.pi import PiBoardInfo

WIRING = Path(__file__).resolve().parents[2] / "wiring"

#: Board folders and their maps.
MAPS = {"reference": WIRING / "board.toml", "seven": WIRING / "seven" / "board.toml"}

#: MCP3008, data sheet: pins of CH0 … CH7.
RING_INPUT_PINS = (1, 2, 3, 4, 5, 6, 7, 8)

#: SN74HC138, data sheet: pins of the outputs Y0 … Y7.
CHOOSING_PINS = (15, 14, 13, 12, 11, 10, 9, 7)

#: CD74HC4067, data sheet: pins of I0 … I15.
MUX_INPUT_PINS = (9, 8, 7, 6, 5, 4, 3, 2, 23, 22, 21, 20, 19, 18, 17, 16)
MUX_SELECT_PINS = (10, 11, 14, 13)

#: TPIC6B595, data sheet: pins of DRAIN0 … DRAIN7.
DRAIN_PINS = (4, 5, 6, 7, 14, 15, 16, 17)

#: Arduino Nano, 30 pins, counted from TX1 down that side and up the other.
NANO_PINS = {
    **{f"PD{bit}": pin for bit, pin in enumerate((2, 1, 5, 6, 7, 8, 9, 10))},
    **{f"PB{bit}": 11 + bit for bit in range(6)},
    **{f"PC{bit}": 19 + bit for bit in range(6)},
    **{f"ADC{number}": 19 + number for number in range(8)},
}


@dataclass(frozen=True, order=True)
class Fact:
    """Pin ``pin`` of the part ``ref`` is on ``net``."""

    ref: str
    pin: int
    net: str

    def __str__(self) -> str:
        return f"{self.ref} pin {self.pin} on {self.net}"


def bank_net(chip: int, number: int) -> str:
    """The output that lights an input of a chip."""
    return f"BANK{number}" + ("B" if chip >= 4 else "")


class Facts:
    """A map's facts."""

    def __init__(self, values: dict[str, Any]) -> None:
        self.values = values

    @classmethod
    def of(cls, key: str) -> Facts:
        return cls(tomllib.loads(MAPS[key].read_text(encoding="utf-8")))

    @cached_property
    def rings(self) -> dict[tuple[int, int], tuple[str, int]]:
        """Tube and level (from 1) of each chip and input that has a sensor."""
        return {
            (chip, number): (tube, level)
            for tube, entry in self.values["tubes"].items()
            for level, (chip, number) in enumerate(entry["rings"], 1)
        }

    @property
    def chips(self) -> int:
        return 1 + max(chip for chip, _ in self.rings)

    @cached_property
    def fields(self) -> dict[tuple[int, int], str]:
        """The signal at each multiplexer and address."""
        found = {(entry["mux"], entry["address"]): f"FIELD_{tube}" for tube, entry in self.values["tubes"].items()}
        timer = self.values["timer"]
        found[timer["mux"], timer["address"]] = "FIELD_TIMER"
        shares = {"quarter": "REF_1/4", "half": "REF_1/2", "three_quarters": "REF_3/4"}
        for name, entry in self.values["references"].items():
            found[entry["mux"], entry["address"]] = shares[name]
        return found

    @cached_property
    def pixels(self) -> dict[int, str]:
        """The place of each pixel."""
        found = {entry["pixel"]: f"tube {tube}" for tube, entry in self.values["tubes"].items()}
        found[self.values["timer"]["pixel"]] = "cradle"
        for player, numbers in self.values["player_pixels"].items():
            found |= {pixel: f"{player}'s side, {place}" for place, pixel in enumerate(numbers, 1)}
        return found

    @cached_property
    def pi(self) -> frozenset[Fact]:
        """The Pi's header."""
        header = PiBoardInfo.from_revision(0xA02082).headers["J8"]
        physical = {pin.name: number for number, pin in header.pins.items()}
        entry = self.values["pi"]
        wires = {entry["lights"]: "LIGHTS_3V3", entry["buzzer"]: "BUZZER_PI"}
        wires |= {pin: f"BUTTON_{name.upper()}" for name, pin in entry["buttons"].items()}
        return frozenset(Fact("PI1", physical[f"GPIO{bcm}"], net) for bcm, net in wires.items())

    @cached_property
    def controller(self) -> frozenset[Fact]:
        """The Nano's pins."""
        pins = self.values["controller"]
        wires = {
            pins["mosi"]: "MOSI",
            pins["miso"]: "MISO",
            pins["sck"]: "SCK_U1",
            pins["latch"]: "LATCH",
            pins["ring_select"]: "SELECT/",
            pins["emitter_enable"]: "ENABLE/",
            **{pin: f"S{line}" for line, pin in enumerate(pins["mux_selects"])},
            **{pin: f"MUX{number}" for number, pin in enumerate(pins["mux_inputs"])},
            "ADC6" if "ADC7" in pins["mux_inputs"] else "ADC7": "REF_2V5",
        }
        for player, holder in self.values.get("holders", {}).items():
            wires[holder["clock"]] = f"CLK_{player.upper()}"
            wires[holder["data"]] = f"DT_{player.upper()}"
        return frozenset(Fact("U1", NANO_PINS[pin], net) for pin, net in wires.items())

    @cached_property
    def converters(self) -> frozenset[Fact]:
        """Every pin of the ring converters but the supply and its ground."""
        found = set()
        for chip in range(self.chips):
            ref = f"U{10 + chip}"
            for number, pin in enumerate(RING_INPUT_PINS):
                sensor = self.rings.get((chip, number))
                found.add(Fact(ref, pin, "GND" if sensor is None else f"BIT_{sensor[0]}_{sensor[1]}"))
            # Ground and reference of the converter are the sensor board's own.
            others = {10: f"CS{chip}", 11: "MOSI", 12: "MISO", 13: "SCK", 14: "GND", 15: "5V"}
            found |= {Fact(ref, pin, net) for pin, net in others.items()}
        return frozenset(found)

    @cached_property
    def decoder(self) -> frozenset[Fact]:
        """The pins of the decoder that chooses a converter: its address is that of the multiplexers."""
        fixed = {1: "S0", 2: "S1", 3: "S2", 4: "SELECT/", 5: "GND", 6: "5V"}
        chosen = {pin: f"CS{chip}" for chip, pin in enumerate(CHOOSING_PINS) if chip < self.chips}
        return frozenset(Fact("U18", pin, net) for pin, net in (fixed | chosen).items())

    @cached_property
    def muxes(self) -> frozenset[Fact]:
        """Every pin of the multiplexers but the supply."""
        found = set()
        for number in range(len(self.values["controller"]["mux_inputs"])):
            ref = f"U{30 + number}"
            for address, pin in enumerate(MUX_INPUT_PINS):
                found.add(Fact(ref, pin, self.fields.get((number, address), "GND")))
            found |= {Fact(ref, pin, f"S{line}") for line, pin in enumerate(MUX_SELECT_PINS)}
            found |= {Fact(ref, 1, f"MUX{number}"), Fact(ref, 15, "GND")}
        return frozenset(found)

    @cached_property
    def driver(self) -> frozenset[Fact]:
        """The bank drivers' signals: one driver for chips 0 to 3, one for 4 to 7, the same pattern on both."""
        signals = {3: "MOSI", 12: "LATCH", 13: "SCK", 9: "ENABLE/", 8: "5V"}
        found = {
            Fact(f"U{20 + driver}", pin, net)
            for driver in range(-(-self.chips // 4))
            for pin, net in signals.items()
        }
        for chip, number in self.rings:
            found.add(Fact(f"U{20 + chip // 4}", DRAIN_PINS[number], bank_net(chip, number)))
        return frozenset(found)

    @cached_property
    def emitters(self) -> frozenset[Fact]:
        """The bank of each emitter's resistor: that of its input."""
        return frozenset(
            Fact(f"RE-{tube}-{level}", 2, bank_net(chip, number))
            for (chip, number), (tube, level) in self.rings.items()
        )

    @property
    def chips_and_controller(self) -> frozenset[Fact]:
        """All of the above that a drawing shows at a chip."""
        return self.pi | self.controller | self.converters | self.decoder | self.muxes | self.driver


def differences(what: str, found: Iterable[Fact], wanted: Iterable[Fact]) -> list[str]:
    """The facts that should not be there, and those that are missing."""
    there, should = set(found), set(wanted)
    return [
        *(f"{what}: {fact}; the map has it otherwise" for fact in sorted(there - should)),
        *(f"{what}: lacks {fact}" for fact in sorted(should - there)),
    ]


# The pin tables


def pins_page_problems(page: str, facts: Facts) -> list[str]:
    """``pins.md`` against the file."""
    tables = {
        name: _rows(section) for name, section in re.findall(r"^## ([^\n]*)\n(.*?)(?=^## |\Z)", page, re.M | re.S)
    }
    pi = [Fact("PI1", int(row[0]), row[2]) for row in _table(tables, "Raspberry Pi") if row[2] != "GND"]
    rails = ("–", "GND", "5V")
    nano = [Fact("U1", int(row[0]), row[3]) for row in _table(tables, "Controller") if row[3] not in rails]
    rings = _table(tables, "Ring sensors")
    inputs = [Fact(row[1], int(row[3]), "GND" if row[6] == "to ground" else row[6]) for row in rings]
    muxes = _table(tables, "Multiplexer")
    fields = [Fact(row[0], int(row[2]), "GND" if row[3] == "to ground" else row[3]) for row in muxes]
    ring_pins = {fact for fact in facts.converters if fact.pin in RING_INPUT_PINS}
    mux_pins = {fact for fact in facts.muxes if fact.pin in MUX_INPUT_PINS}
    found = differences("pins.md, Pi", pi, facts.pi)
    found += differences("pins.md, controller", nano, facts.controller)
    found += differences("pins.md, rings", inputs, ring_pins)
    found += differences("pins.md, multiplexers", fields, mux_pins)
    for row in rings:
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
