"""What a circuit is: kinds of parts with their pins, parts, nets. It knows no wiring map."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from functools import cached_property


class Role(Enum):
    """What a pin does, as `wiring/parts.toml` names it."""

    SUPPLY = "supply"
    GROUND = "ground"
    INPUT = "input"
    OUTPUT = "output"
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
    """A pin of a kind of part: its number on the package, its name in the data sheet, what it does."""

    number: str
    name: str
    role: Role


@dataclass(frozen=True, slots=True, kw_only=True)
class Kind:
    """A kind of part, as `wiring/parts.toml` has it; ``typical`` and ``worst`` are mA into its supply pin."""

    key: str
    title: str
    package: str
    maker: str
    number: str
    alternatives: tuple[str, ...]
    typical: float
    worst: float
    pins: tuple[Pin, ...]

    def pin(self, name: str) -> Pin:
        """The pin of that name. Raises `KeyError` when there is none."""
        for pin in self.pins:
            if pin.name == name:
                return pin
        raise KeyError(f"{self.key} has no pin {name!r}; it has {', '.join(pin.name for pin in self.pins)}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Part:
    """One part: its designator (``U10``), kind, value, the unit it is on, where it is used, and its nets.

    ``nets`` is by pin name; a pin that is not named there is left open on purpose.
    """

    ref: str
    kind: Kind
    value: str
    unit: Unit
    where: str
    nets: Mapping[str, str]

    def net(self, name: str) -> str | None:
        """The net on the pin ``name``; None when it is open."""
        self.kind.pin(name)
        return self.nets.get(name)


class Unit(Enum):
    """What a part is mounted on; cables run between units (`harness`)."""

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

    def of_kind(self, *keys: str) -> Iterator[Part]:
        """The parts of these kinds, in order."""
        return (part for part in self.parts if part.kind.key in keys)

    def on(self, unit: Unit) -> Iterator[Part]:
        """The parts of a unit, in order."""
        return (part for part in self.parts if part.unit is unit)
