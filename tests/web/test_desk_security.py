"""Whom the arbiter's desk lets in, and what it takes: every refusal is in plain words and changes nothing."""

import asyncio
import stat
from collections.abc import Iterator
from pathlib import Path

import pytest

from tamsk_hw.errors import ConfigError
from tamsk_hw.web.gate import Limiter
from tamsk_hw.web.security import TokenFile
from tests.web.asking import ask, routes
from tests.web.tables import ORIGIN, OWN_COOKIE, Table

GAME = "R7.6-just-within-the-window"
HOUR = 3600.0


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    table = Table(tmp_path)
    table.tell(GAME, "turn")
    yield table
    table.service.close()


def test_the_token_is_kept_as_a_hash_alone(tmp_path: Path) -> None:
    file = TokenFile.of(tmp_path / "state")
    token = file.renew()
    kept = file.path.read_text()
    assert token not in kept
    assert len(token) >= 43  # 256 bits
    assert stat.S_IMODE(file.path.stat().st_mode) == 0o640
    assert file.renew() != token
    assert file.path.read_text() != kept


def test_a_folder_that_is_closed_is_said_with_what_helps(tmp_path: Path) -> None:
    (tmp_path / "state").write_text("no folder")
    with pytest.raises(ConfigError, match="sudo -u"):
        TokenFile.of(tmp_path / "state").renew()


@pytest.mark.parametrize("content", [b"", b"\xff" * 64])
def test_a_damaged_file_opens_nothing(table: Table, content: bytes) -> None:
    table.file.path.write_bytes(content)
    client = table.client()
    for token in (table.token, "", content.decode("latin-1")):
        assert client.post("/arbiter/sign-in", data={"token": token}).status_code == 403
    assert "There is no token yet." in client.get("/arbiter").text


def test_the_cookie_is_for_this_page_alone(table: Table) -> None:
    client = table.client()
    answer = client.post("/arbiter/sign-in", data={"token": f" {table.token}\n"}, follow_redirects=False)
    assert (answer.status_code, answer.headers["location"]) == (303, "/arbiter")
    cookie = {part.strip().lower() for part in answer.headers["set-cookie"].split(";")}
    assert {"httponly", "samesite=strict", "path=/", "max-age=43200"} <= cookie
    assert "secure" not in cookie
    assert table.token not in answer.headers["set-cookie"]
    by_proxy = table.client().post(
        "/arbiter/sign-in", data={"token": table.token}, headers={"origin": "https://127.0.0.1:8137"}
    )
    assert "secure" in by_proxy.history[0].headers["set-cookie"].lower()


@pytest.mark.parametrize("token", ["", "wrong", "ü"])
def test_a_wrong_token_is_refused(table: Table, token: str) -> None:
    client = table.client()
    answer = client.post("/arbiter/sign-in", data={"token": token})
    assert answer.status_code == 403
    assert "That token is wrong" in answer.text
    assert "set-cookie" not in answer.headers


def test_without_signing_in_nothing_is_shown_or_done(table: Table) -> None:
    client = table.client()
    page = client.get("/arbiter").text
    assert 'name="token"' in page
    assert "/arbiter/do" not in page
    for path in ("/arbiter/do", "/arbiter/sign-out"):
        answer = client.post(path, data={"request": "12345678", "wish": "claim-red"})
        assert answer.status_code == 401
        assert "You are not signed in" in answer.text
    client.cookies.set(OWN_COOKIE, "guessed")
    assert client.post("/arbiter/do", json={}).status_code == 401
    assert table.service.asked == []


def test_a_session_ends_after_twelve_hours(table: Table) -> None:
    client = table.signed_in()
    fields = table.fields(client, wish="claim-red")
    table.seconds = 12 * HOUR - 1
    assert "/arbiter/do" in client.get("/arbiter").text
    table.seconds = 12 * HOUR
    assert client.post("/arbiter/do", data=fields).status_code == 401
    assert table.service.asked == []


def test_a_new_token_ends_every_session(table: Table) -> None:
    client = table.signed_in()
    fields = table.fields(client, wish="claim-red")
    old, table.token = table.token, table.file.renew()
    assert client.post("/arbiter/do", data=fields).status_code == 401
    assert client.post("/arbiter/sign-in", data={"token": old}).status_code == 403
    assert "/arbiter/do" in table.signed_in().get("/arbiter").text
    assert table.service.asked == []


def test_signing_out_ends_the_session_for_whoever_has_its_cookie(table: Table) -> None:
    client = table.signed_in()
    secret = client.cookies[OWN_COOKIE]
    fields = table.fields(client)
    assert 'name="token"' in client.post("/arbiter/sign-out", data=fields).text
    client.cookies.set(OWN_COOKIE, secret)
    assert 'name="token"' in client.get("/arbiter").text


def test_a_form_without_the_sessions_own_mark_is_refused(table: Table) -> None:
    client, other = table.signed_in(), table.signed_in()
    fields = table.fields(client, wish="claim-red")
    for csrf in ("", "ü", table.fields(other)["csrf"]):
        assert client.post("/arbiter/do", data={**fields, "csrf": csrf}).status_code == 403
    assert table.service.asked == []


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://127.0.0.1:8138"},
        {"origin": "http://127.0.0.1:8137.evil.example"},
        {"origin": "null"},
        {"origin": "http://[::1"},
        {"origin": ORIGIN, "sec-fetch-site": "same-site"},
    ],
)
def test_another_sites_page_may_post_nothing_anywhere(tmp_path: Path, headers: dict[str, str]) -> None:
    """At every address that takes posts: at the desk, in the archive, at the table and for lessons."""
    table = Table(tmp_path, hands=True)
    client = table.signed_in()
    fields = table.fields(client, wish="start", token=table.token, do="lift", player="red", tube="D1", lesson="1")
    before = table.at_hand.hands.observe()
    paths = [route.path for route in routes(table.app) if "POST" in (route.methods or ())]
    assert len(paths) == 13
    for path in paths:
        answer = client.post(path, data=fields, headers=headers)
        assert (path, answer.status_code) == (path, 403)
        assert "the header Host" in answer.text, "a proxy may have changed it"
        assert "set-cookie" not in answer.headers
    assert table.service.asked == []
    assert table.at_hand.hands.observe() == before


def test_a_browser_that_names_no_origin_says_that_it_is_the_same(table: Table) -> None:
    client = table.signed_in()
    fields = table.fields(client, wish="claim-red")
    del client.headers["origin"]
    assert client.post("/arbiter/do", data=fields).status_code == 403
    for site, status in (("same-origin", 200), ("same-site", 403), ("none", 403)):
        client.headers["sec-fetch-site"] = site
        assert client.post("/arbiter/do", data=fields).status_code == status


def test_a_request_that_is_sent_again_is_done_once(table: Table) -> None:
    client = table.signed_in()
    fields = table.fields(client, wish="claim-red")
    first, second = (client.post("/arbiter/do", data=fields) for _ in range(2))
    assert "Done: Red claims." in first.text
    assert "Done: Red claims." in second.text
    assert table.service.asked == [{"do": {"event": "button", "button": "red", "press": "short"}}]
    client.post("/arbiter/do", data={**fields, "request": "another-one"})
    assert len(table.service.asked) == 2


def test_a_request_without_a_proper_id_is_refused(table: Table) -> None:
    client = table.signed_in()
    fields = table.fields(client, wish="claim-red")
    for request in ("", "short", "x" * 65, "12345678\r\nset-cookie:a=b"):
        assert client.post("/arbiter/do", data={**fields, "request": request}).status_code == 400
    assert table.service.asked == []


FORM = "application/x-www-form-urlencoded"
JSON = "application/json"


@pytest.mark.parametrize(
    ("body", "kind", "status"),
    [
        (b"wish=" + b"x" * 8192, FORM, 413),
        (b"wish=start", "text/plain", 415),
        (b"wish=%ff", FORM, 400),
        (b"wish", FORM, 400),
        (b"wish=start&wish=next", FORM, 400),
        (b"&".join(b"a%d=1" % place for place in range(41)), FORM, 400),
        (b"{", JSON, 400),
        (b"[" * 8000, JSON, 400),
        (b"[]", JSON, 400),
        (b'{"wish": ["start"]}', JSON, 400),
        (b'{"wish": "\\ud800"}', JSON, 400),
        (b'{"wish": ' + b"1" * 8000 + b"}", JSON, 400),
        (b"", FORM, 401),
    ],
)
def test_a_body_that_is_too_large_or_malformed_is_refused(
    table: Table, body: bytes, kind: str, status: int
) -> None:
    client = table.client()
    answer = client.post("/arbiter/do", content=body, headers={"content-type": kind})
    assert answer.status_code == status
    assert "Traceback" not in answer.text
    assert table.service.asked == []


def test_a_body_that_never_ends_is_refused_when_it_is_too_large(table: Table) -> None:
    """Its length is not said beforehand; what comes after is not read."""
    taken: list[int] = []

    def parts() -> Iterator[bytes]:
        for place in range(1000):
            taken.append(place)
            yield b"x" * 1024

    headers = {"origin": ORIGIN, "content-type": FORM}
    assert asyncio.run(ask(table.app, "POST", "/arbiter/do", "", headers, parts())).status == 413
    assert len(taken) == 9


@pytest.mark.parametrize(
    "fields",
    [
        {"wish": "award-white"},
        {"wish": "expire-Z9"},
        {"wish": "ring-D4"},
        {"setup": "yes", "level": "4"},
        {"setup": "yes", "red": "x" * 101},
    ],
)
def test_what_no_form_has_is_refused(table: Table, fields: dict[str, str]) -> None:
    client = table.signed_in()
    answer = client.post("/arbiter/do", data=table.fields(client, **fields))
    assert answer.status_code == 400
    assert "That is not understood." in answer.text
    assert table.service.asked == []


def test_attempts_to_sign_in_are_limited(table: Table) -> None:
    """Of each address by itself: nobody else's wrong tokens keep the arbiter out."""
    client = table.client()
    for _ in range(6):
        assert client.post("/arbiter/sign-in", data={"token": "wrong"}).status_code == 403
    refused = client.post("/arbiter/sign-in", data={"token": table.token})
    assert (refused.status_code, refused.headers["retry-after"]) == (429, "60")
    assert "Too many attempts" in refused.text
    arbiter = table.client(address="198.51.100.1")
    assert arbiter.post("/arbiter/sign-in", data={"token": table.token}).status_code == 200
    table.seconds = 60.0
    for _ in range(20):
        assert client.post("/arbiter/sign-in", data={"token": table.token}).status_code == 200


def test_two_boards_on_one_computer_sign_nobody_out_of_the_other(table: Table) -> None:
    """A browser sends each cookie to all ports of a computer."""
    other = table.client("http://127.0.0.1:8138", base="http://127.0.0.1:8138")
    assert other.post("/arbiter/sign-in", data={"token": table.token}).status_code == 200
    arbiter = table.client()
    arbiter.cookies.update(other.cookies)
    assert "That token" not in arbiter.post("/arbiter/sign-in", data={"token": table.token}).text
    assert len(arbiter.cookies) == 2
    csrf = table.fields(arbiter)["csrf"]
    assert arbiter.post("/arbiter/sign-out", data={"csrf": csrf}).status_code == 200
    other.cookies.update(arbiter.cookies)
    assert 'name="csrf"' in other.get("/arbiter").text


def test_requests_are_limited(table: Table) -> None:
    client = table.client()
    statuses = [client.post("/arbiter/do", json={}).status_code for _ in range(121)]
    assert statuses == [401] * 120 + [429]


def test_a_limiter_forgets_old_addresses() -> None:
    limiter = Limiter(2, lambda: 0.0)
    for number in range(5000):
        limiter.allows(str(number))
    assert len(limiter._times) <= 2000


def test_sessions_and_their_answers_are_bounded(table: Table) -> None:
    for _ in range(60):
        table.desk.guard.sign_in(table.token)
    assert len(table.desk.guard._sessions) == 50
    client = table.signed_in()
    csrf = table.fields(client)["csrf"]
    asked = {"csrf": csrf, "wish": "claim-red", "game": table.game}
    for number in range(110):
        table.seconds += 1.0
        client.post("/arbiter/do", json={**asked, "request": f"request-{number:03}"})
    session = next(reversed(table.desk.guard._sessions.values()))
    assert len(session.answers) == 100
