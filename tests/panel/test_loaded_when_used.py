"""Libraries of pins and lights are loaded when they are used, never before: they take long, and may fail."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2]

#: What drives pins and lights.
HARDWARE = {
    "gpiozero",
    "lgpio",
    "RPi",
    "spidev",
    "gpiod",
    "board",
    "busio",
    "digitalio",
    "neopixel",
    "neopixel_spi",
    "neopixel_write",
    "_rpi_ws281x",
    "adafruit_blinka",
    "adafruit_platformdetect",
}


@pytest.mark.parametrize(
    "modules",
    [
        "tamsk_hw.cli, tamsk_hw.service.run",
        "tamsk_hw.panel.pins, tamsk_hw.panel.buttons, tamsk_hw.panel.buzzer, tamsk_hw.panel.sounds, "
        "tamsk_hw.panel.pixels",
    ],
)
def test_importing_the_program_loads_none_of_them(modules: str) -> None:
    done = subprocess.run(
        [sys.executable, "-c", f"import sys, {modules}\nprint(*sys.modules)"],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "tamsk_hw" in loaded
    assert not loaded & HARDWARE


def test_mock_pins_load_no_driver() -> None:
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            """
import sys
from tamsk_hw.panel.pins import PinFactory, open_pin_factory
open_pin_factory(PinFactory.MOCK)
print(*sys.modules)
""",
        ],
        env={"PATH": "/usr/bin:/bin", "PYTHONPATH": str(PACKAGE)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    assert "gpiozero" in loaded
    assert not loaded & {"lgpio", "RPi", "board", "neopixel"}
