"""The pages' parts in a real browser, in their fullest moments: each whole, none over another, at every size.

Boxes are compared, which are the same wherever there is the font.
"""

import re
from collections.abc import Iterator
from itertools import product
from math import degrees
from typing import Any

import pytest
from playwright.sync_api import Browser, Route, expect

from tests.soak import in_soak
from tests.web.moments import MOMENTS, show
from tests.web.site import Visit
from tests.web.test_table_browser import HandsSite

#: Width and height of screens in CSS pixels; an enlarged page has fewer, as the last three: at 200, 200 and 400 %.
SIZES = (
    *("3840x2160", "1920x1080", "1280x720", "1024x768", "820x1180", "390x844", "844x390"),
    *("960x540", "640x360", "480x270"),
)

#: Those of a stream's sources: whole, small, beside a camera, and below it.
SOURCES = ("1920x1080", "1280x720", "480x270", "400x400", "300x900", "600x150")

#: What browsers of televisions do not know (before Chromium 87), besides ``:has()``.
NEW = r"cqw|cqh|dvh|color-mix|container(?:-type)?:|(?<![-\w])(?:aspect-ratio|inset):"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[HandsSite]:
    site = HandsSite(tmp_path_factory.mktemp("site"))
    yield site
    site.close()


#: Boxes as left, top, right and bottom; of each line of text what is seen of it, and what lies there, too.
MEASURED = """() => {
  const sides = ({left, top, right, bottom}) => [left, top, right, bottom];
  const box = (each) => sides(each.getBoundingClientRect());
  const all = (selector) =>
    [...document.querySelectorAll(selector)].filter((each) => each.getClientRects().length);
  const around = (selector) => all(selector).map(box).reduce((one, other) =>
    one.map((x, i) => i < 2 ? Math.min(x, other[i]) : Math.max(x, other[i])));
  const middle = (each) => {
    const [left, top, right, bottom] = box(each);
    return document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  };
  const meet = (one, other) => [0, 1, 2, 3].map((i) => Math[i < 2 ? "max" : "min"](one[i], other[i]));
  const size = ([left, top, right, bottom]) => Math.min(right - left, bottom - top);
  const signs = all(".destination-sign, .wrong-sign, .advice-sign, .doubt"), seconds = all("#layer-signs .urgent");
  const covers = all("#lost, .orders, .acting, .asked"), lines = [];
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const each = walk.currentNode.parentElement, words = walk.currentNode.data.trim();
    if (!words || !each.checkVisibility() || each.closest("svg, option, dialog")) continue;
    const range = document.createRange();
    range.selectNodeContents(walk.currentNode);
    const font = parseFloat(getComputedStyle(each).fontSize), node = walk.currentNode;
    for (const [left, top, right, bottom] of [...range.getClientRects()].map(sides)) {
      const whole = [left, top + 0.2 * font, right, bottom - 0.25 * font];  // without room above and below letters
      let seen = whole, isFree = false;  // it scrolls, or ends in an ellipsis
      for (let at = each; at !== document.body; at = at.parentElement) {
        const {overflowX, textOverflow} = getComputedStyle(at);
        isFree ||= overflowX === "auto" || textOverflow === "ellipsis";
        if (overflowX !== "visible") seen = meet(seen, box(at));
      }
      const isCovered = covers.some((cover) => !cover.contains(each) && size(meet(seen, box(cover))) > 3);
      const isCut = !isFree && whole.some((x, i) => Math.abs(x - seen[i]) > 1);
      if (size(seen) > 3 && !isCovered) lines.push({node, words, seen, isCut, font});
    }
  }
  const meeting = lines.flatMap((one, i) => lines.slice(i + 1)
    .filter((other) => one.node !== other.node && size(meet(one.seen, other.seen)) > 2)
    .map((other) => [one.words, other.words]));
  return {
    meeting,
    under: seconds.some((each) => signs.some((sign) => size(meet(box(sign), box(each))) > 0))
      || all(".timer").some((each) => all(".left b").some((left) => size(meet(box(each), box(left))) > 1))
      || all("#now [data-until]").some((each) => middle(each)?.closest("#lost, .orders, .asked")),
    cut: lines.filter((each) => each.isCut).map((each) => each.words),
    font: Math.min(...lines.map((each) => each.font)),
    width: document.documentElement.scrollWidth,
    height: document.documentElement.scrollHeight,
    board: [around("#board .plate, #board [data-tube], #board .tamsk-glass, #board text")],
    share: 900 * (document.querySelector("#board #tube-D4").ownerSVGElement.getScreenCTM()?.d ?? 0) / innerHeight,
    seconds: all(".timer b, #seen-timer-button b").filter((each) => each.contains(middle(each))).map(box),
    beside: all(".card, .headline").map(box),
    clocks: all(".clocks li").map(box),
    places: [...all(".clocks li"), document.querySelector("#layer-plate")].map(box),
    hands: all("[data-rings]:not(.place), .middle .push").filter((each) => each.checkVisibility()).map(box),
    stacks: all(".rings svg").map((each) => [box(each.querySelector(".rings")), box(each)]),
  };
}"""


def forget(route: Route) -> None:
    """A style sheet as an older browser takes it: without the rules and declarations that it does not know."""
    answer = route.fetch()
    rules = re.sub(r"[^{}]*:has\([^{}]*\{[^{}]*\}", "", answer.text())
    route.fulfill(response=answer, body=re.sub(rf"[^;{{}}]*(?:{NEW})[^;{{}}]*;?", "", rules))


#: A page, and whether the browser is an older one.
Case = tuple[str, bool]

PAGES = [*product(("", "overlay", "overlay?parts=cards,timer", "table", "learn/5"), (False, True))]


def measured(browser: Browser, site: HandsSite, case: Case, language: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """Parts of a page at each size."""
    path, is_old = case
    visit = Visit(browser, site.address, "rules", locale=language, bypass_csp=True)
    if is_old:
        visit.context.route("**/*.css*", forget)
    page = visit.page
    page.goto(site.address + path)
    # The font of `make toolchain`, whatever else this computer has.
    page.add_style_tag(content="* { font-family: 'DejaVu Sans' !important; }")
    expect(page.locator("#tube-D4")).to_be_attached()
    for size in SOURCES if "overlay" in path else SIZES:
        width, height = map(int, size.split("x"))
        page.set_viewport_size({"width": width, "height": height})
        at = "#hands" if path == "learn/5" and height < 400 else "body"  # the task stands above the hands
        page.locator(at).evaluate("(each) => each.scrollIntoView()")
        yield size, page.evaluate(MEASURED)
    visit.close()


def is_inside(box: list[float], outer: list[float]) -> bool:
    left, top, right, bottom = outer
    return left - 1 <= box[0] and top - 1 <= box[1] and box[2] <= right + 1 and box[3] <= bottom + 1


def faults(path: str, size: str, seen: dict[str, Any], *, timed: bool) -> Iterator[str]:
    """Parts of a page that cannot be seen, or not whole."""
    width, height = map(int, size.split("x"))
    has_board = "cards" not in path and (size, path) != ("600x150", "overlay")
    whole = ["board"] * has_board + ["seconds"] * (timed and (height > 300 or "overlay" in path))
    whole += ["clocks"] * (path == "" and height >= 390) + ["hands"] * (path == "table" and height > 600)
    for what in whole + ["beside"] * ("overlay" in path):
        is_there = what != "seconds" or seen[what]
        if not is_there or not all(is_inside(box, [0, 0, width, height]) for box in seen[what]):
            yield f"{what} not seen: {seen[what]}"
    yield from (f"rings are cut: {each}" for each in seen["stacks"] if not is_inside(*each))
    yield from (f"words are cut: {words}" for words in seen["cut"])
    yield from (f"words lie over others: {each}" for each in seen["meeting"])
    if seen["under"]:
        yield "something lies over seconds"
    least = 0.6 if path == "" and width > 1.25 * height else 0.4 if path == "overlay" else 0.3
    if height > 300 and width > 400 and has_board and seen["share"] < least:
        yield f"the board is small: {seen['share']:.2f}"
    scrolls = "overlay" in path or (path == "" and width > 1000)
    if seen["width"] > width or (scrolls and seen["height"] > height):
        yield f"it scrolls: {seen['width']}x{seen['height']}"
    if "overlay" in path and seen["font"] < 11:
        yield f"words of {seen['font']} pixels"


@pytest.mark.parametrize(
    ("moment", "language", "case"),
    in_soak(
        [*product(MOMENTS, ("en", "de", "fr", "nl"), PAGES)],
        otherwise=[
            *(("urgent", "fr", PAGES[0]), ("wrong", "nl", PAGES[0]), ("over", "fr", PAGES[0])),
            *(("signs", "en", PAGES[0]), ("signs", "en", ("table", False)), ("busy", "en", ("table", False))),
            *(("busy", "de", ("learn/5", False)), ("busy", "en", ("overlay", True)), ("busy", "nl", PAGES[4])),
            *(("busy", "fr", ("overlay", False)), ("wrong", "de", ("overlay", False)), ("asked", "en", PAGES[6])),
        ],
    ),
)
def test_every_part_is_whole_at_every_size(
    site: HandsSite, browser: Browser, moment: str, language: str, case: Case
) -> None:
    show(site, moment)
    found = {
        size: list(faults(case[0], size, seen, timed=moment in ("busy", "urgent")))
        for size, seen in measured(browser, site, case, language)
    }
    assert {size: what for size, what in found.items() if what} == {}


def test_every_part_has_its_place_in_every_language(site: HandsSite, browser: Browser) -> None:
    """Longer or shorter words move nothing sideways, and up or down by two lines at most."""
    show(site, "busy")
    english, *others = (dict(measured(browser, site, PAGES[0], language)) for language in ("en", "de", "fr"))
    for size in SIZES:
        for other in others:
            assert [*faults("", size, other[size], timed=True)] == [], size
            for one, another in zip(english[size]["places"], other[size]["places"], strict=True):
                assert one[::2] == pytest.approx(another[::2], abs=1), size
                assert one[1::2] == pytest.approx(another[1::2], abs=56 + 0.03 * english[size]["height"]), size


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


def test_what_counts_is_read_from_four_metres(site: HandsSite, browser: Browser) -> None:
    show(site, "busy")
    visit = Visit(browser, site.address)
    expect(visit.page.locator("#tube-D4")).to_be_attached()
    for width, height in ((1920, 1080), (3840, 2160)):
        visit.page.set_viewport_size({"width": width, "height": height})
        arcs = [pixels * ARC * 1920 / width for pixels in visit.page.evaluate(CAPITALS, READ)]
        assert {what: arc for what, arc in zip(READ, arcs, strict=True) if arc < 12} == {}
    visit.close()


#: What OBS does with its "Custom CSS".
STYLE = """() => {
  const style = document.createElement("style");
  style.textContent = "body { color: rgb(1, 2, 3) }";
  document.head.append(style);
  return getComputedStyle(document.body).color;
}"""


def test_the_overlay_alone_takes_a_style_of_its_readers(site: HandsSite, browser: Browser) -> None:
    visit = Visit(browser, site.address, "overlay")
    assert visit.page.evaluate(STYLE) == "rgb(1, 2, 3)"
    for path in ("", "table", "rules"):
        visit.page.goto(site.address + path)
        assert visit.page.evaluate(STYLE) != "rgb(1, 2, 3)"
    assert all("style" in each for each in visit.complaints)
    visit.complaints.clear()
    visit.close()


def test_the_overlay_shows_the_parts_that_are_asked_for_and_nothing_behind_them(
    site: HandsSite, browser: Browser
) -> None:
    show(site, "busy")
    visit = Visit(browser, site.address, "overlay")
    page = visit.page
    places = {"board": "#tube-D4", "cards": "#name-black", "timer": "#card-black .timer b", "rulings": "#rulings"}
    paints = """() => ["html", "body", "#content", "#name-red"].map((each) =>
      getComputedStyle(document.querySelector(each))[each === "#name-red" ? "color" : "backgroundColor"])"""
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
