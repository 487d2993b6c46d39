"""The archive in a real browser: sizes, themes, keyboard alone, and a file that is chosen and imported."""

import re
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tamsk_hw.journal.archive import Archive
from tamsk_hw.journal.changes import MOST_IMPORT
from tests.table.test_journal_door import Running
from tests.web.archive_table import fill, stream
from tests.web.site import Site, Visit
from tests.web.tables import Table


class ArchiveSite(Site):
    """A page with an archive whose journal a service holds."""

    def __init__(self, folder: Path) -> None:
        fill(folder / "journal", unfinished=False)
        self.service = Running(folder)
        bench = Table(folder / "page", self.service.folder, clock=time.monotonic)
        self.token = bench.token
        super().__init__(bench)

    @property
    def journal(self) -> Archive:
        return Archive(self.service.folder)

    def close(self) -> None:
        super().close()
        self.service.close()


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ArchiveSite]:
    site = ArchiveSite(tmp_path_factory.mktemp("site"))
    yield site
    site.close()


def signed_in(site: ArchiveSite, browser: Browser, **settings: object) -> Visit:
    visit = Visit(browser, site.address, f"arbiter#token={site.token}", **settings)
    expect(visit.page.locator("#answer")).to_be_attached()
    return visit


def to(page: Page, selector: str) -> None:
    """Go there by the keyboard alone."""
    for _ in range(80):
        page.keyboard.press("Tab")
        if page.evaluate("(wanted) => document.activeElement.matches(wanted)", selector):
            return
    raise AssertionError(selector)


def test_the_keyboard_is_enough_to_look_around(site: ArchiveSite, browser: Browser) -> None:
    visit = Visit(browser, site.address, "rules", viewport={"width": 1280, "height": 720})
    page = visit.page
    to(page, 'nav a[href="/games"]')
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/games$"))
    to(page, '.games a[href="/games/1"]')
    assert page.evaluate("getComputedStyle(document.activeElement, '::after').outlineStyle") == "solid"
    page.keyboard.press("Enter")
    expect(page.locator(".result")).to_have_text("Ada wins")
    to(page, ".charts summary")
    page.keyboard.press("Enter")
    expect(page.locator(".charts table").first).to_be_visible()
    to(page, "#rulings a.clause")
    page.keyboard.press("Enter")
    expect(page).to_have_url(re.compile("/rules#r"))
    visit.close()


def test_a_chosen_file_is_imported_and_a_large_one_refused(
    site: ArchiveSite, browser: Browser, tmp_path: Path
) -> None:
    """Without scripts, too."""
    visit = signed_in(site, browser, viewport={"width": 360, "height": 640})
    page = visit.page
    file = tmp_path / "game.jsonl"
    file.write_bytes(stream("R7.6-just-within-the-window"))
    page.goto(site.address + "games")
    page.locator("#import-file").set_input_files(file)
    page.locator("#import-red").fill("Zoe")
    page.locator("#import-save").click()
    expect(page.locator("#answer")).to_have_text("The game is imported.")
    expect(page.locator(".side.red")).to_contain_text("Zoe")
    page.go_back()
    file.write_bytes(b"x" * (MOST_IMPORT + 100_000))
    page.goto(site.address + "games")
    page.locator("#import-file").set_input_files(file)
    page.locator("#import-save").click()
    expect(page.locator("#why")).to_contain_text("at most 1 MiB")
    visit.complaints.clear()  # the browser itself tells of the 413
    visit.close()
