"""Games recorded as a program meets them, and programs that are given them again and killed meanwhile."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.journal import Journal
from tamsk_hw.referee.rulings import Ruling
from tamsk_hw.table.simulation import LOOK, calibration_of
from tamsk_hw.table.table import BoardTable, Clocks
from tests.players.habits import Habits
from tests.players.simulated_game import SimulatedGame
from tests.table.table_messages import (
    BOOT,
    WALL,
    FedLine,
    Seen,
    Setting,
    Step,
    Steps,
    receive,
    send,
    sensing_of,
)

#: Simulated seconds for which people and link are watched after the game is over.
AFTERWARDS = 1.0


@dataclass(frozen=True)
class Recorded:
    """A game that was played to its end at a program that nobody killed, and what was ruled."""

    setting: Setting
    steps: tuple[Step, ...]
    rulings: tuple[Ruling, ...]
    hello: bytes
    """Answer of the board when it is asked who it is."""


def record(ruleset: Ruleset, seed: int, habits: Habits, *, holders: bool, folder: Path) -> Recorded:
    """Have two simulated players play a game, and write down all that comes to the program."""
    simulation = SimulatedGame(ruleset, seed, holders=holders, habits=habits)
    board, match = simulation.board, simulation.match
    setting = Setting(simulation.header, calibration_of(board.calibration_values()), 0.0)
    line = FedLine(simulation.wiring, 0.0)
    steps: list[Step] = []
    rulings: list[Ruling] = []
    hello = b""
    now, ends = 0.0, float("inf")
    with Journal.open(folder, threaded=False) as journal:
        table = BoardTable(
            setting.header,
            simulation.wiring,
            lambda: sensing_of(simulation.wiring, setting),
            line,
            journal,
            Clocks(wall=lambda: WALL + now, boot=BOOT),
            now,
        )
        while now < ends:
            due, look = match.next_wakeup, now + LOOK
            now = look if due is None or due <= now else min(look, due)
            frames = tuple(board.advance(now))
            hello = hello or next((frame for _, frame in frames), b"")
            step = Step(now, frames, tuple(match.take_events()))
            line.feed(frames)
            shown = table.advance(now, step.told)
            journal.writer.attempt()
            outgoing = line.session.take_outgoing()
            if outgoing:
                board.receive(outgoing)
            match.hear(shown)
            match.advance(now)
            steps.append(step)
            rulings += shown
            if match.over is not None and ends == float("inf"):
                ends = now + AFTERWARDS
    return Recorded(setting, tuple(steps), tuple(rulings), hello)


class Program:
    """A running program. Whatever it answers has been seen by the people at the board."""

    def __init__(self, programs: Programs, folder: Path, setting: Setting) -> None:
        self._programs = programs
        self._pid, self._socket = programs.start(folder)
        send(self._socket, setting)

    def hear(self) -> Seen:
        """Its answer."""
        seen = receive(self._socket)
        assert isinstance(seen, Seen), "the program is gone"
        return seen

    def tell(self, *steps: Step, saved: bool = True) -> None:
        """Hand it steps; the answer is not waited for."""
        send(self._socket, Steps(steps, saved))

    def take(self, *steps: Step, saved: bool = True) -> Seen:
        """Hand it steps and hear its answer."""
        self.tell(*steps, saved=saved)
        return self.hear()

    def kill(self) -> None:
        """``kill -9``."""
        os.kill(self._pid, signal.SIGKILL)
        self._socket.close()
        assert self._programs.gone() == -signal.SIGKILL

    def end(self) -> None:
        """End it as a service is ended."""
        self._socket.close()
        assert self._programs.gone() == 0


class Programs:
    """Starts one program after the other."""

    def __init__(self, path: Path) -> None:
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.table.killed_table", str(path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
        )

    def start(self, folder: Path) -> tuple[int, socket.socket]:
        assert self._process.stdin is not None
        self._process.stdin.write(f"{folder}\n")
        self._process.stdin.flush()
        word, pid = self._line().split()
        assert word == "pid"
        return int(pid), self._listener.accept()[0]

    def gone(self) -> int:
        word, status = self._line().split()
        assert word == "gone"
        return int(status)

    def _line(self) -> str:
        assert self._process.stdout is not None
        return self._process.stdout.readline()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._listener.close()
        if kind is not None:
            self._process.kill()
        self._process.communicate()
