"""From a file's text to a `Configuration`: every key known, every value of its kind, or refused in one line.

Pure: nothing is looked up on the disk. A refusal names file, line, key, what stands there and what is allowed.
"""

from __future__ import annotations

import re
from dataclasses import replace
from difflib import get_close_matches
from functools import cached_property
from typing import Any

from tamsk_hw.board.strict_toml import show
from tamsk_hw.configuration.keys import RETIRED, SECTION_OF_NAME, SECTIONS, Key, Section
from tamsk_hw.configuration.kinds import Base, UnfitError
from tamsk_hw.configuration.lines import Lines, lines_of
from tamsk_hw.configuration.values import Configuration
from tamsk_hw.errors import ConfigError, SettingError, printable
from tamsk_hw.system.bounded_toml import TomlError, parse_toml

#: Bytes that a configuration may have; the sample file has about a tenth.
MOST_BYTES = 64 * 1024

_TOML = 'KEY = VALUE below a [SECTION], texts in "quotes"'


def decode_configuration(data: bytes, file: str) -> str:
    """The text of a configuration file, a byte order mark left out.

    Raises `ConfigError` for bytes that are not UTF-8.
    """
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(
            f"{file}: line {line}: byte {data[error.start]:#04x} is not UTF-8; save the file as UTF-8"
        ) from None


def parse_configuration(text: str, file: str, base: Base | None = None) -> Configuration:
    """The configuration in ``text``; what is not given has its default.

    ``file`` is the file's name in messages, ``base`` what paths in it stand on. Raises `ConfigError`, one line:
    file, line, key, what stands there, what is allowed.
    """
    return _Reader(text, file, base or Base()).read()


class _Reader:
    """One file being read."""

    def __init__(self, text: str, file: str, base: Base) -> None:
        self._text = text
        self._file = file
        self._base = base
        self._given: dict[str, dict[str, Any]] = {section.name: {} for section in SECTIONS}
        self._retired: list[str] = []

    def read(self) -> Configuration:
        """The configuration, or a refusal."""
        parsed = self._parse()
        for name, value in parsed.items():
            if name not in SECTION_OF_NAME:
                raise self._unknown((name,), value)
            self._section(SECTION_OF_NAME[name], value)
        made = {section.name: self._make(section) for section in SECTIONS}
        made["lights"] = replace(made["lights"], palette=made.pop("lights.palette"))
        return Configuration(**made, retired=tuple(self._retired))

    @cached_property
    def _lines(self) -> Lines:
        """Line numbers of the file's keys, needed only for refusals."""
        return lines_of(self._text)

    def _parse(self) -> dict[str, object]:
        try:
            return parse_toml(self._text)
        except TomlError as error:
            raise self._no_toml(str(error)) from None

    def _no_toml(self, complaint: str) -> ConfigError:
        """The refusal of a text that is not TOML; ``complaint`` is `tomllib`'s message."""
        if self._lines.twice is not None:
            name, line = self._lines.twice
            first = self._lines.first[name]
            return self._refuse(line, f"{_full(name)}: given twice, first in line {first}; allowed is once")
        placed = re.fullmatch(r"(.*) \((?:at line (\d+), column (\d+)|at end of document)\)", complaint, re.DOTALL)
        what, line = (placed[1], int(placed[2] or 0)) if placed else (complaint, 0)
        # An open text or bracket is noticed where the document ends: what matters is where it begins.
        line = line or self._lines.stuck or self._text.count("\n") + 1
        stands = " ".join(self._text.split("\n")[line - 1].split())
        stands = stands if len(stands) <= 60 else stands[:57] + "..."
        return self._refuse(
            line, f"{stands or 'an empty line'}: no TOML ({what[:1].lower()}{what[1:]}); allowed is {_TOML}"
        )

    def _section(self, section: Section, value: object) -> None:
        """Take the values of one section."""
        path = tuple(section.name.split("."))
        if not isinstance(value, dict):
            is_tables = isinstance(value, list) and value and isinstance(value[0], dict)
            shown = "a list of tables" if is_tables else show(value)
            raise self._refuse_key(path, f"{shown}; allowed is a section, [{section.name}]")
        keys = {key.name: key for key in section.keys}
        for name, item in value.items():
            inner = SECTION_OF_NAME.get(f"{section.name}.{name}")
            if inner is not None:
                self._section(inner, item)
            elif f"{section.name}.{name}" in RETIRED:
                self._retired.append(f"{section.name}.{name}")
            elif name in keys:
                self._given[section.name][name] = self._value((*path, name), keys[name], item)
            else:
                raise self._unknown((*path, name), item)

    def _value(self, path: tuple[str, ...], key: Key, value: object) -> Any:
        try:
            return key.kind.read(value, self._base)
        except UnfitError:
            raise self._refuse_key(path, f"{show(value)}; allowed is {key.kind.allowed}") from None

    def _make(self, section: Section) -> Any:
        """The section's dataclass; it refuses values that do not go together."""
        given = self._given[section.name]
        try:
            return section.make(**given)
        except SettingError as error:
            place = section.name.split(".")
            words = f"{error.value!r}; allowed is {error.allowed}"
            other = next((key for key in error.against if key in given), None)
            if error.key in given or other is None:
                raise self._refuse_key((*place, error.key), words) from None
            raise self._refuse_key((*place, other), f"does not go with {error.key}: {words}") from None

    def _unknown(self, path: tuple[str, ...], value: object) -> ConfigError:
        """The refusal of a name that is not in the table, with the nearest one that is."""
        *place, name = path
        inside = ".".join(place)
        known = _names_in(inside)
        what = "key" if place or not isinstance(value, dict | list) else "section"
        meant = ""
        # What stands in another section is worth a word only for a key: its line moves there.
        elsewhere = {key.name: section.name for section in reversed(SECTIONS) for key in section.keys}
        if near := _near(name, known):
            meant = f" did you mean {near}?"
        elif what == "key" and (near := _near(name, list(elsewhere))):
            meant = f" did you mean {near} in [{elsewhere[near]}]?"
        verb = "are" if len(known) > 1 else "is"
        listed = f"allowed {verb} {'' if place else 'the sections '}{', '.join(known)}"
        return self._refuse_key(path, f"unknown {what};{meant} {listed}")

    def _refuse_key(self, path: tuple[str, ...], words: str) -> ConfigError:
        return self._refuse(self._lines.first.get(path), f"{_full(path)}: {words}", path)

    def _refuse(self, line: int | None, words: str, path: tuple[str, ...] = ()) -> ConfigError:
        where = self._file if line is None else f"{self._file}: line {line}"
        return ConfigError(printable(f"{where}: {words}"), line=line, path=path)


def _names_in(place: str) -> list[str]:
    """The keys and sections that a section may hold, or the file when ``place`` is empty."""
    keys = [key.name for key in SECTION_OF_NAME[place].keys] if place else []
    start = f"{place}." if place else ""
    inner = [name[len(start) :] for name in SECTION_OF_NAME if name.startswith(start)]
    return keys + [name for name in inner if "." not in name]


def _near(name: str, known: list[str]) -> str | None:
    """The known name that is most like ``name``."""
    found = get_close_matches(name[:60].lower(), known, n=1, cutoff=0.6)
    return found[0] if found else None


def _full(path: tuple[str, ...]) -> str:
    """A key's full name, parts that TOML wants quoted in quotes, long ones cut."""
    parts = [part if len(part) <= 60 else part[:57] + "..." for part in path]
    return ".".join(part if re.fullmatch(r"[\w-]+[.]{0,3}", part, re.ASCII) else show(part) for part in parts)
