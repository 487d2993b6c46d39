"""Many boards at one broker: ``make load``; LOAD=away, pixels, boards or cluster is a part.

``away``: how soon the hall has everything after an hour without it. ``pixels``: from the ruling at a board to the
hall's page. ``boards``: how many boards a broker serves, and what is short then.
"""

import argparse
import asyncio
import functools
import itertools
import json
import os
import sqlite3
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

from playwright.async_api import async_playwright

from tamsk_hw.configuration.settings import MqttSettings
from tamsk_hw.hall.store import NAME, Store
from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.records import StoredGame
from tamsk_hw.live.client import SERVICE
from tamsk_hw.mqtt import bridge
from tamsk_hw.mqtt.bridge import Bridge
from tamsk_hw.system.sockets import Absence, LineFollower
from tests.bench.beside import in_turns, median_touch
from tests.hall.cluster import Cluster, cluster
from tests.hall.streams import Client, Sent, play
from tests.mqtt.broker import COMMAND, Mosquitto, Place, broker, ended, wait_until
from tests.web.site import CHROMIUM
from tests.web.watchers import most_memory

#: Seconds of play that the hall has missed.
HOUR: Final = 3600.0

#: Seconds in which boards that begin in the middle of a game have sent what was before.
CAUGHT_UP: Final = 20.0

#: Games alone, and games in a hall.
RUNS: Final = 5

#: Boards at a broker, and seconds for which they are measured.
MANY: Final = (64, 250, 500, 1000, 2000, 4000, 8000)
MEASURED: Final = 20.0


def at(values: list[float], share: float) -> float:
    """The value below which a share of them lies."""
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] if values else float("nan")


def milliseconds(values: list[float]) -> str:
    return f"median {at(values, 0.5) * 1e3:.0f} ms, 99 of 100 {at(values, 0.99) * 1e3:.0f} ms ({len(values)})"


def seconds_of(*processes: int) -> float:
    """The processor time that processes have had."""
    found = 0.0
    for each in processes:
        fields = Path(f"/proc/{each}/stat").read_text().rpartition(")")[2].split()
        found += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return found


def away(folder: Path, count: int) -> None:
    """Boards play for an hour while there is no hall; then the broker's plug is pulled, and the hall comes back.

    All bridges pass on the journal of one board: its games are as many as an hour has.
    """
    processes: list[subprocess.Popen[Any]] = []
    with broker(folder / "broker") as started, ended(processes):
        one, hall = Place(folder / "one", processes, started.port), Place(folder / "hall", processes, started.port)
        played = 0.0
        for seed in itertools.count():
            if played >= HOUR:
                break
            one.start("run", "--simulated", "--level", "3", "--speed", "100", "--seed", str(seed)).wait()
            played = sum(json.loads(game.entries[-1].line)["t"] for game in games_of(one))
        due = {game.key: [[*map(json.loads, each.rulings)] for each in game.entries] for game in games_of(one)}
        threading.Thread(target=pass_on, args=(one, started.port, count), daemon=True).start()
        time.sleep(10)
        started.kill()
        started.start()
        began = time.time()
        served = hall.start("hall")
        wait_until(hall.answers, "the hall")
        there, entries = time.time(), count * sum(map(len, due.values()))
        wait_until(lambda: kept(hall) == entries, "everything")
        print(f"{count} boards, {played:.0f} s of play, {len(due)} games each, {entries} events in all")
        now, took = time.time(), [seconds_of(each) for each in (served.pid, os.getpid())]
        print(f"processor time of the hall {took[0]:.1f} s, of all bridges {took[1]:.1f} s")
        print(f"complete {now - there:.1f} s after the hall's page answers, {now - began:.1f} s after its start")
        store = Store(hall.folder / "data" / "tamsk-hw" / NAME)
        for board, games in store.games().items():
            found = {lines.key: [[*each.rulings] for each in store.entries(board, lines.key)] for lines in games}
            assert found == due, board
        assert len(store.games()) == count
        print("each ruling of each board once and in order, as in the journal")


def games_of(board: Place) -> list[StoredGame]:
    archive = Archive(board.journal)
    return [archive.load(number) for number, _ in archive.keys(200).values()]


def kept(hall: Place) -> int:
    """The events that are in the hall's database."""
    with suppress(sqlite3.Error), sqlite3.connect(hall.folder / "data" / "tamsk-hw" / NAME) as connection:
        return int(connection.execute("SELECT count(*) FROM entry").fetchone()[0])
    return 0


def pass_on(board: Place, port: int, count: int) -> None:
    """Be the bridges of ``count`` boards without a service. All have the same journal; each game is read once."""
    once = functools.cache(functools.partial(bridge._from_journal, Archive(board.journal)))
    bridge._from_journal = lambda _, key: once(key)

    async def run() -> None:
        folder, nowhere = board.journal.parent, [board.folder / "none"]
        bridges = [
            Bridge(MqttSettings(port=port, hall="club", board=f"B{number}"), nowhere, folder, is_simulated=True)
            for number in range(1, count + 1)
        ]
        await asyncio.gather(*(bridge.run() for bridge in bridges))

    asyncio.run(run())


#: What shows in the page that the rings of a board have changed, and when.
_SEEN: Final = """() => {
  window.seen = [];
  const last = {};
  const leftAt = (tile) => [...tile.querySelectorAll(".rest")].map((each) => each.textContent).join(" ");
  for (const tile of document.querySelectorAll("#boards li")) last[tile.dataset.board] = leftAt(tile);
  const note = (records) => requestAnimationFrame(() => {
    for (const tile of new Set(records.map(({ target }) => target.parentElement.closest("li")))) {
      const left = leftAt(tile);
      const board = tile.dataset.board;
      if (last[board] !== left) window.seen.push([board, left, Date.now() / 1000]);
      last[board] = left;
    }
  });
  new MutationObserver(note).observe(document.querySelector("#boards"), {subtree: true, characterData: true});
}"""


class Watcher:
    """A listener to a board's live stream: tells ``note`` how many rings red and black have left after a ruling.

    ``note`` also gets the time of the ruling, in seconds since 1970.
    """

    def __init__(self, note: Callable[[str, float], None]) -> None:
        self._note, self._left, self._ruled = note, "", 0.0

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        self._ruled = 0.0
        return {"since": greeting["seq"], "life": greeting["life"]}

    def lost(self, why: Absence) -> None:
        pass

    def heard(self, record: Mapping[str, Any]) -> None:
        if "ruling" in record:
            self._ruled = time.time()
        elif "state" in record and (left := "{red} {black}".format_map(record["state"]["left"])) != self._left:
            self._left = left
            if self._ruled:
                self._note(left, self._ruled)


async def games(place: Place, note: Callable[[str, float], None]) -> None:
    """Be a board with referee and world, which plays one game after the other, and its bridge."""
    place.start("mqtt")
    live = place.folder / "run" / "tamsk-hw" / SERVICE.file
    following = asyncio.create_task(LineFollower([live], SERVICE, Watcher(note)).run())
    try:
        while True:
            playing = place.start("run", "--simulated", "--level", "3", "--speed", "1")
            await asyncio.to_thread(playing.wait)
    finally:
        following.cancel()


async def pixels(folder: Path, count: int, seconds: float, real: int, slower: int) -> None:
    """Boards play at real speed, and a browser shows the hall. It is slowed down: ``slower`` is how many times.

    ``real`` of the boards have a referee and a simulated world; the others replay a recorded game.
    """
    processes: list[subprocess.Popen[Any]] = []
    with broker(folder / "broker") as started, ended(processes):
        hall = Place(folder / "hall", processes, started.port)
        served = hall.start("hall")
        await asyncio.to_thread(wait_until, hall.answers, "the hall")
        ruled: dict[tuple[str, str], list[float]] = {}
        acknowledged: list[float] = []
        tasks: list[asyncio.Task[None]] = []

        def note(board: str, left: str, due: float) -> None:
            ruled.setdefault((board, left), []).append(due)

        def watch(board: str, sent: Sent, due: float, taken: float) -> None:
            acknowledged.append(taken - due)
            if sent.left is not None:
                note(board, f"{sent.left[0]} {sent.left[1]}", due)

        for board in map(str, range(1, real + 1)):
            place = Place(folder / board, processes, started.port, board=board)
            tasks.append(asyncio.create_task(games(place, functools.partial(note, board))))
            await asyncio.sleep(2)
        clients = []
        for number in range(real + 1, count + 1):
            client = Client()
            await client.open("127.0.0.1", started.port, f"load-{number}")
            clients.append(client)
            tasks.append(asyncio.create_task(play(client, str(number), "club", watch, 6.0 * number)))
        async with async_playwright() as playwright:
            browser = await playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
            page = await browser.new_page(viewport={"width": 1920, "height": 1080}, bypass_csp=True)
            await page.goto(f"http://127.0.0.1:{hall.page}/")
            session = await page.context.new_cdp_session(page)
            await session.send("Emulation.setCPUThrottlingRate", {"rate": slower})
            await page.wait_for_function(f"document.querySelectorAll('#boards li').length == {count}")
            await asyncio.sleep(CAUGHT_UP)
            await page.evaluate(_SEEN)
            acknowledged.clear()
            first, began, memory = seconds_of(served.pid), time.time(), []
            for _ in range(5):
                await asyncio.sleep(seconds / 5)
                memory.append(f"{most_memory(served) / 1e6:.0f}")
            seen = await page.evaluate("window.seen")
            await browser.close()
        for task in tasks:
            task.cancel()
        delays = [
            when - max(due for due in ruled[board, left] if due <= when)
            for board, left, when in seen
            if any(due <= when for due in ruled.get((board, left), ()))
        ]
        busy = (seconds_of(served.pid) - first) / (time.time() - began)
        print(f"{count} boards, {real} of them real, {seconds:.0f} s, browser {slower} times slower")
        print(f"ruling to the broker: {milliseconds(acknowledged)}")
        print(f"ruling to the hall's pixels: {milliseconds(delays)}")
        print(f"hall: {busy:.0%} of a processor, {', '.join(memory)} MB after each fifth of the time")


async def boards(started: Mosquitto | Cluster, count: int) -> None:
    """So many boards at real speed for a while."""
    late: list[float] = []

    def watch(board: str, sent: Sent, due: float, taken: float) -> None:
        late.append(taken - due)

    clients = [Client() for _ in range(count)]
    for number, each in enumerate(clients):  # one after the other: a new cluster refuses many at once
        await each.open(started.nodes[number % len(started.nodes)], started.port, f"load-{number}")
    tasks = [
        asyncio.create_task(play(each, str(number), "load", watch, 400.0 * number / count, is_whole=False))
        for number, each in enumerate(clients)
    ]
    await asyncio.sleep(5)
    late.clear()
    brokers = started.processes
    own, theirs, began = seconds_of(os.getpid()), seconds_of(*brokers), time.time()
    await asyncio.sleep(MEASURED)
    taken = time.time() - began
    theirs, own = (seconds_of(*brokers) - theirs) / taken, (seconds_of(os.getpid()) - own) / taken
    print(f"{count} boards: {len(late) / taken:.0f} messages a second, each after {milliseconds(late)};", end=" ")
    print(f"broker {theirs:.0%}, boards {own:.0%} of a processor", flush=True)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    for each in clients:
        each.close()


@contextmanager
def passed_on(environment: dict[str, str], folder: Path) -> Iterator[Callable[[], None]]:
    """A bridge sends what the service does to a hall. Hall, broker and 63 more boards share one processor."""
    processes: list[subprocess.Popen[Any]] = []
    with broker(folder / "broker") as started, ended(processes):
        hall = Place(folder / "hall", processes, started.port, board="real")
        hall.start("hall")
        others = [sys.executable, "-m", "tests.hall.load", "beside", "--boards", "63", "--port", str(started.port)]
        processes.append(subprocess.Popen(others))
        for process in (*started.processes, *(each.pid for each in processes)):
            os.sched_setaffinity(process, {max(os.sched_getaffinity(0))})  # as on computers of their own
        niced = ("nice", "-n", "5", *COMMAND)  # as the unit does
        live = str(folder / "tamsk-hw" / "live.sock")
        hall.start("mqtt", "--socket", live, "--config", str(hall.file), command=niced)
        yield lambda: None


async def beside(port: int, count: int) -> None:
    """Be ``count`` boards, each of which sends the recorded game, until somebody ends this process."""
    clients = [Client() for _ in range(count)]
    for number, each in enumerate(clients):
        await each.open("127.0.0.1", port, f"load-{number}")
    playing = (
        play(each, str(number), "club", lambda *_: None, 6.0 * number) for number, each in enumerate(clients)
    )
    await asyncio.gather(*playing)


def touch() -> None:
    """From touch to light at a board in a hall of 64, and alone."""
    alone, loud = in_turns(RUNS, passed_on)
    for what, these in (("alone", alone), ("in a hall of 64", loud)):
        print(f"touch to light {what}, 99 of 100: {', '.join(f'{each.touch * 1e3:.1f}' for each in these)} ms")
    print(f"{median_touch(loud) / median_touch(alone):.2f} times as long, by the medians")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("parts", nargs="*")
    parser.add_argument("--boards", type=int, default=64)
    parser.add_argument("--seconds", type=float, default=600.0)
    parser.add_argument("--real", type=int, default=8)
    parser.add_argument("--slower", type=int, default=4, help="a Raspberry Pi 4 beside a computer of 2024")
    parser.add_argument("--port", type=int)
    asked = parser.parse_args()
    if asked.port:
        asyncio.run(beside(asked.port, asked.boards))
    parts = asked.parts or ["away", "pixels", "touch", "boards", "cluster"]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        for part in parts:
            (folder / part).mkdir()
        if "away" in parts:
            away(folder / "away", asked.boards)
        if "pixels" in parts:
            asyncio.run(pixels(folder / "pixels", asked.boards, asked.seconds, asked.real, asked.slower))
        if "touch" in parts:
            touch()
        for part in {"boards", "cluster"} & {*parts}:
            for count in MANY:
                with (cluster if part == "cluster" else broker)(folder / part / str(count)) as started:
                    asyncio.run(boards(started, count))


if __name__ == "__main__":
    main()
