"""Touch to light of the service with many browsers and without, at real speed: ``make crowd RUNS=5``.

Runs without and with the crowd take turns, so that what else the machine does strikes both. The crowd is a process
of its own on the same machine, and costs what it costs: 200 who read what the page sends, and 20 who ask for it
and never read. Each reader must get each ruling once and in order.
"""

import asyncio
import json
import os
import socket
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rich.console import Console

from tests.bench.figures import Figure
from tests.bench.waits import milliseconds, percentile_99, played, rests_of, waits_of
from tests.web.watchers import Watcher, most_memory, never_read

READERS: Final = 200
DEAF: Final = 20

#: Games in a run: more than a hundred touches, so that there is a 99th percentile.
GAMES: Final = 3

#: The most that the 99th percentile may grow; the most memory of service and page (MB).
MOST_GROWTH: Final = 1.2
SERVICE_MOST, PAGE_MOST = 60.0, 75.0

#: Seconds until all are there.
PATIENCE: Final = 120.0


@dataclass(frozen=True)
class Run:
    """A run."""

    touch: float
    """The 99th percentile from touch to light, without the dwell (seconds)."""
    touches: int
    late: float
    """The 99th percentile of frames written late (seconds): the machine's share."""
    service: float
    """The most memory of the service (MB)."""
    page: float | None
    """The most memory of the page, if there was one (MB)."""


async def crowd(port: int) -> None:
    """Watch until standard input ends; print when all are there, and in the end the rulings of each."""
    watchers = [Watcher(port) for _ in range(READERS)]
    tasks = [asyncio.create_task(watcher.watch()) for watcher in watchers]
    tasks += [asyncio.create_task(never_read(port)) for _ in range(DEAF)]
    while not all(watcher.is_reading for watcher in watchers):
        await asyncio.sleep(0.1)
    print("there", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    print(json.dumps([watcher.rulings for watcher in watchers]))
    for task in tasks:
        task.cancel()


@contextmanager
def watched(environment: dict[str, str]) -> Iterator[Callable[[], float]]:
    """A page with its crowd; what is given asks what the readers heard, and gives the page's most memory (MB).

    Raises:
        RuntimeError: a reader did not get each ruling once and in order.
    """
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = str(free.getsockname()[1])
    page = subprocess.Popen(
        [sys.executable, "-m", "tamsk_hw.commands.main", "web", "--port", port],
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        text=True,
    )
    people = subprocess.Popen(
        [sys.executable, "-m", "tests.bench.crowd", "--crowd", port],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def ask() -> float:
        said, _ = people.communicate("", PATIENCE)
        check(json.loads(said))
        return most_memory(page) / 1e6

    try:
        assert people.stdout is not None
        people.stdout.readline()
        yield ask
    finally:
        for process in (people, page):
            process.terminate()
            process.wait(PATIENCE)


def run(*, with_crowd: bool) -> Run:
    """Play with or without a crowd."""
    service: list[float] = []
    pages: list[float] = []
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        environment = {**os.environ, "XDG_RUNTIME_DIR": folder}
        environment.pop("RUNTIME_DIRECTORY", None)
        ask = stack.enter_context(watched(environment)) if with_crowd else None

        def at_end(process: subprocess.Popen[str]) -> None:
            service.append(most_memory(process) / 1e6)
            if ask is not None:
                pages.append(ask())

        notes, late = played("quick", Path(folder), GAMES, environment, at_end)
    rests = rests_of(waits_of("quick", notes))
    return Run(percentile_99(rests), len(rests), percentile_99(late), service[0], pages[0] if pages else None)


def check(heard: list[list[int]]) -> None:
    """Each reader heard the same rulings, each once and in order."""
    longest = max(heard, key=len)
    if not longest or longest != sorted(set(longest)) or any(each != longest for each in heard):
        raise RuntimeError(f"of {len(heard)} readers {sum(each != longest for each in heard)} lack rulings")


def crowd_figures(runs: int) -> list[Figure]:
    """Measure ``runs`` times without the crowd and as often with it, in turns."""
    pairs = [(run(with_crowd=False), run(with_crowd=True)) for _ in range(runs)]
    without, crowded = zip(*pairs, strict=True)
    figures = []
    medians = []
    for what, these in (("nobody", without), (f"{READERS} readers and {DEAF} who never read", crowded)):
        medians.append(statistics.median(each.touch for each in these))
        each_run = ", ".join(milliseconds(each.touch) for each in these)
        late = ", ".join(milliseconds(each.late) for each in these)
        figures.append(
            Figure(
                f"touch to light without the dwell, p99 of {these[0].touches} touches, watched by {what}",
                "",
                f"median {milliseconds(medians[-1])} ms of {each_run}; frames written late {late}",
                None,
            )
        )
    growth = medians[1] / medians[0]
    service = max(each.service for each in (*without, *crowded))
    page = max(each.page or 0.0 for each in crowded)
    return [
        *figures,
        Figure("grows with the crowd", f"{MOST_GROWTH} ×", f"{growth:.2f} ×", growth <= MOST_GROWTH),
        Figure(
            "most memory of the service", f"{SERVICE_MOST:.0f} MB", f"{service:.0f} MB", service <= SERVICE_MOST
        ),
        Figure("most memory of the page", f"{PAGE_MOST:.0f} MB", f"{page:.0f} MB", page <= PAGE_MOST),
    ]


def main() -> None:
    """Measure and print the table; with ``--crowd PORT`` be the crowd."""
    if sys.argv[1:2] == ["--crowd"]:
        asyncio.run(crowd(int(sys.argv[2])))
        return
    from tests.bench.__main__ import print_table

    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    print_table(Console(width=120), f"The service and a crowd, {runs} runs each", crowd_figures(runs))


if __name__ == "__main__":
    main()
