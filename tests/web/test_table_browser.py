"""``/table`` in a real browser: sizes, themes, languages, what a screen reader has, and that nothing jumps."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Locator, Page, Request, expect

from tamsk_hw.game.ruleset import Ruleset
from tamsk_hw.game.tubes import CAPACITY, PLAYERS, START_TUBES, TUBES, End, Player, Tube
from tamsk_hw.lessons.lessons import Lesson
from tamsk_hw.referee import Header, Referee
from tamsk_hw.referee.events import Button, ButtonName, Lift, Press, Rings, Seat
from tamsk_hw.referee.rulings import Question, question_text
from tamsk_hw.web.lessons import TutorProcess
from tests.hands.at_hand import act
from tests.web.site import Site, Visit, is_fit_for_everybody
from tests.web.stream import Told, state_line
from tests.web.tables import Table, begun

LAPTOP: dict[str, Any] = {"viewport": {"width": 1280, "height": 720}, "color_scheme": "light"}


class Pupil(TutorProcess):
    """Takes note of the lessons that are begun; nobody teaches them."""

    def __init__(self) -> None:
        super().__init__([], [])
        self.begun: list[int] = []

    async def _teach(self, lesson: Lesson) -> None:
        self.begun.append(self.number)


class HandsSite(Site):
    """A page with a board at which everything that can be in a hand or beside the board is."""

    def __init__(self, folder: Path, journal: Path | None = None) -> None:
        self.pupil = Pupil()
        self.bench = Table(folder, journal, hands=True, clock=time.monotonic, tutor=self.pupil)
        self.at_hand, self.link, self.token = self.bench.at_hand, self.bench.link, self.bench.token
        super().__init__(self.bench)

    def disturb(self) -> None:
        """A glass in a hand, one beside the board, one that leans; a ring."""
        red, black = Player.RED, Player.BLACK
        self.at_hand.do(act("lift", red, Tube.G4), act("put_away", red), act("lift", red, Tube.D1))
        self.at_hand.do(act("lean", black, Tube.G1), act("drop", black, Tube.D4))
        self._do(self.link.see)


@pytest.fixture
def site(tmp_path: Path) -> Iterator[HandsSite]:
    site = HandsSite(tmp_path)
    yield site
    site.close()


@pytest.fixture
def visit(site: HandsSite, browser: Browser) -> Iterator[Visit]:
    visit = Visit(browser, site.address, "table", **LAPTOP)
    yield visit
    visit.close()


def middle(place: Locator) -> tuple[float, float]:
    box = place.first.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def drag(page: Page, from_place: str, to_place: str) -> None:
    """Take something there, and hold it here."""
    page.mouse.move(*middle(page.locator(from_place)))
    page.mouse.down()
    page.mouse.move(*middle(page.locator(to_place)), steps=4)


def test_what_is_done_and_refused_is_said_and_nothing_jumps(site: HandsSite, visit: Visit) -> None:
    """By keys alone, along the axes of the hexagon."""
    page = visit.page
    page.evaluate(
        "() => { globalThis.shifted = 0; new PerformanceObserver((seen) => {"
        "  for (const each of seen.getEntries()) globalThis.shifted += each.value;"
        "}).observe({type: 'layout-shift', buffered: true}); }"
    )
    page.locator("#place-A1").focus()
    said = page.locator("#said")
    assert said.get_attribute("role") == "status"
    for key, tube in (("ArrowUp", "A2"), ("ArrowRight", "B3"), ("Shift+ArrowRight", "C3"), ("ArrowDown", "C2")):
        page.keyboard.press(key)
        assert page.evaluate("document.activeElement.dataset.tube") == tube
    assert page.locator('#places .place[tabindex="0"]').count() == 1
    page.keyboard.press("u")
    expect(said).to_contain_text("C2")
    expect(page.locator("#refusal")).to_be_visible()
    page.keyboard.press("r")
    expect(said).to_have_text("Red has dropped a ring on C2.")
    expect(page.locator("#refusal")).to_be_hidden()
    expect(page.locator("#place-C2")).to_have_attribute("aria-label", "C2: 1 of 2 rings")
    page.locator("#place-D1").focus()
    page.keyboard.press("Enter")
    expect(page.locator('.held[data-glass="D1"]')).to_be_attached()
    assert page.evaluate("document.activeElement.id") == "place-D1", "the focus stays"
    page.keyboard.press("t")
    expect(said).to_have_text("Red has turned the glass over.")
    page.keyboard.press("Escape")
    expect(page.locator("#place-D1")).to_have_attribute("data-glass", "D1")
    glass = next(each for each in site.at_hand.hands.observe().glasses if each.name == "D1")
    assert glass.tube is Tube.D1
    assert glass.above < 0.01, "it stands as it stood"
    page.locator("#place-D1").focus()
    page.keyboard.press("l")
    expect(page.locator("#place-D1")).to_have_attribute("data-leaning", "yes")
    page.keyboard.press("h")
    page.keyboard.press("r")
    expect(said).to_have_text("Black has dropped a ring on D1.")
    assert page.evaluate("document.activeElement.dataset.tube") == "D1", "the focus stays"
    assert page.evaluate("globalThis.shifted") < 0.01


def test_opened_answers_stay_open_until_something_else_is_asked(site: HandsSite, visit: Visit) -> None:
    for record in Told().game("R5.4-twice-unseen"):
        site.tell(record)
    state = record["state"]
    page, winner = visit.page, visit.page.locator("[data-answer=award-red]")
    page.locator("#answers summary").click()
    winner.focus()
    site.tell({"state": {**state, "number": state["number"] + 1}})
    expect(page.locator("#now .level")).to_contain_text(f"turn {state['number'] + 1}")
    expect(winner).to_be_focused()
    site.tell({"state": {**state, "question": question_text(Question(Player.RED))}})
    expect(page.locator("#answers")).not_to_have_attribute("open", "")
    expect(winner).to_be_hidden()


def test_a_glass_let_go_beside_the_board_lies_there_and_comes_back(visit: Visit) -> None:
    page = visit.page
    drag(page, '.grab[data-tube="D1"]', "#rulings")
    expect(page.locator("#carried svg")).to_be_visible()
    page.mouse.up()
    expect(page.locator('[data-off="D1"]')).to_be_visible()
    drag(page, '[data-off="D1"]', "#place-D2")
    expect(page.locator("#place-D2")).to_have_class("place target")
    page.mouse.up()
    expect(page.locator("#place-D2")).to_have_attribute("data-glass", "D1")


def expect_rings(page: Page, red: int, black: int) -> None:
    for player, left in (("red", red), ("black", black)):
        expect(page.locator(f".rings[data-rings={player}] b")).to_have_text(str(left))


def test_a_ring_is_given_to_the_other_by_drag_and_by_key(visit: Visit) -> None:
    """After a ring has counted for the other, one holder has a ring too many and one too few (R4.6)."""
    page = visit.page
    expect_rings(page, 32, 32)
    drag(page, ".rings[data-rings=black]", ".rings[data-rings=red]")
    page.mouse.up()
    expect_rings(page, 33, 31)
    page.locator("#place-D4").focus()
    page.keyboard.press("v")
    expect_rings(page, 32, 32)


def test_reds_last_ring_comes_back_from_a_tube_and_from_blacks_hand(site: HandsSite, browser: Browser) -> None:
    """From black's own seat; red can drop it then, and has none left."""
    tubes = [tube for tube in TUBES for _ in range(CAPACITY[tube])][:32]
    last = tubes[-1]
    site.at_hand.do(*(act("drop", Player.RED, tube) for tube in tubes))
    site._do(site.link.see)
    visit = Visit(browser, site.address, "table?seat=black", **LAPTOP)
    page = visit.page
    posted = posts(page)
    expect_rings(page, 0, 32)
    drag(page, f"#place-{last}", ".rings[data-rings=red]")
    page.mouse.up()
    expect_rings(page, 1, 32)
    assert "to" not in (posted[0].post_data_json or {}), "a seat of its own may not ask for that"
    site.at_hand.do(act("drop", Player.RED, last), act("take", Player.BLACK, last), act("take_up", Player.BLACK))
    site._do(site.link.see)
    expect(page.locator(".rings[data-rings=black]")).to_have_attribute("data-held", "1")
    page.locator(f"#place-{last}").focus()
    page.keyboard.press("v")
    expect_rings(page, 1, 32)
    site.at_hand.do(act("drop", Player.RED, last))
    site._do(site.link.see)
    expect_rings(page, 0, 32)
    visit.close()


def posts(page: Page) -> list[Request]:
    """Posts of a page from now on."""
    found: list[Request] = []
    page.on("request", lambda request: found.append(request) if request.method == "POST" else None)
    return found


def test_a_long_press_asks_before_it_resigns_or_abandons(site: HandsSite, visit: Visit) -> None:
    """By a button that is held, and by keys; a no and Esc press nothing."""
    page = visit.page
    posted = posts(page)
    sure = page.locator("#sure")

    def hold(button: str) -> None:
        page.locator(f"[data-press={button}]").hover()
        page.mouse.down()
        expect(page.locator(f"[data-press={button}].holding")).to_be_visible()
        expect(sure).to_be_visible()
        page.mouse.up()

    hold("red")
    expect(page.get_by_role("heading", name="Red resigns, and black wins?")).to_be_visible()
    is_fit_for_everybody(page)
    page.get_by_role("button", name="No, go back").click()
    expect(sure).to_be_hidden()
    page.locator("[data-press=black]").focus()
    page.keyboard.press("Shift+Enter")
    expect(page.get_by_role("heading", name="Black resigns, and red wins?")).to_be_visible()
    page.keyboard.press("Escape")
    expect(sure).to_be_hidden()
    assert posted == []
    hold("red")
    page.get_by_role("button", name="Yes").click()
    expect(page.locator("#said")).to_have_text("The button is pressed.")
    (press,) = posted
    assert press.post_data_json == {"do": "press", "button": "red", "press": "long"}
    site.tell({"state": {**begun(), "phase": "offered"}})
    expect(page.locator("[data-press=red]")).to_have_attribute("data-asks", "")
    expect(page.locator("#layers")).to_have_class("pale")  # sand has run on
    hold("start")
    expect(page.get_by_role("heading", name="Abandon the unfinished game for good?")).to_be_visible()
    page.get_by_role("button", name="Yes").click()
    expect(sure).to_be_hidden()
    assert posted[1].post_data_json == {"do": "press", "button": "start", "press": "long"}


def test_a_pointer_that_leaves_a_button_presses_nothing(visit: Visit) -> None:
    """A finger that scrolls the page may begin on a button."""
    posted = posts(visit.page)
    x, y = middle(visit.page.locator("[data-press=red]"))
    visit.page.mouse.move(x, y)
    visit.page.mouse.down()
    visit.page.mouse.move(x, y + 40, steps=4)
    expect(visit.page.locator(".holding")).to_have_count(0)
    visit.page.mouse.up()
    visit.page.keyboard.press("h")  # what is posted later shows that nothing was before
    visit.page.locator("#place-D2").focus()
    visit.page.keyboard.press("r")
    expect(visit.page.locator("#said")).to_contain_text("has dropped a ring on D2")
    assert [each.post_data_json["do"] for each in posted] == ["drop"]


def test_on_a_lessons_page_start_begins_the_lesson(site: HandsSite, browser: Browser) -> None:
    """No ordinary game begins under it; once the lesson is under way, start is the board's again."""
    visit = Visit(browser, site.address, "learn/3", **LAPTOP)
    page = visit.page
    posted = posts(page)
    with page.expect_event("dialog") as asked:  # a game is played: it is not thrown away unasked
        page.once("dialog", lambda dialog: dialog.dismiss())
        page.locator("[data-press=start]").click()
    assert asked.value.message == "The game at this board is abandoned then."
    assert (posted, site.pupil.begun) == ([], [])
    page.once("dialog", lambda dialog: dialog.accept())
    page.locator("[data-press=start]").click()
    expect(page.locator("#lesson")).to_have_class("lesson setup")
    page.wait_for_load_state()
    assert (len(posted), site.pupil.begun) == (1, [3])
    page.locator("[data-press=start]").click()
    expect(page.locator("#said")).to_have_text("The button is pressed.")
    assert urlsplit(posted[-1].url).path == "/table/do"
    visit.close()


def full_tube() -> dict[str, Any]:
    """The line of a state at level 1 in which C1 is full and holds no glass, red to move."""
    referee = Referee(Header(ruleset=Ruleset(level=1)))
    for tube in (tube for player in PLAYERS for tube in START_TUBES[player]):
        referee.handle(Seat(1.0, tube, End.A))
    referee.handle(Button(2.0, ButtonName.START, Press.SHORT))
    for t, event in enumerate(
        [
            *(Lift(0, Tube.D1), Seat(0, Tube.C1, End.A), Rings(0, Tube.C1, 1)),
            *(Lift(0, Tube.D7), Seat(0, Tube.D6, End.A), Lift(0, Tube.C1), Seat(0, Tube.D1, End.A)),
            *(Lift(0, Tube.D6), Seat(0, Tube.D7, End.A)),
        ],
        start=3,
    ):
        referee.handle(replace(event, t=float(t)))
    return state_line(referee.view(20.0), buttons=frozenset(ButtonName))


def test_over_a_full_tube_it_is_said_what_happens_there(site: HandsSite, visit: Visit) -> None:
    page = visit.page
    site.tell(full_tube())
    expect(page.locator("#place-C1")).to_have_attribute("data-enters", "Full: who enters loses")
    warning = page.locator("#carried p")
    drag(page, '.grab[data-tube="D1"]', "#place-D2")
    expect(warning).to_be_hidden()
    page.mouse.move(*middle(page.locator("#place-C1")), steps=4)
    expect(warning).to_have_text("Full: who enters loses")
    expect(page.locator("#said")).to_have_text("Red has lifted the glass from D1.")
    expect(warning).to_be_visible()  # after the table was drawn again, too


@pytest.mark.parametrize(("seat", "tube"), [("red", "D2"), ("black", "D1")])
def test_of_two_glasses_that_lie_over_each_other_the_own_one_is_taken(
    site: HandsSite, browser: Browser, seat: str, tube: str
) -> None:
    """The top of the black glass on D1 hides the foot of the red one on D2."""
    red, black = Player.RED, Player.BLACK
    for player, home, to in ((red, Tube.D1, Tube.D2), (black, Tube.G1, Tube.D1)):
        site.at_hand.do(act("lift", player, home), act("seat", player, to))
    site._do(site.link.see)
    visit = Visit(browser, site.address, f"table?seat={seat}", **LAPTOP)
    page = visit.page
    box = page.locator('.grab[data-tube="D1"]').bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + 3
    assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).dataset.tube", [x, y]) == "D1"
    page.mouse.move(x, y)
    page.mouse.down()
    page.mouse.move(x + 40, y - 40, steps=3)
    expect(page.locator("#said")).to_contain_text(f"has lifted the glass from {tube}.")
    visit.close()


def test_only_what_is_possible_with_the_chosen_tube_is_offered(visit: Visit) -> None:
    page = visit.page
    offered = page.locator("#acting [data-action]:enabled")

    def check(*actions: str) -> None:
        expect(offered).to_have_count(len(actions))
        assert [each.get_attribute("data-action") for each in offered.all()] == list(actions)

    page.locator("#place-D2").focus()
    check("ring", "give", "timer", "hands")
    page.locator("#place-D1").focus()
    check("carry", "turn", "ring", "give", "tip", "timer", "hands")
    page.keyboard.press("Enter")
    check("carry", "turn", "ring", "give", "tip", "away", "back", "timer", "hands")


def test_keys_are_found_on_keyboards_without_latin_letters(visit: Visit) -> None:
    page = visit.page
    page.locator("#place-C2").focus()
    session = visit.context.new_cdp_session(page)

    def typed(key: str, place: str) -> None:
        for kind in ("keyDown", "keyUp"):
            session.send("Input.dispatchKeyEvent", {"type": kind, "key": key, "code": place})

    typed(";", "KeyP")  # Colemak: no p
    typed("к", "KeyR")
    expect(page.locator("#said")).to_have_text("Red has dropped a ring on C2.")
    typed("р", "KeyH")  # Cyrillic, no Latin p
    expect(page.locator("#whose")).to_have_text("Black's hands")
    typed("r", "KeyO")  # Dvorak: the letter counts, not the place
    expect(page.locator("#said")).to_have_text("Black has dropped a ring on C2.")


def test_before_a_game_it_is_said_why_it_does_not_begin_and_a_played_one_is_not_started(
    site: HandsSite, visit: Visit
) -> None:
    start = visit.page.locator("[data-press=start]")
    expect(start).to_be_disabled()
    site.tell(state_line(Referee(Header()).view(1.0), buttons=frozenset(ButtonName)))
    expect(visit.page.locator("#now")).to_have_class("level-3 setup wrong")
    start.click()
    expect(visit.page.locator("#refusal")).to_contain_text("Set up the board: put a black glass on A1")


ABOVE_BAR = """(all) => all.every((each) => document.querySelector(each).getBoundingClientRect().bottom <=
  document.querySelector("#acting").getBoundingClientRect().top)"""


@pytest.mark.parametrize(("language", "width", "height"), [("en", 390, 844), ("de", 390, 844), ("de", 844, 390)])
def test_on_a_phone_the_board_stays_and_stacks_and_clocks_are_above_the_bar(
    site: HandsSite, browser: Browser, language: str, width: int, height: int
) -> None:
    """From the set-up, with what is to be done told at length, to a turn in which a glass runs."""
    phone: dict[str, Any] = {"viewport": {"width": width, "height": height}, "has_touch": True, "locale": language}
    visit = Visit(browser, site.address, "table?seat=red", **phone)
    tops = []
    for number, phase in ((0, "setup"), (1, "play"), (9, "play"), (9, "over")):
        site.tell({"state": {**begun(), "number": number, "phase": phase}})
        expect(visit.page.locator("#now")).to_have_class(f"level-3 {phase}")
        expect(visit.page.locator("#now .aim")).to_have_count(int(number < 9))
        tops.append(middle(visit.page.locator("#board")))
        seen = ["#hands", "#clocks-red li:last-child"] if number == 9 else ["#hands"]
        assert visit.page.evaluate(ABOVE_BAR, seen), (number, phase)
    assert len(set(tops)) == 1
    visit.close()


def test_a_finger_keeps_its_glass_while_the_table_is_renewed(site: HandsSite, browser: Browser) -> None:
    """The element under the finger is removed once the glass is in the hand; the page must not scroll then."""
    phone: dict[str, Any] = {"viewport": {"width": 360, "height": 640}, "has_touch": True}
    visit = Visit(browser, site.address, "table", **phone)
    page = visit.page
    assert page.evaluate("document.documentElement.scrollHeight > innerHeight"), "it could scroll"
    last = page.evaluate("[...document.querySelectorAll('.grab')].at(-1).dataset.tube")
    held = page.locator(f'.held[data-glass="{last}"]')
    x, y = middle(page.locator(f'.grab[data-tube="{last}"]'))
    touch = visit.context.new_cdp_session(page)

    def finger(kind: str, *rows: float) -> None:
        points = [{"x": x, "y": row} for row in rows]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    finger("touchStart", y)
    for step in (1, 2):
        finger("touchMove", y - 10 * step)
    expect(held).to_be_attached()
    for step in range(3, 12):
        finger("touchMove", y - 10 * step)
    expect(page.locator("#carried svg")).to_be_visible()
    assert page.evaluate("scrollY") == 0
    finger("touchEnd")
    expect(held).not_to_be_attached()
    visit.close()
