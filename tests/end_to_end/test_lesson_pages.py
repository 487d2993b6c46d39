"""The lessons in Chromium, at `tamsk-hw play --learn`: in real time, judged live.

``make soak`` has all failed and solved.
"""

import re
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tamsk_hw.lessons.lessons import all_lessons
from tamsk_hw.system.output import Language
from tests.end_to_end.test_without_hardware import PROGRAM, Reader, free_port
from tests.firmware.toolchain import need
from tests.lessons.solving import FAILING, SOLVING, move
from tests.web.site import Visit, chromium

LESSONS = all_lessons()
NUMBERS = {lesson.name: number for number, lesson in enumerate(LESSONS, start=1)}

#: Milliseconds in which a lesson comes to its task, and its end.
LONG = 120_000

#: Posts a deed as the table's own script does.
DEED = """async (deed) => {
  const answer = await fetch("/table/do", {
    method: "POST", headers: {"Content-Type": "application/json"}, body: JSON.stringify(deed)});
  return await answer.json();
}"""


@pytest.fixture(scope="module")
def visit() -> Iterator[Visit]:
    need("chromium-headless-shell")
    with tempfile.TemporaryDirectory(prefix="tamsk-") as folder, chromium() as browser:
        reader = Reader(Path(folder))
        try:
            running = reader.start(f"{PROGRAM} play --learn --seed 7 --port {free_port()}")
            address = re.search(r"http://\S+/", running.hear("learn"))
            assert address is not None
            running.hear("The board is ready")
            visit = Visit(browser, address[0], "learn", viewport={"width": 1280, "height": 800})
            yield visit
            visit.close()
        finally:
            for each in reader.running:
                each.end()


def stage(page: Page, name: str) -> None:
    expect(page.locator("#lesson")).to_have_class(f"lesson {name}", timeout=LONG)


def begin(visit: Visit, number: int) -> Page:
    page = visit.page
    page.goto(f"{visit.address}learn/{number}")
    page.locator("#lesson form button").first.click()
    stage(page, "open")
    return page


def by_keys(page: Page, request: dict[str, Any]) -> None:
    """Do by keys what hands are asked for."""
    if tube := request.get("tube"):
        page.locator(f"#place-{tube}").focus()
    match request["do"]:
        case "lift":
            glass = page.locator(f"#place-{tube}").get_attribute("data-glass")
            page.keyboard.press("Enter")
            page.locator(f'.held[data-glass="{glass}"]').wait_for(state="attached")
        case "seat":
            if request["turned"]:
                page.keyboard.press("t")
            page.keyboard.press("Enter")
        case "drop":
            page.keyboard.press("r")
        case "wait":
            page.wait_for_timeout(1000 * request["seconds"])
        case "turn_timer":
            page.locator("#places .place[tabindex='0']").focus()
            page.keyboard.press("g")
        case other:
            raise AssertionError(other)


def carry(page: Page, home: str, tube: str, *, turned: bool) -> None:
    """Carry a glass by keys."""
    for request in move(home, tube, turned=turned):
        by_keys(page, request)


def test_a_lesson_is_failed_and_then_solved_by_keys(visit: Visit) -> None:
    page = begin(visit, NUMBERS["06-turn-over"])
    expect(page.locator("#lesson-task")).to_contain_text("turn it over on the way", timeout=LONG)
    carry(page, "D1", "D2", turned=False)
    stage(page, "failed")
    expect(page.locator("#lesson-stands")).to_contain_text("Not solved (R2.2).", timeout=LONG)
    expect(page.locator("#lesson-hint")).to_contain_text("Hint: ")
    expect(page.get_by_role("button", name="Next lesson")).to_be_hidden()
    page.get_by_role("button", name="Again").click()
    stage(page, "open")
    carry(page, "D1", "D2", turned=True)
    stage(page, "solved")
    expect(page.locator("#lesson-stands")).to_contain_text("Solved (R2.2).", timeout=LONG)
    assert Axe().run(page).response["violations"] == []
    page.goto(f"{visit.address}learn")
    expect(page.locator("[data-lesson]:visible")).to_have_count(1)
    expect(page.locator('[data-lesson="06-turn-over"]')).to_be_visible()
    assert Axe().run(page).response["violations"] == []
    page.reload()
    expect(page.locator('[data-lesson="06-turn-over"]')).to_be_visible()


def test_the_next_lesson_follows_a_solved_one(visit: Visit) -> None:
    page = begin(visit, NUMBERS["05-ring-too-many"])
    assert "done" in page.evaluate(DEED, {"do": "take", "player": "red", "tube": "D2"})
    stage(page, "solved")
    page.get_by_role("button", name="Next lesson").click()
    expect(page.locator("#lesson-title")).to_contain_text("Lesson 6 of 11", timeout=LONG)
    expect(page.locator("#lesson-stands")).to_contain_text("Red to move, at level 2")


def test_nobody_is_taught_what_there_is_not(visit: Visit) -> None:
    for number in ("0", "12", "x", "01"):
        answer = visit.context.request.get(f"{visit.address}learn/{number}")
        assert answer.status == 404


@pytest.mark.soak
@pytest.mark.parametrize("number", range(1, len(LESSONS) + 1))
def test_every_lesson_is_failed_on_the_page_and_begun_again(visit: Visit, number: int) -> None:
    lesson = LESSONS[number - 1]
    page = begin(visit, number)
    for request in FAILING[lesson.name][0]:
        by_keys(page, request)
    stage(page, "failed")
    stands = page.locator("#lesson-stands")
    expect(stands).to_contain_text(f"Not solved ({lesson.failed[0].clause}).", timeout=LONG)
    expect(stands).to_contain_text(lesson.texts[Language.ENGLISH].failed[0])
    expect(page.get_by_role("button", name="Next lesson")).to_be_hidden()
    page.get_by_role("button", name="Again").click()
    stage(page, "open")
    expect(stands).to_have_text(lesson.texts[Language.ENGLISH].task, timeout=LONG)


@pytest.mark.soak
@pytest.mark.parametrize("number", range(1, len(LESSONS) + 1))
def test_every_lesson_is_solved_on_the_page(visit: Visit, number: int) -> None:
    page = begin(visit, number)
    for request in SOLVING[LESSONS[number - 1].name]:
        if request["do"] == "wait":
            page.wait_for_timeout(1000 * request["seconds"])
            continue
        assert "done" in page.evaluate(DEED, posted(request))
    stage(page, "solved")


def posted(request: dict[str, Any]) -> dict[str, Any]:
    """A request to hands as the page posts it."""
    flags = {key: "yes" if value else "no" for key, value in request.items() if isinstance(value, bool)}
    return {**request, **flags}
