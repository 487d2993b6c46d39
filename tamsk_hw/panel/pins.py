"""The Raspberry Pi's pins through gpiozero, by a pin factory that is named, never guessed.

gpiozero left alone tries one factory after the other and warns its way down to one that hardly works. Here
`PinFactory` names it, and `open_pin_factory` refuses what cannot work. Nothing is loaded before a
factory is opened.
"""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from enum import Enum
from typing import Any

from tamsk_hw.panel.attempts import Attempts
from tamsk_hw.panel.computer import Computer, this_computer
from tamsk_hw.panel.driver_errors import trouble_of
from tamsk_hw.panel.troubles import PINS, DriverError, DriverTrouble, DriverTroubleKind, Failure, PanelNotice


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


def put_away(device: Any) -> None:
    """Close a gpiozero device, whatever its driver says to that."""
    try:
        device.close()
    except Exception:
        # A device that still has its pin is closed again when it is collected, and complains on standard error.
        device._pin = None


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
