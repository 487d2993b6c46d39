"""The service of `tests.bench.waits`: `run_board` as it is, with notes of when it ruled and what it lit.

``python -m tests.bench.waited_program FOLDER DISK``. Lines on standard input, ``BUTTON SECONDS AT``, hold a button
of the mock pins for so long from that instant of the monotonic clock on. The notes are in ``FOLDER/notes.json`` at
the end: a list of ``[ruling, its instant, instant of the first transmission that shows it]``.
"""

import json
import os
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from functools import partialmethod
from pathlib import Path
from typing import Any

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.commands.main import entry
from tamsk_hw.journal.journal import Journal
from tamsk_hw.panel.hardware import Pins
from tamsk_hw.panel.outputs import LightWriter, NeoPixelLights
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.table.table import BoardTable
from tests.journal.disks import Disk

#: Seconds that commits take, by the name of the disk, and after how many commits each comes.
DISKS = {"quick": (0.0, 1), "50 ms a commit": (0.05, 1), "hangs for 2 s": (2.0, 12)}


class Notes:
    """Rulings, and when their lights went out."""

    def __init__(self) -> None:
        self.ruled: list[tuple[str, float]] = []
        self.shown: list[float] = []
        self._ruled_of: dict[bytes, int] = {}
        self._sending = 0

    def rule(self, table: BoardTable, advance: Callable[..., Any], *arguments: Any) -> Any:
        rulings = advance(table, *arguments)
        self.ruled += [(ruling.name, ruling.t + table._began) for ruling in rulings]
        return rulings

    def hand_over(self, writer: LightWriter, show: Callable[..., Any], picture: bytes) -> None:
        self._ruled_of[picture] = len(self.ruled)
        show(writer, picture)

    def show(self, lights: NeoPixelLights, show: Callable[..., Any], picture: bytes) -> None:
        self._sending = self._ruled_of.get(picture, 0)
        show(lights, picture)

    def transmit(self, pin: Any, data: Any) -> None:
        now = time.monotonic()
        self.shown += [now] * (self._sending - len(self.shown))


def patched(owner: type, name: str, note: Callable[..., Any]) -> None:
    """Have ``note`` called in place of a method, with the method before its arguments."""
    method = getattr(owner, name)
    setattr(owner, name, lambda self, *arguments: note(self, method, *arguments))


def hold_buttons(pins: list[Pins]) -> None:
    """Obey the lines on standard input."""
    numbers = load_wiring().buttons
    for line in sys.stdin:
        button, seconds, at = line.split()
        time.sleep(max(0.0, float(at) - time.monotonic()))
        pin = pins[0].factory().pin(numbers[ButtonName(button)])
        pin.drive_low()
        time.sleep(float(seconds))
        pin.drive_high()


def main() -> None:
    folder, (seconds, every) = Path(sys.argv[1]), DISKS[sys.argv[2]]
    with suppress(PermissionError):
        os.nice(-5)  # as tamsk-hw.service does; root alone may
    os.environ |= {"BLINKA_OS_AGNOSTIC": "1", "BLINKA_SKIP_DEPENDENCY_CHECK": "1"}
    import neopixel

    notes, pins = Notes(), list[Pins]()
    neopixel.neopixel_write = notes.transmit
    patched(BoardTable, "advance", notes.rule)
    patched(LightWriter, "show", notes.hand_over)
    patched(NeoPixelLights, "show", notes.show)
    disk = Disk()

    def commit() -> None:
        if disk.commits % every == every - 1:
            time.sleep(seconds)

    disk.before_commit = commit
    Journal.__init__ = partialmethod(Journal.__init__, connect=disk.connect)  # type: ignore
    made = Pins.__init__

    def note_pins(self: Pins, *arguments: Any, **named: Any) -> None:
        made(self, *arguments, **named)
        pins.append(self)

    Pins.__init__ = note_pins  # type: ignore[method-assign]
    file = folder / "config.toml"
    file.write_text(
        f'[board]\nport = "{folder}/board"\ncalibration = "{folder}/calibration.toml"\n'
        f'[ruleset]\nlevel = 1\n[gpio]\nfactory = "mock"\n[journal]\nfolder = "{folder}/journal"\n',
        encoding="utf-8",
    )
    threading.Thread(target=hold_buttons, args=(pins,), daemon=True).start()
    sys.argv = ["tamsk-hw", "run", "--config", str(file)]
    try:
        entry()
    finally:
        shown = [*notes.shown, *[None] * (len(notes.ruled) - len(notes.shown))]
        lines = [[name, t, at] for (name, t), at in zip(notes.ruled, shown, strict=False)]
        (folder / "notes.json").write_text(json.dumps(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
