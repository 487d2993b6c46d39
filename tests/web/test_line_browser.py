"""A page's line to its program in a real browser: silence, lost answers, many pages at once.

The browser's clock is put forward, so that nobody waits for time-outs.
"""

import asyncio
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from tests.web.site import Site, Visit
from tests.web.tables import Table
from tests.web.test_browser import in_play, records
from tests.web.test_table_browser import HandsSite

#: Milliseconds after which a silent line counts as lost, and an answer that has not come; and a little more.
SILENCE, LIMIT = 26_000, 11_000

#: Rulings of the whole game.
RULINGS = sum("ruling" in record for record in records())

#: Hides a page, as one whose tab is not on top; playwright shows all.
HIDE = """(is) => {
  Object.defineProperty(document, "hidden", {get: () => is, configurable: true});
  document.dispatchEvent(new Event("visibilitychange"));
}"""


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


@pytest.fixture
def hands(tmp_path: Path) -> Iterator[HandsSite]:
    site = HandsSite(tmp_path)
    yield site
    site.close()


def swallow_one(page: Page, address: str) -> list[Route]:
    """Never answer the next request to the address; gives it once it came."""
    swallowed: list[Route] = []

    def take(route: Route) -> None:
        if swallowed:
            route.continue_()
        else:
            swallowed.append(route)

    page.route(address, take)
    return swallowed


def rulings(page: Page) -> list[str]:
    return [" ".join(each.split()) for each in page.locator("#rulings li").all_text_contents()]


class Silenced:
    """The page behind an access point that makes streams of events silent without closing them."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app
        self._streams: list[asyncio.Event] = []
        self.silences_new = False
        """Streams that are begun from now on are silent, too."""

    def silence(self) -> None:
        """No stream that is open brings anything more."""
        for speaks in self._streams:
            speaks.clear()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        speaks = asyncio.Event()
        speaks.set()
        if scope["path"] == "/events":
            self._streams.append(speaks)
            if self.silences_new:
                speaks.clear()

        async def pass_on(message: Message) -> None:
            await speaks.wait()
            await send(message)

        await self._app(scope, receive, pass_on)


def test_a_silent_line_is_said_to_be_lost_and_begun_again(browser: Browser, tmp_path: Path) -> None:
    bench = Table(tmp_path, clock=time.monotonic)
    streams = Silenced(bench.app)
    bench.app = streams
    site = Site(bench)
    rest = in_play(site)
    visit = Visit(browser, site.address)
    page = visit.page
    page.clock.install()
    page.reload()
    lost, lines = page.locator("#lost"), page.locator("#rulings li")
    expect(page.locator("#now")).to_be_visible()
    site._do(streams.silence)
    site.tell(*rest)
    assert lines.count() < RULINGS
    page.clock.fast_forward(SILENCE)
    expect(lines).to_have_count(RULINGS)
    expect(lost).to_be_hidden()
    streams.silences_new = True
    site._do(streams.silence)
    page.clock.fast_forward(SILENCE)
    expect(lost).to_contain_text("This device has had no news since")
    decision = {"t": 40.0, "event": "arbiter", "action": "revive", "tube": "F2"}
    site.tell({"seq": 1000, "event": decision})
    streams.silences_new = False
    expect(lost).to_be_hidden()
    expect(lines).to_have_count(RULINGS + 1)
    visit.close()
    site.close()


def test_one_answer_that_never_comes_does_not_stop_a_page(site: Site, browser: Browser) -> None:
    rest = in_play(site)
    visit = Visit(browser, site.address)
    page = visit.page
    page.clock.install()
    page.reload()
    expect(page.locator("#now")).to_be_visible()
    shown = page.locator("#now").get_attribute("data-at")
    with page.expect_request("**/now?*"):
        swallowed = swallow_one(page, "**/now?*")
        site.tell(*rest)
    page.clock.fast_forward(LIMIT)
    expect(page.locator("#now")).to_have_attribute("data-at", str(site.table.scene and site.table.scene.at))
    assert swallowed
    assert page.locator("#now").get_attribute("data-at") != shown
    visit.complaints.clear()  # of the route that playwright never answered
    visit.close()


def test_of_an_action_without_an_answer_it_is_said_that_nobody_knows(hands: HandsSite, browser: Browser) -> None:
    visit = Visit(browser, hands.address, "table")
    page = visit.page
    page.clock.install()
    page.reload()
    page.locator("#place-D1").focus()
    with page.expect_request("**/table/do"):
        swallow_one(page, "**/table/do")
        page.keyboard.press("Enter")
    page.clock.fast_forward(LIMIT)
    expect(page.locator("#refusal")).to_contain_text("it is not known whether that was done")
    page.keyboard.press("Enter")
    expect(page.locator('.held[data-glass="D1"]')).to_be_attached()
    visit.complaints.clear()
    visit.close()


def test_all_pages_of_a_browser_share_one_stream_and_each_has_each_ruling_once(
    site: Site, browser: Browser
) -> None:
    """A browser has six connections to an address: a seventh page would wait for one, and every press."""
    rest = in_play(site)
    visit = Visit(browser, site.address)
    pages, step = [visit.page], -(-len(rest) // 7)
    for number in range(7):
        page = visit.context.new_page()
        page.goto(site.address + ("overlay" if number == 2 else ""))
        pages.append(page)
        site.tell(*rest[number * step : (number + 1) * step])
    for page in pages:
        expect(page.locator("#rulings li")).to_have_count(RULINGS)
        assert rulings(page) == rulings(pages[0])
    assert site.table.streams == 1
    visit.close()


#: Browsers without shared workers, and older ones that cannot run a module as one.
WITHOUT = {
    "none": "delete globalThis.SharedWorker",
    "old": "const Known = SharedWorker; globalThis.SharedWorker = function (url) { return new Known(url); };",
}


@pytest.mark.parametrize("kind", WITHOUT)
def test_without_shared_workers_a_hidden_page_gives_its_stream_up(site: Site, browser: Browser, kind: str) -> None:
    rest = in_play(site)
    visit = Visit(browser, site.address)
    page = visit.page
    page.add_init_script(WITHOUT[kind])
    page.reload()
    expect(page.locator("#now")).to_be_visible()
    site.until(lambda table: table.streams == 1)
    page.evaluate(HIDE, True)
    site.until(lambda table: table.streams == 0)
    site.tell(*rest)
    assert page.locator("#rulings li").count() < RULINGS
    page.evaluate(HIDE, False)
    expect(page.locator("#rulings li")).to_have_count(RULINGS)
    visit.close()
