"""Strict reader of a TOML table: an unknown key, a wrong type or a value out of range is refused by its key."""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from tamsk_hw.errors import WiringError, printable


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
