"""Finding and reading the configuration file: all that touches the disk.

It is the first that is there of: the file named on the command line, the one named by ``$TAMSK_HW_CONFIG``,
``/etc/tamsk-hw/config.toml``, ``tamsk-hw/config.toml`` in ``$XDG_CONFIG_HOME`` or ``~/.config``; without any,
every value is its default. A file that is named must be there. One that is there but cannot be read is refused,
never passed over.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from tamsk_hw.configuration.kinds import Base
from tamsk_hw.configuration.reading import MOST_BYTES, decode_configuration, parse_configuration
from tamsk_hw.configuration.values import SYSTEM_STATE, Configuration
from tamsk_hw.errors import ConfigError, InputError
from tamsk_hw.system.reading import read_file

#: The variable that names a configuration file.
VARIABLE = "TAMSK_HW_CONFIG"

#: The configuration of the service.
SYSTEM_FILE = Path("/etc/tamsk-hw/config.toml")


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
        home = _absolute(environment, "HOME")
        config = _absolute(environment, "XDG_CONFIG_HOME") or (home / ".config" if home else None)
        data = _absolute(environment, "XDG_DATA_HOME") or (home / ".local/share" if home else None)
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
            configuration = parse_configuration(decode_configuration(data, str(file)), str(file), base)
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


def _absolute(environment: Mapping[str, str], name: str) -> Path | None:
    """The full path in a variable of the environment; None when there is none."""
    value = environment.get(name, "")
    return Path(value) if value.startswith("/") else None
