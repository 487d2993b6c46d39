"""The emulator's process and its commands (firmware/emulator/README.md). Emulated time moves only by command."""

import socket
import subprocess
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

from tamsk_hw.errors import TamskError

#: Cycles of the controller's clock in a second.
CYCLES_PER_SECOND = 16_000_000

#: Real seconds in which the emulator must have made its socket.
START_SECONDS = 10.0

#: Real seconds in which an emulator that has closed its connection must have ended.
END_SECONDS = 2.0


class EmulatorError(TamskError):
    """The emulated controller cannot be built or started, or refuses a command; the message says why."""


@dataclass(frozen=True, slots=True)
class Check:
    """An error of the firmware: its cycle, the check's name, the details in words."""

    cycle: int
    name: str
    detail: str


class Emulator:
    """A running emulator. Every command raises `EmulatorError` if it is refused or the process has ended."""

    def __init__(self, connection: socket.socket, process: subprocess.Popen[bytes] | None = None) -> None:
        """``process``: the emulator's process, to report how it ended."""
        self._process = process
        self._connection = connection
        self._in = connection.makefile("r", encoding="ascii", newline="\n")

    def ask(self, command: str) -> str:
        """Run a command; return the value of its answer."""
        return self.ask_all([command])[-1]

    def ask_all(self, commands: Sequence[str]) -> list[str]:
        """Run several commands with one-line answers in one go; return their values."""
        try:
            self._connection.sendall("\n".join([*commands, ""]).encode("ascii"))
            answers = [self._in.readline() for _ in commands]
        except (OSError, ValueError) as error:
            raise EmulatorError(self._ending()) from error
        for command, answer in zip(commands, answers, strict=True):
            if not answer:
                raise EmulatorError(self._ending(command))
            if not answer.startswith("ok"):
                raise EmulatorError(f"the emulator refuses {command!r}: {answer.strip()}")
        return [answer[2:].strip() for answer in answers]

    def _ending(self, command: str | None = None) -> str:
        """A message on how the emulator ended, at which command if that is known, and what to do."""
        at = "" if command is None else f" at the command {command!r}"
        if self._process is None:
            return f"the emulator has ended{at}"
        try:
            # its connection is gone a moment before the process
            status = self._process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            return "the emulator does not answer any more; start again"
        if status < 0:
            return f"the emulator was ended by signal {-status}; start again"
        return f"the emulator has ended with {status}{at}: {_last_words(self._process)}; start again"

    def ask_lines(self, command: str) -> list[str]:
        """Run a command that answers with several lines; return them."""
        count = int(self.ask(command))
        try:
            lines = [self._in.readline() for _ in range(count)]
        except (OSError, ValueError) as error:
            raise EmulatorError(self._ending(command)) from error
        if not all(lines):
            raise EmulatorError(self._ending(command))
        return [line.rstrip("\n") for line in lines]

    def time(self) -> int:
        """The current cycle."""
        return int(self.ask("time"))

    def run(self, cycles: int) -> int:
        """Run for ``cycles``; return the cycle reached."""
        return int(self.ask(f"run {cycles}"))

    def run_to(self, cycle: int) -> int:
        """Run to a cycle; return the cycle reached, which may be a few more."""
        return int(self.ask(f"run_to {cycle}"))

    def send(self, data: bytes) -> None:
        """Send bytes to the controller, from now on."""
        self.ask(f"send {data.hex()}")

    def sent(self) -> list[tuple[int, int]]:
        """The controller's bytes since the last call, each with the cycle in which its stop bit ends."""
        pairs = (line.split() for line in self.ask_lines("sent"))
        return [(int(cycle), int(byte, 16)) for cycle, byte in pairs]

    def marks(self) -> list[tuple[int, int]]:
        """The bytes that the program wrote to GPIOR0 since the last call, each with its cycle."""
        pairs = (line.split() for line in self.ask_lines("marks"))
        return [(int(cycle), int(byte, 16)) for cycle, byte in pairs]

    def checks(self) -> list[Check]:
        """The firmware's errors since the last call."""
        parts = (line.split(" ", 2) for line in self.ask_lines("checks"))
        return [Check(int(cycle), name, detail) for cycle, name, detail in parts]

    def check_names(self) -> list[str]:
        """The names of the `checks` since the last call."""
        return [check.name for check in self.checks()]


@contextmanager
def running(emulator: Path, program: Path, folder: Path) -> Iterator[Emulator]:
    """Run the emulator with a program (an ELF file) until the block ends.

    ``folder`` is for the control socket and must exist. Raises `EmulatorError` when the emulator does not start.
    """
    path = folder / "control"
    try:
        # A new session: Ctrl-C is for the program that uses the emulator.
        process = subprocess.Popen(
            [str(emulator), str(program), str(path)], stderr=subprocess.PIPE, start_new_session=True
        )
    except OSError as error:
        raise EmulatorError(f"{emulator}: the emulator cannot be started: {error.strerror}") from error
    try:
        with _connect(process, path) as connection:
            yield Emulator(connection, process)
            with suppress(OSError):  # it may have ended already; its status is checked below
                connection.shutdown(socket.SHUT_RDWR)
        if (status := process.wait(START_SECONDS)) != 0:
            raise EmulatorError(f"the emulator ended with {status}: {_last_words(process)}")
    finally:
        if process.poll() is None:
            process.kill()
            process.wait()
        if process.stderr is not None:
            process.stderr.close()


def _connect(process: subprocess.Popen[bytes], path: Path) -> socket.socket:
    """Connect to the emulator's socket once it exists."""
    deadline = time.monotonic() + START_SECONDS
    connection = socket.socket(socket.AF_UNIX)
    while True:
        try:
            connection.connect(str(path))
        except OSError as error:
            if process.poll() is not None:
                connection.close()
                raise EmulatorError(f"the emulator does not start: {_last_words(process)}") from error
            if time.monotonic() > deadline:
                connection.close()
                raise EmulatorError(f"the emulator makes no socket {path}: {error.strerror}") from error
            time.sleep(0.005)
        else:
            return connection


def _last_words(process: subprocess.Popen[bytes]) -> str:
    """The standard error of an emulator that has ended, in one line."""
    said = process.stderr.read().decode(errors="backslashreplace") if process.stderr is not None else ""
    return " ".join(said.split()) or "it said nothing"
