"""A real broker on this computer, mosquitto as Debian has it, with its own defaults; and programs of a hall."""

import getpass
import json
import os
import socket
import subprocess
import time
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from tests.firmware.toolchain import found, need
from tests.programs import COMMAND
from tests.web.site import listen

#: Real seconds after which a program that does not answer fails the test.
PATIENCE = 60.0


def free_port() -> int:
    with listen() as listening:
        return int(listening.getsockname()[1])


def wait_until(is_so: Callable[[], Any], what: str) -> Any:
    """Wait until something is so, and give it."""
    end = time.monotonic() + PATIENCE
    while not (found := is_so()):
        assert time.monotonic() < end, what
        time.sleep(0.2)
    return found


class Mosquitto:
    """A broker that can be killed and started again; ``more`` are lines of its configuration."""

    nodes = ("127.0.0.1",)

    def __init__(self, folder: Path, *more: str) -> None:
        need("mosquitto")
        self.port = free_port()
        self.folder = folder
        folder.mkdir()
        rights = () if more else ("allow_anonymous true",)
        user = f"user {getpass.getuser()}"  # started by root it would give up its rights, also to these files
        lines = (
            user,
            f"listener {self.port} 127.0.0.1",
            "persistence true",
            f"persistence_location {folder}/",
            *rights,
        )
        self._file = folder / "mosquitto.conf"
        self._file.write_text("\n".join((*lines, *more)) + "\n")
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        program = found("mosquitto")
        assert program is not None
        with (self.folder / "log").open("ab") as log:
            self._process = subprocess.Popen([program, "-c", str(self._file)], stdout=log, stderr=log)
        wait_until(self._answers, "mosquitto")

    @property
    def processes(self) -> list[int]:
        """The ids of its processes that run."""
        return [] if self._process is None else [self._process.pid]

    def _answers(self) -> bool:
        with suppress(OSError), socket.create_connection(("127.0.0.1", self.port)):
            return True
        return False

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None


@contextmanager
def broker(folder: Path, *more: str) -> Iterator[Mosquitto]:
    found = Mosquitto(folder, *more)
    found.start()
    try:
        yield found
    finally:
        found.kill()


@contextmanager
def ended(processes: list[subprocess.Popen[Any]]) -> Iterator[None]:
    try:
        yield
    finally:
        for process in processes:
            process.terminate()
        for process in processes:
            process.wait()


class Place:
    """A computer in the hall: its home, and the programs that run there."""

    def __init__(self, folder: Path, processes: list[subprocess.Popen[Any]], port: int, **mqtt: str) -> None:
        self.folder = folder
        self._processes = processes
        folder.mkdir()
        self.page = free_port()
        self.file = folder / "config.toml"
        named = {"hall": "club", **mqtt}
        lines = ["[mqtt]", f"port = {port}", *(f'{key} = "{value}"' for key, value in named.items())]
        self.file.write_text("\n".join((*lines, "[hall]", f"port = {self.page}", "")))

    @property
    def journal(self) -> Path:
        return self.folder / "data" / "tamsk-hw" / "simulated"

    @property
    def environment(self) -> dict[str, str]:
        """The environment of its programs."""
        here = {"XDG_RUNTIME_DIR": self.folder / "run", "XDG_DATA_HOME": self.folder / "data"}
        return {**os.environ, **{name: str(path) for name, path in here.items()}}

    def start(self, *arguments: str, command: Sequence[str] = COMMAND) -> subprocess.Popen[Any]:
        """Start a program here, the project's with this place's configuration."""
        more = ("--config", str(self.file)) if command is COMMAND else ()
        with (self.folder / "errors").open("ab") as errors:
            process = subprocess.Popen(
                [*command, *arguments, *more],
                env=self.environment,
                stdin=subprocess.DEVNULL if command is COMMAND else subprocess.PIPE,
                stdout=subprocess.DEVNULL,
                stderr=errors,
            )
        self._processes.append(process)
        return process

    def answers(self) -> bool:
        """The hall's page is there."""
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{self.page}/boards.json"):
            return True
        return False

    def boards(self) -> dict[str, dict[str, Any]]:
        """The boards as the hall's page has them, by their names; none while there is no page."""
        with suppress(OSError), urllib.request.urlopen(f"http://127.0.0.1:{self.page}/boards.json") as answer:
            return {each["board"]: each for each in json.load(answer)["boards"]}
        return {}
