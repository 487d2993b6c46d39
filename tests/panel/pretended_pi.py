"""A process of its own that takes itself for a Raspberry Pi: Blinka's real code on stubs of the Pi's drivers.

Blinka finds out once in a process which computer it is on, so each of these needs a new one.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

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


def run_on_pi(script: str, *, board: str = "RASPBERRY_PI_4B", **environment: str) -> Any:
    """Object that ``script`` puts into ``result`` (anything JSON) on a Pi of that kind."""
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
