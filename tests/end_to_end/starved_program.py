"""The service of `tests.end_to_end.starved`: `run_board` as it is, at mock pins with the kernel's times of edges.

``python -m tests.end_to_end.starved_program FOLDER``. Lines on standard input, ``BUTTON DOWN AT``, close (1) or
open (0) a button's contact at that instant of the monotonic clock. A process that is stopped then reads the line
later, and the edge has its own time all the same, as from the kernel's queue of a Raspberry Pi.
"""

import sys
import threading
import time
from pathlib import Path
from typing import Any

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.commands.main import entry
from tamsk_hw.panel.hardware import Pins
from tamsk_hw.referee.events import ButtonName


def move_contacts(pins: list[Pins]) -> None:
    """Obey the lines on standard input."""
    numbers = load_wiring().buttons
    for line in sys.stdin:
        button, down, at = line.split()
        time.sleep(max(0.0, float(at) - time.monotonic()))
        pin: Any = pins[0].factory().pin(numbers[ButtonName(button)])
        pin._state, pin._last_change = down == "0", float(at)
        pin._call_when_changed()


def main() -> None:
    """Run the service with the configuration in the folder."""
    pins: list[Pins] = []
    made = Pins.__init__

    def note_pins(self: Pins, *arguments: Any, **named: Any) -> None:
        made(self, *arguments, **named)
        pins.append(self)

    Pins.__init__ = note_pins  # type: ignore[method-assign]
    threading.Thread(target=move_contacts, args=(pins,), daemon=True).start()
    sys.argv = ["tamsk-hw", "run", "--config", str(Path(sys.argv[1]) / "config.toml")]
    entry()


if __name__ == "__main__":
    main()
