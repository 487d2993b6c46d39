"""Seats at a simulated board whose page is open to a network: whose hands a browser has, and who is refused."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest
from starlette.testclient import TestClient

from tamsk_hw.game.tubes import PLAYERS, Player, Tube
from tamsk_hw.web.seats import SEAT_COOKIES, Seats
from tamsk_hw.web.table import SITTINGS
from tests.web.tables import OPEN, PHONE, Table, begun

RED, BLACK = Player.RED, Player.BLACK


def seated_table(folder: Path, *names: str) -> Table:
    """A page that is open to a network, also by these names."""
    return Table(folder, seats=Seats(f"{OPEN}/", names), names=names)


def secrets_of(table: Table) -> Mapping[Player, str]:
    """The secrets of the seats' links."""
    assert table.links is not None
    return table.links.secrets


@pytest.fixture
def table(tmp_path: Path) -> Table:
    return seated_table(tmp_path)


def refused(client: TestClient, status: int, **deed: str) -> str:
    """The reason for which a deed is refused."""
    answer = client.post("/table/do", json=deed)
    assert answer.status_code == status
    return str(answer.json()["refused"])


def done(client: TestClient, **deed: str) -> bool:
    answer = client.post("/table/do", json=deed)
    return answer.status_code == 200 and "done" in answer.json()


def shown_seat(client: TestClient, query: str = "") -> str:
    found = re.search(r'data-seat="(\w+)"', client.get(f"/table{query}").text)
    assert found is not None
    return found[1]


def glass(table: Table, name: str) -> tuple[Tube | None, Player | None]:
    """Where a glass is: its tube, the hand it is in."""
    seen = next(each for each in table.at_hand.hands.observe().glasses if each.name == name)
    return seen.tube, seen.hand


def test_each_seat_has_its_own_hands_and_start(table: Table) -> None:
    red, black = table.seated(RED), table.seated(BLACK)
    assert (shown_seat(red), shown_seat(black)) == ("red", "black")
    assert shown_seat(red, "?seat=black") == "red"
    assert shown_seat(red, "?seat=both") == "red"
    assert done(red, do="lift", player="red", tube="D1")
    assert done(black, do="lift", player="black", tube="G1")
    assert (glass(table, "D1"), glass(table, "G1")) == ((None, RED), (None, BLACK))
    assert done(red, do="press", button="start")
    assert done(red, do="press", button="red")
    assert done(black, do="press", button="black", press="long")


def test_the_others_hands_are_refused(table: Table) -> None:
    red, before = table.seated(RED), table.at_hand.hands.observe()
    for deed in (
        {"do": "lift", "player": "black", "tube": "G1"},
        {"do": "turn_timer", "player": "black"},
        {"do": "press", "button": "black"},
        {"do": "take", "player": "red", "tube": "D4", "to": "black"},
    ):
        assert refused(red, 403, **deed) == "That is for the other player's hands; you have yours only."
    assert table.at_hand.hands.observe() == before


def test_only_who_has_a_ring_in_his_hand_may_give_it(table: Table) -> None:
    red, black = table.seated(RED), table.seated(BLACK)
    assert done(black, do="take_up", player="black")
    give = {"do": "put_back", "player": "black", "to": "red"}
    assert refused(red, 403, **give) == "That is for the other player's hands; you have yours only."
    assert done(black, **give)
    assert table.at_hand.hands.observe().players[RED].holder == 33


def test_a_pause_and_its_end_come_when_both_players_ask(table: Table) -> None:
    red, black = table.seated(RED), table.seated(BLACK)
    for is_paused, action in ((False, "pause"), (True, "resume")):
        table.live.heard({"state": begun() | {"paused": is_paused}})
        table.service.asked.clear()
        assert red.post("/table/pause", json={}).json()["words"] == "The other player is asked."
        assert "Red asks" in black.get("/table/now").text
        assert table.service.asked == []
        if not is_paused:  # it lapses with the turn
            table.live.heard({"state": begun() | {"turn": "black", "number": 2}})
            assert "Red asks" not in black.get("/table/now").text
            assert red.post("/table/pause", json={}).status_code == 200
        assert black.post("/table/pause", json={}).status_code == 200
        assert table.service.asked == [{"do": {"event": "arbiter", "action": action}}]
    assert table.phone().post("/table/pause", json={}).status_code == 403


def test_without_a_seat_one_watches(table: Table) -> None:
    phone, before = table.phone(), table.at_hand.hands.observe()
    page = phone.get("/table?seat=red")
    assert page.status_code == 200
    assert 'data-seat="none"' in page.text
    assert "You are watching. To play, scan a seat&#39;s QR code." in page.text
    assert "data-action" not in page.text
    assert phone.get("/table/now").status_code == 200
    for deed in ({"do": "lift", "player": "red", "tube": "D1"}, {"do": "press", "button": "start"}):
        assert "scan a seat's QR code" in refused(phone, 403, **deed)
    assert phone.post("/table/again", json={}).status_code == 403
    assert table.at_hand.hands.observe() == before


def test_only_who_has_both_seats_answers_for_the_arbiter(table: Table) -> None:
    """A player alone is no judge in his own cause."""
    board = table.phone("127.0.0.1", "http://127.0.0.1:8137")
    for client, decides, status in (
        (table.seated(RED), False, 403),
        (table.phone(), False, 403),
        (board, True, 409),
    ):
        assert ("playing deciding" in client.get("/table").text) is decides
        assert client.post("/table/answer", json={"answer": "award-red"}).status_code == status


def test_a_wrong_secret_gives_no_seat(table: Table) -> None:
    phone = table.phone()
    for secret in ("", "x" * 43, secrets_of(table)[BLACK], secrets_of(table)[RED][:-1], "\u00e9\u0000"):
        answer = phone.post("/table/sit", json={"seat": "red", "secret": secret})
        assert answer.status_code == 403
        assert "set-cookie" not in answer.headers
        assert "tamsk-hw play prints it" in answer.json()["refused"], "it says what to do"
    for fields in ({}, {"seat": "both", "secret": secrets_of(table)[RED]}):
        assert phone.post("/table/sit", json=fields).status_code == 400
    assert shown_seat(phone) == "none"


def test_the_cookie_ends_with_the_browser_and_is_not_the_links_secret(table: Table) -> None:
    answer = table.phone().post("/table/sit", json={"seat": "black", "secret": secrets_of(table)[BLACK]})
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("tamsk-seat-black-8137=")
    assert "Max-Age" not in cookie
    assert secrets_of(table)[BLACK] not in cookie


def test_the_cookie_of_another_seat_is_none(table: Table) -> None:
    black, thief = table.seated(BLACK), table.phone()
    session = black.cookies[f"{SEAT_COOKIES[BLACK]}-8137"]
    for stolen in (session, secrets_of(table)[RED], "", "x"):
        thief.cookies.clear()
        thief.cookies.set(f"{SEAT_COOKIES[RED]}-8137", stolen)
        assert "no seat" in refused(thief, 403, do="lift", player="red", tube="D1")
    assert glass(table, "D1") == (Tube.D1, None)


def test_who_has_both_links_has_both_hands(table: Table) -> None:
    tablet = table.seated(RED)
    assert tablet.post("/table/sit", json={"seat": "black", "secret": secrets_of(table)[BLACK]}).status_code == 200
    assert [shown_seat(tablet, query) for query in ("", "?seat=red", "?seat=black")] == ["both", "red", "black"]
    assert done(tablet, do="lift", player="red", tube="D1")
    assert done(tablet, do="lift", player="black", tube="G1")


def test_nobody_tries_too_often(table: Table) -> None:
    phone, wrong = table.phone(), {"seat": "red", "secret": "x" * 43}
    answers = [phone.post("/table/sit", json=wrong).status_code for _ in range(SITTINGS + 1)]
    assert answers == [403] * SITTINGS + [429]
    right = {"seat": "red", "secret": secrets_of(table)[RED]}
    assert phone.post("/table/sit", json=right).status_code == 429
    assert table.phone("192.168.1.21").post("/table/sit", json=right).status_code == 200


def test_a_player_who_sits_down_often_unseats_nobody_else(table: Table) -> None:
    red, black = table.seated(RED), table.seated(BLACK)
    for _ in range(60):
        table.seated(RED)
    assert [shown_seat(red), shown_seat(black)] == ["none", "black"]


@pytest.mark.parametrize(
    ("address", "at"),
    [("127.0.0.1", "http://127.0.0.1:8137"), ("::ffff:127.0.0.1", "http://127.0.0.1:8137"), ("192.168.1.7", OPEN)],
)
def test_the_boards_own_computer_plays_everything_and_is_shown_the_codes(
    table: Table, address: str, at: str
) -> None:
    here = table.phone(address, at)
    page = here.get("/table").text
    assert shown_seat(here) == "both"
    assert page.count('class="qrline"') == 2
    for player in PLAYERS:
        assert secrets_of(table)[player] in page
    assert done(here, do="lift", player="red", tube="D1")


@pytest.mark.parametrize(
    ("address", "at", "headers"),
    [
        (PHONE, OPEN, {}),
        (PHONE, "http://127.0.0.1:8137", {}),
        ("127.0.0.1", "http://127.0.0.1:8137", {"x-forwarded-for": "203.0.113.9"}),
        ("127.0.0.1", "http://tamsk.example", {}),
        ("unix", OPEN, {}),
    ],
)
def test_others_are_shown_no_secret(tmp_path: Path, address: str, at: str, headers: dict[str, str]) -> None:
    """Neither with a name of the board's computer nor by a proxy on it, with or without its headers."""
    table = seated_table(tmp_path, "tamsk.example")
    client = table.phone(address, at)
    client.headers.update(headers)
    page = client.get("/table").text
    assert 'data-seat="none"' in page
    assert "qrline" not in page
    for player in PLAYERS:
        assert secrets_of(table)[player] not in page
    assert "no seat" in refused(client, 403, do="lift", player="red", tube="D1")
