"""Build the emulator and small AVR programs, and talk to the emulator over its control socket."""

from __future__ import annotations

import shutil
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROGRAMS = Path(__file__).parent / "programs"
SECOND = 16_000_000  # cycles

missing_tools = [tool for tool in ("avr-gcc", "cc", "make") if shutil.which(tool) is None]
if not Path("/usr/include/simavr/sim_avr.h").exists():
    missing_tools.append("libsimavr-dev")


def build_emulator(folder: Path) -> Path:
    """Build the emulator into a folder."""
    command = ["make", "--silent", "-C", str(ROOT / "firmware/emulator"), f"BUILD={folder}"]
    subprocess.run(command, check=True, capture_output=True, text=True)
    return folder / "emulator"


def build_program(folder: Path, name: str, **values: int) -> Path:
    """Build programs/NAME.c for the ATmega328P, with preprocessor values."""
    elf = folder / ("_".join([name, *(f"{key}{value}" for key, value in values.items())]) + ".elf")
    options = ["-mmcu=atmega328p", "-DF_CPU=16000000UL", "-std=c11", "-O2", "-Wall", "-Wextra", "-Werror"]
    defines = [f"-D{key}={value}" for key, value in values.items()]
    command = ["avr-gcc", *options, *defines, "-o", str(elf), str(PROGRAMS / f"{name}.c")]
    subprocess.run(command, check=True)
    return elf


class Refused(Exception):
    """The emulator's answer began with "error"."""


@dataclass(frozen=True)
class Check:
    """Something that the firmware did wrong."""

    cycle: int
    name: str
    detail: str


class Emulator:
    """A running emulator."""

    def __init__(self, connection: socket.socket) -> None:
        self._out = connection.makefile("w", encoding="ascii", newline="\n")
        self._in = connection.makefile("r", encoding="ascii", newline="\n")

    def ask(self, command: str) -> str:
        self._out.write(command + "\n")
        self._out.flush()
        answer = self._in.readline()
        if not answer.startswith("ok"):
            raise Refused(answer.strip())
        return answer[2:].strip()

    def ask_lines(self, command: str) -> list[str]:
        return [self._in.readline().rstrip("\n") for _ in range(int(self.ask(command)))]

    def time(self) -> int:
        return int(self.ask("time"))

    def run(self, cycles: int) -> int:
        return int(self.ask(f"run {cycles}"))

    def run_to(self, cycle: int) -> int:
        return int(self.ask(f"run_to {cycle}"))

    def send(self, data: bytes) -> None:
        self.ask(f"send {data.hex()}")

    def sent(self) -> list[tuple[int, int]]:
        """The controller's bytes since the last call, each with the cycle in which its stop bit ends."""
        pairs = (line.split() for line in self.ask_lines("sent"))
        return [(int(cycle), int(byte, 16)) for cycle, byte in pairs]

    def marks(self) -> list[tuple[int, int]]:
        """What the program wrote to GPIOR0 since the last call, each with its cycle."""
        pairs = (line.split() for line in self.ask_lines("marks"))
        return [(int(cycle), int(byte, 16)) for cycle, byte in pairs]

    def checks(self) -> list[Check]:
        parts = (line.split(" ", 2) for line in self.ask_lines("checks"))
        return [Check(int(cycle), name, detail) for cycle, name, detail in parts]

    def check_names(self) -> list[str]:
        return [check.name for check in self.checks()]


@contextmanager
def running(emulator: Path, elf: Path, folder: Path) -> Iterator[Emulator]:
    """Run the emulator with a program; it ends with the block."""
    path = folder / "control"
    process = subprocess.Popen([str(emulator), str(elf), str(path)])
    try:
        deadline = time.monotonic() + 10
        connection = socket.socket(socket.AF_UNIX)
        while True:
            try:
                connection.connect(str(path))
                break
            except OSError:
                if process.poll() is not None or time.monotonic() > deadline:
                    raise
                time.sleep(0.005)
        with connection:
            client = Emulator(connection)
            yield client
            connection.shutdown(socket.SHUT_RDWR)
        if process.wait(10) != 0:
            raise RuntimeError(f"the emulator ended with {process.returncode}")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
