"""Games at the service at real speed, with a page and people of whom there are many, and without.

Runs with and without take turns, so that what else the machine does strikes both. The people are a process of
their own on the same machine, and cost what they cost.
"""

import asyncio
import os
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Generic, TypeVar

from rich.console import Console

from tests.bench.figures import Figure
from tests.bench.waits import percentile_99, played, rests_of, waits_of
from tests.table.board_program import free_port
from tests.web.watchers import most_memory

#: Games in a run: more than a hundred touches, so that there is a 99th percentile.
GAMES: Final = 3

#: The most that the 99th percentile from touch to light may grow.
MOST_GROWTH: Final = 1.2

#: Seconds until all are there, or gone.
PATIENCE: Final = 120.0

T = TypeVar("T")


@contextmanager
def running(*command: str, **how: Any) -> Iterator[subprocess.Popen[str]]:
    """A Python module as a process of its own, which is ended."""
    process = subprocess.Popen([sys.executable, "-m", *command], text=True, **how)
    try:
        yield process
    finally:
        process.terminate()
        try:
            process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


@contextmanager
def page(*options: str, **how: Any) -> Iterator[tuple[subprocess.Popen[str], int]]:
    """A page at a port of its own."""
    port = free_port()
    silent = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL}
    with running("tamsk_hw.commands.main", "web", "--port", str(port), *options, **silent, **how) as process:
        yield process, port


def people(module: str, port: int) -> AbstractContextManager[subprocess.Popen[str]]:
    """The people of a module (`command`) at a page, until their standard input ends."""
    return running(module, "--people", str(port), stdin=subprocess.PIPE, stdout=subprocess.PIPE)


@dataclass(frozen=True)
class Run(Generic[T]):
    """The figures of a run; if it had a page, those of the page and of its people, too."""

    touch: float
    """The 99th percentile from touch to light, without the dwell (seconds)."""
    touches: int
    late: float
    """The 99th percentile of frames written late (seconds): the machine's share."""
    service: float
    """The most memory of the service (MB)."""
    told: T | None = None


#: Has a page and people from now on, by its environment and a folder; what it gives is asked at the end.
Beside = Callable[[dict[str, str], Path], AbstractContextManager[Callable[[], T]]]


def run(beside: Beside[T] | None) -> Run[T]:
    """Play games at the service, alone (None) or beside a page with people, and measure."""
    service: list[float] = []
    told: list[T] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        environment = {**os.environ, "XDG_RUNTIME_DIR": folder}
        environment.pop("RUNTIME_DIRECTORY", None)
        ask = stack.enter_context(beside(environment, Path(folder))) if beside is not None else None

        def at_end(process: subprocess.Popen[str]) -> None:
            service.append(most_memory(process) / 1e6)
            if ask is not None:
                told.append(ask())

        notes, late = played("quick", Path(folder), GAMES, environment, at_end)
    rests = rests_of(waits_of("quick", notes))
    return Run(percentile_99(rests), len(rests), percentile_99(late), service[0], told[0] if told else None)


def in_turns(runs: int, beside: Beside[T]) -> tuple[list[Run[T]], list[Run[T]]]:
    """Play ``runs`` times alone and ``runs`` times beside a page, in turns."""
    pairs = [(run(None), run(beside)) for _ in range(runs)]
    return [alone for alone, _ in pairs], [loud for _, loud in pairs]


def median_touch(runs: Sequence[Run[T]]) -> float:
    """The median of the runs' 99th percentiles (seconds)."""
    return statistics.median(each.touch for each in runs)


def command(
    title: str,
    figures: Callable[[int], list[Figure]],
    crowd: Callable[[int], Coroutine[Any, Any, None]],
    runs: int,
) -> None:
    """Measure and print the table; with ``--people PORT`` be the people."""
    if sys.argv[1:2] == ["--people"]:
        asyncio.run(crowd(int(sys.argv[2])))
        return
    from tests.bench.__main__ import print_table

    runs = int(sys.argv[1]) if len(sys.argv) > 1 else runs
    print_table(Console(width=120), f"{title}, {runs} runs each", figures(runs))
