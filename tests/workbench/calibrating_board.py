"""``tamsk-hw calibrate sensors`` at a simulated board on a serial port, with gpiozero's mock pins: as a process.

``python -m tests.workbench.calibrating_board FOLDER DESCRIPTOR [OPTION …]``: the person at
the board is played by lines on that descriptor: ``press BUTTON SECONDS``, ``set TUBE END``, ``turn TUBE``,
``timer END``, ``rings TUBE COUNT``, ``unplug``, ``replug``.
"""

from __future__ import annotations

import gc
import os
import sys
import threading
import time
from pathlib import Path

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.commands.main import entry
from tamsk_hw.game.tubes import PLAYERS, End, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.running import RunningBoard
from tamsk_hw.simulator.things import TimerPlace, WorldStart
from tests.workbench.walker import ME, fill_holder, lay_rings

SEED = 5


def configuration(folder: Path) -> str:
    return (
        f'[board]\nport = "{folder}/board"\ncalibration = "{folder}/calibration.toml"\n'
        '[gpio]\nfactory = "mock"\n[lights]\nroute = "none"\n'
    )


def press(button: str, seconds: float) -> None:
    """Hold a button down for so long, on the mock pin of the running program."""
    from gpiozero.pins.mock import MockFactory

    number = load_wiring().buttons[ButtonName(button)]
    while True:  # the program opens its pins when it opens them
        factories = [each for each in gc.get_objects() if isinstance(each, MockFactory)]
        pins = [pin for each in factories for info, pin in list(each.pins.items()) if number in info.names]
        if pins and pins[0].when_changed is not None:
            break
        time.sleep(0.02)
    pins[0].drive_low()
    time.sleep(seconds)
    pins[0].drive_high()


def set_down(board: RunningBoard, tube: Tube, end: End) -> None:
    world = board.world
    glass = world.glass("D1")
    if glass in world.in_box(ME):
        board.do(lambda world: world.place(ME, tube, glass=glass))
    stands = glass.tube
    if stands is not tube or glass.down is not end:
        if stands is not None:
            board.lift(ME, stands)
        board.seat(ME, tube, turned=glass.down is not end)


def obey(board: RunningBoard, descriptor: int) -> None:
    with os.fdopen(descriptor) as lines:
        for line in lines:
            match line.split():
                case ["press", button, seconds]:
                    press(button, float(seconds))
                case ["set", tube, end]:
                    set_down(board, Tube[tube], End(end))
                case ["turn", tube]:
                    board.lift(ME, Tube[tube])
                    board.seat(ME, Tube[tube], turned=True)
                case ["timer", end]:
                    if board.world.timer_place is not TimerPlace.CRADLE:
                        board.do(lambda world: world.place_timer(ME))
                    if board.world.timer.down is not End(end):
                        board.turn_timer(ME)
                case ["rings", tube, count]:
                    with board.lock:
                        lay_rings(board.world, Tube[tube], int(count))
                case ["unplug"]:
                    board.unplug()
                case ["replug"]:
                    board.replug()


def main() -> None:
    folder, descriptor = Path(sys.argv[1]), int(sys.argv[2])
    file = folder / "config.toml"
    file.write_text(configuration(folder), encoding="utf-8")
    board = RunningBoard(folder / "board", seed=SEED, setup=WorldStart.BOX)
    with board.lock:
        for player in PLAYERS:
            fill_holder(board.world, player, 0)
    threading.Thread(target=obey, args=(board, descriptor), daemon=True).start()
    sys.argv = ["tamsk-hw", "calibrate", "sensors", "--config", str(file), *sys.argv[3:]]
    try:
        entry()
    finally:
        board.close()


if __name__ == "__main__":
    main()
