"""The replay of a recorded game: through the application, and in a browser whose clock the test sets."""

import json
import re
import shutil
import time
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect
from starlette.testclient import TestClient

from tamsk_hw.journal.archive import simulated_folder
from tamsk_hw.journal.changes import NamePlayers, change_here
from tamsk_hw.referee import Referee
from tests.journal.played import WHOLE, played, write
from tests.scenarios.book import BOOK
from tests.web.site import Site, Visit
from tests.web.tables import Table

#: A long game with sand.
SAND = "R5.1-claim-without-a-ring-holds-nothing-up"


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Game 1 is whole, game 2 has sand, and there is a simulated one."""
    folder = tmp_path_factory.mktemp("written")
    write(folder, played(WHOLE), red="Ada <b>")
    write(folder, played(SAND))
    write(simulated_folder(folder), played(SAND))
    return folder


@pytest.fixture
def folder(written: Path, tmp_path: Path) -> Path:
    """A copy of its own, for each test that changes something."""
    return shutil.copytree(written, tmp_path / "journal")


@pytest.fixture
def client(folder: Path, tmp_path: Path) -> TestClient:
    return Table(tmp_path / "page", folder).browser


def rulings_of(name: str) -> list[dict[str, object]]:
    """The rulings as the rule book's stream has them."""
    return [json.loads(line) for line in BOOK[name].given.splitlines()]


def ruled_times() -> list[float]:
    """When the rulings of the whole game were, in order."""
    return [float(str(ruling["t"])) for ruling in rulings_of(WHOLE)]


def rings_left(text: str) -> dict[str, int]:
    """The rings left as the page says it, of red and of black."""
    red, black = re.findall(r'<p class="left"><b>(\d+)</b>', text)
    return {"red": int(red), "black": int(black)}


def test_the_table_at_each_ring_has_the_rings_that_the_rule_book_counts(client: TestClient) -> None:
    counted = [ruling for ruling in rulings_of(WHOLE) if ruling["ruling"] == "ring"]
    assert len(counted) == 64
    for ruling in counted[::7]:
        before = [each for each in counted if each["t"] <= ruling["t"]]  # type: ignore[operator]
        left = {player: 32 - sum(each["player"] == player for each in before) for player in ("red", "black")}
        assert rings_left(client.get(f"/games/1/replay?t={ruling['t']}").text) == left


def test_the_parts_of_the_page_are_the_tables_at_the_instants_of_its_rulings(client: TestClient) -> None:
    page = client.get("/games/1/replay").text
    [instants] = re.findall(r'data-instants="([^"]*)"', page)
    times = [int(each) for each in instants.split(" ")]
    assert times == sorted(times)
    listed = re.findall(r'href="\?t=([\d.]+)"><time>[\d:]+</time></a> <span>', page)
    assert [float(t) for t in listed] == pytest.approx(ruled_times(), abs=0.0006)
    assert {round(1000 * t) for t in ruled_times()} <= set(times)
    for instant in (0, len(times) // 2, len(times) - 1):
        whole = client.get(f"/games/1/replay?t={times[instant] / 1000:.3f}").text
        part = client.get(f"/games/1/replay/{instant}").text
        assert part.startswith('<section id="now"')
        assert rings_left(part) == rings_left(whole)
    assert client.get(f"/games/1/replay/{len(times)}").status_code == 404


def test_a_replay_ends_with_its_game(folder: Path, client: TestClient) -> None:
    """The game is over at 17 s; the board was watched for another second."""
    write(folder, played("R9.6-revive-while-rights-are-open"))
    page = client.get("/games/3/replay").text
    [instants] = re.findall(r'data-instants="([^"]*)"', page)
    assert instants.split(" ")[-1] == "17000"
    assert 'max="17.0"' in page


@pytest.mark.parametrize("t", ["x", "nan", "-1", "1e400"])
def test_what_is_no_time_is_the_beginning(client: TestClient, t: str) -> None:
    answer = client.get("/games/2/replay", params={"t": t})
    assert answer.status_code == 200
    assert 'data-instant="0"' in answer.text


def test_names_are_text_and_a_changed_name_is_seen_at_once(folder: Path, client: TestClient) -> None:
    page = client.get("/games/1/replay").text
    assert "Ada &lt;b&gt;" in page
    [fingerprint] = re.findall(r'data-fingerprint="(\w+)"', page)
    kept = client.get(f"/games/1/replay/0?v={fingerprint}")
    assert "immutable" in kept.headers["cache-control"]
    change_here(folder, NamePlayers(1, red="Grace"), wall=0.0)
    changed = client.get(f"/games/1/replay/0?v={fingerprint}")
    assert "Grace" in changed.text
    assert changed.headers["cache-control"] == "no-cache"
    assert fingerprint not in client.get("/games/1/replay").text


# In a browser.


@pytest.fixture
def site(folder: Path, tmp_path: Path) -> Iterator[Site]:
    site = Site(Table(tmp_path / "page", folder, clock=time.monotonic))
    yield site
    site.close()


def visit_at(site: Site, browser: Browser, path: str) -> Visit:
    visit = Visit(browser, site.address, path, viewport={"width": 1280, "height": 720})
    visit.page.clock.install()
    visit.page.reload()
    expect(visit.page.locator("#play")).to_be_visible()
    visit.page.clock.pause_at(visit.page.evaluate("Date.now() + 1000"))
    return visit


def shown_time(page: Page) -> float:
    """The stream's seconds that the drawing was made for."""
    return float(page.locator("#now").get_attribute("data-t") or "nan")


def test_keys_and_clicks_lead_from_ruling_to_ruling_and_say_what_was_ruled(site: Site, browser: Browser) -> None:
    visit = visit_at(site, browser, "games/1/replay")
    page = visit.page
    times = sorted(set(ruled_times()))
    for t in times[1:4]:
        page.keyboard.press("ArrowRight")
        expect(page.locator("#now")).to_have_attribute("data-t", f"{t:.3f}")
        assert page.url.endswith(f"?t={t:.3f}")
        assert page.locator("#rulings [aria-current]").count() >= 1
        assert page.locator("#news").inner_text() != ""
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#now")).to_have_attribute("data-t", f"{times[2]:.3f}")
    page.goto(page.url)  # the address leads to the moment
    assert shown_time(page) == pytest.approx(times[2], abs=0.001)
    line = page.locator("#rulings li").nth(40)
    line.locator("a.at").click()
    expect(page.locator("#now")).to_have_attribute("data-t", f"{ruled_times()[40]:.3f}")
    expect(line).to_have_attribute("aria-current", "true")
    turns = [float(str(each["t"])) for each in rulings_of(WHOLE) if each["ruling"] == "turn"]
    page.keyboard.press("Home")
    for t in turns[:2]:
        page.keyboard.press("Shift+ArrowRight")
        expect(page.locator("#now")).to_have_attribute("data-t", f"{t:.3f}")
    page.locator("#turn-after").click()
    page.locator("#turn-after").click()
    page.locator("#turn-before").click()
    expect(page.locator("#now")).to_have_attribute("data-t", f"{turns[2]:.3f}")
    page.keyboard.press("End")
    expect(page.locator("#now")).to_have_attribute("data-t", f"{times[-1]:.3f}")
    visit.close()


def test_it_plays_at_the_chosen_speed_to_the_end_and_stands_still(site: Site, browser: Browser) -> None:
    visit = visit_at(site, browser, "games/1/replay")
    page = visit.page
    begins, *_, ends = ruled_times()
    for _ in range(3):
        page.keyboard.press("+")
    assert page.locator("#speed").input_value() == "10"
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_text("Pause")
    start = float(page.locator("#place").input_value())
    page.clock.run_for(1000)
    assert float(page.locator("#place").input_value()) == pytest.approx(start + 10, abs=1.1)
    page.keyboard.press(" ")
    expect(page.locator("#play")).to_have_text("Play")
    rests = page.locator("#place").input_value()
    page.clock.run_for(5000)
    assert page.locator("#place").input_value() == rests
    page.locator("#speed").select_option("60")
    page.locator("#play").click()
    page.clock.run_for(1000 * (ends - begins) / 60 + 1000)
    expect(page.locator("#play")).to_have_text("Play")
    expect(page.locator(".result")).to_be_visible()
    assert shown_time(page) == pytest.approx(ends, abs=0.001)
    visit.close()


def test_sand_runs_between_two_instants_as_the_referee_has_it(site: Site, browser: Browser) -> None:
    """Of every glass, at times between events, within a second."""
    visit = visit_at(site, browser, "games/2/replay")
    page = visit.page
    game = played(SAND)
    events = [entry.event for entry in game.entries]
    times = sorted({event.t for event in events if event.t <= float(str(rulings_of(SAND)[-1]["t"]))})
    gaps = sorted(pairwise(times), key=lambda gap: gap[1] - gap[0])[-3:]
    checked = 0
    for before, after in gaps:
        assert after - before > 3, "else sand that stands still would not be found"
        t = round(before + 0.8 * (after - before), 1)
        referee = Referee(game.header)
        for event in events:
            if event.t <= t:
                referee.handle(event)
        referee.advance(t)
        page.locator("#place").fill(f"{t:.1f}")
        expect(page.locator("#time")).to_contain_text(f"{int(t) // 60:02}:{int(t) % 60:02} of")
        earlier = max(entry.event.t for entry in game.entries if entry.event.t <= t)
        page.wait_for_function(
            "(t) => Math.abs(Number(document.querySelector('#now').dataset.t) - t) < 0.002", arg=earlier
        )
        counts = {"red": 0, "black": 0}
        for glass in referee.view(t).glasses:
            counts[glass.owner.value] += 1
            drawn = page.locator(f"#glass-{glass.owner.value}-{counts[glass.owner.value]}")
            shares = [float(each) for each in (drawn.get_attribute("data-fraction") or "").split()]
            for share, expected, seconds in zip(shares, glass.fraction, glass.seconds, strict=True):
                assert abs(share - expected) <= (expected / seconds if seconds else 0.0) + 1e-4
                checked += expected > 0
    assert checked > 8
    visit.close()


def test_without_scripts_the_links_step(site: Site, browser: Browser) -> None:
    visit = Visit(browser, site.address, "games/1/replay", java_script_enabled=False)
    page = visit.page
    page.locator("#later").click()
    page.locator("#later").click()
    here = shown_time(page)
    assert here in [pytest.approx(t, abs=0.001) for t in sorted(set(ruled_times()))[1:4]]
    page.locator("#earlier").click()
    assert shown_time(page) < here
    assert not page.locator("#play").is_visible()
    visit.close()


def test_a_page_that_cannot_be_reached_is_said_and_tried_again(site: Site, browser: Browser) -> None:
    visit = visit_at(site, browser, "games/1/replay")
    page = visit.page
    page.clock.resume()
    visit.context.set_offline(True)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(page.locator("#lost")).to_be_visible()
    visit.context.set_offline(False)
    expect(page.locator("#lost")).to_be_hidden()
    visit.complaints.clear()  # the browser itself tells of the lost connection
    visit.close()
