"""Server-sent events, through the application without a network: what a browser gets, when it is given up."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from tamsk_hw.web import pages as events_module
from tamsk_hw.web.app import page_app
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.security import Binding
from tests.web.asking import scope_of
from tests.web.stream import Told, greeting

PATIENCE = 20.0
GAME = "R7.6-just-within-the-window"


def new_table() -> LiveTable:
    return LiveTable(lambda: 0.0, lambda: 0.0)


class Browser:
    """One who reads ``/events``; ``takes`` False: he takes nothing more."""

    def __init__(self, app: Any, last: str | None = None, query: str = "") -> None:
        headers = {"host": "localhost", "accept-encoding": "gzip"} | ({"last-event-id": last} if last else {})
        self.scope = scope_of("GET", "/events", query, headers)
        self.takes = True
        self.status = 0
        self.text = ""
        self._gone = asyncio.Event()
        self._news = asyncio.Event()
        self._said = False
        self.task = asyncio.create_task(app(self.scope, self._receive, self._send))

    async def _receive(self) -> Any:
        if not self._said:
            self._said = True
            return {"type": "http.request", "body": b"", "more_body": False}
        await self._gone.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self.headers = dict(message["headers"])
            return
        if not self.takes:
            await asyncio.Event().wait()
        self.text += message["body"].decode()
        self._news.set()

    async def until(self, is_enough: Callable[[Browser], bool]) -> None:
        async with asyncio.timeout(PATIENCE):
            while not is_enough(self):
                self._news.clear()
                await self._news.wait()

    def events(self, kind: str) -> list[tuple[str, Any]]:
        """The events of a kind: each its id and its data."""
        found = []
        for block in self.text.split("\n\n")[:-1]:
            fields = dict(line.partition(": ")[::2] for line in block.split("\n"))
            if fields.get("event") == kind:
                found.append((fields.get("id", ""), json.loads(fields["data"])))
        return found

    @property
    def rulings(self) -> list[Any]:
        return [data["ruling"] for _, data in self.events("ruling")]

    async def leave(self) -> None:
        self._gone.set()
        async with asyncio.timeout(PATIENCE):
            await self.task


def run(test: Callable[[], Awaitable[None]]) -> None:
    asyncio.run(test())  # type: ignore[arg-type]


def app_of(table: LiveTable) -> Any:
    return page_app(Pages(table), Binding("127.0.0.1"))


def test_service_lines_and_state_come_then_what_is_new_until_the_page_ends() -> None:
    async def test() -> None:
        table, told = new_table(), Told()
        table.greeted(greeting())
        records = list(told.game(GAME))
        for record in records[:40]:
            table.heard(record)
        browser = Browser(app_of(table))
        await browser.until(lambda browser: bool(browser.events("state")))
        assert browser.status == 200
        assert browser.headers[b"content-type"].startswith(b"text/event-stream")
        assert b"content-encoding" not in browser.headers
        assert browser.text.startswith("event: service\n")
        assert [data["key"] for _, data in browser.events("game")] == ["a"]
        for record in records[40:]:
            table.heard(record)
        await browser.until(lambda browser: len(browser.rulings) == len(told.rulings))
        assert browser.rulings == told.rulings
        assert table.streams == 1
        table.close()
        async with asyncio.timeout(PATIENCE):
            await browser.task
        assert table.streams == 0

    run(test)


@pytest.mark.parametrize("by", ["last", "query"])
def test_a_browser_that_is_back_before_the_page_has_found_the_service_gets_each_ruling_once(by: str) -> None:
    """The page was started again, and is told the whole game again by the service."""

    async def test() -> None:
        told = Told()
        records = list(told.game(GAME))
        rulings = [line for line in told.lines if "ruling" in line]
        had = rulings[: len(rulings) // 2]
        table = new_table()
        place = f"5f0c-{had[-1]['seq']}"
        back = Browser(app_of(table), **{by: place if by == "last" else f"since={place}"})
        await back.until(lambda browser: bool(browser.events("service")))
        table.greeted(greeting())
        await back.until(lambda browser: len(browser.events("service")) == 2)
        for record in records:
            table.heard(record)
            await asyncio.sleep(0)
        await back.until(lambda browser: bool(browser.events("state")))
        assert back.rulings == [line["ruling"] for line in rulings[len(had) :]]
        assert not back.events("game")
        await back.leave()

    run(test)


def test_a_service_that_is_started_again_tells_the_game_again_from_its_header() -> None:
    async def test() -> None:
        table, told = new_table(), Told()
        table.greeted(greeting())
        for record in told.game("R5.2-fewest-rings"):
            table.heard(record)
        browser = Browser(app_of(table))
        await browser.until(lambda browser: len(browser.rulings) == len(told.rulings))
        again = Told()
        table.greeted(greeting("77aa"))
        for record in again.game("R5.2-fewest-rings", resumed=True):
            table.heard(record)
        await browser.until(lambda browser: len(browser.rulings) == 2 * len(told.rulings))
        assert [data["resumed"] for _, data in browser.events("game")] == [False, True]
        assert browser.rulings[len(told.rulings) :] == again.rulings
        await browser.leave()

    run(test)


def test_one_who_takes_nothing_is_given_up_and_slows_nobody(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_module, "PATIENCE", 0.05)

    async def test() -> None:
        table, told = new_table(), Told()
        table.greeted(greeting())
        app = app_of(table)
        deaf, browser = Browser(app), Browser(app)
        await deaf.until(lambda browser: bool(browser.events("service")))
        deaf.takes = False
        for record in told.game(GAME):
            table.heard(record)
        await browser.until(lambda browser: len(browser.rulings) == len(told.rulings))
        async with asyncio.timeout(PATIENCE):
            await deaf.task
        assert table.streams == 1
        await browser.leave()

    run(test)


def test_silence_is_broken_by_an_event_that_scripts_see(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_module, "HEARTBEAT", 0.01)

    async def test() -> None:
        browser = Browser(app_of(new_table()))
        await browser.until(lambda browser: browser.events("alive") == [("", {}), ("", {})])
        await browser.leave()

    run(test)


def test_beyond_a_bound_nobody_more_is_let_in_but_the_arbiter(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events_module, "MOST_WATCHERS", 2)

    async def test() -> None:
        pages = Pages(new_table())
        pages.is_arbiter = lambda request: "arbiter" in request.query_params
        app = page_app(pages, Binding("127.0.0.1"))
        browsers = [Browser(app) for _ in range(2)]
        for browser in browsers:
            await browser.until(lambda browser: bool(browser.events("service")))
        third = Browser(app)
        await third.task
        assert (third.status, third.headers[b"retry-after"]) == (503, b"30")
        arbiter = Browser(app, query="arbiter=1")
        await arbiter.until(lambda browser: bool(browser.events("service")))
        browsers.append(arbiter)
        for browser in browsers:
            await browser.leave()

    run(test)
