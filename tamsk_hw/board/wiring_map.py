"""The wiring map as a value: which sensor, light and pin is which (docs/design.md, The board).

`tamsk_hw.board.wiring.load_wiring` reads and checks it.
"""

from __future__ import annotations

import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from tamsk_hw.game.players import PLAYERS, Player
from tamsk_hw.game.tubes import Tube
from tamsk_hw.referee.events import ButtonName

#: Inputs of one 74HC165, and so the banks of emitters: bank n lights input n of every chip.
INPUTS_PER_CHIP: Final = 8


@dataclass(frozen=True, slots=True)
class Channel:
    """An input of a multiplexer: ``mux`` (from 0 on, as `ControllerPins.mux_inputs`) and ``address`` (0 … 15)."""

    mux: int
    address: int


@dataclass(frozen=True, slots=True)
class HolderPins:
    """The controller pins of one ring holder's HX711, e.g. ``"PD2"``."""

    clock: str
    data: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ControllerPins:
    """The pins of the ATmega328P, by port name (``"PB3"``); ``mux_inputs`` by ADC channel (``"ADC0"``)."""

    mosi: str
    miso: str
    sck: str
    latch: str
    chain_load: str
    emitter_enable: str
    mux_selects: tuple[str, ...]
    mux_inputs: tuple[str, ...]

    @property
    def supply_input(self) -> str:
        """ADC channel of the 2.5 V reference that measures the supply: ADC7, or ADC6 if a multiplexer has that."""
        return "ADC6" if "ADC7" in self.mux_inputs else "ADC7"


@dataclass(frozen=True, slots=True, kw_only=True)
class Geometry:
    """The board's dimensions in millimetres; ``magnet_distance`` is from the magnet's face to the die."""

    cap_diameter: float
    tube_inner_diameter: float
    tube_outer_diameter: float
    ring_inner_diameter: float
    ring_outer_diameter: float
    ring_thickness: float
    tube_pitch: float
    glass_height: float
    magnet_diameter: float
    magnet_thickness: float
    magnet_distance: float


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
