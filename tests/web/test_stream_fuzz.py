"""A service that sends anything: the page goes on reading, answers every browser, and shows the next game.

Lines are made from the schema of the stream, and real ones are spoilt (`tests.live.spoilt_lines`).
"""

import asyncio
import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from tamsk_hw.live.client import read_for_ever
from tamsk_hw.web.live import LiveTable
from tests.live.spoilt_lines import lines_of_schema, spoilt
from tests.soak import in_soak
from tests.web.asking import ask
from tests.web.stream import Told, greeting
from tests.web.tables import served_page

EXAMPLES = in_soak(1000, otherwise=30)
PATIENCE = 30.0

PLAYED = [greeting(), *Told().game("R7.6-just-within-the-window"), *Told().game("R9.3-full-tube-in-doubt")]
OVER = list(Told().game("R5.2-fewest-rings", key="b"))

#: What a service says that may be wrong anywhere: real lines, of which some are spoilt, and some that nobody sent.
HOSTILE = some.lists(
    some.one_of(
        some.sampled_from(PLAYED).map(lambda record: json.dumps(record).encode()),
        spoilt(PLAYED),
        lines_of_schema().map(lambda record: json.dumps(record).encode(errors="surrogatepass")),
    ),
    max_size=6,
)


def in_order(lines: list[bytes]) -> list[bytes]:
    """The lines with numbers that a reader takes: each higher than the one before."""
    numbered = []
    for seq, line in enumerate(lines, start=1):
        begin, found, rest = line.partition(b'"seq": ')
        numbered.append(begin + found + str(seq).encode() + rest.lstrip(b"0123456789") if found else line)
    return numbered


class Page:
    """The page before a service that sends what it likes to the first who comes, and a game to the second."""

    def __init__(self, folder: Path) -> None:
        self.table = LiveTable(lambda: 0.0, lambda: 0.0)
        self.app = served_page(self.table, folder)
        self.come_again = asyncio.Event()
        self.go_on = asyncio.Event()
        self.hostile: list[bytes] = []

    async def serve(self, incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> None:
        lines = [json.dumps(record).encode() for record in [greeting("77aa"), *OVER]]
        if self.hostile:
            lines, self.hostile = self.hostile, []
        else:
            self.come_again.set()
            await self.go_on.wait()
        try:
            outgoing.write(b"\n".join(lines) + b"\n")
            await outgoing.drain()
            outgoing.close()
            await outgoing.wait_closed()
        except OSError:
            pass


async def suffer(folder: Path, lines: list[bytes]) -> None:
    place = folder / "live.sock"
    page = Page(folder)
    page.hostile = lines
    server = await asyncio.start_unix_server(page.serve, place)
    reading = asyncio.create_task(read_for_ever([place], page.table, retry=0))
    try:
        async with asyncio.timeout(PATIENCE):
            await until(page.come_again, reading)
            for path in ("/", "/now", "/board.svg", "/arbiter", "/events"):
                assert (await ask(page.app, "GET", path, "tube=D4")).status in (200, 503), path
            news = asyncio.Event()
            page.table.watch(news.set)
            page.go_on.set()
            while page.table.scene is None or page.table.scene.view.over is None or page.table.kept.life != "77aa":
                news.clear()
                await until(news, reading)
            assert (await ask(page.app, "GET", "/")).status == 200
    finally:
        reading.cancel()
        server.close()
        place.unlink(missing_ok=True)  # from Python 3.13 on the server removes it


async def until(event: asyncio.Event, reading: asyncio.Task[None]) -> None:
    """Wait for the event; the reader must not end meanwhile."""
    waiting = asyncio.create_task(event.wait())
    await asyncio.wait((waiting, reading), return_when=asyncio.FIRST_COMPLETED)
    if reading.done():
        waiting.cancel()
        await reading
    assert not reading.done()


@settings(max_examples=EXAMPLES)
@given(lines=HOSTILE, first=some.one_of(some.just(json.dumps(greeting()).encode()), spoilt([greeting()])))
def test_the_page_survives_whatever_a_service_sends(
    tmp_path_factory: pytest.TempPathFactory, lines: list[bytes], first: bytes
) -> None:
    asyncio.run(suffer(tmp_path_factory.mktemp("s"), [first, *in_order(lines)]))
