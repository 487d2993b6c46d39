"""Reads the prices from `wiring/parts.toml`."""

from __future__ import annotations

import datetime
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from tamsk_hw.errors import WiringError
from wiring.make.circuit.catalogue import PARTS


@dataclass(frozen=True, slots=True)
class Source:
    """The origin of prices: its day, a page where they were ``seen`` or "" where assumed, and the reasoning."""

    number: int
    currency: str
    date: datetime.date
    seen: str
    why: str


@dataclass(frozen=True, slots=True)
class Price:
    """The price of one piece or one metre, in the currency of its source."""

    amount: float
    source: Source


@dataclass(frozen=True, slots=True)
class Prices:
    """Prices by order code, or by name for what has none; ``euros`` are what a unit of a currency is worth."""

    sources: tuple[Source, ...]
    known: Mapping[str, Price]
    euros: Mapping[str, float]

    def of(self, key: str) -> Price:
        """The price of an order code or name. Raises `WiringError`."""
        found = self.known.get(key)
        if found is None:
            raise WiringError(f"{key}: no price; add it to a table of prices in wiring/parts.toml")
        return found

    def in_euros(self, key: str) -> float:
        """The same in euros."""
        price = self.of(key)
        return price.amount * self.euros[price.source.currency]


def load_prices(path: Path = PARTS) -> Prices:
    """The prices in a file of parts. Raises `WiringError` for one that cannot be read, or a price given twice."""
    try:
        values = tomllib.loads(path.read_text(encoding="utf-8"))
        sources = tuple(
            Source(number, table["currency"], table["date"], table["seen"], table["why"])
            for number, table in enumerate(values["prices"], 1)
        )
        known: dict[str, Price] = {}
        for source, table in zip(sources, values["prices"], strict=True):
            for key, amount in table["each"].items():
                if key in known:
                    raise WiringError(f"{path}: {key}: two prices; allowed is one")
                known[key] = Price(float(amount), source)
        return Prices(sources, known, {"EUR": 1.0, **values["euros"]})
    except (ValueError, KeyError, TypeError) as error:
        words = f"{type(error).__name__} {error}"
        raise WiringError(f"{path}: {words}; allowed are prices with currency, date, seen, why, each") from error
