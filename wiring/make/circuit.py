"""The terms of a circuit: kinds of parts with their pins (`wiring/parts.toml`), parts, nets; no wiring map."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from gpiozero.pins.pi import PiBoardInfo

from tamsk_hw.errors import WiringError
from tamsk_hw.game.tubes import Tube

#: The kinds of ports that belong to a module.
USB_PORTS: Final = ("usb_port", "usb_mini_b")


class Role(Enum):
    """The role of a pin, as `wiring/parts.toml` names it."""

    SUPPLY = "supply"
    GROUND = "ground"
    INPUT = "input"
    OUTPUT = "output"
    SHARED = "shared"
    """An output that is off unless its chip is chosen: several may be on a net."""
    DRAIN = "drain"
    """An open drain: it only sinks."""
    ANALOG = "analog"
    """An input of a converter or of an analog switch; never a digital one."""
    PASSIVE = "passive"
    ANY = "any"
    """Input or output, as the program sets it."""
    SPARE = "spare"
    """Nothing is connected inside."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A pin of a kind of part: its number on the package, its name in the data sheet, its role.

    ``label`` is printed beside it; names are unique, labels need not be. A GPIO of the Pi has its BCM number in
    ``gpio``; ``interfaces`` are its other uses (``"pwm"``, ``"pcm"``, ``"spi"``, …).
    """

    number: str
    name: str
    role: Role
    label: str
    gpio: int | None = None
    interfaces: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of part, as `wiring/parts.toml` has it; ``typical`` and ``worst`` are mA into its supply pin."""

    key: str
    title: str
    detail: str
    package: str
    maker: str
    number: str
    alternatives: tuple[str, ...]
    typical: float
    worst: float
    pins: tuple[Pin, ...]

    @property
    def description(self) -> str:
        """Title and detail."""
        return f"{self.title}; {self.detail}" if self.detail else self.title

    def pin(self, name: str) -> Pin:
        """The pin of that name. Raises `KeyError` when there is none."""
        for pin in self.pins:
            if pin.name == name:
                return pin
        raise KeyError(f"{self.key} has no pin {name!r}; it has {', '.join(pin.name for pin in self.pins)}")


@dataclass(frozen=True, slots=True)
class Site:
    """The tube that a part belongs to, or the cradle (None); its ``level`` from 1 at the bottom, if any."""

    tube: Tube | None
    level: int | None = None

    def __str__(self) -> str:
        tube = "TIMER" if self.tube is None else self.tube.name
        return tube if self.level is None else f"{tube}-{self.level}"


class Style(Enum):
    """The styles of connectors; the value, with the number of pins put in, is that of the part."""

    BOX_HEADER = "box header, {} pins"
    """Takes the socket of a flat cable."""
    PIN_HEADER = "pin header, {} pins"
    """Takes a housing with a crimp contact for each wire."""
    SCREW_TERMINAL = "screw terminal, {} wires"
    INLET = "DC inlet 5.5 × 2.1 mm"


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part of the board.

    ``ref`` is its designator: ``letters``, then a ``number`` (``U10``) or a ``site`` (``RE-D4-2``). ``value`` is
    what is ordered; ``amount`` is a resistor's in Ω, a capacitor's in F. ``where`` says where the part is used;
    ``serves`` is the designator of the part that it belongs to. ``nets`` is by pin name; a pin that is not named
    there is left open on purpose.
    """

    ref: str
    letters: str
    number: int | None = None
    site: Site | None = None
    kind: Kind
    value: str
    amount: float = 0.0
    style: Style | None = None
    unit: Unit
    where: str
    serves: str = ""
    nets: Mapping[str, str]

    @property
    def title(self) -> str:
        """Its name for a reader: a connector's style, else the title of its kind."""
        return self.value if self.style else self.kind.title

    def net(self, name: str) -> str | None:
        """The net on the pin ``name``; None when it is open."""
        self.kind.pin(name)
        return self.nets.get(name)


class Unit(Enum):
    """The units that parts are mounted on; cables run between them (`harness`)."""

    SUPPLY = "supply"
    CONTROLLER = "controller board"
    SENSORS = "sensor board"
    TUBES = "tubes"
    LIGHTS = "lights"
    PI = "Raspberry Pi"
    PANEL = "panel"
    HOLDERS = "ring holders"


@dataclass(frozen=True, slots=True)
class Terminal:
    """One pin of one part, on a net."""

    part: Part
    pin: Pin

    def __str__(self) -> str:
        return f"{self.part.ref} pin {self.pin.number} ({self.pin.name})"


@dataclass(frozen=True)
class Circuit:
    """All parts of a board. Raises `ValueError` for a designator used twice or a pin that its kind has not."""

    name: str
    parts: tuple[Part, ...]

    def __post_init__(self) -> None:
        refs = [part.ref for part in self.parts]
        double = sorted({ref for ref in refs if refs.count(ref) > 1})
        if double:
            raise ValueError(f"{', '.join(double)}: used twice; allowed is each designator once")
        for part in self.parts:
            for name in part.nets:
                part.kind.pin(name)

    @cached_property
    def by_ref(self) -> dict[str, Part]:
        """The parts by designator."""
        return {part.ref: part for part in self.parts}

    @cached_property
    def nets(self) -> dict[str, tuple[Terminal, ...]]:
        """The terminals of each net, in the order of the parts and their pins."""
        found: dict[str, list[Terminal]] = {}
        for part in self.parts:
            for pin in part.kind.pins:
                net = part.nets.get(pin.name)
                if net is not None:
                    found.setdefault(net, []).append(Terminal(part, pin))
        return {net: tuple(terminals) for net, terminals in found.items()}

    def serving(self, ref: str, *keys: str) -> Iterator[Part]:
        """The parts of these kinds that belong to the part ``ref``, in order."""
        return (part for part in self.of_kind(*keys) if part.serves == ref)

    def of_kind(self, *keys: str) -> Iterator[Part]:
        """The parts of these kinds, in order."""
        return (part for part in self.parts if part.kind.key in keys)

    def on(self, unit: Unit) -> Iterator[Part]:
        """The parts of a unit, in order."""
        return (part for part in self.parts if part.unit is unit)


#: The file of parts.
PARTS = Path(__file__).resolve().parents[1] / "parts.toml"

#: The Raspberry Pi whose header is shown: a Zero 2 W. All of 40 pins have the same header.
PI_REVISION = 0x902120


@dataclass(frozen=True, slots=True)
class Order:
    """Manufacturer and order code of one value of a kind."""

    maker: str
    number: str


@dataclass(frozen=True, slots=True)
class Mount:
    """The part that a factory mounts on an ordered board: its footprint (``library:name``) and its order code.

    ``pieces`` is how many of it a part needs; ``title`` says what it is where it only holds the part.
    """

    footprint: str
    order: Order
    pieces: int = 1
    title: str = ""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The kinds of parts by key; by key and value, the order codes of those that come in several values.

    ``mounts`` has the parts for ordered circuit boards, by key and value, the value empty for a kind of one.
    """

    kinds: dict[str, Kind]
    orders: dict[tuple[str, str], Order]
    mounts: dict[tuple[str, str], Mount]

    def mount(self, part: Part) -> Mount:
        """What is mounted for a part. Raises `KeyError` for one that no circuit board carries."""
        found = self.mounts.get((part.kind.key, "")) or self.mounts.get((part.kind.key, part.value))
        if found is None:
            raise KeyError(f"{part.ref}: no footprint for {part.kind.key} {part.value!r} in parts.toml, mounted")
        return found

    def kind(self, key: str) -> Kind:
        """The kind of that key. Raises `KeyError`."""
        return self.kinds[key]

    def connector(self, names: tuple[str, ...], labels: tuple[str, ...]) -> Kind:
        """A connector whose pins, from 1 on, have these names and labels."""
        pairs = enumerate(zip(names, labels, strict=True), 1)
        pins = tuple(Pin(str(number), name, Role.PASSIVE, label) for number, (name, label) in pairs)
        return replace(self.kinds["connector"], pins=pins)


def load_catalogue(path: Path = PARTS) -> Catalogue:
    """The catalogue in a file of parts. Raises `WiringError` for one that cannot be read."""
    try:
        return _catalogue(tomllib.loads(path.read_text(encoding="utf-8")))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        words = f"{type(error).__name__} {error}"
        raise WiringError(f"{path}: {words}; allowed are kinds and orders, as it came") from error


def _catalogue(values: dict[str, Any]) -> Catalogue:
    kinds = {key: _kind(key, table) for key, table in values["kinds"].items()}
    kinds["pi"] = replace(kinds["pi"], pins=pi_pins())
    orders = {
        (key, value): Order(*order) for key, table in values["orders"].items() for value, order in table.items()
    }
    mounts = {
        (key, value): Mount(footprint, Order(maker, number), *more)
        for key, table in values["mounted"].items()
        for value, (footprint, maker, number, *more) in table.items()
    }
    return Catalogue(kinds, orders, mounts)


def pi_pins() -> tuple[Pin, ...]:
    """The 40 pins of the header, named as gpiozero's own board data names them, the supplies made unique."""
    header = PiBoardInfo.from_revision(PI_REVISION).headers["J8"]
    pins = []
    for number, pin in sorted(header.pins.items()):
        if pin.name.startswith("GPIO"):
            bcm = int(pin.name.removeprefix("GPIO"))
            pins.append(Pin(str(number), pin.name, Role.ANY, pin.name, bcm, frozenset(pin.interfaces)))
        else:
            role = Role.GROUND if pin.name == "GND" else Role.SUPPLY
            pins.append(Pin(str(number), f"{pin.name}.{number}", role, pin.name))
    return tuple(pins)


def _kind(key: str, table: dict[str, Any]) -> Kind:
    pins = tuple(
        Pin(number, name, Role(role), *(label or (name,)))
        for number, name, role, *label in map(str.split, table["pins"].splitlines())
    )
    return Kind(
        key=key,
        title=table["title"],
        detail=table.get("detail", ""),
        package=table["package"],
        maker=table["maker"],
        number=table["number"],
        alternatives=tuple(table["alternatives"]),
        typical=table["typical"],
        worst=table["worst"],
        pins=pins,
    )
