"""The pages in a real browser: themes, sizes, keyboard, what a screen reader needs, and what changes by itself.

The table is told what to know, so nothing here waits for a game.
"""

from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, expect

from tamsk_hw.game.tubes import Tube
from tamsk_hw.live.stream import Names
from tamsk_hw.referee.rulings import Forfeit, Moved, Turn
from tests.panel.boards import BLACK, RED, glass, view
from tests.web.site import Site, Visit, is_fit_for_everybody
from tests.web.stream import Told, greeting, state_line

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}, "color_scheme": "light"}
GAME = "R7.6-just-within-the-window"


@pytest.fixture
def site() -> Iterator[Site]:
    site = Site()
    yield site
    site.close()


def records(scenario: str = GAME) -> list[dict[str, Any]]:
    """All that a service says of a scenario's game."""
    return list(Told().game(scenario, names=Names(red="Ada Lovelace", black="Grace Brewster Murray Hopper, USN")))


def in_play(site: Site) -> list[dict[str, Any]]:
    """A site that shows a game with rights open; gives what is still to come."""
    whole = records()
    site.greet(greeting())
    for place, record in enumerate(whole):
        site.tell(record)
        state = record.get("state", {})
        if state.get("penalty") and state.get("ring_open"):
            return whole[place + 1 :]
    raise AssertionError


def test_the_page_waits_shows_what_comes_and_says_what_is_lost(site: Site, browser: Browser) -> None:
    visit = Visit(browser, site.address, **LAPTOP)
    page = visit.page
    expect(page.locator("#waiting")).to_contain_text("Waiting for the service")
    rest = in_play(site)
    expect(page.locator("#tube-D4")).to_be_attached()
    expect(page.locator("#name-red")).to_have_text("Ada Lovelace")
    rulings = [record for record in rest if "ruling" in record]
    site.tell(*rest)
    expect(page.locator("#rulings li")).to_have_count(sum("ruling" in record for record in records()))
    expect(page.locator("#rulings li").first).to_contain_text(rulings[-1]["ruling"]["rule"])
    # Routine is for those who want all of it.
    expect(page.locator("#rulings .move").first).to_have_css("width", "1px")
    page.get_by_label("all").check()
    expect(page.locator("#rulings .move").first).not_to_have_css("width", "1px")
    # The cable is pulled, the service ends, and comes back.
    state = next(record for record in reversed(rest) if "state" in record)
    site.tell({"state": {**state["state"], "connected": False}})
    expect(page.locator("#lost")).to_contain_text("The board is out of reach")
    expect(page.locator("#board .stale")).to_be_attached()
    site.lose()
    expect(page.locator("#lost")).to_contain_text("The service is gone")
    expect(page.locator("#tube-D4")).to_be_attached()
    site.greet(greeting())
    site.tell(state)
    expect(page.locator("#lost")).to_be_hidden()
    visit.close()


def test_a_clause_opens_by_keyboard_and_the_focus_comes_back(site: Site, browser: Browser) -> None:
    in_play(site)
    visit = Visit(browser, site.address, **LAPTOP)
    page = visit.page
    page.keyboard.press("Tab")
    assert page.evaluate("document.activeElement.className") == "skip"
    clause = page.locator("#rulings a.clause >> visible=true").first
    number = clause.inner_text()
    for _ in range(20):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.className") == "clause":
            break
    assert page.evaluate("getComputedStyle(document.activeElement).outlineStyle") == "solid"
    page.keyboard.press("Enter")
    expect(page.locator("#clause")).to_be_visible()
    expect(page.locator("#clause-title")).to_have_text(number)
    assert len(page.locator("#clause-text").inner_text()) > 40
    is_fit_for_everybody(page)
    page.keyboard.press("Escape")
    expect(page.locator("#clause")).to_be_hidden()
    assert page.evaluate("document.activeElement.className") == "clause"
    visit.close()


def test_a_theme_that_is_chosen_stays(site: Site, browser: Browser) -> None:
    visit = Visit(browser, site.address, "rules", **LAPTOP)
    page = visit.page
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    light = page.evaluate(paper)
    page.locator("#theme").select_option("dark")
    dark = page.evaluate(paper)
    assert dark != light
    page.goto(site.address)
    assert page.evaluate(paper) == dark
    page.locator("#theme").select_option("auto")
    assert page.evaluate(paper) == light
    visit.close()


def test_sand_runs_between_two_states_and_not_for_ever(site: Site, browser: Browser) -> None:
    """The newest state stays what it is; only the clock of the browser goes on, which the test sets."""
    rest = in_play(site)
    state = next(record["state"] for record in rest if "state" in record)
    running = next(place for place, glass in enumerate(state["glasses"]) if glass["state"] == "running")
    glass = state["glasses"][running]
    number = [each["owner"] for each in state["glasses"][: running + 1]].count(glass["owner"])
    visit = Visit(browser, site.address, **LAPTOP)
    page = visit.page
    page.clock.install()
    page.reload()
    drawn = page.locator(f"#glass-{glass['owner']}-{number}")

    def share() -> float:
        return float((drawn.get_attribute("data-fraction") or "").split()[0])

    page.clock.pause_at(page.evaluate("Date.now() + 1000"))
    site.tell({"state": {**state, "t": state["t"] + 0.01, "number": state["number"] + 1}})
    expect(page.locator("#now .level")).to_contain_text(f"turn {state['number'] + 1}")
    page.clock.run_for(200)
    before = share()
    page.clock.run_for(3000)
    rate = glass["fraction"][0] / glass["seconds"][0]
    assert before - share() == pytest.approx(3.0 * rate, abs=0.3 * rate)
    page.clock.run_for(60_000)  # no state has come for long: it is not trusted to run on
    assert share() > glass["fraction"][0] - 8 * rate
    visit.close()


#: A voice that writes down what it says, and when it is cut short, and is done when the test says so.
VOICE = """
window.SpeechSynthesisUtterance = class { constructor(words) { this.words = words; } };
const say = (words) => { document.body.dataset.spoken = `${document.body.dataset.spoken ?? ""}|${words}`; };
const voice = {
  speak(each) { say(each.words); voice.now = each; },
  cancel() { say("cut"); voice.now?.onerror?.(); },
};
Object.defineProperty(window, "speechSynthesis", {value: voice});
"""


def test_what_matters_is_spoken_one_after_the_other_once_that_is_switched_on(site: Site, browser: Browser) -> None:
    in_play(site)
    visit = Visit(browser, site.address, "rules")
    page = visit.page
    page.add_init_script(VOICE)
    page.goto(site.address)
    page.get_by_label("spoken").check()
    told, said = Told([{}] * 1000), "|Turn 9: red to move.|cut|Red loses this turn."
    site.tell(told.line(Turn(9.0, "R2.1", RED, 9)), told.line(Moved(9.0, "R2.1", RED, Tube.D1, Tube.D2, False)))
    site.tell(told.line(Forfeit(9.0, "R7.4", RED)))
    expect(page.locator("body")).to_have_attribute("data-spoken", said)
    for seconds in (31.0, 29.5):
        now = view(t=60 - seconds, number=int(seconds), glasses=(glass(BLACK, Tube.A1, seconds=seconds),))
        site.tell(state_line(now))
        expect(page.locator("#now .level")).to_contain_text(f"turn {int(seconds)}")
    expect(page.locator("body")).to_have_attribute("data-spoken", said)  # it waits for the other
    page.evaluate("speechSynthesis.now.onend()")
    page.get_by_label("spoken").uncheck()
    expect(page.locator("body")).to_have_attribute("data-spoken", f"{said}|Black's glass on A1: 30 seconds.|cut")
    visit.close()
