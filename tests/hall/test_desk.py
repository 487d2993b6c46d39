"""The arbiter in a hall: one sign-in for all boards, a desk for each, and calls that somebody takes."""

import re
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tamsk_hw.hall import hall as hall_module
from tests.hall.one_board import DESK, OneBoard
from tests.web.tables import ORIGIN

QUESTION = "R9.3-full-tube-in-doubt"
AWARD = {"do": {"event": "arbiter", "action": "award", "winner": "red"}}


@pytest.fixture
def here(tmp_path: Path) -> OneBoard:
    here = OneBoard(tmp_path)
    here.play(QUESTION, "arbiter_needed")
    return here


def known(here: OneBoard) -> dict[str, object]:
    """The board as other programs see it."""
    return dict(here.client().get("/boards.json").json()["boards"][0])


# One sign-in.


def test_who_signs_in_at_the_hall_is_signed_in_at_every_board(here: OneBoard) -> None:
    here.tell("two", "busy")
    client = here.client()
    answer = client.post("/arbiter/sign-in", data={"token": here.token})
    assert answer.url.path == "/"  # the boards, with the calls
    for board in ("one", "two"):
        page = client.get(f"/boards/{board}/arbiter").text
        assert f"Arbiter&#39;s desk · {board}" in page.replace("Arbiter's", "Arbiter&#39;s")
        assert f'action="/boards/{board}/arbiter/do"' in page
        assert 'action="/arbiter' not in page


def test_who_signs_in_at_a_board_is_at_its_desk_and_signs_out_of_all(here: OneBoard) -> None:
    client = here.client()
    page = client.get(DESK).text
    assert f'action="{DESK}/sign-in"' in page
    assert "tamsk-hw hall token, on the computer of the page" in page
    assert client.post(f"{DESK}/sign-in", data={"token": here.token}).url.path == DESK
    client.post(f"{DESK}/sign-out", data=here.fields(client))
    assert 'name="token"' in client.get("/arbiter").text


def test_each_page_leads_to_its_desk(here: OneBoard) -> None:
    client = here.client()
    assert 'href="/arbiter"' in client.get("/").text
    assert f'href="{DESK}"' in client.get("/boards/one").text


# Decisions.


def test_a_question_is_answered_at_the_desk_of_its_board(here: OneBoard) -> None:
    client = here.signed_in()
    assert "Whose glass was put into the full tube E1?" in client.get(DESK).text
    sure = client.post(f"{DESK}/do", data=here.fields(client, wish="award-red"))
    assert str(sure.url).removeprefix(ORIGIN) == f"{DESK}?confirm=award-red"
    assert "Red wins?" in sure.text
    assert here.asked == []
    assert "Done: Red wins." in here.press(client, "award-red", confirmed="yes")
    assert here.asked == [AWARD]
    assert here.log()[0][1:] == ("one", "a", "hall", AWARD, "done")


def test_a_decision_that_is_posted_twice_is_sent_once(here: OneBoard) -> None:
    client = here.signed_in()
    fields = here.fields(client, wish="award-red", confirmed="yes")
    answers = [client.post(f"{DESK}/do", json=fields).json() for _ in range(2)]
    assert answers == [{"done": True, "words": "Done: Red wins."}] * 2
    assert here.asked == [AWARD]


def test_a_game_is_set_up_over_the_broker(here: OneBoard) -> None:
    here.play("R5.2-fewest-rings", key="b")
    client = here.signed_in()
    done = client.post(f"{DESK}/do", data=here.fields(client, setup="yes", level="2", red="Ada", black=""))
    assert "The game is set up." in done.text
    assert here.asked == [{"setup": {"ruleset": {"level": 2}, "names": {"red": "Ada", "black": None}}}]


def test_only_the_arbiter_decides_and_from_the_halls_own_page(here: OneBoard) -> None:
    arbiter, other = here.signed_in(), here.client()
    fields = here.fields(arbiter, wish="award-red", confirmed="yes", name="Zoe", call=str(here.board.call))
    for address in (f"{DESK}/do", "/take"):
        assert other.post(address, json=fields).status_code == 401
        assert arbiter.post(address, json={**fields, "csrf": "wrong"}).status_code == 403
        foreign = {"origin": "http://evil.example"}
        assert arbiter.post(address, json=fields, headers=foreign).status_code == 403
    assert arbiter.post("/boards/nobody/arbiter/do", data=fields).status_code == 404
    assert arbiter.get("/boards/nobody/arbiter").status_code == 404
    assert here.client().post(f"{DESK}/sign-in", data={"token": "wrong"}).status_code == 403
    assert here.asked == []
    assert known(here)["taken_by"] is None


def test_where_no_board_answers_that_is_said_in_one_sentence(
    here: OneBoard, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = here.signed_in()
    fields = here.fields(client, wish="award-red", confirmed="yes")
    monkeypatch.setattr(hall_module, "ANSWER_SECONDS", 0.0)
    here.copies = 0
    said = "Refused: Red wins. The service has not answered; look at the board before you try again."
    assert said in client.post(f"{DESK}/do", data=fields).text
    here.lose()
    said = "Refused: Red wins. The service does not answer; nothing was changed."
    assert said in client.post(f"{DESK}/do", data={**fields, "request": "request-late"}).text
    assert here.asked == []


@pytest.mark.parametrize(
    ("language", "why"),
    [
        ("en", "The game has gone on since; nothing was changed."),
        ("de", "Das Spiel ist inzwischen weitergegangen; nichts wurde geändert."),
    ],
)
def test_the_reason_of_a_bridge_is_in_the_readers_language(here: OneBoard, language: str, why: str) -> None:
    client = here.signed_in(accept_language=language)
    fields = here.fields(client, wish="resign-red", confirmed="yes")
    here.bridge.heard({"seq": 10**6, "event": {"event": "tick"}})
    assert why in client.post(f"{DESK}/do", data=fields).text


# Calls.


def take(here: OneBoard, client: TestClient, name: str, call: str | None = None) -> str:
    """The hall's page after a call was taken: that of the board, without another one."""
    fields = here.fields(client, "/", name=name, call=call or str(here.board.call))
    return str(client.post("/take", data=fields).text)


def test_who_takes_a_call_is_named_to_everybody_until_the_question_is_gone(here: OneBoard) -> None:
    client = here.signed_in()
    assert known(here)["call"] == here.board.call
    assert known(here)["taken_by"] is None
    page = take(here, client, " Zoe ")
    assert known(here)["taken_by"] == "Zoe"
    assert 'name="name" value="Zoe"' in page  # to be typed once
    here.press(client, "award-red", confirmed="yes")
    assert here.log()[0][3] == "Zoe"
    here.play("R5.2-fewest-rings", key="b")
    assert (known(here)["call"], known(here)["taken_by"]) == (None, None)


def test_a_new_question_is_an_open_call_again(here: OneBoard) -> None:
    client = here.signed_in()
    first = str(here.board.call)
    take(here, client, "Zoe")
    here.play(QUESTION, "arbiter_needed", key="b")
    assert known(here)["call"] not in (None, first)
    assert known(here)["taken_by"] is None
    assert "That is not asked any more; nothing was changed." in take(here, client, "Zoe", first)
    assert known(here)["taken_by"] is None


def test_a_call_is_taken_by_the_first(here: OneBoard) -> None:
    take(here, here.signed_in(), "Zoe")
    assert "Taken by Zoe" in re.sub("<.*?>", "", take(here, here.signed_in(), "Max").partition("</template>")[0])
    assert known(here)["taken_by"] == "Zoe"


def test_a_call_is_not_taken_without_a_name(here: OneBoard) -> None:
    client = here.signed_in()
    for name in ("", " ", "x" * 500):
        assert client.post("/take", data=here.fields(client, "/", name=name, call="x")).status_code == 400


def test_only_who_is_signed_in_is_offered_to_take_a_call(here: OneBoard) -> None:
    assert 'action="/take"' not in here.client().get("/").text
    assert 'action="/take"' in here.signed_in().get("/").text
