"""The bundle's part of this computer: versions and the service's log."""

from __future__ import annotations

import importlib.metadata
import platform
import sqlite3
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from tamsk_hw import __version__
from tamsk_hw.board.protocol.messages import PROTOCOL_MAJOR, PROTOCOL_MINOR, Hello
from tamsk_hw.errors import ConfigError
from tamsk_hw.panel.computer import this_computer

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
        f"system: {_pretty_name(os_release)}",
        f"kernel: {platform.system()} {platform.release()} ({platform.machine()})",
        f"computer: {this_computer(device_tree).model or 'nobody says which'}",
        f"SQLite: {sqlite3.sqlite_version}",
        *_libraries(),
    ]
    return "\n".join([*lines, ""])


def _firmware(hello: Hello | None) -> str:
    if hello is None:
        return "not known: the board did not report it"
    version, protocol = ".".join(map(str, hello.firmware)), ".".join(map(str, hello.protocol))
    return f"{version}, protocol {protocol}, wiring {hello.wiring_hash:08x}"


def _pretty_name(os_release: Path) -> str:
    try:
        lines = os_release.read_text(encoding="utf-8", errors="replace").splitlines()
    except OSError:
        return "nobody says which"
    return next((line.partition("=")[2].strip('"') for line in lines if line.startswith("PRETTY_NAME=")), "?")


def _libraries() -> Iterator[str]:
    for name in LIBRARIES:
        try:
            yield f"{name}: {importlib.metadata.version(name)}"
        except importlib.metadata.PackageNotFoundError:
            yield f"{name}: not installed"


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
