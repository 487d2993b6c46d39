"""The arbiter's desk in a real browser of a phone's size: by thumb, by keyboard, without scripts."""

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.web.moments import show
from tests.web.site import Site, Visit, is_fit_for_everybody
from tests.web.tables import Table

PHONE = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
AWARD = {"do": {"event": "arbiter", "action": "award", "winner": "black"}}


class DeskSite(Site):
    """A page with a desk, at whose table a question is asked (R9.3)."""

    def __init__(self, folder: Path) -> None:
        bench = Table(folder, clock=time.monotonic)
        self.service, self.token = bench.service, bench.token
        super().__init__(bench)
        self.state: dict[str, Any] = show(self, "asked")

    def close(self) -> None:
        super().close()
        self.service.close()


@pytest.fixture
def site(tmp_path: Path) -> Iterator[DeskSite]:
    site = DeskSite(tmp_path)
    yield site
    site.close()


def at_the_desk(site: DeskSite, browser: Browser) -> Visit:
    return Visit(browser, site.address, f"arbiter#token={site.token}", **PHONE)


def test_a_thumb_signs_in_by_the_qr_code_and_answers(site: DeskSite, browser: Browser) -> None:
    visit = at_the_desk(site, browser)
    page = visit.page
    expect(page.locator("#question")).to_contain_text("Whose glass was put into the full tube E1?")
    assert page.url == f"{site.address}arbiter"
    is_fit_for_everybody(page, 360)
    large = page.locator("#question-award-black").bounding_box()
    assert large is not None
    assert large["height"] >= 64
    assert large["y"] + large["height"] <= 640  # without scrolling
    page.locator("#question-award-black").tap()
    expect(page.locator("#confirm-title")).to_be_focused()
    expect(page.locator("#confirm-title")).to_contain_text("Black wins? That ends the game; rings left now: red ")
    assert site.service.asked == []
    is_fit_for_everybody(page, 360)
    page.locator("#confirm-no").tap()
    expect(page.locator("#confirm")).to_have_count(0)
    page.locator("#question-award-black").tap()
    page.locator("#confirm-yes").tap()
    expect(page.locator("#answer")).to_have_text("Done: Black wins.")
    assert site.service.asked == [AWARD]
    visit.close()


def test_a_tube_is_tapped_on_the_board_after_the_token_was_typed(site: DeskSite, browser: Browser) -> None:
    visit = Visit(browser, site.address, "arbiter", **PHONE)
    page = visit.page
    page.locator("#token").focus()
    page.keyboard.type(site.token)
    page.keyboard.press("Enter")
    expect(page.locator("#question")).to_be_visible()
    page.locator("#tube-E1").tap(force=True)
    expect(page.locator("#chosen-title")).to_have_text("Tube E1")
    expect(page.locator("#chosen-title")).to_be_focused()
    page.locator("#chosen-ring-E1-red").tap()
    expect(page.locator("#confirm-title")).to_contain_text("it passes to red: 31 left.")
    page.locator("#confirm-yes").tap()
    expect(page.locator("#answer")).to_have_text("Done: The last ring on E1 is red's.")
    expect(page.locator("#answer")).to_be_focused()
    assert site.service.asked == [{"do": {"event": "arbiter", "action": "ring", "tube": "E1", "player": "red"}}]
    visit.close()


def test_the_desk_follows_the_table_and_what_is_typed_or_chosen_stays(site: DeskSite, browser: Browser) -> None:
    visit = at_the_desk(site, browser)
    page = visit.page
    chosen = page.locator("#tube option:checked")
    page.locator("#setup-folded summary").click()
    page.locator("#setup-red").fill("Ada")
    page.locator("#tube").select_option("E1")
    decision = {"t": 40.0, "event": "arbiter", "action": "revive", "tube": "F2"}
    site.tell({"seq": 1000, "event": decision})
    words = "The arbiter decides: the glass on F2 is still running."
    expect(page.locator("#rulings li").first).to_contain_text(words)
    site.tell({"state": {**site.state, "rings": {"A1": 1, "E1": 1}, "rings_seen": {"A1": 1, "E1": 1}}})
    expect(page.locator("#tube option[value=A1]")).to_be_attached()
    expect(chosen).to_have_text("E1 · 1 ring")
    site.tell({"state": {**site.state, "question": None, "rings": {}, "rings_seen": {}}})
    expect(chosen).to_have_text("E1: nothing to decide there any more")
    expect(page.locator("#question")).to_have_count(0)
    site.tell({"state": site.state})
    expect(page.locator("#tube option")).to_have_text(["", "E1 · 1 ring", "F2 · black's glass"])
    expect(chosen).to_have_text("E1 · 1 ring")
    assert page.locator("#setup-red").input_value() == "Ada"
    site.lose()
    expect(page.locator("#desk")).to_contain_text("The service is gone")
    visit.close()


def test_a_late_answer_takes_away_nothing_that_was_chosen_since(site: DeskSite, browser: Browser) -> None:
    visit = at_the_desk(site, browser)
    page = visit.page
    late: list[Route] = []
    page.route("**/arbiter", lambda route: late.append(route))
    with page.expect_request("**/arbiter"):
        site.tell({"state": {**site.state, "rings": {"A1": 1}, "rings_seen": {"A1": 1}}})
    page.locator("#tube-E1").tap(force=True)
    expect(page.locator("#chosen-title")).to_have_text("Tube E1")
    with page.expect_request("**/arbiter?tube=E1"):  # once more, as the late one said that all has changed
        late[0].continue_()
    expect(page.locator("#chosen-title")).to_have_text("Tube E1")
    visit.close()


def test_a_desk_that_is_cut_off_says_so_and_its_buttons_are_grey(site: DeskSite, browser: Browser) -> None:
    visit = at_the_desk(site, browser)
    page = visit.page
    expect(page.locator("#question")).to_be_visible()
    site._do(site.table.close)
    expect(page.locator("#lost")).to_contain_text("This device has had no news since")
    for button in page.locator("#desk button").all():
        expect(button).to_be_disabled()
    is_fit_for_everybody(page, 360)
    site.table.is_closing = False
    expect(page.locator("#lost")).to_be_hidden()
    expect(page.locator("#question-award-black")).to_be_enabled()
    visit.close()
