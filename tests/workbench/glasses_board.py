"""The whole command at a simulated board with short glasses and gpiozero's mock pins: for tests, as a process.

``python -m tests.workbench.glasses_board FOLDER DESCRIPTOR SECONDS
ARGUMENTS``: glasses of about so many seconds.

Hands are told line by line on the descriptor: ``round GLASS`` (turn it over, watch it, press start at its
last grain), ``turn GLASS``, ``press SECONDS`` (the start button), ``unplug``, ``replug``. Standard input is the
program's.
"""

from __future__ import annotations

import os
import sys
import threading
import time
from pathlib import Path

from tamsk_hw.board.calibration import GLASS_NAMES
from tamsk_hw.commands.main import entry
from tamsk_hw.game.tubes import TUBE_OF_NAME, Player
from tamsk_hw.simulator.board import SimulatedBoard
from tamsk_hw.simulator.pty_board import PtyBoard
from tamsk_hw.simulator.world import World
from tests.table.live_board import press_start


def seconds_of(nominal: float) -> dict[str, tuple[float, float]]:
    """True running time of each glass: none like another."""
    return {name: (nominal * (1 + 0.02 * n), nominal * (1.05 - 0.02 * n)) for n, name in enumerate(GLASS_NAMES)}


def write_files(folder: Path, nominal: float) -> Path:
    """A configuration, and a calibration that knows the glasses roughly; gives the configuration's file."""
    calibration = folder / "calibration.toml"
    pairs = "\n".join(f"{name} = [{nominal}, {nominal}]" for name in GLASS_NAMES)
    calibration.write_text(
        f"version = 1\n[fields]\nD4 = {{ rest = 126.5 }}\n[sand]\ntolerance = 0.25\n[sand.glasses]\n{pairs}\n",
        encoding="utf-8",
    )
    file = folder / "config.toml"
    file.write_text(
        f'[board]\nport = "{folder}/board"\ncalibration = "{calibration}"\n[gpio]\nfactory = "mock"\n'
        '[lights]\nroute = "none"\n',
        encoding="utf-8",
    )
    return file


class Hands:
    """Do at the board as the lines say."""

    def __init__(self, board: PtyBoard, world: World) -> None:
        self.board, self.world = board, world

    def turn(self, name: str) -> None:
        tube = TUBE_OF_NAME[name]
        for action in (
            lambda: self.world.lift(Player.RED, tube),
            lambda: self.world.seat(Player.RED, tube, turned=True, travel=0.4),
        ):
            with self.board.lock:
                done = action()
            self.board.wait_until(done)

    def watch(self, name: str) -> None:
        with self.board.lock:
            end = self.world.runs_out_at(self.world.glass(name))
        if end is not None:
            self.board.wait_until(end)

    def obey(self, descriptor: int) -> None:
        with os.fdopen(descriptor) as lines:
            for line in lines:
                word, *rest = line.split()
                match word:
                    case "turn":
                        self.turn(rest[0])
                    case "round":
                        self.turn(rest[0])
                        self.watch(rest[0])
                        press_start(0.1)
                    case "press":
                        press_start(float(rest[0]))
                    case "unplug":
                        self.board.unplug()
                    case "replug":
                        self.board.replug()


def main() -> None:
    folder, descriptor, nominal, *arguments = sys.argv[1:]
    file = write_files(Path(folder), float(nominal))
    world = World(5, glass_seconds=seconds_of(float(nominal)), timer_seconds=(float(nominal), float(nominal)))
    board = PtyBoard(SimulatedBoard(world), Path(folder) / "board")
    began = time.monotonic()
    board.run_in_thread(lambda: time.monotonic() - began)
    threading.Thread(target=Hands(board, world).obey, args=(int(descriptor),), daemon=True).start()
    sys.argv = ["tamsk-hw", "calibrate", "glasses", "--config", str(file), *arguments]
    try:
        entry()
    finally:
        board.close()


if __name__ == "__main__":
    main()
