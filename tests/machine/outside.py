"""The outside of the virtual machine: the simulated board with its hands, and the bridges that lead to it."""

import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from tests.machine.image import PROJECT
from tests.machine.running import BOUND, MachineError
from tests.machine.virtual import until

#: The map of the board: seven tubes, on which a whole game is played in a quarter of the time.
MAP: Final = PROJECT / "wiring" / "seven" / "board.toml"

COMMAND: Final = (*BOUND, sys.executable, "-m", "tamsk_hw.commands.main")


class Bridge:
    """Passes connections on, byte by byte: each that ``listener`` takes to one that ``connect`` makes."""

    def __init__(self, listener: socket.socket, connect: Callable[[], socket.socket]) -> None:
        self._listener, self._connect = listener, connect
        self._open: list[socket.socket] = []
        threading.Thread(target=self._serve, daemon=True).start()

    def _serve(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            try:
                far = self._connect()
            except OSError:
                near.close()
                continue
            self._open += [near, far]
            for source, target in ((near, far), (far, near)):
                threading.Thread(target=_pump, args=(source, target), daemon=True).start()

    def cut(self) -> None:
        """End all connections that there are; new ones are taken."""
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)
            each.close()
        self._open.clear()

    def close(self) -> None:
        """End all, and take no new ones."""
        with suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()
        self.cut()


def _pump(source: socket.socket, target: socket.socket) -> None:
    with suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    for each in (source, target):
        with suppress(OSError):
            each.shutdown(socket.SHUT_RDWR)


def to_port(port: int) -> Callable[[], socket.socket]:
    """Connect to a TCP port of this computer."""
    return lambda: socket.create_connection(("127.0.0.1", port), timeout=None)


def to_path(path: Path) -> Callable[[], socket.socket]:
    """Connect to a Unix socket."""

    def connect() -> socket.socket:
        connection = socket.socket(socket.AF_UNIX)
        try:
            connection.connect(str(path))
        except OSError:
            connection.close()
            raise
        return connection

    return connect


def listen_at(path: Path) -> socket.socket:
    """Listen at a Unix socket."""
    path.unlink(missing_ok=True)
    listener = socket.socket(socket.AF_UNIX)
    listener.bind(str(path))
    listener.listen()
    return listener


class OutsideBoard:
    """``tamsk-hw simulate`` as a process: a board of seven tubes, with both players or without any.

    ``emulated``: its controller is an emulated ATmega328P that runs the real firmware.
    """

    def __init__(
        self, folder: Path, live: Path, *, seed: int, players: str = "both", emulated: bool = False
    ) -> None:
        folder.mkdir()
        self.port, self.hands = folder / "board", folder / "hands.sock"
        self._log = folder / "board.log"
        places = ["--port", str(self.port), "--hands", str(self.hands), "--live", str(live)]
        with self._log.open("wb") as log:
            self._process = subprocess.Popen(
                [
                    *((sys.executable, "-m", "tests.emulated") if emulated else COMMAND),
                    *("simulate", *places, "--seed", str(seed), "--players", players, "--wiring", str(MAP)),
                ],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                env=os.environ | {"PYTHONUNBUFFERED": "1"},
            )
        until(lambda: self.port.exists() and self.hands.exists() and self._lives(), "a board")

    def _lives(self) -> bool:
        if self._process.poll() is not None:
            raise MachineError(f"the simulated board has ended: {self._log.read_text()}")
        return True

    def do(self, *words: str) -> str:
        """Have hands do something (docs/simulate.md); give what the command printed."""
        done = subprocess.run(
            [*COMMAND, "hands", words[0], "--socket", str(self.hands), *words[1:]],
            capture_output=True,
            text=True,
            check=False,
        )
        if done.returncode:
            raise MachineError(f"hands {' '.join(words)}: {done.stderr}")
        return done.stdout

    def look(self) -> dict[str, Any]:
        """The whole world as eyes see it."""
        seen: dict[str, Any] = json.loads(self.do("look", "--json"))
        return seen

    def close(self) -> None:
        self._process.terminate()
        self._process.wait()


class Stream:
    """A reader of the live stream, as any program outside is one."""

    def __init__(self, port: int) -> None:
        self._port = port

    def _lines(
        self, first: dict[str, Any] | None, enough: Callable[[dict[str, Any]], bool]
    ) -> list[dict[str, Any]]:
        """All lines to the first that is enough; none where the service cannot be reached or has gone."""
        lines: list[dict[str, Any]] = []
        with suppress(OSError), socket.create_connection(("127.0.0.1", self._port), timeout=20) as connection:
            if first is not None:
                connection.sendall(json.dumps(first).encode() + b"\n")
            for text in connection.makefile():
                lines.append(json.loads(text))
                if enough(lines[-1]):
                    return lines
        return []

    def state(self) -> dict[str, Any] | None:
        """The state as it is now; None while no service answers."""
        lines = self._lines(None, lambda line: "state" in line)
        return lines[-1]["state"] if lines else None

    def do(self, **deed: Any) -> dict[str, Any]:
        """Ask the service for something, and give its answer.

        Raises:
            MachineError: no service answers.
        """
        lines = self._lines({"id": "test", **deed}, lambda line: line.get("re") == "test")
        if not lines:
            raise MachineError(f"{deed}: no service answers")
        return lines[-1]
