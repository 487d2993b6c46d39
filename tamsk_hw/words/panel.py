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
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.words.translating import tr


def panel_words(notice: PanelNotice) -> str:
    """A sentence or two for the people at the board."""
    match notice:
        case PanelFailed():
            return _failed(notice)
        case PanelWorks(part):
            return _works(part)
        case ButtonStuck(part):
            return tr("{Part} stays pressed: look whether it is stuck or its wires touch.", part=_part_words(part))
        case _:
            assert_never(notice)


def _part_words(part: PanelPart) -> str:
    """A part's name, with its pin."""
    match part.unit, part.button:
        case PanelUnit.BUTTON, ButtonName.START:
            return tr("the start button (GPIO{pin})", pin=part.pin)
        case PanelUnit.BUTTON, ButtonName.RED:
            return tr("the red button (GPIO{pin})", pin=part.pin)
        case PanelUnit.BUTTON, ButtonName.BLACK:
            return tr("the black button (GPIO{pin})", pin=part.pin)
        case PanelUnit.BUTTON, _:
            return tr("the button (GPIO{pin})", pin=part.pin)
        case PanelUnit.BUZZER, _:
            return tr("the buzzer (GPIO{pin})", pin=part.pin)
        case PanelUnit.PINS, _:
            return tr("buttons and buzzer")
        case PanelUnit.SIMULATED, _:
            return tr("the simulated board's buttons and lights")
        case _:
            return tr("the lights")


def _failed(failed: PanelFailed) -> str:
    """A part that fails, why, and what becomes of the game."""
    why = driver_words(failed.trouble)
    match failed.part.unit, failed.failure:
        case ((PanelUnit.BUTTON | PanelUnit.BUZZER), _):
            return tr(
                "{Part} cannot be used: {why}. The game goes on without it.",
                part=_part_words(failed.part),
                why=why,
            )
        case PanelUnit.PINS, _:
            return tr("Buttons and buzzer cannot be used: {why}. The game goes on without them.", why=why)
        case PanelUnit.SIMULATED, _:
            return tr(
                "The simulated board's buttons and lights cannot be used: {why}. The game goes on without them.",
                why=why,
            )
        case _, Failure.OPENING:
            return tr("The lights cannot be opened: {why}. The game goes on without them.", why=why)
        case _, Failure.USE:
            return tr("The lights do not work: {why}. The game goes on without them.", why=why)
        case _:
            return tr("The lights could not be closed: {why}. The game goes on without them.", why=why)


def failure_words(failed: PanelFailed) -> str:
    """The failure, in words that follow the part's name; in English, as findings are."""
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
            return tr("{Part} can be used now.", part=_part_words(part))
        case PanelUnit.PINS:
            return tr("Buttons and buzzer: the Pi's pins can be used now.")
        case PanelUnit.LIGHTS:
            return tr("The lights work now.")
        case PanelUnit.SIMULATED:
            return tr("The simulated board's buttons and lights can be used now.")
        case _:
            assert_never(part.unit)


def driver_words(trouble: DriverTrouble) -> str:
    """Cause and advice in one line, without a full stop."""
    cause, advice = driver_cause(trouble), driver_advice(trouble)
    return cause if advice is None else tr("{cause}: {advice}", cause=cause, advice=advice)


def driver_cause(trouble: DriverTrouble) -> str:
    """The cause alone."""
    subject = trouble.subject
    match trouble.kind:
        case DriverTroubleKind.NOT_INSTALLED:
            return tr("{subject} is not installed", subject=subject)
        case DriverTroubleKind.PIN_BUSY if trouble.pin is None:
            return tr("another program holds the pin (gpioinfo tells which one)")
        case DriverTroubleKind.PIN_BUSY:
            return tr("another program holds GPIO{pin} (gpioinfo tells which one)", pin=trouble.pin)
        case DriverTroubleKind.NO_RIGHT:
            return tr("no right to {subject}", subject=subject)
        case DriverTroubleKind.NEEDS_ROOT:
            return tr('the lights\' route "gpio" needs root')
        case DriverTroubleKind.NO_PI:
            return tr("this computer is no Raspberry Pi")
        case DriverTroubleKind.DRIVER_FINDS_NO_PI:
            return tr("{subject} finds no Raspberry Pi here", subject=subject)
        case DriverTroubleKind.WS281X_UNKNOWN_PI:
            return tr("rpi_ws281x does not know this Raspberry Pi")
        case DriverTroubleKind.RPI_GPIO_UNKNOWN_PI:
            return tr("RPi.GPIO does not know this Pi")
        case DriverTroubleKind.RPI_GPIO_ON_PI_5:
            return tr("RPi.GPIO cannot drive a {subject}", subject=subject)
        case DriverTroubleKind.RPI_GPIO_REPLACED:
            return tr("rpi-lgpio stands in the place of RPi.GPIO")
        case DriverTroubleKind.NO_GPIOCHIP:
            return tr("there is no /dev/gpiochip*")
        case DriverTroubleKind.NO_PI_GPIOCHIP:
            return tr("there is no /dev/gpiochip* of a Raspberry Pi")
        case DriverTroubleKind.GPIOCHIP_CLOSED:
            return tr("/dev/gpiochip* cannot be opened")
        case DriverTroubleKind.LGPIO_NO_FOLDER:
            return tr("lgpio has no folder to write to")
        case DriverTroubleKind.LGPIO_FOLDER_CLOSED:
            return tr("lgpio cannot write to the folder {subject}", subject=subject)
        case DriverTroubleKind.PIO_CLOSED:
            return tr("/dev/pio0 cannot be opened")
        case DriverTroubleKind.SPI_OFF:
            return tr("SPI is off")
        case DriverTroubleKind.NO_SIMULATION:
            return tr("no simulated board at {subject}", subject=subject)
        case DriverTroubleKind.OTHER:
            return subject
        case _:
            assert_never(trouble.kind)


def driver_advice(trouble: DriverTrouble) -> str | None:
    """The advice alone; None where nobody knows."""
    match trouble.kind:
        case DriverTroubleKind.NOT_INSTALLED:
            return f"pip install {trouble.package}"
        case DriverTroubleKind.PIN_BUSY:
            return tr("end it")
        case DriverTroubleKind.NO_RIGHT:
            return _join_group(trouble.group)
        case DriverTroubleKind.NEEDS_ROOT:
            return tr('run as root, or put the data wire on GPIO10 and choose the route "spi"')
        case DriverTroubleKind.NO_PI:
            return tr('choose the pin factory "mock", or do without them')
        case DriverTroubleKind.DRIVER_FINDS_NO_PI:
            return tr('choose the pin factory "mock"')
        case DriverTroubleKind.WS281X_UNKNOWN_PI:
            return tr('choose the route "spi"')
        case DriverTroubleKind.RPI_GPIO_UNKNOWN_PI | DriverTroubleKind.RPI_GPIO_ON_PI_5:
            return tr('choose the pin factory "lgpio"')
        case DriverTroubleKind.RPI_GPIO_REPLACED:
            return tr(
                'choose the pin factory "lgpio", or pip uninstall rpi-lgpio and '
                "pip install --force-reinstall RPi.GPIO"
            )
        case DriverTroubleKind.NO_GPIOCHIP:
            return tr("a service must not hide its devices (PrivateDevices=no)")
        case DriverTroubleKind.LGPIO_NO_FOLDER:
            return tr("set LG_WD to one")
        case DriverTroubleKind.LGPIO_FOLDER_CLOSED:
            return tr("set LG_WD to another, or to none")
        case DriverTroubleKind.PIO_CLOSED:
            return tr("update the Pi's system, and {join}", join=_join_group(trouble.group))
        case DriverTroubleKind.SPI_OFF:
            return tr("switch it on (sudo raspi-config nonint do_spi 0) and restart the Pi")
        case DriverTroubleKind.NO_SIMULATION:
            return tr("start tamsk-hw simulate")
        case DriverTroubleKind.NO_PI_GPIOCHIP | DriverTroubleKind.GPIOCHIP_CLOSED | DriverTroubleKind.OTHER:
            return None
        case _:
            assert_never(trouble.kind)


def _join_group(group: str) -> str:
    return tr("add this user to the group {group} (sudo usermod -aG {group} USER) and log in again", group=group)
