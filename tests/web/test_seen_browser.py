"""Visible parts of the pages in a real browser, at sizes of streams, televisions and phones, and enlarged."""

import re
from collections.abc import Iterator
from math import degrees
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.web.site import Visit
from tests.web.stream import Told
from tests.web.test_table_browser import HandsSite

#: Width and height of screens in CSS pixels; an enlarged page has fewer of them.
SIZES = {
    "3840x2160": (3840, 2160),
    "1920x1080": (1920, 1080),
    "1280x720": (1280, 720),
    "1024x768": (1024, 768),
    "820x1180": (820, 1180),
    "390x844": (390, 844),
    "844x390": (844, 390),
    "1920x1080 at 200 %": (960, 540),
    "1280x720 at 200 %": (640, 360),
    "1920x1080 at 400 %": (480, 270),
}

#: What browsers of televisions do not know (before Chromium 87), besides ``:has()``.
NEW = r"cqw|cqh|dvh|color-mix|container-type|(?<![-\w])(?:aspect-ratio|inset):"

#: Scenario of a game in which the 15 seconds run and a ring is open.
GAME = "R7.7-no-legal-move-is-no-fault"


class WholeSite(HandsSite):
    """A page with scoreboard, overlay, table, lessons and desk, while the 15 seconds run against black."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for record in Told().game(GAME):
            state = record.get("state")
            if not state:
                self.tell(record)
            elif state["deadline"] and state["ring_open"]:
                break
        self.state = {**state, "left": {"red": 32, "black": 31}}
        self.tell({"state": self.state})


#: Boxes as left, top, right and bottom.
MEASURED = """() => {
  const box = (each) => (({left, top, right, bottom}) => [left, top, right, bottom])(each.getBoundingClientRect());
  const all = (selector) =>
    [...document.querySelectorAll(selector)].filter((each) => each.getClientRects().length);
  const around = (selector) => all(selector).map(box).reduce((one, other) =>
    one.map((x, i) => i < 2 ? Math.min(x, other[i]) : Math.max(x, other[i])));
  const onTop = (each) => {
    const [left, top, right, bottom] = box(each);
    return each.contains(document.elementFromPoint((left + right) / 2, (top + bottom) / 2));
  };
  const drawn = document.querySelector("#board #tube-D4").ownerSVGElement;
  return {
    width: document.documentElement.scrollWidth,
    height: document.documentElement.scrollHeight,
    board: around("#board .plate, #board [data-tube], #board .tamsk-glass"),
    share: 900 * drawn.getScreenCTM().d / innerHeight,
    seconds: all(".timer b, #seen-timer-button b").filter(onTop).map(box),
    beside: all(".card, .headline").map(box),
    clocks: all(".clocks li, .who").map((each) => [...each.querySelectorAll("span, b, h2, .stance")].map(box)),
    hands: all("[data-rings]:not(.place), [data-press=start]").map(box),
    stacks: all(".rings svg").map((each) => [box(each), box(each.querySelector(".rings"))]),
  };
}"""


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[WholeSite]:
    site = WholeSite(tmp_path_factory.mktemp("site"))
    yield site
    site.close()


def forget(route: Route) -> None:
    """A style sheet as an older browser takes it: without the rules and declarations that it does not know."""
    answer = route.fetch()
    rules = re.sub(r"[^{}]*:has\([^{}]*\{[^{}]*\}", "", answer.text())
    route.fulfill(response=answer, body=re.sub(rf"[^;{{}}]*(?:{NEW})[^;{{}}]*;?", "", rules))


def measured(browser: Browser, site: WholeSite, path: str, *, old: bool) -> Iterator[tuple[str, dict[str, Any]]]:
    """Visible parts of a page at each size, in an older browser or this one."""
    visit = Visit(browser, site.address, "rules")
    if old:
        visit.context.route("**/*.css*", forget)
    page = visit.page
    page.goto(f"{site.address}arbiter#token={site.token}" if path == "arbiter" else site.address + path)
    expect(page.locator("#tube-D4")).to_be_attached()
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("scrollTo(0, 0)")
        if path == "arbiter":
            page.evaluate("document.querySelector('#board').scrollIntoView()")
        if path == "learn/5" and height < 400:  # the task stands above the hands
            page.evaluate("document.querySelector('#hands').scrollIntoView()")
        yield size, page.evaluate(MEASURED)
    visit.close()


def is_inside(box: list[float], outer: list[float]) -> bool:
    left, top, right, bottom = outer
    return left - 1 <= box[0] and top - 1 <= box[1] and box[2] <= right + 1 and box[3] <= bottom + 1


def meet(one: list[float], other: list[float]) -> bool:
    """Two boxes cover some of the same place, of which lines of text have a little above and below."""
    return one[0] + 3 < other[2] and other[0] + 3 < one[2] and one[1] + 3 < other[3] and other[1] + 3 < one[3]


def faults(path: str, size: str, seen: dict[str, Any]) -> Iterator[str]:
    """Parts of a page that cannot be seen, or not whole."""
    width, height = SIZES[size]
    screen = [0, 0, width, height]
    if seen["width"] > width:
        yield f"it scrolls sideways: {seen['width']}"
    if not is_inside(seen["board"], screen):
        yield f"the board is cut: {seen['board']}"
    if path == "arbiter":
        return
    least = 0.6 if path == "" and width > 1.25 * height else 0.3 if path != "overlay" else 0.4
    if height > 300 and seen["share"] < least:
        yield f"the board is small: {seen['share']:.2f}"
    if height > 300 and not any(is_inside(box, screen) for box in seen["seconds"]):
        yield f"the 15 seconds are not seen: {seen['seconds']}"
    yield from (
        f"rings are cut: {inner} of {outer}" for outer, inner in seen["stacks"] if not is_inside(inner, outer)
    )
    for boxes in seen["clocks"]:
        over = [(one, other) for one in boxes for other in boxes if one is not other and meet(one, other)]
        yield from (f"words lie over others: {each}" for each in over)
    if path == "" and width > 1000 and seen["height"] > height:
        yield f"it scrolls: {seen['height']}"
    if path == "table" and height > 600:
        yield from (f"hands are cut: {box}" for box in seen["hands"] if not is_inside(box, screen))
    if path == "overlay":
        yield from (f"it is cut: {box}" for box in seen["beside"] if not is_inside(box, screen))
        if seen["height"] > height:
            yield "it scrolls"


@pytest.mark.soak(but=["new-", "new-table", "new-learn/5", "old-overlay", "old-table"])
@pytest.mark.parametrize("path", ["", "overlay", "table", "learn/5", "arbiter"])
@pytest.mark.parametrize("old", [False, True], ids=["new", "old"])
def test_board_seconds_and_rings_are_seen_at_every_size(
    site: WholeSite, browser: Browser, path: str, old: bool
) -> None:
    found = {size: list(faults(path, size, seen)) for size, seen in measured(browser, site, path, old=old)}
    assert {size: what for size, what in found.items() if what} == {}


#: What a spectator reads, and the height of its capitals in CSS pixels.
CAPITALS = """(selectors) => {
  const ink = document.createElement("canvas").getContext("2d");
  return selectors.map((selector) => {
    const each = document.querySelector(selector);
    const {fontWeight, fontFamily, fontSize} = getComputedStyle(each);
    ink.font = `${fontWeight} 100px ${fontFamily}`;
    const scale = each.getScreenCTM ? each.getScreenCTM().a : 1;
    return parseFloat(fontSize) * scale * ink.measureText("H").actualBoundingBoxAscent / 100;
  });
}"""

READ = [
    *(".who h2", ".left b", ".clocks span", ".clocks b", ".timer b", ".rights li", "#layer-names text"),
    *(".headline .line", "#rulings .news", "#moves li .ply"),
]

#: Minutes of arc of a CSS pixel of a television of 55 inches that is 1920 of them wide, from four metres.
ARC = degrees(1217.6 / 1920 / 4000) * 60


@pytest.mark.parametrize("size", [(1920, 1080), (3840, 2160)])
def test_what_counts_is_read_from_four_metres(site: WholeSite, browser: Browser, size: tuple[int, int]) -> None:
    visit = Visit(browser, site.address, viewport={"width": size[0], "height": size[1]})
    expect(visit.page.locator("#tube-D4")).to_be_attached()
    arcs = [pixels * ARC * 1920 / size[0] for pixels in visit.page.evaluate(CAPITALS, READ)]
    assert {what: arc for what, arc in zip(READ, arcs, strict=True) if arc < 12} == {}
    visit.close()


#: What OBS does with its "Custom CSS".
STYLE = """() => {
  const style = document.createElement("style");
  style.textContent = "body { color: rgb(1, 2, 3) }";
  document.head.append(style);
  return getComputedStyle(document.body).color;
}"""


def test_the_overlay_alone_takes_a_style_of_its_readers(site: WholeSite, browser: Browser) -> None:
    visit = Visit(browser, site.address, "overlay")
    assert visit.page.evaluate(STYLE) == "rgb(1, 2, 3)"
    for path in ("", "table", "rules"):
        visit.page.goto(site.address + path)
        assert visit.page.evaluate(STYLE) != "rgb(1, 2, 3)"
    assert all("style" in each for each in visit.complaints)
    visit.complaints.clear()
    visit.close()


def test_the_overlay_shows_the_parts_that_are_asked_for_and_nothing_behind_them(
    site: WholeSite, browser: Browser
) -> None:
    visit = Visit(browser, site.address, "overlay")
    page = visit.page
    places = {"board": "#tube-D4", "cards": "#name-black", "timer": "#card-red .timer b", "rulings": "#rulings"}
    paints = """() => ["html", "body", "#content", "#name-black"].map((each) =>
      getComputedStyle(document.querySelector(each))[each === "#name-black" ? "color" : "backgroundColor"])"""
    for query, shown, ink in (
        ("?parts=nothing", "board cards timer", "238, 242, 246"),
        ("?parts=cards&theme=light", "cards", "27, 32, 38"),
        ("?parts=board,timer", "board timer", "238, 242, 246"),
        ("?parts=rulings", "rulings", "238, 242, 246"),
    ):
        page.goto(f"{site.address}overlay{query}")
        assert [part for part, place in places.items() if page.locator(place).is_visible()] == shown.split()
        assert page.evaluate(paints) == [*["rgba(0, 0, 0, 0)"] * 3, f"rgb({ink})"]
    visit.close()
