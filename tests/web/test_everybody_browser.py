"""Every page for everybody, in a real browser: on small and large screens, by day and night, in each language."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.web.archive_table import fill
from tests.web.moments import show
from tests.web.site import Visit, is_fit_for_everybody
from tests.web.test_table_browser import HandsSite

SIZES = {"phone": (360, 640), "laptop": (1280, 720), "monitor": (1280, 1024), "television": (3840, 2160)}

#: Pages that look the same whatever happens at the table, those of the arbiter among them.
PATHS = (
    *("rules", "overlay", "nope", "table", "learn", "learn/5", "games", "games/1?confirm=delete"),
    *("games/s1/replay?t=60", "players", "players?name=Ada&confirm=erase"),
)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[HandsSite]:
    fill(tmp_path / "journal")
    site = HandsSite(tmp_path / "page", tmp_path / "journal")
    site.disturb()
    yield site
    site.close()


def brightness(colour: str) -> float:
    return sum(map(float, colour.removeprefix("rgb(").removesuffix(")").split(",")))


def check(page: Page, width: int, language: str, theme: str) -> None:
    expect(page.locator("html")).to_have_attribute("lang", language)
    is_fit_for_everybody(page, width)
    paper, ink = page.evaluate("(e => [e.backgroundColor, e.color])(getComputedStyle(document.documentElement))")
    assert "overlay" in page.url or (brightness(paper) > brightness(ink)) is (theme == "light"), page.url


@pytest.mark.soak(but=["de-phone-dark"])
@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("language", ["en", "de", "fr", "nl"])
def test_everybody_can_use_every_page(
    site: HandsSite, browser: Browser, language: str, size: str, theme: str
) -> None:
    """axe-core finds nothing, and nothing is wider than the screen."""
    width, height = SIZES[size]
    settings = {"viewport": {"width": width, "height": height}, "color_scheme": theme, "locale": language}
    visit = Visit(browser, site.address, f"arbiter#token={site.token}", **settings)
    page = visit.page
    expect(page.locator("#answer")).to_be_attached()
    for path in PATHS:
        page.goto(site.address + path)
        check(page, width, language, theme)
        if path == "table":
            page.keyboard.press("?")
            expect(page.locator("#keys")).to_be_visible()
            check(page, width, language, theme)
    for moment in ("busy", "wrong", "asked", "over"):
        show(site, moment)
        for path in ("", "arbiter?tube=D4"):
            page.goto(site.address + path)
            expect(page.locator("#board svg").first).to_be_visible()
            check(page, width, language, theme)
    visit.complaints = [each for each in visit.complaints if "404" not in each]  # the browser tells of "nope"
    visit.close()


def test_the_language_is_chosen_by_keyboard_and_stays(site: HandsSite, browser: Browser) -> None:
    show(site, "busy")
    visit = Visit(browser, site.address, "rules", locale="nl-BE", viewport={"width": 360, "height": 640})
    page = visit.page
    expect(page.locator("h1")).to_have_text("De regels die worden toegepast")
    page.locator(".language summary").focus()
    page.keyboard.press("Enter")
    expect(page.get_by_role("button", name="Nederlands")).to_have_attribute("aria-current", "true")
    for _ in range(2):
        page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text("Die Regeln, nach denen entschieden wird")
    assert page.url == f"{site.address}rules"
    page.goto(site.address)
    expect(page.locator("#rulings-title")).to_have_text("Entscheidungen")
    expect(page.locator("#rulings li").first).to_contain_text("Der Strafring von Schwarz")
    visit.close()
