"""The whole program at a simulated board on a serial port, with gpiozero's mock pins: for tests, as a process.

``python -m tests.table.live_board FOLDER [MAP]``: the board, that of the wiring map if one is named, is played
by lines on standard input: ``press SECONDS`` (the start button), ``place PLAYER TUBE``, ``move FROM TO``,
``lift PLAYER TUBE``, ``seat PLAYER TUBE``, ``ring TUBE``, ``unplug``, ``replug``, ``kill`` (as ``kill -9`` does).
A capture is written to ``FOLDER/capture.jsonl``. The environment's ``PARTNER_OF_TEST`` is whom the program plays.
"""

import gc
import os
import signal
import sys
import threading
import time
from pathlib import Path

from tamsk_hw.board.wiring import load_wiring
from tamsk_hw.commands.main import entry
from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.referee.events import ButtonName
from tamsk_hw.simulator.pty_board import RunningBoard
from tamsk_hw.simulator.things import WorldStart


def configuration(folder: Path, wiring: Path | None) -> str:
    board, start = ("", "corners") if wiring is None else (f'wiring = "{wiring}"\n', "free")
    partner = os.environ.get("PARTNER_OF_TEST", "none")
    return (
        f'[partner]\nplayer = "{partner}"\nstrength = "fair"\n'
        f'[board]\nport = "{folder}/board"\n{board}[ruleset]\nlevel = 1\nstart = "{start}"\n'
        f'[gpio]\nfactory = "mock"\n[lights]\nroute = "none"\n[journal]\nfolder = "{folder}/journal"\n'
    )


def press_start(seconds: float) -> None:
    """Hold the start button down for so long, on the mock pin of the running program."""
    from gpiozero.pins.mock import MockFactory

    number = load_wiring().buttons[ButtonName.START]
    while True:  # the program opens its pins when it opens them
        factories = [each for each in gc.get_objects() if isinstance(each, MockFactory)]
        pins = [pin for each in factories for info, pin in list(each.pins.items()) if number in info.names]
        if pins and pins[0].when_changed is not None:
            break
        time.sleep(0.02)
    pin = pins[0]
    pin.drive_low()
    time.sleep(seconds)
    pin.drive_high()


def obey(board: RunningBoard) -> None:
    for line in sys.stdin:
        word, *rest = line.split()
        match word:
            case "press":
                press_start(float(rest[0]))
            case "place":
                board.place(Player(rest[0]), Tube[rest[1]])
            case "move":
                board.move(Player.RED, Tube[rest[0]], Tube[rest[1]])
            case "lift":
                board.lift(Player(rest[0]), Tube[rest[1]])
            case "seat":
                board.seat(Player(rest[0]), Tube[rest[1]], turned=True)
            case "ring":
                board.drop(Player.RED, Tube[rest[0]])
            case "unplug":
                board.unplug()
            case "replug":
                board.replug()
            case "kill":
                os.kill(os.getpid(), signal.SIGKILL)


def main() -> None:
    folder = Path(sys.argv[1])
    file = folder / "config.toml"
    wiring = Path(sys.argv[2]) if len(sys.argv) > 2 else None
    file.write_text(configuration(folder, wiring), encoding="utf-8")
    board = RunningBoard(
        folder / "board",
        seed=5,
        setup=WorldStart.CORNERS if wiring is None else WorldStart.FREE,
        wiring=load_wiring(wiring),
    )
    threading.Thread(target=obey, args=(board,), daemon=True).start()
    sys.argv = ["tamsk-hw", "run", "--config", str(file), "--capture", str(folder / "capture.jsonl")]
    try:
        entry()
    finally:
        board.close()


if __name__ == "__main__":
    main()
