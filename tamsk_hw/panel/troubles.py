"""Reports of the panel's hardware, as facts; `tamsk_hw.words.panel` puts them in words."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import ClassVar

from tamsk_hw.errors import PanelError
from tamsk_hw.referee.events import ButtonName


class DriverTroubleKind(Enum):
    """The troubles with drivers of pins and lights that are known."""

    NOT_INSTALLED = "not_installed"
    """The Python module ``subject`` is missing; ``package`` brings it."""
    PIN_BUSY = "pin_busy"
    """Another program holds the pin."""
    NO_RIGHT = "no_right"
    """This user may not use the device ``subject``; the group ``group`` may."""
    NEEDS_ROOT = "needs_root"
    """The lights' route "gpio" needs root."""
    NO_PI = "no_pi"
    """This computer is no Raspberry Pi."""
    DRIVER_FINDS_NO_PI = "driver_finds_no_pi"
    """The library ``subject`` finds no Raspberry Pi."""
    WS281X_UNKNOWN_PI = "ws281x_unknown_pi"
    """rpi_ws281x does not know this Raspberry Pi."""
    RPI_GPIO_UNKNOWN_PI = "rpi_gpio_unknown_pi"
    """RPi.GPIO does not know this Raspberry Pi."""
    RPI_GPIO_ON_PI_5 = "rpi_gpio_on_pi_5"
    """RPi.GPIO cannot drive this Pi, the model ``subject``."""
    RPI_GPIO_REPLACED = "rpi_gpio_replaced"
    """rpi-lgpio is installed under the name of RPi.GPIO."""
    NO_GPIOCHIP = "no_gpiochip"
    """There is no /dev/gpiochip*."""
    NO_PI_GPIOCHIP = "no_pi_gpiochip"
    """There is no /dev/gpiochip* of a Raspberry Pi."""
    GPIOCHIP_CLOSED = "gpiochip_closed"
    """/dev/gpiochip* cannot be opened, nobody knows why."""
    LGPIO_NO_FOLDER = "lgpio_no_folder"
    """lgpio has no folder to write to."""
    LGPIO_FOLDER_CLOSED = "lgpio_folder_closed"
    """lgpio cannot write to the folder ``subject``."""
    PIO_CLOSED = "pio_closed"
    """/dev/pio0, the Pi 5's way to the lights, cannot be opened."""
    SPI_OFF = "spi_off"
    """SPI is switched off."""
    NO_SIMULATION = "no_simulation"
    """No simulated board answers at ``subject``."""
    OTHER = "other"
    """Any other; ``subject`` is what the driver says."""


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


class DriverError(PanelError):
    """A driver cannot be used; ``trouble`` says why."""

    def __init__(self, trouble: DriverTrouble) -> None:
        super().__init__(f"{trouble.kind.value} {trouble.subject}".rstrip())
        self.trouble = trouble


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
    """When hardware failed."""

    OPENING = "opening"
    USE = "use"
    CLOSING = "closing"


@dataclass(frozen=True, slots=True)
class PanelFailed:
    """A part cannot be used; the game goes on without it."""

    part: PanelPart
    failure: Failure
    trouble: DriverTrouble
    code: ClassVar[str] = "panel_failed"


@dataclass(frozen=True, slots=True)
class PanelWorks:
    """A part that failed can be used now."""

    part: PanelPart
    code: ClassVar[str] = "panel_works"


@dataclass(frozen=True, slots=True)
class ButtonStuck:
    """A button stays pressed."""

    part: PanelPart
    code: ClassVar[str] = "button_stuck"


PanelNotice = PanelFailed | PanelWorks | ButtonStuck
