"""The file of the wiring map, read strictly, and the sensors expected of a board.

Strict reader of a TOML table: an unknown key, a wrong type or a value out of range is refused by its key.

The wiring map as a value: which sensor, light and pin is which (docs/design.md, The board).

`tamsk_hw.board.wiring.load_wiring` reads and checks it.

Reads what the calculations expect of a finished tube (``wiring/expected.toml``, made by make wiring).

Nobody has measured these figures yet.
"""

from __future__ import annotations

import zlib
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from importlib import resources
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Final

from tamsk_hw.errors import WiringError, printable
from tamsk_hw.game.tubes import PLAYERS, Player, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.system.files import TomlError, parse_toml


class Table:
    """One table of a TOML file, with its place for messages.

    Every reading method raises `WiringError` that names file, key, value and what is allowed.
    """

    def __init__(self, file: str, place: str, value: object) -> None:
        self.file: Final = file
        self.place: Final = place
        if not isinstance(value, dict):
            raise WiringError(f"{file}: {place}: {show(value)}; allowed is a table")
        self._values: dict[str, object] = value

    def refuse(self, name: str, what: str) -> WiringError:
        """The error for the key ``name``: ``what`` says value and what is allowed."""
        return WiringError(f"{self.file}: {self.key(name)}: {what}")

    def key(self, name: str) -> str:
        """The full key of ``name``, e.g. ``tubes.D4.mux``."""
        name = printable(name if len(name) <= 60 else name[:57] + "...")
        return f"{self.place}.{name}" if self.place else name

    def has(self, name: str) -> bool:
        """The key is there."""
        return name in self._values

    def only(self, names: Collection[str]) -> None:
        """Refuse keys other than ``names``."""
        for name in self._values:
            if name not in names:
                raise self.refuse(name, f"unknown key; allowed are {', '.join(names)}")

    def table(self, name: str) -> Table:
        """The table under ``name``."""
        return Table(self.file, self.key(name), self._get(name, "a table"))

    def integer(self, name: str, least: int, most: int) -> int:
        """The whole number under ``name``, ``least`` to ``most``."""
        allowed = f"a whole number, {least} to {most}"
        return self._integer(name, self._get(name, allowed), least, most)

    def length(self, name: str) -> float:
        """The length under ``name``, in millimetres: more than 0, at most 1000."""
        allowed = "a number of millimetres, more than 0 and at most 1000"
        value = self._get(name, allowed)
        if isinstance(value, bool) or not isinstance(value, int | float) or not 0 < value <= 1000:
            raise self.refuse(name, f"{show(value)}; allowed is {allowed}")
        return float(value)

    def text(self, name: str) -> str:
        """The string under ``name``."""
        value = self._get(name, "a string")
        if not isinstance(value, str):
            raise self.refuse(name, f"{show(value)}; allowed is a string")
        return value

    def texts(self, name: str, least: int, most: int) -> tuple[str, ...]:
        """The strings under ``name``, ``least`` to ``most`` of them."""
        items = self._items(name, f"{_count(least, most)} strings", least, most)
        found = []
        for place, item in enumerate(items):
            if not isinstance(item, str):
                raise self.refuse(f"{name}[{place}]", f"{show(item)}; allowed is a string")
            found.append(item)
        return tuple(found)

    def integers(self, name: str, count: int, least: int, most: int) -> tuple[int, ...]:
        """The ``count`` whole numbers under ``name``, each ``least`` to ``most``."""
        items = self._items(name, f"{count} whole numbers, {least} to {most}", count, count)
        return tuple(self._integer(f"{name}[{place}]", item, least, most) for place, item in enumerate(items))

    def items(self, name: str, allowed: str) -> list[object]:
        """The list under ``name``, of any length."""
        return self._items(name, allowed, 0, None)

    def _items(self, name: str, allowed: str, least: int, most: int | None) -> list[object]:
        value = self._get(name, allowed)
        if not isinstance(value, list):
            raise self.refuse(name, f"{show(value)}; allowed is a list of {allowed}")
        if len(value) < least or (most is not None and len(value) > most):
            raise self.refuse(name, f"{len(value)} values; allowed are {allowed}")
        return value

    def _get(self, name: str, allowed: str) -> object:
        if name not in self._values:
            raise self.refuse(name, f"missing; needed is {allowed}")
        return self._values[name]

    def _integer(self, name: str, value: object, least: int, most: int) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
            raise self.refuse(name, f"{show(value)}; allowed is a whole number, {least} to {most}")
        return value


def show(value: object) -> str:
    """A value as TOML would show it, cut to one short line."""
    text = " ".join(_shown(value, 3).split())
    return text if len(text) <= 60 else text[:57] + "..."


def _shown(value: object, depth: int) -> str:
    """A value, with lists that lie in one another to that depth."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, dict):
        return "a table"
    if isinstance(value, list):
        return f"[{', '.join(_shown(item, depth - 1) for item in value[:30]) if depth else '...'}]"
    if isinstance(value, int) and abs(value) >= 10**60:
        return "a number of more than 60 digits"  # beyond some thousand, Python refuses to write them
    return f'"{printable(value)}"' if isinstance(value, str) else str(value)  # dates show as they are written


def _count(least: int, most: int) -> str:
    return str(least) if least == most else f"{least} to {most}"


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
        root = Table(file, "", parse_toml(text))
    except TomlError as error:
        raise WiringError(f"{file}: {error}; allowed is TOML") from error
    root.only(("wiring", "recess", "light", "field"))
    light, field = root.table("light"), root.table("field")
    light.only(("near", "far"))
    field.only(("drv5055a3", "ss49e", "ends", "neighbour"))
    return Expected(
        wiring=_hash(root),
        recess=root.length("recess"),
        near=_band(light, "near"),
        far=_band(light, "far"),
        drv5055a3=_band(field, "drv5055a3"),
        ss49e=_band(field, "ss49e"),
        ends=field.integer("ends", 0, 100),
        neighbour=field.integer("neighbour", 0, 255),
    )


def _hash(root: Table) -> int:
    text = root.text("wiring")
    if len(text) != 8 or not set(text) <= set("0123456789abcdef"):
        raise root.refuse("wiring", f'"{text[:20]}"; allowed are eight hexadecimal digits')
    return int(text, 16)


def _band(table: Table, name: str) -> Band:
    band = Band(*table.integers(name, 3, 0, 255))
    if not band.least <= band.typical <= band.most:
        raise table.refuse(name, f"{band.least}, {band.typical}, {band.most}; allowed are rising numbers")
    return band


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
