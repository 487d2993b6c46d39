"""Recognises what the drivers of pins and lights complain of.

gpiozero, lgpio, RPi.GPIO, Blinka and rpi_ws281x raise nearly anything, and tell troubles apart by text alone.
`trouble_of` knows those that a board meets; of any other it keeps the driver's own words.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tamsk_hw.panel.troubles import DriverError, DriverTrouble
from tamsk_hw.panel.troubles import DriverTroubleKind as Kind

_DEVICES: Final = Path("/dev")

#: The extra of tamsk-hw that brings a module, where it is not a plain dependency.
_EXTRAS: Final = {
    "lgpio": "pi",
    "_lgpio": "pi",
    "RPi": "pi",
    "_rpi_ws281x": "pi",
    "gpiod": "pi",
    "adafruit_raspberry_pi5_neopixel_write": "pi5",
}

#: A part of a driver's words (in lower case) → what they mean here.
_MEANINGS: Final = (
    ("requires running with sudo", DriverTrouble(Kind.NEEDS_ROOT)),
    ("hardware revision is not supported", DriverTrouble(Kind.WS281X_UNKNOWN_PI)),
    ("can only be run on a raspberry pi", DriverTrouble(Kind.DRIVER_FINDS_NO_PI, "RPi.GPIO")),
    ("unable to locate pi revision", DriverTrouble(Kind.DRIVER_FINDS_NO_PI, "gpiozero")),
    ("no access to /dev/mem", DriverTrouble(Kind.NO_RIGHT, "/dev/gpiomem", group="gpio")),
    ("cannot determine soc peripheral base", DriverTrouble(Kind.RPI_GPIO_UNKNOWN_PI)),
    ("grant access to the gpio group", DriverTrouble(Kind.NO_RIGHT, "/dev/gpiochip*", group="gpio")),
    ("no raspberry pi header gpio controller", DriverTrouble(Kind.NO_PI_GPIOCHIP)),
    ("libgpiod python bindings not found", DriverTrouble(Kind.NOT_INSTALLED, "gpiod", "'tamsk-hw[pi]'")),
    (".lgd-nfy", DriverTrouble(Kind.LGPIO_NO_FOLDER)),
    ("no usable temporary directory", DriverTrouble(Kind.LGPIO_NO_FOLDER)),
    ("pio_init() failed", DriverTrouble(Kind.PIO_CLOSED, group="gpio")),
)


def words_of(error: BaseException) -> str:
    """The error's own words on one line, or its kind when it has none."""
    words = " ".join(str(error).split())
    if len(words) > 1 and words[0] == words[-1] == "'":  # lgpio quotes its words
        words = words[1:-1]
    return words or type(error).__name__


def trouble_of(error: BaseException, pin: int | None = None, devices: Path = _DEVICES) -> DriverTrouble:
    """Recognise an error; ``pin``: the BCM number that was asked for.

    ``devices`` is looked at when a driver does not say why it could not open one.
    """
    if isinstance(error, DriverError):
        return error.trouble
    chain = list(_causes(error))
    for each in chain:
        if isinstance(each, ModuleNotFoundError) and each.name:
            return _not_installed(each.name)
    for each in chain:
        words = words_of(each).lower()
        if "busy" in words or getattr(each, "errno", None) == errno.EBUSY:
            return DriverTrouble(Kind.PIN_BUSY, pin=pin)
        if "can not open gpiochip" in words:
            return _gpiochip(devices)
        if "spidev" in words or "spidev" in str(getattr(each, "filename", "")):
            return _spi(each)
        for part, meaning in _MEANINGS:
            if part in words:
                return meaning
    return DriverTrouble(Kind.OTHER, words_of(error))


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what it was raised from."""
    seen: BaseException | None = error
    for _ in range(8):  # nobody chains more; a ring of causes would have no end
        if seen is None:
            return
        yield seen
        seen = seen.__cause__


def _not_installed(module: str) -> DriverTrouble:
    name = module.partition(".")[0]
    extra = _EXTRAS.get(name)
    package = "tamsk-hw" if extra is None else f"'tamsk-hw[{extra}]'"
    return DriverTrouble(Kind.NOT_INSTALLED, name.lstrip("_"), package)


def _gpiochip(devices: Path) -> DriverTrouble:
    chips = sorted(devices.glob("gpiochip*"))
    if not chips:
        return DriverTrouble(Kind.NO_GPIOCHIP)
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return DriverTrouble(Kind.NO_RIGHT, f"/dev/{chips[0].name}", group="gpio")
    return DriverTrouble(Kind.GPIOCHIP_CLOSED)


def _spi(error: BaseException) -> DriverTrouble:
    if isinstance(error, PermissionError):
        return DriverTrouble(Kind.NO_RIGHT, "/dev/spidev0.0", group="spi")
    if isinstance(error, FileNotFoundError) or "does not exist" in str(error):
        return DriverTrouble(Kind.SPI_OFF)
    return DriverTrouble(Kind.OTHER, words_of(error))
