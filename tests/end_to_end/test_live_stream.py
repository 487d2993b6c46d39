"""The live stream of whole programs, as ``tamsk-hw live`` prints it: on the simulated board, on the emulated one,
and at a board on a serial port whose program is killed and started again.

In real time, but nothing waits for the clock: each step waits for the next line.
"""

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.end_to_end.live_programs import Listener, check, tamsk
from tests.programs import COMMAND
from tests.table.board_program import PATIENCE, ROOT, Program

BOARDS = [
    pytest.param(COMMAND, id="simulated"),
    pytest.param((sys.executable, "-m", "tests.emulated"), id="emulated"),
]


def start(board: tuple[str, ...], processes: list[subprocess.Popen[str]]) -> subprocess.Popen[str]:
    """A game of simulated people."""
    game = subprocess.Popen(
        [*board, "run", "--seed", "4", "--speed", "20", "--level", "3"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    processes.append(game)
    return game


@pytest.mark.soak(but=["simulated"])
@pytest.mark.parametrize("board", BOARDS)
def test_a_simulated_game_is_ruled_again_from_its_live_stream(
    board: tuple[str, ...], processes: list[subprocess.Popen[str]]
) -> None:
    """Over a reader that waited for the service and goes on with the next one, and one that is killed and begins
    again; `do` and `arbiter` are answered, refused and unreachable.
    """
    assert tamsk("do", "start")[0] == 3
    listener = Listener("--since", "0")
    processes.append(listener.process)
    game = start(board, processes)
    greeting = listener.hear(lambda line: "live" in line)
    assert (greeting["simulated"], greeting["speed"]) == (True, 20)
    listener.ruled("turn", number=2)
    game.kill()
    game.wait()
    assert tamsk("do", "claim", "red")[0] == 3
    game = start(board, processes)
    assert listener.hear(lambda line: "live" in line)["life"] != greeting["life"]
    listener.ruled("turn", number=3)
    before, last = listener.lines, listener.kill()
    listener = Listener("--since", str(last))
    listener.lines += before
    processes.append(listener.process)
    listener.ruled("turn", number=4)
    status, said = tamsk("do", "start")
    assert (status, said) == (1, "tamsk-hw: A game is being played; end or abandon it first.\n")
    assert tamsk("arbiter", "revive", "D4")[0] == 1
    assert tamsk("do", "claim", "red") == (0, "")
    assert tamsk("arbiter", "award", "black") == (0, "")
    listener.ruled("game_over", winner="black", reason="awarded", rule="R9.6")
    assert game.wait(PATIENCE) == 0
    rulings = check(listener.lines)
    assert [ruling["number"] for ruling in rulings if ruling["ruling"] == "turn"][:4] == [1, 2, 3, 4]
    assert tamsk("arbiter", "abandon")[0] == 3
    listener.process.send_signal(signal.SIGINT)
    assert listener.process.wait(PATIENCE) == 130


def test_a_killed_service_comes_back_and_its_readers_go_on(
    tmp_path: Path, processes: list[subprocess.Popen[str]]
) -> None:
    assert tamsk("do", "start")[0] == tamsk("arbiter", "abandon")[0] == 3
    listener = Listener("--since", "0")
    processes.append(listener.process)
    first = Program(tmp_path)
    processes.append(first.process)
    listener.ruled("setup", problems=[])
    assert tamsk("do", "start") == (0, "")
    listener.ruled("turn", number=1)
    assert tamsk("arbiter", "uncount", "D2")[0] == 1
    first.do("move D1 D2", "ring D2")
    ring = listener.ruled("ring", tube="D2")
    listener.hear(lambda line: line.get("saved", 0) >= ring["seq"])
    game = listener.lines[-1]["game"]
    header = next(line for line in listener.lines if "header" in line)
    os.kill(first.process.pid, signal.SIGKILL)
    first.process.wait()

    second = Program(tmp_path)
    processes.append(second.process)
    listener.hear(lambda line: line.get("state", {}).get("phase") == "offered")
    assert tamsk("do", "claim", "red") == (1, "tamsk-hw: An unfinished game waits: resume or abandon it first.\n")
    assert tamsk("do", "resume") == (0, "")
    again = listener.hear(lambda line: "header" in line)
    assert (again["key"], again["game"], again["resumed"]) == (header["key"], game, True)
    assert again["header"] == header["header"]
    listener.ruled("ring", tube="D2")  # the past
    listener.ruled("warning", code="time_away")
    listener.ruled("violation", code="ring_removed", tube="D2")  # the simulated board stands as at the start
    assert tamsk("arbiter", "uncount", "D2") == (0, "")
    listener.ruled("uncounted", tube="D2")
    assert tamsk("do", "resign", "red") == (0, "")
    over = listener.ruled("game_over", winner="black", reason="resigned")
    listener.hear(lambda line: line.get("saved", 0) >= over["seq"])
    assert tamsk("do", "next") == (0, "")
    assert not listener.hear(lambda line: "header" in line)["resumed"]
    check(listener.lines)
    assert second.end(signal.SIGTERM) == 143
    assert tamsk("do", "next")[0] == 3
