"""The running service's budgets (docs/design.md, Budgets): from its start until it is ready, and its memory."""

import os
import socket
import statistics
import subprocess
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from tamsk_hw.simulator.pty_board import RunningBoard
from tests.bench.figures import Figure
from tests.programs import COMMAND

#: How often it is started.
STARTS = 5

#: systemd's patience (seconds); a beat comes in half of it.
WATCHDOG = 1.0

#: Beats after which the board is there and all is loaded, and those for which it is then left alone.
SETTLED, IDLE = 6, 10

#: What makes a process's id the number of its clock (clock_getcpuclockid(3), on Linux).
PROCESS_CLOCK = 2

READY_MOST = 1.0
MEMORY_MOST = 60.0
IDLE_MOST = 0.01


@dataclass(frozen=True)
class Start:
    """One start of the service."""

    seconds: float
    """From the start of the process until it is ready."""
    megabytes: float
    """Its memory (resident set) while it serves."""
    idle: float
    """The share of a core that it takes while nothing happens at the board."""


def memory(process: int) -> float:
    """The resident set of the process with this id, in MB."""
    return resident(Path(f"/proc/{process}/status").read_text())


def resident(status: str) -> float:
    """The resident set in a process's ``/proc/…/status``, in MB."""
    line = next(line for line in status.splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def processor(process: int) -> float:
    """Seconds of processor time that the process with this id has taken, by its own clock.

    `/proc` has ticks of 10 ms, of which an idle service takes a few in the seconds in which it is watched.
    """
    return time.clock_gettime(~process << 3 | PROCESS_CLOCK)


def start_at_a_board(folder: Path) -> Start:
    """The service at a board that is plugged in, with gpiozero's mock pins, and the lights of `neopixel`.

    Ready is when a socket that stands for systemd hears it.
    """
    (folder / "config.toml").write_text(
        f'[board]\nport = "{folder}/board"\n[gpio]\nfactory = "mock"\n[journal]\nfolder = "{folder}/state"\n'
    )
    with (
        RunningBoard(folder / "board"),
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as systemd,
        (folder / "output").open("w+") as output,
    ):
        systemd.bind(str(folder / "notify"))
        environment = {
            **os.environ,
            "TAMSK_HW_CONFIG": str(folder / "config.toml"),
            "NOTIFY_SOCKET": str(folder / "notify"),
            "WATCHDOG_USEC": str(round(WATCHDOG * 1e6)),
        }
        systemd.settimeout(30.0)
        begin = time.perf_counter()
        with subprocess.Popen([*COMMAND, "run"], env=environment, stdout=output, stderr=output) as process:
            try:
                hear(systemd, "READY=1")
                took = time.perf_counter() - begin
                hear(systemd, "WATCHDOG=1", SETTLED)
                megabytes = memory(process.pid)
                since, cpu = time.perf_counter(), processor(process.pid)
                hear(systemd, "WATCHDOG=1", IDLE)
                idle = (processor(process.pid) - cpu) / (time.perf_counter() - since)
            finally:
                process.terminate()
        output.seek(0)
        printed = output.read()
        if "The board is connected" not in printed or "Traceback" in printed:
            raise RuntimeError(f"the service at a board did not serve: {printed}")
        return Start(took, megabytes, idle)


def hear(systemd: socket.socket, word: str, times: int = 1) -> None:
    """Take datagrams until so many have this word."""
    while times:
        times -= word in systemd.recv(4096).decode().splitlines()


def service_figures() -> list[Figure]:
    """Start it again and again."""
    at_boards = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory() as folder:
            at_boards.append(start_at_a_board(Path(folder)))
    seconds = statistics.median(start.seconds for start in at_boards)
    megabytes = max(start.megabytes for start in at_boards)
    idle = [start.idle for start in at_boards]
    measured = f"{min(idle):.2%} to {max(idle):.2%}, {STARTS} starts"
    return [
        Figure("service start to ready, at a board", f"{READY_MOST} s", f"{seconds:.2f} s", seconds <= READY_MOST),
        Figure(
            "its memory: board, pins and lights (no page yet)",
            f"{MEMORY_MOST:.0f} MB",
            f"{megabytes:.0f} MB",
            megabytes <= MEMORY_MOST,
        ),
        # What is above the least is what else runs on the machine: it empties caches.
        Figure("the whole service at an idle board", "1 % of a core", measured, min(idle) <= IDLE_MOST),
    ]
