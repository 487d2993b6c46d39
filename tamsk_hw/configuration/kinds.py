"""The kinds of values that a key of the configuration may have: read from TOML, shown as TOML, put in words."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from typing import Any, Protocol

from tamsk_hw.board.protocol.messages import NO_BOARD_IDS
from tamsk_hw.errors import printable

_HOST_NAME = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")


class UnfitError(Exception):
    """A value that its kind does not allow; whoever reads the file says so, with the place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """The folders that paths in a file stand on."""

    folder: Path = Path("/")
    """Where relative paths begin: the file's own folder."""
    home: Path | None = None
    """The folder of ``~``; None when the user has no home."""


class Kind(Protocol):
    """One kind of value."""

    @property
    def allowed(self) -> str:
        """The values that are allowed, in words that follow "allowed is"."""

    @property
    def unit(self) -> str:
        """The unit of its numbers; empty when it has none."""

    def read(self, value: object, base: Base) -> Any:
        """The value as the program wants it, from what TOML gives. Raises `UnfitError`."""

    def write(self, value: Any) -> str:
        """The program's value as it stands in the file."""


@dataclass(frozen=True, slots=True)
class Flag:
    """Yes or no."""

    allowed: str = "true or false"
    unit: str = ""

    def read(self, value: object, base: Base) -> bool:
        """A boolean."""
        if not isinstance(value, bool):
            raise UnfitError
        return value

    def write(self, value: bool) -> str:
        """``true`` or ``false``."""
        return "true" if value else "false"


@dataclass(frozen=True, slots=True, kw_only=True)
class Whole:
    """A whole number, ``least`` to ``most``."""

    least: int
    most: int
    unit: str = ""

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        return f"a whole number{_of(self.unit)}, {self.least} to {self.most}"

    def read(self, value: object, base: Base) -> int:
        """A number without a decimal point."""
        if isinstance(value, bool) or not isinstance(value, int) or not self.least <= value <= self.most:
            raise UnfitError
        return value

    def write(self, value: int) -> str:
        """Its digits."""
        return str(value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Number:
    """A number, ``least`` to ``most``; with ``between`` neither bound itself.

    ``noun`` puts the number in words, ``bounds`` its bounds, where the usual ones do not fit.
    """

    least: float
    most: float
    unit: str = ""
    noun: str = ""
    between: bool = False
    bounds: str = ""

    @property
    def allowed(self) -> str:
        """The bounds in words."""
        bounds = f"{self.least:g} to {self.most:g}"
        if self.between:
            bounds = f"more than {self.least:g} and less than {self.most:g}"
        return f"{self.noun or f'a number{_of(self.unit)}'}, {self.bounds or bounds}"

    def read(self, value: object, base: Base) -> float:
        """A number with or without a decimal point; neither infinite nor "not a number"."""
        if isinstance(value, bool) or not isinstance(value, int | float) or not self.least <= value <= self.most:
            raise UnfitError
        if self.between and value in (self.least, self.most):
            raise UnfitError
        return float(value)

    def write(self, value: float) -> str:
        """The shortest digits that give it back."""
        return repr(float(value))


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the values of ``enum``; with ``none``, that word stands for None."""

    enum: type[Enum]
    none: str = ""
    unit: str = ""

    @property
    def allowed(self) -> str:
        """Its values."""
        return _either([str(item.value) for item in self.enum] + [self.none] * bool(self.none))

    def read(self, value: object, base: Base) -> Enum | None:
        """The member of the enum."""
        if isinstance(value, str):
            if self.none and value == self.none:
                return None
            for item in self.enum:
                if item.value == value:
                    return item
        raise UnfitError

    def write(self, value: Enum | None) -> str:
        """Its word."""
        return _quoted(self.none if value is None else str(value.value))


@dataclass(frozen=True, slots=True)
class Colour:
    """Red, green and blue."""

    allowed: str = "[red, green, blue], each a whole number, 0 to 255"
    unit: str = ""

    def read(self, value: object, base: Base) -> tuple[int, int, int]:
        """A list of three numbers."""
        if not isinstance(value, list) or len(value) != 3:
            raise UnfitError
        part = Whole(least=0, most=255)
        return part.read(value[0], base), part.read(value[1], base), part.read(value[2], base)

    def write(self, value: tuple[int, int, int]) -> str:
        """A list."""
        return str(list(value))


@dataclass(frozen=True, slots=True)
class Name:
    """A person's name; empty for nobody."""

    allowed: str = "a text of at most 40 printable characters, empty for nobody"
    unit: str = ""

    def read(self, value: object, base: Base) -> str | None:
        """The name without white space around it."""
        if not isinstance(value, str) or len(value) > 40 or printable(value) != value:
            raise UnfitError
        return value.strip() or None

    def write(self, value: str | None) -> str:
        """The name in quotes."""
        return _quoted(value or "")


@dataclass(frozen=True, slots=True)
class Device:
    """A device by its full path, or ``"none"``."""

    allowed: str = 'the full path of a device, as "/dev/tamsk-board", or "none"'
    unit: str = ""

    def read(self, value: object, base: Base) -> str | None:
        """The path as it stands, so that a symlink is followed when the device is opened."""
        if value == "none":
            return None
        if not isinstance(value, str) or not value.startswith("/") or not value.isprintable():
            raise UnfitError
        return value

    def write(self, value: str | None) -> str:
        """The path in quotes."""
        return _quoted(value or "none")


@dataclass(frozen=True, slots=True)
class Address:
    """An address of this computer, as a number."""

    allowed: str = 'an address, as "127.0.0.1" for this computer alone, "0.0.0.0" or "::" for the network, too'
    unit: str = ""

    def read(self, value: object, base: Base) -> str:
        """The address in its shortest form."""
        if not isinstance(value, str):
            raise UnfitError
        try:
            return str(ip_address(value))
        except ValueError:
            raise UnfitError from None

    def write(self, value: str) -> str:
        """The address in quotes."""
        return _quoted(value)


@dataclass(frozen=True, slots=True)
class HostNames:
    """Names by which computers in a network call this one."""

    allowed: str = 'a list of at most 20 names of this computer, as ["tamsk.local"]'
    unit: str = ""

    def read(self, value: object, base: Base) -> tuple[str, ...]:
        """The names in small letters."""
        if not isinstance(value, list) or len(value) > 20:
            raise UnfitError
        if not all(
            isinstance(name, str) and re.fullmatch(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*", name) for name in value
        ):
            raise UnfitError
        return tuple(name.lower() for name in value)

    def write(self, value: tuple[str, ...]) -> str:
        """A list of names in quotes."""
        return f"[{', '.join(map(_quoted, value))}]"


@dataclass(frozen=True, slots=True)
class FilePath:
    """A file or folder; ``word`` stands for what is taken without one, None."""

    word: str
    unit: str = ""

    @property
    def allowed(self) -> str:
        """A path or the word."""
        return f'a path, or "{self.word}"'

    def read(self, value: object, base: Base) -> Path | None:
        """The full path; nothing is looked up on the disk."""
        if value == self.word:
            return None
        if not isinstance(value, str) or not value or not value.isprintable():
            raise UnfitError
        if value == "~" or value.startswith("~/"):
            if base.home is None:
                raise UnfitError
            return base.home / value[2:].lstrip("/")
        return base.folder / value

    def write(self, value: Path | None) -> str:
        """The path in quotes."""
        return _quoted(self.word if value is None else str(value))


@dataclass(frozen=True, slots=True)
class BoardId:
    """A board's id as the program shows it, or ``"any"``."""

    allowed: str = 'the eight hexadecimal digits of a board\'s id, as "0a1b2c3d", not all 0 or all f, or "any"'
    unit: str = ""

    def read(self, value: object, base: Base) -> int | None:
        """The id as a number."""
        if value == "any":
            return None
        if not isinstance(value, str) or not re.fullmatch("[0-9A-Fa-f]{8}", value):
            raise UnfitError
        if int(value, 16) in NO_BOARD_IDS:
            raise UnfitError
        return int(value, 16)

    def write(self, value: int | None) -> str:
        """Its digits in quotes."""
        return _quoted("any" if value is None else f"{value:08x}")


def _of(unit: str) -> str:
    return f" of {unit}" if unit else ""


def _quoted(text: str) -> str:
    """A text as a TOML string; what JSON writes of printable characters is TOML, too."""
    return json.dumps(text, ensure_ascii=False)


def _either(words: list[str]) -> str:
    quoted = [f'"{word}"' for word in words]
    return f"{', '.join(quoted[:-1])} or {quoted[-1]}"
