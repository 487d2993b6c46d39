"""Many who watch, and some who never read: each gets each ruling once and in order, over a page started again."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress

import pytest

from tests.soak import in_soak
from tests.table.board_program import ROOT

COMMAND = [sys.executable, "-u", "-m", "tamsk_hw.commands.main"]

#: Seconds after which what does not come fails the test.
PATIENCE = 120.0

WATCHING = in_soak(200, otherwise=40)
DEAF = in_soak(20, otherwise=4)

#: The most memory of the page's process, in bytes: as much as 220 browsers need, and half as much again.
MOST_MEMORY = 75_000_000


class Watcher:
    """One who reads ``/events``, and comes back with the last line that he had."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.rulings: list[int] = []
        self.games = 0
        self.last = ""

    async def watch(self) -> None:
        while True:
            with suppress(OSError):
                await self._read()
            await asyncio.sleep(0.1)

    async def _read(self) -> None:
        incoming, outgoing = await asyncio.open_connection("127.0.0.1", self.port, limit=1 << 20)
        last = f"Last-Event-ID: {self.last}\r\n" if self.last else ""
        outgoing.write(f"GET /events HTTP/1.1\r\nHost: localhost\r\n{last}\r\n".encode())
        place = event = ""
        try:
            while line := (await incoming.readline()).decode().rstrip("\n"):
                if line.startswith("HTTP/1.1 "):
                    assert line.split()[1] == "200", line
                if line == "\r":  # the end of the headers
                    break
            while raw := await incoming.readline():
                name, _, value = raw.decode().rstrip("\n").partition(": ")
                if name == "id":
                    place = value
                elif name == "event":
                    event = value
                elif name == "data" and event == "ruling":
                    self.rulings.append(json.loads(value)["seq"])
                    self.last = place
                elif name == "data" and event == "game":
                    self.games += 1
                    self.last = place
        finally:
            outgoing.close()


async def never_read(port: int) -> None:
    """Ask for the events and take none of them."""
    _, outgoing = await asyncio.open_connection("127.0.0.1", port)
    outgoing.transport.pause_reading()  # type: ignore[attr-defined]
    outgoing.write(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    await asyncio.sleep(PATIENCE)


@pytest.fixture
def processes() -> Iterator[list[subprocess.Popen[bytes]]]:
    started: list[subprocess.Popen[bytes]] = []
    yield started
    for process in started:
        if process.poll() is None:
            process.terminate()
            process.wait(PATIENCE)


def memory(process: subprocess.Popen[bytes]) -> int:
    """The most bytes of memory that a process has had."""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
        [line] = [line for line in status if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024


async def until(is_so: Callable[[], bool]) -> None:
    async with asyncio.timeout(PATIENCE):
        while not is_so():
            await asyncio.sleep(0.1)


def test_each_ruling_comes_once_and_in_order_to_all(processes: list[subprocess.Popen[bytes]]) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = int(free.getsockname()[1])

    def start(*arguments: str) -> subprocess.Popen[bytes]:
        process = subprocess.Popen(
            [*COMMAND, *arguments],
            cwd=ROOT,
            env=dict(os.environ),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        processes.append(process)
        return process

    async def test() -> None:
        start("run", "--seed", "4", "--speed", "4", "--level", "3")
        page = start("web", "--port", str(port))
        watchers = [Watcher(port) for _ in range(WATCHING)]
        tasks = [asyncio.create_task(watcher.watch()) for watcher in watchers]
        await until(lambda: all(len(watcher.rulings) >= 6 for watcher in watchers))
        tasks += [asyncio.create_task(never_read(port)) for _ in range(DEAF)]
        before = max(len(watcher.rulings) for watcher in watchers)
        await until(lambda: all(len(watcher.rulings) >= before + 6 for watcher in watchers))
        assert memory(page) < MOST_MEMORY
        page.terminate()
        page.wait(PATIENCE)
        page = start("web", "--port", str(port))
        before = max(len(watcher.rulings) for watcher in watchers)
        await until(lambda: all(len(watcher.rulings) >= before + 6 for watcher in watchers))
        award = await asyncio.create_subprocess_exec(*COMMAND, "arbiter", "award", "red", cwd=ROOT)
        assert await award.wait() == 0
        longest = max((watcher.rulings for watcher in watchers), key=len)
        await until(lambda: all(len(watcher.rulings) >= len(longest) for watcher in watchers))
        assert memory(page) < MOST_MEMORY
        for task in tasks:
            task.cancel()
        told = min((watcher.rulings for watcher in watchers), key=len)
        assert told == sorted(set(told))
        for watcher in watchers:
            assert watcher.rulings[: len(told)] == told
            assert watcher.games == 1

    asyncio.run(test())
