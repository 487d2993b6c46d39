"""Two phones at one simulated board, in a real browser: each has its own seat; the board's computer invites."""

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from tamsk_hw.game.tubes import PLAYERS, Player
from tamsk_hw.web.seats import Seats
from tests.web.site import Site, Visit, is_fit_for_everybody, listen
from tests.web.tables import Table

#: The name by which phones call the page; who uses it is not at the board.
NAME = "tamsk.localhost"

PHONE: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True}


class SeatedSite(Site):
    """A page that phones reach by a name."""

    def __init__(self, folder: Path) -> None:
        listening = listen()
        self.links = Seats(f"http://{NAME}:{listening.getsockname()[1]}/", (NAME,))
        bench = Table(folder, seats=self.links, names=(NAME,), clock=time.monotonic)
        super().__init__(bench, listening)


@contextmanager
def refusals(visit: Visit) -> Iterator[None]:
    """What the browser writes of answers with 403 is expected here, and nothing else."""
    before = list(visit.complaints)
    yield
    for complaint in visit.complaints[len(before) :]:
        assert "403" in complaint
    visit.complaints[:] = before


@pytest.fixture
def site(tmp_path: Path) -> Iterator[SeatedSite]:
    site = SeatedSite(tmp_path)
    yield site
    site.close()


def drag(page: Page, from_tube: str, to_tube: str) -> None:
    places = [page.locator(selector) for selector in (f'.grab[data-tube="{from_tube}"]', f"#place-{to_tube}")]
    boxes = [place.first.bounding_box() for place in places]
    for box, act in zip(boxes, (page.mouse.down, page.mouse.up), strict=True):
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2, steps=4)
        act()


def test_after_the_page_was_started_again_an_old_link_says_what_to_do(site: SeatedSite, browser: Browser) -> None:
    phone = Visit(browser, site.links.page, **PHONE)
    old = Seats(site.links.page).link(Player.RED)
    with refusals(phone):
        phone.page.goto(old)
        expect(phone.page.get_by_role("alert")).to_contain_text("Scan the new QR code")
    is_fit_for_everybody(phone.page, 360)
    # The new code is scanned while the page is still there.
    phone.page.goto(site.links.link(Player.RED))
    expect(phone.page.locator("#acting")).to_have_attribute("data-seat", "red")
    phone.context.clear_cookies()
    with refusals(phone):
        drag(phone.page, "D1", "D2")
        expect(phone.page.locator("#refusal")).to_contain_text("scan a seat's QR code")
    phone.close()


def test_the_boards_own_computer_invites(site: SeatedSite, browser: Browser) -> None:
    here = Visit(browser, site.address, "table", viewport={"width": 1280, "height": 720})
    here.page.get_by_role("button", name="Invite").click()
    shown = here.page.locator("#invite")
    expect(shown).to_be_visible()
    for player in PLAYERS:
        expect(shown).to_contain_text(site.links.link(player))
        box = shown.locator(f"figure.{player.value} svg").bounding_box()
        assert box is not None
        assert box["width"] > 150
    is_fit_for_everybody(here.page)
    shown.get_by_role("button", name="Close").click()
    expect(shown).to_be_hidden()
    here.close()
