"""Reports of the panel's hardware in words: the part that fails, the cause, and the advice."""

from __future__ import annotations

from typing import assert_never

from tamsk_hw.panel.troubles import (
    ButtonStuck,
    DriverTrouble,
    DriverTroubleKind,
    Failure,
    PanelFailed,
    PanelNotice,
    PanelPart,
    PanelUnit,
    PanelWorks,
)
from tamsk_hw.words.sentences import capital


def panel_words(notice: PanelNotice) -> str:
    """A sentence or two for the people at the board."""
    match notice:
        case PanelFailed(part, _, trouble):
            it = "it" if part.unit in (PanelUnit.BUTTON, PanelUnit.BUZZER) else "them"
            said = f"{capital(part_words(part))} {failure_words(notice)}: {driver_words(trouble)}"
            return f"{said}. The game goes on without {it}."
        case PanelWorks(part):
            return f"{capital(_works(part))}."
        case ButtonStuck(part):
            return f"{capital(part_words(part))} stays pressed: look whether it is stuck or its wires touch."
        case _:
            assert_never(notice)


def part_words(part: PanelPart) -> str:
    """A part's name, with its pin."""
    match part.unit:
        case PanelUnit.BUTTON:
            name = "" if part.button is None else f"{part.button.value} "
            return f"the {name}button (GPIO{part.pin})"
        case PanelUnit.BUZZER:
            return f"the buzzer (GPIO{part.pin})"
        case PanelUnit.PINS:
            return "buttons and buzzer"
        case PanelUnit.LIGHTS:
            return "the lights"
        case _:
            assert_never(part.unit)


def failure_words(failed: PanelFailed) -> str:
    """The failure, in words that follow the part's name."""
    if failed.part.unit is not PanelUnit.LIGHTS:
        return "cannot be used"
    match failed.failure:
        case Failure.OPENING:
            return "cannot be opened"
        case Failure.USE:
            return "do not work"
        case Failure.CLOSING:
            return "could not be closed"
        case _:
            assert_never(failed.failure)


def _works(part: PanelPart) -> str:
    match part.unit:
        case PanelUnit.BUTTON | PanelUnit.BUZZER:
            return f"{part_words(part)} can be used now"
        case PanelUnit.PINS:
            return f"{part_words(part)}: the Pi's pins can be used now"
        case PanelUnit.LIGHTS:
            return "the lights work now"
        case _:
            assert_never(part.unit)


def driver_words(trouble: DriverTrouble) -> str:
    """Cause and advice in one line, without a full stop."""
    cause, advice = driver_cause(trouble), driver_advice(trouble)
    return cause if advice is None else f"{cause}: {advice}"


def driver_cause(trouble: DriverTrouble) -> str:
    """The cause alone."""
    match trouble.kind:
        case DriverTroubleKind.NOT_INSTALLED:
            return f"{trouble.subject} is not installed"
        case DriverTroubleKind.PIN_BUSY:
            where = "the pin" if trouble.pin is None else f"GPIO{trouble.pin}"
            return f"another program holds {where} (gpioinfo tells which one)"
        case DriverTroubleKind.NO_RIGHT:
            return f"no right to {trouble.subject}"
        case DriverTroubleKind.NEEDS_ROOT:
            return 'the lights\' route "gpio" needs root'
        case DriverTroubleKind.NO_PI:
            return "this computer is no Raspberry Pi"
        case DriverTroubleKind.DRIVER_FINDS_NO_PI:
            return f"{trouble.subject} finds no Raspberry Pi here"
        case DriverTroubleKind.WS281X_UNKNOWN_PI:
            return "rpi_ws281x does not know this Raspberry Pi"
        case DriverTroubleKind.RPI_GPIO_UNKNOWN_PI:
            return "RPi.GPIO does not know this Pi"
        case DriverTroubleKind.RPI_GPIO_ON_PI_5:
            return f"RPi.GPIO cannot drive a {trouble.subject}"
        case DriverTroubleKind.RPI_GPIO_REPLACED:
            return "rpi-lgpio stands in the place of RPi.GPIO"
        case DriverTroubleKind.NO_GPIOCHIP:
            return "there is no /dev/gpiochip*"
        case DriverTroubleKind.NO_PI_GPIOCHIP:
            return "there is no /dev/gpiochip* of a Raspberry Pi"
        case DriverTroubleKind.GPIOCHIP_CLOSED:
            return "/dev/gpiochip* cannot be opened"
        case DriverTroubleKind.LGPIO_NO_FOLDER:
            return "lgpio has no folder to write to"
        case DriverTroubleKind.LGPIO_FOLDER_CLOSED:
            return f"lgpio cannot write to the folder {trouble.subject}"
        case DriverTroubleKind.PIO_CLOSED:
            return "/dev/pio0 cannot be opened"
        case DriverTroubleKind.SPI_OFF:
            return "SPI is off"
        case DriverTroubleKind.OTHER:
            return trouble.subject
        case _:
            assert_never(trouble.kind)


def driver_advice(trouble: DriverTrouble) -> str | None:
    """The advice alone; None where nobody knows."""
    match trouble.kind:
        case DriverTroubleKind.NOT_INSTALLED:
            return f"pip install {trouble.package}"
        case DriverTroubleKind.PIN_BUSY:
            return "end it"
        case DriverTroubleKind.NO_RIGHT:
            return _join_group(trouble.group)
        case DriverTroubleKind.NEEDS_ROOT:
            return 'run as root, or put the data wire on GPIO10 and choose the route "spi"'
        case DriverTroubleKind.NO_PI:
            return 'choose the pin factory "mock", or do without them'
        case DriverTroubleKind.DRIVER_FINDS_NO_PI:
            return 'choose the pin factory "mock"'
        case DriverTroubleKind.WS281X_UNKNOWN_PI:
            return 'choose the route "spi"'
        case DriverTroubleKind.RPI_GPIO_UNKNOWN_PI | DriverTroubleKind.RPI_GPIO_ON_PI_5:
            return 'choose the pin factory "lgpio"'
        case DriverTroubleKind.RPI_GPIO_REPLACED:
            return (
                'choose the pin factory "lgpio", or pip uninstall rpi-lgpio and '
                "pip install --force-reinstall RPi.GPIO"
            )
        case DriverTroubleKind.NO_GPIOCHIP:
            return "a service must not hide its devices (PrivateDevices=no)"
        case DriverTroubleKind.LGPIO_NO_FOLDER:
            return "set LG_WD to one"
        case DriverTroubleKind.LGPIO_FOLDER_CLOSED:
            return "set LG_WD to another, or to none"
        case DriverTroubleKind.PIO_CLOSED:
            return f"update the Pi's system, and {_join_group(trouble.group)}"
        case DriverTroubleKind.SPI_OFF:
            return "switch it on (sudo raspi-config nonint do_spi 0) and restart the Pi"
        case DriverTroubleKind.NO_PI_GPIOCHIP | DriverTroubleKind.GPIOCHIP_CLOSED | DriverTroubleKind.OTHER:
            return None
        case _:
            assert_never(trouble.kind)


def _join_group(group: str) -> str:
    return f"add this user to the group {group} (sudo usermod -aG {group} USER) and log in again"
