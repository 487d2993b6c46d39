"""The program at a simulated board on a serial port, as a process of its own, heard line by line."""

import os
import queue
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

ROOT = Path(__file__).parents[2]

#: Seconds after which a line that does not come fails the test; on a good day it is there within two.
PATIENCE = 60.0


def free_port() -> int:
    """A port of this computer at which nothing listens."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


class Program:
    """The running program; what it says on either stream is one queue of lines."""

    def __init__(self, folder: Path, environment: dict[str, str] | None = None, *wiring: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-u", "-m", "tests.table.live_board", str(folder), *map(str, wiring)],
            cwd=ROOT,
            env={**os.environ, **(environment or {})},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            bufsize=1,
        )
        self.said: list[str] = []
        self._lines: queue.Queue[str | None] = queue.Queue()
        threading.Thread(target=self._read, daemon=True).start()

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            self._lines.put(line.rstrip("\n"))
        self._lines.put(None)

    def do(self, *commands: str) -> None:
        assert self.process.stdin is not None
        for command in commands:
            self.process.stdin.write(command + "\n")

    def hear(self, words: str) -> str:
        """Wait until a line with these words is said."""
        while True:
            line = self._lines.get(timeout=PATIENCE)
            assert line is not None, f"ended without {words!r}: {self.said}"
            self.said.append(line)
            if words in line:
                return line

    def begin(self) -> None:
        """Begin a game as soon as the board is set up."""
        self.hear("The board is ready")
        self.do("press 0.2")
        self.hear("Turn 1: red to move")

    def end(self, number: signal.Signals) -> int:
        self.process.send_signal(number)
        return self.process.wait(PATIENCE)
