"""``/table``: the board as eyes see it, and deeds that are posted; in simulated time."""

import json
import re
import secrets
from dataclasses import replace
from html import unescape
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tamsk_hw.game.tubes import Player, Tube
from tamsk_hw.live.stream import read_state
from tamsk_hw.partner.intention import PARTNER_NAMES
from tamsk_hw.referee.view import GlassState
from tamsk_hw.web.app import page_app
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.seats import table_at_hand
from tamsk_hw.web.security import Binding
from tests.hands.at_hand import AtHand, act, check_world
from tests.web.stream import greeting
from tests.web.tables import ORIGIN, Table, begun


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return Table(tmp_path, hands=True)


def test_things_are_shown_where_they_are_and_not_where_they_belong(table: Table) -> None:
    assert (table.place("D1")["data-owner"], table.place("D2")["data-owner"]) == ("red", "")
    red, black = Player.RED, Player.BLACK
    table.at_hand.do(act("lift", red, Tube.D1), act("seat", red, Tube.B3), act("drop", black, Tube.D4))
    table.at_hand.do(act("lean", black, Tube.A1), act("lift", black, Tube.G1))
    table.link.see()
    assert table.place("D1")["data-glass"] == ""
    assert table.place("B3")["data-owner"] == "red"
    assert table.place("B3")["aria-label"] == "B3: 0 of 2 rings, a red glass"
    assert table.place("D4")["data-rings"] == "1"
    assert table.place("A1")["data-leaning"] == "yes"
    assert table.place("A1")["aria-label"].endswith("a black glass leans there")
    drawn = table.browser.get("/table/now").text
    assert 'data-player="black"' in drawn, "the glass from G1 is in the hand"
    assert re.search(r'class="tamsk-glass red [^"]*"[^>]*data-standing="B3"', drawn)
    assert re.search(r'class="tamsk-glass black [a-z_]+ leaning"', drawn)


def test_glasses_are_those_that_the_referee_knows_where_both_agree() -> None:
    """The glasses that are on their tubes keep what the referee knows of them; A1 is a tube like any other."""
    at_hand = AtHand(seed=1)
    at_hand.do(act("lift", Player.BLACK, Tube.G1), act("put_away", Player.BLACK))
    view = read_state(begun()).view
    seen = {glass.seen.name: glass for glass in table_at_hand(view, at_hand.hands.observe()).glasses}
    assert {name: glass.view.tube.name for name, glass in seen.items()} == {name: name for name in seen}
    assert seen["A1"].view.standing is Tube.A1
    assert seen["G1"].view.standing is None
    assert [seen[name].number for name in ("G1", "D7", "A1")] == [3, 1, 2], "the one beside the board comes last"


def test_a_glass_that_counts_as_lost_is_drawn_so_though_its_sand_is_seen_to_run() -> None:
    """The arbiter has declared it lost (R9.6): who plays must see that it may not be moved any more."""
    at_hand, view = AtHand(seed=1), read_state(begun()).view
    at_hand.do(act("lift", Player.RED, Tube.D1), act("seat", Player.RED, Tube.D1, turned=True))
    for state, shown in ((GlassState.UNSTARTED, GlassState.RUNNING), (GlassState.LOST, GlassState.LOST)):
        known = replace(view, glasses=tuple(replace(glass, state=state) for glass in view.glasses))
        seen = {glass.seen.name: glass for glass in table_at_hand(known, at_hand.hands.observe()).glasses}
        assert seen["D1"].seen.runs
        assert seen["D1"].view.state is shown


def test_the_headline_asks_for_the_ring_that_is_owed_but_not_the_program(table: Table) -> None:
    """R4.1: after a move its ring is what a player forgets; the scoreboard, for watchers, asks nobody."""
    owed = '<b class="owed">Red: drop the ring on D2.'
    rights = [{"tube": "D2", "player": "red", "seconds": 4.0}]
    table.live.heard({"state": begun() | {"turn": "black", "ring_open": rights}})
    assert owed in table.browser.get("/table/now").text
    assert owed not in table.browser.get("/now").text
    table.link.played = frozenset({Player.RED})
    assert owed not in table.browser.get("/table/now").text


def test_a_revision_stays_while_only_sand_runs_and_not_when_a_ring_falls(table: Table) -> None:
    def at() -> str:
        return str(table.browser.get("/table/now").headers["x-tamsk-at"])

    table.at_hand.do(act("lift", Player.RED, Tube.D1), act("seat", Player.RED, Tube.D2, turned=True))
    table.link.see()
    before = at()
    table.at_hand.board.advance(table.at_hand.world.now + 10.0)
    table.link.see()
    assert at() == before
    table.at_hand.do(act("drop", Player.RED, Tube.D2))
    table.link.see()
    assert at() != before


def test_deeds_are_done_and_said(table: Table) -> None:
    for words, fields in (
        ("Red has lifted the glass from D1.", {"do": "lift", "player": "red", "tube": "D1"}),
        ("Red has turned the glass over.", {"do": "turn", "player": "red"}),
        ("Red has seated the glass in D2.", {"do": "seat", "player": "red", "tube": "D2"}),
    ):
        answer = table.do(**fields)
        assert (answer.status_code, answer.json()["words"]) == (200, words)
    glass = table.at_hand.hands.observe().glasses[0]
    assert glass.tube is Tube.D2
    assert glass.above > 0.9
    check_world(table.at_hand.hands.observe())


def test_what_physics_forbids_is_refused_with_the_boards_reason(table: Table) -> None:
    before = table.at_hand.hands.observe()
    answer = table.do(do="lift", player="red", tube="D4")
    assert answer.status_code == 200
    assert "D4" in answer.json()["refused"]
    assert "done" not in answer.json()
    assert table.at_hand.hands.observe() == before


@pytest.mark.parametrize(
    "fields",
    [
        {},
        {"do": "fault", "fault": "glass D4 0"},
        {"do": "wait", "seconds": "3000"},
        {"do": "press", "button": "red", "press": "down"},
        {"do": "lift", "player": "red"},
        {"do": "lift", "player": "red", "tube": "Z9"},
        {"do": "lift", "player": "red", "tube": "D1", "travel": "1"},
    ],
)
def test_what_is_not_understood_or_no_deed_of_a_player_changes_nothing(
    table: Table, fields: dict[str, str]
) -> None:
    before = table.at_hand.hands.observe()
    answer = table.do(**fields)
    assert answer.status_code == 400
    assert answer.json().keys() == {"refused"}
    assert table.at_hand.hands.observe() == before


def test_a_glass_that_was_laid_aside_comes_back_with_its_sand(table: Table) -> None:
    red = Player.RED
    table.at_hand.do(act("lift", red, Tube.D1), act("seat", red, Tube.D2, turned=True))
    table.at_hand.board.advance(table.at_hand.world.now + 60.0)
    table.at_hand.do(act("lift", red, Tube.D2), act("put_away", red))
    table.link.see()
    above = table.at_hand.hands.observe().glasses[0].above
    assert 0.6 < above < 0.72, "a minute of three has run"
    assert 'data-off="D1"' in table.browser.get("/table/now").text
    assert "done" in table.do(do="place", player="red", tube="D2", glass="D1").json()
    glass = table.at_hand.hands.observe().glasses[0]
    assert glass.tube is Tube.D2
    assert glass.above == pytest.approx(above, abs=0.02)


def test_in_a_pause_a_simulated_board_stands_and_hands_rest(table: Table) -> None:
    table.link.played = frozenset({Player.BLACK})  # who agrees
    assert table.browser.post("/table/pause", json={}).json()["words"] == "The game pauses."
    assert table.service.asked == [{"do": {"event": "arbiter", "action": "pause"}}]
    for is_simulated in (True, False):
        table.live.greeted(greeting() | {"simulated": is_simulated, "life": str(is_simulated)})
        table.live.heard({"state": begun() | {"paused": True, "deadline": 20.0}})
        assert (b'"runs":false' in table.live.state_sent) is is_simulated
        assert (b'"runs":false' in table.play._seen.state_sent) is is_simulated
        words = "sand and clocks stand still" if is_simulated else "only the sand runs on"
        assert words in table.browser.get("/table/now").text
        answer = table.do(do="lift", player="red", tube="D1").json()
        assert answer.get("refused") == ("The game pauses; go on first." if is_simulated else None)


def test_after_a_game_hands_set_the_board_up_and_the_next_begins(table: Table) -> None:
    assert table.browser.post("/table/again", json={}).status_code == 409
    assert table.service.asked == []
    table.tell("R5.2-fewest-rings")
    red = Player.RED
    table.at_hand.do(act("lift", red, Tube.D1), act("seat", red, Tube.B3), act("drop", red, Tube.B3))
    table.link.see()
    answer = table.browser.post("/table/again", json={})
    assert answer.status_code == 200
    assert table.service.asked == [{"do": {"game": "next"}}]
    look = table.at_hand.hands.observe()
    assert all(glass.tube is not None and glass.tube.name == glass.name for glass in look.glasses)
    assert look.rings == {}


def test_before_a_game_level_opponent_and_colours_are_chosen(
    table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = table.service.asked
    chosen = {"level": "1", "red": "Ada", "black": "tamsk-hw (easy)"}
    assert table.browser.post("/table/choose", json=chosen).status_code == 409, "a game is being played"
    table.tell("R1.3-glass-missing", "setup")
    assert "data-choose" not in table.browser.get("/table").text
    assert table.browser.post("/table/choose", json=chosen).status_code == 409, (
        "this board plays nobody by its name"
    )
    table.link.follows_names = True
    page = table.browser.get("/table").text
    german = table.browser.get("/table", headers={"accept-language": "de"}).text
    assert all(f">tamsk-hw ({strength})<" in german for strength in ("leicht", "mittel", "stark"))
    offered = [json.loads(unescape(each)) for each in re.findall('data-choose="(.*?)"', page)]
    assert {"level": "2", "red": "", "black": ""} in offered
    assert offered[0] == {"level": "1", "red": "", "black": "tamsk-hw (easy)"}, "for a first game"
    assert {each["level"] for each in offered} == {"1", "2", "3"}
    assert {each["black"] for each in offered} == {"", *PARTNER_NAMES}
    answer = table.browser.post("/table/choose", json=chosen)
    assert answer.json() == {"done": 17, "words": "The game is set up."}
    names = {"red": "Ada", "black": "tamsk-hw (easy)"}
    assert asked == [{"setup": {"names": names, "ruleset": {"level": 1}}}]
    for is_swapped, words in ((True, "By lot: change places."), (False, "By lot: stay where you sit.")):
        monkeypatch.setattr(secrets, "choice", lambda choices, is_swapped=is_swapped: is_swapped)
        drawn = table.browser.post("/table/choose", json={"level": "3", "red": "", "black": "", "lot": "yes"})
        assert drawn.json()["words"] == words
    assert table.browser.post("/table/choose", json=chosen | {"level": "4"}).status_code == 400
    assert len(asked) == 3


def test_a_board_that_has_gone_is_said(table: Table) -> None:
    table.link.is_gone = True
    answer = table.do(do="lift", player="red", tube="D1")
    assert answer.status_code == 503
    assert "gone" in answer.json()["refused"]


def test_seats(table: Table) -> None:
    def seat(query: str = "") -> str:
        found = re.search(r'data-seat="(\w+)"', table.browser.get(f"/table{query}").text)
        assert found is not None
        return found[1]

    assert seat() == "both"
    table.link.played = frozenset({Player.BLACK})
    assert seat() == "red"
    assert [seat(f"?seat={each}") for each in ("red", "black", "both", "green")] == ["red", "black", "both", "red"]


def test_without_a_simulated_board_there_is_no_table() -> None:
    pages = Pages(LiveTable(lambda: 0.0, lambda: 0.0))
    client = TestClient(page_app(pages, Binding("127.0.0.1")), base_url=ORIGIN)
    assert client.get("/table").status_code == 404
    assert "/table" not in client.get("/").text


# What the arbiter is asked, where there is none.


def test_who_plays_alone_answers_what_the_arbiter_is_asked(table: Table) -> None:
    """R5.4: which of two glasses ran out last nobody saw; the person at the board says it."""
    assert table.browser.post("/table/answer", json={"answer": "award-red"}).status_code == 409
    table.tell("R5.4-twice-unseen", "arbiter_needed")
    page = table.browser.get("/table").text
    assert re.search(r'<body class="[^"]*\bdeciding\b', page)
    assert re.findall(r'data-answer="([\w-]+)"', page) == ["award-red", "award-black"]
    answer = table.browser.post("/table/answer", json={"answer": "award-red"})
    assert answer.json()["done"] == 17
    assert table.service.asked == [{"do": {"event": "arbiter", "action": "award", "winner": "red"}}]
    refused = table.browser.post("/table/answer", json={"answer": "abandon"})
    assert refused.status_code == 409
    assert refused.json()["refused"] == "That is not asked any more; nothing was changed."
    assert len(table.service.asked) == 1
