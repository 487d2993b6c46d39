"""Reads the wiring map: which sensor, light and pin is which (``wiring/board.toml``, docs/design.md, The board).

`load_wiring` refuses a map with a gap, a double use or an impossible pin, naming file, key, value and what is
allowed in one line. A map may leave tubes out: it is that of a board with fewer, with as many chips and pixels as
these need.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields
from importlib import resources
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Annotated, Any, ClassVar, Final

from tamsk_hw.board.protocol import RING_BITS
from tamsk_hw.board.wiring_map import (
    INPUTS_PER_CHIP,
    STRICT,
    Channel,
    ControllerPins,
    Geometry,
    HolderPins,
    Wiring,
    bank_of,
)
from tamsk_hw.errors import InputError, StreamError, WiringError, refuse, shortened
from tamsk_hw.forms import from_json, number
from tamsk_hw.game.tubes import CAPACITY, NEIGHBOURS, PLAYERS, TUBES, Player, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.system.files import TomlError, parse_toml, read_file

__all__ = [
    "INPUTS_PER_CHIP",
    "Channel",
    "ControllerPins",
    "Geometry",
    "HolderPins",
    "Wiring",
    "bank_of",
    "load_wiring",
    "parse_wiring",
]

#: More is no wiring map: bytes. That of the reference board has a tenth.
MOST_BYTES: Final = 128 * 1024

#: Chips in the chain of ring sensors, at most: those of a board of all tubes.
CHIPS: Final = RING_BITS // INPUTS_PER_CHIP

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
        return parse_wiring(*_reference_map())
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


def _reference_map() -> tuple[str, str]:
    """Text and name of the reference board's map: from the installed package, else from the checkout."""
    checkout = Path(__file__).resolve().parents[2] / "wiring" / "board.toml"
    try:
        return resources.files("tamsk_hw.wiring").joinpath("board.toml").read_text("utf-8"), "wiring/board.toml"
    except (ModuleNotFoundError, FileNotFoundError):
        pass
    try:
        return checkout.read_text("utf-8"), "wiring/board.toml"
    except OSError as error:
        raise WiringError(f"{checkout}: cannot be read: {error.strerror}; the package is incomplete") from error


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
    """What must fit into what does."""
    nested = [each.name for each in fields(Geometry)][:6]
    for smaller, larger in (*pairwise(nested), ("magnet_diameter", "cap_diameter")):
        if getattr(geometry, larger) <= getattr(geometry, smaller):
            allowed = f"more than {smaller}, {getattr(geometry, smaller)}"
            raise refuse(file, f"geometry.{larger}", getattr(geometry, larger), allowed)
