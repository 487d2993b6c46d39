"""Reads the wiring map: which sensor, light and pin is which (``wiring/board.toml``, docs/design.md, The board).

`load_wiring` refuses a map with a gap, a double use or an impossible pin, naming file, key, value and what is
allowed in one line. A map may leave tubes out: it is that of a board with fewer, with as many chips and pixels as
these need.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from importlib import resources
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Final

from tamsk_hw.board.protocol import RING_BITS
from tamsk_hw.board.wiring_map import (
    INPUTS_PER_CHIP,
    Channel,
    ControllerPins,
    Geometry,
    HolderPins,
    Table,
    Wiring,
    bank_of,
    show,
)
from tamsk_hw.errors import InputError, WiringError
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

#: Inputs of one CD74HC4067.
MUX_ADDRESSES: Final = 16

#: Pixels at each player's side.
PIXELS_PER_PLAYER: Final = 2

#: BCM pins that the driver of the lights can use: SPI, PWM 0, PWM 1, PCM.
LIGHT_PINS: Final = (10, 12, 13, 18, 19, 21)

_REFERENCE_NAMES: Final = ("quarter", "half", "three_quarters")

_PINS: Final = (
    *(f"PB{bit}" for bit in range(6)),
    *(f"PC{bit}" for bit in range(6)),
    *(f"PD{bit}" for bit in range(2, 8)),
)

_TAKEN_PINS: Final = {
    "PB6": "carries the crystal",
    "PB7": "carries the crystal",
    "PC6": "is the reset pin",
    "PD0": "is the serial line to the host",
    "PD1": "is the serial line to the host",
}

_ADC_PINS: Final = tuple(f"ADC{number}" for number in range(8))

_SPI_PINS: Final = {"mosi": "PB3", "miso": "PB4", "sck": "PB5"}

#: The pin that must be an output while SPI is master.
_SLAVE_SELECT: Final = "PB2"


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
        values = parse_toml(text)
    except TomlError as error:
        raise WiringError(f"{file}: {error}; allowed is TOML") from error
    return _read(Table(file, "", values))


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


def _read(root: Table) -> Wiring:
    root.only(
        ("tubes", "timer", "references", "player_pixels", "controller", "holders", "pi", "geometry"),
    )
    controller = _controller(root.table("controller"))
    holders = _holders(root)
    _check_pins(root.file, controller, holders)
    tubes = _tube_tables(root.table("tubes"))
    timer = root.table("timer")
    timer.only(("mux", "address", "pixel"))
    references = root.table("references")
    references.only(_REFERENCE_NAMES)
    reference_tables = [references.table(name) for name in _REFERENCE_NAMES]
    for table in reference_tables:
        table.only(("mux", "address"))
    channels = _channels((*tubes.values(), timer, *reference_tables), len(controller.mux_inputs))
    channel_of = dict(zip(tubes, channels, strict=False))
    pixel_of, timer_pixel, player_pixels = _pixels(tubes, timer, root.table("player_pixels"))
    ring_bits = _ring_bits(tubes)
    lights_pin, buzzer_pin, buttons = _pi(root.table("pi"))
    return Wiring(
        tubes=tuple(tubes),
        chips=_chips(root.file, ring_bits),
        ring_bits=tuple(ring_bits.get(tube, ()) for tube in TUBES),
        channels=(*(channel_of.get(tube) for tube in TUBES), channels[len(tubes)]),
        references=channels[len(tubes) + 1 :],
        tube_pixels=tuple(pixel_of.get(tube) for tube in TUBES),
        timer_pixel=timer_pixel,
        player_pixels=MappingProxyType(player_pixels),
        controller=controller,
        holders=MappingProxyType(holders),
        lights_pin=lights_pin,
        buzzer_pin=buzzer_pin,
        buttons=MappingProxyType(buttons),
        geometry=_geometry(root.table("geometry")),
    )


def _tube_tables(tubes: Table) -> dict[Tube, Table]:
    """The tables of the tubes that are fitted, in board order; some two of them touch, or no glass could move."""
    tubes.only([tube.name for tube in TUBES])
    tables = {tube: tubes.table(tube.name) for tube in TUBES if tubes.has(tube.name)}
    for table in tables.values():
        table.only(("mux", "address", "pixel", "rings"))
    if not any(near in tables for tube in tables for near in NEIGHBOURS[tube]):
        named = " ".join(map(str, tables)) or "none"
        raise WiringError(f"{tubes.file}: tubes: {named}; needed are two or more, some two of which touch")
    return tables


def _ring_bits(tubes: Mapping[Tube, Table]) -> dict[Tube, tuple[int, ...]]:
    """For each fitted tube its chain bits; each of 0 … 63 once at most, and no bank twice in a tube."""
    users: dict[int, str] = {}
    found = {}
    for tube, table in tubes.items():
        levels = table.items("rings", "pairs [chip, input]")
        capacity = CAPACITY[tube]
        if len(levels) != capacity:
            raise table.refuse(
                "rings", f"{len(levels)} levels; allowed are {capacity}, the rings that the tube holds"
            )
        bits: list[int] = []
        for level, pair in enumerate(levels):
            name = f"rings[{level}]"
            bit = _chain_bit(table, name, pair)
            if bit in users:
                raise table.refuse(name, f"{show(pair)}, which {users[bit]} uses; allowed is each input once")
            users[bit] = table.key(name)
            if bank_of(bit) in map(bank_of, bits):
                raise table.refuse(
                    name, f"{show(pair)}; allowed is an input (bank) that no other level of the tube has"
                )
            bits.append(bit)
        found[tube] = tuple(bits)
    return found


def _chips(file: str, ring_bits: Mapping[Tube, tuple[int, ...]]) -> int:
    """Number of chips in the chain: those from 0 on that carry a sensor; one between them without is refused."""
    used = {bit // INPUTS_PER_CHIP for bits in ring_bits.values() for bit in bits}
    for chip in range(max(used)):
        if chip not in used:
            raise WiringError(
                f"{file}: tubes: chip {chip} has no ring sensor, chip {max(used)} has; "
                "allowed are chips from 0 on without a gap"
            )
    return len(used)


def _chain_bit(table: Table, name: str, pair: object) -> int:
    if not isinstance(pair, list) or len(pair) != 2:
        raise table.refuse(name, f"{show(pair)}; allowed is a pair [chip, input]")
    for value, what, count in zip(pair, ("chip", "input"), (CHIPS, INPUTS_PER_CHIP), strict=True):
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < count:
            raise table.refuse(name, f"{what} {show(value)}; allowed is a whole number, 0 to {count - 1}")
    return int(pair[0]) * INPUTS_PER_CHIP + int(pair[1])


def _channels(tables: Iterable[Table], muxes: int) -> tuple[Channel, ...]:
    """The multiplexer input of each table; none twice."""
    users: dict[Channel, str] = {}
    for table in tables:
        channel = Channel(table.integer("mux", 0, muxes - 1), table.integer("address", 0, MUX_ADDRESSES - 1))
        if channel in users:
            raise table.refuse(
                "address",
                f"mux {channel.mux} address {channel.address}, which {users[channel]} uses; "
                "allowed is each input once",
            )
        users[channel] = table.place
    return tuple(users)


def _pixels(
    tubes: Mapping[Tube, Table], timer: Table, players: Table
) -> tuple[dict[Tube, int], int, dict[Player, tuple[int, int]]]:
    """Pixels of the fitted tubes, the timer and the players: all from 0 on, each once, no gap."""
    players.only([player.value for player in PLAYERS])
    last = len(tubes) + 1 + PIXELS_PER_PLAYER * len(PLAYERS) - 1
    users: dict[int, str] = {}

    def use(table: Table, name: str, pixel: int) -> int:
        if pixel in users:
            raise table.refuse(name, f"{pixel}, which {users[pixel]} uses; allowed is each of 0 to {last} once")
        users[pixel] = table.key(name)
        return pixel

    tube_pixels = {tube: use(table, "pixel", table.integer("pixel", 0, last)) for tube, table in tubes.items()}
    timer_pixel = use(timer, "pixel", timer.integer("pixel", 0, last))
    player_pixels = {}
    for player in PLAYERS:
        first, second = players.integers(player.value, PIXELS_PER_PLAYER, 0, last)
        player_pixels[player] = (use(players, player.value, first), use(players, player.value, second))
    return tube_pixels, timer_pixel, player_pixels


def _controller(table: Table) -> ControllerPins:
    single = (*_SPI_PINS, "latch", "chain_load", "emitter_enable")
    table.only((*single, "mux_selects", "mux_inputs"))
    for name, only in _SPI_PINS.items():
        if table.text(name) != only:
            raise table.refuse(name, f"{show(table.text(name))}; allowed is {only}, the hardware SPI's")
    for name in single:
        _check_pin(table, name, table.text(name))
    # Four select lines for 16 addresses.
    selects = table.texts("mux_selects", 4, 4)
    for place, pin in enumerate(selects):
        _check_pin(table, f"mux_selects[{place}]", pin)
    inputs = table.texts("mux_inputs", 1, len(_ADC_PINS))
    for place, pin in enumerate(inputs):
        if pin not in _ADC_PINS:
            raise table.refuse(f"mux_inputs[{place}]", f"{show(pin)}; allowed is an ADC pin, ADC0 to ADC7")
    if {"ADC6", "ADC7"} <= set(inputs):
        raise table.refuse("mux_inputs", "ADC6 and ADC7; allowed is one of them, the other measures the supply")
    return ControllerPins(
        mosi=table.text("mosi"),
        miso=table.text("miso"),
        sck=table.text("sck"),
        latch=table.text("latch"),
        chain_load=table.text("chain_load"),
        emitter_enable=table.text("emitter_enable"),
        mux_selects=selects,
        mux_inputs=inputs,
    )


def _holders(root: Table) -> dict[Player, HolderPins]:
    if not root.has("holders"):
        return {}
    table = root.table("holders")
    table.only([player.value for player in PLAYERS])
    found = {}
    for player in PLAYERS:
        pins = table.table(player.value)
        pins.only(("clock", "data"))
        for name in ("clock", "data"):
            _check_pin(pins, name, pins.text(name))
        found[player] = HolderPins(pins.text("clock"), pins.text("data"))
    return found


def _check_pin(table: Table, name: str, pin: str) -> None:
    if pin in _PINS:
        return
    allowed = "allowed is one of PB0 to PB5, PC0 to PC5, PD2 to PD7"
    if pin in _TAKEN_PINS:
        raise table.refuse(name, f"{show(pin)}, which {_TAKEN_PINS[pin]}; {allowed}")
    raise table.refuse(name, f"{show(pin)}, which is no pin of the ATmega328P; {allowed}")


def _check_pins(file: str, pins: ControllerPins, holders: Mapping[Player, HolderPins]) -> None:
    """No controller pin twice, and SS an output."""
    outputs = [
        ("controller.mosi", pins.mosi),
        ("controller.sck", pins.sck),
        ("controller.latch", pins.latch),
        ("controller.chain_load", pins.chain_load),
        ("controller.emitter_enable", pins.emitter_enable),
        *((f"controller.mux_selects[{place}]", pin) for place, pin in enumerate(pins.mux_selects)),
        *((f"holders.{player}.clock", holder.clock) for player, holder in holders.items()),
    ]
    inputs = [
        ("controller.miso", pins.miso),
        *((f"controller.mux_inputs[{place}]", pin) for place, pin in enumerate(pins.mux_inputs)),
        *((f"holders.{player}.data", holder.data) for player, holder in holders.items()),
    ]
    for key, pin in inputs:
        if pin == _SLAVE_SELECT:
            raise WiringError(
                f"{file}: {key}: {show(pin)}, which is SS; allowed is an output there, or SPI leaves master mode"
            )
    users: dict[str, str] = {}
    for key, pin in (*outputs, *inputs):
        # ADC0 to ADC5 are other names of PC0 to PC5.
        port = f"PC{pin[3:]}" if pin.startswith("ADC") and pin[3:] < "6" else pin
        if port in users:
            raise WiringError(f"{file}: {key}: {show(pin)}, which {users[port]} uses; allowed is each pin once")
        users[port] = key
    if _SLAVE_SELECT not in users:
        raise WiringError(
            f"{file}: controller.latch: {show(pins.latch)}, and {_SLAVE_SELECT} (SS) is free; "
            "allowed is an output on it, or SPI leaves master mode"
        )


def _pi(table: Table) -> tuple[int, int, dict[ButtonName, int]]:
    """BCM pins of lights, buzzer and buttons: 0 … 27, each once, the lights on one that their driver can use."""
    table.only(("lights", "buzzer", "buttons"))
    buttons_table = table.table("buttons")
    names = [button.value for button in ButtonName]
    buttons_table.only(names)
    users: dict[int, str] = {}
    for place, name in ((table, "lights"), (table, "buzzer"), *((buttons_table, name) for name in names)):
        pin = place.integer(name, 0, 27)
        if pin in users:
            raise place.refuse(name, f"{pin}, which {users[pin]} uses; allowed is each BCM pin once")
        users[pin] = place.key(name)
    lights = table.integer("lights", 0, 27)
    if lights not in LIGHT_PINS:
        raise table.refuse("lights", f"{lights}; allowed are {', '.join(map(str, LIGHT_PINS))} (SPI, PWM, PCM)")
    buttons = {button: buttons_table.integer(button.value, 0, 27) for button in ButtonName}
    return lights, table.integer("buzzer", 0, 27), buttons


def _geometry(table: Table) -> Geometry:
    """The dimensions; what must fit into what does."""
    nested = (
        "cap_diameter",
        "tube_inner_diameter",
        "tube_outer_diameter",
        "ring_inner_diameter",
        "ring_outer_diameter",
        "tube_pitch",
    )
    others = ("ring_thickness", "glass_height", "magnet_diameter", "magnet_thickness", "magnet_distance")
    table.only((*nested, *others))
    for smaller, larger in (*pairwise(nested), ("magnet_diameter", "cap_diameter")):
        least = table.length(smaller)
        if table.length(larger) <= least:
            raise table.refuse(larger, f"{table.length(larger)}; allowed is more than {smaller}, {least}")
    return Geometry(**{name: table.length(name) for name in (*nested, *others)})
