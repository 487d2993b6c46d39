"""A hall's page in a real browser: many boards, read from four metres and on a phone."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.hall.bench import Bench
from tests.web.moments import MOMENTS
from tests.web.site import Site, Visit, is_fit_for_everybody
from tests.web.test_parts_browser import ARC, CAPITALS


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.fixture
def site(bench: Bench) -> Iterator[Site]:
    made = Site(bench)  # type: ignore[arg-type]
    yield made
    made.close()


def do(site: Site, what: Any, *given: Any, **more: Any) -> None:
    site._do(lambda: what(*given, **more))


def fill(site: Site, bench: Bench, boards: int) -> None:
    for number in range(boards):
        moment = [*MOMENTS][number % len(MOMENTS)]
        do(site, bench.tell, str(number + 1), moment, online=number % 9 != 8)


def texts(page: Page) -> list[float]:
    """Heights of capitals of everything that is shown of the boards, in minutes of arc on a television."""
    shown = [f"#boards {each}" for each in ("h2", ".player", ".rest", ".news", ".sand")]
    seen = [each for each in shown if page.locator(each).first.is_visible()]
    assert len(seen) >= 3
    return [height * ARC for height in page.evaluate(CAPITALS, [*seen, "#calls li"])]


@pytest.mark.parametrize("count", [8, 64])
@pytest.mark.parametrize("language", ["en", "de"])
def test_all_boards_fit_a_television_and_are_read_from_four_metres(
    site: Site, bench: Bench, browser: Browser, count: int, language: str
) -> None:
    fill(site, bench, count)
    visit = Visit(
        browser, site.address, locale=language, viewport={"width": 1920, "height": 1080}, bypass_csp=True
    )
    page = visit.page
    page.add_style_tag(content="* { font-family: 'DejaVu Sans' !important; }")
    expect(page.locator("#boards li")).to_have_count(count)
    assert page.evaluate("[document.documentElement.scrollWidth, document.documentElement.scrollHeight]") == [
        1920,
        1080,
    ]
    assert min(texts(page)) >= 12
    is_fit_for_everybody(page)
    page.set_viewport_size({"width": 390, "height": 844})
    is_fit_for_everybody(page, 390)
    visit.close()


def test_what_happens_at_a_board_is_seen_in_the_nodes_that_are_there(
    site: Site, bench: Bench, browser: Browser
) -> None:
    fill(site, bench, 2)
    visit = Visit(browser, site.address)
    page = visit.page
    tile = page.locator("[data-board='1']")
    expect(tile.locator(".news")).to_have_text("Black is moving.")
    page.evaluate("document.querySelector(\"[data-board='1']\").marked = true")
    do(site, bench.tell, "1", "asked")
    expect(page.locator("#calls li")).to_contain_text(
        "1: For the arbiter: Whose glass was put into the full tube E1?"
    )
    do(site, bench.tell, "10", "over")
    expect(page.locator("#boards li")).to_have_count(3)
    do(site, bench.tell, "1", "asked", online=False)
    expect(page.locator("#calls li")).to_have_count(0)
    expect(tile.locator(".when")).to_have_text("offline")
    assert page.evaluate("document.querySelector(\"[data-board='1']\").marked")
    visit.close()


def test_an_arbiter_takes_a_call_and_goes_to_its_desk(site: Site, bench: Bench, browser: Browser) -> None:
    fill(site, bench, 5)  # of which the last asks
    watching, visit = (
        Visit(browser, site.address, viewport={"width": width, "height": 844}) for width in (1280, 390)
    )
    page, call = visit.page, "5: For the arbiter: Whose glass was put into the full tube E1?"
    page.goto(f"{site.address}arbiter#token={bench.token}")
    page.get_by_label("Your name").fill("Zoe Mustermann")
    is_fit_for_everybody(page, 390)
    page.get_by_role("button", name="I am on my way").click()
    for each in (page, watching.page):
        expect(each.locator("#calls li")).to_contain_text(call)
        expect(each.locator("#calls .taken")).to_have_text("Taken by Zoe Mustermann")
        expect(each.locator("[data-board='5'] .news")).to_have_text("Taken by Zoe Mustermann")
    expect(page.get_by_role("button", name="I am on my way")).to_be_hidden()
    expect(page.get_by_label("Your name")).to_have_value("Zoe Mustermann")
    expect(watching.page.get_by_label("Your name")).to_have_count(0)
    is_fit_for_everybody(page, 390)
    page.locator("#calls a").click()
    expect(page.get_by_role("heading", name="Arbiter's desk")).to_have_text("Arbiter's desk · 5")
    page.locator("#tube-C3").click()
    expect(page.locator("#chosen-title")).to_contain_text("C3")
    assert page.url == f"{site.address}boards/5/arbiter?tube=C3"
    is_fit_for_everybody(page, 390)
    do(site, bench.tell, "5", "busy")
    expect(watching.page.locator("#calls li")).to_have_count(0)
    expect(watching.page.locator("[data-board='5'] .news")).to_have_text("Black is moving.")
    for each_visit in (watching, visit):
        each_visit.close()


def test_a_board_is_shown_in_full_size_and_followed(site: Site, bench: Bench, browser: Browser) -> None:
    fill(site, bench, 2)
    visit = Visit(browser, site.address, viewport={"width": 1280, "height": 720})
    page = visit.page
    page.locator("[data-board='2'] a").click()
    expect(page.locator("#tube-D4")).to_be_attached()
    expect(page.locator(".who h2").first).to_have_text("Ada Lovelace")
    do(site, bench.tell, "2", "asked")
    expect(page.locator(".headline .line")).to_contain_text("Whose glass was put into the full tube E1?")
    visit.close()


def test_a_hall_without_boards_says_what_they_need(site: Site, browser: Browser) -> None:
    visit = Visit(browser, site.address)
    expect(visit.page.locator("#none")).to_contain_text("Each needs tamsk-hw mqtt")
    visit.page.goto(f"{site.address}boards/nobody")
    assert "There is no such page." in visit.page.content()
    visit.complaints.clear()  # the browser tells of what is not there
    visit.close()
