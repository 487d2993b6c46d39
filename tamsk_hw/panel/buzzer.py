"""The passive buzzer through gpiozero: a frequency to sound, or silence.

The pin is driven by `gpiozero.PWMOutputDevice`, not by its `TonalBuzzer`: that one stays within a few octaves,
and to fall silent it does no more than end the PWM. Under lgpio the pin then keeps the level of that moment, high
every other time, and current would flow through a magnetic buzzer until the next tone; so the pin is set low after
each tone here. While it is silent no PWM runs, which under lgpio and RPi.GPIO would cost a thread its sleep.

A buzzer that cannot be used is reported once, and the game goes on. One whose pin cannot be had is tried again
from time to time (see `Attempts`); one that fails later on is not used again until the program restarts.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, Protocol

from tamsk_hw.panel.attempts import Attempts
from tamsk_hw.panel.driver_errors import trouble_of
from tamsk_hw.panel.pins import Pins, put_away
from tamsk_hw.panel.troubles import Failure, PanelNotice, PanelPart, PanelUnit

#: Share of each period for which the pin is high: the loudest.
_DUTY: Final = 0.5

# The PWM that the device begins with; it is ended at once.
_ANY_FREQUENCY: Final = 1000


class Buzzer(Protocol):
    """A device that sounds tones."""

    def play(self, frequency: float | None) -> None:
        """Sounds ``frequency`` (hertz) from now on, None: silence. Returns at once."""

    def close(self) -> None:
        """Falls silent and lets the hardware go."""


class PinBuzzer:
    """The buzzer on BCM pin ``pin``; ``notice`` is given when it cannot be used."""

    def __init__(self, pin: int, pins: Pins, notice: Callable[[PanelNotice], None]) -> None:
        self._pin, self._pins = pin, pins
        self._device: Any = None
        self._sounding: float | None = None
        self._closed = False
        self._attempts = Attempts(PanelPart(PanelUnit.BUZZER, pin=pin), notice)
        self._open()

    def _open(self) -> None:
        if self._closed or self._device is not None or not self._attempts.is_due(self._pins.clock()):
            return
        if (factory := self._pins.factory()) is None:
            return
        try:
            from gpiozero import PWMOutputDevice

            self._device = PWMOutputDevice(self._pin, frequency=_ANY_FREQUENCY, pin_factory=factory)
            self._silence()
        except Exception as error:  # drivers raise nearly anything
            self._fail(Failure.OPENING, error)
        else:
            self._attempts.worked()

    def play(self, frequency: float | None) -> None:
        """Sounds ``frequency`` (hertz) from now on, None: silence. Returns at once."""
        self._open()
        if self._device is None or frequency == self._sounding:
            return
        try:
            if frequency is None:
                self._silence()
            else:
                self._device.frequency = frequency
                self._device.value = _DUTY
        except Exception as error:  # drivers raise nearly anything
            self._fail(Failure.USE, error)
            self._closed = True
        else:
            self._sounding = frequency

    def _silence(self) -> None:
        self._device.frequency = None
        # A bool, since RPi.GPIO takes no number with a point, and past the device, which would make one of it.
        self._device.pin.state = False

    def _fail(self, failure: Failure, error: Exception) -> None:
        self._let_go()
        self._attempts.failed(self._pins.clock(), failure, trouble_of(error, self._pin))

    def _let_go(self) -> None:
        device, self._device, self._sounding = self._device, None, None
        if device is not None:
            put_away(device)

    def close(self) -> None:
        """Falls silent and lets the pin go, for good; closing twice is harmless."""
        self._closed = True
        self._let_go()


class NoBuzzer:
    """A buzzer that is not there, or not wanted."""

    def play(self, frequency: float | None) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Does nothing."""
