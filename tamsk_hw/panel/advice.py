"""What the drivers of pins and lights complain of, as one line that says what to do.

gpiozero, lgpio, RPi.GPIO, Blinka and rpi_ws281x raise nearly anything, and tell troubles apart by text alone.
`explain` knows those that a board meets; of any other it gives the driver's own words.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from tamsk_hw.errors import TamskError

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

#: What several troubles ask for.
_ADD_TO_GROUP: Final = "add this user to the group {} (sudo usermod -aG {} USER) and log in anew"

_GPIO_GROUP: Final = _ADD_TO_GROUP.format("gpio", "gpio")

_SPI_GROUP: Final = _ADD_TO_GROUP.format("spi", "spi")

_NEEDS_ROOT: Final = (
    'the lights\' route "gpio" needs root: run as root, or put the data wire on GPIO10 and choose the route "spi"'
)

#: A part of a driver's words (in lower case) → what they mean here.
_MEANINGS: Final = (
    ("requires running with sudo", _NEEDS_ROOT),
    ("hardware revision is not supported", 'rpi_ws281x does not know this Raspberry Pi: choose the route "spi"'),
    ("can only be run on a raspberry pi", 'RPi.GPIO finds no Raspberry Pi here: choose the pin factory "mock"'),
    ("unable to locate pi revision", 'gpiozero finds no Raspberry Pi here: choose the pin factory "mock"'),
    ("no access to /dev/mem", f"no right to /dev/gpiomem: {_GPIO_GROUP}"),
    ("cannot determine soc peripheral base", 'RPi.GPIO does not know this Pi: choose the pin factory "lgpio"'),
    ("grant access to the gpio group", f"no right to /dev/gpiochip*: {_GPIO_GROUP}"),
    ("no raspberry pi header gpio controller", "there is no /dev/gpiochip* of a Raspberry Pi"),
    ("libgpiod python bindings not found", "gpiod is not installed: pip install 'tamsk-hw[pi]'"),
    (".lgd-nfy", "lgpio has no folder to write to: set LG_WD to one"),
    ("no usable temporary directory", "lgpio has no folder to write to: set LG_WD to one"),
    ("pio_init() failed", f"/dev/pio0 cannot be opened: update the Pi's system, and {_GPIO_GROUP}"),
)


def words_of(error: BaseException) -> str:
    """The error's own words on one line, or its kind when it has none."""
    words = " ".join(str(error).split())
    if len(words) > 1 and words[0] == words[-1] == "'":  # lgpio quotes its words
        words = words[1:-1]
    return words or type(error).__name__


def explain(error: BaseException, pin: int | None = None, devices: Path = _DEVICES) -> str:
    """What is wrong and what to do, without a full stop; ``pin``: the BCM number that was asked for.

    ``devices`` is looked at when a driver does not say why it could not open one.
    """
    if isinstance(error, TamskError):
        return words_of(error)
    chain = list(_causes(error))
    for each in chain:
        if isinstance(each, ModuleNotFoundError) and each.name:
            return _not_installed(each.name)
    for each in chain:
        words = words_of(each).lower()
        if "busy" in words or getattr(each, "errno", None) == errno.EBUSY:
            where = "the pin" if pin is None else f"GPIO{pin}"
            return f"another program holds {where} (gpioinfo tells which one): end it"
        if "can not open gpiochip" in words:
            return _no_gpiochip(devices)
        if "spidev" in words or "spidev" in str(getattr(each, "filename", "")):
            return _no_spi(each)
        for part, meaning in _MEANINGS:
            if part in words:
                return meaning
    return words_of(error)


def _causes(error: BaseException) -> Iterator[BaseException]:
    """The error and what it was raised from."""
    seen: BaseException | None = error
    for _ in range(8):  # nobody chains more; a ring of causes would have no end
        if seen is None:
            return
        yield seen
        seen = seen.__cause__


def _not_installed(module: str) -> str:
    name = module.partition(".")[0]
    extra = _EXTRAS.get(name)
    package = "tamsk-hw" if extra is None else f"'tamsk-hw[{extra}]'"
    return f"{name.lstrip('_')} is not installed: pip install {package}"


def _no_gpiochip(devices: Path) -> str:
    chips = sorted(devices.glob("gpiochip*"))
    if not chips:
        return "there is no /dev/gpiochip*: a service must not hide its devices (PrivateDevices=no)"
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return f"no right to /dev/{chips[0].name}: {_GPIO_GROUP}"
    return "/dev/gpiochip* cannot be opened"


def _no_spi(error: BaseException) -> str:
    if isinstance(error, PermissionError):
        return f"no right to /dev/spidev0.0: {_SPI_GROUP}"
    if isinstance(error, FileNotFoundError) or "does not exist" in str(error):
        return "SPI is off: switch it on (sudo raspi-config nonint do_spi 0) and start the Pi anew"
    return words_of(error)
