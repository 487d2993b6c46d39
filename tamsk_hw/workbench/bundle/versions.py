"""The bundle's part of this computer: versions and the service's log."""

from __future__ import annotations

import importlib.metadata
import os
import platform
import pwd
import re
import sqlite3
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

from tamsk_hw import __version__
from tamsk_hw.board.protocol import PROTOCOL_MAJOR, PROTOCOL_MINOR, Hello
from tamsk_hw.errors import ConfigError
from tamsk_hw.panel.hardware import this_computer
from tamsk_hw.workbench.bundle.harmless import HIDDEN

#: Libraries that the program may use, by the names under which they are installed.
LIBRARIES: Final = (
    "pyserial",
    "cobs",
    "click",
    "rich",
    "intelhex",
    "gpiozero",
    "lgpio",
    "adafruit-lgpio",
    "rpi-lgpio",
    "RPi.GPIO",
    "rpi_ws281x",
    "spidev",
    "gpiod",
    "Adafruit-Blinka",
    "adafruit-circuitpython-neopixel",
    "adafruit-circuitpython-neopixel-spi",
    "Adafruit-Blinka-Raspberry-Pi5-Neopixel",
    "starlette",
    "uvicorn",
)

_SYSTEMS: Final = frozenset({"debian", "raspbian", "ubuntu", "fedora", "arch", "opensuse-leap", "nixos", "alpine"})
_NUMBERS: Final = re.compile(r"\d{1,4}(?:\.\d{1,8}){0,3}(?:(?:a|b|rc|\.post|\.dev)\d{1,4})?", re.ASCII)
_PI: Final = re.compile(r"Raspberry Pi (?:\d{1,3}|Zero|Compute Module|Model|[ABW]|Plus|Rev|2|\.|[ +])+", re.ASCII)

#: The service's log of this start of the computer.
JOURNALCTL: Final = (
    *("journalctl", "--boot", "--unit=tamsk-hw.service", "--no-pager", "--quiet"),
    *("--output=short-iso", "--no-hostname", "--lines=3000"),
)

#: Seconds that the log may take, and bytes that are kept of its end.
LOG_WITHIN: Final = 10.0
MOST_LOG: Final = 400_000


def versions(hello: Hello | None, device_tree: Path, os_release: Path = Path("/etc/os-release")) -> str:
    """A line for each thing that has a version."""
    lines = [
        f"tamsk-hw: {__version__}, protocol {PROTOCOL_MAJOR}.{PROTOCOL_MINOR}",
        f"firmware: {_firmware(hello)}",
        f"Python: {platform.python_version()} ({platform.python_implementation()})",
        f"system: {_system(os_release)}",
        f"kernel: {platform.system()} {_start(_NUMBERS, platform.release())} ({platform.machine()})",
        f"computer: {_start(_PI, this_computer(device_tree).model or '')}",
        f"SQLite: {sqlite3.sqlite_version}",
        *_libraries(),
    ]
    return "\n".join([*lines, ""])


def _firmware(hello: Hello | None) -> str:
    if hello is None:
        return "not known: the board did not report it"
    version, protocol = ".".join(map(str, hello.firmware)), ".".join(map(str, hello.protocol))
    return f"{version}, protocol {protocol}, wiring {hello.wiring_hash:08x}"


def _system(os_release: Path) -> str:
    try:
        lines = os_release.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return "nobody says which"
    values = {name: value.strip("\"'") for name, _, value in (line.partition("=") for line in lines)}
    name = values.get("ID", "")
    return f"{name if name in _SYSTEMS else HIDDEN} {_start(_NUMBERS, values.get('VERSION_ID', ''))}"


def _libraries() -> Iterator[str]:
    for name in LIBRARIES:
        try:
            yield f"{name}: {_start(_NUMBERS, importlib.metadata.version(name))}"
        except importlib.metadata.PackageNotFoundError:
            yield f"{name}: not installed"


def _start(pattern: re.Pattern[str], text: str) -> str:
    """As much of the beginning of a text as has the known form."""
    found = pattern.match(text)
    return HIDDEN if found is None else found[0]


def of_this_computer(environment: Mapping[str, str]) -> tuple[str, ...]:
    """The names of this computer and its user."""
    names = [platform.node(), *(environment.get(name, "") for name in ("USER", "LOGNAME", "SUDO_USER"))]
    for number in {os.getuid(), *map(int, filter(_is_number, [environment.get("SUDO_UID", "")]))}:
        with suppress(KeyError, OverflowError):
            account = pwd.getpwuid(number)
            names += [account.pw_name, account.pw_gecos]
    return tuple(names)


def _is_number(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) < 10


def service_log(command: Sequence[str] = JOURNALCTL) -> str:
    """The end of the service's log.

    Raises:
        ConfigError: there is none, or it may not be read; the message says why.
    """
    try:
        said = subprocess.run(
            command, capture_output=True, stdin=subprocess.DEVNULL, timeout=LOG_WITHIN, check=False
        )
    except FileNotFoundError:
        raise ConfigError(f"there is no {command[0]} here") from None
    except subprocess.TimeoutExpired:
        raise ConfigError(f"{command[0]} gives no answer within {LOG_WITHIN:g} s") from None
    except OSError as error:
        raise ConfigError(f"{command[0]}: {(error.strerror or str(error)).lower()}") from None
    complaint = " ".join(said.stderr.decode(errors="replace").split())
    if said.returncode:
        raise ConfigError(complaint or f"{command[0]} ends with status {said.returncode}")
    if not said.stdout.strip():
        raise ConfigError(complaint or "the service has said nothing since this computer was started")
    text = said.stdout.decode(errors="replace")
    if len(text) > MOST_LOG:
        text = text[-MOST_LOG:].partition("\n")[2]
    return text
