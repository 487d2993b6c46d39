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


def encoded(*records: Any) -> bytes:
    return b"".join(json.dumps(record).encode() + b"\n" for record in records)


def saying(*said: bytes, asked: list[Any]) -> Serving:
    """A service that answers each connection with the next of these texts, reads one line, and closes it."""
    left = list(said)

    async def serve(incoming: asyncio.StreamReader, outgoing: asyncio.StreamWriter) -> None:
        greeting, end, rest = (left.pop(0) if len(left) > 1 else left[0]).partition(b"\n")
        outgoing.write(greeting + end)
        if end:
            asked.append(await incoming.readline())
        outgoing.write(rest)
        outgoing.close()

    return serve


async def read_until(places: list[Path], heard: Heard, serving: Serving, what: Any) -> None:
    """Serve at the last of the places, which are read meanwhile, until this is heard."""
    server = await asyncio.start_unix_server(serving, places[-1])
    await heard.until(what)
    server.close()
    await server.wait_closed()
    places[-1].unlink(missing_ok=True)  # from Python 3.13 on the server removes it


def test_it_waits_for_a_service_reads_it_and_waits_again(tmp_path: Path) -> None:
    places = [tmp_path / "nowhere.sock", tmp_path / "live.sock"]

    async def main() -> None:
        heard, asked = Heard(), list[Any]()
        reading = asyncio.create_task(read_for_ever(places, heard, retry=0.01))
        await heard.until(Absence.NONE_THERE)
        for life in ("5f0c", "77aa"):
            said = encoded(greeting(life), {"seq": 1, "header": "x" * 300_000}, {"n": life})
            await read_until(places, heard, saying(said, asked=asked), {"n": life})
        reading.cancel()
        assert heard.said.index("5f0c") < heard.said.index("77aa")
        assert json.loads(asked[0]) == {"since": 0, "life": "5f0c"}

    asyncio.run(main())


def test_lines_that_come_before_the_asked_ones_are_taken_after_them(tmp_path: Path) -> None:
    """A service that read the request late has sent newer lines before the older ones, and sends them again."""
    place = tmp_path / "live.sock"
    asked = [{"state": 1}, {"seq": 1, "header": {}}, {"seq": 2}, {"seq": 3}, {"seq": 4}, {"n": 1}]

    async def main() -> None:
        heard = Heard()
        reading = asyncio.create_task(read_for_ever([place], heard, retry=0.01))
        said = encoded({**greeting(), "seq": 2}, {"seq": 3}, {"seq": 4}, *asked)
        await read_until([place], heard, saying(said, asked=[]), {"n": 1})
        reading.cancel()
        assert [each for each in heard.said if isinstance(each, dict)] == asked

    asyncio.run(main())


@pytest.mark.parametrize(
    "said",
    [
        encoded(greeting() | {"live": 2}),
        encoded({"hello": "there"}),
        encoded(["live", 1]),
        encoded(greeting(), {"strange": 1}),
        encoded(greeting()) + b"\xff{\n",
        encoded(greeting()) + b"[" * 100_000 + b"\n",
        encoded(greeting()) + b"x" * (3 << 20),
    ],
    ids=["newer", "other", "list", "strange line", "no JSON", "deep", "too long"],
)
def test_what_is_no_stream_of_this_version_is_told_and_the_next_service_is_read(
    said: bytes, tmp_path: Path
) -> None:
    place = tmp_path / "live.sock"

    async def main() -> None:
        heard = Heard()
        reading = asyncio.create_task(read_for_ever([place], heard, retry=0.01))
        serving = saying(said, encoded(greeting(), {"n": 1}), asked=[])
        await read_until([place], heard, serving, {"n": 1})
        reading.cancel()
        assert Absence.OTHER_VERSION in heard.said

    asyncio.run(main())
