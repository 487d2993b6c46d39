"""Reads the kinds of parts from `wiring/parts.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gpiozero.pins.pi import PiBoardInfo

from tamsk_hw.errors import WiringError
from wiring.make.circuit.model import Kind, Part, Pin, Role

#: The file of parts.
PARTS = Path(__file__).resolve().parents[2] / "parts.toml"

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
