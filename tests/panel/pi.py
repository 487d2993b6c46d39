"""A pretended Raspberry Pi: gpiozero's and Blinka's real code on stubs of the Pi's drivers."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.panel.hardware import Computer, PinFactory, Pins, open_pin_factory

#: Modules with the calls of the Pi's drivers.
STUBS = Path(__file__).parent / "pi_stubs"

_ROOT = Path(__file__).parents[2]

_BEGINNING = """
import json, os
from pathlib import Path
from adafruit_platformdetect.board import Board
from adafruit_blinka.microcontroller.generic_linux import raspberry_pi_pin
Board._pi_rev_code = lambda self: "c03114"
raspberry_pi_pin._chip_paths = lambda: [Path("/dev/gpiochip0")]

from tamsk_hw.panel.hardware import Computer, DriverError
from tamsk_hw.panel.outputs import LightRoute, LightWriter, NeoPixelLights
from tamsk_hw.words.hardware import driver_words, panel_words
PI = Computer("Raspberry Pi 4 Model B Rev 1.4", is_pi=True)
"""

PI_4 = Computer("Raspberry Pi 4 Model B Rev 1.4", is_pi=True)
PI_5 = Computer("Raspberry Pi 5 Model B Rev 1.0", is_pi=True, is_pi_5=True)

#: What is loaded anew for each test, so that each has its own stub.
_FRESH = ("lgpio", "RPi", "RPi.GPIO", "gpiozero.pins.lgpio", "gpiozero.pins.rpigpio")


class Time:
    """A clock in seconds that a test sets forward."""

    def __init__(self) -> None:
        self.now = 100.0

    def __call__(self) -> float:
        return self.now


@contextmanager
def stubbed_drivers(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """lgpio and RPi.GPIO are stubs, and gpiozero takes this for a Pi 4."""
    import gpiozero.pins.local

    monkeypatch.syspath_prepend(str(STUBS))
    for name in _FRESH:
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setattr(gpiozero.pins.local, "get_pi_revision", lambda: 0xC03114)
    monkeypatch.setattr(gpiozero.pins.local.LocalPiFactory, "pins", {})
    yield
    for name in _FRESH:
        sys.modules.pop(name, None)


def pi_pins(factory: PinFactory, say: Any, clock: Any, computer: Computer = PI_4) -> Pins:
    """Pins of a Pi 4."""
    return Pins(factory, say, opener=lambda name: open_pin_factory(name, computer), clock=clock)


def run_on_pi(script: str, *, board: str = "RASPBERRY_PI_4B", **environment: str) -> Any:
    """Object that ``script`` puts into ``result`` (anything JSON) on a Pi of that kind.

    It runs in a process of its own: Blinka finds out once in a process which computer it is on.
    """
    plain = {key: value for key, value in os.environ.items() if not key.startswith(("BLINKA_", "TAMSK_"))}
    done = subprocess.run(
        [sys.executable, "-c", f"{_BEGINNING}{script}\nprint(json.dumps(result))"],
        env=plain
        | {
            "PYTHONPATH": f"{STUBS}:{_ROOT}",
            "BLINKA_FORCECHIP": "BCM2XXX",
            "BLINKA_FORCEBOARD": board,
            # Only after the beginning would the program itself see to that.
            "BLINKA_SKIP_DEPENDENCY_CHECK": "1",
        }
        | environment,
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
    )
    assert (done.returncode, done.stderr) == (0, ""), done.stderr
    return json.loads(done.stdout)
