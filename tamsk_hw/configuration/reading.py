"""The configuration file: found and read.

It is the first that is there of: the file named on the command line, the one named by ``$TAMSK_HW_CONFIG``,
``/etc/tamsk-hw/config.toml``, ``tamsk-hw/config.toml`` in ``$XDG_CONFIG_HOME`` or ``~/.config``; without any,
every value is its default. A file that is named must be there. One that is there but cannot be read is refused,
never passed over. A refusal names file, line, key, what stands there and what is allowed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from difflib import get_close_matches
from pathlib import Path
from typing import Any, NamedTuple

from tamsk_hw.board.wiring import Wiring
from tamsk_hw.configuration.kinds import Base, UnfitError
from tamsk_hw.configuration.settings import SECTIONS, SYSTEM_STATE, Configuration, Key, Section
from tamsk_hw.errors import ConfigError, InputError, SettingError, printable
from tamsk_hw.game.ruleset import Ruleset, Start, missing_corners
from tamsk_hw.game.tubes import names_of
from tamsk_hw.system.files import TomlError, parse_toml, read_file

#: The variable that names a configuration file.
VARIABLE = "TAMSK_HW_CONFIG"

#: The configuration of the service.
SYSTEM_FILE = Path("/etc/tamsk-hw/config.toml")

#: Bytes that a configuration may have; the sample file has about a tenth.
MOST_BYTES = 64 * 1024

_TOML = 'KEY = VALUE below a [SECTION], texts in "quotes"'

#: Lines that one statement may have before the search for its end is given up: no setting is that long.
_LONGEST = 100

_SECTION_OF_NAME = {section.name: section for section in SECTIONS}

#: The full name of a table or key, part by part.
_KeyPath = tuple[str, ...]

#: Parts of a name beyond which none is looked for: those that are known have three.
_DEEPEST = 8


# Finding the file


@dataclass(frozen=True, slots=True, kw_only=True)
class Places:
    """Places for configuration and state on this computer."""

    named: Path | None = None
    """The file that ``$TAMSK_HW_CONFIG`` names."""
    system: Path = SYSTEM_FILE
    """The service's file."""
    user: Path | None = None
    """The user's file; None for a user without a home."""
    system_state: Path = SYSTEM_STATE
    """The service's state folder."""
    user_state: Path | None = None
    """The user's state folder; None for a user without a home."""
    home: Path | None = None
    """The user's home."""

    @classmethod
    def of(
        cls, environment: Mapping[str, str], *, system: Path = SYSTEM_FILE, system_state: Path = SYSTEM_STATE
    ) -> Places:
        """The places that an environment names (XDG Base Directory Specification: relative paths do not count)."""
        full = {name: Path(value) for name, value in environment.items() if value.startswith("/")}
        home = full.get("HOME")
        config = full.get("XDG_CONFIG_HOME") or (home / ".config" if home else None)
        data = full.get("XDG_DATA_HOME") or (home / ".local/share" if home else None)
        named = environment.get(VARIABLE)
        return cls(
            named=Path(named) if named else None,
            system=system,
            user=config / "tamsk-hw" / "config.toml" if config else None,
            system_state=system_state,
            user_state=data / "tamsk-hw" if data else None,
            home=home,
        )

    @property
    def searched(self) -> tuple[Path, ...]:
        """The files that need not be there, in the order in which they are looked for."""
        return (self.system, self.user) if self.user else (self.system,)


def load_configuration(chosen: Path | None, places: Places) -> Configuration:
    """Read the configuration: the file ``chosen`` on the command line, else the first of ``places``, else none.

    Raises `ConfigError`, one line: file, line, key, what stands there, what is allowed; or why the file cannot be
    read.
    """
    state = state_folder(places)
    chosen = chosen or places.named
    for file in (chosen,) if chosen else places.searched:
        data = _read(file, must_be_there=chosen is not None)
        if data is not None:
            file = file.absolute()
            base = Base(folder=file.parent, home=places.home)
            configuration = parse_configuration(_decoded(data, file), str(file), base)
            return replace(configuration, file=file, state_folder=state)
    return Configuration(state_folder=state)


def state_folder(places: Places) -> Path:
    """The service's state folder where it is there, else the user's."""
    if places.user_state is None:
        return places.system_state
    try:
        return places.system_state if places.system_state.is_dir() else places.user_state
    except OSError:  # a folder above it is closed to this user
        return places.user_state


def ruleset_on(wiring: Wiring, configuration: Configuration, level: int | None = None) -> Ruleset:
    """The ruleset that games on this board begin with: a game has the tubes that the wiring map has.

    ``level`` stands in place of the configuration's.

    Raises:
        ConfigError: the glasses begin in corners that the board has not; one line that says what to do.
    """
    rules = configuration.ruleset
    missing = missing_corners(wiring.tubes)
    if missing and rules.start is Start.CORNERS:
        raise ConfigError(
            f'{configuration.origin}: ruleset.start: "corners"; allowed is "free", as this board (board.wiring) '
            f'has no {names_of(missing)}: write start = "free" below [ruleset]'
        )
    return replace(rules, tubes=wiring.tubes, level=rules.level if level is None else level)


def _read(file: Path, *, must_be_there: bool) -> bytes | None:
    """The file's bytes, no more than can be a configuration; None when it is not there."""
    try:
        return read_file(file, MOST_BYTES)
    except InputError as error:
        inside = f", as {file / 'config.toml'}" if file.is_dir() else ""
        raise ConfigError(f"{file}: {error}; allowed is a configuration in TOML{inside}") from None
    except (FileNotFoundError, NotADirectoryError) as error:
        if not must_be_there:
            return None
        reason = error.strerror
    except PermissionError:
        raise ConfigError(
            f"{file}: this user may not read it; needed is the right to read it, and to enter the folders above it"
        ) from None
    except OSError as error:
        reason = error.strerror
    raise ConfigError(f"{file}: cannot be read: {reason}; allowed is a configuration file")


def _decoded(data: bytes, file: Path) -> str:
    """The text of a configuration file, a byte order mark left out."""
    try:
        return data.decode("utf-8").removeprefix("\ufeff")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        raise ConfigError(
            f"{file}: line {line}: byte {data[error.start]:#04x} is not UTF-8; save the file as UTF-8"
        ) from None


# Reading its text


def parse_configuration(text: str, file: str, base: Base | None = None) -> Configuration:
    """The configuration in ``text``; what is not given has its default. Nothing is looked up on the disk.

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

    def read(self) -> Configuration:
        """The configuration, or a refusal."""
        try:
            parsed = parse_toml(self._text)
        except TomlError as error:
            raise self._no_toml(str(error)) from None
        for name, value in parsed.items():
            if name not in _SECTION_OF_NAME:
                raise self._unknown((name,), value)
            self._section(_SECTION_OF_NAME[name], value)
        made = {section.name: self._make(section) for section in SECTIONS}
        made["lights"] = replace(made["lights"], palette=made.pop("lights.palette"))
        return Configuration(**made)

    def _no_toml(self, complaint: str) -> ConfigError:
        """The refusal of a text that is not TOML; ``complaint`` is `tomllib`'s message."""
        placed = re.fullmatch(r"(.*) \((?:at line (\d+), column (\d+)|at end of document)\)", complaint, re.DOTALL)
        what, line = (placed[1], int(placed[2] or 0)) if placed else (complaint, 0)
        # An open text or bracket is noticed where the document ends: its beginning is what matters.
        line = line or _line_numbers(self._text).last
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
            inner = _SECTION_OF_NAME.get(f"{section.name}.{name}")
            if inner is not None:
                self._section(inner, item)
            elif name in keys:
                self._given[section.name][name] = self._value((*path, name), keys[name], item)
            else:
                raise self._unknown((*path, name), item)

    def _value(self, path: _KeyPath, key: Key, value: object) -> Any:
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

    def _unknown(self, path: _KeyPath, value: object) -> ConfigError:
        """The refusal of a name that no section has, with the nearest one that is known."""
        *place, name = path
        known = _names_in(".".join(place))
        kind = "key" if place or not isinstance(value, dict | list) else "section"
        meant = ""
        # A key of another section is worth a word only for a key: its line moves there.
        elsewhere = {key.name: section.name for section in reversed(SECTIONS) for key in section.keys}
        if near := _near(name, known):
            meant = f" did you mean {near}?"
        elif kind == "key" and (near := _near(name, list(elsewhere))):
            meant = f" did you mean {near} in [{elsewhere[near]}]?"
        verb = "are" if len(known) > 1 else "is"
        listed = f"allowed {verb} {'' if place else 'the sections '}{', '.join(known)}"
        return self._refuse_key(path, f"unknown {kind};{meant} {listed}")

    def _refuse_key(self, path: _KeyPath, words: str) -> ConfigError:
        return self._refuse(_line_numbers(self._text).first.get(path), f"{_full(path)}: {words}")

    def _refuse(self, line: int | None, words: str) -> ConfigError:
        where = self._file if line is None else f"{self._file}: line {line}"
        return ConfigError(printable(f"{where}: {words}"))


def _names_in(place: str) -> list[str]:
    """The keys and sections that a section may hold, or the file when ``place`` is empty."""
    keys = [key.name for key in _SECTION_OF_NAME[place].keys] if place else []
    start = f"{place}." if place else ""
    inner = [name[len(start) :] for name in _SECTION_OF_NAME if name.startswith(start)]
    return keys + [name for name in inner if "." not in name]


def _near(name: str, known: list[str]) -> str | None:
    """The known name that is most like ``name``."""
    found = get_close_matches(name[:60].lower(), known, n=1, cutoff=0.6)
    return found[0] if found else None


def _full(path: _KeyPath) -> str:
    """A key's full name, parts that TOML wants quoted in quotes, long ones cut."""
    parts = [part if len(part) <= 60 else part[:57] + "..." for part in path]
    return ".".join(part if re.fullmatch(r"[\w-]+[.]{0,3}", part, re.ASCII) else show(part) for part in parts)


# The lines on which keys stand, which `tomllib` does not tell


class _LineNumbers(NamedTuple):
    """Line numbers of a text, from 1: of each table and key where it is first given, and of the last line read.

    Reading ends with the text, or with the first statement that is no TOML.
    """

    first: dict[_KeyPath, int]
    last: int


def _line_numbers(text: str) -> _LineNumbers:
    """The line numbers of a text; only a refusal needs them.

    Each statement is read by `tomllib` itself: nothing here knows more of TOML than that a statement ends with its
    line, unless a bracket or a text is still open.
    """
    first: dict[_KeyPath, int] = {}
    table: _KeyPath = ()
    line = 1
    rows = text.replace("\r\n", "\n").split("\n")
    while line <= len(rows):
        read = _statement(rows, line)
        if read is None:
            return _LineNumbers(first, line)
        opening, names, count = read
        if opening.startswith("["):
            table = names[-1]
            names = [table[:end] for end in range(1, len(table) + 1)]
        else:
            names = [table + name for name in names]
        for name in names:
            first.setdefault(name, line)
        line += count
    return _LineNumbers(first, len(rows))


def _statement(rows: list[str], line: int) -> tuple[str, list[_KeyPath], int] | None:
    """The statement that begins on ``line``, its names and how many lines it has; None when it is no TOML."""
    for count in range(1, min(_LONGEST, len(rows) - line + 1) + 1):
        statement = "\n".join(rows[line - 1 : line - 1 + count])
        try:
            return statement.lstrip(), list(_names(parse_toml(statement))), count
        except TomlError:
            continue
    return None


def _names(values: dict[str, object], place: _KeyPath = ()) -> Iterator[_KeyPath]:
    """Every table and key in one statement's values, the whole before its parts."""
    for name, value in values.items():
        yield (*place, name)
        inner = value[0] if isinstance(value, list) and value else value
        if isinstance(inner, dict) and len(place) < _DEEPEST:
            yield from _names(inner, (*place, name))


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
