"""The page's reader at a real socket: it finds a service, and finds it again."""

import asyncio
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.errors import LiveError
from tamsk_hw.live.client import read_for_ever
from tamsk_hw.system.sockets import Absence
from tamsk_hw.web.live import LiveTable
from tests.web.stream import greeting

PATIENCE = 20.0


class Heard:
    """A listener that writes down what it hears."""

    def __init__(self) -> None:
        self.said: list[Any] = []
        self.news = asyncio.Event()

    def greeted(self, greeting: Mapping[str, Any]) -> Mapping[str, Any]:
        self._say(greeting["life"])
        return {"since": 0, "life": greeting["life"]}

    def heard(self, record: Mapping[str, Any]) -> None:
        if "strange" in record:
            raise LiveError("not understood")
        self._say(record)

    def lost(self, why: Absence) -> None:
        self._say(why)

    def _say(self, what: Any) -> None:
        self.said.append(what)
        self.news.set()

    async def until(self, what: Any) -> None:
        async with asyncio.timeout(PATIENCE):
            while what not in self.said:
                self.news.clear()
                await self.news.wait()


Serving = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Any]


async def reading(places: list[Path], heard: Heard, script: Callable[[], Any]) -> None:
    task = asyncio.create_task(read_for_ever(places, heard, retry=0.01))
    try:
        await script()
    finally:
        task.cancel()


def saying(*lines: Any, asked: list[Any] | None = None) -> Serving:
    """A service that says this, hears one line, and ends."""

    async def serve(incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> None:
        outgoing.write(json.dumps(lines[0]).encode() + b"\n")
        line = await incoming.readline()
        if asked is not None and line:
            asked.append(json.loads(line))
        for record in lines[1:]:
            outgoing.write(json.dumps(record).encode() + b"\n")
        await outgoing.drain()
        outgoing.close()

    return serve


def test_it_waits_for_a_service_reads_it_and_waits_again(tmp_path: Path) -> None:
    async def main() -> None:
        heard, place, asked = Heard(), tmp_path / "live.sock", []

        async def script() -> None:
            await heard.until(Absence.NONE_THERE)
            for life in ("5f0c", "77aa"):
                long = {"seq": 1, "header": "x" * 300_000}
                server = await asyncio.start_unix_server(
                    saying(greeting(life), long, {"n": life}, asked=asked), place
                )
                await heard.until({"n": life})
                server.close()
                await server.wait_closed()
                place.unlink(missing_ok=True)
            assert heard.said.index("5f0c") < heard.said.index("77aa")
            assert asked[0] == {"since": 0, "life": "5f0c"}

        await reading([tmp_path / "nowhere.sock", place], heard, script)

    asyncio.run(main())


@pytest.mark.parametrize(
    "lines",
    [
        [greeting() | {"live": 2}],
        [{"hello": "there"}],
        [["live", 1]],
        [greeting(), {"strange": 1}],
    ],
    ids=["newer", "other", "list", "strange line"],
)
def test_what_is_no_stream_of_this_version_is_told(lines: list[Any], tmp_path: Path) -> None:
    async def main() -> None:
        heard, place = Heard(), tmp_path / "live.sock"

        async def script() -> None:
            server = await asyncio.start_unix_server(saying(*lines), place)
            await heard.until(Absence.OTHER_VERSION)
            server.close()

        await reading([place], heard, script)

    asyncio.run(main())


@pytest.mark.parametrize(
    "line",
    [
        b'{"seq":1,"event":{"t":1.0,"event":"arbiter","action":"dance"}}',
        b'{"seq":1,"ruling":{"t":1e999,"ruling":"turn","rule":"R2.1"},"words":""}',
        b'{"state":{"t":NaN}}',
        b"[" * 100_000,
        b"5",
    ],
    ids=["another decision", "endless time", "no number", "deep", "no object"],
)
def test_the_table_waits_for_another_service_after_a_line_that_it_does_not_know(
    line: bytes, tmp_path: Path
) -> None:
    async def main() -> None:
        table, place = LiveTable(lambda: 0.0, lambda: 0.0), tmp_path / "live.sock"
        hostile = [json.dumps(greeting()).encode() + b"\n" + line + b"\n"]
        good, heard = json.dumps(greeting("77aa")).encode() + b"\n", asyncio.Event()
        table.watch(heard.set)

        async def serve(incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> None:
            outgoing.write(hostile.pop() if hostile else good)
            outgoing.close()

        server = await asyncio.start_unix_server(serve, place)
        reading = asyncio.create_task(read_for_ever([place], table, retry=0.01))
        async with asyncio.timeout(PATIENCE):
            while table.kept.life != "77aa" and not reading.done():
                heard.clear()
                done = asyncio.create_task(heard.wait())
                await asyncio.wait((done, reading), return_when=asyncio.FIRST_COMPLETED)
        assert not reading.done()
        reading.cancel()
        server.close()

    asyncio.run(main())


def test_a_line_that_is_too_long_or_no_json_ends_the_connection_and_nothing_else(tmp_path: Path) -> None:
    async def main() -> None:
        heard, place = Heard(), tmp_path / "live.sock"
        bad = [b"x" * (3 << 20), b"\xff{\n"]

        async def serve(incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> None:
            outgoing.write(json.dumps(greeting()).encode() + b"\n")
            outgoing.write(bad.pop() if bad else b'{"n":1}\n')
            outgoing.close()

        async def script() -> None:
            server = await asyncio.start_unix_server(serve, place)
            await heard.until({"n": 1})
            server.close()

        await reading([place], heard, script)

    asyncio.run(main())
