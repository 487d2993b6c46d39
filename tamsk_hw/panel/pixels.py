"""Pictures to the real lights: the WS2812B chain through `neopixel.NeoPixel`, written off the event loop.

`neopixel` stands on Blinka, which takes its time to load and finds out by itself which computer it runs on.
It is therefore loaded only when lights are opened. Off a Raspberry Pi its OS-agnostic board takes the bytes and
drops them, so that the very same path runs everywhere.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from threading import Condition, Thread
from typing import Any, Protocol

#: Where Linux says which computer this is.
_MODEL = Path("/proc/device-tree/model")

#: The Pi's pin that drives the chain, by its GPIO number (DESIGN section 1).
LIGHTS_GPIO = 18


class Lights(Protocol):
    """What takes pictures: red, green and blue bytes for each pixel, in the chain's order."""

    def show(self, picture: bytes) -> None:
        """Lights the picture."""

    def close(self) -> None:
        """Goes dark and lets the hardware go."""


class NoLights:
    """Lights that are not there: takes every picture and does nothing."""

    def show(self, picture: bytes) -> None:
        """Does nothing."""

    def close(self) -> None:
        """Does nothing."""


def on_a_pi(model: Path = _MODEL) -> bool:
    """Whether this computer is a Raspberry Pi."""
    try:
        return model.read_bytes().startswith(b"Raspberry Pi")
    except OSError:
        return False


def _load(gpio: int) -> tuple[Any, Any]:
    """The module `neopixel` and the pin to drive."""
    # Without this `import board` asks on a terminal whether to run pip.
    os.environ.setdefault("BLINKA_SKIP_DEPENDENCY_CHECK", "1")
    if not on_a_pi():
        os.environ.setdefault("BLINKA_OS_AGNOSTIC", "1")
    import board
    import neopixel

    pin = getattr(board, f"D{gpio}", None) or getattr(board, "NEOPIXEL", None)
    if pin is None:
        raise RuntimeError(f"this computer has no pin GPIO{gpio} for the lights")
    return neopixel, pin


class NeoPixelLights:
    """A chain of ``count`` WS2812B pixels on the Pi's ``gpio``; off a Pi the bytes go nowhere.

    Opening raises what Blinka raises, of many kinds: a missing library, a pin in use, no right to the hardware.
    """

    def __init__(self, count: int, gpio: int = LIGHTS_GPIO) -> None:
        neopixel, pin = _load(gpio)
        # The chain wants green first; NeoPixel puts red, green, blue in that order.
        self._chain = neopixel.NeoPixel(pin, count, auto_write=False, pixel_order=neopixel.GRB)
        self._shown = bytes(3 * count)

    def show(self, picture: bytes) -> None:
        """Lights the picture, three bytes for each pixel; raises ValueError for another length."""
        if len(picture) != len(self._shown):
            raise ValueError(f"a picture of {len(picture)} bytes for {len(self._shown) // 3} pixels")
        chain, shown = self._chain, self._shown
        for start in range(0, len(picture), 3):
            colour = picture[start : start + 3]
            if colour != shown[start : start + 3]:
                chain[start // 3] = (colour[0], colour[1], colour[2])
        self._shown = picture
        chain.show()

    def close(self) -> None:
        """Goes dark and lets the pin go."""
        self._chain.deinit()


class LightWriter:
    """Writes pictures in a thread of its own, so that the referee never waits for the lights.

    Only the newest picture is kept: a writer that is behind leaves out those in between. Whatever goes wrong
    with the lights is said once, through ``say`` (called in the writer's thread), and the game goes on; lights
    that fail to open are done without, lights that fail to show are tried again with the next picture.
    """

    def __init__(self, open_lights: Callable[[], Lights], say: Callable[[str], None]) -> None:
        self._open = open_lights
        self._say = say
        self._said = False
        self._newest: bytes | None = None
        self._closing = False
        self._changed = Condition()
        self._thread = Thread(target=self._run, name="lights", daemon=True)
        self._thread.start()

    def show(self, picture: bytes) -> None:
        """Takes the newest picture and returns at once. After `close` it is left out."""
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

    def _trouble(self, what: str, error: BaseException) -> None:
        """Says the first thing that goes wrong with the lights."""
        if not self._said:
            self._said = True
            reason = " ".join(str(error).split()) or type(error).__name__
            self._say(f"The lights {what}: {reason}. The game goes on without them.")

    def _take(self) -> bytes | None:
        """Waits for the newest picture; None when there is none left and the writer is to close."""
        with self._changed:
            self._changed.wait_for(lambda: self._newest is not None or self._closing)
            picture, self._newest = self._newest, None
            return picture

    def _run(self) -> None:
        """The thread: opens the lights, shows what comes, closes them."""
        lights: Lights
        try:
            lights = self._open()
        # Blinka raises nearly anything, SystemExit included, and a game must not end for a lamp.
        except (Exception, SystemExit) as error:
            self._trouble("cannot be opened", error)
            lights = NoLights()
        while (picture := self._take()) is not None:
            try:
                lights.show(picture)
            except Exception as error:
                self._trouble("do not work", error)
        try:
            lights.close()
        except Exception as error:
            self._trouble("could not be closed", error)
