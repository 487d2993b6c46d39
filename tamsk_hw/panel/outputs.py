"""The real lights and the buzzer.

Pictures go to the WS2812B chain through `neopixel` or `neopixel_spi`, off the event loop:

====  ======================================================================================================
gpio  `neopixel.NeoPixel` on the pin that the wiring map names (GPIO18). Up to the Pi 4 it needs root, since
      rpi_ws281x reaches for the Pi's memory; on a Pi 5 the right to ``/dev/pio0`` (extra ``pi5``)
spi   `neopixel_spi.NeoPixel_SPI` on the data output of SPI 0, **GPIO10** (pin 19 of the header), wherever the
      wiring map puts the lights. Needs SPI switched on and the right to ``/dev/spidev0.0``, no root. Up to the
      Pi 3 and the Zero 2 W the SPI clock follows the core's: fix that by ``core_freq=250`` in config.txt
none  no lights
====  ======================================================================================================

Both stand on Blinka, which takes its time to load and finds out by itself which computer it runs on. It is
therefore loaded only when lights are opened. Off a Raspberry Pi its OS-agnostic board takes the bytes and drops
them, so that the very same path runs everywhere.

The passive buzzer's pin is driven by `gpiozero.PWMOutputDevice`, not by its `TonalBuzzer`: that one stays within a
few octaves, and to fall silent it does no more than end the PWM. Under lgpio the pin then keeps the level of that
moment, high every other time, and current would flow through a magnetic buzzer until the next tone; so the pin is
set low after each tone here. While it is silent no PWM runs, which under lgpio and RPi.GPIO would cost a thread
its sleep.
"""

import os
import time
from collections.abc import Callable
from enum import Enum
from threading import Condition, Thread
from typing import Any, Final, Protocol

from tamsk_hw.panel import hardware

#: The Pi's pin that drives the chain, by its GPIO number (docs/design.md, The board).
LIGHTS_GPIO = 18

#: The pin that the route ``spi`` drives: the data output of SPI 0.
SPI_LIGHTS_GPIO = 10


class LightRoute(Enum):
    """The ways to drive the lights."""

    GPIO = "gpio"
    """`neopixel`, on the pin that the wiring map names."""
    SPI = "spi"
    """`neopixel_spi`, on the data output of SPI 0 (GPIO10); needs no root."""
    NONE = "none"
    """There are no lights."""


class Lights(Protocol):
    """A device that takes pictures: red, green and blue bytes for each pixel, in the chain's order."""

    def show(self, picture: bytes) -> None:
        """Lights the picture."""

    def close(self) -> None:
        """Goes dark and lets the hardware go."""


#: Silence (s) after which pixels show what they got: newer WS2812B want more than 280 µs, older ones 50 µs. The
#: library's own 80 µs may leave a picture unshown.
_RESET_TIME = 300e-6

#: The bits on the SPI line that are a pixel's 1. At the 6.25 MHz to which a Raspberry Pi rounds the library's 6.4
#: they are 0.8 µs, as a WS2812B wants them (0.8 ± 0.15 µs). The library's own are 0.64 µs, less than that.
_SPI_BITS_FOR_1 = 0b11111000


def _load(route: LightRoute, count: int, gpio: int, computer: hardware.Computer) -> Any:
    """The chain of ``count`` pixels: `neopixel.NeoPixel` or `neopixel_spi.NeoPixel_SPI`."""
    # Without this `import board` asks on a terminal whether to run pip.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    if not computer.is_pi:
        os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")
    import board

    # The chain wants green first; either class puts red, green, blue in that order.
    if route is LightRoute.SPI:
        import busio
        import neopixel_spi

        # Not board.SPI(), which fails on Blinka's OS-agnostic board.
        spi = busio.SPI(board.SCK, MOSI=board.MOSI)
        return neopixel_spi.NeoPixel_SPI(
            spi,
            count,
            auto_write=False,
            pixel_order=neopixel_spi.GRB,
            reset_time=_RESET_TIME,
            bit1=_SPI_BITS_FOR_1,
        )
    import neopixel

    pin = getattr(board, f"D{gpio}", None) or getattr(board, "NEOPIXEL", None)
    if pin is None:
        raise RuntimeError(f"this computer has no pin GPIO{gpio} for the lights")
    return neopixel.NeoPixel(pin, count, auto_write=False, pixel_order=neopixel.GRB)


class NeoPixelLights:
    """A chain of ``count`` WS2812B pixels by ``route`` (not `LightRoute.NONE`); off a Pi the bytes go nowhere.

    ``gpio`` counts for the route ``gpio`` only; ``computer`` is by default this one. Opening raises
    what Blinka raises, of many kinds: a missing library, a pin in use, no right to the hardware.
    """

    def __init__(
        self,
        count: int,
        gpio: int = LIGHTS_GPIO,
        route: LightRoute = LightRoute.GPIO,
        computer: hardware.Computer | None = None,
    ) -> None:
        self._gpio = gpio if route is LightRoute.GPIO else SPI_LIGHTS_GPIO
        self._route = route
        self._failed = False
        self._chain = _load(route, count, gpio, hardware.this_computer() if computer is None else computer)
        self._shown = bytes(3 * count)

    def show(self, picture: bytes) -> None:
        """Lights the picture, three bytes for each pixel.

        Raises:
            ValueError: the picture has another length.
            DriverError: it failed, and these lights must not be touched again by this process.
            Exception: it failed, of whatever kind Blinka raises; the next picture may succeed.
        """
        if len(picture) != len(self._shown):
            raise ValueError(f"a picture of {len(picture)} bytes for {len(self._shown) // 3} pixels")
        chain, shown = self._chain, self._shown
        for start in range(0, len(picture), 3):
            colour = picture[start : start + 3]
            if colour != shown[start : start + 3]:
                chain[start // 3] = (colour[0], colour[1], colour[2])
        self._shown = picture
        try:
            chain.show()
        except Exception as error:
            self._failed = True
            if self._route is LightRoute.GPIO:
                # Blinka keeps rpi_ws281x's state of an attempt that failed, and would crash the process on it.
                raise hardware.DriverError(hardware.trouble_of(error, self._gpio), is_final=True) from error
            raise
        self._failed = False

    def close(self) -> None:
        """Goes dark and lets the pin go; lights that failed are left as they are."""
        if not self._failed:
            self._chain.deinit()


def open_lights(route: LightRoute, count: int, gpio: int = LIGHTS_GPIO) -> NeoPixelLights | None:
    """The lights by ``route``: ``count`` pixels, on ``gpio`` for that route. Raises what `NeoPixelLights` does."""
    return None if route is LightRoute.NONE else NeoPixelLights(count, gpio, route)


#: Seconds after which a picture that has not changed is written again.
AGAIN_SECONDS = 1.0


class LightWriter:
    """Writes pictures in a thread of its own, so that the referee never waits for the lights.

    Only the newest picture is kept: a writer that is behind leaves out those in between. The same picture again is
    written every `AGAIN_SECONDS` only, for pixels that noise on their wire has changed. Whatever goes wrong
    with the lights is reported once, to ``notice`` (called in the writer's thread), and the game goes on. Lights
    that cannot be opened or fail to show a picture are tried again from time to time (see `Attempts`), except
    where that is final (`DriverError`). ``clock`` gives seconds that only go forward.
    """

    def __init__(
        self,
        open_lights: Callable[[], Lights | None],
        notice: Callable[[hardware.PanelNotice], None],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._open = open_lights
        self._clock = clock
        self._attempts = hardware.Attempts(hardware.LIGHTS, notice)
        self._lights: Lights | None = None
        self._gone = False
        self._newest: bytes | None = None
        self._given: bytes | None = None
        self._given_at = float("-inf")
        self._closing = False
        self._changed = Condition()
        self._thread = Thread(target=self._run, name="lights", daemon=True)
        self._thread.start()

    def show(self, picture: bytes) -> None:
        """Takes the newest picture and returns at once. After `close` it is left out."""
        now = self._clock()
        if picture == self._given and now < self._given_at + AGAIN_SECONDS:
            return
        self._given, self._given_at = picture, now
        with self._changed:
            self._newest = picture
            self._changed.notify()

    def close(self, timeout: float = 2.0) -> bool:
        """Writes the last picture, makes the lights dark and ends the thread.

        Waits at most ``timeout`` seconds, and says whether that was enough. Closing twice is harmless.
        """
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(timeout)
        return not self._thread.is_alive()

    def _take(self) -> bytes | None:
        """Waits for the newest picture; None when there is none left and the writer is to close."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._closing)
            picture, self._newest = self._newest, None
            return picture

    def _run(self) -> None:
        """The thread: opens the lights, shows what comes, closes them."""
        self._ready()
        while (picture := self._take()) is not None:
            if (lights := self._ready()) is None:
                continue
            try:
                lights.show(picture)
            except Exception as error:
                self._gone = isinstance(error, hardware.DriverError) and error.is_final
                self._fail(hardware.Failure.USE, error)
            else:
                self._attempts.worked()
        if self._lights is not None:
            try:
                self._lights.close()
            except Exception as error:
                self._fail(hardware.Failure.CLOSING, error)

    def _ready(self) -> Lights | None:
        """The lights, opened when there is need; None when there are none, or it is not yet time to try again."""
        if self._gone or not self._attempts.is_due(self._clock()):
            return None
        if self._lights is None:
            try:
                self._lights = self._open()
            # Blinka raises nearly anything, SystemExit included, and a game must not end for a lamp.
            except (Exception, SystemExit) as error:
                self._fail(hardware.Failure.OPENING, error)
        return self._lights

    def _fail(self, failure: hardware.Failure, error: BaseException) -> None:
        self._attempts.failed(self._clock(), failure, hardware.trouble_of(error))


#: Share of each period for which the pin is high: the loudest.
_DUTY: Final = 0.5

# The PWM that the device begins with; it is ended at once.
_ANY_FREQUENCY: Final = 1000


class Buzzer(hardware.PinDevice):
    """The buzzer on BCM pin ``pin`` (None: there is none, or it is not wanted); ``notice`` is given what fails."""

    def __init__(
        self, pin: int | None, pins: hardware.Pins, notice: Callable[[hardware.PanelNotice], None]
    ) -> None:
        super().__init__(hardware.PanelPart(hardware.PanelUnit.BUZZER, pin=pin), pins, notice)
        self._sounding: float | None = None
        self.is_given_up = pin is None
        self.open()

    def set_up(self, factory: Any) -> None:
        """Make the device, silent."""
        from gpiozero import PWMOutputDevice

        self.device = PWMOutputDevice(self.part.pin, frequency=_ANY_FREQUENCY, pin_factory=factory)
        self._silence()

    def play(self, frequency: float | None) -> None:
        """Sounds ``frequency`` (hertz) from now on, None: silence. Returns at once."""
        self.open()
        if self.device is None or frequency == self._sounding:
            return
        try:
            if frequency is None:
                self._silence()
            else:
                self.device.frequency = frequency
                self.device.value = _DUTY
        except Exception as error:  # drivers raise nearly anything
            self.fail(hardware.Failure.USE, error)
        else:
            self._sounding = frequency

    def _silence(self) -> None:
        self.device.frequency = None
        # A bool, since RPi.GPIO takes no number with a point, and past the device, which would make one of it.
        self.device.pin.state = False

    def close(self) -> None:
        """Falls silent and lets the pin go, for good; closing twice is harmless."""
        self.is_given_up = True
        self.let_go()
