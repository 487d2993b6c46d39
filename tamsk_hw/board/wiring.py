"""The wiring map: which sensor, light and pin is which (``wiring/board.toml``, docs/design.md, The board), and the
calculated readings of a finished tube.

`load_wiring` refuses a map with a gap, a double use or an impossible pin, naming file, key, value and what is
allowed in one line. A map may leave tubes out: it is that of a board with fewer, with as many chips and pixels as
these need.
"""

import zlib
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, fields
from importlib import resources
from importlib.resources.abc import Traversable
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final

from tamsk_hw.errors import InputError, StreamError, WiringError, refuse, shortened
from tamsk_hw.forms import Shape, from_json, number
from tamsk_hw.game.tubes import CAPACITY, NEIGHBOURS, PLAYERS, TUBES, Player, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.system.files import TomlError, parse_toml, read_file

#: Inputs of one MCP3008, and so the banks of emitters: bank n lights input n of every chip.
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
    ring_select: str
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
    pixel. ``chips``: MCP3008s, 1 … 8. ``ring_bits``: for each tube the bits (0 … 63) of its
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
        single = (pins.mosi, pins.miso, pins.sck, pins.latch, pins.ring_select, pins.emitter_enable)
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


#: More is no wiring map: bytes. That of the reference board has a tenth.
MOST_BYTES: Final = 128 * 1024

#: Chips in the chain of ring sensors, at most: those of a board of all tubes, whose snapshots have 64 bits.
CHIPS: Final = 8

#: BCM pins that the driver of the lights can use: SPI, PWM 0, PWM 1, PCM.
LIGHT_PINS: Final = (10, 12, 13, 18, 19, 21)

_TAKEN_PINS: Final = {
    "PB6": "carries the crystal",
    "PB7": "carries the crystal",
    "PC6": "is the reset pin",
    "PD0": "is the serial line to the host",
    "PD1": "is the serial line to the host",
}
_PINS: Final = {f"{port}{bit}" for port, bits in (("PB", 6), ("PC", 6), ("PD", 8)) for bit in range(bits)}
_ADC_PINS: Final = {f"ADC{number}" for number in range(8)}
_SPI_PINS: Final = {"mosi": "PB3", "miso": "PB4", "sck": "PB5"}

#: The pin that must be an output while SPI is master.
_SLAVE_SELECT: Final = "PB2"

_ONCE: Final = "allowed: each once"

Chip = Annotated[int, number(int, 0, CHIPS - 1, f"a chip, 0 to {CHIPS - 1}")]
Input = Annotated[int, number(int, 0, INPUTS_PER_CHIP - 1, f"an input, 0 to {INPUTS_PER_CHIP - 1}")]
Pixel = Annotated[int, number(int, 0, 99)]
Bcm = Annotated[int, number(int, 0, 27, "a BCM pin, 0 to 27")]


@dataclass(frozen=True, slots=True)
class _Fitted(Channel):
    """A tube, or the cradle, with its pixel."""

    pixel: Pixel
    rings: tuple[tuple[Chip, Input], ...] = ()


@dataclass(frozen=True, slots=True)
class _References:
    shape: ClassVar = STRICT
    quarter: Channel
    half: Channel
    three_quarters: Channel


@dataclass(frozen=True, slots=True)
class _Pi:
    shape: ClassVar = STRICT
    lights: Bcm
    buzzer: Bcm
    buttons: Mapping[ButtonName, Bcm]


@dataclass(frozen=True, slots=True)
class _Map:
    """The file as it is written; `_checked` looks at what its form cannot say."""

    shape: ClassVar = STRICT
    controller: ControllerPins
    tubes: Mapping[Tube, _Fitted]
    timer: _Fitted
    references: _References
    player_pixels: Mapping[Player, tuple[Pixel, Pixel]]
    pi: _Pi
    geometry: Geometry
    holders: Mapping[Player, HolderPins] | None = None


def load_wiring(path: Path | None = None) -> Wiring:
    """Read and check a wiring map; without ``path`` the reference board's, which comes with the package.

    Raises `WiringError`, one line: file, key, value, and what is allowed.
    """
    if path is None:
        return parse_wiring(_text("board.toml"), "wiring/board.toml")
    try:
        text = read_file(path, MOST_BYTES).decode("utf-8")
    except InputError as error:
        raise WiringError(f"{path}: {error}; allowed is a TOML file") from error
    except OSError as error:
        raise WiringError(f"{path}: cannot be read: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise WiringError(f"{path}: byte {error.start} is not UTF-8; allowed is a TOML file") from error
    return parse_wiring(text, str(path))


def parse_wiring(text: str, file: str) -> Wiring:
    """The wiring map in ``text``; ``file`` is its name in messages. Raises `WiringError` as `load_wiring` does."""
    try:
        return _checked(file, from_json(_Map, parse_toml(text), file, "the map"))
    except TomlError as error:
        raise WiringError(f"{file}: {error}; allowed is TOML") from error
    except StreamError as error:
        raise WiringError(str(error)) from None


def _checked(file: str, wired: _Map) -> Wiring:
    """The map as a value, once all of it has been looked at."""
    tubes = {tube: wired.tubes[tube] for tube in TUBES if tube in wired.tubes}
    if not any(near in tubes for tube in tubes for near in NEIGHBOURS[tube]):
        named = " ".join(map(str, tubes)) or "none"
        raise WiringError(f"{file}: tubes: {named}; needed are two or more, some two of which touch")
    holders = wired.holders or {}
    _check_all(file, "player_pixels", wired.player_pixels, Player)
    _check_all(file, "holders", holders, Player if wired.holders is not None else ())
    _check_all(file, "pi.buttons", wired.pi.buttons, ButtonName)
    _check_controller(file, wired.controller)
    _check_pins(file, wired)
    bits = _ring_bits(file, tubes)
    _check_channels(file, wired, tubes)
    _check_pixels(file, wired, tubes)
    _check_pi(file, wired.pi)
    _check_geometry(file, wired.geometry)
    references, pi = wired.references, wired.pi
    channels = [Channel(tubes[tube].mux, tubes[tube].address) if tube in tubes else None for tube in TUBES]
    return Wiring(
        tubes=tuple(tubes),
        chips=max(bit for each in bits.values() for bit in each) // INPUTS_PER_CHIP + 1,
        ring_bits=tuple(bits.get(tube, ()) for tube in TUBES),
        channels=(*channels, Channel(wired.timer.mux, wired.timer.address)),
        references=(references.quarter, references.half, references.three_quarters),
        tube_pixels=tuple(tubes[tube].pixel if tube in tubes else None for tube in TUBES),
        timer_pixel=wired.timer.pixel,
        player_pixels=MappingProxyType({player: wired.player_pixels[player] for player in PLAYERS}),
        controller=wired.controller,
        holders=MappingProxyType({player: holders[player] for player in PLAYERS if holders}),
        lights_pin=pi.lights,
        buzzer_pin=pi.buzzer,
        buttons=MappingProxyType({name: pi.buttons[name] for name in ButtonName}),
        geometry=wired.geometry,
    )


def _check_all(file: str, key: str, found: Mapping[Any, object], needed: Iterable[Any]) -> None:
    """Refuse a table without one of the keys that it needs."""
    for each in needed:
        if each not in found:
            raise WiringError(f"{file}: {key} has no {each.value!r}; needed are {', '.join(map(str, needed))}")


def _check_once(file: str, uses: Iterable[tuple[str, Any, Any]]) -> None:
    """Refuse what two use: of each its key, what it uses, and that as it is written."""
    users: dict[Any, str] = {}
    for key, used, written in uses:
        if used in users:
            raise WiringError(f"{file}: {key} is {shortened(written)}, which {users[used]} uses; {_ONCE}")
        users[used] = key


def _ring_bits(file: str, tubes: Mapping[Tube, _Fitted]) -> dict[Tube, tuple[int, ...]]:
    """For each fitted tube its chain bits; each of 0 … 63 once at most, and no bank twice in a tube."""
    found = {}
    for tube, fitted in tubes.items():
        capacity = CAPACITY[tube]
        if len(fitted.rings) != capacity:
            levels = f"{len(fitted.rings)} levels; allowed are {capacity}, the rings that the tube holds"
            raise WiringError(f"{file}: tubes.{tube}.rings: {levels}")
        found[tube] = tuple(chip * INPUTS_PER_CHIP + place for chip, place in fitted.rings)
        banks = list(map(bank_of, found[tube]))
        for level, bank in enumerate(banks):
            if bank in banks[:level]:
                allowed = "an input (bank) that no other level of the tube has"
                raise refuse(file, f"tubes.{tube}.rings[{level}]", fitted.rings[level], allowed)
    _check_once(
        file,
        (
            (f"tubes.{tube}.rings[{level}]", bit, tubes[tube].rings[level])
            for tube, bits in found.items()
            for level, bit in enumerate(bits)
        ),
    )
    used = {bit // INPUTS_PER_CHIP for bits in found.values() for bit in bits}
    for chip in range(max(used)):
        if chip not in used:
            raise WiringError(
                f"{file}: tubes: chip {chip} has no ring sensor, chip {max(used)} has; "
                "allowed are chips from 0 on without a gap"
            )
    return found


def _check_channels(file: str, wired: _Map, tubes: Mapping[Tube, _Fitted]) -> None:
    """The multiplexer inputs of tubes, cradle and references: those that there are, each once."""
    named: dict[str, Channel] = {f"tubes.{tube}": fitted for tube, fitted in tubes.items()}
    named["timer"] = wired.timer
    named |= {f"references.{each.name}": getattr(wired.references, each.name) for each in fields(_References)}
    for place, channel in named.items():
        if channel.mux >= len(wired.controller.mux_inputs):
            raise refuse(file, f"{place}.mux", channel.mux, f"0 to {len(wired.controller.mux_inputs) - 1}")
    _check_once(
        file,
        (
            (f"{place}.address", (each.mux, each.address), f"mux {each.mux} address {each.address}")
            for place, each in named.items()
        ),
    )


def _check_pixels(file: str, wired: _Map, tubes: Mapping[Tube, _Fitted]) -> None:
    """Pixels of the fitted tubes, the timer and the players: all from 0 on, each once, no gap."""
    pixels = {f"tubes.{tube}.pixel": fitted.pixel for tube, fitted in tubes.items()}
    pixels["timer.pixel"] = wired.timer.pixel
    for player in PLAYERS:
        for place, pixel in enumerate(wired.player_pixels[player]):
            pixels[f"player_pixels.{player}[{place}]"] = pixel
    for key, pixel in pixels.items():
        if pixel >= len(pixels):
            raise refuse(file, key, pixel, f"each of 0 to {len(pixels) - 1} once")
    _check_once(file, ((key, pixel, pixel) for key, pixel in pixels.items()))


def _check_controller(file: str, pins: ControllerPins) -> None:
    """Pins that there are, for what they can do."""
    for name, only in _SPI_PINS.items():
        if getattr(pins, name) != only:
            raise refuse(file, f"controller.{name}", getattr(pins, name), f"{only}, the hardware SPI's")
    for place, pin in enumerate(pins.mux_inputs):
        if pin not in _ADC_PINS:
            raise refuse(file, f"controller.mux_inputs[{place}]", pin, "an ADC pin, ADC0 to ADC7")
    if not pins.mux_inputs or {"ADC6", "ADC7"} <= set(pins.mux_inputs):
        allowed = "one to seven, and one of ADC6 and ADC7: the other measures the supply"
        raise refuse(file, "controller.mux_inputs", pins.mux_inputs, allowed)


def _pins(wired: _Map) -> Iterator[tuple[str, str, bool]]:
    """Each pin of the controller: its key, the pin, and whether it is an output."""
    for each in fields(ControllerPins):
        value, is_output = getattr(wired.controller, each.name), each.name not in ("miso", "mux_inputs")
        for place, pin in enumerate([value] if isinstance(value, str) else value):
            yield f"controller.{each.name}" + ("" if isinstance(value, str) else f"[{place}]"), pin, is_output
    for player, pins in (wired.holders or {}).items():
        yield from ((f"holders.{player}.clock", pins.clock, True), (f"holders.{player}.data", pins.data, False))


def _check_pins(file: str, wired: _Map) -> None:
    """No controller pin twice or that is taken, and SS an output."""
    pins = list(_pins(wired))
    allowed = "one of PB0 to PB5, PC0 to PC5, PD2 to PD7"
    for key, pin, is_output in pins:
        if pin in _TAKEN_PINS:
            raise WiringError(f"{file}: {key} is {shortened(pin)}, which {_TAKEN_PINS[pin]}; allowed: {allowed}")
        if pin not in _PINS | _ADC_PINS or (pin in _ADC_PINS and "mux_inputs" not in key):
            raise WiringError(
                f"{file}: {key} is {shortened(pin)}, which is no pin of the ATmega328P; allowed: {allowed}"
            )
        if pin == _SLAVE_SELECT and not is_output:
            raise refuse(file, key, pin, "another: SS must be an output, or SPI leaves master mode")
    # ADC0 to ADC5 are other names of PC0 to PC5.
    ports = [f"PC{pin[3:]}" if pin.startswith("ADC") and pin[3:] < "6" else pin for _, pin, _ in pins]
    _check_once(file, ((key, port, pin) for (key, pin, _), port in zip(pins, ports, strict=True)))
    if _SLAVE_SELECT not in ports:
        allowed = f"an output on {_SLAVE_SELECT} (SS), or SPI leaves master mode"
        raise refuse(file, "controller.latch", wired.controller.latch, allowed)


def _check_pi(file: str, pi: _Pi) -> None:
    """The Pi's pins, each once, the lights on one that their driver can use."""
    used = {"pi.lights": pi.lights, "pi.buzzer": pi.buzzer}
    used |= {f"pi.buttons.{name.value}": pi.buttons[name] for name in ButtonName}
    _check_once(file, ((key, pin, pin) for key, pin in used.items()))
    if pi.lights not in LIGHT_PINS:
        raise refuse(file, "pi.lights", pi.lights, f"{', '.join(map(str, LIGHT_PINS))} (SPI, PWM, PCM)")


def _check_geometry(file: str, geometry: Geometry) -> None:
    """Each part fits into the next."""
    nested = [each.name for each in fields(Geometry)][:6]
    for smaller, larger in (*pairwise(nested), ("magnet_diameter", "cap_diameter")):
        if getattr(geometry, larger) <= getattr(geometry, smaller):
            allowed = f"more than {smaller}, {getattr(geometry, smaller)}"
            raise refuse(file, f"geometry.{larger}", getattr(geometry, larger), allowed)


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
    ``far``: counts of a ring sensor with the rings against the sensors' side and away from it; ``stray``: at most
    without a ring. ``drv5055a3``, ``ss49e``: steps by which a seated glass moves either Hall sensor. ``ends``:
    percent by which one end of a glass may be weaker. ``neighbour``: steps that a glass in the next tube adds at
    most.
    """

    wiring: int
    recess: float
    near: Band
    far: Band
    stray: int
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
            stray=light["stray"],
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
