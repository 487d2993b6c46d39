"""A command at a simulated board on a port, in made-up time: keys, buttons on mock pins, and hands act in it."""

import heapq
import os
import select
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, Self

import pytest
from rich.console import Console

from tamsk_hw.panel.hardware import Pins
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.pty_board import PtyBoard
from tamsk_hw.simulator.world import World
from tamsk_hw.table import loop as panel_hardware
from tamsk_hw.table.loop import PanelHardware
from tamsk_hw.terminal.keyboard import Keyboard
from tamsk_hw.workbench.board import Clock
from tamsk_hw.workbench.walk import Equipment, Note, Walk
from tests.workbench.boards import WIRING


class Room:
    """A board on a port, its configuration and a person; time passes only while the program waits.

    As a screen it passes all that is spoken to `on_spoken`.
    """

    def __init__(self, folder: Path, world: World, monkeypatch: pytest.MonkeyPatch) -> None:
        self.world = world
        self.board = PtyBoard(SimulatedBoard(world), folder / "board")
        self.file, self.calibration = folder / "config.toml", folder / "calibration.toml"
        self.file.write_text(
            f'[board]\nport = "{folder}/board"\ncalibration = "{self.calibration}"\n[gpio]\nfactory = "mock"\n'
            '[lights]\nroute = "none"\n',
            encoding="utf-8",
        )
        self.read, self.write = os.pipe()
        self.keyboard: Keyboard | None = Keyboard(self.read)
        self.panel: Any = None
        self._agenda: list[tuple[float, int, Callable[[], object]]] = []
        self._serial = 0
        monkeypatch.setattr(panel_hardware, "Pins", partial(Pins, clock=lambda: self.now))

    @property
    def now(self) -> float:
        return self.board.board.now

    # ---- the program

    def equipment(self, **more: Any) -> Equipment:
        return Equipment(
            console=Console(width=80),
            clock=Clock(now=lambda: self.now, wait=self._wait),
            keyboard=self.keyboard,
            open_panel=self._open,
            **more,
        )

    def _open(self, *of: Any) -> PanelHardware:
        self.panel = PanelHardware(*of)
        return self.panel

    def _wait(self, descriptor: int | None, seconds: float) -> None:
        sent, now = self.board.sent, self.now + seconds
        assert now < 900.0, "the walk does not end"
        self.board.step(now)
        while self._agenda and self._agenda[0][0] <= now:
            heapq.heappop(self._agenda)[2]()
        if descriptor is not None and self.board.sent > sent:
            # The kernel hands the bytes over a moment later, in real time.
            select.select([descriptor], [], [], 1.0)

    def close(self) -> None:
        self.board.close()
        os.close(self.write)
        os.close(self.read)

    # ---- the screen

    def show(self, walk: Walk, t: float, typed: str) -> None:
        task, _, trouble = walk.spoken(t)
        for line in (*task, trouble):
            self.on_spoken(line)

    def note(self, note: Note) -> None:
        self.on_spoken(note[0])

    def on_spoken(self, line: str) -> None:
        """Something is shown; again and again as long as it stands."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    # ---- the person

    def at(self, t: float, action: Callable[[], object]) -> None:
        self._serial += 1
        heapq.heappush(self._agenda, (t, self._serial, action))

    def type(self, line: str) -> None:
        os.write(self.write, f"{line}\n".encode())

    def pin(self, number: int) -> Any:
        return self.panel._pins.factory().pin(number)

    def press(self, name: ButtonName, seconds: float) -> None:
        """A second from now."""
        pin = self.pin(WIRING.buttons[name])
        self.at(self.now + 1.0, pin.drive_low)
        self.at(self.now + 1.0 + seconds, pin.drive_high)
