"""Attacks on the page beside a running game, at real speed: ``make attacks RUNS=1``.

The attackers are on loopback only, bounded in number and ended with the game. They keep connections that say
nothing or half of what they begin, look at a game that was imported to cost time, send wrong tokens from five
addresses and numbers with thousands of digits, and speak no HTTP. Meanwhile a new browser asks for the page, and
the arbiter signs in.
"""

import asyncio
import http.client
import json
import os
import resource
import statistics
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from tamsk_hw.errors import StreamError
from tamsk_hw.journal.changes import MOST_IMPORT, change_here, recording_of
from tamsk_hw.web.security import TokenFile
from tests.bench.beside import MOST_GROWTH, PATIENCE, command, in_turns, median_touch, page, people
from tests.bench.figures import Figure
from tests.bench.waits import milliseconds
from tests.web.watchers import most_memory

#: Connections that are kept, and the addresses that send wrong tokens.
KEPT: Final = 1100
STRANGERS: Final = [f"127.0.0.{number}" for number in range(2, 7)]

#: The most seconds until a new browser has its page; bytes of the log; memory of the page (MB).
MOST_ANSWER, MOST_LOG, PAGE_MOST = 2.0, 1_000_000, 150.0

#: Seconds after which an answer counts as none.
GIVEN_UP: Final = 20.0

_GET = "GET {} HTTP/1.1\r\nHost: localhost\r\n"
_POST = "POST {} HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Type: application/json\r\n"
_TOKEN = json.dumps({"token": "x" * 43})
_WRONG = _POST.format("/arbiter/sign-in") + f"Content-Length: {len(_TOKEN)}\r\n\r\n{_TOKEN}"

#: What is said on the connections that are kept, in turns.
_SAID: Final = ("", _GET.format("/"), _POST.format("/arbiter/sign-in") + "Content-Length: 40\r\n\r\n{", "")

#: What is asked again and again, by so many at a time.
_ASKED: Final = (
    *[_GET.format(path) + "\r\n" for path in ("/games/1", "/games/1/replay", "/games/1/replay/5", "/games/2")],
    *[_GET.format(f"/games/2/replay/{'9' * 5000}") + "\r\n", "\0\1\2\r\n\r\n"],
    _GET.format("/") + "Transfer-Encoding: chunked\r\n\r\nno size\r\n",
)


def costly(end: float) -> bytes:
    """A stream as large as one may be, with a ruling for nearly each event, and its last event at ``end``."""
    tubes = ("D1", "G4", "A4", "D7", "G1", "A1")
    sand = {"glass": min(36_000.0, end), "tolerance": 0.999}
    lines = [json.dumps({"tamsk": 1, "ruleset": {"level": 2}, "sand": sand})]
    lines += [f'{{"t":0,"event":"seat","tube":"{tube}","end":"A"}}' for tube in tubes]
    lines.append('{"t":1,"event":"button","button":"start","press":"short"}')
    last = f'{{"t":{end},"event":"tick"}}'
    size = sum(len(line) + 1 for line in (*lines, last))
    for place in range(2, 1_000_000):
        what = '"lift","tube":"D1"' if place % 2 == 0 else '"seat","tube":"D1","end":"A"'
        line = f'{{"t":{place},"event":{what}}}'
        size += len(line) + 1
        if size > MOST_IMPORT:
            break
        lines.append(line)
    return "\n".join([*lines, last]).encode()


async def keep(port: int, said: str, address: str = "127.0.0.1", pause: float = 0.5) -> None:
    """Say something on a connection, take what is answered until it ends, and begin again."""
    while True:
        with suppress(OSError, TimeoutError):
            incoming, outgoing = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
            try:
                outgoing.write(said.encode())
                async with asyncio.timeout(GIVEN_UP):
                    while await incoming.read(1 << 16):
                        pass
            finally:
                outgoing.transport.abort()
        await asyncio.sleep(pause)


async def attack(port: int) -> None:
    """Attack until standard input ends."""
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(8192, hard), hard))
    close = "Connection: close\r\n\r\n"
    os.nice(19)  # the attackers would have computers of their own
    kept = [(_SAID[number % len(_SAID)], STRANGERS[number % len(STRANGERS)]) for number in range(KEPT)]
    tasks = [asyncio.create_task(keep(port, *each)) for each in kept]
    tasks += [asyncio.create_task(keep(port, said.replace("\r\n\r\n", f"\r\n{close}", 1))) for said in _ASKED]
    tasks += [asyncio.create_task(keep(port, _WRONG, stranger, 2.0)) for stranger in STRANGERS]
    await asyncio.to_thread(sys.stdin.read)
    for task in tasks:
        task.cancel()


@dataclass
class Browser:
    """Somebody who asks for the page as a new browser again and again, and signs in at the desk."""

    port: int
    token: str
    answers: list[float] = field(default_factory=list)
    """Seconds until each page was there; `GIVEN_UP` where none came."""
    entered: list[int] = field(default_factory=list)
    """The status of each signing in."""

    def run(self, is_over: threading.Event) -> None:
        """Ask until it is over."""
        while not is_over.wait(0.2):
            self.answers.append(self.time(lambda: self.ask("GET", "/", None)))
            if len(self.answers) % 20 == 0:
                self.time(lambda: self.entered.append(self.ask("POST", "/arbiter/sign-in", self.token)))

    def time(self, what: Callable[[], object]) -> float:
        began = time.monotonic()
        try:
            what()
        except (OSError, http.client.HTTPException):
            return GIVEN_UP
        return time.monotonic() - began

    def ask(self, method: str, path: str, token: str | None) -> int:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=GIVEN_UP)
        try:
            body = None if token is None else json.dumps({"token": token})
            headers = {"Origin": f"http://127.0.0.1:{self.port}", "Content-Type": "application/json"}
            connection.request(method, path, body, headers)
            answer = connection.getresponse()
            answer.read()
            return answer.status
        finally:
            connection.close()


@dataclass(frozen=True)
class Attacked:
    """What came of the attacks: the browser's account, the page's most memory (MB) and the bytes of its log."""

    browser: Browser
    page: float
    log: int


@contextmanager
def attacked(environment: dict[str, str], folder: Path) -> Iterator[Callable[[], Attacked]]:
    """A page under attack; what is given ends the attack, and tells of it."""
    state = folder / "state" / "tamsk-hw"
    journal = state / "journal"
    journal.mkdir(parents=True)
    for end in (1e15, 3.6e7):
        with suppress(StreamError):
            change_here(journal, recording_of(costly(end).splitlines()), 0.0)
            break
    with suppress(StreamError):
        change_here(journal, recording_of(costly(60_000.0).splitlines()), 0.0)
    (folder / "page.toml").write_text(f'[journal]\nfolder = "{journal}"\n')
    environment = {**environment, "XDG_DATA_HOME": str(folder / "state")}
    token, log = TokenFile.of(state).renew(), folder / "page.log"

    def bounded() -> None:
        """Run the page as its service does (tamsk-hw-web.service), its memory and open files limited."""
        os.nice(5)
        resource.setrlimit(resource.RLIMIT_AS, (6 << 30, 6 << 30))
        resource.setrlimit(resource.RLIMIT_NOFILE, (1024, resource.getrlimit(resource.RLIMIT_NOFILE)[1]))

    configured = ("--config", str(folder / "page.toml"))
    with (
        log.open("wb") as said,
        page(*configured, env=environment, stderr=said, preexec_fn=bounded) as (process, port),
        ExitStack() as stack,
    ):
        browser, is_over = Browser(port, token), threading.Event()
        stack.callback(is_over.set)
        end = time.monotonic() + PATIENCE
        while browser.time(lambda: browser.ask("GET", "/", None)) == GIVEN_UP and time.monotonic() < end:
            time.sleep(0.1)
        stack.enter_context(people("tests.bench.attacks", port))
        asking = threading.Thread(target=browser.run, args=(is_over,))
        asking.start()

        def ask() -> Attacked:
            is_over.set()
            asking.join()
            return Attacked(browser, most_memory(process) / 1e6, log.stat().st_size)

        yield ask


def attack_figures(runs: int) -> list[Figure]:
    """Measure ``runs`` times without the attacks and as often with them, in turns."""
    quiet, loud = in_turns(runs, attacked)
    growth = median_touch(loud) / median_touch(quiet)
    told = [each.told for each in loud if each.told is not None]
    answers = [seconds for each in told for seconds in each.browser.answers]
    entered = [status for each in told for status in each.browser.entered]
    most, log = max(each.page for each in told), max(each.log for each in told)
    late = ", ".join(milliseconds(each.late) for each in (*quiet, *loud))
    return [
        Figure(
            f"new browser answered, {len(answers)} asked",
            f"{MOST_ANSWER:.0f} s",
            f"median {milliseconds(statistics.median(answers))} ms, most {milliseconds(max(answers))} ms",
            max(answers) <= MOST_ANSWER,
        ),
        Figure(
            "arbiter signed in",
            "each time",
            f"{entered.count(200)} of {len(entered)}",
            entered.count(200) == len(entered) > 0,
        ),
        Figure("most memory of the page", f"{PAGE_MOST:.0f} MB", f"{most:.0f} MB", most <= PAGE_MOST),
        Figure("log of the page", f"{MOST_LOG / 1e6:.0f} MB", f"{log / 1e6:.3f} MB", log <= MOST_LOG),
        Figure(
            "touch to light without the dwell, p99, attacked",
            f"{MOST_GROWTH} ×",
            f"{growth:.2f} × of {milliseconds(median_touch(quiet))} ms; frames written late {late}",
            growth <= MOST_GROWTH,
        ),
    ]


if __name__ == "__main__":
    command("The page under attack beside a game", attack_figures, attack, 1)
