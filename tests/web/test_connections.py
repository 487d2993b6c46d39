"""Connections that keep the page waiting: when each is given up, and that there is room for whoever comes."""

import asyncio
import configparser
from collections.abc import Awaitable, Callable
from pathlib import Path

import pytest

from tamsk_hw.web import app as connections_module
from tamsk_hw.web.app import BACKLOG, DESCRIPTORS, MOST, PageConnection, PageServer, give_up_late, page_app
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import FOR_ARBITERS, MOST_WATCHERS, Pages
from tamsk_hw.web.security import Binding

PATIENCE = 20.0

ASK = b"GET /rules HTTP/1.1\r\nHost: localhost\r\n\r\n"
WATCH = b"GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
POST = b"POST /language HTTP/1.1\r\nHost: localhost\r\nOrigin: http://localhost\r\nContent-Length: 9\r\n"
POST += b"Content-Type: application/x-www-form-urlencoded\r\n\r\nlang"


class Line(asyncio.Transport):
    """A browser's connection, without a network; ``takes`` False: it reads nothing of what it is sent."""

    def __init__(self, server: PageServer, address: str = "127.0.0.1", *, takes: bool = True) -> None:
        super().__init__({"peername": (address, 5), "sockname": ("127.0.0.1", 8137)})
        self.got = b""
        self.is_up = True
        self._changed = asyncio.Event()
        self._takes = takes
        make = server.config.http_protocol_class
        self.page: PageConnection = make(  # type: ignore[assignment,call-arg]
            config=server.config, server_state=server.server_state, app_state={}
        )
        self.page.connection_made(self)

    def send(self, data: bytes) -> None:
        if data and self.is_up:
            self.page.data_received(data)

    async def answer(self, begins: bytes) -> None:
        async with asyncio.timeout(PATIENCE):
            while not self.got.startswith(begins):
                assert self.is_up
                self._changed.clear()
                await self._changed.wait()

    def write(self, data: bytes | bytearray | memoryview) -> None:
        self.got += data
        self._changed.set()
        if not self._takes:
            self.page.pause_writing()

    def get_write_buffer_size(self) -> int:
        return 0 if self._takes else len(self.got)

    def is_closing(self) -> bool:
        return not self.is_up

    def abort(self) -> None:
        if self.is_up:
            self.is_up = False
            self._changed.set()
            self.page.connection_lost(None)

    close = abort

    def pause_reading(self) -> None:
        """The page wants no more for now."""

    def resume_reading(self) -> None:
        """The page wants more."""


def served(test: Callable[[PageServer], Awaitable[None]], **bounds: int) -> None:
    async def run() -> None:
        table = LiveTable(lambda: 0.0, lambda: 0.0)
        server = PageServer(page_app(Pages(table), Binding("127.0.0.1")), table, **bounds)
        server.config.load()
        await test(server)
        for line in list(server.server_state.connections):
            line.transport.abort()
        table.close()
        await asyncio.gather(*server.server_state.tasks)

    asyncio.run(run())


def test_each_has_its_time_and_a_part_of_what_is_awaited_gives_no_more() -> None:
    async def test(server: PageServer) -> None:
        silent, dripping, posting, asking, watching, refused = [Line(server) for _ in range(6)]
        asking.send(ASK)
        watching.send(WATCH)
        refused.send(POST.replace(b"localhost\r\nContent", b"elsewhere\r\nContent"))
        await asyncio.gather(watching.answer(b"HTTP/1.1 200"), refused.answer(b"HTTP/1.1 403"))
        dripping.send(b"GET / HTTP/1.1\r\n")
        posting.send(POST)
        begun = asyncio.get_running_loop().time()

        def up(seconds: float) -> list[bool]:
            dripping.send(b"x")
            give_up_late(server.server_state.connections, begun + seconds)
            return [line.is_up for line in (silent, dripping, posting, watching, refused)]

        assert up(9.0) == [True] * 5
        assert up(11.0) == [False, False, True, True, False]
        assert up(59.0) == [False, False, True, True, False]
        assert up(61.0) == [False, False, False, True, False]

    served(test)


def test_the_one_that_keeps_the_page_waiting_longest_makes_room() -> None:
    """However many say nothing, half of a request, or take no answer, the next browser is answered."""

    async def test(server: PageServer) -> None:
        watching = Line(server)
        watching.send(WATCH)
        await watching.answer(b"HTTP/1.1 200")
        for said in (b"", b"GET / HTTP/1.1\r\n", POST, ASK):
            for _ in range(20):
                line = Line(server, takes=False)
                line.send(said)
                if said == ASK:  # else it is the page that is to be awaited
                    await line.answer(b"HTTP/1.1 200")
            assert len(server.server_state.connections) == 5
            browser = Line(server)
            browser.send(ASK)
            await browser.answer(b"HTTP/1.1 200")
        assert watching.is_up

    served(test, most=5)


def test_what_is_no_http_ends_the_connection_and_is_not_written_down(caplog: pytest.LogCaptureFixture) -> None:
    async def test(server: PageServer) -> None:
        chunked = b"Transfer-Encoding: chunked\r\n\r\n"
        first, asked, refused = Line(server), Line(server), Line(server)
        first.send(b"\0\r\n\r\n")
        assert first.got.startswith(b"HTTP/1.1 400")
        asked.send(ASK[:-2] + chunked + b"no size\r\n")
        refused.send(POST.partition(b"Content-Length")[0] + chunked)
        await refused.answer(b"HTTP/1.1 4")
        refused.send(b"no size\r\n")
        await asyncio.gather(*server.server_state.tasks)
        assert not any(line.is_up for line in (first, asked, refused))

    served(test)
    assert caplog.text == ""


def test_one_address_takes_no_other_ones_place_but_a_proxy_here_may_stand_for_many() -> None:
    async def test(server: PageServer) -> None:
        other = Line(server, "192.0.2.1")
        many = [Line(server, "192.0.2.2") for _ in range(9)]
        assert [line.is_up for line in many] == [False] * 6 + [True] * 3
        by_proxy = [Line(server, address) for address in ("127.0.0.1", "::1", "::ffff:127.0.0.1") * 2]
        assert [line.is_up for line in [other, *by_proxy]] == [True] * 7

    served(test, most=10, most_of_one=3)


def test_answers_that_nobody_takes_are_bounded_in_all(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(connections_module, "_MOST_UNREAD", 5000)

    async def test(server: PageServer) -> None:
        for _ in range(50):
            line = Line(server, takes=False)
            line.send(ASK)
            await line.answer(b"HTTP/1.1 200")
            kept = [each for each in server.server_state.connections if isinstance(each, PageConnection)]
            assert sum(each.transport.get_write_buffer_size() for each in kept) <= 5000
        assert len(server.server_state.connections) < 50

    served(test)


def test_there_is_room_for_requests_beside_all_streams_and_descriptors_for_all() -> None:
    assert MOST >= MOST_WATCHERS + FOR_ARBITERS + 100
    assert MOST + 3 * BACKLOG + 200 <= DESCRIPTORS
    unit = configparser.ConfigParser(strict=False, interpolation=None)
    unit.read(Path(__file__).parents[2] / "systemd/tamsk-hw-web.service")
    assert unit["Service"]["LimitNOFILE"] == str(DESCRIPTORS)
