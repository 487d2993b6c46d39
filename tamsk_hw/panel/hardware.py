"""The panel's drivers: which computer this is, its pins through gpiozero, and troubles of hardware as facts.

gpiozero left alone tries one pin factory after the other and warns its way down to one that hardly works. Here
`PinFactory` names it, and `open_pin_factory` refuses what cannot work; nothing is loaded before a factory is
opened. gpiozero, lgpio, RPi.GPIO, Blinka and rpi_ws281x raise nearly anything, and tell troubles apart by text
alone: `trouble_of` knows those that a board meets, and keeps the driver's own words of any other. A piece of
hardware that fails is reported once and tried again from time to time (`Attempts`).
"""

from __future__ import annotations

import contextlib
import errno
import importlib.metadata
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, ClassVar, Final

from tamsk_hw.errors import TamskError
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.system.output import BaseNotice, marked

#: Advice for people without the right to a device.
JOIN_GROUP: Final = marked("add this user to the group {group} (sudo usermod -aG {group} USER) and log in again")


class DriverTroubleKind(Enum):
    """The known troubles with drivers of pins and lights, each with its cause and its advice, if there is one."""

    #: The Python module ``subject`` is missing; ``package`` brings it.
    NOT_INSTALLED = "not_installed", marked("{subject} is not installed"), "pip install {package}"
    PIN_BUSY = "pin_busy", marked("another program holds GPIO{pin} (gpioinfo tells which one)"), marked("end it")
    #: This user may not use the device ``subject``; the group ``group`` may.
    NO_RIGHT = "no_right", marked("no right to {subject}"), JOIN_GROUP
    NEEDS_ROOT = (
        "needs_root",
        marked('the lights\' route "gpio" needs root'),
        marked('run as root, or put the data wire on GPIO10 and choose the route "spi"'),
    )
    NO_PI = (
        "no_pi",
        marked("this computer is no Raspberry Pi"),
        marked('choose the pin factory "mock", or do without them'),
    )
    #: The library ``subject`` finds no Raspberry Pi.
    DRIVER_FINDS_NO_PI = (
        "driver_finds_no_pi",
        marked("{subject} finds no Raspberry Pi here"),
        marked('choose the pin factory "mock"'),
    )
    WS281X_UNKNOWN_PI = (
        "ws281x_unknown_pi",
        marked("rpi_ws281x does not know this Raspberry Pi"),
        marked('choose the route "spi"'),
    )
    RPI_GPIO_UNKNOWN_PI = (
        "rpi_gpio_unknown_pi",
        marked("RPi.GPIO does not know this Pi"),
        marked('choose the pin factory "lgpio"'),
    )
    #: RPi.GPIO cannot drive this Pi, the model ``subject``.
    RPI_GPIO_ON_PI_5 = (
        "rpi_gpio_on_pi_5",
        marked("RPi.GPIO cannot drive a {subject}"),
        marked('choose the pin factory "lgpio"'),
    )
    RPI_GPIO_REPLACED = (
        "rpi_gpio_replaced",
        marked("rpi-lgpio stands in the place of RPi.GPIO"),
        marked(
            'choose the pin factory "lgpio", or pip uninstall rpi-lgpio and pip install --force-reinstall RPi.GPIO'
        ),
    )
    NO_GPIOCHIP = (
        "no_gpiochip",
        marked("there is no /dev/gpiochip*"),
        marked("a service must not hide its devices (PrivateDevices=no)"),
    )
    NO_PI_GPIOCHIP = "no_pi_gpiochip", marked("there is no /dev/gpiochip* of a Raspberry Pi")
    GPIOCHIP_CLOSED = "gpiochip_closed", marked("/dev/gpiochip* cannot be opened")
    LGPIO_NO_FOLDER = "lgpio_no_folder", marked("lgpio has no folder to write to"), marked("set LG_WD to one")
    #: lgpio cannot write to the folder ``subject``.
    LGPIO_FOLDER_CLOSED = (
        "lgpio_folder_closed",
        marked("lgpio cannot write to the folder {subject}"),
        marked("set LG_WD to another, or to none"),
    )
    #: /dev/pio0 is the Pi 5's way to the lights.
    PIO_CLOSED = "pio_closed", marked("/dev/pio0 cannot be opened"), marked("update the Pi's system, and {join}")
    SPI_OFF = (
        "spi_off",
        marked("SPI is off"),
        marked("switch it on (sudo raspi-config nonint do_spi 0) and restart the Pi"),
    )
    #: No simulated board answers at ``subject``.
    NO_SIMULATION = "no_simulation", marked("no simulated board at {subject}"), marked("start tamsk-hw simulate")
    #: Any other; ``subject`` is the text of the driver.
    OTHER = "other", "{subject}"

    cause: str
    advice: str | None

    def __new__(cls, code: str, cause: str, advice: str | None = None) -> DriverTroubleKind:
        """A member whose value is the code."""
        member = object.__new__(cls)
        member._value_, member.cause, member.advice = code, cause, advice
        return member


@dataclass(frozen=True, slots=True)
class DriverTrouble:
    """The reason for which a driver cannot be used.

    Fields that `DriverTroubleKind` does not name for a kind are empty.
    """

    kind: DriverTroubleKind
    subject: str = ""
    package: str = ""
    group: str = ""
    pin: int | None = None


class DriverError(TamskError):
    """A driver cannot be used; ``trouble`` says why. ``is_final``: this process must not try it again."""

    def __init__(self, trouble: DriverTrouble, *, is_final: bool = False) -> None:
        super().__init__(f"{trouble.kind.value} {trouble.subject}".rstrip())
        self.trouble, self.is_final = trouble, is_final


class PanelUnit(Enum):
    """The units of the panel that work or fail by themselves."""

    BUTTON = "button"
    BUZZER = "buzzer"
    PINS = "pins"
    """Buttons and buzzer together: what drives the pins of both."""
    LIGHTS = "lights"
    SIMULATED = "simulated"
    """Buttons and lights of a simulated board."""


@dataclass(frozen=True, slots=True)
class PanelPart:
    """A unit of the panel; ``button`` belongs to BUTTON, ``pin`` (its BCM number) to BUTTON and BUZZER."""

    unit: PanelUnit
    button: ButtonName | None = None
    pin: int | None = None


PINS = PanelPart(PanelUnit.PINS)
LIGHTS = PanelPart(PanelUnit.LIGHTS)
SIMULATED = PanelPart(PanelUnit.SIMULATED)


class Failure(Enum):
    """Occasions on which hardware fails."""

    OPENING = "opening"
    USE = "use"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class PanelFailed(BaseNotice):
    """A part cannot be used; the game goes on without it."""

    part: PanelPart
    failure: Failure
    trouble: DriverTrouble


@dataclass(frozen=True, slots=True)
class PanelWorks(BaseNotice):
    """A part that failed can be used now."""

    part: PanelPart
    is_warning: ClassVar[bool] = False


@dataclass(frozen=True, slots=True)
class ButtonStuck(BaseNotice):
    """A button stays pressed."""

    part: PanelPart


PanelNotice = PanelFailed | PanelWorks | ButtonStuck


#: The folder in which Linux describes the computer.
DEVICE_TREE = Path("/proc/device-tree")


@dataclass(frozen=True, slots=True)
class Computer:
    """A computer: ``model`` as its maker calls it (empty when nobody says), and what that means for its pins."""

    model: str = ""
    is_pi: bool = False
    """A Raspberry Pi of any model."""
    is_pi_5: bool = False
    """A Raspberry Pi 5, 500 or Compute Module 5, whose pins hang on another chip (RP1) than those before."""


def this_computer(device_tree: Path = DEVICE_TREE) -> Computer:
    """Read the device tree of this computer."""
    try:
        model = (device_tree / "model").read_bytes().rstrip(b"\0").decode(errors="replace")
    except OSError:
        return Computer()
    try:
        compatible = (device_tree / "compatible").read_bytes().split(b"\0")
    except OSError:
        compatible = []
    is_pi = model.startswith("Raspberry Pi")
    return Computer(model, is_pi, is_pi and b"brcm,bcm2712" in compatible)


#: Seconds to the second attempt; each further one waits twice as long.
FIRST_PAUSE: Final = 5.0

#: Seconds that two attempts are apart at most.
LONGEST_PAUSE: Final = 300.0


class Attempts:
    """Decides when a piece of hardware is tried again, and reports its state. Times are seconds of any clock.

    A failure is reported once, and so is its end; then the next failure counts again. Hardware that fails soon
    after it worked is not taken for mended: its pause goes on growing.
    """

    def __init__(self, part: PanelPart, notice: Callable[[PanelFailed | PanelWorks], None]) -> None:
        self._part = part
        self._notice = notice
        self._failing = False
        self._pause = FIRST_PAUSE
        self._failed_at = float("-inf")

    def is_due(self, t: float) -> bool:
        """True when it should be tried now."""
        return not self._failing or t >= self._failed_at + self._pause

    def failed(self, t: float, failure: Failure, trouble: DriverTrouble) -> None:
        """It failed at ``t``; reported unless it was failing before."""
        if t - self._failed_at > 2 * LONGEST_PAUSE:
            self._pause = FIRST_PAUSE
        else:
            self._pause = min(2 * self._pause, LONGEST_PAUSE)
        self._failed_at = t
        if not self._failing:
            self._failing = True
            self._notice(PanelFailed(self._part, failure, trouble))

    def worked(self) -> None:
        """It works; reported when it failed before."""
        if self._failing:
            self._failing = False
            self._notice(PanelWorks(self._part))


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
    ("requires running with sudo", DriverTrouble(DriverTroubleKind.NEEDS_ROOT)),
    ("hardware revision is not supported", DriverTrouble(DriverTroubleKind.WS281X_UNKNOWN_PI)),
    ("can only be run on a raspberry pi", DriverTrouble(DriverTroubleKind.DRIVER_FINDS_NO_PI, "RPi.GPIO")),
    ("unable to locate pi revision", DriverTrouble(DriverTroubleKind.DRIVER_FINDS_NO_PI, "gpiozero")),
    ("no access to /dev/mem", DriverTrouble(DriverTroubleKind.NO_RIGHT, "/dev/gpiomem", group="gpio")),
    ("cannot determine soc peripheral base", DriverTrouble(DriverTroubleKind.RPI_GPIO_UNKNOWN_PI)),
    ("grant access to the gpio group", DriverTrouble(DriverTroubleKind.NO_RIGHT, "/dev/gpiochip*", group="gpio")),
    ("no raspberry pi header gpio controller", DriverTrouble(DriverTroubleKind.NO_PI_GPIOCHIP)),
    (
        "libgpiod python bindings not found",
        DriverTrouble(DriverTroubleKind.NOT_INSTALLED, "gpiod", "'tamsk-hw[pi]'"),
    ),
    (".lgd-nfy", DriverTrouble(DriverTroubleKind.LGPIO_NO_FOLDER)),
    ("no usable temporary directory", DriverTrouble(DriverTroubleKind.LGPIO_NO_FOLDER)),
    ("pio_init() failed", DriverTrouble(DriverTroubleKind.PIO_CLOSED, group="gpio")),
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
            return DriverTrouble(DriverTroubleKind.PIN_BUSY, pin=pin)
        if "can not open gpiochip" in words:
            return _gpiochip(devices)
        if "spidev" in words or "spidev" in str(getattr(each, "filename", "")):
            return _spi(each)
        for part, meaning in _MEANINGS:
            if part in words:
                return meaning
    return DriverTrouble(DriverTroubleKind.OTHER, words_of(error))


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
    return DriverTrouble(DriverTroubleKind.NOT_INSTALLED, name.lstrip("_"), package)


def _gpiochip(devices: Path) -> DriverTrouble:
    chips = sorted(devices.glob("gpiochip*"))
    if not chips:
        return DriverTrouble(DriverTroubleKind.NO_GPIOCHIP)
    if not any(os.access(chip, os.R_OK | os.W_OK) for chip in chips):
        return DriverTrouble(DriverTroubleKind.NO_RIGHT, f"/dev/{chips[0].name}", group="gpio")
    return DriverTrouble(DriverTroubleKind.GPIOCHIP_CLOSED)


def _spi(error: BaseException) -> DriverTrouble:
    if isinstance(error, PermissionError):
        return DriverTrouble(DriverTroubleKind.NO_RIGHT, "/dev/spidev0.0", group="spi")
    if isinstance(error, FileNotFoundError) or "does not exist" in str(error):
        return DriverTrouble(DriverTroubleKind.SPI_OFF)
    return DriverTrouble(DriverTroubleKind.OTHER, words_of(error))


class PinFactory(Enum):
    """The pin factory that gpiozero uses for buttons and buzzer."""

    LGPIO = "lgpio"
    """Every Raspberry Pi."""
    RPIGPIO = "rpigpio"
    """RPi.GPIO, on boards up to the Pi 4."""
    MOCK = "mock"
    """No pins at all, for tests."""
    SIMULATE = "simulate"
    """Buttons and lights of a simulated board, `tamsk_hw.panel.simulated`."""


def open_pin_factory(name: PinFactory, computer: Computer | None = None) -> Any:
    """A gpiozero factory; ``computer`` is by default this one.

    Raises:
        DriverError: it cannot be had here.
    """
    if computer is None:
        computer = this_computer()
    try:
        if name in (PinFactory.MOCK, PinFactory.SIMULATE):  # the latter's pins are moved by `SimulatedPanel`
            from gpiozero.pins.mock import MockFactory, MockPWMPin

            return MockFactory(pin_class=MockPWMPin)
        if not computer.is_pi:
            raise DriverError(DriverTrouble(DriverTroubleKind.NO_PI))
        if name is PinFactory.RPIGPIO:
            _refuse_other_rpi_gpio(computer)
            from gpiozero.pins.rpigpio import RPiGPIOFactory

            return RPiGPIOFactory()
        with _folder_for_lgpio():
            from gpiozero.pins.lgpio import LGPIOFactory
        return LGPIOFactory()
    except DriverError:
        raise
    except Exception as error:  # ImportError, RuntimeError, OSError, lgpio.error (a plain Exception), …
        raise DriverError(trouble_of(error)) from error


def _refuse_other_rpi_gpio(computer: Computer) -> None:
    """RPi.GPIO cannot drive a Pi 5, and rpi-lgpio installs another module under the same name."""
    if computer.is_pi_5:
        raise DriverError(DriverTrouble(DriverTroubleKind.RPI_GPIO_ON_PI_5, computer.model))
    with contextlib.suppress(importlib.metadata.PackageNotFoundError):
        importlib.metadata.version("rpi-lgpio")
        raise DriverError(DriverTrouble(DriverTroubleKind.RPI_GPIO_REPLACED))


@contextlib.contextmanager
def _folder_for_lgpio() -> Iterator[None]:
    """A folder in which the first import of lgpio may make its pipe.

    When it is imported, lgpio makes a named pipe in the folder LG_WD, else in the working directory, and LG_WD
    becomes the program's working directory; where it cannot write it fails with a riddle. So it gets a folder of
    its own, unless LG_WD is set. Both ends of the pipe are open after the import, so that the folder can go, and
    the working directory is put back.
    """
    if "lgpio" in sys.modules:
        yield
        return
    chosen = os.environ.get("LG_WD")
    if chosen and not os.access(chosen, os.W_OK | os.X_OK):
        raise DriverError(DriverTrouble(DriverTroubleKind.LGPIO_FOLDER_CLOSED, chosen))
    here = os.open(".", os.O_PATH | os.O_CLOEXEC)  # O_PATH: the folder need not be readable
    folder = "" if chosen else tempfile.mkdtemp(prefix="tamsk-hw-lgpio-")
    try:
        os.environ["LG_WD"] = chosen or folder
        yield
    finally:
        os.fchdir(here)
        os.close(here)
        if not chosen:
            del os.environ["LG_WD"]
            shutil.rmtree(folder, ignore_errors=True)


class Pins:
    """The pins of buttons and buzzer: one gpiozero factory, opened when it is first asked for.

    A failure to open it is reported once, and it is tried again from time to time (see `Attempts`): a right may be
    granted, a device appear late. ``clock`` gives seconds that only go forward.
    """

    def __init__(
        self,
        factory: PinFactory,
        notice: Callable[[PanelNotice], None],
        *,
        opener: Callable[[PinFactory], Any] = open_pin_factory,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._name = factory
        self._opener = opener
        self.clock = clock
        """The clock by which the pins' devices tell time."""
        self._factory: Any = None
        self._attempts = Attempts(PINS, notice)

    def factory(self) -> Any:
        """The gpiozero factory, or None while there is none."""
        now = self.clock()
        if self._factory is None and self._attempts.is_due(now):
            try:
                self._factory = self._opener(self._name)
            except DriverError as error:
                self._attempts.failed(now, Failure.OPENING, error.trouble)
            else:
                self._attempts.worked()
        return self._factory

    def close(self) -> None:
        """Let the pins go. Close the devices on them first."""
        factory, self._factory = self._factory, None
        if factory is not None:
            with contextlib.suppress(Exception):  # nothing can be done about it any more
                factory.close()


class PinDevice:
    """A gpiozero device on a pin of its own, the base of buttons and buzzer.

    One that cannot be used is reported once, and the game goes on. One whose pin cannot be had is tried again from
    time to time (see `Attempts`); one that fails later on is not used again until the program restarts.
    """

    def __init__(self, part: PanelPart, pins: Pins, notice: Callable[[PanelNotice], None]) -> None:
        self.part = part
        self.device: Any = None
        """The device; None while it cannot be used."""
        self.is_given_up = False
        """It is not tried any more."""
        self.pins = pins
        self._attempts = Attempts(part, notice)

    def open(self) -> None:
        """Set the device up when there is need and it is time to."""
        if self.is_given_up or self.device is not None or not self._attempts.is_due(self.pins.clock()):
            return
        if (factory := self.pins.factory()) is None:
            return
        try:
            self.set_up(factory)
        except Exception as error:  # drivers raise nearly anything
            self.fail(Failure.OPENING, error)
        else:
            self._attempts.worked()

    def set_up(self, factory: Any) -> None:
        """Make the device on a pin of ``factory``."""
        raise NotImplementedError

    def fail(self, failure: Failure, error: Exception) -> None:
        """It cannot be used."""
        self.let_go()
        self.is_given_up = failure is Failure.USE
        self._attempts.failed(self.pins.clock(), failure, trouble_of(error, self.part.pin))

    def let_go(self) -> None:
        """Close the device, whatever its driver says to that."""
        device, self.device = self.device, None
        try:
            if device is not None:
                device.close()
        except Exception:
            # One that still has its pin is closed again when it is collected, and complains on standard error.
            device._pin = None
