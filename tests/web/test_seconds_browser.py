"""Seconds that are left, in a real browser: the same number everywhere at one instant, and nothing over it."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tamsk_hw.game.tubes import Tube
from tamsk_hw.panel.diagnosis import diagnose
from tamsk_hw.referee.view import OpenRing, View
from tamsk_hw.svg import drawing_of
from tamsk_hw.terminal.picture import Scene, picture
from tests.panel.boards import BLACK, RED, glass, view
from tests.web.moments import show
from tests.web.site import Visit
from tests.web.stream import state_line
from tests.web.test_table_browser import HandsSite

#: Count what is added to the page from now on.
COUNT_NODES = """() => {
  window.made = 0;
  new MutationObserver((changes) => { for (const change of changes) window.made += change.addedNodes.length; })
    .observe(document.body, {childList: true, subtree: true});
}"""


@pytest.fixture
def site(tmp_path: Path) -> Iterator[HandsSite]:
    site = HandsSite(tmp_path)
    yield site
    site.close()


def counting(t: float, left: float) -> View:
    """A glass, a right to a ring and the 15-second timer that have as many seconds left."""
    return view(
        t=t,
        number=int(t),
        glasses=(glass(RED, Tube.D3, seconds=left), glass(BLACK, Tube.A1)),
        ring_open={Tube.C4: OpenRing(RED, left)},
        deadline=t + left,
    )


def test_everybody_gives_the_same_seconds_rounded_up_and_nought_only_when_it_is_over(
    site: HandsSite, browser: Browser
) -> None:
    """The page as it counts and as it was sent, a screen reader, the drawing and the terminal."""
    visit = Visit(browser, site.address)
    page = visit.page
    page.clock.install()
    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    numbers = [
        page.locator(each)
        for each in (
            *("#card-red .timer b", "#card-red .rights [data-until]"),
            *("#layer-signs .urgent text", "#clocks-red b"),
        )
    ]

    def all_show(seconds: int) -> None:
        for number in numbers:
            expect(number).to_have_text(str(seconds))

    for t, left, shown in (
        (100.0, 12.4, 13),
        (115.3, 14.0, 14),
        (200.0, 4.001, 5),
        (300.0, 0.3, 1),
        (400.0, 1.5, 2),
    ):
        now = counting(t, left)
        site.tell(state_line(now))
        all_show(shown)
        sent = site.bench.browser.get("/now").text
        assert len(re.findall(rf"data-until[^>]*>{shown}<", sent)) >= 4
        assert f"15 seconds for red: {shown} s left." in sent
        assert f"Red&#39;s glass on D3, {shown} s left." in sent
        assert drawing_of(now).svg().count(f">{shown}</text>") == 1
        text = picture(Scene(view=now, diagnosis=diagnose(now), recent=()), 80, 23).plain
        assert f" {shown} s " in text
    page.evaluate(COUNT_NODES)
    for passed, shown in ((600, 1), (800, 1), (200, 0)):
        page.clock.run_for(passed)
        all_show(shown)
    assert page.evaluate("window.made") == 0, "seconds pass in the nodes that there are"
    # A state that was long under way brings no seconds back; sand that has run less than was reckoned is said.
    site._do(setattr, site.table, "_due", 0.0)
    site.tell(state_line(replace(now, t=401.2, glasses=(glass(RED, Tube.D3, seconds=14.1), now.glasses[1]))))
    expect(numbers[-1]).to_have_text("14")
    expect(numbers[0]).to_have_text("0")
    visit.close()


def test_a_refusal_covers_no_seconds(site: HandsSite, browser: Browser) -> None:
    """There is no ring on D3; below it are the seconds of the glass on D1."""
    visit = Visit(browser, site.address, "table", viewport={"width": 1280, "height": 720})
    page = visit.page
    show(site, "signs")
    expect(page.locator("#layer-signs .urgent")).to_have_count(6)
    page.locator("#place-D3").focus()
    page.keyboard.press("u")
    expect(page.locator("#refusal")).to_be_visible()
    refusal = page.locator("#refusal").bounding_box()
    assert refusal is not None
    left, top, width, height = (refusal[each] for each in ("x", "y", "width", "height"))
    for each in page.locator("#now [data-until]:visible").all():
        box = each.bounding_box()
        assert box is not None
        is_beside = box["x"] + box["width"] <= left or left + width <= box["x"]
        assert is_beside or box["y"] + box["height"] <= top or top + height <= box["y"]
    visit.close()
