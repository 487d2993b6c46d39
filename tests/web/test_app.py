"""The page's addresses, through the application: what each answers, and what is refused."""

import gzip
import re
from typing import Any

import pytest
from starlette.routing import Route
from starlette.testclient import TestClient

from tamsk_hw.game.tubes import Tube
from tamsk_hw.live.stream import Names
from tamsk_hw.referee.view import GlassState
from tamsk_hw.system.sockets import Absence
from tamsk_hw.web.app import page_app
from tamsk_hw.web.live import LiveTable
from tamsk_hw.web.pages import Pages
from tamsk_hw.web.security import CONTENT_SECURITY_POLICY, Binding
from tamsk_hw.words.rules import anchor_of, rule_book
from tests.house import ROOT
from tests.panel.boards import BLACK, RED, glass, view
from tests.web.stream import Told, greeting, state_line

GAME = "R7.6-just-within-the-window"


def table_of(scenario: str | None = GAME, names: Names | None = None) -> LiveTable:
    """A table that has seen a scenario's game; None: no service yet."""
    table = LiveTable(lambda: 0.0, lambda: 0.0)
    if scenario is not None:
        table.greeted(greeting())
        for record in Told().game(scenario, names=names or Names()):
            table.heard(record)
    return table


LOOPBACK = Binding("127.0.0.1")


def client_of(table: LiveTable, binding: Binding = LOOPBACK, **more: Any) -> TestClient:
    return TestClient(
        page_app(Pages(table), binding, **more), base_url="http://127.0.0.1:8137", raise_server_exceptions=False
    )


@pytest.fixture(scope="module")
def client() -> TestClient:
    return client_of(table_of())


def test_the_scoreboard_is_there_without_scripts(client: TestClient) -> None:
    page = client.get("/").text
    assert 'id="tube-D4"' in page
    assert 'id="glass-black-3"' in page
    assert "rings left" in page
    assert 'href="/rules#r7-6"' in page
    assert 'id="rulings" aria-live="polite"' in " ".join(page.split())


@pytest.mark.parametrize(
    ("scenario", "why", "words"),
    [
        (None, Absence.NONE_THERE, "Waiting for the service"),
        (None, Absence.FORBIDDEN, "group of the service"),
        (None, Absence.OTHER_VERSION, "another version"),
        (GAME, Absence.NONE_THERE, "The service is gone"),
    ],
)
def test_a_service_that_is_not_there_is_said_with_what_helps(
    scenario: str | None, why: Absence, words: str
) -> None:
    table = table_of(scenario)
    table.lost(why)
    client = client_of(table)
    page = client.get("/").text
    assert words in page
    assert ('id="tube-D4"' in page) is (scenario is not None)
    assert client.get("/overlay").status_code == 200
    assert client.get("/board.svg").status_code == (503 if scenario is None else 200)
    assert client.get("/now?at=x").headers.get("retry-after") == (None if scenario else "1")


def test_a_browser_is_sent_the_parts_that_it_lacks() -> None:
    """Between the two a glass was lifted: its row, the signs, the words and its owner's card differ, no more."""
    table = LiveTable(lambda: 0.0, lambda: 0.0)
    table.greeted(greeting())
    client = client_of(table)
    before = at = mover = ""
    for record in Told().game(GAME):
        table.heard(record)
        if "state" not in record:
            continue
        assert table.scene is not None
        before, at = at, table.scene.at
        assert f'data-at="{at}"' in client.get("/").text
        if record["state"]["move_started"]:
            mover = record["state"]["turn"]
            break
    other = {"red": "black", "black": "red"}[mover]
    whole = client.get(f"/now?at={at}").text
    some = client.get(f"/now?at={at}&from={before}").text
    assert whole.count("data-same") == 0
    same = set(re.findall(r'<\w+ id="([a-z0-9-]+)" data-same></\w+>', some))
    assert {f"who-{other}", f"due-{other}", "layer-plate", "layer-names", "orders"} <= same
    assert not same & {"headline", "described", f"who-{mover}", "layer-signs"}
    for name in {"layer-signs", f"who-{mover}", "headline", *same}:
        assert f'id="{name}"' in some
        assert f'id="{name}"' in whole
    assert len(some) < len(whole) / 2
    assert client.get(f"/now?at={at}&from=000000000000").text == whole
    assert set(re.findall(r'"([a-z0-9-]+)" data-same', client.get(f"/now?at={at}&from={at}").text)) > same


def test_the_drawing_stands_alone_in_themes(client: TestClient) -> None:
    light = client.get("/board.svg")
    assert light.headers["content-type"].startswith("image/svg+xml")
    assert light.text.startswith("<svg ")
    assert client.get("/board.svg?theme=dark").text != light.text
    assert client.get("/board.svg?theme=green").text == light.text


def test_other_software_has_the_table_as_text() -> None:
    table = table_of()
    glasses = (glass(RED, Tube.D1, seconds=(80.0, 90.0)), glass(RED, Tube.A4, GlassState.LOST))
    now = view(t=100.0, left={RED: 7, BLACK: 9}, glasses=glasses, deadline=104.2)
    table.heard(state_line(now))
    told = client_of(table).get("/overlay.json").json()
    assert (told["headline"], told["timer"]["seconds"], told["result"]) == ("Red to move.", 5, None)
    assert [told["red"][each] for each in ("name", "left", "status")] == ["Red", 7, "to move"]
    assert told["red"]["glasses"][0] == {"tube": "D1", "state": "running", "clock": "80–90"}


def test_what_is_long_is_packed(client: TestClient) -> None:
    for path in ("/", "/now", "/board.svg", "/rules", "/static/page.css"):
        assert client.get(path).headers["content-encoding"] == "gzip", path
        plain = client.get(path, headers={"accept-encoding": "identity"})
        assert "content-encoding" not in plain.headers
        assert len(gzip.compress(plain.content)) < len(plain.content) / 2


def test_every_clause_has_its_anchor(client: TestClient) -> None:
    page = client.get("/rules").text
    for section in rule_book():
        for number in (section.number, *(clause.number for clause in section.clauses)):
            assert f'id="{anchor_of(number)}"' in page
    assert "<table>" in page
    assert "<code>late_penalty</code>" in page
    assert "**" not in page


def test_no_page_is_seen_before_it_hears_a_tap() -> None:
    for each in (ROOT / "tamsk_hw" / "web" / "templates").glob("*.html"):
        assert '<script type="module" src' not in each.read_text(encoding="utf-8"), each


def test_assets_last_by_their_fingerprint(client: TestClient) -> None:
    pages = Pages(table_of(None))
    for name, (data, _) in pages.assets.items():
        answer = client.get(pages.static(name))
        assert answer.content == data
        assert "immutable" in answer.headers["cache-control"]
        plain = client.get(f"/static/{name}")
        assert plain.headers["cache-control"] == "no-cache"
        assert client.get(f"/static/{name}", headers={"if-none-match": plain.headers["etag"]}).status_code == 304


@pytest.mark.parametrize(
    "path",
    [
        "/nope",
        "/static/nope.js",
        "/static/../app.py",
        "/static/%2e%2e%2fapp.py",
        "/static//etc/passwd",
        "/<script>alert(1)</script>",
    ],
)
def test_an_unknown_address_is_refused_in_plain_words(client: TestClient, path: str) -> None:
    answer = client.get(path)
    assert answer.status_code == 404
    assert "There is no such page." in answer.text
    assert "<script>alert" not in answer.text
    assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY


def test_a_fault_of_the_program_shows_nothing_of_it() -> None:
    async def fails(request: object) -> Any:
        raise RuntimeError("secret")

    answer = client_of(table_of(None), more=[Route("/fails", fails)]).get("/fails")
    assert answer.status_code == 500
    assert "secret" not in answer.text
    assert "went wrong" in answer.text
    assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY


def test_a_name_that_is_no_text_is_shown_as_far_as_it_is() -> None:
    """Half of a character, as JSON may have it."""
    client = client_of(table_of(names=Names(red="Ad\ud800a")))
    for path in ("/", "/overlay", "/now"):
        assert "Ad\\ud800a" in client.get(path).text
    assert client.get("/board.svg").status_code == 200


@pytest.mark.parametrize(
    ("bound", "names", "host", "allowed"),
    [
        ("127.0.0.1", (), "LOCALHOST.:8137", True),
        ("127.0.0.1", (), "[::1]:8137", True),
        ("127.0.0.1", (), "tamsk.localhost:8137", True),
        ("127.0.0.1", (), "192.168.1.7:8137", False),
        ("127.0.0.1", (), "localhost.evil.example", False),
        ("127.0.0.1", (), "", False),
        ("127.0.0.1", (), "localhost@evil.example", False),
        ("127.0.0.1", (), "127.0.0.1:8137:80", False),
        ("127.0.0.1", ("tamsk.local",), "Tamsk.Local:8137", True),
        ("127.0.0.1", ("tamsk.local",), "xtamsk.local", False),
        ("192.168.1.7", (), "192.168.1.7:8137", True),
        ("192.168.1.7", (), "192.168.1.8:8137", False),
        ("0.0.0.0", (), "192.168.1.8:8137", True),
        ("0.0.0.0", (), "evil.example", False),
    ],
)
def test_another_sites_name_does_not_lead_here(
    bound: str, names: tuple[str, ...], host: str, allowed: bool
) -> None:
    answer = client_of(table_of(None), Binding(bound, names=names)).get("/", headers={"host": host})
    assert answer.status_code == (200 if allowed else 421)
    if not allowed:
        assert "[web] names" in answer.text
        assert answer.headers["content-security-policy"] == CONTENT_SECURITY_POLICY
