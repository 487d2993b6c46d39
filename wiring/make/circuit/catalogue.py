"""Reads the kinds of parts from `wiring/parts.toml`."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from gpiozero.pins.pi import PiBoardInfo

from tamsk_hw.errors import WiringError
from wiring.make.circuit.model import Kind, Pin, Role

#: The file, from where this module stands.
PARTS = Path(__file__).resolve().parents[2] / "parts.toml"

#: The Raspberry Pi whose header is shown: a Zero 2 W. All of 40 pins have the same header.
PI_REVISION = 0x902120


@dataclass(frozen=True, slots=True)
class Order:
    """Where one value of a kind is ordered: manufacturer and order code."""

    maker: str
    number: str


@dataclass(frozen=True, slots=True)
class Catalogue:
    """The kinds of parts by key, and the order codes of those that come in several values."""

    kinds: dict[str, Kind]
    orders: dict[tuple[str, str], Order]

    def kind(self, key: str) -> Kind:
        """The kind of that key. Raises `KeyError`."""
        return self.kinds[key]

    def connector(self, names: tuple[str, ...]) -> Kind:
        """A connector whose pins, from 1 on, have these names."""
        pins = tuple(Pin(str(number), name, Role.PASSIVE) for number, name in enumerate(names, 1))
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
    return Catalogue(kinds, orders)


def pi_pins() -> tuple[Pin, ...]:
    """The 40 pins of the header, named as gpiozero's own board data names them, the supplies made unique."""
    header = PiBoardInfo.from_revision(PI_REVISION).headers["J8"]
    pins = []
    for number, pin in sorted(header.pins.items()):
        name = pin.name
        role = Role.SUPPLY if name.endswith("V3") or name.endswith("5V") else Role.ANY
        if name == "GND":
            role = Role.GROUND
        pins.append(Pin(str(number), name if role is Role.ANY else f"{name}.{number}", role))
    return tuple(pins)


def pi_interfaces(bcm: int) -> frozenset[str]:
    """What a GPIO can be besides plain, by gpiozero's board data: ``"pwm"``, ``"pcm"``, ``"spi"``, …"""
    header = PiBoardInfo.from_revision(PI_REVISION).headers["J8"]
    for pin in header.pins.values():
        if pin.name == f"GPIO{bcm}":
            return frozenset(pin.interfaces)
    raise KeyError(bcm)


def _kind(key: str, table: dict[str, Any]) -> Kind:
    pins = tuple(
        Pin(number, name, Role(role))
        for number, name, role in (line.split() for line in table["pins"].split("\n") if line)
    )
    return Kind(
        key=key,
        title=table["title"],
        package=table["package"],
        maker=table["maker"],
        number=table["number"],
        alternatives=tuple(table["alternatives"]),
        typical=table["typical"],
        worst=table["worst"],
        pins=pins,
    )
