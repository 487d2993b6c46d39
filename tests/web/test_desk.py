"""The arbiter's desk through the application: what it shows and passes on, before a service at a real socket."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tamsk_hw.game.tubes import Player
from tamsk_hw.live.stream import Names
from tests.web.tables import Table

QUESTION = "R9.3-full-tube-in-doubt"
RINGS = "R7.6-just-within-the-window"


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    yield table
    table.service.close()


def press(button: str, length: str) -> dict[str, Any]:
    return {"do": {"event": "button", "button": button, "press": length}}


def test_an_answer_is_about_the_player_who_was_to_move_when_it_was_asked(table: Table) -> None:
    """The glass has been put right and it is black's turn; the question still waits."""
    table.tell(QUESTION)
    scene = table.live.scene
    assert scene is not None
    assert scene.view.question is not None
    assert scene.view.turn is Player.BLACK
    page = table.signed_in().get("/arbiter").text
    assert "Red&#39;s: black wins" in page
    assert "Black&#39;s: red wins" not in page


def test_every_decision_that_takes_something_away_asks_first(table: Table) -> None:
    table.tell(RINGS, "ring")
    client = table.signed_in()
    asked = {
        "award-red": "Red wins?",
        "abandon": "The game is abandoned, without a result?",
        "expire-F2": "Black&#39;s glass on F2 has run out?",
        "uncount-D4": "The last ring that counts on D4 was never dropped? It no longer counts",
        "ring-D4-black": "If it counts for red, it passes to black: 30 left. Otherwise nothing changes.",
        "resign-black": "Black resigns, and red wins?",
    }
    page = client.get("/arbiter?tube=D4").text
    for code, words in asked.items():
        assert f'value="{code}"' in page
        confirming = table.press(client, code).text
        assert words in confirming
        assert f'value="{code}">Yes: ' in confirming
    assert table.service.asked == []


def test_where_nothing_can_be_decided_that_is_said(table: Table) -> None:
    table.tell(RINGS, "ring")
    client = table.signed_in()
    assert "nothing to decide there" in client.get("/arbiter?tube=A2").text
    assert 'id="chosen"' not in client.get("/arbiter?tube=Z9").text


def test_a_glass_that_stands_wrongly_is_found_where_it_stands(table: Table) -> None:
    """Red's glass of D1 stands on E1; decisions name it by the tube on which it belongs."""
    table.tell(QUESTION, "arbiter_needed")
    client = table.signed_in()
    for tube in ("D1", "E1"):
        chosen = client.get(f"/arbiter?tube={tube}").text.partition('id="chosen"')[2].partition("</section>")[0]
        assert "Red&#39;s glass on E1" in chosen
        assert ('value="ring-E1-red"' in chosen) == (tube == "E1")


def test_a_glass_in_doubt_is_decided_on_above_everything_else(table: Table) -> None:
    """R6.4: the ruling says that the glass on D2 may have run out; no other glass may have."""
    client = table.signed_in()
    table.tell("R6.4-tolerance", "turn")
    assert 'id="doubt"' not in client.get("/arbiter").text
    table.tell("R6.4-tolerance", "glass_doubtful")
    before, _, doubt = client.get("/arbiter").text.partition('id="doubt"')
    assert 'id="numbers"' not in before
    assert re.findall(r'value="(expire[^"]*)"', doubt.partition("</section>")[0]) == ["expire-D2"]


def test_a_game_is_begun_and_the_next_one_set_up(table: Table) -> None:
    table.tell(RINGS, "setup")
    client = table.signed_in()
    assert "Start the game" in client.get("/arbiter").text
    table.press(client, "start")
    table.tell("R5.2-fewest-rings")
    assert "Next game" in client.get("/arbiter").text
    table.press(client, "next")
    table.press(client, "rematch")
    assert table.service.asked == [press("start", "short"), {"do": {"game": "next"}}, {"do": {"game": "rematch"}}]


def test_a_set_up_has_level_variants_and_names(table: Table) -> None:
    table.tell("R5.2-fewest-rings")
    client = table.signed_in()
    assert "Set up the next game" in client.get("/arbiter").text
    variants = {"start": "free", "late_penalty": "lose_turn"}
    names = {"red": " Ada ", "black": ""}
    fields = table.fields(client, setup="yes", level="2", forfeit_penalised="no", **variants, **names)
    assert "The game is set up." in client.post("/arbiter/do", data=fields).text
    ruleset = {"level": 2, **variants, "forfeit_penalised": False}
    assert table.service.asked == [{"setup": {"ruleset": ruleset, "names": {"red": "Ada", "black": None}}}]


def test_a_newer_services_rules_leave_the_form_as_it_is(table: Table) -> None:
    table.tell("R5.2-fewest-rings")
    table.live.heard(
        {"seq": 1000, "header": {"tamsk": 1, "ruleset": {"weather": 5}}, "key": "b", "game": None, "names": None}
    )
    assert "Set up the next game" in table.signed_in().get("/arbiter").text


def test_the_lot_gives_the_colours_and_is_told(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.tell("R5.2-fewest-rings")
    client = table.signed_in()
    for swapped, red, black in ((False, "Ada", "Bo"), (True, "Bo", "Ada")):
        monkeypatch.setattr("secrets.choice", lambda both, swapped=swapped: both[swapped])
        fields = table.fields(client, setup="yes", level="1", lot="yes", red="Ada", black="Bo")
        done = client.post("/arbiter/do", data=fields)
        assert f"The lot: {red} has red, {black} has black." in done.text
        assert table.service.asked[-1]["setup"]["names"] == {"red": red, "black": black}


def test_while_a_game_is_played_the_names_alone_change(table: Table) -> None:
    table.tell(RINGS, "turn", names=Names(red="Ada"))
    client = table.signed_in()
    page = client.get("/arbiter").text
    assert 'value="Ada"' in page
    assert 'name="level"' not in page
    done = client.post("/arbiter/do", data=table.fields(client, setup="yes", red="Ada", black="Bo"))
    assert "The names are changed." in done.text
    assert table.service.asked == [{"setup": {"names": {"red": "Ada", "black": "Bo"}}}]


def test_an_offered_game_is_resumed_or_abandoned(table: Table) -> None:
    table.tell(RINGS, "turn")
    record = table.live._record
    assert record is not None
    table.live.heard({"state": {**record, "phase": "offered"}})
    client = table.signed_in()
    page = client.get("/arbiter").text
    assert "Resume the unfinished game" in page
    assert 'value="award-red"' not in page
    assert "Abandon the unfinished game for good?" in table.press(client, "abandon-offered").text
    table.press(client, "resume")
    table.press(client, "abandon-offered", confirmed="yes")
    assert table.service.asked == [{"do": {"game": "resume"}}, {"do": {"game": "abandon"}}]


def test_a_game_pauses_and_goes_on(table: Table) -> None:
    table.tell(RINGS, "turn")
    client = table.signed_in()
    assert 'value="unpause"' not in client.get("/arbiter").text
    assert "Done: The game pauses." in table.press(client, "pause").text
    table.live.heard({"state": {**(table.live._record or {}), "paused": True}})
    page = client.get("/arbiter").text
    assert "Paused: sand and clocks stand still." in page
    assert 'value="pause"' not in page
    table.press(client, "unpause")
    asked = [{"do": {"event": "arbiter", "action": action}} for action in ("pause", "resume")]
    assert table.service.asked == asked


def test_a_page_of_another_game_decides_nothing(table: Table) -> None:
    table.tell(RINGS, "turn")
    client = table.signed_in()
    page = table.press(client, "award-red", confirmed="yes", game="an older one").text
    assert "Another game is on the board by now" in page
    assert table.service.asked == []


def test_without_a_service_nothing_is_asked(table: Table) -> None:
    client = table.signed_in()
    assert "Waiting for the service" in client.get("/arbiter").text
    assert "does not answer; nothing was changed" in table.press(client, "start").text


def test_a_service_that_went_meanwhile_is_said(table: Table) -> None:
    table.tell(RINGS, "turn")
    client = table.signed_in()
    table.service.close()
    assert "has not answered" in table.press(client, "claim-red").text


def test_a_program_is_answered_in_the_language_that_it_asks_for(table: Table) -> None:
    """Reasons of the service, too, which has worded them in its own; unless the page does not know them."""
    table.tell(RINGS, "turn")
    client = table.client()
    client.headers["accept-language"] = "de-CH"
    csrf = client.post("/arbiter/sign-in", json={"token": table.token}).json()["csrf"]
    asked = {"csrf": csrf, "game": table.game, "wish": "resign-red", "confirmed": "yes"}
    answer = client.post("/arbiter/do", json={**asked, "request": "12345678"})
    assert (answer.status_code, answer.json()) == (200, {"done": 17, "words": "Erledigt: Rot gibt auf."})
    table.service.answer = {"refused": "No game is being played.", "why": "no_game"}
    refused = client.post("/arbiter/do", json={**asked, "request": "12345679"})
    assert refused.json() == {"refused": "Abgelehnt: Rot gibt auf. Es läuft kein Spiel."}
    table.service.answer = {"refused": "Too windy.", "why": "of_a_newer_version"}
    refused = client.post("/arbiter/do", json={**asked, "request": "12345670"})
    assert refused.status_code == 409
    assert refused.json() == {"refused": "Abgelehnt: Rot gibt auf. Too windy."}
    refused = client.post("/arbiter/do", json={**asked, "csrf": "x", "request": "12345671"})
    assert refused.status_code == 403
    assert refused.json()["refused"].startswith("Die Seite war dafür zu alt")
