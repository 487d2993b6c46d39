"""Many who watch a page's events, and some who never read them."""

import asyncio
import json
import subprocess
from contextlib import suppress

#: Seconds after which one who never reads asks again: by then the page has given him up.
ASK_AGAIN = 25.0


class Watcher:
    """One who reads ``/events``, and comes back with the last line that he had."""

    def __init__(self, port: int) -> None:
        self.port = port
        self.rulings: list[int] = []
        self.games = 0
        self.last = ""
        self.is_reading = False

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
            self.is_reading = True
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
    """Ask for the events, again and again, and take none of them."""
    while True:
        with suppress(OSError):
            _, outgoing = await asyncio.open_connection("127.0.0.1", port)
            outgoing.transport.pause_reading()  # type: ignore[attr-defined]
            outgoing.write(b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
        await asyncio.sleep(ASK_AGAIN)


def most_memory(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> int:
    """The most bytes of memory that a process has had."""
    with open(f"/proc/{process.pid}/status", encoding="utf-8") as status:
        [line] = [line for line in status if line.startswith("VmHWM")]
    return int(line.split()[1]) * 1024
