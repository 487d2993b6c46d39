"""The live stream of whole programs, as ``tamsk-hw live`` prints it: on the simulated board, on the emulated one,
and at a board on a serial port whose program is killed and started again.

In real time, but nothing waits for the clock: each step waits for the next line.
"""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.referee import Referee
from tamsk_hw.referee.header import parse_header
from tamsk_hw.referee.stream import parse_event
from tests.table.board_program import PATIENCE, ROOT, Program

COMMAND = [sys.executable, "-u", "-m", "tamsk_hw.commands.main"]


class Listener:
    """``tamsk-hw live``, started before the service or after; ``lines`` has all that it printed."""

    def __init__(self, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "live", *arguments], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        self.lines: list[dict[str, Any]] = []
        self._queue: queue.Queue[str] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._queue.put(line)

    def hear(self, is_it: Callable[[dict[str, Any]], Any]) -> dict[str, Any]:
        """Wait until such a line comes."""
        while True:
            line = json.loads(self._queue.get(timeout=PATIENCE))
            self.lines.append(line)
            if is_it(line):
                return dict(line)

    def ruled(self, name: str, **facts: Any) -> dict[str, Any]:
        """Wait for a ruling."""
        return self.hear(
            lambda line: (
                (ruling := line.get("ruling", {})).get("ruling") == name
                and all(ruling[key] == value for key, value in facts.items())
            )
        )


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[str]]]:
    started: list[subprocess.Popen[str]] = []
    yield started
    for process in started:
        if process.poll() is None:
            process.kill()
        process.wait()


def tamsk(*arguments: str) -> tuple[int, str]:
    """Run a command; give its exit status, and what it says on standard error."""
    done = subprocess.run([*COMMAND, *arguments], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.returncode, done.stderr


def check(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The stream's own promises: numbers without gaps in each life, and a newest game whose header and events are
    ruled to the very rulings that were published. Gives the rulings.
    """
    life, newest = None, 0
    for line in lines:
        if "live" in line:
            if line["life"] != life:
                life, newest = line["life"], 0
        elif "seq" in line:
            assert newest in (0, line["seq"] - 1), (newest, line)
            newest = line["seq"]
        else:
            assert line.keys() in ({"state"}, {"re", "done"})
    begin = max(place for place, line in enumerate(lines) if "header" in line)
    referee = Referee(parse_header(lines[begin]["header"]))
    again: list[dict[str, Any]] = []
    published: list[dict[str, Any]] = []
    for line in lines[begin:]:
        if "event" in line:
            assert again == published, "rulings stand after the event that they came of"
            again += [ruling.as_dict() for ruling in referee.handle(parse_event(line["event"]))]
        elif "ruling" in line:
            published.append(line["ruling"])
    assert again == published
    return published


BOARDS = [
    pytest.param((), id="simulated"),
    pytest.param(("--emulator",), id="emulated", marks=pytest.mark.xdist_group("emulator")),
]


@pytest.mark.parametrize("board", BOARDS)
def test_a_simulated_game_is_ruled_again_from_its_live_stream(
    board: tuple[str, ...], processes: list[subprocess.Popen[str]]
) -> None:
    """Over a reader that waited for the service; `do` and `arbiter` are answered, refused and unreachable."""
    assert tamsk("do", "start")[0] == 3
    listener = Listener("--since", "0")
    processes.append(listener.process)
    game = subprocess.Popen(
        [*COMMAND, "run", *board, "--seed", "4", "--speed", "20", "--level", "3"],
        cwd=ROOT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        text=True,
    )
    processes.append(game)
    greeting = listener.hear(lambda line: "live" in line)
    assert (greeting["simulated"], greeting["speed"]) == (True, 20)
    listener.ruled("turn", number=6)
    status, said = tamsk("do", "start")
    assert (status, said) == (1, "tamsk-hw: A game is being played; end or abandon it first.\n")
    assert tamsk("arbiter", "revive", "D4")[0] == 1
    assert tamsk("do", "claim", "red") == (0, "")
    assert tamsk("arbiter", "award", "black") == (0, "")
    listener.ruled("game_over", winner="black", reason="awarded", rule="R9.6")
    assert game.wait(PATIENCE) == 0
    rulings = check(listener.lines)
    assert [ruling["number"] for ruling in rulings if ruling["ruling"] == "turn"][:6] == [1, 2, 3, 4, 5, 6]
    assert tamsk("arbiter", "abandon")[0] == 3
    listener.process.send_signal(signal.SIGINT)
    assert listener.process.wait(PATIENCE) == 130


def test_a_killed_service_comes_back_and_its_readers_go_on(
    tmp_path: Path, processes: list[subprocess.Popen[str]]
) -> None:
    listener = Listener()
    processes.append(listener.process)
    first = Program(tmp_path)
    processes.append(first.process)
    listener.ruled("setup", problems=[])
    assert tamsk("do", "start") == (0, "")
    listener.ruled("turn", number=1)
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
    assert tamsk("do", "claim", "red") == (
        1,
        "tamsk-hw: An unfinished game waits: resume or abandon it first.\n",
    )
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
    check(listener.lines[: len(listener.lines) - 1])
    assert second.end(signal.SIGTERM) == 143
