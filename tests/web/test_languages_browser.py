"""Languages in a real browser: the menu, and room for long words on a small screen."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tamsk_hw.live.stream import Names
from tests.web.site import Site, Visit, is_fit_for_everybody
from tests.web.stream import Told, greeting
from tests.web.test_desk_browser import DeskSite

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}}
LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}}

#: Scenarios, and the rulings after which the longest words stand there: rights, orders, a question, the end.
STATES = (
    ("R7.6-just-within-the-window", "ring"),
    ("R2.6-rights-run-on", "violation"),
    ("R9.3-full-tube-in-doubt", "arbiter_needed"),
    ("R5.2-fewest-rings", "game_over"),
)

#: Elements that cut off their text or have it stand out, but for those that scroll and the players' names.
CUT_OFF = """() => [...document.querySelectorAll("body *")].filter((each) => {
  const style = getComputedStyle(each);
  if (each.closest("svg, pre, .hidden, .quiet-label, .skip, h2[id^=name-]")) return false;
  if (style.display === "inline" || ["auto", "scroll"].includes(style.overflowX)) return false;
  const text = document.createRange();
  text.selectNodeContents(each);
  const [inner, outer] = [text, each].map((box) => box.getBoundingClientRect());
  const isHidden = style.overflowX === "hidden" && !each.children.length;
  const isCut = isHidden && (inner.width > outer.width + 0.05 || inner.height > outer.height + 1);
  return each.scrollWidth > each.clientWidth || isCut;
}).map((each) => each.outerHTML.slice(0, 200))"""


def show(site: Site, scenario: str, until: str) -> None:
    """Show the state after the first such ruling."""
    site.greet(greeting(scenario))
    is_found = False
    for record in Told().game(scenario, names=Names(red="Ada Lovelace")):
        site.tell(record)
        is_found = is_found or record.get("ruling", {}).get("ruling") == until
        if is_found and "state" in record:
            return
    raise AssertionError(until)


def assert_all_can_be_read(page: Page, width: int) -> None:
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CUT_OFF) == []


@pytest.mark.soak(but=["de-phone"])
@pytest.mark.parametrize("settings", [PHONE, LAPTOP], ids=["phone", "laptop"])
@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_long_words_have_room(tmp_path: Path, browser: Browser, language: str, settings: dict[str, Any]) -> None:
    site = DeskSite(tmp_path)
    visit = Visit(browser, site.address, f"arbiter#token={site.token}", locale=language, **settings)
    page, width = visit.page, settings["viewport"]["width"]
    expect(page.locator("#question")).to_be_visible()
    for scenario, until in STATES:
        show(site, scenario, until)
        for path in ("", "arbiter?tube=D4"):
            page.goto(site.address + path)
            expect(page.locator("html")).to_have_attribute("lang", language)
            expect(page.locator("#board svg").first).to_be_visible()
            assert_all_can_be_read(page, width)
    visit.close()
    site.close()


def test_the_language_is_chosen_by_keyboard_and_stays(browser: Browser) -> None:
    site = Site()
    show(site, *STATES[0])
    visit = Visit(browser, site.address, "rules", locale="nl-BE", **PHONE)
    page = visit.page
    expect(page.locator("h1")).to_have_text("De regels die worden toegepast")
    page.locator(".language summary").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Nederlands")).to_have_attribute("aria-current", "true")
    is_fit_for_everybody(page)
    assert_all_can_be_read(page, 360)
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Die Regeln, nach denen entschieden wird")
    assert page.url == f"{site.address}rules"
    page.goto(site.address)
    expect(page.locator("#rulings-title")).to_have_text("Entscheidungen")
    expect(page.locator("#rulings li").first).to_contain_text("Der Strafring von Schwarz")
    visit.close()
    site.close()
