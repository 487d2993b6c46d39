"""Many who watch, and some who never read: each gets each ruling once and in order, over a page started again."""

import asyncio
import subprocess
from collections.abc import Callable

from tests.programs import COMMAND, start
from tests.soak import in_soak
from tests.table.board_program import ROOT, free_port
from tests.web.watchers import Watcher, most_memory, never_read

#: Seconds after which what does not come fails the test.
PATIENCE = 120.0

WATCHING = in_soak(200, otherwise=40)
DEAF = in_soak(20, otherwise=4)

#: The most memory of the page's process, in bytes: as much as 220 browsers need, and half as much again.
MOST_MEMORY = 75_000_000


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.1)


def test_each_ruling_comes_once_and_in_order_to_all(processes: list[subprocess.Popen[str]]) -> None:
    port = free_port()

    async def test() -> None:
        page = start(processes, *COMMAND, "web", "--port", str(port))
        watchers = [Watcher(port) for _ in range(WATCHING)]
        tasks = [asyncio.create_task(watcher.watch()) for watcher in watchers]
        # Who comes later hears of no new game.
        await until(lambda: all(watcher.is_reading for watcher in watchers))
        start(processes, *COMMAND, "run", "--seed", "4", "--speed", "8", "--level", "3")
        await until(lambda: all(len(watcher.rulings) >= 6 for watcher in watchers))
        tasks += [asyncio.create_task(never_read(port)) for _ in range(DEAF)]
        before = max(len(watcher.rulings) for watcher in watchers)
        await until(lambda: all(len(watcher.rulings) >= before + 6 for watcher in watchers))
        assert most_memory(page) < MOST_MEMORY
        page.terminate()
        page.wait(PATIENCE)
        page = start(processes, *COMMAND, "web", "--port", str(port))
        before = max(len(watcher.rulings) for watcher in watchers)
        await until(lambda: all(len(watcher.rulings) >= before + 6 for watcher in watchers))
        award = await asyncio.create_subprocess_exec(*COMMAND, "arbiter", "award", "red", cwd=ROOT)
        assert await award.wait() == 0
        longest = max((watcher.rulings for watcher in watchers), key=len)
        await until(lambda: all(len(watcher.rulings) >= len(longest) for watcher in watchers))
        assert most_memory(page) < MOST_MEMORY
        for task in tasks:
            task.cancel()
        told = min((watcher.rulings for watcher in watchers), key=len)
        assert told == sorted(set(told))
        for watcher in watchers:
            assert watcher.rulings[: len(told)] == told
            assert watcher.games == 1

    asyncio.run(test())
