"""A tournament's page in a real browser: on a phone, on a television, and on paper."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, expect

from tamsk_hw.live.stream import Names
from tamsk_hw.web.gate import COOKIE
from tests.hall.club import BLACK, RED, Club
from tests.web.site import Site, Visit, is_fit_for_everybody

#: Long names, and names that a careless page would break at.
NAMES = (
    *("Anna Lindqvist", "Bert Maier", "Cem Yıldız", "Dora Novak", "Emil Olsson", "Gus O'Neill", "Jan de Vries"),
    *("Maximiliane Mustermann-Hohenstein von der Wiese", "Ole <b>Hansen</b>"),
)


@pytest.fixture
def club(tmp_path: Path) -> Club:
    """In the second of a Swiss evening's rounds: one board refuses, one game is over, one was played elsewhere."""
    made = Club(tmp_path, boards=4)
    arbiter = made.browser()
    made.answered(arbiter, "new", system="swiss", level="3", entrants="\n".join(NAMES))
    made.answered(arbiter, "pair", round="1")
    made.answered(arbiter, "send")
    for board in made.boards.values():
        board.end(RED, 3, 9)
    made.hall.publish()
    made.answered(arbiter, "pair", round="2")
    made.boards["3"].refuses = "A glass is missing on A1."
    made.answered(arbiter, "send")
    made.boards["1"].end(BLACK, 5, 2)
    elsewhere = next(each for each in made.cup.pairings if (each.round, each.board) == (2, "3"))
    made.boards["3"].begin(Names(red=elsewhere.red, black=elsewhere.black))
    made.boards["3"].end(RED, 1, 2)
    made.hall.publish()
    return made


@pytest.fixture
def site(club: Club) -> Iterator[Site]:
    made = Site(club)  # type: ignore[arg-type]
    yield made
    made.close()


def signed_in(club: Club, visit: Visit) -> None:
    port = visit.address.rsplit(":", 1)[1].strip("/")
    cookie = club.browser().cookies.get(f"{COOKIE}-8137") or ""
    visit.context.add_cookies([{"name": f"{COOKIE}-{port}", "value": cookie, "url": visit.address}])
    visit.page.reload()


@pytest.mark.parametrize(("width", "height"), [(390, 844), (1920, 1080)])
@pytest.mark.parametrize("language", ["en", "de"])
def test_everybody_can_use_the_pages(
    club: Club, site: Site, browser: Browser, width: int, height: int, language: str
) -> None:
    visit = Visit(
        browser, site.address, "tournament/Cup", locale=language, viewport={"width": width, "height": height}
    )
    is_fit_for_everybody(visit.page, width)
    signed_in(club, visit)
    visit.page.evaluate("document.querySelectorAll('main details').forEach(each => each.open = true)")
    is_fit_for_everybody(visit.page, width)
    visit.page.goto(f"{visit.address}tournament")
    is_fit_for_everybody(visit.page, width)
    visit.close()


def test_an_arbiter_enters_a_result_and_takes_a_game(club: Club, site: Site, browser: Browser) -> None:
    visit = Visit(browser, site.address, "tournament/Cup", viewport={"width": 390, "height": 844})
    signed_in(club, visit)
    page = visit.page
    page.get_by_role("button", name="Take it").click()
    expect(page.locator("#answer")).to_have_text("Done.")
    expect(page.locator(".offers")).to_have_count(0)
    row = page.locator("#current tbody tr").nth(1)
    row.locator("summary").click()
    row.locator("[name=red]").fill("4")
    row.locator("[name=black]").fill("7")
    row.get_by_role("button", name="Save").click()
    expect(page.locator("#answer")).to_have_text("Done.")
    expect(page.locator("#current tbody tr").nth(1).locator(".outcome b")).to_have_text("1 : 0 (4 : 7)")
    visit.close()


def test_a_page_that_is_open_follows_and_keeps_what_is_typed(club: Club, site: Site, browser: Browser) -> None:
    visit = Visit(browser, site.address, "tournament/Cup")
    signed_in(club, visit)
    page = visit.page
    page.get_by_role("button", name="Take it").click()
    expect(page.locator("#answer")).to_have_text("Done.")
    page.locator("#entrant").fill("Late Lo")
    row = page.locator("#current tbody tr").nth(1)
    row.locator("summary").click()
    expect(row.locator(".outcome b")).to_have_count(0)

    def play() -> None:
        club.boards["2"].end(RED, 4, 6)
        club.hall.publish()

    site._do(play)
    expect(row.locator(".outcome b")).to_have_text("1 : 0 (4 : 6)")
    expect(page.locator(".standings tbody tr td b").first).to_have_text("2")
    expect(page.locator("#entrant")).to_have_value("Late Lo")
    expect(page.locator("#answer")).to_have_count(1)
    expect(row.locator("details")).to_have_attribute("open", "")
    visit.close()


def test_on_paper_a_page_is_a_sheet_to_fill_in_with_the_standings(
    club: Club, site: Site, browser: Browser
) -> None:
    visit = Visit(browser, site.address, "tournament/Cup")
    signed_in(club, visit)
    page = visit.page
    page.emulate_media(media="print")
    for gone in (".top", ".steps", ".offers", ".log", ".earlier", "#current details", ".files"):
        expect(page.locator(gone).first).to_be_hidden()
    expect(page.locator("#current tbody tr")).to_have_count(5)  # four games and a bye
    assert (
        page.locator("#current .blank").evaluate_all("all => all.map(each => each.offsetWidth > 100)")
        == [True] * 3
    )
    expect(page.locator(".standings tbody tr")).to_have_count(len(NAMES))
    visit.close()
