"""Touch to light of the service with many browsers and without, at real speed: ``make crowd RUNS=5``.

The crowd are 200 who read what the page sends, and 20 who ask for it and never read. Each reader must get each
ruling once and in order.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from tests.bench.beside import MOST_GROWTH, PATIENCE, command, in_turns, median_touch, page, people
from tests.bench.figures import Figure
from tests.bench.waits import milliseconds
from tests.web.watchers import Watcher, most_memory, never_read

READERS: Final = 200
DEAF: Final = 20

#: The most memory of service and page (MB).
SERVICE_MOST, PAGE_MOST = 60.0, 75.0


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
def watched(environment: dict[str, str], folder: Path) -> Iterator[Callable[[], float]]:
    """A page with its crowd; what is given asks what the readers heard, and gives the page's most memory (MB).

    Raises:
        RuntimeError: a reader did not get each ruling once and in order.
    """
    with page(env=environment) as (process, port), people("tests.bench.crowd", port) as watchers:

        def ask() -> float:
            said, _ = watchers.communicate("", PATIENCE)
            check(json.loads(said))
            return most_memory(process) / 1e6

        assert watchers.stdout is not None
        watchers.stdout.readline()
        yield ask


def check(heard: list[list[int]]) -> None:
    """Each reader heard the same rulings, each once and in order."""
    longest = max(heard, key=len)
    if not longest or longest != sorted(set(longest)) or any(each != longest for each in heard):
        raise RuntimeError(f"of {len(heard)} readers {sum(each != longest for each in heard)} lack rulings")


def crowd_figures(runs: int) -> list[Figure]:
    """Measure ``runs`` times without the crowd and as often with it, in turns."""
    without, crowded = in_turns(runs, watched)
    figures = []
    for what, these in (("nobody", without), (f"{READERS} readers and {DEAF} who never read", crowded)):
        each_run = ", ".join(milliseconds(each.touch) for each in these)
        late = ", ".join(milliseconds(each.late) for each in these)
        figures.append(
            Figure(
                f"touch to light without the dwell, p99 of {these[0].touches} touches, watched by {what}",
                "",
                f"median {milliseconds(median_touch(these))} ms of {each_run}; frames written late {late}",
                None,
            )
        )
    growth = median_touch(crowded) / median_touch(without)
    service = max(each.service for each in (*without, *crowded))
    most = max(each.told or 0.0 for each in crowded)
    return [
        *figures,
        Figure("grows with the crowd", f"{MOST_GROWTH} ×", f"{growth:.2f} ×", growth <= MOST_GROWTH),
        Figure(
            "most memory of the service", f"{SERVICE_MOST:.0f} MB", f"{service:.0f} MB", service <= SERVICE_MOST
        ),
        Figure("most memory of the page", f"{PAGE_MOST:.0f} MB", f"{most:.0f} MB", most <= PAGE_MOST),
    ]


if __name__ == "__main__":
    command("The service and a crowd", crowd_figures, crowd, 5)
