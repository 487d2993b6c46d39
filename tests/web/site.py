"""The page on a port of its own, of a table that a test tells what to know; and a browser that looks at it."""

import asyncio
import socket
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlsplit

from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Request, expect, sync_playwright

from tamsk_hw.system.sockets import Absence
from tamsk_hw.web.app import PageServer, page_app
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.security import Binding, page_address
from tests.web.tables import Table

#: Debian's browser without the parts that show windows: it needs half the time of the whole one.
CHROMIUM = "/usr/bin/chromium-headless-shell"

#: Seconds after which a page that does not come fails the test.
PATIENCE = 30.0


def listen() -> socket.socket:
    """A free port of this computer."""
    return Binding("127.0.0.1").listen()


class Site:
    """A page that is served by a thread; the methods tell its table something and wait until it knows."""

    def __init__(self, bench: Table | None = None, listening: socket.socket | None = None) -> None:
        """``bench`` is the page; without one it has the scoreboard alone."""
        self._listening = listening or listen()
        self.address = page_address(self._listening)
        self.table = LiveTable(time.monotonic, lambda: 1_000_000.0) if bench is None else bench.live
        app = page_app(Pages(self.table), Binding("127.0.0.1")) if bench is None else bench.app
        self._server = PageServer(app, self.table)
        self._up = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        assert self._up.wait(PATIENCE)

    async def _serve(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._up.set()
        await self._server.serve([self._listening])

    def _do(self, what: Any, *given: Any) -> None:
        async def do() -> None:
            what(*given)

        asyncio.run_coroutine_threadsafe(do(), self._loop).result(PATIENCE)

    def greet(self, greeting: Mapping[str, Any]) -> None:
        self._do(self.table.greeted, greeting)

    def tell(self, *records: Mapping[str, Any]) -> None:
        for record in records:
            self._do(self.table.heard, record)

    def until(self, is_so: Callable[[LiveTable], bool]) -> None:
        """Wait until something is so of the table and those who watch it."""

        async def wait() -> None:
            async with asyncio.timeout(PATIENCE):
                while not is_so(self.table):
                    await asyncio.sleep(0.01)

        asyncio.run_coroutine_threadsafe(wait(), self._loop).result()

    def lose(self) -> None:
        self._do(self.table.lost, Absence.NONE_THERE)

    def close(self) -> None:
        self._do(self.table.close)
        self._server.should_exit = True
        self._thread.join(PATIENCE)
        self._listening.close()


def is_fit_for_everybody(page: Page, width: int | None = None) -> None:
    """axe-core finds nothing; nothing is wider than the screen, if its width is given."""
    found = Axe().run(page)
    assert found.response["violations"] == [], found.generate_report()
    if width is not None:
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@contextmanager
def chromium() -> Iterator[Browser]:
    """Debian's browser, without a window; playwright's ``expect`` waits up to `PATIENCE` for a page."""
    expect.set_options(timeout=PATIENCE * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage"]
        )
        yield browser
        browser.close()


class Visit:
    """A browser at a page; what it complains of, and whom else it asks for something, is written down."""

    def __init__(self, browser: Browser, address: str, path: str = "", **settings: Any) -> None:
        self.address = address
        self.complaints: list[str] = []
        self.elsewhere: list[str] = []
        self.context: BrowserContext = browser.new_context(**settings)
        self.page: Page = self.context.new_page()
        self.page.set_default_timeout(PATIENCE * 1000)
        self.page.on("console", self._console)
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.page.on("request", self._request)
        self.page.goto(address + path)

    def _console(self, message: ConsoleMessage) -> None:
        if message.type in ("error", "warning"):
            self.complaints.append(message.text)

    def _request(self, request: Request) -> None:
        if urlsplit(request.url).netloc != urlsplit(self.address).netloc:
            self.elsewhere.append(request.url)

    def close(self) -> None:
        """End the visit, at which nothing may have been wrong."""
        self.context.close()
        assert self.complaints == [], self.complaints
        assert self.elsewhere == [], self.elsewhere
