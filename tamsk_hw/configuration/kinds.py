"""The values of the configuration and their kinds."""

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from enum import Enum
from ipaddress import ip_address
from pathlib import Path
from typing import Any

from tamsk_hw.board.protocol import NO_BOARD_IDS
from tamsk_hw.errors import printable

_HOST_NAME = re.compile(r"[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*")

#: Names of halls and boards: each is one level of an MQTT topic.
IS_PLACE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,39}", re.ASCII).fullmatch


class UnfitError(Exception):
    """A value that its kind does not allow; the file's reader reports it with its place."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Base:
    """The folders that paths in a file stand on."""

    folder: Path = Path("/")
    """The start of relative paths: the file's own folder."""
    home: Path | None = None
    """The folder of ``~``; None when the user has no home."""


def _quoted(text: object) -> str:
    """A text as a TOML string; JSON's form of printable characters is TOML, too."""
    return json.dumps(str(text), ensure_ascii=False)


def _is_text(value: Any) -> bool:
    return isinstance(value, str)


@dataclass(frozen=True, slots=True)
class Kind:
    """A kind of value: ``allowed`` in words that follow "allowed is", True of ``fits`` for TOML's values of it.

    ``take`` makes the program's value, or raises `ValueError` for one that is not allowed after all. ``shown`` is
    its text in the file. ``word`` stands for None.
    """

    allowed: str
    fits: Callable[[Any], bool]
    take: Callable[[Any, Base], Any] = lambda value, base: value
    shown: Callable[[Any], str] = _quoted
    word: str | None = None
    unit: str = ""

    def read(self, value: object, base: Base) -> Any:
        """The program's value for one of TOML's. Raises `UnfitError`."""
        if self.word is not None and value == self.word:
            return None
        with suppress(ValueError):
            if self.fits(value):
                return self.take(value, base)
        raise UnfitError

    def write(self, value: Any) -> str:
        """The program's value as it stands in the file."""
        return _quoted(self.word) if value is None else self.shown(value)


def _is_whole(value: Any, least: int, most: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def whole(least: int, most: int, unit: str = "") -> Kind:
    """A whole number without a decimal point."""
    of = f" of {unit}" if unit else ""
    allowed = f"a whole number{of}, {least} to {most}"
    return Kind(allowed, lambda value: _is_whole(value, least, most), shown=str, unit=unit)


def number(least: float, most: float, unit: str, bounds: str, noun: str = "", *, open_: bool = False) -> Kind:
    """A number, ``least`` to ``most``; ``open_``: neither bound itself. Neither infinite nor "not a number"."""

    def fits(value: Any) -> bool:
        is_number = isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most
        return is_number and not (open_ and value in (least, most))

    return Kind(
        f"{noun or f'a number of {unit}'}, {bounds}",
        fits,
        lambda value, base: float(value),
        lambda value: repr(float(value)),
        unit=unit,
    )


def choice(enum: type[Enum], word: str | None = None) -> Kind:
    """One of the values of ``enum``, or ``word``."""
    words = [f'"{item.value}"' for item in enum] + ([f'"{word}"'] if word else [])
    return Kind(
        f"{', '.join(words[:-1])} or {words[-1]}",
        _is_text,
        lambda value, base: enum(value),
        lambda value: _quoted(value.value),
        word,
    )


def path(word: str) -> Kind:
    """A file or folder, made a full path; nothing is looked up on the disk."""

    def take(value: str, base: Base) -> Path:
        if value != "~" and not value.startswith("~/"):
            return base.folder / value
        if base.home is None:
            raise UnfitError
        return base.home / value[2:].lstrip("/")

    allowed = f'a path, or "{word}"'
    return Kind(allowed, lambda text: isinstance(text, str) and text.isprintable() and text != "", take, word=word)


def _are_host_names(value: Any) -> bool:
    return (
        isinstance(value, list)
        and len(value) <= 20
        and all(isinstance(name, str) and _HOST_NAME.fullmatch(name) for name in value)
    )


#: Yes or no.
FLAG = Kind("true or false", lambda flag: isinstance(flag, bool), shown=lambda flag: "true" if flag else "false")

#: Times and shares of sensing, and of the rules as `Ruleset` takes them.
DWELL = number(0, 60, "seconds", "more than 0 and less than 60", open_=True)
WINDOW = number(0, 1e15, "seconds", "0 or more")
SHARE = number(0, 1, "share", "more than 0 and less than 1", "a share of a seated glass's field", open_=True)

#: Red, green and blue.
COLOUR = Kind(
    "[red, green, blue], each a whole number, 0 to 255",
    lambda value: isinstance(value, list) and len(value) == 3 and all(_is_whole(part, 0, 255) for part in value),
    lambda value, base: tuple(value),
    lambda value: str(list(value)),
)

#: A person's name; empty for nobody.
NAME = Kind(
    "a text of at most 40 printable characters, empty for nobody",
    lambda value: isinstance(value, str) and len(value) <= 40 and printable(value) == value,
    lambda value, base: value.strip() or None,
    word="",
)

#: A device by its full path: as it stands, so that a symlink is followed when the device is opened.
DEVICE = Kind(
    'the full path of a device, as "/dev/tamsk-board", or "none"',
    lambda value: isinstance(value, str) and value.startswith("/") and value.isprintable(),
    word="none",
)

#: An address of this computer, as a number.
ADDRESS = Kind(
    'an address, as "127.0.0.1" for this computer alone, "0.0.0.0" or "::" for the network, too',
    _is_text,
    lambda value, base: str(ip_address(value)),
)

#: Another computer, by its name or address.
HOST = Kind(
    'a computer\'s name or address, as "tamsk.local" or "192.168.1.20"',
    lambda value: isinstance(value, str) and 0 < len(value) <= 253 and value.isprintable() and " " not in value,
)

#: The name of a hall, or of a board in it.
PLACE_NAME = Kind(
    "at most 40 letters of English, digits, dashes and underscores, the first a letter or digit",
    lambda value: isinstance(value, str) and IS_PLACE_NAME(value) is not None,
)

#: Names by which computers in a network call this one.
HOST_NAMES = Kind(
    'a list of at most 20 names of this computer, as ["tamsk.local"]',
    _are_host_names,
    lambda value, base: tuple(name.lower() for name in value),
    lambda value: f"[{', '.join(map(_quoted, value))}]",
)

#: A board's id as the program shows it.
BOARD_ID = Kind(
    'the eight hexadecimal digits of a board\'s id, as "0a1b2c3d", not all 0 or all f, or "any"',
    lambda value: (
        isinstance(value, str)
        and re.fullmatch("[0-9A-Fa-f]{8}", value) is not None
        and int(value, 16) not in NO_BOARD_IDS
    ),
    lambda value, base: int(value, 16),
    lambda value: _quoted(f"{value:08x}"),
    "any",
)
