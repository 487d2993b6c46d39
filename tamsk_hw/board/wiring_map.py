"""The wiring map as a value: which sensor, light and pin is which (docs/design.md, The board), and what the
calculations expect of a finished tube.

`tamsk_hw.board.wiring.load_wiring` reads and checks the map.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Annotated, ClassVar, Final

from tamsk_hw.errors import WiringError
from tamsk_hw.forms import Shape, number
from tamsk_hw.game.tubes import PLAYERS, Player, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.system.files import TomlError, parse_toml

#: Inputs of one 74HC165, and so the banks of emitters: bank n lights input n of every chip.
INPUTS_PER_CHIP: Final = 8


#: A length in millimetres.
Length = Annotated[float, number(float, 1e-9, 1000, "a number of millimetres, more than 0 and at most 1000")]

#: A map has no keys that are not known.
STRICT: Final = Shape(strict=True)


@dataclass(frozen=True, slots=True)
class Channel:
    """An input of a multiplexer: ``mux`` (from 0 on, as `ControllerPins.mux_inputs`) and ``address`` (0 … 15)."""

    shape: ClassVar = STRICT
    mux: Annotated[int, number(int, 0, 7)]
    address: Annotated[int, number(int, 0, 15)]


@dataclass(frozen=True, slots=True)
class HolderPins:
    """The controller pins of one ring holder's HX711, e.g. ``"PD2"``."""

    shape: ClassVar = STRICT
    clock: str
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerPins:
    """The pins of the ATmega328P, by port name (``"PB3"``); ``mux_inputs`` by ADC channel (``"ADC0"``)."""

    shape: ClassVar = STRICT
    mosi: str
    miso: str
    sck: str
    latch: str
    chain_load: str
    emitter_enable: str
    mux_selects: tuple[str, str, str, str]
    mux_inputs: tuple[str, ...]

    @property
    def supply_input(self) -> str:
        """ADC channel of the 2.5 V reference that measures the supply: ADC7, or ADC6 if a multiplexer has that."""
        return "ADC6" if "ADC7" in self.mux_inputs else "ADC7"


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """The board's dimensions in millimetres; ``magnet_distance`` is from the magnet's face to the die."""

    shape: ClassVar = STRICT
    cap_diameter: Length
    tube_inner_diameter: Length
    tube_outer_diameter: Length
    ring_inner_diameter: Length
    ring_outer_diameter: Length
    tube_pitch: Length
    ring_thickness: Length
    glass_height: Length
    magnet_diameter: Length
    magnet_thickness: Length
    magnet_distance: Length


@dataclass(frozen=True, slots=True, kw_only=True)
class Wiring:
    """A checked wiring map. Tuples by tube have all 37 in the board's order (A1 … G4).

    ``tubes``: those that are fitted, in the same order; the others have no ring bits, and None as channel and
    pixel. ``chips``: 74HC165s in the chain, 1 … 8. ``ring_bits``: for each tube the chain bits (0 … 63) of its
    levels, bottom up. ``channels``: the multiplexer inputs of the tubes, then the cradle's. ``references``: those
    of 1/4, 1/2 and 3/4 of 5 V. ``tube_pixels``, ``timer_pixel``, ``player_pixels``: places on the lights' data
    line. ``holders`` is empty where no ring holders are fitted. ``lights_pin``, ``buzzer_pin`` and ``buttons`` are
    BCM numbers.
    """

    tubes: tuple[Tube, ...]
    chips: int
    ring_bits: tuple[tuple[int, ...], ...]
    channels: tuple[Channel | None, ...]
    references: tuple[Channel, ...]
    tube_pixels: tuple[int | None, ...]
    timer_pixel: int
    player_pixels: Mapping[Player, tuple[int, int]]
    controller: ControllerPins
    holders: Mapping[Player, HolderPins]
    lights_pin: int
    buzzer_pin: int
    buttons: Mapping[ButtonName, int]
    geometry: Geometry

    @property
    def pixel_count(self) -> int:
        """Pixels on the lights' data line."""
        return len(self.tubes) + 1 + sum(len(pixels) for pixels in self.player_pixels.values())

    @property
    def ring_sensors(self) -> tuple[tuple[Tube, int] | None, ...]:
        """For each chain bit its tube and level, counted from 0 at the bottom; None for a spare input."""
        places = {bit: (tube, level) for tube in self.tubes for level, bit in enumerate(self.ring_bits[tube])}
        return tuple(places.get(bit) for bit in range(self.chips * INPUTS_PER_CHIP))

    @property
    def fields(self) -> tuple[int, ...]:
        """The fields that are fitted, by their places in a snapshot: the tubes in board order, then the cradle."""
        return tuple(place for place, channel in enumerate(self.channels) if channel is not None)

    @property
    def inputs(self) -> Mapping[int, Channel]:
        """The multiplexer inputs that are used, by their places among a snapshot's fields, then its references."""
        channels = (*self.channels, *self.references)
        return {place: channel for place, channel in enumerate(channels) if channel is not None}

    @property
    def firmware_bytes(self) -> bytes:
        """Contents of the firmware's tables, in the canonical form that is hashed (PROTOCOL.md section 6)."""
        pins = self.controller
        data = bytearray((1, self.chips))
        for channels in (self.channels, self.references):
            data.append(len(channels))
            for channel in channels:
                data += b"\xff\xff" if channel is None else bytes((channel.mux, channel.address))
        for names in (pins.mux_selects, pins.mux_inputs):
            data.append(len(names))
            data += bytes(map(_pin_code, names))
        single = (pins.mosi, pins.miso, pins.sck, pins.latch, pins.chain_load, pins.emitter_enable)
        data += bytes(map(_pin_code, single))
        for player in PLAYERS:
            holder = self.holders.get(player)
            data += b"\xff\xff" if holder is None else bytes((_pin_code(holder.clock), _pin_code(holder.data)))
        return bytes(data)

    @property
    def hash(self) -> int:
        """CRC-32 of `firmware_bytes`: HELLO carries it (PROTOCOL.md sections 3.1 and 6)."""
        return zlib.crc32(self.firmware_bytes)


def bank_of(bit: int) -> int:
    """The bank of emitters that lights the ring sensor at chain bit ``bit``: its input (docs/design.md, Rings)."""
    return bit % INPUTS_PER_CHIP


def _pin_code(pin: str) -> int:
    """A pin as one byte: PBn 0x1n, PCn 0x2n, PDn 0x3n, ADCn 0x4n (PROTOCOL.md section 6)."""
    if pin.startswith("ADC"):
        return 0x40 | int(pin[3:])
    return (ord(pin[1]) - ord("A")) << 4 | int(pin[2:])


#: The files of the boards whose tubes are calculated, beside their maps.
FILES: Final = ("expected.toml", "seven/expected.toml")


@dataclass(frozen=True, slots=True)
class Band:
    """The least, the typical and the greatest reading that is expected."""

    least: int
    typical: int
    most: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """The readings that are expected of a tube.

    ``wiring``: hash of the map. ``recess``: of a ring sensor's face behind the tube's surface, in mm. ``near``,
    ``far``: microseconds of light with the rings against the sensors' side and away from it. ``drv5055a3``,
    ``ss49e``: steps by which a seated glass moves either Hall sensor. ``ends``: percent by which one end of a
    glass may be weaker. ``neighbour``: steps that a glass in the next tube adds at most.
    """

    wiring: int
    recess: float
    near: Band
    far: Band
    drv5055a3: Band
    ss49e: Band
    ends: int
    neighbour: int


def expected_of(wiring: Wiring) -> Expected:
    """The readings expected of the tubes of a board with this map.

    Raises:
        WiringError: nothing was calculated for this map, or a file of the package is damaged.
    """
    for file in FILES:
        found = parse_expected(_text(file), f"wiring/{file}")
        if found.wiring == wiring.hash:
            return found
    raise WiringError(
        f"no readings are calculated for a board of wiring {wiring.hash:08x}; allowed are the maps that come with "
        "the program (reference, seven), and after a change of theirs make wiring"
    )


def parse_expected(text: str, file: str) -> Expected:
    """The readings in ``text``; ``file`` is its name in messages. Raises `WiringError`, one line."""
    try:
        found = parse_toml(text)
        light, field = found["light"], found["field"]
        return Expected(
            wiring=int(found["wiring"], 16),
            recess=found["recess"],
            near=Band(*light["near"]),
            far=Band(*light["far"]),
            drv5055a3=Band(*field["drv5055a3"]),
            ss49e=Band(*field["ss49e"]),
            ends=field["ends"],
            neighbour=field["neighbour"],
        )
    except (TomlError, LookupError, TypeError, ValueError) as error:
        raise WiringError(f"{file}: {error!r}; the package is damaged: install it again") from error


def _text(file: str) -> str:
    """The text of a file: from the installed package, else from the checkout."""
    places: list[Traversable] = [Path(__file__).resolve().parents[2] / "wiring"]
    with suppress(ModuleNotFoundError):
        places.insert(0, resources.files("tamsk_hw.wiring"))
    for place in places:
        try:
            return place.joinpath(file).read_text("utf-8")
        except (OSError, UnicodeDecodeError):
            continue
    raise WiringError(f"wiring/{file}: cannot be read; the package is incomplete: install it again")
